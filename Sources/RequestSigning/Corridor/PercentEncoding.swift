// SPDX-License-Identifier: Apache-2.0
// The one percent-encoder of the house: strict, on bytes, uppercase.

extension SigV4 {
  /// Percent-encoding (RFC 3986, 2.1) as Signature Version 4 asks: every byte that is not
  /// unreserved is written as '%' and two uppercase digits, a space as `%20`.
  public enum PercentEncoding {
    /// The encoded form of plain bytes, in ASCII: one to three bytes for each.
    public static func encode(_ bytes: [UInt8]) -> [UInt8] {
      encode(bytes, keeping: notEncodedAnyway)
    }

    /// The encoded form of a path of plain bytes, in which '/' stays.
    static func encodePath(_ bytes: [UInt8]) -> [UInt8] { encode(bytes, keeping: ASCII.slash) }

    private static func encode(_ plain: [UInt8], keeping kept: UInt8) -> [UInt8] {
      var text = ByteString()
      append(plain, keeping: kept, to: &text)
      return text.bytes
    }

    /// Appends the encoded form of plain bytes, in which one character more may stay.
    static func append(
      _ plain: [UInt8], keeping kept: UInt8 = notEncodedAnyway, to text: inout ByteString
    ) {
      for byte in plain { encode(byte, keeping: kept) { text.append($0) } }
    }

    /// Calls `body` with a byte that stays as it is, or with the three that stand for it.
    @inline(__always)
    static func encode(_ byte: UInt8, keeping kept: UInt8, _ body: (UInt8) -> Void) {
      if ASCII.isUnreserved(byte) || byte == kept { return body(byte) }
      body(ASCII.percent)
      body(ASCII.uppercaseDigit(byte &>> 4))
      body(ASCII.uppercaseDigit(byte & 15))
    }

    /// The strict form of a path that is encoded somehow. An encoded '/' becomes a plain one.
    static func reencodePath(_ bytes: [UInt8]) -> [UInt8] {
      encodePath(decode(bytes[...], plus: .literal))
    }

    /// The plain bytes. A '%' without two hexadecimal digits stands for itself.
    static func decode(_ bytes: ArraySlice<UInt8>, plus: Query.PlusSign = .literal) -> [UInt8] {
      var decoded: [UInt8] = []
      decoded.reserveCapacity(bytes.count)
      var position = bytes.startIndex
      while position < bytes.endIndex {
        if let escaped = escapedByte(bytes, at: position) {
          decoded.append(escaped)
          position &+= 3
        } else {
          let isSpace = bytes[position] == ASCII.plus && plus == .space
          decoded.append(isSpace ? ASCII.space : bytes[position])
          position &+= 1
        }
      }
      return decoded
    }

    /// Refuses a '%' that two hexadecimal digits do not follow; `part` is the path or the query.
    static func check(_ bytes: ArraySlice<UInt8>, of part: StaticString) throws(SigningError) {
      for position in bytes.indices
      where bytes[position] == ASCII.percent && escapedByte(bytes, at: position) == nil {
        let offset = position &- bytes.startIndex
        throw SigningError(
          .invalidPercentEncoding,
          """
          \(quoted: bytes[position...].prefix(3)) at offset \(offset) of the \(part) is no '%' with \
          two hexadecimal digits after it, so nobody can say which bytes are meant; write a \
          percent sign as %25, or give the \(part) unencoded
          """)
      }
    }

    /// The byte that a '%' and two hexadecimal digits mean, or nil when there is something else.
    private static func escapedByte(_ bytes: ArraySlice<UInt8>, at position: Int) -> UInt8? {
      guard bytes[position] == ASCII.percent, bytes.endIndex &- position > 2,
        let high = ASCII.hexadecimalValue(bytes[position &+ 1]),
        let low = ASCII.hexadecimalValue(bytes[position &+ 2])
      else { return nil }
      return high &<< 4 | low
    }

    /// Writes the encoded form of a path of plain bytes, in which '/' stays.
    static func writePath(_ path: [UInt8], to writer: inout ByteWriter) {
      // Safety: the array lives as long as the closure runs.
      unsafe path.withUnsafeBytes { unsafe writer.append(encoding: $0, keeping: ASCII.slash) }
    }

    /// Writes the encoded form of a path of plain text, in which '/' stays.
    static func writePath(_ path: String, to writer: inout ByteWriter) {
      // Safety: the text lives as long as the closure runs.
      unsafe path.withBytesInUTF8 { unsafe writer.append(encoding: $0, keeping: ASCII.slash) }
    }

    /// Writes the encoded form of plain bytes.
    static func write(_ bytes: UnsafeRawBufferPointer, to writer: inout ByteWriter) {
      // Safety: handed on as it came.
      unsafe writer.append(encoding: bytes, keeping: notEncodedAnyway)
    }

    /// A letter, for where no other character stays as it is.
    private static var notEncodedAnyway: UInt8 { 0x61 }
  }
}
