// SPDX-License-Identifier: Apache-2.0
// Products modulo odd numbers (Montgomery 1985) for processors with AVX-512 F, VL, BW, DQ and IFMA,
// BMI1 and BMI2. All of it is in one file, because debug builds optimize file by file.

#if arch(x86_64) && !hasFeature(Embedded)
  internal import _Builtin_intrinsics.intel

  /// Products with AVX-512 F, VL, BW, DQ and IFMA, BMI1 and BMI2, in 512-bit vectors if `isWide` is
  /// true, and otherwise in 256-bit vectors.
  ///
  /// A number has 20, 30, 40, 60 or 80 digits of 52 bits, lowest first, each in a word, and takes
  /// 24, 32, 40, 64 or 80 words. R is 2^52 to the power of the number of digits, and
  /// `negatedInverse` is -1 / modulus modulo 2^64. If R is at least 2^16 times the modulus, and the
  /// factors are below 2^7 times the modulus, the product is below twice the modulus.
  ///
  /// The caller must have checked that the processor has the instructions. This module is compiled
  /// for such a processor, so nothing here may be generic, inlined into other modules, or shared.
  package enum MontgomeryKernel {
    // Safety, throughout this file: guaranteed by the caller.

    /// `result = a * b / R` modulo one number of 40, 60 or 80 digits.
    @inline(never)
    #if compiler(>=6.3)
      @export(interface)
    #endif
    package static func multiply(
      _ result: UnsafeMutablePointer<UInt64>, _ a: UnsafePointer<UInt64>,
      _ b: UnsafePointer<UInt64>, _ modulus: UnsafePointer<UInt64>, _ negatedInverse: UInt64,
      _ digitCount: Int, _ isWide: Bool
    ) {
      @inline(__always) func multiply<Row: DigitRow>(_: Row.Type, _ digitCount: Int) {
        var product = unsafe MontgomeryProduct<Row>(
          isSplit: Row.vectorCount <= 10, a: a, modulus: modulus, negatedInverse: negatedInverse)
        for index in 0..<digitCount { product.add(unsafe b[index]) }
        unsafe product.store(in: result)
      }
      switch (digitCount, isWide) {
      case (40, true): multiply(Five<SIMD8<Int64>>.self, 40)
      case (60, true): multiply(Eight<SIMD8<Int64>>.self, 60)
      case (_, true): multiply(Ten<SIMD8<Int64>>.self, 80)
      case (40, false): multiply(Ten<SIMD4<Int64>>.self, 40)
      case (60, false): multiply(Fifteen<SIMD4<Int64>>.self, 60)
      case (_, false): multiply(Twenty<SIMD4<Int64>>.self, 80)
      }
    }

    /// `result = a * b / R` modulo two numbers of 20, 30 or 40 digits. The second one follows the
    /// first one. Both are computed at once, because each waits for its own intermediate results.
    @inline(never)
    #if compiler(>=6.3)
      @export(interface)
    #endif
    package static func multiplyPair(
      _ result: UnsafeMutablePointer<UInt64>, _ a: UnsafePointer<UInt64>,
      _ b: UnsafePointer<UInt64>, _ moduli: UnsafePointer<UInt64>, _ firstNegatedInverse: UInt64,
      _ secondNegatedInverse: UInt64, _ digitCount: Int, _ isWide: Bool
    ) {
      @inline(__always) func multiply<Row: DigitRow>(
        _: Row.Type, _ digitCount: Int, _ next: Int
      ) {
        let isSplit = Row.vectorCount <= 5
        var first = unsafe MontgomeryProduct<Row>(
          isSplit: isSplit, a: a, modulus: moduli, negatedInverse: firstNegatedInverse)
        var second = unsafe MontgomeryProduct<Row>(
          isSplit: isSplit, a: a + next, modulus: moduli + next,
          negatedInverse: secondNegatedInverse)
        for index in 0..<digitCount {
          first.add(unsafe b[index])
          second.add(unsafe b[next &+ index])
        }
        unsafe first.store(in: result)
        unsafe second.store(in: result + next)
      }
      switch (digitCount, isWide) {
      case (20, true): multiply(Three<SIMD8<Int64>>.self, 20, 24)
      case (30, true): multiply(Four<SIMD8<Int64>>.self, 30, 32)
      case (_, true): multiply(Five<SIMD8<Int64>>.self, 40, 40)
      case (20, false): multiply(Five<SIMD4<Int64>>.self, 20, 24)
      case (30, false): multiply(Eight<SIMD4<Int64>>.self, 30, 32)
      case (_, false): multiply(Ten<SIMD4<Int64>>.self, 40, 40)
      }
    }
  }

  private typealias Two<V: DigitVector> = Joined<V, V>
  private typealias Three<V: DigitVector> = Joined<Two<V>, V>
  private typealias Four<V: DigitVector> = Joined<Two<V>, Two<V>>
  private typealias Five<V: DigitVector> = Joined<Three<V>, Two<V>>
  private typealias Eight<V: DigitVector> = Joined<Five<V>, Three<V>>
  private typealias Ten<V: DigitVector> = Joined<Five<V>, Five<V>>
  private typealias Fifteen<V: DigitVector> = Joined<Ten<V>, Five<V>>
  private typealias Twenty<V: DigitVector> = Joined<Ten<V>, Ten<V>>

  /// A sum of products, which is divided by 2^52 after each one.
  @safe
  private struct MontgomeryProduct<Row: DigitRow> {
    /// Whether multiples of the modulus have a sum of their own, so that neither sum waits for the
    /// other one. This takes twice as many registers.
    let isSplit: Bool
    let a, modulus: UnsafePointer<UInt64>
    let negatedInverse: UInt64

    /// The digits above the lowest one. The lowest lanes are unused.
    var row = Row()
    var multiples = Row()

    /// The lowest digit, in an integer register.
    var lowest: UInt64 = 0

    /// Adds `a * digit` and the multiple of the modulus that makes the lowest digit zero, then
    /// divides by 2^52. Computes the next lowest digit without waiting for the vectors.
    @inline(__always)
    mutating func add(_ digit: UInt64) {
      let mask: UInt64 = 1 &<< 52 &- 1
      let product = unsafe a[0].multipliedFullWidth(by: digit)
      let (sum, carry) = lowest.addingReportingOverflow(product.low)
      let factor = sum &* negatedInverse & mask
      let multiple = unsafe modulus[0].multipliedFullWidth(by: factor)
      let (low, secondCarry) = sum.addingReportingOverflow(multiple.low)
      let high = product.high &+ multiple.high &+ (carry ? 1 : 0) &+ (secondCarry ? 1 : 0)

      let digits = Row.Vector(repeating: Int64(bitPattern: digit))
      let factors = Row.Vector(repeating: Int64(bitPattern: factor))
      unsafe row.addLow(digits, a)
      let second = UInt64(bitPattern: row.first[1] &+ multiples.first[1])
      lowest = unsafe (high &<< 12 | low &>> 52) &+ second &+ (modulus[1] &* factor & mask)
      if isSplit {
        unsafe multiples.addLow(factors, modulus)
        multiples.moveDown(Row.Vector())
        unsafe multiples.addHigh(factors, modulus)
        row.moveDown(Row.Vector())
      } else {
        unsafe row.addLow(factors, modulus)
        row.moveDown(Row.Vector())
        unsafe row.addHigh(factors, modulus)
      }
      unsafe row.addHigh(digits, a)
    }

    /// Stores the digits, each with 52 bits.
    @inline(__always)
    mutating func store(in result: UnsafeMutablePointer<UInt64>) {
      row.add(multiples)
      row.first[0] = Int64(bitPattern: lowest)
      _ = row.normalize(carries: Row.Vector(), carry: 0)
      unsafe row.store(in: result)
    }
  }

  /// Digits in vectors that stay in registers, because their number is part of the type.
  private protocol DigitRow: BitwiseCopyable {
    associatedtype Vector: DigitVector

    static var laneCount: Int { get }
    static var vectorCount: Int { get }

    /// Zero.
    init()

    /// The vector of the lowest digits.
    var first: Vector { get set }

    func store(in digits: UnsafeMutablePointer<UInt64>)

    /// Adds the lowest 52 bits of the products, or the highest 52 bits.
    mutating func addLow(_ factor: Vector, _ digits: UnsafePointer<UInt64>)
    mutating func addHigh(_ factor: Vector, _ digits: UnsafePointer<UInt64>)

    mutating func add(_ other: Self)

    /// Moves each lane to the next lower one. The lowest lane of `above` becomes the highest one.
    mutating func moveDown(_ above: Vector)

    /// Carries to the next higher lanes until each digit has 52 bits. Receives the carries of the
    /// vector below and 1 or 0 for its last lane, and returns the same for the vector above.
    mutating func normalize(carries: Vector, carry: UInt32) -> (carries: Vector, carry: UInt32)
  }

  /// Two rows as one.
  private struct Joined<Low: DigitRow, High: DigitRow>: DigitRow where Low.Vector == High.Vector {
    typealias Vector = Low.Vector

    var low = Low()
    var high = High()

    static var laneCount: Int { Low.laneCount &+ High.laneCount }
    static var vectorCount: Int { Low.vectorCount &+ High.vectorCount }

    var first: Vector {
      @inline(__always) get { low.first }
      @inline(__always) set { low.first = newValue }
    }

    @inline(__always)
    func store(in digits: UnsafeMutablePointer<UInt64>) {
      unsafe low.store(in: digits)
      unsafe high.store(in: digits + Low.laneCount)
    }

    @inline(__always)
    mutating func addLow(_ factor: Vector, _ digits: UnsafePointer<UInt64>) {
      unsafe low.addLow(factor, digits)
      unsafe high.addLow(factor, digits + Low.laneCount)
    }

    @inline(__always)
    mutating func addHigh(_ factor: Vector, _ digits: UnsafePointer<UInt64>) {
      unsafe low.addHigh(factor, digits)
      unsafe high.addHigh(factor, digits + Low.laneCount)
    }

    @inline(__always)
    mutating func add(_ other: Self) {
      low.add(other.low)
      high.add(other.high)
    }

    @inline(__always)
    mutating func moveDown(_ above: Vector) {
      low.moveDown(high.first)
      high.moveDown(above)
    }

    @inline(__always)
    mutating func normalize(carries: Vector, carry: UInt32) -> (carries: Vector, carry: UInt32) {
      let middle = low.normalize(carries: carries, carry: carry)
      return high.normalize(carries: middle.carries, carry: middle.carry)
    }
  }

  /// A vector with a digit in each 64-bit lane, lowest first. Sums have more than 52 bits.
  private protocol DigitVector: DigitRow where Vector == Self {
    init(repeating lane: Int64)

    subscript(index: Int) -> Int64 { get set }

    static func & (_ left: Self, _ right: Self) -> Self
    static func &+ (_ left: Self, _ right: Self) -> Self

    /// The lanes without their lowest 52 bits.
    var carries: Self { get }

    /// Moves each lane to the next higher one. The highest lane of `below` becomes the lowest one.
    func up(_ below: Self) -> Self

    /// A bit for each lane that has bit 52.
    var carryingLanes: UInt32 { get }

    /// Adds 1 to the lanes of a bit mask.
    func addingOne(to lanes: UInt32) -> Self
  }

  extension DigitVector {
    static var vectorCount: Int { 1 }

    var first: Self {
      @inline(__always) get { self }
      @inline(__always) set { self = newValue }
    }

    @inline(__always)
    static func load(_ digits: UnsafePointer<UInt64>) -> Self {
      unsafe UnsafeRawPointer(digits).loadUnaligned(as: Self.self)
    }

    @inline(__always)
    func store(in digits: UnsafeMutablePointer<UInt64>) {
      unsafe UnsafeMutableRawPointer(digits).storeBytes(of: self, as: Self.self)
    }

    @inline(__always)
    mutating func add(_ other: Self) { self = self &+ other }

    @inline(__always)
    mutating func normalize(carries: Self, carry: UInt32) -> (carries: Self, carry: UInt32) {
      let mask = Self(repeating: 1 &<< 52 &- 1)
      let above = self.carries
      self = (self & mask) &+ above.up(carries)
      // What is left are carries of 1. One into a lane leaves it again if all bits of its digit are
      // set. So the carries are those of a sum of bit masks.
      let carrying = carryingLanes
      let full = (self &+ Self(repeating: 1)).carryingLanes & ~carrying
      let sum = (carrying &<< 1 | carry) &+ full
      self = addingOne(to: sum ^ full) & mask
      return (above, sum &>> UInt32(Self.laneCount))
    }
  }

  extension SIMD8: DigitVector, DigitRow where Scalar == Int64 {
    fileprivate typealias Vector = Self

    fileprivate static var laneCount: Int { 8 }

    @inline(__always)
    fileprivate static func & (_ left: Self, _ right: Self) -> Self {
      _mm512_and_si512(left, right)
    }

    @inline(__always)
    fileprivate static func &+ (_ left: Self, _ right: Self) -> Self {
      _mm512_add_epi64(left, right)
    }

    fileprivate var carries: Self { _mm512_srli_epi64(self, 52) }

    @inline(__always)
    fileprivate mutating func addLow(_ factor: Self, _ digits: UnsafePointer<UInt64>) {
      self = unsafe _mm512_madd52lo_epu64(self, factor, Self.load(digits))
    }

    @inline(__always)
    fileprivate mutating func addHigh(_ factor: Self, _ digits: UnsafePointer<UInt64>) {
      self = unsafe _mm512_madd52hi_epu64(self, factor, Self.load(digits))
    }

    @inline(__always)
    fileprivate mutating func moveDown(_ above: Self) {
      self = Self(self[1], self[2], self[3], self[4], self[5], self[6], self[7], above[0])
    }

    @inline(__always)
    fileprivate func up(_ below: Self) -> Self {
      Self(below[7], self[0], self[1], self[2], self[3], self[4], self[5], self[6])
    }

    fileprivate var carryingLanes: UInt32 {
      @inline(__always) get { UInt32(_mm512_test_epi64_mask(self, Self(repeating: 1 &<< 52))) }
    }

    @inline(__always)
    fileprivate func addingOne(to lanes: UInt32) -> Self {
      _mm512_mask_sub_epi64(self, UInt8(truncatingIfNeeded: lanes), self, Self(repeating: -1))
    }
  }

  extension SIMD4: DigitVector, DigitRow where Scalar == Int64 {
    fileprivate typealias Vector = Self

    fileprivate static var laneCount: Int { 4 }

    @inline(__always)
    fileprivate static func & (_ left: Self, _ right: Self) -> Self {
      _mm256_and_si256(left, right)
    }

    @inline(__always)
    fileprivate static func &+ (_ left: Self, _ right: Self) -> Self {
      _mm256_add_epi64(left, right)
    }

    fileprivate var carries: Self { _mm256_srli_epi64(self, 52) }

    // The intrinsics without a mask are C macros.
    @inline(__always)
    fileprivate mutating func addLow(_ factor: Self, _ digits: UnsafePointer<UInt64>) {
      self = unsafe _mm256_mask_madd52lo_epu64(self, 0xF, factor, Self.load(digits))
    }

    @inline(__always)
    fileprivate mutating func addHigh(_ factor: Self, _ digits: UnsafePointer<UInt64>) {
      self = unsafe _mm256_mask_madd52hi_epu64(self, 0xF, factor, Self.load(digits))
    }

    @inline(__always)
    fileprivate mutating func moveDown(_ above: Self) {
      self = Self(self[1], self[2], self[3], above[0])
    }

    @inline(__always)
    fileprivate func up(_ below: Self) -> Self {
      Self(below[3], self[0], self[1], self[2])
    }

    fileprivate var carryingLanes: UInt32 {
      @inline(__always) get { UInt32(_mm256_test_epi64_mask(self, Self(repeating: 1 &<< 52))) }
    }

    @inline(__always)
    fileprivate func addingOne(to lanes: UInt32) -> Self {
      _mm256_mask_sub_epi64(self, UInt8(truncatingIfNeeded: lanes), self, Self(repeating: -1))
    }
  }
#endif
