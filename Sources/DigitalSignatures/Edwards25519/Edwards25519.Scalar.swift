// SPDX-License-Identifier: Apache-2.0
// Arithmetic modulo the order of the base point of edwards25519, in constant time.

internal import SecureHashing

extension Edwards25519 {
  /// A number below the order L = 2^252 + 27742317777372353535851937790883648493 (RFC 8032, 5.1).
  struct Scalar: BitwiseCopyable, Sendable {
    let words: Words256

    /// Creates a scalar from a number known to be below L.
    @inline(__always)
    init(reduced words: Words256) {
      self.words = words
    }

    /// Reduces any number of 256 bits.
    init(reducing number: Words256) {
      self = .montgomeryProduct(number, .radix)
    }

    /// Reduces a digest, as a little-endian number of 512 bits.
    init(reducing digest: SHA512.Digest) {
      // Safety: a digest is 64 bytes long.
      let (low, high) = unsafe digest.withUnsafeBytes { bytes in
        unsafe (
          Words256(littleEndian: UnsafeRawBufferPointer(rebasing: bytes[..<32])),
          Words256(littleEndian: UnsafeRawBufferPointer(rebasing: bytes[32...]))
        )
      }
      self = Self(reducing: low) + .montgomeryProduct(high, .squareOfRadix)
    }

    static var order: Words256 {
      @inline(__always) get {
        Words256(0x5812_631A_5CF5_D3ED, 0x14DE_F9DE_A2F7_9CD6, 0, 0x1000_0000_0000_0000)
      }
    }

    /// -1 / L modulo 2^64.
    private static var negatedInverse: UInt64 { 0xD2B5_1DA3_1254_7E1B }

    /// 2^256 modulo L.
    private static var radix: Scalar {
      Scalar(
        reduced: Words256(
          0xD6EC_3174_8D98_951D, 0xC6EF_5BF4_737D_CF70, 0xFFFF_FFFF_FFFF_FFFE,
          0x0FFF_FFFF_FFFF_FFFF))
    }

    /// 2^512 modulo L.
    private static var squareOfRadix: Scalar {
      Scalar(
        reduced: Words256(
          0xA406_11E3_449C_0F01, 0xD00E_1BA7_6885_9347, 0xCEEC_73D2_17F5_BE65,
          0x0399_411B_7C30_9A3D))
    }

    /// 2^256 - 1 modulo L.
    private static var allOnes: Scalar {
      Scalar(
        reduced: Words256(
          0xD6EC_3174_8D98_951C, 0xC6EF_5BF4_737D_CF70, 0xFFFF_FFFF_FFFF_FFFE,
          0x0FFF_FFFF_FFFF_FFFF))
    }

    /// Whether a number, which is public, is below L.
    static func isReduced(_ number: Words256) -> Bool {
      Words256.subtract(number, order).borrow == 1
    }

    static func + (a: Scalar, b: Scalar) -> Scalar {
      // Both are below 2^253, so nothing is carried.
      Scalar(reduced: reducedOnce(Words256.add(a.words, b.words).sum))
    }

    /// The scalar times 2^256: its Montgomery form.
    var inMontgomeryForm: Scalar { .montgomeryProduct(words, .squareOfRadix) }

    /// Returns the product, divided by 2^256. If one factor is in Montgomery form, that's the plain
    /// product.
    @inline(never)
    static func montgomeryProduct(_ a: Words256, _ b: Scalar) -> Scalar {
      let (low, high) = a.product(b.words)
      let rest = dividedByWord(dividedByWord(dividedByWord(dividedByWord(low))))
      // The product is below 2^256 * L, so this is below 2 L.
      return Scalar(reduced: reducedOnce(Words256.add(rest, high).sum))
    }

    /// Returns (rest + m * L) / 2^64, with the m that makes the lowest word zero.
    @inline(__always)
    private static func dividedByWord(_ rest: Words256) -> Words256 {
      let (low, high) = order.product(rest.w0 &* negatedInverse)
      var carry: UInt64 = 0
      _ = Carry.add(rest.w0, low.w0, &carry)
      let w0 = Carry.add(rest.w1, low.w1, &carry)
      let w1 = Carry.add(rest.w2, low.w2, &carry)
      let w2 = Carry.add(rest.w3, low.w3, &carry)
      return Words256(w0, w1, w2, high &+ carry)
    }

    /// Subtracts L from a number below 2 L, unless it's below L.
    @inline(__always)
    private static func reducedOnce(_ number: Words256) -> Words256 {
      let (difference, borrow) = Words256.subtract(number, order)
      return addingOrder(difference, where: 0 &- borrow)
    }

    /// Adds L if all bits of the mask are set, and nothing if none is.
    ///
    /// This is a separate function, because the compiler creates a branch if it sees how the mask
    /// was computed.
    @inline(never)
    private static func addingOrder(_ number: Words256, where mask: UInt64) -> Words256 {
      Words256.add(number, order & mask).sum
    }

    /// The digits of ``Comb``, whose bits are 1 for 1 and 0 for -1: half of the scalar plus
    /// 2^256 - 1.
    var combDigits: Words256 {
      let sum = (self + .allOnes).words
      let even = Words256.add(sum, Self.order & (0 &- (sum.w0 & 1))).sum
      return Words256(
        even.w0 &>> 1 | even.w1 &<< 63, even.w1 &>> 1 | even.w2 &<< 63,
        even.w2 &>> 1 | even.w3 &<< 63, even.w3 &>> 1)
    }
  }
}

extension Words256 {
  /// Creates the number of 32 little-endian bytes, or zero for any other count.
  init(littleEndian bytes: UnsafeRawBufferPointer) {
    self = unsafe Words256(bigEndian: bytes).reversed
  }

  /// The number with the same 32 bytes in reverse order.
  var reversed: Words256 {
    Words256(w3.byteSwapped, w2.byteSwapped, w1.byteSwapped, w0.byteSwapped)
  }
}
