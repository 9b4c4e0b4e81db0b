// SPDX-License-Identifier: Apache-2.0
// Event messages: headers of ten types and a payload, with lengths and checksums.

internal import Checksums
// `import EventStreamSigning` also imports `SigV4.Signer`.
@_exported public import RequestSigning
internal import SecureHashing

extension SigV4 {
  /// A message of an event stream (`application/vnd.amazon.eventstream`).
  ///
  /// Source: Smithy 2.0, "Amazon Event Stream Specification".
  public struct EventMessage: Hashable, Sendable {
    /// The headers in order. A name may be repeated.
    public let headers: [EventHeader]

    /// The payload.
    public let payload: [UInt8]

    /// Creates a message.
    ///
    /// - Throws: `invalidEventMessage` if the headers exceed 131,072 bytes or the payload exceeds
    ///   25,165,824 bytes.
    public init(
      headers: [EventHeader] = [], payload: some Collection<UInt8> = []
    ) throws(SigningError) {
      let headersByteCount = headers.reduce(0) { $0 + $1.encoded.count }
      if headersByteCount > Self.maximumHeadersByteCount {
        throw SigningError(
          .invalidEventMessage,
          """
          The event headers must be at most \(Self.maximumHeadersByteCount) bytes, not \
          \(headersByteCount).
          """, fix: "Put long values in the payload.")
      }
      if payload.count > Self.maximumPayloadByteCount {
        throw SigningError(
          .invalidEventMessage,
          """
          The event payload must be at most \(Self.maximumPayloadByteCount) bytes, not \
          \(payload.count).
          """, fix: "Send it in several events.")
      }
      self.init(checkedHeaders: headers, payload: Array(payload))
    }

    init(checkedHeaders headers: [EventHeader], payload: [UInt8]) {
      self.headers = headers
      self.payload = payload
    }

    /// Returns the value of the first header with this name, compared byte by byte, or nil.
    public func value(named name: String) -> EventHeader.Value? {
      headers.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// The encoded message to send: prelude, headers, payload, checksum.
    public var encoded: [UInt8] {
      let fields = headers.flatMap { $0.encoded }
      var bytes: [UInt8] = []
      bytes.reserveCapacity(16 + fields.count + payload.count)
      // The initializer checked that the lengths fit.
      bytes.append(bigEndian: UInt32(truncatingIfNeeded: 16 + fields.count + payload.count))
      bytes.append(bigEndian: UInt32(truncatingIfNeeded: fields.count))
      bytes.append(bigEndian: CRC32.checksum(of: bytes))
      bytes += fields
      bytes += payload
      bytes.append(bigEndian: CRC32.checksum(of: bytes))
      return bytes
    }

    static let maximumHeadersByteCount = 131_072
    static let maximumPayloadByteCount = 25_165_824
  }
}

extension SigV4.EventHeader: Redacted {}

extension SigV4.EventMessage: Redacted {}

extension SigV4.EventMessage: CustomStringConvertible {
  /// The number of headers and the payload size, without the contents, which may be private.
  public var description: String {
    "event message with \(headers.count) headers and \(payload.count) bytes"
  }
}

extension SigV4 {
  /// An event message header: a name and a typed value.
  ///
  /// Source: Smithy 2.0, "Amazon Event Stream Specification", "Headers".
  public struct EventHeader: Sendable, CustomStringConvertible {
    /// The name, such as ":event-type".
    public let name: String

    /// The typed value.
    public let value: Value

    /// The name, without the value, which may be private.
    public var description: String { "EventHeader(\(name))" }

    /// A value of one of the format's ten types.
    public enum Value: Sendable {
      /// True, without a value byte.
      case boolTrue
      /// False, without a value byte.
      case boolFalse
      /// A signed one-byte integer.
      case byte(Int8)
      /// A signed two-byte integer.
      case short(Int16)
      /// A signed four-byte integer.
      case int(Int32)
      /// A signed eight-byte integer.
      case long(Int64)
      /// Up to 32,767 bytes.
      case bytes([UInt8])
      /// Up to 32,767 bytes of UTF-8.
      case string(String)
      /// Milliseconds since 1970-01-01T00:00:00Z.
      case timestamp(milliseconds: Int64)
      /// 16 bytes: the first eight and the last eight, big-endian.
      case uuid(high: UInt64, low: UInt64)
    }

    /// Creates a header.
    ///
    /// - Throws: `invalidEventMessage` unless the name is 1 to 255 bytes of UTF-8 and the value at
    ///   most 32,767 bytes.
    public init(_ name: String, _ value: Value) throws(SigningError) {
      if name.isEmpty || name.utf8.count > 255 {
        throw SigningError(
          .invalidEventMessage,
          "An event header name must be 1 to 255 bytes, not \(name.utf8.count): \(quoted: name).",
          fix: "Use a name of 1 to 255 bytes.")
      }
      if value.byteCount > 32_767 {
        throw SigningError(
          .invalidEventMessage,
          """
          The value of event header \(quoted: name) must be at most 32767 bytes, not \
          \(value.byteCount).
          """, fix: "Put longer values in the payload.")
      }
      self.init(checkedName: name, value)
    }

    init(checkedName name: String, _ value: Value) {
      self.name = name
      self.value = value
    }

    /// The encoded header: name length, name, type, value.
    var encoded: [UInt8] {
      [UInt8(truncatingIfNeeded: name.utf8.count)] + name.utf8 + value.encoded
    }
  }
}

// Values are equal if their encodings are. Unicode treats more strings as equal.

extension SigV4.EventHeader: Hashable {
  /// Returns whether two headers have the same encoding.
  public static func == (left: Self, right: Self) -> Bool { left.encoded == right.encoded }

  /// Feeds the encoded header to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(encoded) }
}

extension SigV4.EventHeader.Value: Hashable {
  /// Returns whether two values have the same type and encoding.
  public static func == (left: Self, right: Self) -> Bool { left.encoded == right.encoded }

  /// Feeds the encoded value to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(encoded) }

  /// The size of a value with a variable length, or 0.
  fileprivate var byteCount: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .string(let text): text.utf8.count
    case .boolTrue, .boolFalse, .byte, .short, .int, .long, .timestamp, .uuid: 0
    }
  }

  /// The type and the value.
  fileprivate var encoded: [UInt8] {
    switch self {
    case .boolTrue: [0]
    case .boolFalse: [1]
    case .byte(let number): [2, UInt8(bitPattern: number)]
    case .short(let number): [3] + .bigEndian(number)
    case .int(let number): [4] + .bigEndian(number)
    case .long(let number): [5] + .bigEndian(number)
    case .bytes(let bytes): [6] + .bigEndian(UInt16(truncatingIfNeeded: bytes.count)) + bytes
    case .string(let text):
      [7] + .bigEndian(UInt16(truncatingIfNeeded: text.utf8.count)) + Array(text.utf8)
    case .timestamp(let milliseconds): [8] + .bigEndian(milliseconds)
    case .uuid(let high, let low): [9] + .bigEndian(high) + .bigEndian(low)
    }
  }
}

extension [UInt8] {
  /// The big-endian bytes of a number.
  fileprivate static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    unsafe Swift.withUnsafeBytes(of: number.bigEndian) { unsafe Array($0) }
  }

  fileprivate mutating func append(bigEndian number: some FixedWidthInteger) {
    self += .bigEndian(number)
  }
}

/// Errors of event messages.
extension SigV4.SigningError.Code {
  /// A part of the event message is empty or too long. Put long values in the payload or in several
  /// events, and end the stream with `finish` instead of an empty event.
  public static var invalidEventMessage: Self { Self(name: "invalidEventMessage") }
}
