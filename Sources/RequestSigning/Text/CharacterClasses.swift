// SPDX-License-Identifier: Apache-2.0
// Character classes, eight and sixteen bytes at a time. Most texts need no further check.

extension EightBytes {
  /// Eight letters to append to a text without changing the result of a check.
  static var letters: UInt64 { ones &* 0x61 }

  /// Returns up to eight characters as a number, the first one lowest, padded with zeros. The
  /// optimizer turns it into a constant.
  @inline(__always)
  package static func spelling(_ text: StaticString) -> UInt64 {
    var word: UInt64 = 0
    for index in 0..<Swift.min(text.utf8CodeUnitCount, 8) {
      word |= unsafe UInt64(text.utf8Start[index]) &<< UInt64(truncatingIfNeeded: 8 &* index)
    }
    return word
  }

  /// Returns a bit for each byte with this value. Exact if all bytes are ASCII.
  @inline(__always)
  static func each(_ byte: UInt8, in word: UInt64) -> UInt64 {
    let zeros = word ^ ones &* UInt64(byte)
    return ~((zeros & ~highBits) &+ ones &* 0x7F | zeros) & highBits
  }
}

/// Sixteen bytes. In a result, the highest bit of each byte is the answer, which is correct if the
/// byte is ASCII.
///
/// Sums, differences and bitwise operations compile to vector instructions. Comparisons of vectors
/// don't.
struct SixteenBytes {
  var bytes: ByteVector

  @inline(__always) init(_ bytes: ByteVector) { self.bytes = bytes }
  @inline(__always) init(repeating byte: UInt8) { bytes = ByteVector(repeating: byte) }

  @inline(__always) static func | (left: Self, right: Self) -> Self {
    Self(left.bytes | right.bytes)
  }
  @inline(__always) static func & (left: Self, right: Self) -> Self {
    Self(left.bytes & right.bytes)
  }
  @inline(__always) static prefix func ~ (value: Self) -> Self { Self(~value.bytes) }

  @inline(__always) private func plus(_ byte: UInt8) -> Self {
    Self(bytes &+ ByteVector(repeating: byte))
  }

  /// The bytes in a range of values.
  @inline(__always) func within(_ first: UInt8, _ last: UInt8) -> Self {
    plus(0x80 - first) & ~plus(0x7F - last)
  }

  /// The bytes with a different value.
  @inline(__always) func isNot(_ byte: UInt8) -> Self {
    Self(bytes ^ ByteVector(repeating: byte)).plus(0x7F)
  }

  /// The bytes with this value.
  @inline(__always) func isEqual(_ byte: UInt8) -> Self { ~isNot(byte) }

  /// The positions where neither this vector nor `next` has this value.
  @inline(__always) func isNot(_ byte: UInt8, norIn next: Self) -> Self {
    let pair = (bytes ^ ByteVector(repeating: byte)) | (next.bytes ^ ByteVector(repeating: byte))
    return Self(pair).plus(0x7F)
  }

  @inline(__always) var isCapital: Self { within(0x41, 0x5A) }
  @inline(__always) var isLowercaseLetter: Self { within(0x61, 0x7A) }
  @inline(__always) var isLetter: Self {
    Self(bytes | ByteVector(repeating: 0x20)).isLowercaseLetter
  }
  @inline(__always) var isDigit: Self { within(0x30, 0x39) }

  /// The control characters and non-ASCII bytes.
  @inline(__always) var isNotPrintable: Self {
    self | ~plus(0x60) | plus(1)
  }

  /// The non-ASCII bytes.
  @inline(__always) var isNotASCII: Self { self }

  /// The bytes with lowercase letters.
  @inline(__always) var lowercased: Self {
    let capitals = isCapital.bytes & ~bytes & ByteVector(repeating: 0x80)
    return Self(bytes | capitals &>> 2)
  }

  /// Whether any byte's bit is set.
  @inline(__always) var hasAny: Bool {
    let halves = bytes.halves
    return (halves.0 | halves.1) & EightBytes.highBits != 0
  }

  /// Returns whether any byte may have this value. False is certain.
  @inline(__always) func contains(_ byte: UInt8) -> Bool { isEqual(byte).hasAny }
}
