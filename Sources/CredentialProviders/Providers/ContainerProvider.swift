// SPDX-License-Identifier: Apache-2.0
// The role of a container, from the credential services of ECS and EKS.

internal import DocumentSupport
internal import RequestSigning

/// The role of a container, from Amazon ECS, EKS Pod Identity, Greengrass or CloudShell.
///
/// It reads `AWS_CONTAINER_CREDENTIALS_RELATIVE_URI` or `AWS_CONTAINER_CREDENTIALS_FULL_URI`, and
/// `AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE` or `AWS_CONTAINER_AUTHORIZATION_TOKEN`. The first of
/// each pair wins, as in the AWS CLI. The token file is read on each call. Plain http is allowed
/// only for this machine and the addresses of ECS and EKS.
///
/// Source: AWS SDKs and Tools Reference Guide, "Container credential provider".
package struct ContainerProvider: CredentialResolver {
  private let sources: CredentialSources

  /// Creates a provider configured from environment variables.
  package init(sources: CredentialSources) { self.sources = sources }

  /// Requests the role's credentials. Each of at most three attempts has a timeout of 2 seconds.
  ///
  /// - Throws: `notConfigured`, `invalidConfiguration`, `invalidFile`, `accessDenied`, `expired`,
  ///   `invalidResponse`, `unreachable`, `timedOut`.
  package func credentials() async throws(CredentialError) -> ResolvedCredentials {
    let url = try url()
    let token = try token()
    let service = ServiceExchange(
      name: "the container credential service (\(url.origin))", sources: sources,
      pause: .seconds(1))
    var request = SigV4.HTTPRequest(
      "GET", url.text, headers: ["Accept": "application/json"], timeout: .seconds(2))
    if let token { request.headers.append("Authorization", token) }
    let response = try await service.response(to: request)
    if response.status != 200 {
      let reason = ServiceRejection(response).text(hiding: token.map { [$0] } ?? [])
      throw CredentialError(
        .accessDenied, "Can't get credentials from \(service.name): \(reason).",
        fix: "Check the role of the task or pod, and its authorization token.")
    }
    let answer = try ServiceResponse.object(in: response.body, of: service.name)
    return try CredentialParts(
      answer, id: "AccessKeyId", secret: "SecretAccessKey", token: "Token",
      expiration: answer["Expiration"]?.moment
    ).provided(from: service.name, by: service.name, at: sources.now())
  }

  private func url() throws(CredentialError) -> ServiceURL {
    let relativeName = "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"
    let fullName = "AWS_CONTAINER_CREDENTIALS_FULL_URI"
    if let path = sources.setVariable(relativeName) {
      if path.hasPrefix("/") {
        return try ServiceURL(
          "http://169.254.170.2" + path, named: relativeName, plainHosts: Self.hosts)
      }
      throw CredentialError(
        .invalidConfiguration, "\(relativeName) doesn't begin with '/'.",
        fix: "Use a path that begins with '/', or remove it and put a full URL in \(fullName).")
    }
    if let url = sources.setVariable(fullName) {
      return try ServiceURL(url, named: fullName, plainHosts: Self.hosts)
    }
    throw CredentialError(
      .notConfigured, "Neither \(relativeName) nor \(fullName) is set.",
      fix: "In a container, check whether its task or pod has a role.")
  }

  private func token() throws(CredentialError) -> String? {
    let fileName = "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"
    let tokenName = "AWS_CONTAINER_AUTHORIZATION_TOKEN"
    guard let path = sources.setVariable(fileName) else {
      guard let token = sources.setVariable(tokenName) else { return nil }
      return try checked(token, tokenName)
    }
    guard let bytes = try sources.contents(of: path) else {
      throw CredentialError(
        .invalidFile, "\(fileName) names \(path.shown), which doesn't exist or is a directory.",
        fix: "Check whether the token is mounted there.")
    }
    return try checked(String(decoding: bytes, as: UTF8.self), "The file in \(fileName)")
  }

  /// Returns a token if it's valid in a header. A newline in it could inject another header.
  private func checked(_ token: String, _ place: String) throws(CredentialError) -> String {
    let isPlain = token.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    if isPlain && !token.isEmpty { return token }
    throw CredentialError(
      .invalidConfiguration,
      "\(place) is empty or contains a character that headers can't have "
        + "(\(token.utf8.count) bytes, not shown).",
      fix: "Use the authorization token alone. Remove a trailing newline.")
  }

  /// ECS, and EKS Pod Identity (IPv4 and IPv6).
  private static let hosts = ["169.254.170.2", "169.254.170.23", "[fd00:ec2::23]"]
}
