// SPDX-License-Identifier: Apache-2.0
// Event messages: they're decoded in any portions, and anything else is rejected.

internal import Checksums
internal import EventStreamSigning
internal import RequestSigning
internal import SecureHashing

enum EventTargets {
  /// A seed of portions and the length of the headers, headers as in a message, the payload.
  static func events(_ input: FuzzInput) {
    var input = input
    let (seed, headersByteCount) = (input.number(), input.number())
    let frame = frame(input.rest.prefix(headersByteCount), input.rest.dropFirst(headersByteCount))
    if let message = read(frame) {
      expect(message.payload == Array(input.rest.dropFirst(headersByteCount)), "the payload is it")
      let again = required("what was read is a message") {
        try SigV4.EventMessage(
          headers: message.headers.map { try SigV4.EventHeader($0.name, $0.value) },
          payload: message.payload)
      }
      expect(again.encoded == frame, "and is written alike")
      var changed = frame
      changed[seed % frame.count] ^= 1
      expect(read(changed) == nil, "a changed byte is refused")
    }
    // Frames and other bytes in one stream.
    let stream = frame + frame + input.bytes
    let (whole, inPortions) = (stream.decoded(0), stream.decoded(seed))
    expect(whole.messages == inPortions.messages, "portions do not show in messages")
    expect(whole.code == inPortions.code, "nor in the refusal")
    _ = read(input.bytes)
  }

  private static func read(_ bytes: [UInt8]) -> SigV4.EventMessage? {
    guard let message = try? SigV4.EventMessage(decoding: bytes) else { return nil }
    expect(message.encoded == bytes, "a message has one encoding")
    return message
  }

  /// A message with right lengths and checksums, whatever its headers are.
  private static func frame(
    _ headers: ArraySlice<UInt8>, _ payload: ArraySlice<UInt8>
  ) -> [UInt8] {
    var frame = bigEndian(UInt32(headers.count + payload.count + 16))
    frame += bigEndian(UInt32(headers.count))
    frame += bigEndian(CRC32.checksum(of: frame)) + headers + payload
    return frame + bigEndian(CRC32.checksum(of: frame))
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] {
    CRC32.bigEndianBytes(of: number)
  }
}

extension [UInt8] {
  /// The messages of a stream that arrives in portions, and why it ends early.
  fileprivate func decoded(
    _ seed: Int
  ) -> (messages: [SigV4.EventMessage], code: SigV4.EventMessage.DecodingError.Code?) {
    var (decoder, messages) = (SigV4.EventDecoder(), [SigV4.EventMessage]())
    do throws(SigV4.EventMessage.DecodingError) {
      for portion in portions(seed) {
        decoder.append(portion)
        while let message = try decoder.next() { messages.append(message) }
      }
      return (messages, nil)
    } catch {
      return (messages, error.code)
    }
  }
}
