// SPDX-License-Identifier: Apache-2.0
// What docs/how-to/servers.md names of AsyncHTTPClient, in its spelling, for the compiler. It sends nothing:
// the example answers.

package import NIOCore
package import NIOHTTP1

package final class HTTPClient: Sendable {
  package typealias Answer =
    @Sendable (HTTPClientRequest) async throws -> HTTPClientResponse
  package struct Configuration: Sendable {
    package struct RedirectConfiguration: Sendable {
      package static let disallow = RedirectConfiguration()
    }
    package init(redirectConfiguration: RedirectConfiguration? = nil) {}
  }
  private let answer: Answer
  package convenience init(configuration: Configuration) {
    self.init { _ in throw CancellationError() }
  }
  package init(answer: @escaping Answer) { self.answer = answer }
  package static let shared = HTTPClient(configuration: Configuration())
  package func execute(
    _ request: HTTPClientRequest, timeout: TimeAmount
  ) async throws -> HTTPClientResponse { try await answer(request) }
}

package struct HTTPClientRequest: Sendable {
  package struct Body: Sendable {
    package let bytes: [UInt8]
    package static func bytes<Bytes: RandomAccessCollection & Sendable>(
      _ bytes: Bytes
    ) -> Body where Bytes.Element == UInt8 { Body(bytes: Array(bytes)) }
  }
  package var url: String
  package var method = HTTPMethod.GET
  package var headers = HTTPHeaders()
  package var body: Body?
  package init(url: String) { self.url = url }
}

package struct HTTPClientResponse: Sendable {
  package struct Body: AsyncSequence, Sendable {
    package typealias Element = ByteBuffer
    let bytes: [UInt8]
    package struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate var left: [UInt8]?
      package mutating func next() async throws -> ByteBuffer? {
        defer { left = nil }
        return left.map { ByteBuffer(bytes: $0) }
      }
    }
    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(left: bytes) }
  }
  package var status: HTTPResponseStatus
  package var headers: HTTPHeaders
  package var body: Body
  package init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
    self.status = HTTPResponseStatus(statusCode: status)
    self.headers = headers
    self.body = Body(bytes: body)
  }
}
