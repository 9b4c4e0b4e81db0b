// SPDX-License-Identifier: Apache-2.0
// Base64 encoding and decoding, in the alphabets that AWS uses.

/// Base64 (RFC 4648, sections 4 and 5).
///
/// Neither encoding nor decoding branches or looks up a table by the value of a byte, so both are
/// safe for keys.
public enum Base64 {
  /// The reason a string was rejected: `wrongLength`, `invalidCharacter` or `trailingBits`.
  public typealias DecodingError = TextDecodingError

  /// The characters for 62 and 63, and whether the string is padded with '='.
  public struct Variant: Hashable, Sendable {
    let character62: UInt8
    let character63: UInt8
    let isPadded: Bool

    /// '+' and '/', padded (RFC 4648, section 4).
    public static var standard: Variant {
      Variant(character62: 0x2B, character63: 0x2F, isPadded: true)
    }

    /// '+' and '/', without padding (RFC 4648, sections 3.2 and 4).
    public static var standardUnpadded: Variant {
      Variant(character62: 0x2B, character63: 0x2F, isPadded: false)
    }

    /// '-' and '_', padded (RFC 4648, section 5).
    public static var urlSafe: Variant {
      Variant(character62: 0x2D, character63: 0x5F, isPadded: true)
    }

    /// '-' and '_', without padding (RFC 4648, sections 3.2 and 5): base64url, as in JSON Web
    /// Tokens and the tokens of EKS and MSK.
    public static var urlSafeUnpadded: Variant {
      Variant(character62: 0x2D, character63: 0x5F, isPadded: false)
    }
  }

  /// Encodes bytes as base64: four characters for every three bytes.
  ///
  /// The standard library creates the `String`: it inspects each character only to check that it's
  /// ASCII, which all of them are, and copies it. Neither its memory nor the array of characters is
  /// wiped afterward.
  public static func encode(
    _ bytes: some Collection<UInt8>, as variant: Variant = .standard
  ) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var group: UInt32 = 0
    var groupBytes = 0
    for byte in bytes {
      group = group << 8 | UInt32(byte)
      groupBytes += 1
      if groupBytes == 3 {
        appendCharacters(of: group, 4, to: &text, variant)
        (group, groupBytes) = (0, 0)
      }
    }
    if groupBytes > 0 {
      let missing = 3 - groupBytes
      appendCharacters(of: group << UInt32(8 * missing), 4 - missing, to: &text, variant)
      if variant.isPadded { text.append(contentsOf: repeatElement(padding, count: missing)) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes a string, which must be exactly what ``encode(_:as:)`` returns.
  ///
  /// - Throws: ``DecodingError`` if a character isn't in the alphabet, if the length or the padding
  ///   is wrong, or if bits are set that don't belong to any byte.
  public static func decode(
    _ text: String, as variant: Variant = .standard
  ) throws(DecodingError) -> [UInt8] {
    var characters = Array(text.utf8)
    return try decode(&characters, as: variant)
  }

  /// Decodes characters that the caller wipes afterward. Removes the padding in place and makes no
  /// copy.
  package static func decode(
    _ characters: inout [UInt8], as variant: Variant = .standard
  ) throws(DecodingError) -> [UInt8] {
    if variant.isPadded {
      if characters.count & 3 != 0 { throw .wrongLength(ofBase64: characters.count) }
      for _ in 0..<2 where characters.last == padding { characters.removeLast() }
    }
    if characters.count & 3 == 1 { throw .wrongLength(ofBase64: characters.count) }

    var bytes: [UInt8] = []
    bytes.reserveCapacity(characters.count / 4 * 3 + 2)
    var bits: UInt32 = 0
    var bitCount = 0
    var invalid: UInt8 = 0
    for character in characters {
      let value = self.value(of: character, variant)
      invalid |= value
      bits = bits << 6 | UInt32(value & 63)
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits &>> UInt32(bitCount)))
      }
    }
    if invalid > 63 { throw .invalidCharacter(in: characters, variant) }
    if bits & ((1 << UInt32(bitCount)) - 1) != 0 { throw .trailingBits }
    return bytes
  }

  static var padding: UInt8 { 0x3D }

  /// Appends the first `count` characters of a 24-bit group.
  static func appendCharacters(
    of group: UInt32, _ count: Int, to text: inout [UInt8], _ variant: Variant
  ) {
    for index in 0..<count {
      let value = UInt8(truncatingIfNeeded: group &>> UInt32(18 - 6 * index)) & 63
      text.append(character(of: value, variant))
    }
  }

  /// Returns the character for a value of 0 to 63. Each mask is 255 if the value is in its range.
  static func character(of value: UInt8, _ variant: Variant) -> UInt8 {
    (ConstantTime.mask(value, from: 0, through: 25) & (value &+ 65))
      | (ConstantTime.mask(value, from: 26, through: 51) & (value &+ 71))
      | (ConstantTime.mask(value, from: 52, through: 61) & (value &- 4))
      | (ConstantTime.mask(value, from: 62, through: 62) & variant.character62)
      | (ConstantTime.mask(value, from: 63, through: 63) & variant.character63)
  }

  /// Returns a character's value, or 255.
  static func value(of character: UInt8, _ variant: Variant) -> UInt8 {
    let upper = ConstantTime.mask(character, from: 65, through: 90)
    let lower = ConstantTime.mask(character, from: 97, through: 122)
    let decimal = ConstantTime.mask(character, from: 48, through: 57)
    let is62 = ConstantTime.mask(
      character, from: variant.character62, through: variant.character62)
    let is63 = ConstantTime.mask(
      character, from: variant.character63, through: variant.character63)
    let letters = (upper & (character &- 65)) | (lower & (character &- 71))
    let others = (decimal & (character &+ 4)) | (is62 & 62) | (is63 & 63)
    return letters | others | ~(upper | lower | decimal | is62 | is63)
  }
}

extension TextDecodingError {
  static func wrongLength(ofBase64 count: Int) -> Self {
    Self(
      code: .wrongLength,
      problem: "A base64 string can't be \(count) characters long.",
      fix: "Check for missing characters, missing or extra padding (=), or a newline.")
  }

  static func invalidCharacter(
    in characters: [UInt8], _ variant: Base64.Variant
  ) -> Self {
    let offset = characters.firstIndex { Base64.value(of: $0, variant) > 63 } ?? characters.count
    let isPadding =
      !variant.isPadded && characters[offset...].first == Base64.padding
    return Self(
      code: .invalidCharacter,
      problem: "The character at offset \(offset) isn't in this base64 alphabet.",
      fix: isPadding
        ? "Remove the padding (=), or decode it with the padded variant."
        : "Check for a newline or a space, or the other alphabet (+/ or -_).")
  }

  static var trailingBits: Self {
    Self(
      code: .trailingBits,
      problem: "The last base64 character sets bits that don't belong to any byte.",
      fix: "Check for missing characters.")
  }
}
