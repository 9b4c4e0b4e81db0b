// SPDX-License-Identifier: Apache-2.0
// Hostile bytes instead of event messages: each is rejected with its code, and nothing traps.

internal import SigningTestSupport
internal import EventStreamSigning
internal import RequestSigning
internal import TestSupport
internal import Testing

/// Expects a DecodingError of this code whose message is fit for people.
func expectEventRefusal<Result>(
  _ code: SigV4.EventMessage.DecodingError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Result
) {
  let error = #expect(
    throws: SigV4.EventMessage.DecodingError.self, sourceLocation: sourceLocation
  ) { _ = try body() }
  guard let error else { return }
  #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
  #expect(error.description == error.code.name + ": " + error.message)
  let problems = problems(of: error.problem, error.fix, showing: nil, hiding: [])
  #expect(problems.isEmpty, "\(error.message)", sourceLocation: sourceLocation)
}

@Suite("Refusals: event messages")
struct EventMessageRefusalTests {
  typealias Code = SigV4.EventMessage.DecodingError.Code

  func example() throws -> [UInt8] {
    try VectorTable(named: "event-messages-published.txt").record(named: "all headers")
      .hexadecimal("encoded")
  }

  @Test("A beginning is incomplete, and a decoder waits for the rest")
  func truncated() throws {
    let message = try example()
    for count in 0..<message.count {
      expectEventRefusal(.incomplete) { try SigV4.EventMessage(decoding: message.prefix(count)) }
      var decoder = SigV4.EventDecoder()
      decoder.append(message.prefix(count))
      #expect(try decoder.next() == nil)
      #expect(decoder.pendingByteCount == count)
    }
    expectEventRefusal(.invalidLength) { try SigV4.EventMessage(decoding: message + [0]) }
  }

  @Test("Any changed byte is found, and a decoder stops there")
  func changed() throws {
    let message = try example()
    for position in message.indices {
      for change in [1, 0x80, 0xFF] as [UInt8] {
        var bytes = message
        bytes[position] ^= change
        let code: Code = position < 12 ? .preludeChecksumMismatch : .messageChecksumMismatch
        expectEventRefusal(code) { try SigV4.EventMessage(decoding: bytes) }
        var decoder = SigV4.EventDecoder()
        decoder.append(bytes)
        expectEventRefusal(code) { try decoder.next() }
        decoder.append(message)
        expectEventRefusal(code) { try decoder.next() }
      }
    }
  }

  /// Source: Smithy 2.0, "Amazon Event Stream Specification": at most 128 KiB and 24 MiB, which are
  /// also botocore's (eventstream.py, `_MAX_HEADERS_LENGTH` and `_MAX_PAYLOAD_LENGTH`).
  @Test("Impossible lengths are rejected as soon as they're read")
  func lengths() {
    let lengths: [(UInt32, UInt32)] = [
      (0, 0), (15, 0), (16, 1), (31, 16), (16, .max), (.max, .max), (.max, 0), (20, .max - 15),
      (16 + 131_073, 131_073), (16 + 25_165_825, 0),
    ]
    for (message, headers) in lengths {
      let prelude = Self.prelude(message, headers)
      var decoder = SigV4.EventDecoder()
      decoder.append(prelude)
      expectEventRefusal(.invalidLength) { try decoder.next() }
      expectEventRefusal(.invalidLength) {
        try SigV4.EventMessage(decoding: prelude + [0, 0, 0, 0])
      }
    }
    let largest = Self.prelude(16 + 131_072 + 25_165_824, 131_072)
    expectEventRefusal(.incomplete) { try SigV4.EventMessage(decoding: largest) }
  }

  @Test("Headers that are too long, empty or of an unknown type are rejected")
  func headers() throws {
    let wrong: [[UInt8]] = [
      [0], [0, 0], [1], [1, 0x61], [1, 0x61, 10], [1, 0x61, 255], [1, 0x61, 2], [1, 0x61, 3, 0],
      [1, 0x61, 4, 0, 0, 0], [1, 0x61, 5, 0, 0, 0, 0, 0, 0, 0], [1, 0x61, 6], [1, 0x61, 6, 0],
      [1, 0x61, 6, 0, 1], [1, 0x61, 7, 0xFF, 0xFF, 0], [1, 0x61, 8, 0, 0, 0, 0, 0, 0, 0],
      [1, 0x61, 9] + [UInt8](repeating: 0, count: 15), [255, 0x61, 0], [1, 0x61, 0, 1],
    ]
    for headers in wrong {
      expectEventRefusal(.invalidHeader) {
        try SigV4.EventMessage(decoding: Self.message(headers))
      }
    }
    let noText: [[UInt8]] = [
      [1, 0xFF, 0], [1, 0x61, 7, 0, 1, 0x80], [1, 0x61, 7, 0, 3, 0xED, 0xA0, 0x80],
      [2, 0xC0, 0x80, 0],
    ]
    for headers in noText {
      expectEventRefusal(.invalidText) {
        try SigV4.EventMessage(decoding: Self.message(headers))
      }
    }
    #expect(try SigV4.EventMessage(decoding: Self.message([1, 0x61, 0])).headers.count == 1)
  }

  @Test("Contents, which may be private, aren't shown by descriptions, mirrors and errors")
  func contents() throws {
    let message = try SigV4.EventMessage(
      headers: [SigV4.EventHeader("a", .string("hush"))], payload: "hush".utf8)
    var decoder = SigV4.EventDecoder()
    decoder.append(message.encoded)
    for value in [message, decoder] as [Any] {
      var text = "\(value)"
      dump(value, to: &text)
      #expect(!text.contains("hush") && !text.contains("104"), "\(text)")
    }
    let noText: [UInt8] = [1, 0x61, 7, 0, 5] + "hush".utf8 + [0x80]
    let error = #expect(throws: SigV4.EventMessage.DecodingError.self) {
      try SigV4.EventMessage(decoding: Self.message(noText))
    }
    #expect(error?.problem == "5 bytes of a header of the event message aren't valid UTF-8.")
  }

  @Test("Random headers under right checksums are rejected, or encode to the same bytes again")
  func randomHeaders() throws {
    var generator = Xorshift64(seed: 0xFEDC_BA98_7654_3211)
    var decodedCount = 0
    for _ in 0..<5_000 {
      var headers = generator.bytes(generator.size(upTo: 24))
      for index in headers.indices where generator.size(upTo: 3) > 0 { headers[index] &= 0x0F }
      let bytes = Self.message(headers)
      guard let message = try? SigV4.EventMessage(decoding: bytes) else { continue }
      decodedCount += 1
      if message.encoded != bytes { Issue.record("\(headers)") }
    }
    #expect(decodedCount > 100)
  }

  @Test("Random bytes are no message")
  func garbage() {
    var generator = Xorshift64(seed: 0x0F1E_2D3C_4B5A_6978)
    for count in 12..<300 {
      let bytes = generator.bytes(count)
      var decoder = SigV4.EventDecoder()
      decoder.append(bytes)
      expectEventRefusal(.preludeChecksumMismatch) { try decoder.next() }
    }
  }

  /// A message with these bytes as headers, and checksums that are right.
  static func message(_ headers: [UInt8]) -> [UInt8] {
    let message = prelude(UInt32(16 + headers.count), UInt32(headers.count)) + headers
    return message + bigEndian(checksum(message))
  }

  static func prelude(_ message: UInt32, _ headers: UInt32) -> [UInt8] {
    let lengths = bigEndian(message) + bigEndian(headers)
    return lengths + bigEndian(checksum(lengths))
  }

  static func bigEndian(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// CRC-32 by long division of the whole message, bit by bit: slow, and unlike the library's.
  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var bits: [Bool] = []
    for byte in bytes { for place in 0..<8 { bits.append(byte >> UInt8(place) & 1 == 1) } }
    bits += Array(repeating: false, count: 32)
    for index in 0..<32 { bits[index].toggle() }
    let divisor: [Int] = [0, 6, 9, 10, 16, 20, 21, 22, 24, 25, 27, 28, 30, 31, 32]
    for index in 0..<(bits.count - 32) where bits[index] {
      for term in divisor { bits[index + term].toggle() }
    }
    // The remainder's highest power is the lowest bit of the checksum.
    let remainder = bits.suffix(32).reversed().reduce(UInt32(0)) { $0 << 1 | ($1 ? 1 : 0) }
    return ~remainder
  }
}
