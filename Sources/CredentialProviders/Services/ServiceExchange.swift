// SPDX-License-Identifier: Apache-2.0
// Requests to services, with retries and without redirects, and their responses.

internal import DocumentSupport
internal import RequestSigning

/// Requests to one service, with retries if it's busy or unreachable.
struct ServiceExchange {
  /// The service, for people: `AWS STS (https://sts.amazonaws.com)`.
  let name: String

  let sources: CredentialSources

  /// The maximum number of attempts.
  var attempts = 3

  /// The maximum delay after the first attempt. Each further attempt doubles it, up to
  /// `maximumBackoff`. The actual delay is a random share of it (full jitter).
  var pause = Duration.milliseconds(500)

  /// Sends a request and returns the response, whatever its status, except redirects.
  ///
  /// Retries if the connection fails or times out, for statuses of 500 and above and 429, for error
  /// documents with a status of 200, and for the codes of ``TransientFailure``.
  ///
  /// - Throws: The errors of the exchange, and `accessDenied` for a redirect.
  func response(
    to request: SigV4.HTTPRequest
  ) async throws(CredentialError) -> SigV4.HTTPResponse {
    var pause = pause
    for _ in 1..<max(attempts, 1) {
      do throws(CredentialError) {
        let response = try await sources.response(to: request)
        if !Self.isTransient(response) { return try checked(response) }
      } catch  where error.code != .unreachable && error.code != .timedOut {
        throw error
      } catch {}
      try await sources.pause(for: pause * sources.randomShare)
      pause = min(pause * 2, Self.maximumBackoff)
    }
    do throws(CredentialError) {
      return try checked(try await sources.response(to: request))
    } catch  where error.code == .unreachable || error.code == .timedOut {
      let times = attempts == 1 ? "" : " (\(attempts) attempts)"
      throw error.with("No response from \(name)\(times). \(error.problem)")
    }
  }

  /// Returns the response to a request that is signed for a time. If the service rejects the time,
  /// retries once with the service's time.
  func response(
    to request: (SigV4.Timestamp) async throws(CredentialError) -> SigV4.HTTPRequest
  ) async throws(CredentialError) -> SigV4.HTTPResponse {
    let now = sources.now()
    let response = try await response(to: await request(now))
    guard let serverTime = Self.serverTime(in: response, insteadOf: now) else { return response }
    return try await self.response(to: await request(serverTime))
  }

  /// Returns the response to a request that is signed with a caller's credentials. If they have
  /// expired, by the service's response or by its clock, drops them from the cache of their source,
  /// and retries once with new ones, which replace the caller's.
  func response(
    signedBy caller: inout ResolvedCredentials, of source: any CredentialResolver,
    renewed: () async throws(CredentialError) -> ResolvedCredentials,
    to request: (SigV4.Credentials, SigV4.Timestamp) throws(CredentialError) -> SigV4.HTTPRequest
  ) async throws(CredentialError) -> SigV4.HTTPResponse {
    func answer(
      to credentials: SigV4.Credentials
    ) async throws(CredentialError) -> SigV4.HTTPResponse {
      try await response { (time) throws(CredentialError) in try request(credentials, time) }
    }
    let first: Result<SigV4.HTTPResponse, CredentialError>
    do throws(CredentialError) {
      first = .success(try await answer(to: caller.credentials))
    } catch {
      first = .failure(error)
    }
    if !Self.isExpired(first) { return try first.get() }
    await source.invalidate(caller)
    let others = try await renewed()
    if others.isSame(as: caller) { return try first.get() }
    caller = others
    return try await answer(to: caller.credentials)
  }

  /// Returns whether the service or the signer rejected the credentials as expired.
  private static func isExpired(_ result: Result<SigV4.HTTPResponse, CredentialError>) -> Bool {
    switch result {
    case .success(let response):
      response.status >= 400
        && ServiceRejection(response).code.map(ExpiredCredentials.codes.contains) ?? false
    case .failure(let error): error.code == .expired
    }
  }

  /// Returns the time of the service, if it rejects a request whose time differs by more than 4
  /// minutes. AWS allows 5 (IAM User Guide, "Troubleshoot Signature Version 4 request signing").
  private static func serverTime(
    in response: SigV4.HTTPResponse, insteadOf now: SigV4.Timestamp
  ) -> SigV4.Timestamp? {
    guard [400, 403].contains(response.status), let code = ServiceRejection(response).code,
      skewCodes.contains(code), let date = response.headers.values(named: "date").first,
      let time = try? SigV4.Timestamp(httpDate: date)
    else { return nil }
    return (-240...240).contains(time.unixSeconds - now.unixSeconds) ? nil : time
  }

  /// The error codes for a wrong time, among other causes.
  private static let skewCodes = [
    "SignatureDoesNotMatch", "RequestExpired", "RequestInTheFuture", "RequestTimeTooSkewed",
    "InvalidSignatureException", "AuthFailure",
  ]

  private func checked(_ answer: SigV4.HTTPResponse) throws(CredentialError) -> SigV4.HTTPResponse {
    if !(300...399).contains(answer.status) { return answer }
    throw CredentialError(
      .accessDenied,
      "A redirect from \(name) (status \(answer.status)) wasn't followed, "
        + "because it could send secrets to a different host.",
      fix: "Check the endpoint URL.")
  }

  private static func isTransient(_ response: SigV4.HTTPResponse) -> Bool {
    if response.status >= 500 || response.status == 429 { return true }
    if ServiceRejection.isFailedSuccess(response) { return true }
    if response.status < 400 { return false }
    return ServiceRejection(response).code.map(TransientFailure.codes.contains) ?? false
  }

  /// The maximum delay in botocore (`ExponentialBackoff`).
  private static let maximumBackoff = Duration.seconds(20)
}

/// Failures that may be temporary.
package enum TransientFailure {
  /// Temporary errors with a status of 400: the codes of botocore's standard mode
  /// (`TransientRetryableChecker`, `ThrottledRetryableChecker`), and the code that the STS model
  /// marks.
  package static let codes: Set<String> = [
    "Throttling", "ThrottlingException", "ThrottledException", "RequestThrottledException",
    "TooManyRequestsException", "ProvisionedThroughputExceededException",
    "TransactionInProgressException", "RequestLimitExceeded", "BandwidthLimitExceeded",
    "LimitExceededException", "RequestThrottled", "SlowDown", "PriorRequestNotComplete",
    "EC2ThrottledException", "RequestTimeout", "RequestTimeoutException", "IDPCommunicationError",
  ]
}

/// Rejections of temporary credentials or of their token.
package enum ExpiredCredentials {
  /// AWS STS API Reference, Common Errors, and Amazon S3 API Reference, "Error responses".
  package static let codes: Set<String> = [
    "ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired",
  ]
}

/// The documents in responses.
enum ServiceResponse {
  /// Returns the JSON object in a response. Throws `invalidResponse` with the position of an error,
  /// but not the text.
  static func object(
    in body: [UInt8], of service: String
  ) throws(CredentialError) -> JSONReader.Value {
    let value: JSONReader.Value
    do throws(DocumentError) {
      value = try JSONReader.value(of: body)
    } catch {
      throw CredentialError(
        .invalidResponse, "The response from \(service) isn't valid JSON. \(error.problem)",
        fix: "Check the endpoint URL.")
    }
    if case .object = value { return value }
    throw CredentialError(
      .invalidResponse, "The response from \(service) isn't a JSON object.",
      fix: "Check the endpoint URL.")
  }

  /// Returns the fields of the XML document in a response, whose root element must have this name.
  /// Throws `invalidResponse`.
  static func fields(
    in body: [UInt8], root name: String, of service: String
  ) throws(CredentialError) -> XMLFieldReader {
    do throws(DocumentError) {
      return try XMLFieldReader(body, root: [name])
    } catch {
      throw CredentialError(
        .invalidResponse, "The response from \(service) isn't valid. \(error.problem)",
        fix: "Check the endpoint URL.")
    }
  }
}

/// The error response of a service.
struct ServiceRejection {
  let status: Int

  /// The error code without its namespace: `AccessDenied`.
  let code: String?

  private let message: String?

  /// Secrets in the response itself.
  private let ownSecrets: [String]

  /// Returns what to do about a code that has no advice: wait for a failing service, or else
  /// check the settings.
  func fix(orCheck settings: String) -> String {
    status >= 500 ? "Send the request again later." : "Check \(settings)."
  }

  /// Parses an XML or JSON error response. The code and message are nil if it's neither.
  init(_ response: SigV4.HTTPResponse) {
    status = response.status
    if let answer = try? XMLFieldReader(ofAnyRoot: response.body) {
      code = answer.text(named: "Code")
      message = answer.text(named: "Message")
      ownSecrets = answer.fields.filter { Self.isSecret($0.name, $0.text) }.map(\.text)
      return
    }
    let answer = try? JSONReader.value(of: response.body)
    ownSecrets = answer.map(Self.secrets) ?? []
    func first(_ names: [String]) -> String? { names.lazy.compactMap { answer?[$0]?.text }.first }
    let name =
      response.headers.values(named: "x-amzn-errortype").first
      ?? first(["__type", "Code", "code", "error"])
    // `com.amazonaws.sso#ForbiddenException:http://...` is `ForbiddenException`.
    code = name.map { $0.prefix { $0 != ":" } }.map { String($0.split(separator: "#").last ?? $0) }
    message = first(["message", "Message", "error_description"])
  }

  /// Returns whether a service that responds in XML failed after it had sent a status of 200, as
  /// Amazon S3 may (API Reference, "CopyObject").
  static func isFailedSuccess(_ response: SigV4.HTTPResponse) -> Bool {
    response.status == 200
      && (try? XMLFieldReader(response.body, root: ["Error", "ErrorResponse"])) != nil
  }

  /// Returns the strings in a document whose names mark them as secret.
  private static func secrets(in value: JSONReader.Value) -> [String] {
    switch value {
    case .object(let members):
      members.flatMap { member in
        guard let text = member.value.text else { return secrets(in: member.value) }
        return isSecret(member.name, text) ? [text] : []
      }
    case .array(let elements): elements.flatMap(secrets)
    case .string, .number, .boolean, .null: []
    }
  }

  /// Returns whether a string's name marks it as secret. Hiding a string of less than four bytes
  /// would hide parts of other words.
  private static func isSecret(_ name: String, _ text: String) -> Bool {
    text.utf8.count >= 4 && CredentialNames.carriesCredential(name.utf8)
  }

  /// Returns the status, the error code and the service's message, for an error message.
  func text(hiding secrets: [String]) -> String {
    let secrets = secrets + ownSecrets
    let code = code.map { ", " + $0.hiding(secrets).shown } ?? ""
    let message = message.map { ": " + $0.hiding(secrets).shown } ?? ""
    return "status \(status)\(code)\(message)"
  }
}

/// The URL of a service, checked so that it may receive a secret.
struct ServiceURL {
  /// The original URL.
  let text: String

  /// The scheme and host, with its port. Use this in messages, since a query may be secret.
  let origin: String

  /// Checks a URL from the configuration. Messages use `name` for the setting. Without TLS, the URL
  /// may name only this machine and `plainHosts`, or any host if `plainHosts` is nil.
  ///
  /// - Throws: `invalidConfiguration` for an invalid URL, for user information, which can disguise
  ///   the host, and for a host that requires TLS.
  init(
    _ url: String, named name: String, plainHosts: [String]? = []
  ) throws(CredentialError) {
    let authority = url.drop { $0 != "/" }.drop { $0 == "/" }.prefix { $0 != "/" && $0 != "?" }
    guard url.isVisibleASCII, !url.utf8.contains(where: "\\#".utf8.contains),
      !authority.utf8.contains(UInt8(ascii: "@")), let request = try? SigV4.Request("GET", url: url)
    else {
      throw CredentialError(
        .invalidConfiguration,
        "Can't use \(name): its URL isn't valid (\(url.utf8.count) bytes, not shown).",
        fix: "Use encoded, visible ASCII without a user name, such as https://host/path.")
    }
    text = url
    origin = request.scheme.name + "://" + request.host
    guard request.scheme.name != "https", let plainHosts else { return }
    if IPAddressGrammar.isLoopback(request.host.utf8) { return }
    // With any port.
    if plainHosts.contains(where: { (request.host + ":").hasPrefix($0 + ":") }) { return }
    let allowed = plainHosts.isEmpty ? "" : " and " + plainHosts.joined(separator: ", ")
    throw CredentialError(
      .invalidConfiguration,
      "Can't use \(name): \(origin.shown) would send credentials in plain text.",
      fix: "Use https. Plain http is allowed only for this machine\(allowed).")
  }

  /// Checks a URL to which paths are appended, so it can't have a query.
  init(
    base url: String, named name: String, plainHosts: [String]? = []
  ) throws(CredentialError) {
    if url.utf8.contains(UInt8(ascii: "?")) {
      throw CredentialError(
        .invalidConfiguration,
        "Can't use \(name): its URL has a query (\(url.utf8.count) bytes, not shown).",
        fix: "Use a scheme, a host and a path only.")
    }
    try self.init(url, named: name, plainHosts: plainHosts)
  }

  /// Returns the URL of an operation, whose path begins with '/'. As in botocore, a trailing slash
  /// of the base URL isn't doubled.
  func appending(_ path: String) -> String {
    (text.hasSuffix("/") ? String(text.dropLast()) : text) + path
  }

  /// Returns the URL of an operation without a path. The URL's own path isn't changed.
  static func root(of url: String) -> String {
    let rest = url.drop { $0 != "/" }.drop { $0 == "/" }
    return rest.contains("/") ? url : url + "/"
  }
}

/// Regions in host names.
package enum ServiceRegion {
  /// Returns the region without its FIPS label: `us-west-2` for `fips-us-west-2`, `us-gov-west-1`
  /// for `us-gov-west-1-fips` (botocore, `ClientCreator._normalize_fips_region`).
  package static func withoutFIPS(_ region: String) -> String {
    for label in ["fips-", "-fips"] {
      if let start = region.firstOccurrence(of: label) {
        let end = region.index(start, offsetBy: label.count)
        return withoutFIPS(String(region[..<start] + region[end...]))
      }
    }
    return region
  }

  /// Returns the domain of a region's services. Throws `invalidConfiguration`.
  static func domain(of region: String) throws(CredentialError) -> String {
    do throws(SigV4.SigningError) {
      return try SigV4.AWSPartition(region: region).domain
    } catch {
      throw CredentialError(.invalidConfiguration, error.problem, fix: error.fix)
    }
  }
}
