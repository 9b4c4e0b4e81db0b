// SPDX-License-Identifier: Apache-2.0
// What must not tell by its duration what it saw: comparison, and the erasing of secrets.

/// Operations whose time depends on sizes only, never on the bytes.
public enum ConstantTime {
  /// Whether two byte strings are equal. The time depends on the two lengths, which are public.
  @inlinable
  public static func equal(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool
  {
    var difference: UInt8 = 0
    var leftIndex = left.startIndex
    var rightIndex = right.startIndex
    while leftIndex != left.endIndex && rightIndex != right.endIndex {
      difference |= left[leftIndex] ^ right[rightIndex]
      left.formIndex(after: &leftIndex)
      right.formIndex(after: &rightIndex)
    }
    let sameLength = leftIndex == left.endIndex && rightIndex == right.endIndex
    return isZero(difference) && sameLength
  }

  /// Not inlined, so that the compiler sees no use of the difference inside the loop above.
  @inline(never)
  @usableFromInline
  static func isZero(_ difference: UInt8) -> Bool { difference == 0 }

  /// 255 when a byte lies in a range, 0 when not, without a branch. `first` is not above `last`.
  static func mask(_ byte: UInt8, from first: UInt8, through last: UInt8) -> UInt8 {
    let belowFirst = Int32(byte) &- Int32(first)
    let aboveLast = Int32(last) &- Int32(byte)
    // Either difference is negative outside of the range; its sign fills the upper bits.
    return ~UInt8(truncatingIfNeeded: (belowFirst | aboveLast) &>> 8)
  }

  /// Overwrites what functions that have returned left on the stack: 4 KiB below the caller.
  ///
  /// The secrets have to be computed by a function that is not inlined into the caller. In Embedded Swift
  /// nothing is done: a microcontroller may have no 4 KiB left.
  @inline(never)
  package static func wipeStack() {
    #if !hasFeature(Embedded)
      typealias Kibibyte = (SIMD64<UInt64>, SIMD64<UInt64>)
      let zeros: Kibibyte = (.zero, .zero)
      var space = (zeros, zeros, zeros, zeros)
      // Safety: the space has more bytes. That some are wiped forces the compiler to store all of them.
      unsafe withUnsafeMutableBytes(of: &space) {
        unsafe wipe(UnsafeMutableRawBufferPointer(rebasing: $0[..<8]))
      }
    #endif
  }

  /// What is overwritten at once: 64 bytes.
  private typealias EightWords = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  /// Overwrites a secret with zeros. Neither inlined nor optimised: the compiler may not drop it.
  @inline(never)
  @_optimize(none)
  public static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    let count = bytes.count
    // Safety: only positions of the buffer are written. Plain loops over plain pointers: anything else
    // stands here stays a call for every byte, since nothing is optimised.
    let first = unsafe start.assumingMemoryBound(to: UInt8.self)
    var lead = (8 &- Int(bitPattern: start) & 7) & 7
    if lead > count { lead = count }
    let words = unsafe (start + lead).assumingMemoryBound(to: UInt64.self)
    let rows = unsafe (start + lead).assumingMemoryBound(to: EightWords.self)
    let wordCount = (count &- lead) &>> 3
    let rowCount = wordCount &>> 3
    var index = 0
    while index < lead {
      unsafe first[index] = 0
      index &+= 1
    }
    index = 0
    while index < rowCount {
      unsafe rows[index] = (0, 0, 0, 0, 0, 0, 0, 0)
      index &+= 1
    }
    index = rowCount &* 8
    while index < wordCount {
      unsafe words[index] = 0
      index &+= 1
    }
    index = lead &+ wordCount &* 8
    while index < count {
      unsafe first[index] = 0
      index &+= 1
    }
  }
}
