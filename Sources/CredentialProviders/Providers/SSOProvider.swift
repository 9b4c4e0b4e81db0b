// SPDX-License-Identifier: Apache-2.0
// A role of IAM Identity Center, for a user who signed in with the AWS CLI.

internal import DocumentSupport
internal import RequestSigning
internal import SecureHashing

/// A role in an account of IAM Identity Center (AWS SSO), for a user who ran `aws sso login`.
///
/// It reads the sign-in from the AWS CLI's cache. If the sign-in belongs to a session and has less
/// than 15 minutes left, the provider refreshes it and updates the file, as the AWS CLI does. If
/// that fails, it uses the sign-in that another process has refreshed, or the current one until it
/// expires.
///
/// Source: IAM Identity Center Portal API Reference, GetRoleCredentials, and OIDC API Reference,
/// CreateToken; AWS SDKs and Tools Reference Guide, "IAM Identity Center credential provider".
package struct SSOProvider: CredentialResolver {
  private let role: SSOSettings
  private let portal: ServiceURL
  private let authorization: ServiceURL
  private let cacheFolder: String?
  private let maximumAttempts: Int
  private let sources: CredentialSources

  /// Creates a provider of a role's credentials.
  ///
  /// - Parameters:
  ///   - startURL: `sso_start_url`.
  ///   - session: The name of the `sso-session`, or nil for profiles without one, whose sign-ins
  ///     can't be refreshed.
  ///   - region: `sso_region`, the region of Identity Center.
  ///   - accountID: `sso_account_id`, 12 digits.
  ///   - roleName: `sso_role_name`.
  ///   - cacheFolder: The cache directory. If nil, `~/.aws/sso/cache`.
  ///   - settings: The endpoints of the portal (`sso`) and the OIDC service (`ssoOIDC`), if they
  ///     aren't AWS's own.
  ///   - sources: Variables, files, HTTP and the clock.
  /// - Throws: `invalidConfiguration`.
  package init(
    startURL: String, session: String? = nil, region: String, accountID: String,
    roleName: String, cacheFolder: String? = nil, settings: ServiceSettings = ServiceSettings(),
    sources: CredentialSources
  ) throws(CredentialError) {
    _ = try ServiceRegion.domain(of: region)
    portal = try ServiceURL(
      base: settings.url(of: .sso, in: region),
      named: "the IAM Identity Center portal endpoint")
    authorization = try ServiceURL(
      base: settings.url(of: .ssoOIDC, in: region),
      named: "the IAM Identity Center OIDC endpoint")
    maximumAttempts = settings.maximumAttempts
    if accountID.utf8.count != 12 || !accountID.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      throw CredentialError(
        .invalidConfiguration, "\(accountID.shown) isn't a valid AWS account ID.",
        fix: "Use 12 digits in sso_account_id.")
    }
    role = SSOSettings(
      session: session, startURL: startURL, region: region, accountID: accountID,
      roleName: roleName)
    self.cacheFolder = cacheFolder
    self.sources = sources
  }

  /// Requests the role's credentials with the cached sign-in.
  ///
  /// - Throws: `signInRequired` if there's no sign-in or it has expired. `invalidFile`,
  ///   `accessDenied`, `expired`, `invalidResponse`, `unreachable`, `timedOut`.
  package func credentials() async throws(CredentialError) -> ResolvedCredentials {
    var token = try await livingToken()
    let service = ServiceExchange(
      name: "IAM Identity Center (\(portal.origin))", sources: sources, attempts: maximumAttempts)
    var response = try await service.response(to: request(with: token))
    if response.status == 401, let newer = try newerToken(at: cachePath(), than: token) {
      token = newer
      response = try await service.response(to: request(with: token))
    }
    if response.status != 200 {
      let reason = ServiceRejection(response).text(hiding: [token.accessToken])
      if response.status == 401 {
        throw CredentialError(
          .signInRequired, "Your sign-in was rejected by \(service.name): \(reason).",
          fix: signInFix)
      }
      throw CredentialError(
        .accessDenied,
        "Can't get role \(role.roleName.shown) in account \(role.accountID) "
          + "from \(service.name): \(reason).",
        fix: "Check whether it's assigned to you. 'aws sso login' doesn't change that.")
    }
    let answer = try ServiceResponse.object(in: response.body, of: service.name)["roleCredentials"]
    return try CredentialParts(
      answer, id: "accessKeyId", secret: "secretAccessKey", token: "sessionToken",
      expiration: answer?["expiration"]?.moment(unitsPerSecond: 1000), accountID: role.accountID
    ).provided(
      from: "the role \(role.roleName.shown) in the account \(role.accountID) of \(service.name)",
      by: service.name, at: sources.now())
  }

  private func request(with token: SSOToken) -> SigV4.HTTPRequest {
    let query = FormEncoding.query([("role_name", role.roleName), ("account_id", role.accountID)])
    return SigV4.HTTPRequest(
      "GET", portal.appending("/federation/credentials?" + query),
      headers: ["x-amz-sso_bearer_token": token.accessToken], timeout: .seconds(10))
  }

  private var signInFix: String {
    role.session.map { "Sign in with 'aws sso login --sso-session \($0.shown)'." }
      ?? "Sign in with 'aws sso login', using this profile."
  }
}

extension SSOProvider {
  /// Returns the cached sign-in, refreshed if it's about to expire and can be.
  private func livingToken() async throws(CredentialError) -> SSOToken {
    let path = try cachePath()
    let token = try SSOToken(sources.signIn(at: path, fix: signInFix), path: path, fix: signInFix)
    let now = sources.now()
    let isAlive = now < token.expiration
    if role.session != nil, token.expiration.unixSeconds - now.unixSeconds < 15 * 60,
      let renewal = token.renewal,
      let end = SSOToken.moment(renewal.registrationExpiresAt), now < end
    {
      do throws(CredentialError) {
        let renewed = try await renewed(with: renewal)
        try sources.write(renewed.file(of: role), to: path)
        return renewed
      } catch {
        // Without the file, the refreshed sign-in would be lost, and the old one is used up.
        if error.code == .invalidFile || error.code == .cancelled { throw error }
        let newer = try await RenewedElsewhere.signIn(
          after: error, orUsing: isAlive ? token : nil, sources
        ) { newerToken(at: path, than: token) }
        if let newer { return newer }
        if isAlive { return token }
        // A new sign-in wouldn't help.
        let codes: [CredentialError.Code] = [.unreachable, .timedOut, .invalidConfiguration]
        if codes.contains(error.code) { throw error }
        throw error.with(
          "Your sign-in expired. \(error.problem)", fix: signInFix, code: .signInRequired)
      }
    }
    if isAlive { return token }
    throw CredentialError(
      .signInRequired, "Your sign-in expired at \(token.expiration.text) (now \(now.text)).",
      fix: signInFix)
  }

  /// Returns the sign-in in the file, or nil if it's the same or not valid.
  private func newerToken(at path: String, than old: SSOToken) -> SSOToken? {
    guard let object = try? sources.signIn(at: path, fix: signInFix),
      let token = try? SSOToken(object, path: path, fix: signInFix),
      token.accessToken != old.accessToken, sources.now() < token.expiration
    else { return nil }
    return token
  }

  /// Requests a new access token with the refresh token (CreateToken).
  private func renewed(with renewal: SSOToken.Renewal) async throws(CredentialError) -> SSOToken {
    let service = ServiceExchange(
      name: "IAM Identity Center OIDC (\(authorization.origin))", sources: sources,
      attempts: maximumAttempts)
    let body = JSONText.object([
      ("grantType", "refresh_token"), ("clientId", .string(renewal.clientID)),
      ("clientSecret", .string(renewal.clientSecret)),
      ("refreshToken", .string(renewal.refreshToken)),
    ])
    let now = sources.now()
    let response = try await service.response(
      to: SigV4.HTTPRequest(
        "POST", authorization.appending("/token"), headers: ["Content-Type": "application/json"],
        body: body.compact.bytesInUTF8, timeout: .seconds(10)))
    if response.status != 200 {
      let reason = ServiceRejection(response).text(
        hiding: [renewal.refreshToken, renewal.clientSecret, renewal.clientID])
      let isTransient = response.status >= 500 || response.status == 429
      throw CredentialError(
        isTransient ? .unreachable : .accessDenied,
        "Can't refresh the sign-in with \(service.name): \(reason).",
        fix: isTransient ? "Send the request again later." : signInFix)
    }
    let answer = try ServiceResponse.object(in: response.body, of: service.name)
    guard let token = answer["accessToken"]?.text, token.isVisibleASCII,
      let refreshToken = Self.refreshToken(in: answer),
      let seconds = answer["expiresIn"]?.double, seconds >= 1,
      let end = try? now.advanced(bySeconds: Int64(min(seconds, SSOToken.longestLife)))
    else {
      throw CredentialError(
        .invalidResponse,
        "The response from \(service.name) has no valid accessToken or expiresIn, "
          + "or an invalid refreshToken.",
        fix: "Check the endpoint URL.")
    }
    var renewed = renewal
    renewed.refreshToken = refreshToken
    return SSOToken(accessToken: token, expiration: end, renewal: renewed)
  }

  /// Returns the next refresh token, empty if there isn't one, or nil if it isn't valid.
  private static func refreshToken(in answer: JSONReader.Value) -> String? {
    switch answer["refreshToken"] {
    case nil, .null: ""
    case .string(let text)? where text.isRefreshToken: text
    default: nil
    }
  }

  private func cachePath() throws(CredentialError) -> String {
    let name = SSOToken.fileName(of: role)
    if let cacheFolder { return cacheFolder + "/" + name }
    let path = ProfilePath.expanded("~/.aws/sso/cache/" + name, sources)
    if path.hasPrefix("/") { return path }
    throw CredentialError(
      .invalidConfiguration, "Can't find the AWS CLI's sign-in cache: HOME isn't set.",
      fix: "Set HOME, or pass cacheFolder.")
  }
}

/// A sign-in in a cache file. Secret.
struct SSOToken {
  /// IAM Identity Center User Guide, "Configure the session duration": at most 90 days.
  static let longestLife = 7_776_000.0

  let accessToken: String
  let expiration: SigV4.Timestamp

  /// The data for requesting a new token, or nil if the file is incomplete.
  let renewal: Renewal?

  /// The client that the AWS CLI registered, and the refresh token.
  struct Renewal {
    var refreshToken: String
    let clientID: String
    let clientSecret: String
    let registrationExpiresAt: String
  }

  /// Returns the file name: the hexadecimal SHA-1 of the session name, or else of the start URL.
  static func fileName(of role: SSOSettings) -> String {
    Hexadecimal.encode(SHA1.hash(data: (role.session ?? role.startURL).utf8)) + ".json"
  }

  /// Reads the sign-in of a file. Throws `invalidFile`.
  init(_ object: JSONReader.Value, path: String, fix: String) throws(CredentialError) {
    guard let token = object["accessToken"]?.text, token.isVisibleASCII,
      let expiration = Self.moment(object["expiresAt"]?.text)
    else {
      throw CredentialError(
        .invalidFile, "The cached sign-in \(path.shown) has no valid accessToken or expiresAt.",
        fix: fix)
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

  /// Returns the file that the AWS CLI writes, with its members in botocore's order.
  func file(of role: SSOSettings) -> [UInt8] {
    var members = [
      ("startUrl", role.startURL), ("region", role.region), ("accessToken", accessToken),
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

  /// Parses a time in the AWS CLI's format. Version 1 wrote `2019-11-14T04:05:45UTC`.
  static func moment(_ text: String?) -> SigV4.Timestamp? {
    guard let text else { return nil }
    let isOld = text.hasSuffix("UTC")
    return SigV4.Timestamp(expiration: isOld ? text.dropLast(3) + "Z" : text)
  }
}
