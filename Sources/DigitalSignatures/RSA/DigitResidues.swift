// SPDX-License-Identifier: Apache-2.0
// RSA's powers in 52-bit digits, for processors with AVX-512 IFMA. R is 2^52 to the power of the
// number of digits, and at least 2^16 times the modulus. So products of numbers below twice the
// modulus need no subtraction (Walter 1999).

internal import SecureHashing

#if HardwareAcceleration && canImport(IFMAKernels) && arch(x86_64) && !hasFeature(Embedded)
  internal import IFMAKernels
#endif

#if HardwareAcceleration && canImport(IFMAKernels) && arch(x86_64) && !hasFeature(Embedded)
  /// One modulus, or two at once, and products modulo them. A number has a value for each modulus.
  @safe
  struct DigitModuli {
    let limbCount: Int
    let digitCount: Int
    let isWide: Bool

    /// Whether there are two.
    let isPair: Bool
    let moduli: Limbs.Words

    /// R * R
    let squareOfR: Limbs.Words
    let negatedInverses: (UInt64, UInt64)

    /// The size of one value in words: whole vectors.
    static func stride(limbCount: Int) -> Int { (digitCount(limbCount) + 7) / 8 * 8 }

    private static func digitCount(_ limbCount: Int) -> Int { (limbCount * 64 + 16 + 51) / 52 }

    var stride: Int { Self.stride(limbCount: limbCount) }

    private var valueCount: Int { isPair ? 2 : 1 }

    // Safety, throughout this file: numbers have the sizes above, and the callers pass as much
    // memory as they state.

    /// `memory` has three numbers and outlives this. The third one can be reused.
    init(
      _ first: MontgomeryModulus, _ second: MontgomeryModulus?, _ memory: Limbs.Words,
      isWide: Bool
    ) {
      limbCount = first.count
      digitCount = Self.digitCount(limbCount)
      self.isWide = isWide
      isPair = second != nil
      negatedInverses = (first.negatedInverse, second?.negatedInverse ?? 0)
      let stride = Self.stride(limbCount: first.count)
      let size = stride * (second == nil ? 1 : 2)
      let power = unsafe memory + 2 * size
      unsafe moduli = memory
      unsafe squareOfR = memory + size
      unsafe write(moduli, first.words)
      unsafe write(squareOfR, first.squareOfR)
      if let second {
        unsafe write(moduli + stride, second.words)
        unsafe write(squareOfR + stride, second.squareOfR)
      }
      // With r for the R of `first`: r^4 / R, then r^4 / R^2 * 2^excess = R^2.
      unsafe multiply(squareOfR, squareOfR, squareOfR)
      unsafe writePower(power, of: 4 * (52 * digitCount - 64 * limbCount))
      unsafe multiply(squareOfR, squareOfR, power)
    }

    /// `result = a * b / R`
    func multiply(_ result: Limbs.Words, _ a: Limbs.Source, _ b: Limbs.Source) {
      if isPair {
        unsafe MontgomeryKernel.multiplyPair(
          result, a, b, moduli, negatedInverses.0, negatedInverses.1, digitCount, isWide)
      } else {
        unsafe MontgomeryKernel.multiply(
          result, a, b, moduli, negatedInverses.0, digitCount, isWide)
      }
    }

    /// Converts one value of limbs, but not to Montgomery form.
    func write(_ result: Limbs.Words, _ value: Limbs.Source) {
      unsafe Digits.write(result, value, limbCount, digitCount, stride)
    }

    /// Writes a power of 2, whose exponent is public.
    func writePower(_ result: Limbs.Words, of exponent: Int) {
      unsafe Limbs.clear(result, valueCount * stride)
      for value in 0..<valueCount {
        unsafe result[value * stride + exponent / 52] = 1 << UInt64(exponent % 52)
      }
    }

    /// Converts from Montgomery form. The result is below the modulus unless the number was a
    /// multiple of it other than 0. Overwrites the number. Scratch has as many words.
    func leave(_ number: Limbs.Words, _ scratch: Limbs.Words) {
      unsafe writePower(scratch, of: 0)
      unsafe multiply(number, number, scratch)
    }

    /// `result = base^exponent`, neither in Montgomery form.
    static func publicPower(
      _ result: Limbs.Words, _ base: Limbs.Source, _ exponent: UInt64,
      _ modulus: MontgomeryModulus, isWide: Bool
    ) {
      let size = stride(limbCount: modulus.count)
      unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 4 * size) { memory in
        guard let start = memory.baseAddress else { return }
        // The base may be secret.
        defer { unsafe ConstantTime.wipe(UnsafeMutableRawBufferPointer(memory)) }
        let moduli = unsafe DigitModuli(modulus, nil, start, isWide: isWide)
        let (power, entered) = unsafe (start + 2 * size, start + 3 * size)
        unsafe moduli.write(entered, base)
        unsafe moduli.multiply(entered, entered, moduli.squareOfR)
        unsafe Limbs.copy(power, entered, size)
        MontgomeryModulus.raise(
          to: exponent, square: { unsafe moduli.multiply(power, power, power) },
          multiply: { unsafe moduli.multiply(power, power, entered) })
        unsafe moduli.leave(power, entered)
        unsafe Digits.read(result, power, modulus.count)
      }
    }
  }

  /// Residues in 52-bit digits.
  @safe
  struct DigitResidues: RSAResidues {
    let p, q: MontgomeryModulus
    let moduli: DigitModuli

    /// The R of the primes, in Montgomery form.
    let factor: Limbs.Words
    let scratch: Limbs.Words

    static func sizes(half: Int) -> (pair: Int, work: Int) {
      let pair = 2 * DigitModuli.stride(limbCount: half)
      return (pair, 4 * pair)
    }

    /// `work` has the stated size and outlives this.
    init(
      _ p: MontgomeryModulus, _ q: MontgomeryModulus, _ work: Limbs.Words, isWide: Bool
    ) {
      let pair = Self.sizes(half: p.count).pair
      (self.p, self.q) = (p, q)
      unsafe moduli = DigitModuli(p, q, work, isWide: isWide)
      unsafe (factor, scratch) = unsafe (work + 2 * pair, work + 3 * pair)
      unsafe moduli.writePower(factor, of: 64 * p.count)
      unsafe moduli.multiply(factor, factor, moduli.squareOfR)
    }

    func writeOne(_ result: Limbs.Words) {
      unsafe moduli.writePower(result, of: 0)
      unsafe moduli.multiply(result, result, moduli.squareOfR)
    }

    func enter(_ result: Limbs.Words, _ number: Limbs.Source) {
      // The number modulo the prime, divided by the R of the prime.
      func reduce(_ prime: MontgomeryModulus, _ residue: Limbs.Words) {
        unsafe Limbs.copy(scratch, number, 2 * prime.count)
        unsafe prime.reduce(scratch, scratch)
        unsafe moduli.write(residue, scratch)
      }
      unsafe reduce(p, result)
      unsafe reduce(q, result + moduli.stride)
      unsafe moduli.multiply(result, result, moduli.squareOfR)
      unsafe moduli.multiply(result, result, factor)
    }

    func leave(_ residueOfP: Limbs.Words, _ residueOfQ: Limbs.Words, _ pair: Limbs.Words) {
      unsafe moduli.leave(pair, scratch)
      unsafe Digits.read(residueOfP, pair, p.count)
      unsafe Digits.read(residueOfQ, pair + moduli.stride, q.count)
    }

    func multiply(_ result: Limbs.Words, _ a: Limbs.Source, _ b: Limbs.Source) {
      unsafe moduli.multiply(result, a, b)
    }

    func square(_ result: Limbs.Words, _ a: Limbs.Source) {
      unsafe moduli.multiply(result, a, a)
    }

    func select(_ result: Limbs.Words, _ index: (UInt64, UInt64), _ table: Limbs.Source) {
      let size = moduli.stride
      unsafe TableKernel.select(
        result, index.0, of: 32, table, size, stride: 2 * size, moduli.isWide)
      unsafe TableKernel.select(
        result + size, index.1, of: 32, table + size, size, stride: 2 * size, moduli.isWide)
    }
  }

  /// Conversions between 64-bit limbs and 52-bit digits.
  enum Digits {
    private static var mask: UInt64 { 1 << 52 - 1 }

    /// Writes a number's digits, and zeros up to the stride.
    static func write(
      _ digits: Limbs.Words, _ limbs: Limbs.Source, _ limbCount: Int, _ digitCount: Int,
      _ stride: Int
    ) {
      unsafe Limbs.clear(digits, stride)
      for index in 0..<digitCount {
        let (limb, shift) = (index &* 52 / 64, UInt64(truncatingIfNeeded: index &* 52 % 64))
        if limb >= limbCount { break }
        var digit = unsafe limbs[limb] &>> shift
        if shift > 12 && limb &+ 1 < limbCount {
          digit |= unsafe limbs[limb &+ 1] &<< (64 &- shift)
        }
        unsafe digits[index] = digit & mask
      }
    }

    static func read(_ limbs: Limbs.Words, _ digits: Limbs.Source, _ limbCount: Int) {
      for index in 0..<limbCount {
        let (digit, shift) = (index &* 64 / 52, UInt64(truncatingIfNeeded: index &* 64 % 52))
        var limb = unsafe digits[digit] &>> shift | digits[digit &+ 1] &<< (52 &- shift)
        if shift > 40 { limb |= unsafe digits[digit &+ 2] &<< (104 &- shift) }
        unsafe limbs[index] = limb
      }
    }
  }
#endif
