// SPDX-License-Identifier: Apache-2.0
// Byte searches, and texts eight bytes at a time.

/// Searches for bytes.
package enum BytewiseSearch {
  /// Returns the first range of a string, or nil.
  package static func range(of words: String, in bytes: ArraySlice<UInt8>) -> Range<Int>? {
    range(ofBytes: Array(words.utf8), in: bytes)
  }

  /// Returns the first range of some bytes, or nil. Empty bytes are never found.
  package static func range(ofBytes part: [UInt8], in bytes: ArraySlice<UInt8>) -> Range<Int>? {
    guard let first = part.first else { return nil }
    var rest = bytes
    while rest.count >= part.count {
      rest = rest[rest.firstPosition(of: first)...]
      if rest.starts(with: part) { return rest.startIndex..<(rest.startIndex &+ part.count) }
      rest = rest.dropFirst()
    }
    return nil
  }
}

extension ArraySlice<UInt8> {
  /// Returns the position of the first byte with this value, or the end.
  package func firstPosition(of byte: UInt8) -> Int {
    let slice = self
    return slice.span.position(of: byte) + startIndex
  }
}

/// Eight bytes of a text in one number, the first one lowest. In a result, a set bit is the highest
/// one of its byte. Some byte is below n if subtracting n from each borrows from a high bit that
/// wasn't set.
package enum EightBytes {
  @inlinable static var ones: UInt64 { 0x0101_0101_0101_0101 }
  @inlinable static var highBits: UInt64 { ones &<< 7 }

  /// Returns a bit for the first byte with this value. Ignore the bits above it.
  @inline(__always)
  static func first(_ byte: UInt8, in word: UInt64) -> UInt64 {
    let zeros = word ^ ones &* UInt64(byte)
    return (zeros &- ones) & ~zeros & highBits
  }

  /// Returns eight bytes with ASCII letters in lowercase.
  @inlinable @inline(__always)
  package static func lowercased(_ word: UInt64) -> UInt64 {
    let low = word & ~highBits
    let isFromA = low &+ ones &* (0x80 - 0x41)
    let isAfterZ = low &+ ones &* (0x80 - 0x5B)
    return word | (isFromA & ~isAfterZ & ~word & highBits) &>> 2
  }

  /// Returns a bit for each byte that's a letter, a digit, '-' or '.', or '/' if `isWanted`.
  @inline(__always)
  static func unreserved(_ word: UInt64, slash isWanted: Bool) -> UInt64 {
    let low = word & ~highBits
    let letter = low | ones &* 0x20
    let isLetter = (letter &+ ones &* (0x80 - 0x61)) & ~(letter &+ ones &* (0x80 - 0x7B))
    // From '-' to '9', including '/'.
    let isDigit = (low &+ ones &* (0x80 - 0x2D)) & ~(low &+ ones &* (0x80 - 0x3A))
    let isOther = isWanted ? highBits : (low ^ ones &* 0x2F) &+ ones &* 0x7F
    return (isLetter | isDigit & isOther) & ~word & highBits
  }

  /// Returns the number of leading bytes whose bit is set.
  @inline(__always)
  static func run(_ bits: UInt64) -> Int { (~bits & highBits).trailingZeroBitCount / 8 }
}
