// SPDX-License-Identifier: Apache-2.0
// Searches in texts, and texts eight bytes at a time.

/// Looks for bytes in bytes.
package enum BytewiseSearch {
  /// Where words begin and end for the first time.
  package static func range(of words: String, in bytes: ArraySlice<UInt8>) -> Range<Int>? {
    range(ofBytes: Array(words.utf8), in: bytes)
  }

  /// Where a part begins and ends for the first time; an empty one is nowhere.
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
  /// The position of the first byte of a value, or the end.
  package func firstPosition(of byte: UInt8) -> Int {
    let slice = self
    return slice.span.position(of: byte) + startIndex
  }
}

/// Eight bytes of a text in one number, the first one lowest. A bit that is set in a result is the highest one of
/// its byte. Some byte is below n if subtracting n from each borrows from a high bit that was not set.
package enum EightBytes {
  @inlinable static var ones: UInt64 { 0x0101_0101_0101_0101 }
  @inlinable static var highBits: UInt64 { ones &<< 7 }

  /// A bit for the first byte that has a value; bits above it mean nothing.
  @inline(__always)
  static func first(_ byte: UInt8, in word: UInt64) -> UInt64 {
    let zeros = word ^ ones &* UInt64(byte)
    return (zeros &- ones) & ~zeros & highBits
  }

  /// Eight bytes with ASCII letters in lowercase.
  @inlinable @inline(__always)
  package static func lowercased(_ word: UInt64) -> UInt64 {
    let low = word & ~highBits
    let isFromA = low &+ ones &* (0x80 - 0x41)
    let isAfterZ = low &+ ones &* (0x80 - 0x5B)
    return word | (isFromA & ~isAfterZ & ~word & highBits) &>> 2
  }

  /// A bit for each byte that is a letter, a digit, '-' or '.', or '/' where that is wanted.
  @inline(__always)
  static func unreserved(_ word: UInt64, slash isWanted: Bool) -> UInt64 {
    let low = word & ~highBits
    let letter = low | ones &* 0x20
    let isLetter = (letter &+ ones &* (0x80 - 0x61)) & ~(letter &+ ones &* (0x80 - 0x7B))
    // From '-' to '9', with the '/' among them.
    let isDigit = (low &+ ones &* (0x80 - 0x2D)) & ~(low &+ ones &* (0x80 - 0x3A))
    let isOther = isWanted ? highBits : (low ^ ones &* 0x2F) &+ ones &* 0x7F
    return (isLetter | isDigit & isOther) & ~word & highBits
  }

  /// How many bytes from the first one on have their bit.
  @inline(__always)
  static func run(_ bits: UInt64) -> Int { (~bits & highBits).trailingZeroBitCount / 8 }
}
