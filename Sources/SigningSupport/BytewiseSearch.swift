// SPDX-License-Identifier: Apache-2.0
// Where some bytes stand in others: texts are searched by their bytes, not by Unicode's equivalence.

/// Looks for bytes in bytes.
package enum BytewiseSearch {
  /// Whether no byte is below a limit, a delete character, or one of two others. The limit is at most 128.
  package static func isPlain(
    _ bytes: ArraySlice<UInt8>, from limit: UInt8, without first: UInt8, _ second: UInt8
  ) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    func isPlain(_ word: UInt64) -> Bool {
      func has(_ byte: UInt8) -> UInt64 {
        let zeros = word ^ ones &* UInt64(byte)
        return (zeros &- ones) & ~zeros
      }
      // Some byte is below n if subtracting n from each borrows from a high bit that was not set.
      let isBelow = (word &- ones &* UInt64(limit)) & ~word
      return (isBelow | has(0x7F) | has(first) | has(second)) & ones &<< 7 == 0
    }
    // Safety: 8 bytes from the position on, or one, are inside of the slice.
    return unsafe bytes.withUnsafeBytes { bytes in
      var position = 0
      while position + 8 <= bytes.count {
        if unsafe !isPlain(bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)) {
          return false
        }
        position += 8
      }
      while position < bytes.count {
        if unsafe !isPlain(ones &* UInt64(bytes[position])) { return false }
        position += 1
      }
      return true
    }
  }

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
    #if hasFeature(Embedded)
      return firstIndex(of: byte) ?? endIndex
    #else
      // Safety: the bytes are read only.
      return unsafe withUnsafeBytes { unsafe $0.firstPosition(of: byte, from: 0) } + startIndex
    #endif
  }
}

extension [UInt8] {
  /// The position of the first byte of a value in a part, or the end of the part.
  package func firstPosition(of byte: UInt8, in part: Range<Int>) -> Int {
    #if hasFeature(Embedded)  // where size counts
      return self[part].firstPosition(of: byte)
    #else
      // A slice would be counted as a reference. Safety: the bytes are read only.
      return unsafe withUnsafeBytes { bytes in
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<part.upperBound])
        return unsafe bytes.firstPosition(of: byte, from: part.lowerBound)
      }
    #endif
  }
}

#if !hasFeature(Embedded)
  extension UnsafeRawBufferPointer {
    /// The position of the first byte of a value from a position on, or the end.
    func firstPosition(of byte: UInt8, from start: Int) -> Int {
      let ones: UInt64 = 0x0101_0101_0101_0101
      var position = start
      // Safety: 8 bytes from the position on, or one, are there.
      while position + 8 <= count {
        let word = unsafe loadUnaligned(fromByteOffset: position, as: UInt64.self)
        let zeros = word ^ ones &* UInt64(byte)
        // Some byte is zero if a borrow reaches a high bit that was not set.
        if (zeros &- ones) & ~zeros & (ones << 7) != 0 { break }
        position += 8
      }
      while position < count, unsafe self[position] != byte { position += 1 }
      return position
    }
  }
#endif
