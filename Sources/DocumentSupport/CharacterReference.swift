// SPDX-License-Identifier: Apache-2.0
// Characters that are written by name or number, in XML and in HTML.

internal import SigningSupport

/// `&amp;`, `&lt;`, `&gt;`, `&quot;`, `&apos;`, `&#10;`, `&#xA;` (XML 1.0, 4.1 and 4.6).
package struct CharacterReference {
  package let scalar: Unicode.Scalar
  package let byteCount: Int

  /// The reference with which bytes begin, or nil. It has 12 bytes at most.
  package init?(startOf bytes: ArraySlice<UInt8>) {
    let head = bytes.prefix(12)
    guard head.first == ASCIIByte.ampersand, let end = head.firstIndex(of: ASCIIByte.semicolon)
    else {
      return nil
    }
    let name = head[(head.startIndex &+ 1)..<end]
    guard let scalar = Self.named(name) ?? Self.numbered(name) else { return nil }
    self.scalar = scalar
    byteCount = end &- head.startIndex &+ 1
  }

  /// A text in which every reference is replaced, once; what is none stays.
  package static func replaced(in text: [UInt8]) -> [UInt8] {
    var replaced: [UInt8] = []
    replaced.reserveCapacity(text.count)
    var rest = text[...]
    while let byte = rest.first {
      if byte == ASCIIByte.ampersand, let reference = Self(startOf: rest) {
        replaced.append(contentsOf: reference.scalar.utf8)
        rest = rest.dropFirst(reference.byteCount)
      } else {
        replaced.append(byte)
        rest = rest.dropFirst()
      }
    }
    return replaced
  }

  private static func named(_ name: ArraySlice<UInt8>) -> Unicode.Scalar? {
    if name.elementsEqual("amp".utf8) { return "&" }
    if name.elementsEqual("lt".utf8) { return "<" }
    if name.elementsEqual("gt".utf8) { return ">" }
    if name.elementsEqual("quot".utf8) { return "\"" }
    if name.elementsEqual("apos".utf8) { return "'" }
    return nil
  }

  /// Any character but U+0000; control characters as in XML 1.1.
  private static func numbered(_ name: ArraySlice<UInt8>) -> Unicode.Scalar? {
    guard name.first == 0x23 else { return nil }
    let isHexadecimal = name.dropFirst().first == 0x78
    let digits = name.dropFirst(isHexadecimal ? 2 : 1)
    let radix: UInt32 = isHexadecimal ? 16 : 10
    var value: UInt32 = 0
    for digit in digits {
      // Below 2^21 before a digit, so below 2^25 after it.
      guard let number = ASCIIByte.hexadecimalValue(digit), number < radix, value < 0x11_0000 else {
        return nil
      }
      value = value &* radix &+ UInt32(number)
    }
    return value == 0 ? nil : Unicode.Scalar(value)
  }
}
