// SPDX-License-Identifier: Apache-2.0
// An event stream as it is received: bytes in, in any portions, messages out, or why there are none.

public import RequestSigning
internal import SecureHashing
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
    private var buffer: [UInt8] = []

    /// Where the next message begins.
    private var start = 0

    /// Why the stream cannot be read any further.
    private var failure: EventMessage.DecodingError?

    /// A stream before its first byte.
    public init() {}

    /// How many bytes wait for the rest of their message: 0 when a stream ends as it should.
    public var pendingByteCount: Int { buffer.count - start }

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
        start += prelude.messageByteCount
        return message
      } catch {
        failure = error
        throw error
      }
    }
  }
}

extension SigV4.EventMessage {
  /// The message that exactly these bytes encode.
  ///
  /// Throws `incomplete` when bytes are missing, and `invalidLength`, `preludeChecksumMismatch`,
  /// `messageChecksumMismatch`, `invalidHeader` or `invalidText` when they are not a message.
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
  fileprivate init(_ message: ArraySlice<UInt8>, _ prelude: Prelude) throws(DecodingError) {
    var checksum = Reader(rest: message.suffix(4))
    if checksum.number(UInt32.self) != CRC32.checksum(of: message.dropLast(4)) {
      throw DecodingError(
        .messageChecksumMismatch,
        """
        the checksum of an event message of \(message.count) bytes is wrong: it was changed on the \
        way; look for what lies between, and do not use the stream any more
        """)
    }
    let content = message.dropFirst(12).dropLast(4)
    self.init(
      checkedHeaders: try Self.headers(content.prefix(prelude.headersByteCount)),
      payload: Array(content.dropFirst(prelude.headersByteCount)))
  }

  private static func headers(
    _ fields: ArraySlice<UInt8>
  ) throws(DecodingError) -> [SigV4.EventHeader] {
    var headers: [SigV4.EventHeader] = []
    var reader = Reader(rest: fields)
    while !reader.rest.isEmpty {
      let offset = reader.rest.startIndex - fields.startIndex
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

  /// The first 12 bytes: the length of the message, of its headers, and a checksum of the two.
  fileprivate struct Prelude {
    let messageByteCount: Int
    let headersByteCount: Int

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
          of a message; check whether the response is an event stream, and where it was changed
          """)
      }
      if headers > SigV4.EventMessage.maximumHeadersByteCount || message < headers + 16
        || message - headers - 16 > SigV4.EventMessage.maximumPayloadByteCount
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
  private struct Reader {
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
      return Number(truncatingIfNeeded: field.reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
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
    private mutating func field() -> ArraySlice<UInt8>? {
      number(UInt16.self).flatMap { bytes(Int($0)) }
    }

    /// Text is what stays the same when it is decoded and encoded again.
    static func text(_ bytes: ArraySlice<UInt8>) throws(DecodingError) -> String {
      let text = String(decoding: bytes, as: UTF8.self)
      if !text.utf8.elementsEqual(bytes) {
        throw DecodingError(
          .invalidText,
          """
          a header of the event message has a text that is not UTF-8, \(UTF8Text.quoted(bytes)); \
          look at the sender, since the checksum is right
          """)
      }
      return text
    }
  }

  /// Why bytes are not an event message.
  public struct DecodingError: Swift.Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong; more codes may come.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
      /// The name of the code, as it is spelled here.
      public let name: String

      /// Bytes are missing at the end. Give all of it, or use an `EventDecoder`, which waits for
      /// the rest.
      public static let incomplete = Code(name: "incomplete")
      /// The lengths contradict each other, or are more than the format allows. Look at the sender;
      /// for several messages use an `EventDecoder`.
      public static let invalidLength = Code(name: "invalidLength")
      /// The first 12 bytes were changed, or do not begin an event message. Check whether the
      /// response is an event stream, and where it was changed.
      public static let preludeChecksumMismatch = Code(name: "preludeChecksumMismatch")
      /// The message was changed. Look for what lies between, and do not use the stream any more.
      public static let messageChecksumMismatch = Code(name: "messageChecksumMismatch")
      /// A header is empty, of an unknown type, or does not fit. Look at the sender, since the
      /// checksum is right.
      public static let invalidHeader = Code(name: "invalidHeader")
      /// A name or a string is not UTF-8. Look at the sender, since the checksum is right.
      public static let invalidText = Code(name: "invalidText")

      /// The name of the code.
      public var description: String { name }
    }

    /// What is wrong.
    public let code: Code

    /// What is wrong, in one sentence.
    public let problem: String

    /// How to fix it.
    public let fix: String

    /// The problem and its fix.
    public var message: String { problem + " " + fix }

    /// The code and the message.
    public var description: String { code.name + ": " + message }

    fileprivate init(_ code: Code, _ problem: String, fix: String = "") {
      self.code = code
      self.problem = problem
      self.fix = fix
    }
  }
}
