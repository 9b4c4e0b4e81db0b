// SPDX-License-Identifier: Apache-2.0
// Multiples of the base point of edwards25519: in constant time for signing, and in variable time
// for verification.

extension Edwards25519 {
  /// Tables of multiples of the base point (RFC 8032, 5.1), in the files named BasePoint+. A point
  /// has 12 words: the numbers of an ``AffineSummand``.
  enum BasePoint {
    /// Returns a multiple of the base point, in constant time, by the digits of ``Comb``. Its
    /// exceptional cases don't exist here.
    static func times(_ scalar: Scalar) -> Point {
      var digits = scalar.combDigits
      defer { Secret.erase(&digits) }
      return unsafe comb.withUnsafeBufferPointer { table in
        // Safety: the table contains all blocks. The tests recompute them.
        unsafe table.baseAddress.map { unsafe multiple(digits, $0) } ?? .neutral
      }
    }

    private static func multiple(_ digits: Words256, _ table: UnsafePointer<UInt64>) -> Point {
      var sum = Point.neutral
      var shift = Comb.spacing
      while shift > 0 {
        shift &-= 1
        sum = sum.doubled()
        for block in 0..<Comb.blockCount {
          let (index, mask) = Comb.entry(digits, block, shift)
          // Safety: each earlier block has 32 points of 12 words.
          let points = unsafe UnsafeRawPointer(table + 384 &* block)
          let count = 1 &<< (Comb.teeth(block) &- 1)
          sum = unsafe sum + selected(index, of: count, points).negated(where: mask)
        }
      }
      return sum
    }

    /// Reads every point of a block.
    @inline(never)
    private static func selected(
      _ index: UInt64, of count: Int, _ points: UnsafeRawPointer
    ) -> AffineSummand {
      typealias Pair = SIMD2<UInt64>
      let wanted = Pair(repeating: index)
      var position = Pair.zero
      var (a0, a1, b0, b1, c0, c1) = (
        Pair.zero, Pair.zero, Pair.zero, Pair.zero, Pair.zero, Pair.zero
      )
      var point = unsafe points
      for _ in 0..<count {
        // All bits set if the positions are equal, because only 0 has a negative predecessor.
        let mask =
          Pair.zero &- (((position ^ wanted) &- Pair(repeating: 1)) &>> Pair(repeating: 63))
        // Safety: the loop reads `count` points of 96 bytes each.
        a0 |= unsafe point.loadUnaligned(as: Pair.self) & mask
        a1 |= unsafe point.loadUnaligned(fromByteOffset: 16, as: Pair.self) & mask
        b0 |= unsafe point.loadUnaligned(fromByteOffset: 32, as: Pair.self) & mask
        b1 |= unsafe point.loadUnaligned(fromByteOffset: 48, as: Pair.self) & mask
        c0 |= unsafe point.loadUnaligned(fromByteOffset: 64, as: Pair.self) & mask
        c1 |= unsafe point.loadUnaligned(fromByteOffset: 80, as: Pair.self) & mask
        position &+= Pair(repeating: 1)
        unsafe point += 96
      }
      return AffineSummand(
        yPlusX: Element(Words256(a0[0], a0[1], a1[0], a1[1])),
        yMinusX: Element(Words256(b0[0], b0[1], b1[0], b1[1])),
        doubleDXY: Element(Words256(c0[0], c0[1], c1[0], c1[1])))
    }

    // MARK: - Variable time, for public points

    /// Returns the scalar times the base point plus another multiple of a point, with a table of
    /// that point's first eight odd multiples.
    static func sum(_ scalar: Scalar, plus factor: Scalar, times point: Point) -> Point {
      let multiples = oddMultiples(of: point)
      let first = WindowDigits(scalar.words, width: 8)
      let second = WindowDigits(factor.words, width: 5)
      var sum = Point.neutral
      var position = 253  // above the highest digit of a number below 2^253
      while position >= 0 {
        var factors = Factors(doubling: sum)
        let digit = second[position]
        if digit != 0 {
          let multiple = multiples[Int(digit.magnitude) / 2]
          factors = Factors(factors.point, plus: digit < 0 ? multiple.negated : multiple)
        }
        let baseDigit = first[position]
        if baseDigit != 0 {
          let multiple = oddMultiple(Int(baseDigit.magnitude) / 2)
          factors = Factors(factors.point, plus: baseDigit < 0 ? multiple.negated : multiple)
        }
        sum = factors.pointWithoutT
        position -= 1
      }
      return sum
    }

    /// Returns the point times 1, 3, 5 to 15.
    private static func oddMultiples(of point: Point) -> [Summand] {
      let step = Summand(point.doubled())
      var multiple = point
      var multiples = [Summand(multiple)]
      multiples.reserveCapacity(8)
      for _ in 1..<8 {
        multiple = multiple + step
        multiples.append(Summand(multiple))
      }
      return multiples
    }

    /// Returns the base point times 2 * index + 1.
    private static func oddMultiple(_ index: Int) -> AffineSummand {
      func element(_ first: Int) -> Element {
        let start = 12 * index + first
        return Element(
          Words256(
            oddMultiples[start], oddMultiples[start + 1], oddMultiples[start + 2],
            oddMultiples[start + 3]))
      }
      return AffineSummand(yPlusX: element(0), yMinusX: element(4), doubleDXY: element(8))
    }
  }
}
