// SPDX-License-Identifier: Apache-2.0
// The shape of a request adapter, as HTTP libraries have it.

import Foundation

final class Session: Sendable {}

protocol RequestAdapter: Sendable {
  func adapt(
    _ urlRequest: URLRequest, for session: Session,
    completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void)
}
