// SPDX-License-Identifier: Apache-2.0
// An event stream as it is received: bytes in, in any portions, messages out.

public import RequestSigning
internal import SigningSupport

extension SigV4 {
  /// Divides a stream of bytes into event messages.
  ///
  ///     decoder.append(portion)
  ///     while let message = try decoder.next() { use(message) }
  ///
  /// It keeps what was appended and not yet taken: take all messages before the next portion, and it
  /// never keeps more than a portion and a message, at most 16,908,304 bytes.
  public struct EventDecoder: Sendable {
    var buffer: [UInt8] = []

    /// Where the next message begins.
    var start = 0

    /// Why the stream cannot be read any further.
    var failure: EventMessage.DecodingError?

    /// A stream before its first byte.
    public init() {}

    /// How many bytes wait for the rest of their message: 0 when a stream ends as it should.
    public var pendingByteCount: Int { buffer.count &- start }

    /// Takes the next bytes of the stream; after a refusal they are dropped.
    public mutating func append(_ bytes: some Collection<UInt8>) {
      if failure != nil { return }
      buffer.removeFirst(start)
      start = 0
      buffer.append(contentsOf: bytes)
    }

    /// The next message, or nil when more bytes are needed.
    ///
    /// Throws what ``EventMessage/init(decoding:)`` throws but `incomplete`. After that nothing else
    /// comes: where the next message would begin is unknown.
    public mutating func next() throws(EventMessage.DecodingError) -> EventMessage? {
      if let failure { throw failure }
      do {
        let rest = buffer[start...]
        guard let prelude = try EventMessage.Prelude(startOf: rest),
          prelude.messageByteCount <= rest.count
        else { return nil }
        let message = try EventMessage(rest.prefix(prelude.messageByteCount), prelude)
        start &+= prelude.messageByteCount
        return message
      } catch {
        failure = error
        throw error
      }
    }
  }
}
