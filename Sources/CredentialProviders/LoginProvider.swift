// SPDX-License-Identifier: Apache-2.0
// A user who has signed in with `aws login`: credentials from the cache, renewed with a proof of possession.

internal import DigitalSignatures
internal import DocumentSupport
internal import RequestSigning
internal import SecureHashing
internal import SigningSupport

/// Credentials of a user who has run `aws login` (`login_session` of a profile).
///
/// They live for 15 minutes, in a file of the AWS CLI's cache. With less than 5 minutes left they are
/// renewed and written back, as the AWS CLI does; when that fails, what another process has renewed
/// meanwhile is used, or they are used to their end, with a warning.
///
/// Source: AWS CLI User Guide, "Sign in for AWS local development using console credentials"; AWS SDKs and
/// Tools Reference Guide, "Login credential provider". Requests and files are those of botocore.
public struct LoginProvider: CredentialProvider {
  private let session: String
  private let cacheFolder: String?
  private let settings: ServiceSettings
  private let sources: CredentialSources
  private let proofID: @Sendable () -> String

  /// A provider of the credentials of a sign-in.
  ///
  /// - Parameters:
  ///   - session: `login_session`, the ARN of the user or role that signed in.
  ///   - cacheFolder: the folder of the sign-ins; when nil the one that `AWS_LOGIN_CACHE_DIRECTORY` names,
  ///     or else `~/.aws/login/cache`.
  ///   - settings: where the sign-in is renewed (`signIn`), and in which region when its file does not say
  ///     so (`signInRegion`).
  ///   - sources: variables, files, HTTP and the clock.
  public init(
    session: String, cacheFolder: String? = nil, settings: ServiceSettings,
    sources: CredentialSources
  ) {
    self.init(
      session: session, cacheFolder: cacheFolder, settings: settings, sources: sources,
      proofID: ProofOfPossession.newID)
  }

  init(
    session: String, cacheFolder: String?, settings: ServiceSettings, sources: CredentialSources,
    proofID: @escaping @Sendable () -> String
  ) {
    self.session = session
    self.cacheFolder = cacheFolder
    self.settings = settings
    self.sources = sources
    self.proofID = proofID
  }

  /// The credentials in the cache, renewed when they are about to end.
  ///
  /// Throws `signInRequired` when there is no sign-in or it has ended; `invalidConfiguration`, `invalidFile`,
  /// `refused`, `invalidResponse`, `unreachable`, `timedOut`.
  public func credentials() async throws(CredentialError) -> ResolvedCredentials {
    let path = try cachePath()
    guard let file = try sources.contents(of: path) else {
      throw .signInRequired(
        "You aren't signed in: \(path.shown) doesn't exist or is a directory.", fix: Self.signInFix)
    }
    let signIn = try LoginToken(file, path: path)
    let left = signIn.end.unixSeconds - sources.now().unixSeconds
    // An end that no answer can have set does not count, apart from clocks that differ by 5 minutes.
    let hasPossibleEnd = left <= LoginToken.longestLife + 300
    if left > 300 && hasPossibleEnd { return try provided(signIn) }
    do throws(CredentialError) {
      let (renewed, service) = try await renewed(signIn)
      let provided = try provided(renewed, by: service)
      try sources.write(renewed.file, to: path)
      return provided
    } catch {
      // Without the file, the next process would not find what was renewed.
      if [.cancelled, .invalidFile].contains(error.code) { throw error }
      let isOver = left <= 0 || !hasPossibleEnd && error.code == .signInRequired
      let old = isOver ? nil : try provided(signIn)
      let newer = try await RenewedElsewhere.signIn(after: error, orUsing: old, sources) {
        self.provided(at: path, insteadOf: signIn)
      }
      if let newer { return newer }
      guard var old else { throw error }
      old.warning =
        "\(error.message) The current credentials stay in use until \(signIn.end.text)."
      return old
    }
  }

  /// The credentials of a sign-in; those that a service answered need all of their parts.
  private func provided(
    _ signIn: LoginToken, by service: String? = nil
  ) throws(CredentialError) -> ResolvedCredentials {
    try CredentialParts(
      accessKeyID: signIn.accessKeyID, secretAccessKey: signIn.secretAccessKey,
      sessionToken: signIn.sessionToken, expiration: signIn.end, accountID: signIn.accountID
    ).provided(
      from: "the sign-in of \(session.shown)", by: service, at: sources.now(),
      orThrow: service == nil ? .invalidFile : .invalidResponse)
  }

  /// What the file holds by now; nil when it holds the same, or nothing that can be used.
  private func provided(at path: String, insteadOf old: LoginToken) -> ResolvedCredentials? {
    guard let file = try? sources.contents(of: path),
      let signIn = try? LoginToken(file, path: path),
      signIn.file != old.file
    else { return nil }
    return try? provided(signIn)
  }

  private func cachePath() throws(CredentialError) -> String {
    let folder =
      cacheFolder
      ?? ProfilePath.expanded(
        sources.setVariable("AWS_LOGIN_CACHE_DIRECTORY") ?? "~/.aws/login/cache", sources)
    let name = SHA256.hash(data: session.utf8).hexString + ".json"
    if !folder.hasPrefix("~") { return folder + "/" + name }
    throw .invalidConfiguration(
      "Can't find the sign-in cache of 'aws login': HOME isn't set.",
      fix: "Set HOME, or put the directory in AWS_LOGIN_CACHE_DIRECTORY.")
  }

  fileprivate static let signInFix = "Sign in with 'aws login'."

  private func endpoint(of signIn: LoginToken) throws(CredentialError) -> ServiceURL {
    let url: String?
    if let region = try signIn.region() {
      url = try settings.url(of: .signIn, in: region)
    } else {
      url = settings.region == nil ? nil : try settings.url(of: .signIn)
    }
    guard let url else {
      throw .invalidConfiguration(
        "Can't refresh the sign-in: no region is set.",
        fix: "Set AWS_REGION, or add region to the profile.")
    }
    return try ServiceURL(base: url, named: "the AWS Sign-In endpoint")
  }

  /// New credentials for the refresh token of the sign-in (CreateOAuth2Token), and the service's name.
  private func renewed(
    _ signIn: LoginToken
  ) async throws(CredentialError) -> (LoginToken, service: String) {
    let endpoint = try endpoint(of: signIn)
    let service = ServiceExchange(
      name: "AWS Sign-In (\(endpoint.origin))", sources: sources,
      attempts: settings.maximumAttempts)
    let url = endpoint.appending("/v1/token")
    let body = JSONText.object([
      ("clientId", .string(signIn.clientID)), ("refreshToken", .string(signIn.refreshToken)),
      ("grantType", "refresh_token"),
    ])
    let now = sources.now()
    let proof = ProofOfPossession.proof(of: try signIn.key(), for: url, id: proofID(), at: now)
    let response = try await service.response(
      to: CredentialRequest(
        "POST", url, headers: ["Content-Type": "application/json", "DPoP": proof],
        body: body.compact.bytesInUTF8, timeout: .seconds(10)))
    if response.status != 200 {
      throw refusal(response, by: service.name, hiding: [signIn.refreshToken, proof])
    }
    let answer = try ServiceResponse.object(in: response.body, of: service.name)
    guard let renewed = LoginToken(signIn, renewedBy: answer, at: now) else {
      throw .invalidResponse(
        "The response from \(service.name) has no valid accessToken, expiresIn or refreshToken.",
        fix: "Check the endpoint URL.")
    }
    return (renewed, service.name)
  }

  private func refusal(
    _ response: CredentialResponse, by service: String, hiding secrets: [String]
  ) -> CredentialError {
    let reason = ServiceRejection(response).text(hiding: secrets)
    let problem = "Can't refresh the sign-in of \(session.shown): \(service) returned \(reason)."
    switch (try? JSONReader.value(of: response.body))?["error"]?.text {
    case "TOKEN_EXPIRED", "USER_CREDENTIALS_CHANGED":
      return .signInRequired(
        problem + " It has expired, or the password was changed.", fix: Self.signInFix)
    case "INSUFFICIENT_PERMISSIONS":
      return .accessDenied(
        problem, fix: "Check the user's signin:CreateOAuth2Token permission.")
    default:
      return CredentialError(
        response.status >= 500 || response.status == 429 ? .unreachable : .accessDenied,
        problem, fix: "Send the request again later, or sign in with 'aws login'.")
    }
  }
}

/// A sign-in as a file of the cache holds it. Secret.
private struct LoginToken {
  /// AWS Sign-In API Reference, CreateOAuth2Token, expiresIn: "Maximum value is 900 seconds (15 minutes)."
  static let longestLife: Int64 = 900

  let accessKeyID: String
  let secretAccessKey: String
  let sessionToken: String
  let accountID: String?
  let end: SigV4.Timestamp
  let refreshToken: String
  let clientID: String
  private let members: [JSONReader.Member]
  private let path: String

  /// The sign-in in a file. Throws `invalidFile`.
  init(_ file: [UInt8], path: String) throws(CredentialError) {
    let object: JSONReader.Value
    do throws(DocumentError) {
      object = try JSONReader.value(of: file)
    } catch {
      throw .invalidFile(
        "The cached sign-in \(path.shown) isn't valid. \(error)", fix: LoginProvider.signInFix)
    }
    let access = object["accessToken"]
    guard case .object(let members) = object, let accessKeyID = access?["accessKeyId"]?.text,
      let secretAccessKey = access?["secretAccessKey"]?.text,
      let sessionToken = access?["sessionToken"]?.text, let end = access?["expiresAt"]?.moment,
      let refreshToken = object["refreshToken"]?.text, let clientID = object["clientId"]?.text
    else {
      throw .invalidFile(
        "The cached sign-in \(path.shown) has no valid accessToken, refreshToken or clientId.",
        fix: LoginProvider.signInFix)
    }
    self.accessKeyID = accessKeyID
    self.secretAccessKey = secretAccessKey
    self.sessionToken = sessionToken
    self.end = end
    self.refreshToken = refreshToken
    self.clientID = clientID
    self.members = members
    self.path = path
    accountID = access?["accountId"]?.text
  }

  /// The sign-in with what the service answered; nil when that is not all of it.
  init?(_ old: LoginToken, renewedBy answer: JSONReader.Value, at now: SigV4.Timestamp) {
    let access = answer["accessToken"]
    guard let accessKeyID = access?["accessKeyId"]?.text,
      let secretAccessKey = access?["secretAccessKey"]?.text,
      let sessionToken = access?["sessionToken"]?.text,
      let refreshToken = answer["refreshToken"]?.text, refreshToken.isRefreshToken,
      let seconds = answer["expiresIn"]?.double, seconds >= 1,
      let end = try? now.advanced(bySeconds: Int64(min(seconds, Double(Self.longestLife))))
    else { return nil }
    self.accessKeyID = accessKeyID
    self.secretAccessKey = secretAccessKey
    self.sessionToken = sessionToken
    self.end = end
    self.refreshToken = refreshToken
    clientID = old.clientID
    members = old.members
    path = old.path
    accountID = old.accountID
  }

  /// The region in which the user signed in, which only can renew the sign-in; nil in the files of older
  /// versions of the AWS CLI. Throws `invalidFile`.
  func region() throws(CredentialError) -> String? {
    switch members.first(where: { $0.name == "signInRegion" })?.value {
    case nil, .null: return nil
    case .string(let region): return region.isEmpty ? nil : region
    default:
      throw .invalidFile(
        "The signInRegion in the cached sign-in \(path.shown) isn't a string.",
        fix: LoginProvider.signInFix)
    }
  }

  /// The key that the sign-in is bound to. Throws `invalidFile`.
  func key() throws(CredentialError) -> P256.Signing.PrivateKey {
    let text = members.first { $0.name == "dpopKey" }?.value.text
    do throws(P256.DecodingError) {
      return try P256.Signing.PrivateKey(pemRepresentation: text ?? "")
    } catch {
      throw .invalidFile(
        "Can't refresh the cached sign-in \(path.shown): its dpopKey isn't valid. \(error.problem)",
        fix: LoginProvider.signInFix)
    }
  }

  /// The file: what it held, with the new tokens in their places.
  var file: [UInt8] {
    let access: [(String, String?)] = [
      ("accessKeyId", accessKeyID), ("secretAccessKey", secretAccessKey),
      ("sessionToken", sessionToken), ("accountId", accountID), ("expiresAt", end.extendedText),
    ]
    return JSONText.object(
      members.map { member in
        switch member.name {
        case "accessToken":
          let members = access.compactMap { name, text in text.map { (name, JSONText.string($0)) } }
          return (member.name, .object(members))
        case "refreshToken": return (member.name, .string(refreshToken))
        default: return (member.name, JSONText(member.value))
        }
      }
    ).compact.bytesInUTF8
  }
}

/// Proofs that a key is at hand (RFC 9449, OAuth 2.0 Demonstrating Proof of Possession).
enum ProofOfPossession {
  /// A JWT that is signed with the key (RFC 9449, 4.2; RFC 7515, 7.1), its members in the order of botocore.
  static func proof(
    of key: P256.Signing.PrivateKey, for url: String, id: String, at now: SigV4.Timestamp
  ) -> String {
    let point = key.publicKey.rawRepresentation
    // RFC 7518, 6.2.1
    let publicKey = JSONText.object([
      ("kty", "EC"), ("x", .string(encoded(point.prefix(32)))),
      ("y", .string(encoded(point.suffix(32)))), ("crv", "P-256"),
    ])
    let header = JSONText.object([("typ", "dpop+jwt"), ("alg", "ES256"), ("jwk", publicKey)])
    let claims = JSONText.object([
      ("htm", "POST"), ("htu", .string(url)), ("iat", .literal("\(now.unixSeconds)")),
      ("jti", .string(id)),
    ])
    let input = encoded(header.compact.utf8) + "." + encoded(claims.compact.utf8)
    // RFC 7518, 3.4: r and s, 32 bytes each.
    return input + "." + encoded(key.signature(for: Array(input.utf8)).rawRepresentation)
  }

  /// A random UUID (RFC 9562, 5.4).
  @Sendable static func newID() -> String {
    var bytes = (0..<16).map { _ in UInt8.random(in: 0...255) }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = Hexadecimal.encode(bytes)
    let lengths = [8, 4, 4, 4, 12]
    var rest = digits[...]
    return lengths.map { length in
      defer { rest = rest.dropFirst(length) }
      return String(rest.prefix(length))
    }.joined(separator: "-")
  }

  private static func encoded(_ bytes: some Collection<UInt8>) -> String {
    Base64.encode(bytes, as: .urlSafeUnpadded)
  }
}
