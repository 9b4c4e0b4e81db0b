// SPDX-License-Identifier: Apache-2.0
// A header of an event message: a name and a value of one of ten types.

public import RequestSigning
internal import SigningSupport

extension SigV4 {
  /// A header of an event message: a name, and a value that carries its type.
  ///
  /// Source: Smithy 2.0, "Amazon Event Stream Specification", "Headers".
  public struct EventHeader: Equatable, Sendable {
    /// The name, such as ":event-type".
    public let name: String

    /// The value and its type.
    public let value: Value

    /// The types of the format.
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
      if name.utf8.isEmpty || name.utf8.count > 255 {
        throw SigningError(
          .invalidEventMessage,
          """
          \(UTF8Text.quoted(name)) has \(name.utf8.count) bytes, and the name of an event's header has 1 to \
          255; give a name that fits
          """)
      }
      if value.byteCount > 32_767 {
        throw SigningError(
          .invalidEventMessage,
          """
          the value of the event's header \(UTF8Text.quoted(name)) has \(value.byteCount) bytes, and a \
          receiver takes at most 32767; put what is longer into the payload
          """)
      }
      self.init(checkedName: name, value)
    }

    init(checkedName name: String, _ value: Value) {
      self.name = name
      self.value = value
    }

    /// Whether two headers are encoded in the same bytes.
    public static func == (left: Self, right: Self) -> Bool { left.encoded == right.encoded }
  }
}

extension SigV4.EventHeader.Value: Equatable {
  /// Whether two values are of one type and are encoded in the same bytes.
  public static func == (left: Self, right: Self) -> Bool {
    SigV4.EventHeader(checkedName: "", left) == SigV4.EventHeader(checkedName: "", right)
  }

  /// The bytes of a value whose size is not given by its type.
  var byteCount: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .string(let text): text.utf8.count
    default: 0
    }
  }
}

extension SigV4.EventHeader {
  /// The header as it stands in a message: length of the name, name, type, value.
  var encoded: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  func append(to bytes: inout [UInt8]) {
    // The initialiser saw to it that lengths fit into their fields.
    bytes.append(UInt8(truncatingIfNeeded: name.utf8.count))
    bytes.append(contentsOf: name.utf8)
    switch value {
    case .boolTrue: bytes.append(0)
    case .boolFalse: bytes.append(1)
    case .byte(let number): Self.append(2, number, to: &bytes)
    case .short(let number): Self.append(3, number, to: &bytes)
    case .int(let number): Self.append(4, number, to: &bytes)
    case .long(let number): Self.append(5, number, to: &bytes)
    case .bytes(let value):
      Self.append(6, UInt16(truncatingIfNeeded: value.count), to: &bytes)
      bytes.append(contentsOf: value)
    case .string(let text):
      Self.append(7, UInt16(truncatingIfNeeded: text.utf8.count), to: &bytes)
      bytes.append(contentsOf: text.utf8)
    case .timestamp(let milliseconds): Self.append(8, milliseconds, to: &bytes)
    case .uuid(let high, let low):
      Self.append(9, high, to: &bytes)
      Self.append(low, to: &bytes)
    }
  }

  static func append(
    _ type: UInt8, _ number: some FixedWidthInteger, to bytes: inout [UInt8]
  ) {
    bytes.append(type)
    append(number, to: &bytes)
  }

  /// Appends a number, its highest byte first.
  static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    let bits = UInt64(truncatingIfNeeded: number)
    var shift = UInt64(truncatingIfNeeded: number.bitWidth)
    while shift > 0 {
      shift &-= 8
      bytes.append(UInt8(truncatingIfNeeded: bits &>> shift))
    }
  }
}
