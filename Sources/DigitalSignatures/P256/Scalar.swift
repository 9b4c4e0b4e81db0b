// SPDX-License-Identifier: Apache-2.0
// Arithmetic modulo the order of the base point of P-256, in constant time.

/// A number below the order n of the base point (SP 800-186, 3.2.1.3).
struct Scalar: BitwiseCopyable, Sendable {
  var words: Words256

  /// Creates a scalar from a number known to be below n.
  @inline(__always)
  init(reduced words: Words256) {
    self.words = words
  }

  /// Reduces any number modulo n, using that 2^256 is below 2 * n.
  init(reducing number: Words256) {
    words = number.reduced(carry: 0, modulus: Self.order)
  }

  static var order: Words256 {
    @inline(__always) get {
      Words256(
        0xF3B9_CAC2_FC63_2551, 0xBCE6_FAAD_A717_9E84, 0xFFFF_FFFF_FFFF_FFFF,
        0xFFFF_FFFF_0000_0000)
    }
  }

  /// -1 / n modulo 2^64.
  static var negatedInverse: UInt64 { 0xCCD1_C8AA_EE00_BC4F }

  /// 2^512 modulo n.
  static var squareOfRadix: Scalar {
    Scalar(
      reduced: Words256(
        0x8324_4C95_BE79_EEA2, 0x4699_799C_49BD_6FA6, 0x2845_B239_2B6B_EC59, 0x66E1_2D94_F3D9_5620))
  }

  /// Returns whether a number is below n, as a mask.
  static func isReducedMask(_ number: Words256) -> UInt64 {
    0 &- Words256.subtract(number, order).borrow
  }

  /// Whether the scalar, which is public, is zero.
  var isZero: Bool { words.isZero }

  static func + (a: Scalar, b: Scalar) -> Scalar {
    let (sum, carry) = Words256.add(a.words, b.words)
    return Scalar(reduced: sum.reduced(carry: carry, modulus: order))
  }

  /// Returns the product, divided by 2^256. If one factor is in Montgomery form, that's the plain
  /// product.
  @inline(never)
  static func montgomeryProduct(_ a: Scalar, _ b: Scalar) -> Scalar {
    let (low, high) = a.words.product(b.words)
    let rest = dividedByWord(dividedByWord(dividedByWord(dividedByWord(low))))
    let (sum, carry) = Words256.add(rest, high)
    return Scalar(reduced: sum.reduced(carry: carry, modulus: order))
  }

  /// The scalar times 2^256: its Montgomery form.
  var inMontgomeryForm: Scalar { .montgomeryProduct(self, .squareOfRadix) }

  static func * (a: Scalar, b: Scalar) -> Scalar {
    montgomeryProduct(a, b.inMontgomeryForm)
  }

  /// Returns the inverse, or zero for zero.
  func inverted() -> Scalar {
    Scalar(reduced: DivisionSteps.inverse(of: words, modulus: .order))
  }

  /// Returns half of the scalar modulo n. If the scalar is odd, n is added first.
  func halved() -> Scalar {
    let (sum, carry) = Words256.add(words, Self.order & (0 &- (words.w0 & 1)))
    return Scalar(
      reduced: Words256(
        sum.w0 &>> 1 | sum.w1 &<< 63, sum.w1 &>> 1 | sum.w2 &<< 63, sum.w2 &>> 1 | sum.w3 &<< 63,
        sum.w3 &>> 1 | carry &<< 63))
  }

  /// Returns (rest + m * n) / 2^64, with the m that makes the lowest word zero.
  @inline(__always)
  static func dividedByWord(_ rest: Words256) -> Words256 {
    let (low, high) = order.product(rest.w0 &* negatedInverse)
    var carry: UInt64 = 0
    _ = Carry.add(rest.w0, low.w0, &carry)
    let w0 = Carry.add(rest.w1, low.w1, &carry)
    let w1 = Carry.add(rest.w2, low.w2, &carry)
    let w2 = Carry.add(rest.w3, low.w3, &carry)
    return Words256(w0, w1, w2, high &+ carry)
  }
}
