// SPDX-License-Identifier: Apache-2.0
// A role that is assumed with a token in a file (AssumeRoleWithWebIdentity of AWS STS).

internal import RequestSigning

/// A role that is assumed with the token of an identity provider, which lies in a file and is renewed
/// there: Kubernetes (EKS, IRSA), GitHub Actions, GitLab.
///
/// The file is read for each request. Source: AWS Security Token Service API Reference,
/// AssumeRoleWithWebIdentity.
public struct WebIdentityProvider: CredentialProvider {
  private let settings: Settings
  private let sources: CredentialSources

  /// Where role and token are named.
  private enum Settings: Sendable {
    case environment
    case given(RoleRequest, tokenFile: String, STSEndpoint)
  }

  /// A provider that goes by `AWS_WEB_IDENTITY_TOKEN_FILE`, `AWS_ROLE_ARN`,
  /// `AWS_ROLE_SESSION_NAME`, and `AWS_REGION` or `AWS_DEFAULT_REGION` (or else the global
  /// endpoint).
  public init(sources: CredentialSources) {
    settings = .environment
    self.sources = sources
  }

  /// A provider of a role's credentials.
  ///
  /// - Parameters:
  ///   - roleARN: the role: `arn:aws:iam::123456789012:role/name`.
  ///   - tokenFile: the path of the token; spaces and line ends around it are dropped.
  ///   - sessionName: what logs call the session, 2 to 64 characters; without one `sigv4-` and the
  ///     Unix time.
  ///   - policy: a policy in JSON that narrows what the role may do.
  ///   - duration: how long the session lives, 900 to 43,200 seconds; one hour when nil.
  ///
  /// Throws `invalidConfiguration` for values that the service would refuse.
  public init(
    roleARN: String, tokenFile: String, sessionName: String? = nil, policy: String? = nil,
    duration: Int? = nil, endpoint: STSEndpoint, sources: CredentialSources
  ) throws(CredentialError) {
    let role = try RoleRequest(
      roleARN: roleARN, sessionName: sessionName, policy: policy, duration: duration)
    settings = .given(role, tokenFile: tokenFile, endpoint)
    self.sources = sources
  }

  /// Credentials of the role, asked for now with the token that the file holds now.
  ///
  /// Throws `notConfigured`, `invalidConfiguration`, `invalidFile`, `refused`, `expired`,
  /// `invalidAnswer`, `unreachable`, `timedOut`.
  public func credentials() async throws(CredentialError) -> ProvidedCredentials {
    let (role, tokenFile, endpoint) = try resolved()
    let token = try token(in: tokenFile)
    let service = "the Security Token Service (\(endpoint))"
    let body = role.body(
      "AssumeRoleWithWebIdentity", proof: [("WebIdentityToken", token)], at: sources.now())
    let request = HTTPRequest(
      "POST", endpoint.url + "/", headers: [("Content-Type", RoleRequest.contentType)], body: body,
      timeout: 10)
    let response = try await ServiceExchange(name: service, sources: sources)
      .response(to: request)
    return try role.credentials(
      in: response, of: service,
      origin:
        "the role \(role.roleARN), assumed with the web identity token of \(PrintableText.visible(tokenFile))",
      hiding: [token], at: sources.now())
  }

  private func resolved() throws(CredentialError) -> (RoleRequest, String, STSEndpoint) {
    if case .given(let role, let tokenFile, let endpoint) = settings {
      return (role, tokenFile, endpoint)
    }
    let variable = sources.variable
    guard let tokenFile = variable("AWS_WEB_IDENTITY_TOKEN_FILE"), !tokenFile.isEmpty else {
      throw CredentialError(
        .notConfigured, "AWS_WEB_IDENTITY_TOKEN_FILE is not set, so no token names a web identity")
    }
    guard let roleARN = variable("AWS_ROLE_ARN"), !roleARN.isEmpty else {
      throw CredentialError(
        .invalidConfiguration,
        "AWS_WEB_IDENTITY_TOKEN_FILE is set and AWS_ROLE_ARN is not, so there is a token and no role "
          + "to assume with it; set both or neither")
    }
    let name = variable("AWS_ROLE_SESSION_NAME").flatMap { $0.isEmpty ? nil : $0 }
    let role = try RoleRequest(roleARN: roleARN, sessionName: name, policy: nil, duration: nil)
    let region = ["AWS_REGION", "AWS_DEFAULT_REGION"].compactMap(variable).first { !$0.isEmpty }
    let endpoint: STSEndpoint =
      variable("AWS_STS_REGIONAL_ENDPOINTS")?.lowercased() == "legacy"
      ? try .legacy(region) : try .regional(region)
    return (role, tokenFile, endpoint)
  }

  private func token(in path: String) throws(CredentialError) -> String {
    guard let bytes = try sources.file(path) else {
      throw CredentialError(
        .invalidFile,
        "the file of the web identity token, \(path.shown), does not exist; look at "
          + "AWS_WEB_IDENTITY_TOKEN_FILE or web_identity_token_file, and at who writes it")
    }
    let token = PrintableText.trimmed(String(decoding: bytes, as: UTF8.self))
    let isVisible = token.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    if isVisible && (4...20_000).contains(token.utf8.count) { return token }
    throw CredentialError(
      .invalidFile,
      "the file of the web identity token, \(path.shown), holds no token (after "
        + "spaces are dropped, 4 to 20,000 visible ASCII characters); look at who writes it")
  }
}
