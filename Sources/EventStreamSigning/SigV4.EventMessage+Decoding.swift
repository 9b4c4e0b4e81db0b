// SPDX-License-Identifier: Apache-2.0
// Bytes of whatever origin as an event message, or why they are none.

public import RequestSigning
internal import SecureHashing
internal import SigningSupport

extension SigV4.EventMessage {
  /// The message that exactly these bytes encode.
  ///
  /// Throws `incomplete` when bytes are missing, and `invalidLength`, `preludeChecksumMismatch`,
  /// `messageChecksumMismatch`, `invalidHeader` or `invalidText` when they are no message.
  public init(decoding bytes: some Collection<UInt8>) throws(DecodingError) {
    let message = Array(bytes)
    guard let prelude = try Prelude(startOf: message[...]),
      prelude.messageByteCount <= message.count
    else {
      throw DecodingError(
        .incomplete,
        """
        the \(message.count) bytes are the beginning of an event message only; give all of it, or \
        use an EventDecoder, which waits for the rest
        """)
    }
    if prelude.messageByteCount < message.count {
      throw DecodingError(
        .invalidLength,
        """
        the event message ends after \(prelude.messageByteCount) of \(message.count) bytes; give \
        one message only, or use an EventDecoder, which divides them
        """)
    }
    try self.init(message[...], prelude)
  }

  /// The message in exactly the bytes that its prelude names.
  init(_ message: ArraySlice<UInt8>, _ prelude: Prelude) throws(DecodingError) {
    var reader = Reader(rest: message.dropLast(4))
    var checksum = Reader(rest: message.suffix(4))
    if checksum.number(UInt32.self) != CRC32.checksum(of: message.dropLast(4)) {
      throw DecodingError(
        .messageChecksumMismatch,
        """
        the checksum of an event message of \(message.count) bytes is wrong: it was changed on the \
        way; look for what lies between, and do not use the stream any more
        """)
    }
    _ = reader.bytes(Prelude.byteCount)
    let fields = reader.bytes(prelude.headersByteCount) ?? []
    self.init(checkedHeaders: try Self.headers(fields), payload: Array(reader.rest))
  }

  static func headers(
    _ fields: ArraySlice<UInt8>
  ) throws(DecodingError) -> [SigV4.EventHeader] {
    var headers: [SigV4.EventHeader] = []
    var reader = Reader(rest: fields)
    while !reader.rest.isEmpty {
      let offset = reader.rest.startIndex &- fields.startIndex
      guard let length = reader.number(UInt8.self), length > 0,
        let name = reader.bytes(Int(length)), let type = reader.number(UInt8.self),
        let value = try reader.value(ofType: type)
      else {
        throw DecodingError(
          .invalidHeader,
          """
          the event message has a header at offset \(offset) of its \(fields.count) bytes of \
          headers that is empty, of an unknown type or longer than they are; look at the sender, \
          since the checksum is right
          """)
      }
      headers.append(SigV4.EventHeader(checkedName: try Reader.text(name), value))
    }
    return headers
  }
}

extension SigV4.EventMessage {
  /// The first 12 bytes: the length of the message, of its headers, and a checksum of the two.
  struct Prelude {
    let messageByteCount: Int
    let headersByteCount: Int

    static var byteCount: Int { 12 }

    /// Nil when there are fewer than 12 bytes. No length is believed before its checksum.
    init?(startOf bytes: ArraySlice<UInt8>) throws(DecodingError) {
      var reader = Reader(rest: bytes)
      guard let message = reader.number(UInt32.self), let headers = reader.number(UInt32.self),
        let checksum = reader.number(UInt32.self)
      else { return nil }
      if checksum != CRC32.checksum(of: bytes.prefix(8)) {
        throw DecodingError(
          .preludeChecksumMismatch,
          """
          the checksum of an event message's lengths is wrong: these bytes are not the beginning \
          of a message; look whether the response is an event stream, and where it was changed
          """)
      }
      let (payload, isShorter) = message.subtractingReportingOverflow(headers &+ 16)
      if headers > UInt32(SigV4.EventMessage.maximumHeadersByteCount) || isShorter
        || payload > UInt32(SigV4.EventMessage.maximumPayloadByteCount)
      {
        throw DecodingError(
          .invalidLength,
          """
          an event message of \(message) bytes with \(headers) bytes of headers cannot be: headers \
          have at most 131072 bytes and the payload 16777216; look at the sender
          """)
      }
      messageByteCount = Int(message)
      headersByteCount = Int(headers)
    }
  }

  /// Reads what is there, and gives nil for what is not.
  struct Reader {
    var rest: ArraySlice<UInt8>

    mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
      let field = rest.prefix(count)
      if field.count < count { return nil }
      rest = rest.dropFirst(count)
      return field
    }

    /// The next number, its highest byte first.
    mutating func number<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
      guard let field = bytes(Number.bitWidth / 8) else { return nil }
      var bits: UInt64 = 0
      for byte in field { bits = bits &<< 8 | UInt64(byte) }
      return Number(truncatingIfNeeded: bits)
    }

    mutating func value(
      ofType type: UInt8
    ) throws(DecodingError) -> SigV4.EventHeader.Value? {
      switch type {
      case 0: return .boolTrue
      case 1: return .boolFalse
      case 2: return number(Int8.self).map { .byte($0) }
      case 3: return number(Int16.self).map { .short($0) }
      case 4: return number(Int32.self).map { .int($0) }
      case 5: return number(Int64.self).map { .long($0) }
      case 6: return field().map { .bytes(Array($0)) }
      case 7:
        guard let field = field() else { return nil }
        return .string(try Self.text(field))
      case 8: return number(Int64.self).map { .timestamp(milliseconds: $0) }
      case 9:
        guard let high = number(UInt64.self), let low = number(UInt64.self) else { return nil }
        return .uuid(high: high, low: low)
      default: return nil
      }
    }

    /// Two bytes that say how many follow, and these.
    mutating func field() -> ArraySlice<UInt8>? {
      number(UInt16.self).flatMap { bytes(Int($0)) }
    }

    /// Text is what stays the same when it is decoded and encoded again.
    static func text(_ bytes: ArraySlice<UInt8>) throws(DecodingError) -> String {
      let text = String(decoding: bytes, as: UTF8.self)
      if !text.utf8.elementsEqual(bytes) {
        throw DecodingError(
          .invalidText,
          """
          a header of the event message has a text that is no UTF-8, \(UTF8Text.quoted(bytes)); look \
          at the sender, since the checksum is right
          """)
      }
      return text
    }
  }
}

extension SigV4.EventMessage {
  /// Why bytes are no event message.
  public struct DecodingError: Swift.Error, Sendable, CustomStringConvertible {
    /// What is wrong; more codes may come.
    public struct Code: Hashable, Sendable {
      let value: UInt8

      /// Bytes are missing at the end.
      public static var incomplete: Code { Code(value: 1) }
      /// The lengths contradict each other, or are more than the format allows.
      public static var invalidLength: Code { Code(value: 2) }
      /// The first 12 bytes were changed, or are no event message.
      public static var preludeChecksumMismatch: Code { Code(value: 3) }
      /// The message was changed.
      public static var messageChecksumMismatch: Code { Code(value: 4) }
      /// A header is empty, of an unknown type, or does not fit.
      public static var invalidHeader: Code { Code(value: 5) }
      /// A name or a string is no UTF-8.
      public static var invalidText: Code { Code(value: 6) }
    }

    /// What is wrong.
    public let code: Code

    /// What is wrong, why it matters and what to do, for people.
    public let message: String

    /// The message.
    public var description: String { message }

    init(_ code: Code, _ message: String) {
      self.code = code
      self.message = message
    }
  }
}
