// SPDX-License-Identifier: Apache-2.0
// HTTP for credential providers, through a URLSession that stores nothing.

internal import CredentialProviders
internal import Foundation
internal import POSIXCredentialSources
internal import RequestSigning

/// Sends the requests of credential providers with URLSession, without cookies, caches, stored
/// passwords or redirects.
///
/// Requests to this machine and to link-local addresses (127.0.0.0/8, 169.254.0.0/16, ::1 and
/// fd00:ec2::/32) never use a proxy, which would see the credentials.
struct URLSessionExchange: Sendable {
  private let direct: Loader
  private let general: Loader
  private let variable: @Sendable (String) -> String?

  /// Creates an exchange with its own sessions.
  init() {
    self.init { ProcessInfo.processInfo.environment[$0] }
  }

  init(variable: @escaping @Sendable (String) -> String?) {
    self.variable = variable
    general = Loader(Self.configuration())
    let configuration = Self.configuration()
    configuration.connectionProxyDictionary = [:]
    direct = Loader(configuration)
  }

  /// Sends a request. Returns the response, whatever its status. Redirects aren't followed.
  ///
  /// - Throws: `invalidConfiguration` if the URL isn't http or https or a header contains a
  ///   newline, `unreachable`, `timedOut`, `cancelled`, and `invalidResponse` if the response is
  ///   larger than the request's `maximumByteCount`.
  func response(
    to request: SigV4.HTTPRequest
  ) async throws(CredentialError) -> SigV4.HTTPResponse {
    guard let urlRequest = URLRequest(request), let host = urlRequest.url?.host else {
      throw CredentialError(
        .invalidConfiguration,
        "\(request) doesn't have an http or https URL.", fix: "Correct the address.")
    }
    try request.check()
    let isLocal = !NearAddress.addresses(of: host).isEmpty
    if isLocal { try refuseProxy(host, request) }
    do {
      let limits = Loader.Limits(
        byteCount: request.maximumByteCount, duration: request.timeout)
      let loader = isLocal ? direct : general
      let slot = try await loader.slots.slot(at: host)
      let answer = try await loader.answer(
        to: urlRequest, Body(of: urlRequest, nil), in: slot, limits: limits)
      return SigV4.HTTPResponse(
        status: answer.response.statusCode,
        headers: SigV4.Headers(answer.response.sortedHeaders),
        body: Array(answer.body))
    } catch {
      throw Self.failure(error, request)
    }
  }

  private static func configuration() -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.urlCredentialStorage = nil
    return configuration
  }

  /// Throws if a proxy is set. On non-Apple platforms, libcurl uses the environment's proxies,
  /// whatever the session's configuration is.
  private func refuseProxy(_ host: String, _ request: SigV4.HTTPRequest) throws(CredentialError) {
    guard EnvironmentProxy.isUsed,
      let name = EnvironmentProxy.variable(for: host, url: request.url, variable)
    else { return }
    throw CredentialError(
      .unreachable,
      "\(request) wasn't sent: the proxy in the environment variable \(name) would see the "
        + "credentials.", fix: "Add \(host) to no_proxy.")
  }

  private static func failure(_ error: any Error, _ request: SigV4.HTTPRequest) -> CredentialError {
    if error is CancellationError || Task.isCancelled {
      return CredentialError(
        .cancelled, "\(request) was cancelled.", fix: "Call again from a different task.")
    }
    if let error = error as? TransferError {
      return CredentialError(
        .invalidResponse, "\(request) failed. " + error.problem, fix: error.fix)
    }
    let code = (error as? URLError)?.code
    if code == .timedOut {
      return CredentialError(
        .timedOut, "\(request) got no response within \(request.timeout).",
        fix: "Check the network and the address, then call again.")
    }
    return CredentialError(
      .unreachable,
      "\(request) failed before a response arrived "
        + "(\(code.map { "URLError \($0.rawValue)" } ?? "unknown error")).",
      fix: "Check the host name and the network.")
  }
}

extension URLRequest {
  fileprivate init?(_ request: SigV4.HTTPRequest) {
    guard let url = URL(string: request.url), let scheme = url.scheme?.lowercased(),
      ["http", "https"].contains(scheme), url.host?.isEmpty == false
    else { return nil }
    self.init(url: url)
    httpMethod = request.method
    setValue(SigV4.HTTPRequest.userAgent, forHTTPHeaderField: "User-Agent")
    for header in request.headers { addValue(header.value, forHTTPHeaderField: header.name) }
    if !request.body.isEmpty { httpBody = Data(request.body) }
    httpShouldHandleCookies = false
    // FoundationNetworking counts whole seconds, and less than one means no timeout. The loader
    // ends the exchange in time.
    timeoutInterval = max((request.timeout.bounded / .seconds(1)).rounded(.up), 1)
  }
}

extension HTTPURLResponse {
  /// The headers, sorted by name.
  fileprivate var sortedHeaders: [SigV4.Header] {
    allHeaderFields.map { SigV4.Header("\($0.key)", "\($0.value)") }.sorted { $0.name < $1.name }
  }
}
