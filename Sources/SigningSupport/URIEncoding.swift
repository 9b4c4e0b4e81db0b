// SPDX-License-Identifier: Apache-2.0
// The one percent-encoder: strict, on bytes, uppercase.

/// Percent-encoding (RFC 3986, 2.1) as Signature Version 4 asks: every byte that is not
/// unreserved is written as '%' and two uppercase digits, a space as `%20`.
package enum URIEncoding {
  /// What plain bytes are for.
  package enum Part {
    /// A name or value in a query, or a segment of a path.
    case component
    /// A whole path, in which '/' stays as it is.
    case path

    /// Whether a byte stays as it is.
    @inline(__always)
    fileprivate func keeps(_ byte: UInt8) -> Bool {
      ASCIIByte.isUnreserved(byte) || byte == ASCIIByte.slash && self == .path
    }
  }

  /// The encoded form of plain bytes, in ASCII: one to three bytes for each.
  package static func encode(_ plain: [UInt8], as part: Part = .component) -> [UInt8] {
    if plain.allSatisfy(part.keeps) { return plain }
    var text: [UInt8] = []
    text.append(addingCapacity: 3 * plain.count) { append(plain, as: part, to: &$0) }
    return text
  }

  /// Appends the encoded form of plain bytes: one to three bytes for each.
  package static func append(
    _ plain: [UInt8], as part: Part = .component, to text: inout OutputSpan<UInt8>
  ) {
    unsafe plain.withUnsafeBytes { unsafe append($0, as: part, to: &text) }
  }

  /// Appends the encoded form of plain bytes: one to three bytes for each. Traps unless the span has the
  /// capacity.
  package static func append(
    _ plain: UnsafeRawBufferPointer, as part: Part = .component,
    to text: inout OutputSpan<UInt8>
  ) {
    // Safety: only positions of the bytes are read.
    for index in plain.indices { unsafe append(plain[index], as: part, to: &text) }
  }

  /// Whether a path is in strict form already.
  package static func isStrictPath(_ bytes: [UInt8]) -> Bool {
    var position = 0
    while position < bytes.count {
      if Part.path.keeps(bytes[position]) {
        position += 1
      } else if let plain = escapedByte(bytes[...], at: position), !Part.path.keeps(plain),
        bytes[position + 1] == ASCIIByte.uppercaseDigit(plain >> 4),
        bytes[position + 2] == ASCIIByte.uppercaseDigit(plain & 15)
      {
        position += 3
      } else {
        return false
      }
    }
    return true
  }

  /// Appends the strict form of bytes that are encoded somehow: three bytes for each at most. A '%'
  /// without two hexadecimal digits stands for itself; in a path an encoded '/' becomes a plain one.
  package static func append(
    reencoding bytes: ArraySlice<UInt8>, as part: Part = .component,
    plusMeaning plus: UInt8 = ASCIIByte.plus, to text: inout OutputSpan<UInt8>
  ) {
    var position = bytes.startIndex
    while position < bytes.endIndex {
      var plain = bytes[position] == ASCIIByte.plus ? plus : bytes[position]
      if let escaped = escapedByte(bytes, at: position) {
        plain = escaped
        position += 2
      }
      position += 1
      append(plain, as: part, to: &text)
    }
  }

  @inline(__always)
  private static func append(_ plain: UInt8, as part: Part, to text: inout OutputSpan<UInt8>) {
    if part.keeps(plain) { return text.append(plain) }
    text.append(ASCIIByte.percent)
    text.append(ASCIIByte.uppercaseDigit(plain >> 4))
    text.append(ASCIIByte.uppercaseDigit(plain & 15))
  }

  /// The plain bytes. A '%' without two hexadecimal digits stands for itself.
  package static func decode(
    _ bytes: ArraySlice<UInt8>, plusMeaning plus: UInt8 = ASCIIByte.plus
  ) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserve(bytes.count)
    var position = bytes.startIndex
    while position < bytes.endIndex {
      if let escaped = escapedByte(bytes, at: position) {
        decoded.append(escaped)
        position &+= 3
      } else {
        decoded.append(bytes[position] == ASCIIByte.plus ? plus : bytes[position])
        position &+= 1
      }
    }
    return decoded
  }

  /// The byte that a '%' and two hexadecimal digits mean, or nil when there is something else.
  package static func escapedByte(_ bytes: ArraySlice<UInt8>, at position: Int) -> UInt8? {
    guard bytes[position] == ASCIIByte.percent, bytes.endIndex &- position > 2,
      let high = ASCIIByte.hexadecimalValue(bytes[position &+ 1]),
      let low = ASCIIByte.hexadecimalValue(bytes[position &+ 2])
    else { return nil }
    return high &<< 4 | low
  }
}
