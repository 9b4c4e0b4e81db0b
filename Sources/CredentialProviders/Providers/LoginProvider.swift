// SPDX-License-Identifier: Apache-2.0
// A user who signed in with `aws login`: cached credentials, refreshed with a proof of possession.

internal import DigitalSignatures
internal import DocumentSupport
internal import RequestSigning
internal import SecureHashing

/// Credentials of a user who ran `aws login` (`login_session` of a profile).
///
/// They expire after 15 minutes and are in a file of the AWS CLI's cache. With less than 5 minutes
/// left, the provider refreshes them and updates the file, as the AWS CLI does. If that fails, it
/// returns credentials that another process has refreshed, or the current ones with a warning until
/// they expire.
///
/// Source: AWS CLI User Guide, "Sign in for AWS local development using console credentials"; AWS
/// SDKs and Tools Reference Guide, "Login credential provider". Requests and files are those of
/// botocore.
package struct LoginProvider: CredentialResolver {
  private let session: String
  private let cacheFolder: String?
  private let settings: ServiceSettings
  private let sources: CredentialSources
  private let proofID: @Sendable () -> String

  /// Creates a provider of a sign-in's credentials.
  ///
  /// - Parameters:
  ///   - session: `login_session`, the ARN of the user or role that signed in.
  ///   - cacheFolder: The cache directory. If nil, `AWS_LOGIN_CACHE_DIRECTORY` or
  ///     `~/.aws/login/cache`.
  ///   - settings: The endpoint for refreshing the sign-in (`signIn`), and its region if the file
  ///     has none (`signInRegion`).
  ///   - sources: Variables, files, HTTP and the clock.
  package init(
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

  /// Returns the cached credentials, refreshed if they're about to expire.
  ///
  /// - Throws: `signInRequired` if there's no sign-in or it has expired. `invalidConfiguration`,
  ///   `invalidFile`, `accessDenied`, `invalidResponse`, `unreachable`, `timedOut`.
  package func credentials() async throws(CredentialError) -> ResolvedCredentials {
    let path = try cachePath()
    let signIn = try LoginToken(sources.signIn(at: path, fix: Self.signInFix), path: path)
    let left = signIn.end.unixSeconds - sources.now().unixSeconds
    // An expiration that no response can have set is ignored, allowing for a clock skew of 5
    // minutes.
    let hasPossibleEnd = left <= LoginToken.longestLife + 300
    if left > 300 && hasPossibleEnd { return try provided(signIn) }
    do throws(CredentialError) {
      let (renewed, service) = try await renewed(signIn)
      let provided = try provided(renewed, by: service)
      try sources.write(renewed.file, to: path)
      return provided
    } catch {
      // Without the file, the next process wouldn't find the refreshed sign-in.
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

  /// Returns the credentials of a sign-in. Those from a service must be complete.
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

  /// Returns the credentials in the file, or nil if they're the same or not valid.
  private func provided(at path: String, insteadOf old: LoginToken) -> ResolvedCredentials? {
    guard let object = try? sources.signIn(at: path, fix: Self.signInFix),
      let signIn = try? LoginToken(object, path: path), signIn.file != old.file
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
    throw CredentialError(
      .invalidConfiguration, "Can't find the sign-in cache of 'aws login': HOME isn't set.",
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
      throw CredentialError(
        .invalidConfiguration, "Can't refresh the sign-in: no region is set.",
        fix: "Set AWS_REGION, or add region to the profile.")
    }
    return try ServiceURL(base: url, named: "the AWS Sign-In endpoint")
  }

  /// Requests new credentials with the refresh token (CreateOAuth2Token). Returns the service's
  /// name too.
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
      to: SigV4.HTTPRequest(
        "POST", url, headers: ["Content-Type": "application/json", "DPoP": proof],
        body: body.compact.bytesInUTF8, timeout: .seconds(10)))
    if response.status != 200 {
      throw refusal(response, by: service.name, hiding: [signIn.refreshToken, proof])
    }
    let answer = try ServiceResponse.object(in: response.body, of: service.name)
    guard let renewed = LoginToken(signIn, renewedBy: answer, at: now) else {
      throw CredentialError(
        .invalidResponse,
        "The response from \(service.name) has no valid accessToken, expiresIn or refreshToken.",
        fix: "Check the endpoint URL.")
    }
    return (renewed, service.name)
  }

  private func refusal(
    _ response: SigV4.HTTPResponse, by service: String, hiding secrets: [String]
  ) -> CredentialError {
    let reason = ServiceRejection(response).text(hiding: secrets)
    let problem = "Can't refresh the sign-in of \(session.shown): \(service) returned \(reason)."
    switch (try? JSONReader.value(of: response.body))?["error"]?.text {
    case "TOKEN_EXPIRED", "USER_CREDENTIALS_CHANGED":
      return CredentialError(
        .signInRequired,
        problem + " It has expired, or the password was changed.", fix: Self.signInFix)
    case "INSUFFICIENT_PERMISSIONS":
      return CredentialError(
        .accessDenied,
        problem, fix: "Check the user's signin:CreateOAuth2Token permission.")
    default:
      return CredentialError(
        response.status >= 500 || response.status == 429 ? .unreachable : .accessDenied,
        problem, fix: "Send the request again later, or sign in with 'aws login'.")
    }
  }
}

/// A sign-in in a cache file. Secret.
private struct LoginToken {
  /// AWS Sign-In API Reference, CreateOAuth2Token, expiresIn: "Maximum value is 900 seconds (15
  /// minutes)."
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

  /// Reads the sign-in of a file. Throws `invalidFile`.
  init(_ object: JSONReader.Value, path: String) throws(CredentialError) {
    let access = object["accessToken"]
    guard case .object(let members) = object, let accessKeyID = access?["accessKeyId"]?.text,
      let secretAccessKey = access?["secretAccessKey"]?.text,
      let sessionToken = access?["sessionToken"]?.text, let end = access?["expiresAt"]?.moment,
      let refreshToken = object["refreshToken"]?.text, let clientID = object["clientId"]?.text
    else {
      throw CredentialError(
        .invalidFile,
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

  /// Updates a sign-in from a response, or returns nil if the response is incomplete.
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

  /// Returns the region of the sign-in, the only one that can refresh it, or nil for files of older
  /// versions of the AWS CLI. Throws `invalidFile`.
  func region() throws(CredentialError) -> String? {
    switch members.first(where: { $0.name == "signInRegion" })?.value {
    case nil, .null: return nil
    case .string(let region): return region.isEmpty ? nil : region
    default:
      throw CredentialError(
        .invalidFile, "The signInRegion in the cached sign-in \(path.shown) isn't a string.",
        fix: LoginProvider.signInFix)
    }
  }

  /// Returns the key that the sign-in is bound to. Throws `invalidFile`.
  func key() throws(CredentialError) -> P256.Signing.PrivateKey {
    let text = members.first { $0.name == "dpopKey" }?.value.text
    do throws(KeyDecodingError) {
      return try P256.Signing.PrivateKey(pemRepresentation: text ?? "")
    } catch {
      throw CredentialError(
        .invalidFile,
        "Can't refresh the cached sign-in \(path.shown): its dpopKey isn't valid. \(error.problem)",
        fix: LoginProvider.signInFix)
    }
  }

  /// The original file with the new tokens.
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

/// Proofs of possession of a key (RFC 9449, OAuth 2.0 Demonstrating Proof of Possession).
enum ProofOfPossession {
  /// Returns a JWT signed with the key (RFC 9449, 4.2; RFC 7515, 7.1). Its members are in
  /// botocore's order.
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

  /// Returns a random UUID (RFC 9562, 5.4).
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
