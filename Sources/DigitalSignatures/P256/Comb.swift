// SPDX-License-Identifier: Apache-2.0
// Multiples of a point by a comb: 43 additions and 3 doublings.
//
// The scalar k is written with 256 digits of 1 and -1, k = sum of d[i] * 2^i: M. Hamburg, "Fast and
// compact elliptic-curve cryptography", 2012, section 3.3. Digit 24 * block + 4 * tooth + shift
// belongs to tooth 0 to 5 of block 0 to 10. The last block has 4 teeth. For each block, the table
// contains the sums of its teeth with all signs, the last tooth's being positive: 10 * 32 + 8
// points.
//
// No addition except the last meets infinity, equal points or opposite points. Let the sum so far
// be a times the point, and let the next summand be t times the point, where a and t are integers.
// Together, |a| + |t| is below 2^256 - 2^252, which is below n, so a = t, a = -t or a = 0 modulo n
// would also hold for the integers. In the first turn, the earlier blocks have only lower digits,
// so |a| < 2^(24 * block) <= |t|, and a is odd. In the later turns, a has been doubled. It's even
// and not zero when the odd t of block 0 is added. After that, a is odd, and every other t is even.
// Only the last addition of the last turn adds digits of 2^252 and more when all others are
// present. It uses the complete formula.

enum Comb {
  static var blockCount: Int { 11 }
  static var spacing: Int { 4 }
  static var pointCount: Int { 10 * 32 + 8 }
  static var wordCount: Int { 8 * pointCount }

  /// Returns the number of teeth of a block.
  @inline(__always)
  static func teeth(_ block: Int) -> Int { block < 10 ? 6 : 4 }

  /// 2^256 - 1 modulo n
  static var allOnes: Scalar {
    Scalar(reduced: Words256(0x0C46_353D_039C_DAAE, 0x4319_0552_58E8_617B, 0, 0xFFFF_FFFF))
  }

  /// Returns a number whose bits are the digits of the scalar: 1 for 1, 0 for -1. Since the sum of
  /// d[i] * 2^i is 2 * bits - (2^256 - 1), it's half of k + 2^256 - 1.
  static func digits(of scalar: Scalar) -> Words256 { (scalar + allOnes).halved().words }

  /// Returns the multiple of the table's point, in constant time.
  static func multiply(_ scalar: Scalar, _ table: UnsafePointer<UInt64>) -> ProjectivePoint {
    var digits = digits(of: scalar)
    // Safety: the table contains all blocks.
    var sum = JacobianPoint(unsafe selected(digits, 0, spacing &- 1, table))
    defer {
      Secret.erase(&digits)
      Secret.erase(&sum)
    }
    for block in 1..<blockCount {
      sum.addDistinct(unsafe selected(digits, block, spacing &- 1, table))
    }
    var shift = spacing &- 2
    while shift >= 0 {
      sum.double()
      for block in 0..<(shift == 0 ? blockCount &- 1 : blockCount) {
        sum.addDistinct(unsafe selected(digits, block, shift, table))
      }
      shift &-= 1
    }
    var result = ProjectivePoint(sum)
    result.add(unsafe selected(digits, blockCount &- 1, 0, table))
    return result
  }

  /// Returns the position, in its block, of the point for the digits of a block and shift, and a
  /// mask that is set if the point must be negated.
  @inline(__always)
  static func entry(
    _ digits: Words256, _ block: Int, _ shift: Int
  ) -> (index: UInt64, mask: UInt64) {
    let last = teeth(block) &- 1
    let first = 24 &* block &+ shift
    var index: UInt64 = 0
    for tooth in 0..<last {
      index |= digits.bit(first &+ spacing &* tooth) &<< UInt64(truncatingIfNeeded: tooth)
    }
    let mask = digits.bit(first &+ spacing &* last) &- 1
    return ((index ^ mask) & ((1 &<< UInt64(truncatingIfNeeded: last)) &- 1), mask)
  }

  /// Returns the point for the digits of a block and shift. Reads every point of the block.
  @inline(__always)
  static func selected(
    _ digits: Words256, _ block: Int, _ shift: Int, _ table: UnsafePointer<UInt64>
  ) -> AffinePoint {
    let (index, mask) = entry(digits, block, shift)
    // Safety: each earlier block has 32 points of 8 words.
    let points = unsafe UnsafeRawPointer(table + 256 &* block)
    return unsafe selected(index, of: 1 &<< (teeth(block) &- 1), points).negated(where: mask)
  }

  @inline(never)
  static func selected(_ index: UInt64, of count: Int, _ points: UnsafeRawPointer) -> AffinePoint {
    typealias Pair = SIMD2<UInt64>
    let wanted = Pair(repeating: index)
    var position = Pair.zero
    var (x0, x1, y0, y1) = (Pair.zero, Pair.zero, Pair.zero, Pair.zero)
    var point = unsafe points
    for _ in 0..<count {
      // All bits set if the positions are equal, because only 0 has a negative predecessor.
      let mask = Pair.zero &- (((position ^ wanted) &- Pair(repeating: 1)) &>> Pair(repeating: 63))
      // Safety: the loop reads `count` points of 64 bytes each.
      x0 |= unsafe point.loadUnaligned(as: Pair.self) & mask
      x1 |= unsafe point.loadUnaligned(fromByteOffset: 16, as: Pair.self) & mask
      y0 |= unsafe point.loadUnaligned(fromByteOffset: 32, as: Pair.self) & mask
      y1 |= unsafe point.loadUnaligned(fromByteOffset: 48, as: Pair.self) & mask
      position &+= Pair(repeating: 1)
      unsafe point += 64
    }
    return AffinePoint(
      x: FieldElement(montgomery: Words256(x0[0], x0[1], x1[0], x1[1])),
      y: FieldElement(montgomery: Words256(y0[0], y0[1], y1[0], y1[1])))
  }
}
