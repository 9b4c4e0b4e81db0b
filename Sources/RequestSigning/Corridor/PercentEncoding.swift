// SPDX-License-Identifier: Apache-2.0
// The one percent-encoder of the house: strict, on bytes, uppercase.

nonisolated extension SigV4 {
  /// Percent-encoding (RFC 3986, 2.1) as Signature Version 4 asks: every byte that is not
  /// unreserved is written as '%' and two uppercase digits, a space as `%20`.
  enum PercentEncoding {
    /// The encoded form of plain bytes.
    static func encode(_ bytes: some Collection<UInt8>) -> [UInt8] {
      var encoded: [UInt8] = []
      encoded.reserveCapacity(bytes.count)
      for byte in bytes { append(byte, to: &encoded) }
      return encoded
    }

    /// The encoded form of a path of plain bytes, in which '/' stays.
    static func encodePath(_ bytes: some Collection<UInt8>) -> [UInt8] {
      var encoded: [UInt8] = []
      encoded.reserveCapacity(bytes.count)
      for byte in bytes {
        if byte == ASCII.slash { encoded.append(byte) } else { append(byte, to: &encoded) }
      }
      return encoded
    }

    /// The strict form of a part of a query that is encoded somehow.
    static func reencode(_ bytes: some Collection<UInt8>, plus: Query.PlusSign) -> [UInt8] {
      var encoded: [UInt8] = []
      encoded.reserveCapacity(bytes.count)
      forEachDecoded(bytes) { byte, wasEscaped in
        let isSpace = byte == ASCII.plus && !wasEscaped && plus == .space
        append(isSpace ? ASCII.space : byte, to: &encoded)
      }
      return encoded
    }

    /// The strict form of a path that is encoded somehow. An encoded '/' becomes a plain one.
    static func reencodePath(_ bytes: some Collection<UInt8>) -> [UInt8] {
      var decoded: [UInt8] = []
      decoded.reserveCapacity(bytes.count)
      forEachDecoded(bytes) { byte, _ in decoded.append(byte) }
      return encodePath(decoded)
    }

    /// Refuses a '%' that two hexadecimal digits do not follow; `part` is the path or the query.
    static func check(_ bytes: [UInt8], of part: String) throws(SigningError) {
      for (offset, byte) in bytes.enumerated() where byte == ASCII.percent {
        let escape = bytes[offset...].prefix(3)
        if escapedByte(escape.dropFirst()) == nil {
          throw SigningError(
            .invalidPercentEncoding,
            "\(quoted(escape)) at offset \(offset) of the \(part) is no '%' with two hexadecimal digits "
              + "after it, so nobody can say which bytes are meant; write a percent sign as %25, or "
              + "give the \(part) unencoded")
        }
      }
    }

    /// Calls `body` with each byte, and whether it was escaped. A lone '%' stands for itself.
    static func forEachDecoded(
      _ bytes: some Collection<UInt8>, _ body: (_ byte: UInt8, _ wasEscaped: Bool) -> Void
    ) {
      var rest = bytes[...]
      while let byte = rest.popFirst() {
        if byte == ASCII.percent, let escaped = escapedByte(rest.prefix(2)) {
          body(escaped, true)
          rest = rest.dropFirst(2)
        } else {
          body(byte, false)
        }
      }
    }

    /// The byte that two hexadecimal digits mean.
    static func escapedByte(_ digits: some Collection<UInt8>) -> UInt8? {
      guard digits.count == 2 else { return nil }
      var value: UInt8 = 0
      for digit in digits {
        guard let nibble = ASCII.hexadecimalValue(digit) else { return nil }
        value = value &<< 4 | nibble
      }
      return value
    }

    /// Writes the encoded form of a path of plain bytes, in which '/' stays.
    static func writePath(_ path: [UInt8], to writer: inout ByteWriter) {
      // Safety: the array lives as long as the closure runs.
      unsafe path.withUnsafeBytes { unsafe writer.append(encoding: $0, keeping: ASCII.slash) }
    }

    /// Writes the encoded form of a path of plain text, in which '/' stays.
    static func writePath(_ path: String, to writer: inout ByteWriter) {
      // Safety: the text lives as long as the closure runs.
      let written: Void? = unsafe path.utf8.withContiguousStorageIfAvailable {
        unsafe writer.append(encoding: UnsafeRawBufferPointer($0), keeping: ASCII.slash)
      }
      if written == nil { writePath(Array(path.utf8), to: &writer) }
    }

    /// Writes the encoded form of plain bytes.
    static func write(_ bytes: UnsafeRawBufferPointer, to writer: inout ByteWriter) {
      // Safety: handed on as it came. A letter is never encoded anyway.
      unsafe writer.append(encoding: bytes, keeping: 0x61)
    }

    static func append(_ byte: UInt8, to encoded: inout [UInt8]) {
      if ASCII.isUnreserved(byte) {
        encoded.append(byte)
      } else {
        encoded.append(ASCII.percent)
        encoded.append(ASCII.uppercaseDigit(byte &>> 4))
        encoded.append(ASCII.uppercaseDigit(byte & 15))
      }
    }
  }
}
