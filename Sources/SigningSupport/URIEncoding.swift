// SPDX-License-Identifier: Apache-2.0
// Percent-encoding of whole values.

/// Percent-encoding (RFC 3986, 2.1) as Signature Version 4 asks: every byte that is not
/// unreserved is written as '%' and two uppercase digits, a space as `%20`.
package enum URIEncoding {
  /// What plain bytes are for.
  package enum Part {
    /// A name or value in a query, or a segment of a path.
    case component
    /// A whole path, in which '/' stays as it is.
    case path

    @inline(__always)
    var keepsSlash: Bool { self == .path }

    /// Whether a byte stays as it is.
    @inline(__always)
    func keeps(_ byte: UInt8) -> Bool {
      ASCIIByte.isUnreserved(byte) || byte == ASCIIByte.slash && self == .path
    }
  }

  /// The encoded form of plain bytes, in ASCII: one to three bytes for each.
  package static func encode(_ plain: [UInt8], as part: Part = .component) -> [UInt8] {
    if plain.allSatisfy(part.keeps) { return plain }
    let source = plain[...]
    var memory = TextMemory()
    memory.reserve(3 * plain.count)
    var text = memory.bytes.mutableSpan
    var end = 0
    text.append(encoding: source.span, as: part, &end)
    return text.span.extracting(0..<end).array
  }

  /// The plain bytes. A '%' without two hexadecimal digits stands for itself.
  package static func decode(
    _ bytes: ArraySlice<UInt8>, plusMeaning plus: UInt8 = ASCIIByte.plus
  ) -> [UInt8] {
    let text = bytes.span
    var plain: [UInt8] = []
    plain.reserveCapacity(text.count)
    var position = 0
    while position < text.count { plain.append(text.plainByte(at: &position, plus)) }
    return plain
  }
}
