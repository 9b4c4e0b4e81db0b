// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The shapes of Alamofire 5's request adapter and retrier, in its spelling, for the compiler.

import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

public final class Session: Sendable {}

public class Request: @unchecked Sendable {
  public var request: URLRequest?
  public var response: HTTPURLResponse?
  public var retryCount = 0
}

public class DataRequest: Request, @unchecked Sendable {
  public var data: Data?
}

public enum RetryResult: Sendable {
  case retry
  case retryWithDelay(TimeInterval)
  case doNotRetry
  case doNotRetryWithError(any Error)
}

public protocol RequestAdapter: Sendable {
  func adapt(
    _ urlRequest: URLRequest, for session: Session,
    completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void)
}

public protocol RequestRetrier: Sendable {
  func retry(
    _ request: Request, for session: Session, dueTo error: any Error,
    completion: @escaping @Sendable (RetryResult) -> Void)
}

public final class Interceptor: Sendable {
  public let adapters: [any RequestAdapter]
  public let retriers: [any RequestRetrier]

  public init(adapters: [any RequestAdapter], retriers: [any RequestRetrier]) {
    (self.adapters, self.retriers) = (adapters, retriers)
  }
}
