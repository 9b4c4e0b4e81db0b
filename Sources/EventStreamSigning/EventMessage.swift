// SPDX-License-Identifier: Apache-2.0
// An event message: headers of ten types and a payload, between lengths and checksums.

// A user who writes `import EventStreamSigning` finds `SigV4.Signer` too.
@_exported public import RequestSigning
internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// A message of an event stream (`application/vnd.amazon.eventstream`).
  ///
  /// Source: Smithy 2.0, "Amazon Event Stream Specification".
  public struct EventMessage: Hashable, Sendable {
    /// The headers in order. A name may be repeated.
    public let headers: [EventHeader]

    /// The payload.
    public let payload: [UInt8]

    /// A message.
    ///
    /// Throws `invalidEventMessage` when the headers have more than 131,072 bytes or the payload more
    /// than 16,777,216.
    public init(
      headers: [EventHeader] = [], payload: some Collection<UInt8> = []
    ) throws(SigningError) {
      let headersByteCount = headers.reduce(0) { $0 + $1.encoded.count }
      if headersByteCount > Self.maximumHeadersByteCount {
        throw SigningError(
          .invalidEventMessage,
          """
          the headers of the event have \(headersByteCount) bytes, and a receiver takes at most \
          \(Self.maximumHeadersByteCount); put what is long into the payload
          """)
      }
      if payload.count > Self.maximumPayloadByteCount {
        throw SigningError(
          .invalidEventMessage,
          """
          the payload of the event has \(payload.count) bytes, and a receiver takes at most \
          \(Self.maximumPayloadByteCount); give it in several events
          """)
      }
      self.init(checkedHeaders: headers, payload: Array(payload))
    }

    init(checkedHeaders headers: [EventHeader], payload: [UInt8]) {
      self.headers = headers
      self.payload = payload
    }

    /// The value of the first header of a name, which is compared byte by byte; nil without one.
    public func value(named name: String) -> EventHeader.Value? {
      headers.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// The message as it is sent: prelude, headers, payload, checksum.
    public var encoded: [UInt8] {
      let fields = headers.flatMap { $0.encoded }
      var bytes: [UInt8] = []
      bytes.reserveCapacity(16 + fields.count + payload.count)
      // The initialiser made sure that lengths fit into their fields.
      bytes.append(bigEndian: UInt32(truncatingIfNeeded: 16 + fields.count + payload.count))
      bytes.append(bigEndian: UInt32(truncatingIfNeeded: fields.count))
      bytes.append(bigEndian: CRC32.checksum(of: bytes))
      bytes += fields
      bytes += payload
      bytes.append(bigEndian: CRC32.checksum(of: bytes))
      return bytes
    }

    static let maximumHeadersByteCount = 131_072
    static let maximumPayloadByteCount = 16_777_216
  }
}

extension SigV4.EventHeader: Redacted {}

extension SigV4.EventMessage: CustomStringConvertible {
  /// The number of headers and the size of the payload. Not the contents, which may be private.
  public var description: String {
    "event message with \(headers.count) headers and \(payload.count) bytes"
  }
}

extension SigV4 {
  /// A header of an event message: a name, and a value that carries its type.
  ///
  /// Source: Smithy 2.0, "Amazon Event Stream Specification", "Headers".
  public struct EventHeader: Sendable, CustomStringConvertible {
    /// The name, such as ":event-type".
    public let name: String

    /// The value and its type.
    public let value: Value

    /// The name. Not the value, which may be private.
    public var description: String { "EventHeader(\(name))" }

    /// The ten types of the format, which has no others.
    public enum Value: Sendable {
      /// The type that is true: no byte follows.
      case boolTrue
      /// The type that is false: no byte follows.
      case boolFalse
      /// One byte with a sign.
      case byte(Int8)
      /// Two bytes with a sign.
      case short(Int16)
      /// Four bytes with a sign.
      case int(Int32)
      /// Eight bytes with a sign.
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

    /// A header.
    ///
    /// Throws `invalidEventMessage` unless the name has 1 to 255 bytes of UTF-8, and the value at most
    /// 32,767 bytes.
    public init(_ name: String, _ value: Value) throws(SigningError) {
      if name.isEmpty || name.utf8.count > 255 {
        throw SigningError(
          .invalidEventMessage,
          """
          \(quoted: name) has \(name.utf8.count) bytes, and the name of an event's header has 1 to \
          255; give a name that fits
          """)
      }
      if value.byteCount > 32_767 {
        throw SigningError(
          .invalidEventMessage,
          """
          the value of the event's header \(quoted: name) has \(value.byteCount) bytes, and a \
          receiver takes at most 32767; put what is longer into the payload
          """)
      }
      self.init(checkedName: name, value)
    }

    init(checkedName name: String, _ value: Value) {
      self.name = name
      self.value = value
    }

    /// The header as it stands in a message: length of the name, name, type, value.
    var encoded: [UInt8] {
      [UInt8(truncatingIfNeeded: name.utf8.count)] + name.utf8 + value.encoded
    }
  }
}

// Equal is what is encoded in the same bytes: Unicode calls more texts equal than that.

extension SigV4.EventHeader: Hashable {
  /// Whether two headers are encoded in the same bytes.
  public static func == (left: Self, right: Self) -> Bool { left.encoded == right.encoded }

  /// Feeds the encoded header to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(encoded) }
}

extension SigV4.EventHeader.Value: Hashable {
  /// Whether two values are of one type and are encoded in the same bytes.
  public static func == (left: Self, right: Self) -> Bool { left.encoded == right.encoded }

  /// Feeds the encoded value to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(encoded) }

  /// The bytes of a value whose size is not given by its type.
  fileprivate var byteCount: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .string(let text): text.utf8.count
    default: 0
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
  /// The bytes of a number, the highest first.
  fileprivate static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    unsafe Swift.withUnsafeBytes(of: number.bigEndian) { unsafe Array($0) }
  }

  fileprivate mutating func append(bigEndian number: some FixedWidthInteger) {
    self += .bigEndian(number)
  }
}

/// Why an event cannot be signed.
extension SigV4.SigningError.Code {
  /// The event message has a part that does not fit into its field. Put what is long into the
  /// payload, or several events; end the stream with `finish`, not with an empty event.
  public static var invalidEventMessage: Self { Self(name: "invalidEventMessage") }
}
