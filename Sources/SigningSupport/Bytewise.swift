// SPDX-License-Identifier: Apache-2.0
// The order of what is signed, and searches: by bytes, not by Unicode's equivalence as Swift's strings. Then texts
// eight bytes at a time: what most of them are, so that they need no closer look.

/// Comparison of texts byte by byte, a shorter one before those that begin with it.
@usableFromInline package enum BytewiseOrder {
  /// Whether one text comes before another.
  #if !hasFeature(Embedded)
    @inlinable
  #endif
  package static func precedes(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
  )
    -> Bool
  {
    unsafe compare(left, right) < 0
  }

  /// Below 0, 0 or above 0, as one text comes before the other, equals it, or comes after it.
  #if hasFeature(Embedded)  // where size counts
    @inline(never)
  #else
    @inlinable
  #endif
  package static func compare(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
  )
    -> Int
  {
    let common = Swift.min(left.count, right.count)
    var position = 0
    // Safety: 8 bytes from the position on, or one, are inside of both texts.
    #if !hasFeature(Embedded)  // where size counts
      while position &+ 8 <= common {
        let word = unsafe left.loadUnaligned(fromByteOffset: position, as: UInt64.self).bigEndian
        let other = unsafe right.loadUnaligned(fromByteOffset: position, as: UInt64.self).bigEndian
        if word != other { return word < other ? -1 : 1 }
        position &+= 8
      }
    #endif
    while position < common {
      let (byte, other) = unsafe (left[position], right[position])
      if byte != other { return byte < other ? -1 : 1 }
      position &+= 1
    }
    return left.count &- right.count
  }
}

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
  #if hasFeature(Embedded)  // where size counts
    @inline(never)
  #endif
  package func firstPosition(of byte: UInt8) -> Int {
    // Safety: the bytes are read only.
    unsafe withUnsafeBytes { unsafe $0.firstPosition(of: byte, from: 0) } + startIndex
  }
}

extension UnsafeRawBufferPointer {
  /// The position of the first byte of a value from a position on, or the end.
  package func firstPosition(of byte: UInt8, from start: Int) -> Int {
    unsafe firstPosition(from: start) {
      $0 == byte
    } bits: {
      EightBytes.first(byte, in: $0)
    }
  }

  /// The position of the first byte that has one of three values, from a position on, or the end.
  package func firstPosition(
    of byte: UInt8, _ second: UInt8, _ third: UInt8, from start: Int
  ) -> Int {
    unsafe firstPosition(from: start) {
      $0 == byte || $0 == second || $0 == third
    } bits: {
      EightBytes.first(byte, in: $0) | EightBytes.first(second, in: $0)
        | EightBytes.first(third, in: $0)
    }
  }

  /// The position of the first byte that is wanted, from a position on, or the end. Of eight bytes the lowest
  /// bit says which one is.
  @inline(__always)
  private func firstPosition(
    from start: Int, where isWanted: (UInt8) -> Bool, bits: (UInt64) -> UInt64
  ) -> Int {
    var position = start
    // Safety: the position is below the count.
    while position < count {
      #if hasFeature(Embedded)  // where size counts
        if unsafe isWanted(self[position]) { return position }
        position += 1
      #else
        let found = unsafe bits(word(at: position))
        // What lies beyond the end is read as zeros.
        if found != 0 { return Swift.min(position + found.trailingZeroBitCount / 8, count) }
        position += 8
      #endif
    }
    return count
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

  /// A bit for the first of two neighbours that both have a value; bits above it mean nothing.
  @inline(__always)
  private static func firstPair(of byte: UInt8, in word: UInt64) -> UInt64 {
    let zeros = word ^ ones &* UInt64(byte)
    let pairs = zeros | zeros &>> 8 | 0xFF << 56
    return (pairs &- ones) & ~pairs & highBits
  }

  /// Whether all words of a text are good. They overlap by a byte, so that no two neighbours are missed; a text of
  /// fewer than eight bytes is filled with the letter a.
  @inline(__always)
  private static func isGood(
    _ text: UnsafeRawBufferPointer, _ isGood: (_ word: UInt64) -> Bool
  ) -> Bool {
    let count = text.count
    if count == 0 { return true }
    // Safety: all positions are below the count.
    if count < 8 { return unsafe isGood(text.word(at: 0) | ones &* 0x61 &<< (8 * count)) }
    var position = 0
    while position < count - 8 {
      if unsafe !isGood(text.word(at: position)) { return false }
      position += 7
    }
    return unsafe isGood(text.word(at: count - 8))
  }

  /// Whether a value is in ASCII, without control characters and tabs, without a space at either end, and
  /// without two spaces side by side: in canonical form as it is. False says nothing.
  package static func isCanonical(_ value: UnsafeRawBufferPointer) -> Bool {
    // Safety: the bytes are read only.
    if unsafe value.first == ASCIIByte.space || value.last == ASCIIByte.space { return false }
    return unsafe isGood(value) { word in
      let controls = (word &- ones &* 0x20) | ((word ^ ones &* 0x7F) &- ones) | word
      return controls & highBits | firstPair(of: ASCIIByte.space, in: word) == 0
    }
  }

  /// Whether the value of a Host header is a name that can be sent as it is: in lowercase, with something
  /// before each dot. False says nothing.
  package static func isPlainHost(_ name: UnsafeRawBufferPointer) -> Bool {
    // Safety: the bytes are read only.
    if unsafe name.isEmpty || name[0] == ASCIIByte.dot { return false }
    return unsafe isGood(name) { word in
      firstPair(of: ASCIIByte.dot, in: word) == 0
        && unreserved(word, slash: false) == highBits && lowercased(word) == word
    }
  }

  /// Whether the target of a request has no space, control character, '#' or '\\'.
  package static func isPlainTarget(_ target: UnsafeRawBufferPointer) -> Bool {
    // Safety: the bytes are read only.
    unsafe isGood(target) { word in
      let isBelow = (word &- ones &* 0x21) & ~word & highBits
      return isBelow | first(0x7F, in: word) | first(ASCIIByte.hash, in: word)
        | first(ASCIIByte.backslash, in: word) == 0
    }
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

extension UnsafeRawBufferPointer {
  /// Eight bytes from a position on, which is below the count; zeros for those beyond the end.
  @inlinable @inline(__always)
  package func word(at position: Int) -> UInt64 {
    // Safety: eight bytes are there, or one.
    let missing = position &+ 8 &- count
    if missing <= 0 {
      return unsafe UInt64(littleEndian: loadUnaligned(fromByteOffset: position, as: UInt64.self))
    }
    if count >= 8 {
      let last = unsafe loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
      return UInt64(littleEndian: last) &>> UInt64(truncatingIfNeeded: 8 &* missing)
    }
    var word: UInt64 = 0
    for index in (position..<count).reversed() { word = unsafe word &<< 8 | UInt64(self[index]) }
    return word
  }
}
