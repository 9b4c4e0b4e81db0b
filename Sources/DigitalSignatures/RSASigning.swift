// SPDX-License-Identifier: Apache-2.0
// The RSA signature primitive (RFC 8017, 5.2.1) by the Chinese remainder theorem, blinded and
// checked, in constant time for a given size.

internal import SecureHashing

/// The numbers of a key, in memory that outlives this value. Secret.
@safe
struct RSASigning {
  let words: Limbs.Source
  let layout: RSAKeyLayout
  let exponent: UInt64

  /// The number of limbs of half a modulus.
  private var half: Int { layout.half }

  /// Returns the signature of a number below the modulus, with as many limbs, or nil if the result
  /// is wrong.
  func signature(
    of number: [UInt64], using generator: inout some RandomNumberGenerator
  ) -> [UInt64]? {
    var signature = number
    // Whether the signature is right is public.
    return sign(&signature, using: &generator) == 0 ? nil : signature
  }

  /// Replaces a number by its signature, and returns a mask with all bits set. If the result is
  /// wrong, replaces it by zero, and returns an empty mask.
  ///
  /// Blinding (Kocher 1996): signs number * r^e instead of the number, which gives s * r. The
  /// inverse of r is the power r^(p - 2) modulo p, and the same for q. It's computed together with
  /// the signature, whose squarings it shares.
  func sign(_ number: inout [UInt64], using generator: inout some RandomNumberGenerator) -> UInt64 {
    let capacity = Memory.wordCount(half)
    // Safety: the memory has the limbs that its parts use, and the number has twice as many as half
    // of it.
    return unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: capacity) { all in
      guard let start = all.baseAddress else { return 0 }
      for index in 0..<capacity { unsafe start[index] = 0 }
      // Secret: all of it.
      defer { unsafe ConstantTime.wipe(UnsafeMutableRawBufferPointer(all)) }
      let memory = unsafe Memory(start, half)
      for index in 0..<2 * half {
        unsafe memory.number[index] = number[index]
        unsafe memory.random[index] = generator.next()
      }
      blind(memory)
      unsafe sign(memory, memory.halfForP, layout.p, layout.squareOfRForP, layout.exponentForP)
      unsafe sign(memory, memory.halfForQ, layout.q, layout.squareOfRForQ, layout.exponentForQ)
      combine(memory)
      let mask = rightMask(memory)
      for index in 0..<2 * half { number[index] = unsafe memory.signature[index] & mask }
      return mask
    }
  }

  /// Parts of one block of memory.
  @safe
  private struct Memory {
    // As long as the modulus.
    let number, random, blinded, signature, power: Limbs.Words
    // Half as long.
    let halfForP, halfForQ, entry: Limbs.Words
    /// Powers 0 to 31 of the blinded number and of the blinding.
    let table, blindingTable: Limbs.Words
    /// Twice as long as the modulus.
    let scratch: Limbs.Words

    static func wordCount(_ half: Int) -> Int { 81 * half }

    init(_ start: Limbs.Words, _ half: Int) {
      // Safety: the memory has 81 times as many limbs.
      unsafe (number, random, blinded) = unsafe (start, start + 2 * half, start + 4 * half)
      unsafe (signature, power) = unsafe (start + 6 * half, start + 8 * half)
      unsafe (halfForP, halfForQ) = unsafe (start + 10 * half, start + 11 * half)
      unsafe entry = unsafe start + 12 * half
      unsafe (table, blindingTable) = unsafe (start + 13 * half, start + 45 * half)
      unsafe scratch = unsafe start + 77 * half
    }
  }

  // Safety, below: the parts have the sizes above, and the positions are those of the layout.

  private var modulus: MontgomeryModulus {
    unsafe MontgomeryModulus(
      words + layout.modulus, 2 * half, squareOfR: words + layout.modulusSquareOfR)
  }

  /// Computes number * r^e modulo n.
  private func blind(_ memory: Memory) {
    // r is below 2 n.
    unsafe Limbs.reduceOnce(
      memory.random, 0, words + layout.modulus, 2 * half, memory.scratch)
    unsafe modulus.enter(memory.power, memory.random, memory.scratch)
    unsafe modulus.power(
      memory.blinded, memory.power, publicExponent: exponent, memory.scratch)
    unsafe modulus.multiply(memory.blinded, memory.blinded, memory.number, memory.scratch)
  }

  /// Computes the signature modulo a prime: blinded^d * r^(prime - 2).
  private func sign(
    _ memory: Memory, _ result: Limbs.Words, _ prime: Int, _ squareOfR: Int, _ exponent: Int
  ) {
    let modulus = unsafe MontgomeryModulus(words + prime, half, squareOfR: words + squareOfR)
    unsafe writePowers(memory.table, memory.blinded, modulus, memory)
    unsafe writePowers(memory.blindingTable, memory.random, modulus, memory)
    let inversion = unsafe words + (exponent + layout.inversionForP - layout.exponentForP)
    unsafe Limbs.copy(result, memory.table, half)  // 1
    // 5-bit windows. Reads all entries of the tables.
    for window in (0...(half * 64 - 1) / 5).reversed() {
      for _ in 0..<5 { unsafe modulus.square(result, result, memory.scratch) }
      unsafe Limbs.select(
        memory.entry, digit(words + exponent, window), of: 32, memory.table, half)
      unsafe modulus.multiply(result, result, memory.entry, memory.scratch)
      unsafe Limbs.select(
        memory.entry, digit(inversion, window), of: 32, memory.blindingTable, half)
      unsafe modulus.multiply(result, result, memory.entry, memory.scratch)
    }
    unsafe modulus.leave(result, result, memory.scratch)
  }

  /// Writes powers 0 to 31 of a number as long as the modulus, in Montgomery form.
  private func writePowers(
    _ table: Limbs.Words, _ base: Limbs.Source, _ modulus: MontgomeryModulus, _ memory: Memory
  ) {
    unsafe Limbs.clear(memory.scratch, half)
    _ = unsafe Limbs.subtract(table, memory.scratch, modulus.words, half)
    let first = unsafe table + half
    unsafe modulus.enter(long: base, first, memory.scratch)
    for index in 2..<32 {
      let next = unsafe table + index * half
      unsafe modulus.multiply(next, next - half, first, memory.scratch)
    }
  }

  /// Returns five bits of an exponent, whose position is public.
  private func digit(_ exponent: Limbs.Source, _ window: Int) -> UInt64 {
    let (index, shift) = (window * 5 / 64, UInt64(truncatingIfNeeded: window * 5 % 64))
    var bits = unsafe exponent[index] &>> shift
    if shift > 59 && index + 1 < half { bits |= unsafe exponent[index + 1] &<< (64 - shift) }
    return bits & 31
  }

  /// Garner's formula: sq + q * ((sp - sq) / q modulo p).
  private func combine(_ memory: Memory) {
    let p = unsafe words + layout.p
    let modulus = unsafe MontgomeryModulus(p, half, squareOfR: words + layout.squareOfRForP)
    // sq is below q, which is below 2 p.
    unsafe Limbs.copy(memory.entry, memory.halfForQ, half)
    unsafe Limbs.reduceOnce(memory.entry, 0, p, half, memory.scratch)
    let borrow = unsafe Limbs.subtract(memory.halfForP, memory.halfForP, memory.entry, half)
    unsafe Limbs.addMasked(memory.halfForP, p, 0 &- borrow, half)
    unsafe modulus.multiply(
      memory.halfForP, memory.halfForP, words + layout.coefficient, memory.scratch)
    unsafe Limbs.multiply(memory.signature, words + layout.q, memory.halfForP, half)
    var carry = unsafe Limbs.add(memory.signature, memory.signature, memory.halfForQ, half)
    for index in half..<2 * half {
      unsafe memory.signature[index] = Carry.add(memory.signature[index], 0, &carry)
    }
  }

  /// Returns a mask with all bits set if the signature to the power of the public exponent is the
  /// number again. A fault in one half would reveal the other factor (Boneh, DeMillo, Lipton 1997),
  /// so nothing else is returned.
  private func rightMask(_ memory: Memory) -> UInt64 {
    unsafe Limbs.copy(memory.blinded, memory.signature, 2 * half)
    unsafe modulus.publicPower(memory.power, memory.blinded, exponent, memory.scratch)
    return unsafe Limbs.equalMask(memory.power, memory.number, 2 * half)
  }
}
