// SPDX-License-Identifier: Apache-2.0
// A role that is assumed with a token in a file (AssumeRoleWithWebIdentity of AWS STS).

/// A role that is assumed with the token of an identity provider, which is in a file and is renewed
/// there: Kubernetes (EKS, IRSA), GitHub Actions, GitLab.
///
/// The file is read for each request. Source: AWS Security Token Service API Reference,
/// AssumeRoleWithWebIdentity.
public struct WebIdentityProvider: CredentialProvider {
  /// Nil where the variables name role and token.
  private let settings: Settings?
  private let sources: CredentialSources

  private struct Settings: Sendable {
    let role: RoleRequest
    let tokenFile: String
    let endpoint: STSEndpoint
  }

  /// A provider that goes by `AWS_WEB_IDENTITY_TOKEN_FILE`, `AWS_ROLE_ARN` and
  /// `AWS_ROLE_SESSION_NAME`; where the last two are not set, by `role_arn` and `role_session_name` of
  /// the selected or the default profile. Where the service is asked goes by ``ServiceSettings``.
  public init(sources: CredentialSources) {
    settings = nil
    self.sources = sources
  }

  /// A provider of a role's credentials.
  ///
  /// - Parameters:
  ///   - roleARN: the role: `arn:aws:iam::123456789012:role/name`.
  ///   - tokenFile: the path of the token; spaces and line ends around it are dropped.
  ///   - sessionName: the name of the session in logs, 2 to 64 characters; without one `sigv4-` and
  ///     the Unix time.
  ///   - policy: a policy in JSON that narrows what the role may do.
  ///   - policyARNs: managed policies that narrow what the role may do, 10 at most.
  ///   - duration: how long the session lives, 900 to 43,200 seconds; one hour when nil.
  ///   - endpoint: `.regional` with the region, unless there is a reason.
  ///   - sources: files, HTTP and the clock.
  ///
  /// Throws `invalidConfiguration` for values that the service would refuse.
  public init(
    roleARN: String, tokenFile: String, sessionName: String? = nil, policy: String? = nil,
    policyARNs: [String] = [], duration: Int? = nil, endpoint: STSEndpoint,
    sources: CredentialSources
  ) throws(CredentialError) {
    let role = try RoleRequest(
      roleARN: roleARN, sessionName: sessionName, policy: policy, policyARNs: policyARNs,
      duration: duration)
    settings = Settings(role: role, tokenFile: tokenFile, endpoint: endpoint)
    self.sources = sources
  }

  /// Credentials of the role, asked for now with the token that the file holds now.
  ///
  /// Throws `notConfigured`, `invalidConfiguration`, `invalidFile`, `refused`, `expired`,
  /// `invalidResponse`, `unreachable`, `timedOut`.
  public func credentials() async throws(CredentialError) -> ResolvedCredentials {
    let found = if let settings { settings } else { try settingsOfVariables() }
    let token = try token(in: found.tokenFile)
    let service = found.endpoint.service(sources)
    let response = try await service.response(
      to: found.role.request(
        "AssumeRoleWithWebIdentity", to: found.endpoint, proof: [("WebIdentityToken", token)],
        at: sources.now()))
    return try found.role.credentials(
      in: response, of: service,
      origin: "the role \(found.role.roleARN), assumed with the web identity token of "
        + found.tokenFile.shown,
      hiding: [token])
  }

  private func settingsOfVariables() throws(CredentialError) -> Settings {
    guard let tokenFile = sources.setVariable("AWS_WEB_IDENTITY_TOKEN_FILE") else {
      throw .notConfigured(
        "AWS_WEB_IDENTITY_TOKEN_FILE isn't set.",
        fix: "To use a web identity, set it to the token's path.")
    }
    let files = try ProfileFiles(sources: sources)
    let profile = try files.profileIfAny(named: nil, sources: sources)
    guard let roleARN = sources.setVariable("AWS_ROLE_ARN") ?? profile?["role_arn"],
      !roleARN.isEmpty
    else {
      throw .invalidConfiguration(
        "AWS_WEB_IDENTITY_TOKEN_FILE is set but AWS_ROLE_ARN isn't.", fix: "Use both or neither.")
    }
    let role = try RoleRequest(
      roleARN: roleARN,
      sessionName: sources.setVariable("AWS_ROLE_SESSION_NAME") ?? profile?["role_session_name"])
    let settings = try ServiceSettings(in: files, sources: sources)
    return Settings(role: role, tokenFile: tokenFile, endpoint: try STSEndpoint(settings))
  }

  private func token(in path: String) throws(CredentialError) -> String {
    guard let bytes = try sources.contents(of: path) else {
      throw .invalidFile(
        "The web identity token file \(path.shown) doesn't exist or is a directory.",
        fix: "Check AWS_WEB_IDENTITY_TOKEN_FILE or web_identity_token_file, "
          + "and the process that writes it.")
    }
    let token = String(decoding: bytes, as: UTF8.self).trimmed
    if token.isVisibleASCII && (4...20_000).contains(token.utf8.count) { return token }
    throw .invalidFile(
      "The web identity token file \(path.shown) doesn't contain a token "
        + "(4 to 20,000 visible ASCII characters).",
      fix: "Check the process that writes it.")
  }
}
