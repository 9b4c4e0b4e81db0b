// SPDX-License-Identifier: Apache-2.0
// Decodes and encodes XML and HTML character references.

internal import RequestSigning

/// `&amp;`, `&lt;`, `&gt;`, `&quot;`, `&apos;`, `&#10;`, `&#xA;` (XML 1.0, 4.1 and 4.6).
package struct CharacterReference {
  let scalar: Unicode.Scalar
  let byteCount: Int

  /// Parses a reference of at most 12 bytes at the beginning. Nil if there isn't one.
  init?(startOf bytes: ArraySlice<UInt8>) {
    let head = bytes.prefix(12)
    guard head.first == ASCIIByte.ampersand, let end = head.firstIndex(of: ASCIIByte.semicolon)
    else { return nil }
    let name = String(decoding: head[..<end].dropFirst(), as: UTF8.self)
    guard let scalar = Self.named[name] ?? Self.numbered(name) else { return nil }
    self.scalar = scalar
    byteCount = head[...end].count
  }

  /// Replaces every reference once, and leaves other text unchanged.
  package static func replaced(in text: [UInt8]) -> [UInt8] {
    var replaced: [UInt8] = []
    replaced.reserveCapacity(text.count)
    var rest = text[...]
    while let byte = rest.first {
      if byte == ASCIIByte.ampersand, let reference = Self(startOf: rest) {
        replaced += reference.scalar.utf8
        rest = rest.dropFirst(reference.byteCount)
      } else {
        replaced.append(byte)
        rest = rest.dropFirst()
      }
    }
    return replaced
  }

  /// An XML element with this UTF-8 text. Invalid UTF-8, and characters that XML doesn't allow in
  /// any form (XML 1.0, 2.2), become U+FFFD.
  package static func element(_ name: String, _ text: some Collection<UInt8>) -> String {
    var element = "<\(name)>"
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      switch scalar.value {
      case 0x26: element += "&amp;"
      case 0x3C: element += "&lt;"
      case 0x3E: element += "&gt;"
      case 0x22: element += "&quot;"
      case 0x27: element += "&apos;"
      case 0x0D: element += "&#13;"
      case 0x00...0x08, 0x0B, 0x0C, 0x0E...0x1F, 0xFFFE, 0xFFFF: element += "\u{FFFD}"
      default: element.unicodeScalars.append(scalar)
      }
    }
    return element + "</\(name)>"
  }

  private static let named: [String: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
  ]

  /// Any character except U+0000, including control characters as in XML 1.1.
  private static func numbered(_ name: String) -> Unicode.Scalar? {
    guard name.utf8.first == 0x23 else { return nil }
    let isHexadecimal = name.utf8.dropFirst().first == 0x78
    let digits = name.utf8.dropFirst(isHexadecimal ? 2 : 1)
    // UInt32 also parses signs.
    if !digits.allSatisfy({ ASCIIByte.hexadecimalValue($0) != nil }) { return nil }
    let value = UInt32(String(decoding: digits, as: UTF8.self), radix: isHexadecimal ? 16 : 10)
    return value == 0 ? nil : value.flatMap(Unicode.Scalar.init)
  }
}
