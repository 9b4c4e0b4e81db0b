// SPDX-License-Identifier: Apache-2.0
// The role of a container: what ECS and EKS hand out beside it.

internal import DocumentSupport
internal import RequestSigning

/// The role of a container, as Amazon ECS, EKS Pod Identity, Greengrass and CloudShell hand it out.
///
/// It goes by `AWS_CONTAINER_CREDENTIALS_RELATIVE_URI` or `AWS_CONTAINER_CREDENTIALS_FULL_URI`, and
/// `AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE` or `AWS_CONTAINER_AUTHORIZATION_TOKEN`; the first of each
/// pair wins, as in the AWS CLI, and the file is read each time. http is spoken to the machine itself
/// and to the addresses of ECS and EKS only.
///
/// Source: AWS SDKs and Tools Reference Guide, "Container credential provider".
public struct ContainerProvider: CredentialProvider {
  private let sources: CredentialSources

  /// A provider that goes by the variables.
  public init(sources: CredentialSources) { self.sources = sources }

  /// Credentials of the role, asked for now; within 2 seconds, three times at most.
  ///
  /// Throws `notConfigured`, `invalidConfiguration`, `invalidFile`, `refused`, `expired`,
  /// `invalidAnswer`, `unreachable`, `timedOut`.
  public func credentials() async throws(CredentialError) -> ProvidedCredentials {
    let url = try url()
    let token = try token()
    let service = "the container credential service (\(url.origin))"
    var request = HTTPRequest(
      "GET", url.text, headers: [("Accept", "application/json")], timeout: 2)
    if let token { request.headers.append(("Authorization", token)) }
    let response = try await ServiceExchange(name: service, sources: sources, pause: 1)
      .response(to: request)
    if response.status != 200 {
      let words = ServiceRefusal(response).words(hiding: [token].compactMap { $0 })
      throw CredentialError(
        .refused,
        "\(service) gave no credentials (\(words)); look at the role of the task or pod, and at "
          + "whether the authorization token is the one that was issued to it")
    }
    let answer = try ServiceDocument.json(response.body, of: service)
    return try CredentialParts(
      answer, id: "AccessKeyId", secret: "SecretAccessKey", token: "Token",
      expiration: answer["Expiration"]?.moment
    ).provided(by: service, origin: service, at: sources.now())
  }

  private func url() throws(CredentialError) -> ServiceURL {
    let relativeName = "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"
    let fullName = "AWS_CONTAINER_CREDENTIALS_FULL_URI"
    if let path = sources.variable(relativeName), !path.isEmpty {
      if !path.hasPrefix("/") {
        throw CredentialError(
          .invalidConfiguration,
          "\(relativeName) does not begin with '/', so it is no path of http://169.254.170.2 and could "
            + "name another host; give a path, or a whole URL in \(fullName)")
      }
      return try ServiceURL(
        "http://169.254.170.2" + path, named: relativeName, plain: .loopback(and: Self.hosts))
    }
    if let url = sources.variable(fullName), !url.isEmpty {
      return try ServiceURL(url, named: fullName, plain: .loopback(and: Self.hosts))
    }
    throw CredentialError(
      .notConfigured,
      "neither \(relativeName) nor \(fullName) is set, so this is no container with a role")
  }

  private func token() throws(CredentialError) -> String? {
    let fileName = "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"
    let tokenName = "AWS_CONTAINER_AUTHORIZATION_TOKEN"
    if let path = sources.variable(fileName), !path.isEmpty {
      guard let bytes = try sources.file(path) else {
        throw CredentialError(
          .invalidFile,
          "\(fileName) names \(path.shown), which does not exist; look "
            + "at whether the token is mounted there")
      }
      return try checked(String(decoding: bytes, as: UTF8.self), "the file that \(fileName) names")
    }
    guard let token = sources.variable(tokenName), !token.isEmpty else { return nil }
    return try checked(token, tokenName)
  }

  /// A token that can stand in a header: a line end in it could add another header.
  private func checked(_ token: String, _ place: String) throws(CredentialError) -> String {
    let isPlain = token.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    if isPlain && !token.isEmpty { return token }
    throw CredentialError(
      .invalidConfiguration,
      "\(place) holds \(token.utf8.count) bytes (not shown) that are no authorization token: it is "
        + "empty, or has a line end or another character that cannot stand in a header; write the "
        + "token alone, without a line end after it")
  }

  /// ECS, and EKS Pod Identity (IPv4 and IPv6).
  private static let hosts = ["169.254.170.2", "169.254.170.23", "[fd00:ec2::23]"]
}
