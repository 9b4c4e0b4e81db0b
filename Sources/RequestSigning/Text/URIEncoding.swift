// SPDX-License-Identifier: Apache-2.0
// Percent-encoding of whole values.

/// Percent-encoding (RFC 3986, 2.1) as required by Signature Version 4: every byte that isn't
/// unreserved becomes '%' and two uppercase digits, and a space becomes `%20`.
package enum URIEncoding {
  /// The part of a URL that plain bytes are for.
  package enum Part {
    /// A name or value in a query, or a path segment.
    case component
    /// A whole path, in which '/' isn't encoded.
    case path

    @inline(__always)
    var keepsSlash: Bool { self == .path }

    /// Returns whether a byte stays unencoded.
    @inline(__always)
    func keeps(_ byte: UInt8) -> Bool {
      ASCIIByte.isUnreserved(byte) || byte == ASCIIByte.slash && keepsSlash
    }
  }

  /// Returns the encoded form of plain bytes, in ASCII: one to three bytes for each.
  package static func encode(_ plain: [UInt8], as part: Part = .component) -> [UInt8] {
    if plain.allSatisfy(part.keeps) { return plain }
    let source = plain[...]
    var memory = TextMemory()
    memory.reserve(3 * plain.count)
    var text = memory.bytes.mutableSpan
    var end = 0
    text.writeEncoded(source.span, as: part, &end)
    return text.span.extracting(0..<end).array
  }

  /// Returns the plain bytes. A '%' without two hexadecimal digits is a percent sign.
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
