// SPDX-License-Identifier: Apache-2.0
// Inverses modulo p and n by division steps, in constant time.
//
// D. J. Bernstein, B.-Y. Yang, "Fast constant-time gcd computation and modular inversion", 2019, in
// the variant that starts with delta = 1/2, for which 590 steps are enough for 256 bits. This code
// takes 600: ten rounds of 60, each in two halves of 30, whose matrices fit into one word per row.

/// f, g, d and e of the algorithm. f and g become 1 and 0 (except for the sign), while d * x = f
/// and e * x = g modulo the modulus, where x is the number to invert.
struct DivisionSteps {
  var f: Limbs
  var g: Limbs
  var d: Limbs = Limbs(0, 0, 0, 0, 0)
  var e: Limbs = Limbs(1, 0, 0, 0, 0)
  let modulus: Modulus
  /// -(delta + 1/2)
  var zeta: Int64 = -1

  /// Returns the inverse of a number below the modulus, or zero for zero.
  static func inverse(of number: Words256, modulus: Modulus) -> Words256 {
    var steps = DivisionSteps(f: modulus.limbs, g: Limbs(number), modulus: modulus)
    defer { Secret.erase(&steps) }
    for _ in 0..<10 {
      let matrix = steps.next60()
      steps.updateCofactors(matrix)
      steps.updateRemainders(matrix)
    }
    return steps.result()
  }

  /// Takes 60 steps on the lowest words of f and g. Returns the matrix that does the same to the
  /// whole numbers, times 2^60.
  mutating func next60() -> Matrix {
    var low = (f: UInt64(bitPattern: f.l0 | f.l1 &<< 60), g: UInt64(bitPattern: g.l0 | g.l1 &<< 60))
    let first = next30(&low.f, &low.g)
    let second = next30(&low.f, &low.g)
    return Matrix(
      u: second.u &* first.u &+ second.v &* first.q, v: second.u &* first.v &+ second.v &* first.r,
      q: second.q &* first.u &+ second.r &* first.q, r: second.q &* first.v &+ second.r &* first.r)
  }

  /// Takes 30 steps. A row of the matrix is one word: the left number, plus the right one times
  /// 2^32.
  @inline(__always)
  mutating func next30(_ f: inout UInt64, _ g: inout UInt64) -> Matrix {
    var upper: UInt64 = 1
    var lower: UInt64 = 1 &<< 32
    var zeta = zeta
    for _ in 0..<30 {
      let isDeltaPositive = UInt64(bitPattern: zeta &>> 63)
      let isOdd = 0 &- (g & 1)
      // Add f to g, or -f if they're swapped next.
      g &+= ((f ^ isDeltaPositive) &- isDeltaPositive) & isOdd
      lower &+= ((upper ^ isDeltaPositive) &- isDeltaPositive) & isOdd
      let swap = isDeltaPositive & isOdd
      zeta = (zeta ^ Int64(bitPattern: swap)) &- 1
      f &+= g & swap
      upper &+= lower & swap
      g &>>= 1
      upper &<<= 1
    }
    self.zeta = zeta
    let (u, v) = Self.numbers(in: upper)
    let (q, r) = Self.numbers(in: lower)
    return Matrix(u: u, v: v, q: q, r: r)
  }

  @inline(__always)
  static func numbers(in row: UInt64) -> (Int64, Int64) {
    let left = Int64(Int32(truncatingIfNeeded: row))
    return (left, (Int64(bitPattern: row) &- left) &>> 32)
  }

  /// Replaces f and g by the matrix applied to them, divided by 2^60.
  @inline(__always)
  mutating func updateRemainders(_ matrix: Matrix) {
    var f = Accumulator()
    var g = Accumulator()
    f.add(matrix.u, self.f.l0, matrix.v, self.g.l0)
    g.add(matrix.q, self.f.l0, matrix.r, self.g.l0)
    _ = (f.nextLimb(), g.nextLimb())
    f.add(matrix.u, self.f.l1, matrix.v, self.g.l1)
    g.add(matrix.q, self.f.l1, matrix.r, self.g.l1)
    let (f0, g0) = (f.nextLimb(), g.nextLimb())
    f.add(matrix.u, self.f.l2, matrix.v, self.g.l2)
    g.add(matrix.q, self.f.l2, matrix.r, self.g.l2)
    let (f1, g1) = (f.nextLimb(), g.nextLimb())
    f.add(matrix.u, self.f.l3, matrix.v, self.g.l3)
    g.add(matrix.q, self.f.l3, matrix.r, self.g.l3)
    let (f2, g2) = (f.nextLimb(), g.nextLimb())
    f.add(matrix.u, self.f.l4, matrix.v, self.g.l4)
    g.add(matrix.q, self.f.l4, matrix.r, self.g.l4)
    let (f3, g3) = (f.nextLimb(), g.nextLimb())
    self.f = Limbs(f0, f1, f2, f3, f.last)
    self.g = Limbs(g0, g1, g2, g3, g.last)
  }

  /// Replaces d and e by the matrix applied to them, divided by 2^60 modulo the modulus. Both are
  /// between -2 and 1 times the modulus, before and after.
  @inline(__always)
  mutating func updateCofactors(_ matrix: Matrix) {
    let m = modulus.limbs
    let (dSign, eSign) = (self.d.l4 &>> 63, self.e.l4 &>> 63)
    var dFactor = (matrix.u & dSign) &+ (matrix.v & eSign)
    var eFactor = (matrix.q & dSign) &+ (matrix.r & eSign)
    var d = Accumulator()
    var e = Accumulator()
    d.add(matrix.u, self.d.l0, matrix.v, self.e.l0)
    e.add(matrix.q, self.d.l0, matrix.r, self.e.l0)
    // This multiple of the modulus makes the lowest limb zero.
    dFactor &-= (modulus.inverse &* d.last &+ dFactor) & Limbs.mask
    eFactor &-= (modulus.inverse &* e.last &+ eFactor) & Limbs.mask
    d.add(m.l0, dFactor)
    e.add(m.l0, eFactor)
    _ = (d.nextLimb(), e.nextLimb())
    d.add(matrix.u, self.d.l1, matrix.v, self.e.l1)
    e.add(matrix.q, self.d.l1, matrix.r, self.e.l1)
    d.add(m.l1, dFactor)
    e.add(m.l1, eFactor)
    let (d0, e0) = (d.nextLimb(), e.nextLimb())
    d.add(matrix.u, self.d.l2, matrix.v, self.e.l2)
    e.add(matrix.q, self.d.l2, matrix.r, self.e.l2)
    d.add(m.l2, dFactor)
    e.add(m.l2, eFactor)
    let (d1, e1) = (d.nextLimb(), e.nextLimb())
    d.add(matrix.u, self.d.l3, matrix.v, self.e.l3)
    e.add(matrix.q, self.d.l3, matrix.r, self.e.l3)
    d.add(m.l3, dFactor)
    e.add(m.l3, eFactor)
    let (d2, e2) = (d.nextLimb(), e.nextLimb())
    d.add(matrix.u, self.d.l4, matrix.v, self.e.l4)
    e.add(matrix.q, self.d.l4, matrix.r, self.e.l4)
    d.add(m.l4, dFactor)
    e.add(m.l4, eFactor)
    let (d3, e3) = (d.nextLimb(), e.nextLimb())
    self.d = Limbs(d0, d1, d2, d3, d.last)
    self.e = Limbs(e0, e1, e2, e3, e.last)
  }

  /// Returns d with the sign of f, modulo the modulus.
  func result() -> Words256 {
    let positive = d.adding(modulus.limbs, where: d.l4 &>> 63)
    let signed = positive.negated(where: f.l4 &>> 63)
    return signed.adding(modulus.limbs, where: signed.l4 &>> 63).words
  }
}

extension DivisionSteps {
  struct Matrix {
    let u: Int64
    let v: Int64
    let q: Int64
    let r: Int64
  }

  struct Modulus {
    let limbs: Limbs
    /// 1 / modulus modulo 2^60
    let inverse: Int64

    static var prime: Modulus {
      Modulus(limbs: Limbs(FieldElement.prime), inverse: 0xFFF_FFFF_FFFF_FFFF)
    }
    static var order: Modulus {
      Modulus(limbs: Limbs(Scalar.order), inverse: 0x32E_3755_11FF_43B1)
    }
  }

  /// A signed number: five limbs of 60 bits, lowest first. The last limb holds the sign.
  struct Limbs {
    var l0: Int64
    var l1: Int64
    var l2: Int64
    var l3: Int64
    var l4: Int64

    @inline(__always) static var mask: Int64 { 0xFFF_FFFF_FFFF_FFFF }

    @inline(__always)
    init(_ l0: Int64, _ l1: Int64, _ l2: Int64, _ l3: Int64, _ l4: Int64) {
      (self.l0, self.l1, self.l2, self.l3, self.l4) = (l0, l1, l2, l3, l4)
    }

    @inline(__always)
    init(_ words: Words256) {
      let mask = UInt64(bitPattern: Self.mask)
      l0 = Int64(bitPattern: words.w0 & mask)
      l1 = Int64(bitPattern: (words.w0 &>> 60 | words.w1 &<< 4) & mask)
      l2 = Int64(bitPattern: (words.w1 &>> 56 | words.w2 &<< 8) & mask)
      l3 = Int64(bitPattern: (words.w2 &>> 52 | words.w3 &<< 12) & mask)
      l4 = Int64(bitPattern: words.w3 &>> 48)
    }

    /// The words of a nonnegative number.
    var words: Words256 {
      let (u0, u1, u2) = (UInt64(bitPattern: l0), UInt64(bitPattern: l1), UInt64(bitPattern: l2))
      let (u3, u4) = (UInt64(bitPattern: l3), UInt64(bitPattern: l4))
      return Words256(
        u0 | u1 &<< 60, u1 &>> 4 | u2 &<< 56, u2 &>> 8 | u3 &<< 52, u3 &>> 12 | u4 &<< 48)
    }

    /// Returns the sum with another number if the mask is set, or the same number otherwise.
    func adding(_ other: Limbs, where mask: Int64) -> Limbs {
      Limbs(
        l0 &+ (other.l0 & mask), l1 &+ (other.l1 & mask), l2 &+ (other.l2 & mask),
        l3 &+ (other.l3 & mask), l4 &+ (other.l4 & mask)
      ).carried()
    }

    /// Returns the negative if the mask is set.
    func negated(where mask: Int64) -> Limbs {
      Limbs(
        (l0 ^ mask) &- mask, (l1 ^ mask) &- mask, (l2 ^ mask) &- mask, (l3 ^ mask) &- mask,
        (l4 ^ mask) &- mask
      ).carried()
    }

    /// Returns the same number with limbs of 0 to 2^60 - 1, except for the last.
    private func carried() -> Limbs {
      let c1 = l1 &+ (l0 &>> 60)
      let c2 = l2 &+ (c1 &>> 60)
      let c3 = l3 &+ (c2 &>> 60)
      let c4 = l4 &+ (c3 &>> 60)
      return Limbs(l0 & Self.mask, c1 & Self.mask, c2 & Self.mask, c3 & Self.mask, c4)
    }
  }

  /// A signed 128-bit sum of products.
  struct Accumulator {
    var low: UInt64 = 0
    var high: UInt64 = 0

    @inline(__always)
    mutating func add(_ a: Int64, _ b: Int64, _ c: Int64, _ d: Int64) {
      add(a, b)
      add(c, d)
    }

    @inline(__always)
    mutating func add(_ a: Int64, _ b: Int64) {
      #if _pointerBitWidth(_64)
        let product = a.multipliedFullWidth(by: b)
        let productHigh = UInt64(bitPattern: product.high)
      #else
        // The unsigned product, corrected, because the signed one is a call with branches.
        let product = UInt64(bitPattern: a).multipliedFullWidth(by: UInt64(bitPattern: b))
        let productHigh =
          product.high &- UInt64(bitPattern: (a &>> 63) & b) &- UInt64(bitPattern: (b &>> 63) & a)
      #endif
      var carry: UInt64 = 0
      low = Carry.add(low, product.low, &carry)
      high = high &+ productHigh &+ carry
    }

    /// Removes and returns the lowest 60 bits.
    @inline(__always)
    mutating func nextLimb() -> Int64 {
      let limb = Int64(bitPattern: low) & Limbs.mask
      low = low &>> 60 | high &<< 4
      high = UInt64(bitPattern: Int64(bitPattern: high) &>> 60)
      return limb
    }

    /// The remaining bits, which fit into a word.
    @inline(__always) var last: Int64 { Int64(bitPattern: low) }
  }
}
