// SPDX-License-Identifier: Apache-2.0
// Version 2 of the metadata service of EC2: a token first, then questions with it.

internal import RequestSigning

/// Where the metadata service is, and how long it is waited for.
struct InstanceMetadataSettings {
  let endpoint: ServiceURL
  let timeout: Double
  let attempts: Int

  /// What the variables say. Throws `notConfigured` when it is switched off.
  init(variable: (String) -> String?) throws(CredentialError) {
    if variable("AWS_EC2_METADATA_DISABLED")?.lowercased() == "true" {
      throw CredentialError(
        .notConfigured, "AWS_EC2_METADATA_DISABLED is true, so no instance is asked for its role")
    }
    let name = "AWS_EC2_METADATA_SERVICE_ENDPOINT"
    var url = variable(name) ?? ""
    if url.isEmpty { url = try Self.url(ofMode: variable(name + "_MODE") ?? "") }
    endpoint = try ServiceURL(base: url, named: name, plain: .any)
    timeout = try Self.number("AWS_METADATA_SERVICE_TIMEOUT", variable, 1, 0.001...3_600)
    attempts = Int(try Self.number("AWS_METADATA_SERVICE_NUM_ATTEMPTS", variable, 1, 1...100))
  }

  private static func url(ofMode mode: String) throws(CredentialError) -> String {
    switch mode.lowercased() {
    case "", "ipv4": return "http://169.254.169.254"
    case "ipv6": return "http://[fd00:ec2::254]"
    default:
      throw CredentialError(
        .invalidConfiguration,
        "AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE is \(mode.shown), so nobody can say "
          + "where the instance is to be asked; set it to IPv4 or IPv6")
    }
  }

  private static func number(
    _ name: String, _ variable: (String) -> String?, _ usual: Double,
    _ range: ClosedRange<Double>
  ) throws(CredentialError) -> Double {
    guard let text = variable(name), !text.isEmpty else { return usual }
    if let number = Double(text), range.contains(number) { return number }
    throw CredentialError(
      .invalidConfiguration,
      "\(name) is \(text.shown); give a number of \(range.lowerBound) to "
        + "\(range.upperBound)")
  }
}

/// The token of a session with the metadata service, kept while it lives. Secret.
actor InstanceMetadataTokens: CustomReflectable {
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

  /// Nothing: the token is secret.
  nonisolated var customMirror: Mirror { Mirror(self, children: []) }
}

/// Questions to the metadata service, each with the session's token.
struct InstanceMetadataSession {
  let settings: InstanceMetadataSettings
  let sources: CredentialSources
  let tokens: InstanceMetadataTokens

  /// The service, for people.
  var name: String { "the instance metadata service (\(settings.endpoint.origin))" }

  /// The body of what is at a path. A token that is no longer taken is renewed once.
  func text(at path: String) async throws(CredentialError) -> [UInt8] {
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
        "\(name) has no role (status 404), so there are no credentials here; attach an instance "
          + "profile to the instance")
    }
    let words = ServiceRefusal(response).words(hiding: [token])
    throw CredentialError(
      .refused,
      "\(name) refused (\(words)); look at the role of the instance and at its metadata options")
  }

  private func answer(
    at path: String, _ token: String
  ) async throws(CredentialError) -> HTTPResponse {
    try await exchange.response(
      to: HTTPRequest(
        "GET", settings.endpoint.text + path, headers: [("x-aws-ec2-metadata-token", token)],
        timeout: settings.timeout))
  }

  private var exchange: ServiceExchange {
    ServiceExchange(name: name, sources: sources, attempts: settings.attempts)
  }

  /// The token that is kept, or a new one.
  private func token() async throws(CredentialError) -> String {
    let url = settings.endpoint.text
    let now = sources.now()
    if let token = await tokens.token(for: url, at: now) { return token }
    let response = try await tokenAnswer()
    let token = String(decoding: response.body, as: UTF8.self)
    let isToken = !token.isEmpty && token.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    if !isToken {
      throw CredentialError(
        .invalidAnswer,
        "\(name) gave no session token (\(response.body.count) bytes that cannot stand in a header); "
          + "look at what answers at this address")
    }
    let answered = response.header(Self.lifetimeHeader).flatMap { Int64($0) } ?? Self.lifetime
    let seconds = min(max(answered, 0), Self.lifetime)
    if let end = try? now.advanced(bySeconds: seconds) {
      await tokens.keep(token, for: url, until: end)
    }
    return token
  }

  private func tokenAnswer() async throws(CredentialError) -> HTTPResponse {
    let request = HTTPRequest(
      "PUT", settings.endpoint.text + "/latest/api/token",
      headers: [(Self.lifetimeHeader, String(Self.lifetime))], timeout: settings.timeout)
    let response: HTTPResponse
    do throws(CredentialError) {
      response = try await exchange.response(to: request)
    } catch {
      throw explained(error)
    }
    switch response.status {
    case 200: return response
    case 404, 405:
      throw CredentialError(
        .notConfigured,
        "\(name) gives no session tokens (status \(response.status)): this is no EC2 instance, or "
          + "one with version 1 only, which anybody who makes it send a GET can read and which is "
          + "never used here")
    case 401, 403:
      throw CredentialError(
        .refused,
        "\(name) refused a session token (status \(response.status)); look at whether the metadata "
          + "service is switched on for the instance. " + Self.hopLimit)
    default:
      throw CredentialError(
        .refused,
        "\(name) gave no session token (\(ServiceRefusal(response).words(hiding: []))), without which "
          + "it must not be asked; try again later")
    }
  }

  /// A failure to get a token, with what is most often its reason.
  private func explained(_ error: CredentialError) -> CredentialError {
    switch error.code {
    case .timedOut: CredentialError(.timedOut, error.message + ". " + Self.hopLimit)
    case .unreachable:
      CredentialError(
        .notConfigured,
        error.message + ", so this seems to be no EC2 instance; when it is one, look "
          + "at routes and firewalls")
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
