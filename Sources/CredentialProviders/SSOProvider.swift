// SPDX-License-Identifier: Apache-2.0
// A role of IAM Identity Center, for a user who has signed in with the AWS CLI.

internal import DocumentSupport
internal import RequestSigning
internal import SigningSupport

/// A role in an account of IAM Identity Center (AWS SSO), for a user who has run `aws sso login`.
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
        "\(accountID.shown) is not a valid AWS account, so there is no role in it; give the twelve "
          + "digits of sso_account_id")
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
  /// Throws `signInRequired` when there is no sign-in or it has ended; `invalidFile`, `refused`,
  /// `expired`, `invalidAnswer`, `unreachable`, `timedOut`.
  public func credentials() async throws(CredentialError) -> ProvidedCredentials {
    let token = try await livingToken()
    let service = ServiceExchange(
      name: "IAM Identity Center (\(portal.origin))", sources: sources)
    let query = FormEncoding.query([("role_name", roleName), ("account_id", accountID)])
    let response = try await service.response(
      to: CredentialRequest(
        "GET", portal.text + "/federation/credentials?" + query,
        headers: ["x-amz-sso_bearer_token": token.accessToken], timeout: .seconds(10)))
    if response.status != 200 {
      let reason = ServiceRefusal(response).text(hiding: [token.accessToken])
      if response.status == 401 {
        throw CredentialError(
          .signInRequired, "\(service.name) no longer takes the sign-in (\(reason)); \(signIn)")
      }
      throw CredentialError(
        .refused,
        "\(service.name) did not give the role \(roleName.shown) in the account \(accountID) "
          + "(\(reason)); look at whether it is assigned to you: 'aws sso login' does not change that"
      )
    }
    let answer = try ServiceAnswer.object(in: response.body, of: service.name)["roleCredentials"]
    return try CredentialParts(
      answer, id: "accessKeyId", secret: "secretAccessKey", token: "sessionToken",
      expiration: answer?["expiration"]?.millisecondsSince1970
    ).provided(
      by: service.name,
      origin: "the role \(roleName.visible) in the account \(accountID) of \(service.name)",
      at: sources.now())
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
        .signInRequired, "there is no sign-in: \(path.shown) does not exist; \(signIn)")
    }
    let token = try SSOToken(file, path: path)
    let now = sources.now()
    let isAlive = now < token.expiration
    if session != nil, token.expiration.unixSeconds - now.unixSeconds < 15 * 60,
      let renewal = token.renewal,
      let end = SSOToken.moment(renewal.registrationExpiresAt), now < end
    {
      do throws(CredentialError) {
        let renewed = try await renewed(with: renewal)
        try sources.replaceFile(path, renewed.file(startURL: startURL, region: region))
        return renewed
      } catch  where error.code == .invalidFile || error.code == .cancelled {
        // Without the file, the renewed sign-in would be lost, and the old one is spent.
        throw error
      } catch  where !isAlive {
        if error.code == .unreachable || error.code == .timedOut { throw error }
        throw CredentialError(
          .signInRequired, "the sign-in ended, and \(error.message); \(signIn)")
      } catch {}
    }
    if isAlive { return token }
    throw CredentialError(
      .signInRequired,
      "the sign-in ended at \(token.expiration.text), and it is \(now.text); \(signIn)")
  }

  /// A new access token for the refresh token of the sign-in (CreateToken).
  private func renewed(with renewal: SSOToken.Renewal) async throws(CredentialError) -> SSOToken {
    let service = ServiceExchange(
      name: "the OIDC service of IAM Identity Center (\(authorization.origin))", sources: sources)
    let body = JSONText.object([
      ("grantType", "refresh_token"), ("clientId", .string(renewal.clientID)),
      ("clientSecret", .string(renewal.clientSecret)),
      ("refreshToken", .string(renewal.refreshToken)),
    ])
    let now = sources.now()
    let response = try await service.response(
      to: CredentialRequest(
        "POST", authorization.text + "/token", headers: ["Content-Type": "application/json"],
        body: body.compact.bytesInUTF8, timeout: .seconds(10)))
    if response.status != 200 {
      let reason = ServiceRefusal(response).text(
        hiding: [renewal.refreshToken, renewal.clientSecret, renewal.clientID])
      throw CredentialError(
        response.status >= 500 ? .unreachable : .refused,
        "\(service.name) did not renew the sign-in (\(reason))")
    }
    let answer = try ServiceAnswer.object(in: response.body, of: service.name)
    guard let token = answer["accessToken"]?.text, token.isVisibleASCII,
      let seconds = answer["expiresIn"]?.double, (1...1e9).contains(seconds),
      let end = try? now.advanced(bySeconds: Int64(seconds))
    else {
      throw CredentialError(
        .invalidAnswer, "the answer of \(service.name) lacks a usable accessToken or expiresIn")
    }
    var renewed = renewal
    renewed.refreshToken = answer["refreshToken"]?.text ?? ""
    return SSOToken(accessToken: token, expiration: end, renewal: renewed)
  }

  private func cachePath() throws(CredentialError) -> String {
    let name = SSOToken.fileName(session: session, startURL: startURL)
    if let cacheFolder { return cacheFolder + "/" + name }
    guard let home = sources.setVariable("HOME") ?? sources.setVariable("USERPROFILE") else {
      throw CredentialError(
        .invalidConfiguration,
        "HOME is not set, so the sign-ins of the AWS CLI cannot be found; set it, or name the folder"
      )
    }
    return home + "/.aws/sso/cache/" + name
  }
}
