// SPDX-License-Identifier: Apache-2.0
// What docs/how-to/servers.md names of Vapor 4, in its spelling, for the compiler.

package import NIOCore
package import NIOHTTP1

package final class Request: Sendable {
  package struct Address: Sendable { package let string: String }
  package struct Body: Sendable {
    let bytes: [UInt8]
    package func collect(max: Int?) -> EventLoopFuture<ByteBuffer?> {
      EventLoopFuture(ByteBuffer(bytes: bytes))
    }
  }
  package let method: HTTPMethod
  package let url: Address
  package let headers: HTTPHeaders
  package let body: Body
  package init(_ method: HTTPMethod, _ target: String, _ headers: HTTPHeaders, _ body: [UInt8]) {
    (self.method, url, self.headers, self.body) = (
      method, Address(string: target), headers, Body(bytes: body)
    )
  }
}

package final class Response: Sendable {
  package struct Body: Sendable {
    package let string: String
    package init(string: String) { self.string = string }
  }
  package let status: HTTPResponseStatus
  package let headers: HTTPHeaders
  package let body: Body
  package init(status: HTTPResponseStatus, headers: HTTPHeaders = [:], body: Body) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }
}

package protocol AsyncResponder: Sendable {
  func respond(to request: Request) async throws -> Response
}

package protocol AsyncMiddleware: Sendable {
  func respond(to request: Request, chainingTo next: any AsyncResponder) async throws -> Response
}
