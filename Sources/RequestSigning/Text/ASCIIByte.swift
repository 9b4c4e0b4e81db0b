// SPDX-License-Identifier: Apache-2.0
// The ASCII character classes that HTTP and URLs use.

// These types can be used from inlined code, so that the functions are inlined into other modules.

/// The character classes of RFC 3986 and RFC 9110, by byte.
@usableFromInline package enum ASCIIByte {
  @inlinable package static var tab: UInt8 { 0x09 }
  @inlinable package static var newline: UInt8 { 0x0A }
  @inlinable package static var space: UInt8 { 0x20 }
  @inlinable package static var hash: UInt8 { 0x23 }
  @inlinable package static var percent: UInt8 { 0x25 }
  @inlinable package static var ampersand: UInt8 { 0x26 }
  @inlinable package static var plus: UInt8 { 0x2B }
  @inlinable package static var comma: UInt8 { 0x2C }
  @inlinable package static var dot: UInt8 { 0x2E }
  @inlinable package static var slash: UInt8 { 0x2F }
  @inlinable package static var colon: UInt8 { 0x3A }
  @inlinable package static var semicolon: UInt8 { 0x3B }
  @inlinable package static var equals: UInt8 { 0x3D }
  @inlinable package static var questionMark: UInt8 { 0x3F }
  @inlinable package static var at: UInt8 { 0x40 }
  @inlinable package static var backslash: UInt8 { 0x5C }
  @inlinable package static var dollar: UInt8 { 0x24 }

  @inlinable package static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  @inlinable package static func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A
  }

  /// Returns whether a byte is a control character: 0 to 31, and 127.
  @inlinable package static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

  /// Returns whether a byte is a visible character: 33 to 126.
  @inlinable package static func isVisible(_ byte: UInt8) -> Bool { byte > space && byte < 0x7F }

  /// Returns whether a byte is a space or a horizontal tab (RFC 9110, 5.6.3).
  @inlinable package static func isWhitespace(_ byte: UInt8) -> Bool {
    byte == space || byte == tab
  }

  @inlinable package static func lowercased(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
  }

  /// Returns whether a byte is never percent-encoded (RFC 3986, 2.3). Each character has a bit: - .
  /// 0 to 9 in the first word, A to Z _ a to z ~ in the second.
  @inlinable package static func isUnreserved(_ byte: UInt8) -> Bool {
    let bits: UInt64 = byte < 64 ? 0x03FF_6000_0000_0000 : 0x47FF_FFFE_87FF_FFFE
    return byte < 128 && (bits &>> UInt64(byte & 63)) & 1 != 0
  }

  /// Returns whether a byte, other than '%', is allowed in a path (RFC 3986, 3.3): unreserved,
  /// sub-delims, ':', '@', '/'.
  @inlinable package static func isPathCharacter(_ byte: UInt8) -> Bool {
    if isUnreserved(byte) { return true }
    switch byte {
    case 0x21, 0x24, 0x26...0x2C, 0x2F, 0x3A, 0x3B, 0x3D, 0x40: return true
    default: return false
    }
  }

  /// Returns whether a byte is allowed in methods and header names (RFC 9110, 5.6.2, tchar). Each
  /// character has a bit: ! # $ % & ' * + - . 0 to 9 in the first word, A to Z ^ _ ` a to z | ~ in
  /// the second.
  @inlinable package static func isTokenCharacter(_ byte: UInt8) -> Bool {
    let bits: UInt64 = byte < 64 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
    return byte < 128 && (bits &>> UInt64(byte & 63)) & 1 != 0
  }

  /// Returns whether the bytes are a token (RFC 9110, 5.6.2).
  @inlinable package static func isToken(_ bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe !bytes.isEmpty && bytes.allSatisfy(isTokenCharacter)
  }

  /// Returns the start of a header name, up to and with the first character that names can't have.
  package static func startOfName(_ name: [UInt8]) -> ArraySlice<UInt8> {
    name.prefix((name.firstIndex { !isTokenCharacter($0) } ?? name.count) + 1)
  }

  /// Returns the value of a hexadecimal digit in either case, or nil.
  @inlinable package static func hexadecimalValue(_ byte: UInt8) -> UInt8? {
    if isDigit(byte) { return byte &- 0x30 }
    let lowered = byte | 0x20
    return lowered >= 0x61 && lowered <= 0x66 ? lowered &- 0x57 : nil
  }

  /// Returns the uppercase hexadecimal digit for a value from 0 to 15.
  @inlinable package static func uppercaseDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? value &+ 0x30 : value &+ 0x37
  }

  /// Returns whether two sequences are equal, ignoring the case of ASCII letters.
  @inlinable package static func equalIgnoringCase(
    _ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>
  ) -> Bool {
    left.elementsEqual(right) { lowercased($0) == lowercased($1) }
  }
}
