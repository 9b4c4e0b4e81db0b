// SPDX-License-Identifier: Apache-2.0
// Version 2 of the metadata service of EC2: a token first, then questions with it.

internal import RequestSigning
internal import SigningSupport

/// The token of a session with the metadata service, kept while it lives. Secret.
actor InstanceMetadataTokens: ConcealsContents {
  private var kept: (url: String, token: String, end: SigV4.Timestamp)?

  /// The token for an address; nil when there is none that lives.
  func token(for url: String, at now: SigV4.Timestamp) -> String? {
    guard let kept, kept.url == url, now < kept.end else { return nil }
    return kept.token
  }

  func keep(_ token: String, for url: String, until end: SigV4.Timestamp) {
    kept = (url, token, end)
  }

  /// Drops a token that is no longer taken, unless it was replaced meanwhile.
  func drop(_ token: String) {
    if kept?.token == token { kept = nil }
  }
}

/// Questions to the metadata service, each with the session's token.
struct InstanceMetadataSession {
  let settings: InstanceMetadataSettings
  let sources: CredentialSources
  let tokens: InstanceMetadataTokens

  var service: ServiceExchange {
    ServiceExchange(
      name: "the instance metadata service (\(settings.endpoint.origin))", sources: sources,
      attempts: settings.attempts)
  }

  /// The answer to a GET of a path. A token that is no longer taken is renewed once.
  func body(at path: String) async throws(CredentialError) -> [UInt8] {
    var token = try await token()
    var response = try await answer(at: path, token)
    if response.status == 401 {
      await tokens.drop(token)
      token = try await self.token()
      response = try await answer(at: path, token)
    }
    if response.status == 200 { return response.body }
    if response.status == 404 {
      throw CredentialError(
        .notConfigured,
        "\(service.name) has no role (status 404), so there are no credentials here; attach an instance "
          + "profile to the instance")
    }
    throw CredentialError(
      .refused,
      "\(service.name) refused (\(ServiceRefusal(response).text(hiding: [token]))); look at the role of "
        + "the instance and at its metadata options")
  }

  private func answer(
    at path: String, _ token: String
  ) async throws(CredentialError) -> CredentialResponse {
    try await service.response(
      to: CredentialRequest(
        "GET", settings.endpoint.text + path, headers: ["x-aws-ec2-metadata-token": token],
        timeout: settings.timeout))
  }

  /// The token that is kept, or a new one.
  private func token() async throws(CredentialError) -> String {
    let url = settings.endpoint.text
    let now = sources.now()
    if let token = await tokens.token(for: url, at: now) { return token }
    let response = try await tokenAnswer()
    let token = String(decoding: response.body, as: UTF8.self)
    if !token.isVisibleASCII {
      throw CredentialError(
        .invalidAnswer,
        "\(service.name) gave no session token (\(response.body.count) bytes that cannot stand in a "
          + "header); look at what answers at this address")
    }
    let answered = response.headers.values(named: Self.lifetimeHeader).first.flatMap { Int64($0) }
    let seconds = min(max(answered ?? Self.lifetime, 0), Self.lifetime)
    if let end = try? now.advanced(bySeconds: seconds) {
      await tokens.keep(token, for: url, until: end)
    }
    return token
  }

  private func tokenAnswer() async throws(CredentialError) -> CredentialResponse {
    let request = CredentialRequest(
      "PUT", settings.endpoint.text + "/latest/api/token",
      headers: [Self.lifetimeHeader: String(Self.lifetime)], timeout: settings.timeout)
    let response: CredentialResponse
    do throws(CredentialError) {
      response = try await service.response(to: request)
    } catch {
      throw explained(error)
    }
    switch response.status {
    case 200: return response
    case 404, 405:
      throw CredentialError(
        .notConfigured,
        "\(service.name) gives no session tokens (status \(response.status)): this is not an EC2 "
          + "instance, or one with version 1 only, which is never used here: it answers every GET that "
          + "the machine can be made to send")
    case 401, 403:
      throw CredentialError(
        .refused,
        "\(service.name) refused a session token (status \(response.status)); look at whether the metadata "
          + "service is switched on for the instance. " + Self.hopLimit)
    default:
      throw CredentialError(
        .refused,
        "\(service.name) gave no session token (\(ServiceRefusal(response).text(hiding: []))), "
          + "without which it must not be asked; try again later")
    }
  }

  /// A failure to get a token, with what is most often its reason.
  private func explained(_ error: CredentialError) -> CredentialError {
    switch error.code {
    case .timedOut: CredentialError(.timedOut, error.message + ". " + Self.hopLimit)
    case .unreachable:
      CredentialError(
        .notConfigured,
        error.message + ", so this does not seem to be an EC2 instance; when it is one, "
          + "look at routes and firewalls")
    default: error
    }
  }

  private static let hopLimit =
    "In a container on EC2, raise the hop limit of the instance's metadata options to 2 (aws ec2 "
    + "modify-instance-metadata-options --http-put-response-hop-limit 2): the answer that carries "
    + "the token is dropped on its way into a container otherwise. Elsewhere than on EC2, set "
    + "AWS_EC2_METADATA_DISABLED=true"

  private static let lifetimeHeader = "x-aws-ec2-metadata-token-ttl-seconds"
  /// 6 hours, the longest.
  private static let lifetime: Int64 = 21_600
}
