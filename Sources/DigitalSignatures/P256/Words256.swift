// SPDX-License-Identifier: Apache-2.0
// 256-bit numbers: sums, differences, products and selection, all in constant time.

/// A 256-bit number: four words, lowest first.
struct Words256: BitwiseCopyable, Sendable {
  var w0: UInt64
  var w1: UInt64
  var w2: UInt64
  var w3: UInt64

  @inline(__always)
  init(_ w0: UInt64, _ w1: UInt64, _ w2: UInt64, _ w3: UInt64) {
    (self.w0, self.w1, self.w2, self.w3) = (w0, w1, w2, w3)
  }

  @inline(__always) static var zero: Words256 { Words256(0, 0, 0, 0) }

  /// Returns the sum modulo 2^256, and the carry.
  @inline(__always)
  static func add(_ a: Words256, _ b: Words256) -> (sum: Words256, carry: UInt64) {
    var carry: UInt64 = 0
    let w0 = Carry.add(a.w0, b.w0, &carry)
    let w1 = Carry.add(a.w1, b.w1, &carry)
    let w2 = Carry.add(a.w2, b.w2, &carry)
    let w3 = Carry.add(a.w3, b.w3, &carry)
    return (Words256(w0, w1, w2, w3), carry)
  }

  /// Returns the difference modulo 2^256, and 1 if it's below zero.
  @inline(__always)
  static func subtract(_ a: Words256, _ b: Words256) -> (difference: Words256, borrow: UInt64) {
    var borrow: UInt64 = 0
    let w0 = Carry.subtract(a.w0, b.w0, &borrow)
    let w1 = Carry.subtract(a.w1, b.w1, &borrow)
    let w2 = Carry.subtract(a.w2, b.w2, &borrow)
    let w3 = Carry.subtract(a.w3, b.w3, &borrow)
    return (Words256(w0, w1, w2, w3), borrow)
  }

  /// Reduces `self`, which is below twice the modulus, with a bit of weight 2^256, by one
  /// subtraction.
  @inline(__always)
  func reduced(carry: UInt64, modulus: Words256) -> Words256 {
    let (difference, borrow) = Self.subtract(self, modulus)
    var isBelow = borrow
    _ = Carry.subtract(carry, 0, &isBelow)
    return difference.selecting(self, where: 0 &- isBelow)
  }

  /// Returns `self` if the mask is zero, or `other` if all of its bits are set.
  @inline(__always)
  func selecting(_ other: Words256, where mask: UInt64) -> Words256 {
    Words256(
      w0 ^ ((w0 ^ other.w0) & mask), w1 ^ ((w1 ^ other.w1) & mask),
      w2 ^ ((w2 ^ other.w2) & mask), w3 ^ ((w3 ^ other.w3) & mask))
  }

  @inline(__always)
  static func & (words: Words256, mask: UInt64) -> Words256 {
    Words256(words.w0 & mask, words.w1 & mask, words.w2 & mask, words.w3 & mask)
  }

  /// Returns the product with a word: four words, and the fifth.
  @inline(__always)
  func product(_ factor: UInt64) -> (low: Words256, high: UInt64) {
    let p0 = w0.multipliedFullWidth(by: factor)
    let p1 = w1.multipliedFullWidth(by: factor)
    let p2 = w2.multipliedFullWidth(by: factor)
    let p3 = w3.multipliedFullWidth(by: factor)
    var carry: UInt64 = 0
    let r1 = Carry.add(p1.low, p0.high, &carry)
    let r2 = Carry.add(p2.low, p1.high, &carry)
    let r3 = Carry.add(p3.low, p2.high, &carry)
    return (Words256(p0.low, r1, r2, r3), p3.high &+ carry)
  }

  /// Returns the product: the lower and the upper 256 bits.
  @inline(__always)
  func product(_ other: Words256) -> (low: Words256, high: Words256) {
    var (row, top) = product(other.w0)
    let w0 = row.w0
    (row, top) = self.row(other.w1, onto: row, top)
    let w1 = row.w0
    (row, top) = self.row(other.w2, onto: row, top)
    let w2 = row.w0
    (row, top) = self.row(other.w3, onto: row, top)
    return (Words256(w0, w1, w2, row.w0), Words256(row.w1, row.w2, row.w3, top))
  }

  /// Returns a row of the product: adds `self` times `factor` to the sum so far, one word higher.
  @inline(__always)
  func row(_ factor: UInt64, onto sum: Words256, _ top: UInt64) -> (Words256, UInt64) {
    let (low, high) = product(factor)
    var carry: UInt64 = 0
    let r0 = Carry.add(sum.w1, low.w0, &carry)
    let r1 = Carry.add(sum.w2, low.w1, &carry)
    let r2 = Carry.add(sum.w3, low.w2, &carry)
    let r3 = Carry.add(top, low.w3, &carry)
    return (Words256(r0, r1, r2, r3), high &+ carry)
  }

  /// Returns the square: six products of different words, doubled, and four squares of words.
  @inline(__always)
  func square() -> (low: Words256, high: Words256) {
    let p01 = w0.multipliedFullWidth(by: w1)
    let p02 = w0.multipliedFullWidth(by: w2)
    let p03 = w0.multipliedFullWidth(by: w3)
    let p12 = w1.multipliedFullWidth(by: w2)
    let p13 = w1.multipliedFullWidth(by: w3)
    let p23 = w2.multipliedFullWidth(by: w3)
    var carry: UInt64 = 0
    let c1 = p01.low
    var c2 = Carry.add(p02.low, p01.high, &carry)
    var c3 = Carry.add(p03.low, p02.high, &carry)
    var c4 = Carry.add(p13.low, p03.high, &carry)
    var c5 = Carry.add(p23.low, p13.high, &carry)
    var c6 = p23.high &+ carry
    carry = 0
    c3 = Carry.add(c3, p12.low, &carry)
    c4 = Carry.add(c4, p12.high, &carry)
    c5 = Carry.add(c5, 0, &carry)
    c6 = c6 &+ carry

    let c7 = c6 &>> 63
    c6 = c6 &<< 1 | c5 &>> 63
    c5 = c5 &<< 1 | c4 &>> 63
    c4 = c4 &<< 1 | c3 &>> 63
    c3 = c3 &<< 1 | c2 &>> 63
    c2 = c2 &<< 1 | c1 &>> 63

    let s0 = w0.multipliedFullWidth(by: w0)
    let s1 = w1.multipliedFullWidth(by: w1)
    let s2 = w2.multipliedFullWidth(by: w2)
    let s3 = w3.multipliedFullWidth(by: w3)
    carry = 0
    let r1 = Carry.add(c1 &<< 1, s0.high, &carry)
    let r2 = Carry.add(c2, s1.low, &carry)
    let r3 = Carry.add(c3, s1.high, &carry)
    let r4 = Carry.add(c4, s2.low, &carry)
    let r5 = Carry.add(c5, s2.high, &carry)
    let r6 = Carry.add(c6, s3.low, &carry)
    let r7 = c7 &+ s3.high &+ carry
    return (Words256(s0.low, r1, r2, r3), Words256(r4, r5, r6, r7))
  }

  /// A mask with all bits set if the number is zero, and none otherwise.
  @inline(__always)
  var isZeroMask: UInt64 {
    let bits = w0 | w1 | w2 | w3
    return ((bits | (0 &- bits)) &>> 63) &- 1
  }

  /// Whether the number, which is public, is zero.
  var isZero: Bool { w0 | w1 | w2 | w3 == 0 }

  /// Returns the bit at a position of 0 to 255, which is public.
  @inline(__always)
  func bit(_ position: Int) -> UInt64 {
    let word =
      switch position &>> 6 {
      case 0: w0
      case 1: w1
      case 2: w2
      default: w3
      }
    return word &>> UInt64(truncatingIfNeeded: position & 63) & 1
  }
}

extension Words256: Equatable {
  static func == (left: Words256, right: Words256) -> Bool {
    (left.w0 ^ right.w0) | (left.w1 ^ right.w1) | (left.w2 ^ right.w2) | (left.w3 ^ right.w3) == 0
  }
}

/// Sums and differences of words with a carry, as processor instructions compute them.
///
/// The two flags are converted to numbers by their bits and joined with `|`. This is the only form
/// that compiles to a chain of add-with-carry instructions. A `? :`, an `||` or a comparison
/// instead creates branches.
enum Carry {
  @inline(__always)
  static func add(_ a: UInt64, _ b: UInt64, _ carry: inout UInt64) -> UInt64 {
    let (partial, first) = a.addingReportingOverflow(b)
    let (sum, second) = partial.addingReportingOverflow(carry)
    carry = number(first) | number(second)
    return sum
  }

  @inline(__always)
  static func subtract(_ a: UInt64, _ b: UInt64, _ borrow: inout UInt64) -> UInt64 {
    let (partial, first) = a.subtractingReportingOverflow(b)
    let (difference, second) = partial.subtractingReportingOverflow(borrow)
    borrow = number(first) | number(second)
    return difference
  }

  @inline(__always)
  static func number(_ flag: Bool) -> UInt64 {
    // Safety: a Bool is a byte of 0 or 1.
    UInt64(unsafe unsafeBitCast(flag, to: UInt8.self))
  }
}
