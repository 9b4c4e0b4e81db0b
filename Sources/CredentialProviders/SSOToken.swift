// SPDX-License-Identifier: Apache-2.0
// The cache of sign-ins to IAM Identity Center, as the AWS CLI keeps it.

internal import DocumentSupport
internal import RequestSigning
internal import SecureHashing

/// A sign-in as a file of the cache holds it. Secret.
struct SSOToken {
  let accessToken: String
  let expiration: SigV4.Timestamp

  /// What a new token can be asked for with; nil when the file does not hold all of it.
  let renewal: Renewal?

  /// The client that the AWS CLI registered, and the token that stands for the sign-in.
  struct Renewal {
    let refreshToken: String
    let clientID: String
    let clientSecret: String
    let registrationExpiresAt: String
  }

  /// The name of the file of a session, or of a start URL where there is no session: the SHA-1 of
  /// it in hexadecimal.
  static func fileName(session: String?, startURL: String) -> String {
    Hexadecimal.encode(Insecure.SHA1.hash(data: (session ?? startURL).utf8)) + ".json"
  }

  /// What a file holds. Throws `invalidFile`.
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
    guard let token = object["accessToken"]?.text, Self.isHeaderText(token),
      let expiration = Self.moment(object["expiresAt"]?.text)
    else {
      throw CredentialError(
        .invalidFile,
        "the cached sign-in \(path.shown) lacks a usable accessToken or expiresAt, so "
          + "nobody is signed in by it; run 'aws sso login'")
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

  /// What the AWS CLI writes, its members in the order of botocore.
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
    return JSONObjectWriter.bytes(members.map { (name: $0.0, value: .text($0.1)) })
  }

  /// A moment as the AWS CLI writes it; version 1 wrote `2019-11-14T04:05:45UTC`.
  static func moment(_ text: String?) -> SigV4.Timestamp? {
    guard let text else { return nil }
    let isOld = text.hasSuffix("UTC")
    return SigV4.Timestamp(expiration: isOld ? text.dropLast(3) + "Z" : text)
  }

  static func isHeaderText(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
  }
}
