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
  var implementation = RSAImplementation.current

  /// The number of limbs of half a modulus.
  private var half: Int { layout.half }

  /// Returns the signature of a number below the modulus, with as many limbs, or nil if the result
  /// is wrong.
  func signature(of number: [UInt64], _ random: () -> UInt64) -> [UInt64]? {
    var signature = number
    // Whether the signature is right is public.
    return sign(&signature, random) == 0 ? nil : signature
  }

  /// Replaces a number by its signature, and returns a mask with all bits set. If the result is
  /// wrong, replaces it by zero, and returns an empty mask.
  ///
  /// Blinding (Kocher 1996): signs number * r^e instead of the number, which gives s * r. The
  /// inverse of r is the power r^(p - 2) modulo p, and the same for q. It's computed together with
  /// the signature, whose squarings it shares.
  func sign(_ number: inout [UInt64], _ random: () -> UInt64) -> UInt64 {
    let sizes = implementation.sizes(half: half)
    let capacity = Memory.wordCount(half, sizes)
    // Safety: the memory has the limbs that its parts use, and the number has twice as many as half
    // of it.
    return unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: capacity) { all in
      guard let start = all.baseAddress else { return 0 }
      for index in 0..<capacity { unsafe start[index] = 0 }
      // Secret: all of it.
      defer { unsafe ConstantTime.wipe(UnsafeMutableRawBufferPointer(all)) }
      let memory = unsafe Memory(start, half, sizes)
      for index in 0..<2 * half {
        unsafe memory.number[index] = number[index]
        unsafe memory.random[index] = random()
      }
      blind(memory)
      writeHalves(memory)
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
    let halfForP, halfForQ, reduced: Limbs.Words
    /// Twice as long as the modulus.
    let scratch: Limbs.Words
    // Pairs of residues.
    let result, entry: Limbs.Words
    /// Powers 0 to 31 of the blinded number and of the blinding, pairs of residues.
    let table, blindingTable: Limbs.Words
    let pairWordCount: Int
    /// For the arithmetic with pairs.
    let work: Limbs.Words

    static func wordCount(_ half: Int, _ sizes: (pair: Int, work: Int)) -> Int {
      17 * half + 66 * sizes.pair + sizes.work
    }

    init(_ start: Limbs.Words, _ half: Int, _ sizes: (pair: Int, work: Int)) {
      // Safety: the memory has the words above.
      unsafe (number, random, blinded) = unsafe (start, start + 2 * half, start + 4 * half)
      unsafe (signature, power) = unsafe (start + 6 * half, start + 8 * half)
      unsafe (halfForP, halfForQ) = unsafe (start + 10 * half, start + 11 * half)
      unsafe (reduced, scratch) = unsafe (start + 12 * half, start + 13 * half)
      let pairs = unsafe start + 17 * half
      pairWordCount = sizes.pair
      unsafe (result, entry) = unsafe (pairs, pairs + sizes.pair)
      unsafe (table, blindingTable) = unsafe (pairs + 2 * sizes.pair, pairs + 34 * sizes.pair)
      unsafe work = unsafe pairs + 66 * sizes.pair
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
    unsafe Limbs.copy(memory.signature, memory.random, 2 * half)
    unsafe implementation.publicPower(
      memory.power, memory.signature, exponent, modulus, memory.scratch)
    unsafe modulus.enter(memory.power, memory.power, memory.scratch)
    unsafe modulus.multiply(memory.blinded, memory.power, memory.number, memory.scratch)
  }

  /// Computes the signature modulo each prime.
  private func writeHalves(_ memory: Memory) {
    let p = unsafe MontgomeryModulus(
      words + layout.p, half, squareOfR: words + layout.squareOfRForP)
    let q = unsafe MontgomeryModulus(
      words + layout.q, half, squareOfR: words + layout.squareOfRForQ)
    #if HardwareAcceleration && canImport(IFMAKernels) && arch(x86_64) && !hasFeature(Embedded)
      if implementation != .portable {
        let isWide = implementation == .wideIFMA
        unsafe writeHalves(memory, DigitResidues(p, q, memory.work, isWide: isWide))
        return
      }
    #endif
    unsafe writeHalves(memory, IntegerResidues(p, q, memory.work))
  }

  /// Computes blinded^d * r^(prime - 2) modulo each prime.
  private func writeHalves(_ memory: Memory, _ residues: some RSAResidues) {
    unsafe writePowers(memory.table, memory.blinded, residues, memory.pairWordCount)
    unsafe writePowers(memory.blindingTable, memory.random, residues, memory.pairWordCount)
    let result = unsafe memory.result
    unsafe residues.writeOne(result)
    func multiply(_ table: Limbs.Source, _ exponentOfP: Int, _ exponentOfQ: Int, _ window: Int) {
      let index = unsafe (digit(words + exponentOfP, window), digit(words + exponentOfQ, window))
      unsafe residues.select(memory.entry, index, table)
      unsafe residues.multiply(result, result, memory.entry)
    }
    // 5-bit windows. Reads all entries of the tables.
    for window in (0...(half * 64 - 1) / 5).reversed() {
      for _ in 0..<5 { unsafe residues.square(result, result) }
      unsafe multiply(memory.table, layout.exponentForP, layout.exponentForQ, window)
      unsafe multiply(
        memory.blindingTable, layout.inversionForP, layout.inversionForQ, window)
    }
    unsafe residues.leave(memory.halfForP, memory.halfForQ, result)
  }

  /// Writes powers 0 to 31 of a number as long as the modulus, each with `size` words.
  private func writePowers(
    _ table: Limbs.Words, _ base: Limbs.Source, _ residues: some RSAResidues, _ size: Int
  ) {
    unsafe residues.writeOne(table)
    let first = unsafe table + size
    unsafe residues.enter(first, base)
    for index in 2..<32 {
      let next = unsafe table + index * size
      unsafe residues.multiply(next, next - size, first)
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
    unsafe Limbs.copy(memory.reduced, memory.halfForQ, half)
    unsafe Limbs.reduceOnce(memory.reduced, 0, p, half, memory.scratch)
    let borrow = unsafe Limbs.subtract(memory.halfForP, memory.halfForP, memory.reduced, half)
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
    unsafe implementation.publicPower(
      memory.power, memory.blinded, exponent, modulus, memory.scratch)
    return unsafe Limbs.equalMask(memory.power, memory.number, 2 * half)
  }
}
