// SPDX-License-Identifier: Apache-2.0
// Names and values of header fields, eight bytes at a time.

/// What most values of header fields are, so that they need no closer look.
package enum FieldText {
  @inlinable static var ones: UInt64 { 0x0101_0101_0101_0101 }
  @inlinable static var highBits: UInt64 { ones &<< 7 }

  /// Whether a value is in ASCII, without control characters and tabs, without a space at either end, and
  /// without two spaces side by side: in canonical form as it is. False says nothing.
  package static func isCanonical(_ value: UnsafeRawBufferPointer) -> Bool {
    // Safety: all positions are below the count, and so are eight bytes from a position on.
    let count = value.count
    if count == 0 { return true }
    if unsafe value[0] == ASCIIByte.space || value[count - 1] == ASCIIByte.space { return false }
    if count < 8 {
      var word = ones &* 0x61
      for index in value.indices { word = unsafe word &<< 8 | UInt64(value[index]) }
      return isCanonical(word)
    }
    // Words overlap by a byte, so that no pair of spaces is missed.
    var position = 0
    while position < count - 8 {
      if unsafe !isCanonical(value.loadUnaligned(fromByteOffset: position, as: UInt64.self)) {
        return false
      }
      position += 7
    }
    return unsafe isCanonical(value.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
  }

  @inline(__always)
  private static func isCanonical(_ word: UInt64) -> Bool {
    // Some byte is below n if subtracting n from each borrows from a high bit that was not set.
    let controls = (word &- ones &* 0x20) | ((word ^ ones &* 0x7F) &- ones) | word
    let spaces = word ^ ones &* 0x20
    let pairs = spaces | spaces &>> 8 | 0xFF << 56
    return (controls | ((pairs &- ones) & ~pairs)) & highBits == 0
  }

  /// Eight bytes with ASCII letters in lowercase.
  @inlinable @inline(__always)
  package static func lowercased(_ word: UInt64) -> UInt64 {
    let low = word & ~highBits
    let isFromA = low &+ ones &* (0x80 - 0x41)
    let isAfterZ = low &+ ones &* (0x80 - 0x5B)
    return word | (isFromA & ~isAfterZ & ~word & highBits) &>> 2
  }

  /// Whether eight bytes are lowercase letters, digits and '-'.
  @inlinable @inline(__always)
  package static func isPlainName(_ word: UInt64) -> Bool {
    let low = word & ~highBits
    let isLetter = (low &+ ones &* (0x80 - 0x61)) & ~(low &+ ones &* (0x80 - 0x7B))
    let isDigit = (low &+ ones &* (0x80 - 0x30)) & ~(low &+ ones &* (0x80 - 0x3A))
    let isDash = ~((low ^ ones &* 0x2D) &+ ones &* 0x7F)
    return (isLetter | isDigit | isDash) & ~word & highBits == highBits
  }

  /// How many of eight bytes, from the lowest on, are letters, digits, '-' or '.'.
  @inlinable @inline(__always)
  package static func unreservedCount(_ word: UInt64) -> Int {
    let low = word & ~highBits
    let letter = low | ones &* 0x20
    let isLetter = (letter &+ ones &* (0x80 - 0x61)) & ~(letter &+ ones &* (0x80 - 0x7B))
    // From '-' to '9', without the '/' among them.
    let isDigit = (low &+ ones &* (0x80 - 0x2D)) & ~(low &+ ones &* (0x80 - 0x3A))
    let isOther = (low ^ ones &* 0x2F) &+ ones &* 0x7F
    let isUnreserved = (isLetter | isDigit & isOther) & ~word & highBits
    return (~isUnreserved & highBits).trailingZeroBitCount / 8
  }
}
