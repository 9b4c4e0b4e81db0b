// SPDX-License-Identifier: Apache-2.0
// HTTP for providers of credentials, through a URLSession that keeps nothing.

public import CredentialProviders
internal import Foundation
internal import RequestSigning

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Carries the requests of credential providers with URLSession: no cookie, no cache, no stored
/// password, no redirect followed.
///
/// Addresses of this machine and of its link (127.0.0.0/8, 169.254.0.0/16, ::1, fe80::/10 and
/// fd00:ec2::/32) are never asked through a proxy, which would learn the credentials.
public struct URLSessionExchange: HTTPExchange {
  private let direct: Loader
  private let general: Loader
  private let variable: @Sendable (String) -> String?

  /// An exchange with sessions of its own.
  public init() {
    self.init { ProcessInfo.processInfo.environment[$0] }
  }

  init(variable: @escaping @Sendable (String) -> String?) {
    self.variable = variable
    general = Loader(Self.configuration())
    let configuration = Self.configuration()
    configuration.connectionProxyDictionary = [:]
    direct = Loader(configuration)
  }

  /// The answer to a request, whatever its status. A redirect is an answer and is not followed.
  ///
  /// Throws `invalidConfiguration` for a URL that is none or a header that could smuggle in another,
  /// `unreachable`, `timedOut`, `cancelled`, and `invalidAnswer` for an answer above
  /// `CredentialResponse.maximumByteCount`.
  public func response(
    to request: CredentialRequest
  ) async throws(CredentialError) -> CredentialResponse {
    guard let urlRequest = URLRequest(request), let host = urlRequest.url?.host else {
      throw CredentialError(
        .invalidConfiguration, "\(request) has no URL of http or https; correct the address")
    }
    try Self.checkHeaders(of: request)
    let isNear = NearHost.contains(host)
    if isNear { try refuseProxy(host, request) }
    do {
      let limits = Loader.Limits(
        byteCount: CredentialResponse.maximumByteCount, seconds: request.timeout / .seconds(1))
      let answer = try await (isNear ? direct : general).answer(to: urlRequest, limits: limits)
      return CredentialResponse(
        status: answer.response.statusCode,
        headers: SigV4.Headers(answer.response.sortedHeaders.map { ($0.name, $0.value) }),
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
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    return configuration
  }

  /// Values come from files and variables, often with a line end; the loader would send that too.
  private static func checkHeaders(of request: CredentialRequest) throws(CredentialError) {
    for header in request.headers {
      let bytes = Array(header.name.utf8) + Array(header.value.utf8)
      if bytes.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) {
        throw CredentialError(
          .invalidConfiguration,
          "\(request) was not sent: a header of it, \(header.name.prefix { $0.isASCII && $0.isLetter || $0 == "-" }), "
            + "has a control character, which could smuggle in another header; look for a line end "
            + "that came along when its value was read")
      }
    }
  }

  /// Outside of Apple's platforms libcurl takes proxies from the environment, whatever a session says.
  private func refuseProxy(_ host: String, _ request: CredentialRequest) throws(CredentialError) {
    #if canImport(FoundationNetworking)
      if let name = EnvironmentProxy.variable(for: host, url: request.url, variable) {
        throw CredentialError(
          .unreachable,
          "\(request) was not sent: the variable \(name) names a proxy, which would learn the "
            + "credentials; add \(host) to no_proxy")
      }
    #endif
  }

  private static func failure(_ error: any Error, _ request: CredentialRequest) -> CredentialError {
    if error is CancellationError || Task.isCancelled {
      return CredentialError(.cancelled, "\(request) was cancelled")
    }
    if let error = error as? TransferError {
      return CredentialError(.invalidAnswer, "\(request): " + error.message)
    }
    let code = (error as? URLError)?.code
    if code == .timedOut {
      return CredentialError(
        .timedOut, "\(request) was not answered within \(request.timeout)")
    }
    return CredentialError(
      .unreachable,
      "\(request) failed before there was an answer (\(code.map { "URLError \($0.rawValue)" } ?? "unknown error")); "
        + "check that the host is right and can be reached from here")
  }
}

extension URLRequest {
  fileprivate init?(_ request: CredentialRequest) {
    guard let url = URL(string: request.url), let scheme = url.scheme?.lowercased(),
      ["http", "https"].contains(scheme), url.host?.isEmpty == false
    else { return nil }
    self.init(url: url)
    httpMethod = request.method
    for header in request.headers { addValue(header.value, forHTTPHeaderField: header.name) }
    if !request.body.isEmpty { httpBody = Data(request.body) }
    httpShouldHandleCookies = false
    // Outside of Apple's platforms whole seconds count only, so that less than one would be none at
    // all; the loader ends the exchange in time.
    let seconds = request.timeout / .seconds(1)
    if seconds > 0 { timeoutInterval = min(seconds.rounded(.up), 86_400) }
  }
}

extension HTTPURLResponse {
  /// The headers, by their names.
  var sortedHeaders: [(name: String, value: String)] {
    allHeaderFields.map { (name: "\($0.key)", value: "\($0.value)") }.sorted { $0.name < $1.name }
  }
}
