// SPDX-License-Identifier: Apache-2.0
// Reads text from spans, eight or sixteen bytes at a time. Every read checks its bounds.

internal import SecureHashing

/// Text to read.
@usableFromInline package typealias TextSpan = Swift.Span<UInt8>

/// Memory to write text to.
@usableFromInline package typealias TextOutput = Swift.MutableSpan<UInt8>

extension TextSpan {
  /// Returns the byte at a position.
  @inlinable @inline(__always)
  package func byte(at position: Int) -> UInt8 { self[position] }

  /// Returns eight bytes from a position, the first one lowest. All of them must exist.
  @inlinable @inline(__always)
  package func fullWord(at position: Int) -> UInt64 {
    // Safety: any bytes are a number.
    unsafe UInt64(
      littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self))
  }

  /// Returns eight bytes from a position, the first one lowest, with zeros after the end.
  @inlinable @inline(__always)
  package func word(at position: Int) -> UInt64 {
    position &+ 8 <= count ? fullWord(at: position) : lastWord(at: position)
  }

  @inlinable @inline(never)
  package func lastWord(at position: Int) -> UInt64 {
    if count >= 8 {
      let missing = position &+ 8 &- count
      return missing > 7
        ? 0 : fullWord(at: count &- 8) &>> UInt64(truncatingIfNeeded: 8 &* missing)
    }
    if count >= 4 && position == 0 {
      let (low, high) = (fullHalf(at: 0), fullHalf(at: count &- 4))
      return low | high &<< UInt64(truncatingIfNeeded: 8 &* (count &- 4))
    }
    var word: UInt64 = 0
    var next = count
    while next > position {
      next &-= 1
      word = word &<< 8 | UInt64(byte(at: next))
    }
    return word
  }

  /// Returns four bytes from a position, the first one lowest. All of them must exist.
  @inlinable @inline(__always)
  func fullHalf(at position: Int) -> UInt64 {
    // Safety: any bytes are a number.
    unsafe UInt64(
      UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt32.self)))
  }

  /// Returns sixteen bytes from a position. All of them must exist.
  @inline(__always)
  func sixteen(at position: Int) -> SixteenBytes {
    // Safety: any bytes are a vector.
    unsafe SixteenBytes(bytes.unsafeLoadUnaligned(fromByteOffset: position, as: ByteVector.self))
  }
}

extension TextSpan {
  /// Returns the position of the first byte with this value at or after `start`, or the end.
  package func position(of byte: UInt8, from start: Int = 0) -> Int {
    var position = start
    while position &+ 16 <= count, !sixteen(at: position).contains(byte) { position &+= 16 }
    while position < count {
      let found = EightBytes.first(byte, in: word(at: position))
      if found != 0 {
        // Bytes after the end are read as zeros.
        return Swift.min(position &+ found.trailingZeroBitCount &>> 3, count)
      }
      position &+= 8
    }
    return count
  }

  /// Returns whether two texts have the same bytes.
  package func hasSameBytes(as other: TextSpan) -> Bool {
    if count != other.count { return false }
    if count < 8 { return lastWord(at: 0) == other.lastWord(at: 0) }
    var position = 0
    while position &+ 8 < count {
      if fullWord(at: position) != other.fullWord(at: position) { return false }
      position &+= 8
    }
    // The last eight bytes overlap the previous ones.
    return fullWord(at: count &- 8) == other.fullWord(at: count &- 8)
  }

  /// A copy of the bytes.
  package var array: [UInt8] {
    unsafe withUnsafeBytes { unsafe [UInt8]($0) }
  }

  /// The bytes as a UTF-8 string.
  package var string: String { unsafe withUnsafeBytes { unsafe $0.textInUTF8 } }

  /// Returns whether the bytes spell a string.
  package func spells(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { unsafe hasSameBytes(as: $0.span) }
  }

  /// Returns whether the bytes spell a string, ignoring the case of ASCII letters.
  package func spellsIgnoringCase(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { text in
      // Safety: only positions in the string are read.
      if count != text.count { return false }
      for position in 0..<count {
        let other = unsafe ASCIIByte.lowercased(text[position])
        if ASCIIByte.lowercased(byte(at: position)) != other { return false }
      }
      return true
    }
  }

  /// Whether all bytes are lowercase hexadecimal digits.
  package var isLowercaseHexadecimal: Bool {
    var position = 0
    while position &+ 16 <= count {
      let bytes = sixteen(at: position)
      let isDigit = bytes.isDigit | bytes.within(0x61, 0x66)
      if (~isDigit | bytes.isNotASCII).hasAny { return false }
      position &+= 16
    }
    while position < count {
      let byte = byte(at: position)
      if ASCIIByte.hexadecimalValue(byte) == nil || ASCIIByte.lowercased(byte) != byte {
        return false
      }
      position &+= 1
    }
    return true
  }

  /// Returns a number below 0, 0, or above 0 if the text comes before another, equals it, or comes
  /// after it. Texts are compared byte by byte, and a prefix comes first.
  package func compare(to other: TextSpan) -> Int {
    let common = Swift.min(count, other.count)
    var position = 0
    while position &+ 8 <= common {
      let (left, right) = (fullWord(at: position), other.fullWord(at: position))
      if left != right { return left.byteSwapped < right.byteSwapped ? -1 : 1 }
      position &+= 8
    }
    while position < common {
      let (left, right) = (byte(at: position), other.byte(at: position))
      if left != right { return left < right ? -1 : 1 }
      position &+= 1
    }
    return count &- other.count
  }

  /// Returns whether two texts are equal, in constant time for their sizes.
  package func isSameSecret(as other: TextSpan) -> Bool {
    unsafe withUnsafeBytes { bytes in
      unsafe other.withUnsafeBytes { unsafe ConstantTime.equal(bytes, $0) }
    }
  }
}
