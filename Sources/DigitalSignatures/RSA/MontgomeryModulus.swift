// SPDX-License-Identifier: Apache-2.0
// Products and powers modulo an odd number whose highest bit is set (Montgomery 1985). R is 2^64 to
// the power of its number of limbs. Constant time for a given size, except for powers with a public
// exponent.

/// A modulus in memory that outlives it, and the values derived from it. Both may be secret.
@safe
struct MontgomeryModulus {
  let words: Limbs.Source
  let count: Int

  /// R * R modulo this.
  let squareOfR: Limbs.Source

  /// -1 / modulus, modulo 2^64.
  let negatedInverse: UInt64

  // Safety, throughout this file: numbers have `count` limbs, and scratch has twice as many.

  init(_ words: Limbs.Source, _ count: Int, squareOfR: Limbs.Source) {
    unsafe (self.words, self.count, self.squareOfR) = unsafe (words, count, squareOfR)
    negatedInverse = unsafe Self.negatedInverse(words[0])
  }

  /// Computes -1 / word modulo 2^64 by Newton's iteration. Each step doubles the number of correct
  /// bits.
  static func negatedInverse(_ word: UInt64) -> UInt64 {
    var inverse = word  // correct in 3 bits: an odd number's square is 1 modulo 8
    for _ in 0..<5 { inverse &*= 2 &- word &* inverse }
    return 0 &- inverse
  }

  /// Computes R * R. Starts with R, which is the modulus's complement, doubles it as often as there
  /// are limbs, and then squares it six times.
  static func writeSquareOfR(
    _ result: Limbs.Words, _ words: Limbs.Source, _ count: Int, _ scratch: Limbs.Words
  ) {
    unsafe Limbs.clear(scratch, count)
    _ = unsafe Limbs.subtract(result, scratch, words, count)
    for _ in 0..<count {
      let carry = unsafe Limbs.add(result, result, result, count)
      unsafe Limbs.reduceOnce(result, carry, words, count, scratch)
    }
    // Each square of 2^k * R is 2^2k * R. 64 times as many doublings make the factor R.
    let modulus = unsafe MontgomeryModulus(words, count, squareOfR: result)
    for _ in 0..<6 { unsafe modulus.square(result, result, scratch) }
  }

  /// `result = a * b / R`
  func multiply(
    _ result: Limbs.Words, _ a: Limbs.Source, _ b: Limbs.Source, _ scratch: Limbs.Words
  ) {
    unsafe Limbs.multiply(scratch, a, b, count)
    unsafe reduce(result, scratch)
  }

  /// `result = a * a / R`
  func square(_ result: Limbs.Words, _ a: Limbs.Source, _ scratch: Limbs.Words) {
    unsafe Limbs.square(scratch, a, count)
    unsafe reduce(result, scratch)
  }

  /// `result = number / R`, for a number with twice as many limbs that is below the modulus times
  /// R.
  func reduce(_ result: Limbs.Words, _ number: Limbs.Words) {
    let mask = unsafe Self.reduce(result, number, words, count, negatedInverse)
    unsafe Limbs.addMasked(result, words, mask, count)
  }

  /// Returns the result minus the modulus, and the mask with which to add the modulus back.
  @inline(never)
  private static func reduce(
    _ result: Limbs.Words, _ number: Limbs.Words, _ words: Limbs.Source, _ count: Int,
    _ negatedInverse: UInt64
  ) -> UInt64 {
    var top: UInt64 = 0
    for index in 0..<count {
      let factor = unsafe number[index] &* negatedInverse
      let above = unsafe Limbs.addProduct(number + index, words, count, factor)
      unsafe number[index &+ count] = Carry.add(number[index &+ count], above, &top)
    }
    var borrow: UInt64 = 0
    for index in 0..<count {
      unsafe result[index] = Carry.subtract(number[count &+ index], words[index], &borrow)
    }
    return top &- borrow
  }

  /// `result = a * R`: converts to Montgomery form.
  func enter(_ result: Limbs.Words, _ a: Limbs.Source, _ scratch: Limbs.Words) {
    unsafe multiply(result, a, squareOfR, scratch)
  }

  /// `result = a / R`: converts from Montgomery form.
  func leave(_ result: Limbs.Words, _ a: Limbs.Source, _ scratch: Limbs.Words) {
    unsafe Limbs.copy(scratch, a, count)
    unsafe Limbs.clear(scratch + count, count)
    unsafe reduce(result, scratch)
  }

  /// `result = number * R`, for a number with twice as many limbs that is below the modulus times
  /// R.
  func enter(long number: Limbs.Source, _ result: Limbs.Words, _ scratch: Limbs.Words) {
    unsafe Limbs.copy(scratch, number, 2 &* count)
    unsafe reduce(result, scratch)
    unsafe enter(result, result, scratch)
    unsafe enter(result, result, scratch)
  }

  /// `result = base^exponent`, all in Montgomery form except the exponent, which is public.
  func power(
    _ result: Limbs.Words, _ base: Limbs.Source, publicExponent: UInt64, _ scratch: Limbs.Words
  ) {
    unsafe Limbs.copy(result, base, count)
    Self.raise(
      to: publicExponent, square: { unsafe square(result, result, scratch) },
      multiply: { unsafe multiply(result, result, base, scratch) })
  }

  /// Squares and multiplies the base as often as a public exponent requires.
  static func raise(to exponent: UInt64, square: () -> Void, multiply: () -> Void) {
    var bit = 63 &- exponent.leadingZeroBitCount
    while bit > 0 {
      bit &-= 1
      square()
      if exponent &>> UInt64(truncatingIfNeeded: bit) & 1 == 1 { multiply() }
    }
  }
}
