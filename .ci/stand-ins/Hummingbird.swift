// SPDX-License-Identifier: Apache-2.0
// What docs/how-to/servers.md names of Hummingbird 2, in its spelling, for the compiler.

package import HTTPTypes
package import NIOCore

package struct RequestBody: Sendable {
  let buffer: ByteBuffer
  package init(buffer: ByteBuffer) { self.buffer = buffer }
}

package struct Request: Sendable {
  package let head: HTTPRequest
  package var body: RequestBody
  package init(head: HTTPRequest, body: RequestBody) { (self.head, self.body) = (head, body) }
  package var headers: HTTPFields { head.headerFields }
  package mutating func collectBody(upTo maximum: Int) async throws -> ByteBuffer {
    if body.buffer.readableBytesView.count > maximum { throw NIOTooManyBytesError() }
    return body.buffer
  }
}

package struct ResponseBody: Sendable {
  package let bytes: [UInt8]
  package init(byteBuffer: ByteBuffer) { bytes = byteBuffer.readableBytesView }
}

package struct Response: Sendable {
  package let status: HTTPResponse.Status
  package let headers: HTTPFields
  package let body: ResponseBody
  package init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: ResponseBody) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }
}

package protocol RequestContext: Sendable { var maxUploadSize: Int { get } }

package protocol RouterMiddleware<Context>: Sendable {
  associatedtype Context
  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response
}
