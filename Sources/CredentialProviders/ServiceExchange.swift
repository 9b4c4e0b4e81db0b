// SPDX-License-Identifier: Apache-2.0
// How a service is asked: a few times when it is down, never elsewhere than where it is.

internal import DocumentSupport
internal import RequestSigning

/// Asks one service, and asks again when it is busy or out of reach.
struct ServiceExchange {
  /// The service, for people: `the Security Token Service (https://sts.amazonaws.com)`.
  let name: String

  let sources: CredentialSources

  /// How often it is asked at most.
  var attempts = 3

  /// How long to wait after the first attempt, in seconds; twice that after each further one, up to
  /// `longestPause`.
  var pause = 0.5

  /// The answer, whatever its status, but for redirects.
  ///
  /// A status of 500 and above, 429, and a code of `transientCodes` are asked again, and so are
  /// failures to connect. Throws what the exchange throws, and `refused` for a redirect.
  func response(to request: HTTPRequest) async throws(CredentialError) -> HTTPResponse {
    var attempt = 1
    var wait = pause
    while true {
      do throws(CredentialError) {
        let response = try await sources.http.response(to: request)
        if attempt >= attempts || !Self.isTransient(response) {
          return try withoutRedirect(response)
        }
      } catch {
        let isTransient = error.code == .unreachable || error.code == .timedOut
        if attempt >= attempts || !isTransient { throw explained(error, attempt) }
      }
      try await sources.wait(wait)
      attempt += 1
      wait = min(wait * 2, Self.longestPause)
    }
  }

  private func withoutRedirect(_ response: HTTPResponse) throws(CredentialError) -> HTTPResponse {
    if !(300...399).contains(response.status) { return response }
    throw CredentialError(
      .refused,
      "\(name) answered with a redirect (status \(response.status)), which is not followed: it would "
        + "carry secrets to another host; look at what answers at this address")
  }

  private func explained(_ error: CredentialError, _ attempt: Int) -> CredentialError {
    if error.code != .unreachable && error.code != .timedOut { return error }
    let times = attempt == 1 ? "" : " (asked \(attempt) times)"
    return CredentialError(error.code, "\(name) did not answer\(times): \(error.message)")
  }

  private static func isTransient(_ response: HTTPResponse) -> Bool {
    if response.status >= 500 || response.status == 429 { return true }
    if response.status < 400 { return false }
    return ServiceRefusal(response).code.map(transientCodes.contains) ?? false
  }

  /// In seconds: the longest pause of botocore (`ExponentialBackoff`).
  private static let longestPause = 20.0

  /// What services say with a status of 400 and take back later (botocore's `_retry.json`).
  private static let transientCodes = [
    "Throttling", "ThrottlingException", "ThrottledException", "RequestThrottledException",
    "TooManyRequestsException", "RequestLimitExceeded", "RequestThrottled", "SlowDown",
    "IDPCommunicationError",
  ]
}

/// Why a service refused, as far as it says so.
struct ServiceRefusal {
  let status: Int

  /// The name of the error, without its namespace: `AccessDenied`.
  let code: String?

  private let message: String?

  /// What an answer says, in XML or in JSON, or nothing.
  init(_ response: HTTPResponse) {
    status = response.status
    let header = response.header("x-amzn-errortype")
    if let answer = try? XMLFieldReader(response.body) {
      code = answer.text(named: "Code")
      message = answer.text(named: "Message")
      return
    }
    let answer = try? JSONReader.value(of: response.body)
    let names = [header] + ["__type", "Code", "code", "error"].map { answer?[$0]?.text }
    code = names.compactMap { $0 }.first.map(Self.plainName)
    let texts = ["message", "Message", "error_description"].map { answer?[$0]?.text }
    message = texts.compactMap { $0 }.first
  }

  /// What happened, for a message: status, code, and what the service says of it.
  func words(hiding secrets: [String]) -> String {
    let code = code.map { ", " + PrintableText.hiding(secrets, in: $0).shown } ?? ""
    let message = message.map { ": " + PrintableText.hiding(secrets, in: $0).shown } ?? ""
    return "status \(status)\(code)\(message)"
  }

  /// `com.amazonaws.sso#ForbiddenException:http://...` is `ForbiddenException`.
  private static func plainName(_ name: String) -> String {
    let end = name.prefix { $0 != ":" }
    return String(end.split(separator: "#").last ?? end)
  }
}
