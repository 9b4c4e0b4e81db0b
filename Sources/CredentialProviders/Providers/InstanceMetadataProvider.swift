// SPDX-License-Identifier: Apache-2.0
// The role of an EC2 instance, from version 2 of its metadata service (IMDSv2).

internal import DocumentSupport
internal import RequestSigning
internal import SecureHashing

/// The role of an EC2 instance, from version 2 of its metadata service (IMDS). It never uses
/// version 1, which responds to any GET that an attacker can make the machine send.
///
/// It reads these environment variables. If one of the last four isn't set, the profile's setting
/// applies, such as `ec2_metadata_service_endpoint` or `metadata_service_timeout`:
///
/// - `AWS_EC2_METADATA_DISABLED`
/// - `AWS_EC2_METADATA_SERVICE_ENDPOINT`
/// - `AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE`: `IPv4` or `IPv6`, unless an endpoint is set
/// - `AWS_METADATA_SERVICE_TIMEOUT`: 1 second by default
/// - `AWS_METADATA_SERVICE_NUM_ATTEMPTS`: 1 by default
///
/// The provider caches the session token until it expires or the service rejects it.
///
/// If AWS can't refresh the role, the service returns expired credentials that are still accepted.
/// If the service is down, its earlier credentials may still be accepted. The provider returns such
/// credentials with an expiration 5 to 15 minutes from now, and a `warning`. SDKs must be stable in
/// this case (AWS SDKs and Tools Reference Guide, "IMDS credential provider"; the AWS SDK for Go
/// does the same).
///
/// Source: Amazon EC2 User Guide, "Use the Instance Metadata Service to access instance metadata".
package struct InstanceMetadataProvider: CredentialResolver, Redacted {
  private let profile: String?
  private let sources: CredentialSources
  private let kept = Guarded<InstanceMetadataSession.Token?>(nil)
  private let lastAnswer = Guarded<Answer?>(nil)

  /// The service's response for a role. Secret, and stored as a key, so that it's wiped.
  private struct Answer: Sendable {
    let url: String
    let role: String
    let body: SymmetricKey
  }

  /// Creates a provider configured from environment variables and a profile: the given one, the
  /// selected one or the default.
  package init(profile: String? = nil, sources: CredentialSources) {
    self.profile = profile
    self.sources = sources
  }

  /// The name of the type. Never the session token or a response.
  package var description: String { "InstanceMetadataProvider" }

  /// Its name in a chain's messages.
  package static var name: String { "EC2 instance" }

  /// Requests the role's credentials. If that fails, returns the earlier ones with a warning,
  /// whatever the reason and however long it lasts, as AWS's SDKs do. AWS may accept them, and
  /// rejects those of a role that was removed.
  ///
  /// - Throws: `notConfigured` if the service is disabled, doesn't respond to the request for a
  ///   session token, or has no role. `invalidConfiguration`, `accessDenied`, `invalidResponse`,
  ///   `timedOut`, `unreachable`.
  package func credentials() async throws(CredentialError) -> ResolvedCredentials {
    let session = try InstanceMetadataSession(profile, sources, kept: kept)
    do throws(CredentialError) {
      let answer = try await answer(in: session)
      let provided = try credentials(in: answer, of: session.service.name)
      lastAnswer.withLock { $0 = answer }
      return provided
    } catch {
      let last = lastAnswer.withLock(\.self)
      guard error.code != .cancelled, let answer = last, answer.url == session.url else {
        throw error
      }
      return try credentials(in: answer, of: session.service.name, givenBefore: error)
    }
  }

  private func answer(
    in session: InstanceMetadataSession
  ) async throws(CredentialError) -> Answer {
    let path = "/latest/meta-data/iam/security-credentials/"
    let role = try Self.roleName(in: try await session.body(at: path), session.service.name)
    return Answer(
      url: session.url, role: role,
      body: SymmetricKey(data: try await session.body(at: path + role)))
  }

  /// Returns the credentials in a response, with a later expiration if they have expired.
  private func credentials(
    in answer: Answer, of service: String, givenBefore failure: CredentialError? = nil
  ) throws(CredentialError) -> ResolvedCredentials {
    // Safety: the bytes are copied before the closure ends.
    let body = unsafe answer.body.withUnsafeBytes { unsafe Array($0) }
    let role = answer.role
    let object = try ServiceResponse.object(in: body, of: service)
    if let code = object["Code"]?.text, code != "Success" {
      let secrets = [kept.withLock { $0?.text }].compactMap(\.self)
      let refusal = ServiceRejection(SigV4.HTTPResponse(status: 200, body: body))
      throw CredentialError(
        .accessDenied,
        "Can't get credentials for role \(role.shown) from \(service): "
          + "\(refusal.text(hiding: secrets)).",
        fix: "Check whether the role's trust policy names ec2.amazonaws.com.")
    }
    let now = sources.now()
    let end = object["Expiration"]?.moment
    let hasEnded = end.map { $0 <= now } ?? false
    var usableEnd = end
    // As in the AWS SDK for Go: 5 to 15 minutes, so that many instances don't retry together.
    if hasEnded {
      usableEnd = try? now.advanced(bySeconds: 300 + Int64(600 * sources.randomShare))
    }
    var provided = try CredentialParts(
      object, id: "AccessKeyId", secret: "SecretAccessKey", token: "Token", expiration: usableEnd
    ).provided(from: "the role \(role) of \(service)", by: service, at: now)
    provided.warning = Self.warning(service, hasEnded ? end : nil, failure)
    return provided
  }

  private static func warning(
    _ service: String, _ end: SigV4.Timestamp?, _ failure: CredentialError?
  ) -> String? {
    if end == nil && failure == nil { return nil }
    let reason = failure?.message ?? "No newer credentials are available from \(service)."
    let state = end.map { "expired at \($0.text), so AWS may reject them" } ?? "haven't expired"
    return "\(reason) The earlier credentials stay in use. They \(state)."
  }

  /// Requests the instance's region.
  ///
  /// - Throws: `notConfigured` if the service is disabled or doesn't respond.
  ///   `invalidConfiguration`, `accessDenied`, `invalidResponse`, `timedOut`, `unreachable`.
  package func region() async throws(CredentialError) -> String {
    let session = try InstanceMetadataSession(profile, sources, kept: kept)
    // Amazon EC2 User Guide, "Instance metadata categories".
    let body = try await session.body(at: "/latest/meta-data/placement/region")
    let region = String(decoding: body, as: UTF8.self)
    do throws(CredentialError) {
      _ = try ServiceRegion.domain(of: region)
      return region
    } catch {
      throw CredentialError(
        .invalidResponse,
        "The response from \(session.service.name) has no valid region. \(error.problem)",
        fix: "Check the endpoint URL.")
    }
  }

  /// Returns the first line of the list, a role name that becomes part of a path.
  private static func roleName(
    in list: [UInt8], _ service: String
  ) throws(CredentialError) -> String {
    let name = String(String(decoding: list, as: UTF8.self).trimmed.prefix { !$0.isNewline })
    // IAM User Guide, "IAM and AWS STS quotas": a name has up to 64 of these characters.
    if name.consistsOfLettersAndDigits(or: "_+=,.@-") && (1...64).contains(name.utf8.count) {
      return name
    }
    throw CredentialError(
      .invalidResponse,
      "The response from \(service) has no valid role name (\(list.count) bytes).",
      fix: "Check the endpoint URL.")
  }
}

/// Requests to the metadata service, each with a session token.
struct InstanceMetadataSession {
  let service: ServiceExchange
  private let endpoint: ServiceURL
  var url: String { endpoint.text }
  private let timeout: Duration
  private let kept: Guarded<Token?>

  /// A session token, and the URL that it came from. Secret.
  struct Token: Sendable {
    let url: String
    let text: String
    let end: SigV4.Timestamp
  }

  /// Creates a session with the service that the variables or the profile configure. Throws
  /// `notConfigured` if it's disabled.
  init(
    _ profile: String?, _ sources: CredentialSources, kept: Guarded<Token?>
  ) throws(CredentialError) {
    if sources.variable("AWS_EC2_METADATA_DISABLED")?.lowercased() == "true" {
      throw CredentialError(
        .notConfigured, "AWS_EC2_METADATA_DISABLED is true.",
        fix: "On EC2, remove it to use the instance's role.")
    }
    let section = try ProfileFiles(sources: sources).profileIfAny(named: profile, sources: sources)
    func text(_ name: String) throws(CredentialError) -> String? {
      if let value = sources.setVariable("AWS_" + name.uppercased()) { return value }
      let value = try section?.text(name)
      return value == "" ? nil : value
    }
    func number(_ name: String, _ range: ClosedRange<Double>) throws(CredentialError) -> Double {
      try Self.number(try text(name), named: name, range)
    }
    let name = "ec2_metadata_service_endpoint"
    var given = try text(name)
    if given == nil {
      let usesIPv6 = try text("imds_use_ipv6")?.lowercased() == "true"
      given = try Self.url(ofMode: try text(name + "_mode") ?? (usesIPv6 ? "ipv6" : ""))
    }
    endpoint = try ServiceURL(
      base: given ?? "", named: "AWS_EC2_METADATA_SERVICE_ENDPOINT (\(name))", plainHosts: nil)
    timeout = .seconds(try number("metadata_service_timeout", 0.001...3_600))
    service = ServiceExchange(
      name: "the instance metadata service (\(endpoint.origin))", sources: sources,
      attempts: Int(try number("metadata_service_num_attempts", 1...100)))
    self.kept = kept
  }

  private static func url(ofMode mode: String) throws(CredentialError) -> String {
    switch mode.lowercased() {
    case "", "ipv4": return "http://169.254.169.254"
    case "ipv6": return "http://[fd00:ec2::254]"
    default:
      throw CredentialError(
        .invalidConfiguration,
        "AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE (\(mode.shown)) isn't valid.",
        fix: "Use IPv4 or IPv6.")
    }
  }

  /// Returns the number in a setting, or 1 if it isn't set.
  private static func number(
    _ text: String?, named name: String, _ range: ClosedRange<Double>
  ) throws(CredentialError) -> Double {
    guard let text else { return 1 }
    if let number = Double(text), range.contains(number) { return number }
    throw CredentialError(
      .invalidConfiguration,
      "AWS_\(name.uppercased()) (\(name)) isn't a valid number: \(text.shown).",
      fix: "Use \(range.lowerBound) to \(range.upperBound).")
  }

  /// Returns the response to a GET of a path. Replaces a rejected token once.
  func body(at path: String) async throws(CredentialError) -> [UInt8] {
    var token = try await token()
    var response = try await answer(at: path, token)
    if response.status == 401 {
      kept.withLock { [token] in if $0?.text == token { $0 = nil } }
      token = try await self.token()
      response = try await answer(at: path, token)
    }
    switch response.status {
    case 200: return response.body
    case 404:
      throw CredentialError(
        .notConfigured, "No data at \(path.shown) on \(service.name) (status 404).",
        fix: "For credentials, add an instance profile with a role to the instance.")
    default:
      throw CredentialError(
        .accessDenied,
        "The request to \(service.name) failed: "
          + "\(ServiceRejection(response).text(hiding: [token])).",
        fix: "Check the instance's role and its metadata options.")
    }
  }

  private func answer(
    at path: String, _ token: String
  ) async throws(CredentialError) -> SigV4.HTTPResponse {
    try await service.response(
      to: SigV4.HTTPRequest(
        "GET", endpoint.appending(path), headers: ["x-aws-ec2-metadata-token": token],
        timeout: timeout))
  }

  /// Returns the cached token, or a new one.
  private func token() async throws(CredentialError) -> String {
    let now = service.sources.now()
    if let token = kept.withLock({ $0 }), token.url == url, now < token.end { return token.text }
    let response = try await tokenAnswer()
    let text = String(decoding: response.body, as: UTF8.self)
    if !text.isVisibleASCII {
      throw CredentialError(
        .invalidResponse,
        "The response from \(service.name) isn't a valid session token "
          + "(\(response.body.count) bytes).",
        fix: "Check the endpoint URL.")
    }
    let answered = response.headers.values(named: Self.lifetimeHeader).first.flatMap { Int64($0) }
    let seconds = min(max(answered ?? Self.lifetime, 0), Self.lifetime)
    if let end = try? now.advanced(bySeconds: seconds) {
      let token = Token(url: url, text: text, end: end)
      kept.withLock { $0 = token }
    }
    return text
  }

  private func tokenAnswer() async throws(CredentialError) -> SigV4.HTTPResponse {
    let request = SigV4.HTTPRequest(
      "PUT", endpoint.appending("/latest/api/token"),
      headers: [Self.lifetimeHeader: String(Self.lifetime)],
      timeout: timeout)
    let response: SigV4.HTTPResponse
    do throws(CredentialError) {
      response = try await service.response(to: request)
    } catch  where error.code == .timedOut {
      // An address that leads nowhere (a black hole) doesn't refuse a connection.
      throw error.with(error.problem, fix: Self.hopLimit, code: .notConfigured)
    } catch  where error.code == .unreachable {
      throw error.with(
        error.problem, fix: "If this is an EC2 instance, check its routes and firewall.",
        code: .notConfigured)
    }
    if response.status == 200 { return response }
    let reason = ServiceRejection(response).text(hiding: [])
    switch response.status {
    case 404, 405:
      throw CredentialError(
        .notConfigured, "No session token is available from \(service.name): \(reason).",
        fix: "If this is an EC2 instance, check that it supports IMDSv2. "
          + "This library never uses version 1, which is open to request forgery.")
    case 401, 403:
      throw CredentialError(
        .accessDenied, "Can't get a session token from \(service.name): \(reason).",
        fix: "Check whether the metadata service is enabled for the instance. " + Self.hopLimit)
    default:
      throw CredentialError(
        .accessDenied, "Can't get a session token from \(service.name): \(reason).",
        fix: "Send the request again later.")
    }
  }

  private static let hopLimit =
    "In a container on EC2, use a hop limit of 2 (aws ec2 modify-instance-metadata-options "
    + "--http-put-response-hop-limit 2). Outside EC2, set AWS_EC2_METADATA_DISABLED=true."

  private static let lifetimeHeader = "x-aws-ec2-metadata-token-ttl-seconds"
  /// 6 hours, the maximum.
  private static let lifetime: Int64 = 21_600
}
