// SPDX-License-Identifier: Apache-2.0
// What docs/how-to/servers.md names of swift-nio's NIOCore, in its spelling, for the compiler.

package struct ByteBuffer: Sendable {
  package var readableBytesView: [UInt8]
  package init(bytes: some Sequence<UInt8>) { readableBytesView = Array(bytes) }
  package init(string: String) { readableBytesView = Array(string.utf8) }
}

package struct TimeAmount: Sendable {
  package let nanoseconds: Int64
  package static func seconds(_ amount: Int64) -> TimeAmount {
    TimeAmount(nanoseconds: amount * 1_000_000_000)
  }
  init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
  package init(_ duration: Duration) {
    self.init(nanoseconds: duration.components.seconds * 1_000_000_000)
  }
}

package struct NIOTooManyBytesError: Error { package init() {} }

package final class EventLoopFuture<Value: Sendable>: Sendable {
  private let value: Value
  package init(_ value: Value) { self.value = value }
  package func get() async throws -> Value { value }
}
