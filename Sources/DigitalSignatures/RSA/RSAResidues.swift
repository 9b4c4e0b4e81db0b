// SPDX-License-Identifier: Apache-2.0
// Arithmetic modulo both primes of an RSA key.

/// Arithmetic with pairs of residues in memory: one modulo p, then one modulo q, both in Montgomery
/// form. Constant time for a given size.
protocol RSAResidues {
  /// The size of a pair in words, and of the memory that this uses.
  static func sizes(half: Int) -> (pair: Int, work: Int)

  /// Writes 1.
  func writeOne(_ result: Limbs.Words)

  /// Converts a number with twice as many limbs as a prime, below both primes times R.
  func enter(_ result: Limbs.Words, _ number: Limbs.Source)

  /// Converts to numbers below the primes.
  func leave(_ residueOfP: Limbs.Words, _ residueOfQ: Limbs.Words, _ pair: Limbs.Words)

  /// `result = a * b`
  func multiply(_ result: Limbs.Words, _ a: Limbs.Source, _ b: Limbs.Source)

  /// `result = a * a`
  func square(_ result: Limbs.Words, _ a: Limbs.Source)

  /// Selects a residue modulo p and one modulo q from a table of 32 pairs. Reads every entry.
  func select(_ result: Limbs.Words, _ index: (UInt64, UInt64), _ table: Limbs.Source)
}

/// Residues in 64-bit limbs.
@safe
struct IntegerResidues: RSAResidues {
  let p, q: MontgomeryModulus
  let scratch: Limbs.Words

  private var half: Int { p.count }

  static func sizes(half: Int) -> (pair: Int, work: Int) { (2 * half, 2 * half) }

  /// `work` has the stated size and outlives this.
  init(_ p: MontgomeryModulus, _ q: MontgomeryModulus, _ work: Limbs.Words) {
    unsafe (self.p, self.q, scratch) = unsafe (p, q, work)
  }

  // Safety, below: the callers pass pairs, and scratch has twice as many limbs as a prime.

  func writeOne(_ result: Limbs.Words) {
    // R modulo a number whose highest bit is set is its complement.
    unsafe Limbs.clear(scratch, half)
    _ = unsafe Limbs.subtract(result, scratch, p.words, half)
    _ = unsafe Limbs.subtract(result + half, scratch, q.words, half)
  }

  func enter(_ result: Limbs.Words, _ number: Limbs.Source) {
    unsafe p.enter(long: number, result, scratch)
    unsafe q.enter(long: number, result + half, scratch)
  }

  func leave(_ residueOfP: Limbs.Words, _ residueOfQ: Limbs.Words, _ pair: Limbs.Words) {
    unsafe p.leave(residueOfP, pair, scratch)
    unsafe q.leave(residueOfQ, pair + half, scratch)
  }

  func multiply(_ result: Limbs.Words, _ a: Limbs.Source, _ b: Limbs.Source) {
    unsafe p.multiply(result, a, b, scratch)
    unsafe q.multiply(result + half, a + half, b + half, scratch)
  }

  func square(_ result: Limbs.Words, _ a: Limbs.Source) {
    unsafe p.square(result, a, scratch)
    unsafe q.square(result + half, a + half, scratch)
  }

  func select(_ result: Limbs.Words, _ index: (UInt64, UInt64), _ table: Limbs.Source) {
    unsafe Limbs.select(result, index.0, of: 32, table, half, stride: 2 * half)
    unsafe Limbs.select(result + half, index.1, of: 32, table + half, half, stride: 2 * half)
  }
}
