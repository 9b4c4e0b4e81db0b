// SPDX-License-Identifier: Apache-2.0
// The cache of sign-ins to IAM Identity Center, as the AWS CLI keeps it.

internal import DocumentSupport
internal import RequestSigning
internal import SigningSupport
internal import SecureHashing

/// A sign-in as a file of the cache holds it. Secret.
struct SSOToken {
  let accessToken: String
  let expiration: SigV4.Timestamp

  /// What a request for a new token needs; nil when the file does not hold all of it.
  let renewal: Renewal?

  /// The client that the AWS CLI registered, and the token that stands for the sign-in.
  struct Renewal {
    var refreshToken: String
    let clientID: String
    let clientSecret: String
    let registrationExpiresAt: String
  }

  /// The name of the file of a session, or of a start URL where there is no session: the SHA-1 of
  /// it in hexadecimal.
  static func fileName(session: String?, startURL: String) -> String {
    Hexadecimal.encode(Insecure.SHA1.hash(data: (session ?? startURL).utf8)) + ".json"
  }

  /// The sign-in in a file. Throws `invalidFile`.
  init(_ file: [UInt8], path: String) throws(CredentialError) {
    let object: JSONReader.Value
    do throws(DocumentError) {
      object = try JSONReader.value(of: file)
    } catch {
      throw CredentialError(
        .invalidFile,
        "in the cached sign-in \(path.shown), \(error.message); run 'aws sso login'"
      )
    }
    guard let token = object["accessToken"]?.text, token.isVisibleASCII,
      let expiration = Self.moment(object["expiresAt"]?.text)
    else {
      throw CredentialError(
        .invalidFile,
        "the cached sign-in \(path.shown) lacks a usable accessToken or expiresAt, so "
          + "it is not a sign-in; run 'aws sso login'")
    }
    accessToken = token
    self.expiration = expiration
    if let refreshToken = object["refreshToken"]?.text, let clientID = object["clientId"]?.text,
      let clientSecret = object["clientSecret"]?.text,
      let registration = object["registrationExpiresAt"]?.text
    {
      renewal = Renewal(
        refreshToken: refreshToken, clientID: clientID, clientSecret: clientSecret,
        registrationExpiresAt: registration)
    } else {
      renewal = nil
    }
  }

  init(accessToken: String, expiration: SigV4.Timestamp, renewal: Renewal?) {
    self.accessToken = accessToken
    self.expiration = expiration
    self.renewal = renewal
  }

  /// The file that the AWS CLI writes, its members in the order of botocore.
  func file(startURL: String, region: String) -> [UInt8] {
    var members = [
      ("startUrl", startURL), ("region", region), ("accessToken", accessToken),
      ("expiresAt", expiration.extendedText),
    ]
    if let renewal {
      members += [
        ("clientId", renewal.clientID), ("clientSecret", renewal.clientSecret),
        ("registrationExpiresAt", renewal.registrationExpiresAt),
      ]
      if !renewal.refreshToken.isEmpty { members.append(("refreshToken", renewal.refreshToken)) }
    }
    return JSONText.object(members.map { ($0, .string($1)) }).compact.bytesInUTF8
  }

  /// A moment as the AWS CLI writes it; version 1 wrote `2019-11-14T04:05:45UTC`.
  static func moment(_ text: String?) -> SigV4.Timestamp? {
    guard let text else { return nil }
    let isOld = text.hasSuffix("UTC")
    return SigV4.Timestamp(expiration: isOld ? text.dropLast(3) + "Z" : text)
  }
}
