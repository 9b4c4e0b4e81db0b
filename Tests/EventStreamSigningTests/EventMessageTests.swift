// SPDX-License-Identifier: Apache-2.0
// Event messages both ways: published ones, generated ones, and bytes that are none.

internal import SigningTestSupport
internal import EventStreamSigning
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Event messages")
struct EventMessageTests {
  /// Published and generated messages, without rejected records and streams.
  static func messages() throws -> [VectorRecord] {
    let tables = ["event-messages-published.txt", "event-streams.txt"]
    return try tables.flatMap { try VectorTable(named: $0).records }
      .filter { try $0.optionalText("encoded") != nil && $0.optionalText("refusal") == nil }
  }

  static func refused() throws -> [VectorRecord] {
    try VectorTable(named: "event-messages-published.txt").records
      .filter { try $0.optionalText("refusal") != nil }
  }

  @Test("No message is missing, and every type of header occurs")
  func count() throws {
    let messages = try Self.messages()
    #expect(messages.count == 65)
    #expect(try Self.refused().count == 4)
    let types = try messages.flatMap { try $0.texts("header") }.compactMap(\.first)
    #expect(Set(types) == Set("0123456789"))
  }

  @Test("A message is encoded and decoded as elsewhere")
  func bothWays() throws {
    try EventMessageTests.messages().forEachCase { vector in
      let isPublished = vector.name.hasPrefix("message ") == false
      let payload = try isPublished ? vector.bytes("payload") : vector.hexadecimal("payload")
      let message = try SigV4.EventMessage(headers: vector.eventHeaders(), payload: payload)
      let encoded = try vector.hexadecimal("encoded")
      #expect(message.encoded == encoded, "\(vector)")
      let decoded = try SigV4.EventMessage(decoding: encoded)
      #expect(decoded == message, "\(vector)")
      #expect(decoded.headers.map(\.name) == message.headers.map(\.name), "\(vector)")
      #expect(decoded.headers.map(\.value) == message.headers.map(\.value), "\(vector)")
      #expect(decoded.payload == payload, "\(vector)")
      for name in Set(message.headers.map(\.name)) {
        #expect(
          decoded.value(named: name) == message.headers.first { $0.name == name }?.value,
          "\(vector)")
      }
      #expect(decoded.value(named: "no such name") == nil, "\(vector)")
    }
  }

  @Test("A message that was changed is rejected")
  func changed() throws {
    try EventMessageTests.refused().forEachCase { vector in
      let code: SigV4.EventMessage.DecodingError.Code =
        try vector.text("refusal") == "Prelude checksum mismatch"
        ? .preludeChecksumMismatch : .messageChecksumMismatch
      expectEventRefusal(code) {
        try SigV4.EventMessage(decoding: vector.hexadecimal("encoded"))
      }
    }
  }

  @Test("A stream is divided into its messages, in any portions")
  func stream() throws {
    let encoded = try Self.messages().map { try $0.hexadecimal("encoded") }
    let stream = encoded.flatMap { $0 }
    var generator = Xorshift64(seed: 0x0123_4567_89AB_CDEF)
    for largest in [1, 2, 13, 100, 5_000, 100_000] as [UInt64] {
      var decoder = SigV4.EventDecoder()
      var rest = stream[...]
      var messages: [SigV4.EventMessage] = []
      while !rest.isEmpty {
        let portion = 1 + generator.size(upTo: largest - 1)
        decoder.append(rest.prefix(portion))
        rest = rest.dropFirst(portion)
        while let message = try decoder.next() { messages.append(message) }
      }
      #expect(decoder.pendingByteCount == 0)
      #expect(messages.map(\.encoded) == encoded)
    }
  }

  @Test("A value that doesn't fit into its field is rejected")
  func tooLong() throws {
    expectRefusal(.invalidEventMessage) { try SigV4.EventHeader("", .boolTrue) }
    let name = String(repeating: "é", count: 128)
    expectRefusal(.invalidEventMessage) { try SigV4.EventHeader(name, .boolTrue) }
    expectRefusal(.invalidEventMessage) {
      try SigV4.EventHeader("a", .bytes(.init(repeating: 0, count: 32_768)))
    }
    expectRefusal(.invalidEventMessage) {
      try SigV4.EventHeader("a", .string(String(repeating: "a", count: 32_768)))
    }
    let large = try SigV4.EventHeader("a", .bytes(.init(repeating: 0, count: 32_763)))
    let most = try SigV4.EventMessage(headers: Array(repeating: large, count: 4))
    #expect(try SigV4.EventMessage(decoding: most.encoded) == most)
    expectRefusal(.invalidEventMessage) {
      try SigV4.EventMessage(
        headers: Array(repeating: large, count: 4) + [SigV4.EventHeader("a", .boolTrue)])
    }
    expectRefusal(.invalidEventMessage) {
      try SigV4.EventMessage(payload: repeatElement(0, count: 25_165_825))
    }
  }
}

extension VectorRecord {
  /// Headers of an event message, each written `type name=value`.
  func eventHeaders() throws -> [SigV4.EventHeader] {
    try texts("header").map { line in
      let type = try #require(line.first?.wholeNumberValue)
      let parts = line.dropFirst(2).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      return try SigV4.EventHeader(name, Self.eventValue(type, String(parts[1])))
    }
  }

  private static func eventValue(_ type: Int, _ text: String) throws -> SigV4.EventHeader.Value {
    let bytes = stride(from: 0, to: text.count - 1, by: 2).compactMap { offset in
      UInt8(text.dropFirst(offset).prefix(2), radix: 16)
    }
    switch type {
    case 0: return .boolTrue
    case 1: return .boolFalse
    case 2: return .byte(try #require(Int8(text)))
    case 3: return .short(try #require(Int16(text)))
    case 4: return .int(try #require(Int32(text)))
    case 5: return .long(try #require(Int64(text)))
    case 6: return .bytes(bytes)
    case 7: return .string(text)
    case 8: return .timestamp(milliseconds: try #require(Int64(text)))
    default:
      let high = try #require(UInt64(text.prefix(16), radix: 16))
      return .uuid(high: high, low: try #require(UInt64(text.suffix(16), radix: 16)))
    }
  }
}
