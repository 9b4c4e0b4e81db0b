// SPDX-License-Identifier: Apache-2.0
// The order of what is signed, and searches: by bytes, not by Unicode's equivalence as Swift's strings.

// Public, because package functions are not inlined into other modules; the module is not a product.

/// Comparison of texts byte by byte, a shorter one before those that begin with it.
public enum BytewiseOrder {
  /// Whether one text comes before another.
  #if !hasFeature(Embedded)
    @inlinable
  #endif
  public static func precedes(
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
  public static func compare(
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
