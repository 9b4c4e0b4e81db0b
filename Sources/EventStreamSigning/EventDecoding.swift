// SPDX-License-Identifier: Apache-2.0
// Decodes event streams: takes bytes in buffers of any size, and returns messages or an error.

internal import Checksums
public import RequestSigning
internal import SecureHashing

extension SigV4 {
  /// A decoder that splits a stream of bytes into event messages.
  ///
  ///     decoder.append(buffer)
  ///     while let message = try decoder.next() { use(message) }
  ///
  /// It stores the bytes that you haven't read as messages yet. If you read all messages before
  /// you append the next buffer, it stores at most that buffer and one message, which is at most
  /// 25,296,912 bytes.
  public struct EventDecoder: Sendable {
    private var buffer: [UInt8] = []

    /// The start of the next message.
    private var start = 0

    /// The error that ended decoding.
    private var failure: EventMessage.DecodingError?

    /// Creates a decoder for a new stream.
    public init() {}

    /// The number of stored bytes that aren't a complete message yet. It's 0 at the end of a
    /// complete stream.
    public var pendingByteCount: Int { buffer.count - start }

    /// Appends the next bytes of the stream. After an error, the bytes are discarded.
    public mutating func append(_ bytes: some Collection<UInt8>) {
      if failure != nil { return }
      buffer.removeFirst(start)
      start = 0
      buffer.append(contentsOf: bytes)
    }

    /// Returns the next message, or nil if it needs more bytes.
    ///
    /// - Throws: The errors of ``EventMessage/init(decoding:)`` except `incomplete`. Every later
    ///   call throws the same error, since the start of the next message is unknown.
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

extension SigV4.EventDecoder: Redacted {}

extension SigV4.EventDecoder: CustomStringConvertible {
  /// The number of pending bytes, without the bytes, which may be private.
  public var description: String { "event decoder with \(pendingByteCount) pending bytes" }
}

extension SigV4.EventMessage {
  /// Decodes a message from exactly its bytes.
  ///
  /// - Throws: `incomplete` if bytes are missing, and `invalidLength`, `preludeChecksumMismatch`,
  ///   `messageChecksumMismatch`, `invalidHeader` or `invalidText` if they aren't a message.
  public init(decoding bytes: some Collection<UInt8>) throws(DecodingError) {
    let message = Array(bytes)
    guard let prelude = try Prelude(startOf: message[...]),
      prelude.messageByteCount <= message.count
    else {
      throw DecodingError(
        .incomplete,
        "The \(message.count) bytes are only the beginning of an event message.",
        fix: "Pass the whole message, or use an EventDecoder, which waits for the rest.")
    }
    if prelude.messageByteCount < message.count {
      throw DecodingError(
        .invalidLength,
        "The event message ends after \(prelude.messageByteCount) of \(message.count) bytes.",
        fix: "Pass only one message, or use an EventDecoder, which splits them.")
    }
    try self.init(message[...], prelude)
  }

  /// Decodes a message from as many bytes as its prelude specifies.
  fileprivate init(_ message: ArraySlice<UInt8>, _ prelude: Prelude) throws(DecodingError) {
    var checksum = Reader(rest: message.suffix(4))
    if checksum.number(UInt32.self) != CRC32.checksum(of: message.dropLast(4)) {
      throw DecodingError(
        .messageChecksumMismatch,
        """
        The checksum of an event message of \(message.count) bytes is wrong, so it changed in \
        transit.
        """, fix: "Check the proxies in between, and don't use this stream anymore.")
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
          The event message has an invalid header at offset \(offset) of its \(fields.count) \
          header bytes: it's empty, of an unknown type or longer than the remaining bytes.
          """, fix: Self.checkSender)
      }
      headers.append(SigV4.EventHeader(checkedName: try Reader.text(name), value))
    }
    return headers
  }

  /// The fix for a message with a valid checksum.
  private static var checkSender: String { "Check the sender, since the checksum is valid." }

  /// The first 12 bytes: the length of the message, the length of its headers, and their checksum.
  fileprivate struct Prelude {
    let messageByteCount: Int
    let headersByteCount: Int

    /// Nil if there are fewer than 12 bytes. The lengths are used only after the checksum matches.
    init?(startOf bytes: ArraySlice<UInt8>) throws(DecodingError) {
      var reader = Reader(rest: bytes)
      guard let message = reader.number(UInt32.self), let headers = reader.number(UInt32.self),
        let checksum = reader.number(UInt32.self)
      else { return nil }
      if checksum != CRC32.checksum(of: bytes.prefix(8)) {
        throw DecodingError(
          .preludeChecksumMismatch,
          """
          These bytes aren't the beginning of an event message: the checksum of its lengths is \
          wrong.
          """, fix: "Check whether the response is an event stream, and where it changed.")
      }
      if headers > SigV4.EventMessage.maximumHeadersByteCount || message < headers + 16
        || message - headers - 16 > SigV4.EventMessage.maximumPayloadByteCount
      {
        throw DecodingError(
          .invalidLength,
          """
          The event message of \(message) bytes with \(headers) header bytes has an invalid \
          length. Headers are at most 131072 bytes, and the payload is at most 25165824 bytes.
          """, fix: "Check the sender.")
      }
      messageByteCount = Int(message)
      headersByteCount = Int(headers)
    }
  }

  /// Reads fields, and returns nil if bytes are missing.
  private struct Reader {
    var rest: ArraySlice<UInt8>

    mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
      let field = rest.prefix(count)
      if field.count < count { return nil }
      rest = rest.dropFirst(count)
      return field
    }

    /// The next big-endian number.
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

    /// A field with a two-byte length.
    private mutating func field() -> ArraySlice<UInt8>? {
      number(UInt16.self).flatMap { bytes(Int($0)) }
    }

    /// Decodes UTF-8. Invalid bytes would change if decoded and encoded again.
    static func text(_ bytes: ArraySlice<UInt8>) throws(DecodingError) -> String {
      let text = String(decoding: bytes, as: UTF8.self)
      if !text.utf8.elementsEqual(bytes) {
        throw DecodingError(
          .invalidText,
          "\(bytes.count) bytes of a header of the event message aren't valid UTF-8.",
          fix: SigV4.EventMessage.checkSender)
      }
      return text
    }
  }

  /// The reason that bytes aren't an event message.
  public struct DecodingError: Swift.Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error. New codes may be added. Include a default in a switch.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
      /// The code's name, as spelled here.
      public let name: String

      /// Bytes are missing at the end. Pass the whole message, or use an `EventDecoder`, which
      /// waits for the rest.
      public static let incomplete = Code(name: "incomplete")
      /// The lengths are inconsistent, or exceed the limits of the format. Check the sender, and
      /// use an `EventDecoder` for several messages.
      public static let invalidLength = Code(name: "invalidLength")
      /// The first 12 bytes changed in transit, or don't begin an event message. Check whether the
      /// response is an event stream, and where it changed.
      public static let preludeChecksumMismatch = Code(name: "preludeChecksumMismatch")
      /// The message changed in transit. Check the proxies in between, and don't use the stream
      /// anymore.
      public static let messageChecksumMismatch = Code(name: "messageChecksumMismatch")
      /// A header is empty, of an unknown type or longer than the remaining bytes. Check the
      /// sender, since the checksum is valid.
      public static let invalidHeader = Code(name: "invalidHeader")
      /// A header name or string isn't valid UTF-8. Check the sender, since the checksum is valid.
      public static let invalidText = Code(name: "invalidText")

      /// The code's name.
      public var description: String { name }
    }

    /// The kind of error.
    public let code: Code

    /// What's wrong, without the fix.
    public let problem: String

    /// How to fix it.
    public let fix: String

    /// The problem and its fix.
    public var message: String { problem + " " + fix }

    /// The code and the message.
    public var description: String { code.name + ": " + message }

    fileprivate init(_ code: Code, _ problem: String, fix: String) {
      self.code = code
      self.problem = problem
      self.fix = fix
    }
  }
}
