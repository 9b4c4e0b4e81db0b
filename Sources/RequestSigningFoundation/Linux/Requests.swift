// SPDX-License-Identifier: Apache-2.0
// Requests and settings, changed for what FoundationNetworking does differently.

#if canImport(FoundationNetworking)
  internal import Foundation

  extension URLRequest {
    private static let defaultTimeout: TimeInterval = 60

    /// The request, changed so that its connection isn't reused and its body is streamed.
    func sendable(_ body: Body) throws -> URLRequest {
      if let host = url?.host, host.contains(":") {
        throw TransferError(
          .unsupportedURL,
          "FoundationNetworking can't open URLs whose host is an IPv6 address, such as [\(host)].",
          fix: "Use a host name, an IPv4 address, or a different HTTP client.")
      }
      var request = self
      // Once it's set, even to its default, the configuration's timeout has no effect.
      if timeoutInterval != Self.defaultTimeout {
        request.timeoutInterval = timeoutInterval.convertible
      }
      request.setValue("close", forHTTPHeaderField: "Connection")
      try request.stream(body)
      return request
    }
  }

  extension URLSessionConfiguration {
    /// A configuration without cookies if the request doesn't want them. FoundationNetworking
    /// replaces even a signed cookie.
    func handlingCookies(of request: URLRequest) -> URLSessionConfiguration {
      guard !request.httpShouldHandleCookies, let copy = copy() as? URLSessionConfiguration
      else { return self }
      copy.httpCookieStorage = nil
      return copy
    }
  }

  extension TimeInterval {
    /// The timeout in whole seconds, rounded up, and at most a day. FoundationNetworking rounds it
    /// down, and traps if its milliseconds aren't an `Int`.
    var convertible: TimeInterval {
      // In this order, because min(.nan, x) is NaN.
      max(0, min(86_400, self)).rounded(.up)
    }

    /// The duration, or nil if it's zero or longer than 30 years.
    var limit: Duration? { self > 0 && self < 1e9 ? .seconds(self) : nil }
  }
#endif
