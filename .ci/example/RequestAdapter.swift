// SPDX-License-Identifier: Apache-2.0
// The shapes of Alamofire 5's request adapter and retrier, in its spelling, for the compiler.

import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

final class Session: Sendable {}

class Request: @unchecked Sendable {
  var request: URLRequest?
  var response: HTTPURLResponse?
  var retryCount = 0
}

class DataRequest: Request, @unchecked Sendable {
  var data: Data?
}

enum RetryResult: Sendable {
  case retry
  case retryWithDelay(TimeInterval)
  case doNotRetry
  case doNotRetryWithError(any Error)
}

protocol RequestAdapter: Sendable {
  func adapt(
    _ urlRequest: URLRequest, for session: Session,
    completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void)
}

protocol RequestRetrier: Sendable {
  func retry(
    _ request: Request, for session: Session, dueTo error: any Error,
    completion: @escaping @Sendable (RetryResult) -> Void)
}

final class Interceptor: Sendable {
  let adapters: [any RequestAdapter]
  let retriers: [any RequestRetrier]

  init(adapters: [any RequestAdapter], retriers: [any RequestRetrier]) {
    (self.adapters, self.retriers) = (adapters, retriers)
  }
}
