// SPDX-License-Identifier: Apache-2.0
// A role assumed with a token in a file (AssumeRoleWithWebIdentity of AWS STS).

/// A role assumed with an identity provider's token. The token is in a file, which the identity
/// provider refreshes: Kubernetes (EKS, IRSA), GitHub Actions, GitLab.
///
/// The file is read for each request. Source: AWS Security Token Service API Reference,
/// AssumeRoleWithWebIdentity.
package struct WebIdentityProvider: CredentialResolver {
  /// Nil if environment variables configure the role and token.
  private let settings: Settings?
  private let sources: CredentialSources

  private struct Settings: Sendable {
    let role: RoleRequest
    let tokenFile: String
    let endpoint: STSEndpoint
  }

  private static let action = "AssumeRoleWithWebIdentity"

  /// Creates a provider configured by `AWS_WEB_IDENTITY_TOKEN_FILE`, `AWS_ROLE_ARN` and
  /// `AWS_ROLE_SESSION_NAME`. If the last two aren't set, it uses `role_arn` and
  /// `role_session_name` of the selected or default profile. The endpoint comes from
  /// ``ServiceSettings``.
  package init(sources: CredentialSources) {
    settings = nil
    self.sources = sources
  }

  /// Creates a provider that calls an endpoint.
  ///
  /// - Throws: `invalidConfiguration` for values that AWS STS rejects.
  package init(
    roleARN: String, tokenFile: String, sessionName: String? = nil, policy: String? = nil,
    policyARNs: [String] = [], duration: Duration? = nil, endpoint: STSEndpoint,
    sources: CredentialSources
  ) throws(CredentialError) {
    let role = try RoleRequest(
      roleARN: roleARN, sessionName: sessionName, policy: policy, policyARNs: policyARNs,
      duration: duration)
    settings = Settings(role: role, tokenFile: tokenFile, endpoint: endpoint)
    self.sources = sources
  }

  /// Requests credentials for the role with the current token in the file.
  ///
  /// - Throws: `notConfigured`, `invalidConfiguration`, `invalidFile`, `accessDenied`, `expired`,
  ///   `invalidResponse`, `unreachable`, `timedOut`.
  package func credentials() async throws(CredentialError) -> ResolvedCredentials {
    let found = if let settings { settings } else { try settingsOfVariables() }
    let token = try token(in: found.tokenFile)
    let service = found.endpoint.service(sources)
    let response = try await service.response(
      to: found.role.request(
        Self.action, to: found.endpoint, proof: [("WebIdentityToken", token)],
        at: sources.now()))
    return try found.role.credentials(
      in: response, to: Self.action, of: service,
      source: "the role \(found.role.roleARN), assumed with the web identity token of "
        + found.tokenFile.shown,
      hiding: [token])
  }

  private func settingsOfVariables() throws(CredentialError) -> Settings {
    guard let tokenFile = sources.setVariable("AWS_WEB_IDENTITY_TOKEN_FILE") else {
      throw CredentialError(
        .notConfigured, "AWS_WEB_IDENTITY_TOKEN_FILE isn't set.",
        fix: "To use a web identity, set it to the token's path.")
    }
    let files = try ProfileFiles(sources: sources)
    let profile = try files.profileIfAny(named: nil, sources: sources)
    guard let roleARN = sources.setVariable("AWS_ROLE_ARN") ?? profile?["role_arn"],
      !roleARN.isEmpty
    else {
      throw CredentialError(
        .invalidConfiguration,
        "AWS_WEB_IDENTITY_TOKEN_FILE is set, but neither AWS_ROLE_ARN nor the profile's role_arn "
          + "is.",
        fix: "Add one of them, or remove AWS_WEB_IDENTITY_TOKEN_FILE.")
    }
    let role = try RoleRequest(
      roleARN: roleARN,
      sessionName: sources.setVariable("AWS_ROLE_SESSION_NAME") ?? profile?["role_session_name"])
    let settings = try ServiceSettings(in: files, sources: sources)
    return Settings(role: role, tokenFile: tokenFile, endpoint: try STSEndpoint(settings))
  }

  private func token(in path: String) throws(CredentialError) -> String {
    guard let bytes = try sources.contents(of: path) else {
      throw CredentialError(
        .invalidFile, "The web identity token file \(path.shown) doesn't exist or is a directory.",
        fix: "Check AWS_WEB_IDENTITY_TOKEN_FILE or web_identity_token_file, "
          + "and the process that writes it.")
    }
    let token = String(decoding: bytes, as: UTF8.self).trimmed
    if token.isVisibleASCII && (4...20_000).contains(token.utf8.count) { return token }
    throw CredentialError(
      .invalidFile,
      "The web identity token file \(path.shown) doesn't contain a token "
        + "(4 to 20,000 visible ASCII characters).",
      fix: "Check the process that writes it.")
  }
}
