// SPDX-License-Identifier: Apache-2.0
// A role of IAM Identity Center, for somebody who has signed in with the AWS CLI.

internal import DocumentSupport
internal import RequestSigning

/// A role in an account of IAM Identity Center (AWS SSO), for somebody who has run `aws sso login`.
///
/// The sign-in is read from the AWS CLI's cache. One that belongs to a session and has less than 15
/// minutes left is renewed and written back, as the AWS CLI does; when that fails, it is used to its
/// end.
///
/// Source: IAM Identity Center Portal API Reference, GetRoleCredentials, and OIDC API Reference,
/// CreateToken; AWS SDKs and Tools Reference Guide, "IAM Identity Center credential provider".
public struct SSOProvider: CredentialProvider {
  private let startURL: String
  private let session: String?
  private let region: String
  private let accountID: String
  private let roleName: String
  private let portal: ServiceURL
  private let authorization: ServiceURL
  private let cacheFolder: String?
  private let sources: CredentialSources

  /// A provider of a role's credentials.
  ///
  /// - Parameters:
  ///   - startURL: `sso_start_url`.
  ///   - session: the name of the `sso-session`; nil in profiles that have none, whose sign-ins
  ///     cannot be renewed.
  ///   - region: `sso_region`, where Identity Center is.
  ///   - accountID: `sso_account_id`, twelve digits.
  ///   - roleName: `sso_role_name`.
  ///   - cacheFolder: the folder of the sign-ins; `.aws/sso/cache` in `HOME` when nil.
  ///   - portal: the address of the portal, when it is not the region's.
  ///   - authorization: the address of the OIDC service, when it is not the region's.
  ///
  /// Throws `invalidConfiguration`.
  public init(
    startURL: String, session: String? = nil, region: String, accountID: String,
    roleName: String, cacheFolder: String? = nil, portal: String? = nil,
    authorization: String? = nil, sources: CredentialSources
  ) throws(CredentialError) {
    let domain = try ServiceRegion.domain(of: region)
    self.portal = try ServiceURL(
      base: portal ?? "https://portal.sso.\(region).\(domain)", named: "the address of the portal")
    self.authorization = try ServiceURL(
      base: authorization ?? "https://oidc.\(region).\(domain)",
      named: "the address of the OIDC service")
    if accountID.utf8.count != 12 || !accountID.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      throw CredentialError(
        .invalidConfiguration,
        "\(accountID.shown) is no account of AWS, so there is no role in it; give the "
          + "twelve digits of sso_account_id")
    }
    self.startURL = startURL
    self.session = session
    self.region = region
    self.accountID = accountID
    self.roleName = roleName
    self.cacheFolder = cacheFolder
    self.sources = sources
  }

  /// Credentials of the role, asked for now with the cached sign-in.
  ///
  /// Throws `signInRequired` when nobody is signed in or the sign-in has ended; `invalidFile`,
  /// `refused`, `expired`, `invalidAnswer`, `unreachable`, `timedOut`.
  public func credentials() async throws(CredentialError) -> ProvidedCredentials {
    let token = try await livingToken()
    let service = "IAM Identity Center (\(portal.origin))"
    let query = FormEncoding.query([("role_name", roleName), ("account_id", accountID)])
    let request = HTTPRequest(
      "GET", portal.text + "/federation/credentials?" + query,
      headers: [("x-amz-sso_bearer_token", token.accessToken)], timeout: 10)
    let response = try await ServiceExchange(name: service, sources: sources)
      .response(to: request)
    if response.status != 200 { throw refusal(response, of: service, token) }
    let answer = try ServiceDocument.json(response.body, of: service)["roleCredentials"]
    return try CredentialParts(
      answer, id: "accessKeyId", secret: "secretAccessKey", token: "sessionToken",
      expiration: answer?["expiration"]?.millisecondsSince1970
    ).provided(
      by: service,
      origin:
        "the role \(PrintableText.visible(roleName)) in the account \(accountID) of \(service)",
      at: sources.now())
  }

  private func refusal(
    _ response: HTTPResponse, of service: String, _ token: SSOToken
  ) -> CredentialError {
    let refusal = ServiceRefusal(response)
    let words = refusal.words(hiding: [token.accessToken])
    if response.status == 401 {
      return CredentialError(
        .signInRequired, "\(service) no longer takes the sign-in (\(words)); \(signIn)")
    }
    return CredentialError(
      .refused,
      "\(service) did not give the role \(roleName.shown) in the account "
        + "\(accountID) (\(words)); look at whether it is assigned to you: 'aws sso login' does not "
        + "change that")
  }

  private var signIn: String {
    session.map { "run 'aws sso login --sso-session \($0.shown)'" }
      ?? "run 'aws sso login' with this profile"
  }
}

extension SSOProvider {
  /// The cached sign-in, renewed when it is about to end and can be.
  private func livingToken() async throws(CredentialError) -> SSOToken {
    let path = try cachePath()
    guard let file = try sources.file(path) else {
      throw CredentialError(
        .signInRequired,
        "nobody is signed in: there is no \(path.shown); \(signIn)")
    }
    let token = try SSOToken(file, path: path)
    let now = sources.now()
    if session != nil, token.expiration.unixSeconds - now.unixSeconds < Self.renewalSeconds,
      let renewal = token.renewal,
      let end = SSOToken.moment(renewal.registrationExpiresAt), now < end
    {
      do throws(CredentialError) {
        let renewed = try await renewed(with: renewal)
        try sources.replaceFile(path, renewed.file(startURL: startURL, region: region))
        return renewed
      } catch {
        // A sign-in that still lives is used to its end; a file that cannot be written is a fault
        // that would cost the next sign-in, so it is told.
        if error.code == .invalidFile || error.code == .cancelled { throw error }
        if now < token.expiration { return token }
        if error.code == .unreachable || error.code == .timedOut { throw error }
        throw CredentialError(
          .signInRequired, "the sign-in ended, and \(error.message); \(signIn)")
      }
    }
    if now < token.expiration { return token }
    throw CredentialError(
      .signInRequired,
      "the sign-in ended at \(token.expiration.text), and it is \(now.text); \(signIn)")
  }

  /// A new token for the one that stands for the sign-in (CreateToken).
  private func renewed(with renewal: SSOToken.Renewal) async throws(CredentialError) -> SSOToken {
    let service = "the OIDC service of IAM Identity Center (\(authorization.origin))"
    let body = JSONObjectWriter.bytes([
      ("grantType", .text("refresh_token")), ("clientId", .text(renewal.clientID)),
      ("clientSecret", .text(renewal.clientSecret)), ("refreshToken", .text(renewal.refreshToken)),
    ])
    let request = HTTPRequest(
      "POST", authorization.text + "/token", headers: [("Content-Type", "application/json")],
      body: body, timeout: 10)
    let now = sources.now()
    let response = try await ServiceExchange(name: service, sources: sources)
      .response(to: request)
    if response.status != 200 {
      let words = ServiceRefusal(response).words(
        hiding: [renewal.refreshToken, renewal.clientSecret, renewal.clientID])
      throw CredentialError(
        response.status >= 500 ? .unreachable : .refused,
        "\(service) did not renew the sign-in (\(words))")
    }
    let answer = try ServiceDocument.json(response.body, of: service)
    guard let token = answer["accessToken"]?.text, SSOToken.isHeaderText(token),
      let seconds = answer["expiresIn"]?.double, (1...1e9).contains(seconds),
      let end = try? now.advanced(bySeconds: Int64(seconds))
    else {
      throw CredentialError(
        .invalidAnswer, "the answer of \(service) lacks a usable accessToken or expiresIn")
    }
    return SSOToken(
      accessToken: token, expiration: end,
      renewal: SSOToken.Renewal(
        refreshToken: answer["refreshToken"]?.text ?? "", clientID: renewal.clientID,
        clientSecret: renewal.clientSecret, registrationExpiresAt: renewal.registrationExpiresAt))
  }

  private func cachePath() throws(CredentialError) -> String {
    let name = SSOToken.fileName(session: session, startURL: startURL)
    if let cacheFolder { return cacheFolder + "/" + name }
    let home = ["HOME", "USERPROFILE"].compactMap(sources.variable).first { !$0.isEmpty }
    guard let home else {
      throw CredentialError(
        .invalidConfiguration,
        "HOME is not set, so the sign-ins of the AWS CLI cannot be found; set it, or name the folder"
      )
    }
    return home + "/.aws/sso/cache/" + name
  }

  private static var renewalSeconds: Int64 { 900 }
}
