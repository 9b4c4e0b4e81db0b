// SPDX-License-Identifier: Apache-2.0
// Arithmetic modulo the prime of Curve25519, in constant time.

/// The curve edwards25519 of RFC 8032, 5.1: -x² + y² = 1 + d x² y², modulo p = 2^255 - 19.
enum Edwards25519 {}

extension Edwards25519 {
  /// A number modulo p, in five limbs of 51 bits, lowest first.
  ///
  /// Products take limbs below 2^54. Their own limbs are below 2^51 + 2^13, so sums of up to four
  /// products and differences can be multiplied without carrying first. Only a product, or a sum
  /// of up to three, may be subtracted: from a difference, a limb could become negative.
  struct Element: BitwiseCopyable, Sendable {
    var l0, l1, l2, l3, l4: UInt64

    @inline(__always)
    init(_ l0: UInt64, _ l1: UInt64, _ l2: UInt64, _ l3: UInt64, _ l4: UInt64) {
      (self.l0, self.l1, self.l2, self.l3, self.l4) = (l0, l1, l2, l3, l4)
    }

    static var limbMask: UInt64 { 0x7_FFFF_FFFF_FFFF }

    static var zero: Self { Self(0, 0, 0, 0, 0) }
    static var one: Self { Self(1, 0, 0, 0, 0) }

    /// -121665 / 121666
    static var d: Self {
      Self(
        0x3_4DCA_1359_78A3, 0x1_A828_3B15_6EBD, 0x5_E7A2_6001_C029, 0x7_39C6_63A0_3CBB,
        0x5_2036_CEE2_B6FF)
    }

    /// 2 d
    static var doubleD: Self {
      Self(
        0x6_9B94_26B2_F159, 0x3_5050_762A_DD7A, 0x3_CF44_C003_8052, 0x6_738C_C740_7977,
        0x2_406D_9DC5_6DFF)
    }

    /// 2^((p - 1) / 4), a square root of -1.
    static var rootOfMinusOne: Self {
      Self(
        0x6_1B27_4A0E_A0B0, 0x0_D5A5_FC8F_189D, 0x7_EF5E_9CBD_0C60, 0x7_8595_A680_4C9E,
        0x2_B832_4804_FC1D)
    }

    // MARK: - Numbers

    /// Reads the lowest 255 bits. The number may be p or above: see ``number``.
    @inline(__always)
    init(_ words: Words256) {
      let mask = Self.limbMask
      self.init(
        words.w0 & mask, (words.w0 &>> 51 | words.w1 &<< 13) & mask,
        (words.w1 &>> 38 | words.w2 &<< 26) & mask, (words.w2 &>> 25 | words.w3 &<< 39) & mask,
        words.w3 &>> 12 & mask)
    }

    /// The number below p.
    var number: Words256 {
      let mask = Self.limbMask
      var r = carried.carried
      // The number is below 2 p, so its quotient by p is 0 or 1: whether 19 more reach 2^255.
      var quotient = (r.l0 &+ 19) &>> 51
      quotient = (r.l1 &+ quotient) &>> 51
      quotient = (r.l2 &+ quotient) &>> 51
      quotient = (r.l3 &+ quotient) &>> 51
      quotient = (r.l4 &+ quotient) &>> 51
      r.l0 &+= 19 &* quotient
      r.l1 &+= r.l0 &>> 51
      r.l2 &+= r.l1 &>> 51
      r.l3 &+= r.l2 &>> 51
      r.l4 &+= r.l3 &>> 51
      r = Self(r.l0 & mask, r.l1 & mask, r.l2 & mask, r.l3 & mask, r.l4 & mask)
      return Words256(
        r.l0 | r.l1 &<< 51, r.l1 &>> 13 | r.l2 &<< 38, r.l2 &>> 26 | r.l3 &<< 25,
        r.l3 &>> 39 | r.l4 &<< 12)
    }

    /// The same number with limbs just above 51 bits.
    @inline(__always)
    private var carried: Self {
      let mask = Self.limbMask
      return Self(
        l0 & mask &+ 19 &* (l4 &>> 51), l1 & mask &+ l0 &>> 51, l2 & mask &+ l1 &>> 51,
        l3 & mask &+ l2 &>> 51, l4 & mask &+ l3 &>> 51)
    }

    /// Whether the number, which is public, is zero.
    var isZero: Bool { number.isZero }

    // MARK: - Arithmetic

    @inline(__always)
    static func + (a: Self, b: Self) -> Self {
      Self(a.l0 &+ b.l0, a.l1 &+ b.l1, a.l2 &+ b.l2, a.l3 &+ b.l3, a.l4 &+ b.l4)
    }

    /// Adds 4 p, so that no limb becomes negative.
    @inline(__always)
    static func - (a: Self, b: Self) -> Self {
      let (lowest, other): (UInt64, UInt64) = (0x1F_FFFF_FFFF_FFB4, 0x1F_FFFF_FFFF_FFFC)
      return Self(
        a.l0 &+ lowest &- b.l0, a.l1 &+ other &- b.l1, a.l2 &+ other &- b.l2,
        a.l3 &+ other &- b.l3, a.l4 &+ other &- b.l4)
    }

    @inline(__always)
    static func * (a: Self, b: Self) -> Self {
      // 2^255 is 19.
      let (n1, n2, n3, n4) = (b.l1 &* 19, b.l2 &* 19, b.l3 &* 19, b.l4 &* 19)
      let r0 = WideSum((a.l0, b.l0), (a.l1, n4), (a.l2, n3), (a.l3, n2), (a.l4, n1))
      let r1 = WideSum((a.l0, b.l1), (a.l1, b.l0), (a.l2, n4), (a.l3, n3), (a.l4, n2))
      let r2 = WideSum((a.l0, b.l2), (a.l1, b.l1), (a.l2, b.l0), (a.l3, n4), (a.l4, n3))
      let r3 = WideSum((a.l0, b.l3), (a.l1, b.l2), (a.l2, b.l1), (a.l3, b.l0), (a.l4, n4))
      let r4 = WideSum((a.l0, b.l4), (a.l1, b.l3), (a.l2, b.l2), (a.l3, b.l1), (a.l4, b.l0))
      return Self(carrying: r0, r1, r2, r3, r4)
    }

    @inline(__always)
    func squared() -> Self {
      let (d0, d1, d2) = (l0 &* 2, l1 &* 2, l2 &* 2)
      let (n3, n4, m4) = (l3 &* 19, l4 &* 19, l4 &* 38)
      let r0 = WideSum((l0, l0), (l1, m4), (d2, n3))
      let r1 = WideSum((d0, l1), (l2, m4), (l3, n3))
      let r2 = WideSum((d0, l2), (l1, l1), (l3, m4))
      let r3 = WideSum((d0, l3), (d1, l2), (l4, n4))
      let r4 = WideSum((d0, l4), (d1, l3), (l2, l2))
      return Self(carrying: r0, r1, r2, r3, r4)
    }

    @inline(__always)
    private init(
      carrying r0: WideSum, _ r1: WideSum, _ r2: WideSum, _ r3: WideSum, _ r4: WideSum
    ) {
      let s1 = r1.adding(r0.upper)
      let s2 = r2.adding(s1.upper)
      let s3 = r3.adding(s2.upper)
      let s4 = r4.adding(s3.upper)
      // r4 has no factor 19, so this is below 2^64.
      let lowest = r0.lower &+ 19 &* s4.upper
      self.init(
        lowest & Self.limbMask, s1.lower &+ lowest &>> 51, s2.lower, s3.lower, s4.lower)
    }

    @inline(never)
    private func squared(_ count: Int) -> Self {
      var result = self
      for _ in 0..<count { result = result.squared() }
      return result
    }

    /// Returns the powers 2^250 - 1 and 11.
    private func powers() -> (Self, eleven: Self) {
      let two = squared()
      let nine = two.squared(2) * self
      let eleven = nine * two
      let ones5 = eleven.squared() * nine
      let ones10 = ones5.squared(5) * ones5
      let ones20 = ones10.squared(10) * ones10
      let ones40 = ones20.squared(20) * ones20
      let ones50 = ones40.squared(10) * ones10
      let ones100 = ones50.squared(50) * ones50
      let ones200 = ones100.squared(100) * ones100
      return (ones200.squared(50) * ones50, eleven)
    }

    /// Returns the inverse, or zero for zero: the power p - 2, which is 2^5 * (2^250 - 1) + 11.
    func inverted() -> Self {
      let (ones250, eleven) = powers()
      return ones250.squared(5) * eleven
    }

    /// Returns the power (p - 5) / 8, which is 2^2 * (2^250 - 1) + 1.
    func rootPower() -> Self { powers().0.squared(2) * self }

    /// Returns `self` if the mask is zero, or `other` if all of its bits are set.
    @inline(__always)
    func selecting(_ other: Self, where mask: UInt64) -> Self {
      Self(
        l0 ^ ((l0 ^ other.l0) & mask), l1 ^ ((l1 ^ other.l1) & mask),
        l2 ^ ((l2 ^ other.l2) & mask), l3 ^ ((l3 ^ other.l3) & mask),
        l4 ^ ((l4 ^ other.l4) & mask))
    }
  }

  /// A sum of products of words, below 2^115. (UInt128 needs macOS 15.)
  private struct WideSum {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    typealias Factors = (UInt64, UInt64)

    @inline(__always)
    init(_ p0: Factors, _ p1: Factors, _ p2: Factors) {
      add(p0)
      add(p1)
      add(p2)
    }

    @inline(__always)
    init(_ p0: Factors, _ p1: Factors, _ p2: Factors, _ p3: Factors, _ p4: Factors) {
      self.init(p0, p1, p2)
      add(p3)
      add(p4)
    }

    @inline(__always)
    private mutating func add(_ factors: Factors) {
      let product = factors.0.multipliedFullWidth(by: factors.1)
      var carry: UInt64 = 0
      low = Carry.add(low, product.low, &carry)
      high = high &+ product.high &+ carry
    }

    @inline(__always)
    func adding(_ word: UInt64) -> WideSum {
      var (sum, carry): (WideSum, UInt64) = (self, 0)
      sum.low = Carry.add(low, word, &carry)
      sum.high = high &+ carry
      return sum
    }

    /// The lowest 51 bits.
    @inline(__always)
    var lower: UInt64 { low & Element.limbMask }

    /// The bits above them.
    @inline(__always)
    var upper: UInt64 { high &<< 13 | low &>> 51 }
  }
}
