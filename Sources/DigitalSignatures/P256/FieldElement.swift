// SPDX-License-Identifier: Apache-2.0
// Arithmetic modulo the prime of P-256, in constant time.

/// An element of the P-256 field, in Montgomery form: the words of the value times
/// 2^256, modulo p = 2^256 - 2^224 + 2^192 + 2^96 - 1 (SP 800-186, 3.2.1.3), always below p.
struct FieldElement: BitwiseCopyable, Sendable {
  var words: Words256

  @inline(__always)
  init(montgomery words: Words256) {
    self.words = words
  }

  /// Creates the element of a number below p.
  init(_ number: Words256) {
    self = FieldElement(montgomery: number) * FieldElement(montgomery: Self.squareOfRadix)
  }

  static var prime: Words256 {
    @inline(__always) get {
      Words256(0xFFFF_FFFF_FFFF_FFFF, 0x0000_0000_FFFF_FFFF, 0, 0xFFFF_FFFF_0000_0001)
    }
  }

  /// 2^512 and 2^768 modulo p.
  static var squareOfRadix: Words256 {
    Words256(
      0x0000_0000_0000_0003, 0xFFFF_FFFB_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFE, 0x0000_0004_FFFF_FFFD)
  }
  static var cubeOfRadix: Words256 {
    Words256(
      0xFFFF_FFFD_0000_000A, 0xFFFF_FFED_FFFF_FFF7, 0x0000_0005_FFFF_FFFC, 0x0000_0018_0000_0001)
  }

  static var zero: FieldElement {
    @inline(__always) get { FieldElement(montgomery: .zero) }
  }
  /// 2^256 modulo p.
  static var one: FieldElement {
    FieldElement(
      montgomery: Words256(
        0x0000_0000_0000_0001, 0xFFFF_FFFF_0000_0000, 0xFFFF_FFFF_FFFF_FFFF, 0x0000_0000_FFFF_FFFE))
  }

  /// The number below p that the element represents.
  var number: Words256 {
    Self.reduced(words, .zero).words
  }

  /// Returns whether a number, which is public, is below p.
  static func isReduced(_ number: Words256) -> Bool {
    Words256.subtract(number, prime).borrow == 1
  }

  var isZeroMask: UInt64 {
    @inline(__always) get { words.isZeroMask }
  }

  /// Whether the element, which is public, is zero.
  var isZero: Bool { words.isZero }

  @inline(never)
  static func * (a: FieldElement, b: FieldElement) -> FieldElement {
    let (low, high) = a.words.product(b.words)
    return reduced(low, high)
  }

  @inline(never)
  func squared() -> FieldElement {
    let (low, high) = words.square()
    return Self.reduced(low, high)
  }

  @inline(__always)
  static func + (a: FieldElement, b: FieldElement) -> FieldElement {
    let (sum, carry) = Words256.add(a.words, b.words)
    return FieldElement(montgomery: sum.reduced(carry: carry, modulus: prime))
  }

  @inline(__always)
  static func - (a: FieldElement, b: FieldElement) -> FieldElement {
    let (difference, borrow) = Words256.subtract(a.words, b.words)
    return FieldElement(montgomery: Words256.add(difference, prime & (0 &- borrow)).sum)
  }

  @inline(__always)
  static prefix func - (a: FieldElement) -> FieldElement { .zero - a }

  @inline(__always)
  func doubled() -> FieldElement { self + self }

  @inline(__always)
  func selecting(_ other: FieldElement, where mask: UInt64) -> FieldElement {
    FieldElement(montgomery: words.selecting(other.words, where: mask))
  }

  /// Returns the inverse, or zero for zero.
  func inverted() -> FieldElement {
    FieldElement(montgomery: DivisionSteps.inverse(of: words, modulus: .prime))
      * FieldElement(montgomery: Self.cubeOfRadix)
  }

  /// Montgomery reduction: returns (high * 2^256 + low) / 2^256 modulo p, for a value below
  /// p * 2^256.
  @inline(__always)
  static func reduced(_ low: Words256, _ high: Words256) -> FieldElement {
    let rest = dividedByWord(dividedByWord(dividedByWord(dividedByWord(low))))
    let (sum, carry) = Words256.add(rest, high)
    return FieldElement(montgomery: sum.reduced(carry: carry, modulus: prime))
  }

  /// Returns (rest + w0 * p) / 2^64. Since p = -1 modulo 2^64, the lowest word cancels itself:
  /// w0 * p = w0 * (0xFFFFFFFF00000001 * 2^192 + 2^96 - 1).
  @inline(__always)
  static func dividedByWord(_ rest: Words256) -> Words256 {
    let (high, low) = rest.w0.multipliedFullWidth(by: 0xFFFF_FFFF_0000_0001)
    var carry: UInt64 = 0
    let w0 = Carry.add(rest.w1, rest.w0 &<< 32, &carry)
    let w1 = Carry.add(rest.w2, rest.w0 &>> 32, &carry)
    let w2 = Carry.add(rest.w3, low, &carry)
    return Words256(w0, w1, w2, high &+ carry)
  }
}
