// SPDX-License-Identifier: Apache-2.0
// The stored form of an RSA private key, and the checks when it's read. Secret.

internal import SecureHashing

/// The positions of numbers in a key's memory. Half of the modulus has `half` limbs.
struct RSAKeyLayout {
  let half: Int

  var modulus: Int { 0 }
  var modulusSquareOfR: Int { 2 * half }
  var p: Int { 4 * half }
  var q: Int { 5 * half }
  var squareOfRForP: Int { 6 * half }
  var squareOfRForQ: Int { 7 * half }
  var exponentForP: Int { 8 * half }
  var exponentForQ: Int { 9 * half }
  /// p - 2 and q - 2, the exponents of powers that are inverses.
  var inversionForP: Int { 10 * half }
  var inversionForQ: Int { 11 * half }
  /// 1 / q modulo p, in Montgomery form.
  var coefficient: Int { 12 * half }
  var wordCount: Int { 13 * half }
}

/// The numbers of a PKCS #1 RSAPrivateKey (RFC 8017, A.1.2).
struct RSAPrivateNumbers {
  let modulus, exponent, privateExponent, p, q, exponentForP, exponentForQ,
    coefficient: ArraySlice<UInt8>

  /// Reads version 0: two primes.
  init?(_ reader: inout DERReader) {
    guard reader.skip([DER.integer, 1, 0]), let n = reader.unsignedInteger(),
      let e = reader.unsignedInteger(), let d = reader.unsignedInteger(),
      let p = reader.unsignedInteger(), let q = reader.unsignedInteger(),
      let dP = reader.unsignedInteger(), let dQ = reader.unsignedInteger(),
      let qInv = reader.unsignedInteger(), reader.isAtEnd
    else { return nil }
    (modulus, exponent, privateExponent) = (n, e, d)
    (self.p, self.q, exponentForP, exponentForQ, coefficient) = (p, q, dP, dQ, qInv)
  }

  /// Whether the primes are those of another way to create keys, with different sizes.
  var hasUnequalPrimes: Bool {
    // A product has as many bits as its factors, or one less.
    let excess = p.bitCount + q.bitCount - modulus.count * 8
    return p.bitCount != q.bitCount && (excess == 0 || excess == 1)
      && [p, q].allSatisfy { $0.bitCount > 1 && ($0.last ?? 0) & 1 == 1 }
  }

  /// Returns the memory of the key, or nil if the numbers don't belong together. Whether they do is
  /// public. A separate function, so that its stack can be wiped.
  @inline(never)
  func secrets(_ exponent: UInt64) -> SecretMemory? {
    let layout = RSAKeyLayout(half: modulus.count / 16)
    let byteCount = modulus.count / 2
    for prime in [p, q] {
      // The highest and the lowest bit must be set, because Montgomery form relies on them.
      if prime.count != byteCount || prime.first ?? 0 < 0x80 || (prime.last ?? 0) & 1 == 0 {
        return nil
      }
    }
    if privateExponent.count > modulus.count { return nil }
    if [exponentForP, exponentForQ, coefficient].contains(where: { $0.count > byteCount }) {
      return nil
    }
    // The private exponent uses two halves, and the helpers below use five.
    let capacity = layout.wordCount + 7 * layout.half
    // Safety: the memory has the limbs that the layout and the checks use.
    return unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: capacity) { memory in
      guard let words = memory.baseAddress else { return nil }
      for index in 0..<capacity { unsafe words[index] = 0 }
      // Secret: all of it.
      defer { unsafe ConstantTime.wipe(UnsafeMutableRawBufferPointer(memory)) }
      unsafe write(words, layout)
      if unsafe Self.consistencyMask(words, layout, exponent) == 0 { return nil }
      let kept = unsafe UnsafeRawBufferPointer(start: words, count: layout.wordCount * 8)
      return unsafe SecretMemory(copying: kept)
    }
  }

  private func write(_ words: Limbs.Words, _ layout: RSAKeyLayout) {
    let half = layout.half
    // Safety: the positions are those of the layout, followed by the helpers.
    unsafe Limbs.read(words + layout.modulus, modulus, 2 * half)
    unsafe Limbs.read(words + layout.p, p, half)
    unsafe Limbs.read(words + layout.q, q, half)
    unsafe Limbs.read(words + layout.exponentForP, exponentForP, half)
    unsafe Limbs.read(words + layout.exponentForQ, exponentForQ, half)
    unsafe Limbs.read(words + layout.coefficient, coefficient, half)
    unsafe Limbs.read(words + layout.wordCount, privateExponent, 2 * half)
    let helpers = unsafe words + (layout.wordCount + 2 * half)
    unsafe MontgomeryModulus.writeSquareOfR(
      words + layout.modulusSquareOfR, words + layout.modulus, 2 * half, helpers)
    for (prime, square, inversion) in [
      (layout.p, layout.squareOfRForP, layout.inversionForP),
      (layout.q, layout.squareOfRForQ, layout.inversionForQ),
    ] {
      unsafe MontgomeryModulus.writeSquareOfR(words + square, words + prime, half, helpers)
      unsafe Limbs.clear(helpers, half)
      unsafe helpers[0] = 2
      _ = unsafe Limbs.subtract(words + inversion, words + prime, helpers, half)
    }
  }

  /// RFC 8017, 3.2, as far as it can be checked without primality tests. Leaves the coefficient in
  /// Montgomery form.
  static func consistencyMask(
    _ words: Limbs.Words, _ layout: RSAKeyLayout, _ exponent: UInt64
  ) -> UInt64 {
    let half = layout.half
    // Safety: the positions are those of the layout. Five helpers follow it and the private
    // exponent.
    let privateExponent = unsafe words + layout.wordCount
    let helpers = unsafe privateExponent + 2 * half
    let (p, q) = unsafe (words + layout.p, words + layout.q)
    unsafe Limbs.multiply(helpers, p, q, half)
    var isRight = unsafe Limbs.equalMask(helpers, words + layout.modulus, 2 * half)
    isRight &= unsafe ~Limbs.equalMask(p, q, half)
    let isBelowModulus = unsafe Limbs.subtract(
      helpers, privateExponent, words + layout.modulus, 2 * half)
    isRight &= 0 &- isBelowModulus
    isRight &= unsafe exponentMask(
      words + layout.exponentForP, p, privateExponent, exponent, half, helpers)
    isRight &= unsafe exponentMask(
      words + layout.exponentForQ, q, privateExponent, exponent, half, helpers)
    let modulus = unsafe MontgomeryModulus(p, half, squareOfR: words + layout.squareOfRForP)
    let coefficient = unsafe words + layout.coefficient
    let isReduced = unsafe Limbs.subtract(helpers, coefficient, p, half)
    isRight &= 0 &- isReduced
    let (scratch, reducedQ) = unsafe (helpers, helpers + 2 * half)
    unsafe modulus.enter(coefficient, coefficient, scratch)
    unsafe Limbs.copy(reducedQ, q, half)
    unsafe Limbs.reduceOnce(reducedQ, 0, p, half, scratch)
    unsafe modulus.multiply(reducedQ, coefficient, reducedQ, scratch)
    isRight &= unsafe oneMask(reducedQ, half, scratch)
    return isRight
  }

  /// Returns a mask that is set if the exponent for a prime is d modulo (prime - 1), and its
  /// product with e is 1.
  private static func exponentMask(
    _ exponentForPrime: Limbs.Source, _ prime: Limbs.Source, _ privateExponent: Limbs.Source,
    _ exponent: UInt64, _ half: Int, _ helpers: Limbs.Words
  ) -> UInt64 {
    // Safety: there are five helpers of `half` limbs.
    let (order, rest, scratch) = unsafe (helpers, helpers + half, helpers + 2 * half)
    unsafe Limbs.copy(order, prime, half)
    unsafe order[0] &= ~1
    unsafe Limbs.remainder(rest, of: privateExponent, 2 * half, order, half, scratch)
    let isReduced = unsafe Limbs.equalMask(rest, exponentForPrime, half)
    let product = unsafe helpers + 3 * half
    unsafe Limbs.clear(product, half)
    unsafe product[half] = Limbs.addProduct(product, exponentForPrime, half, exponent)
    unsafe Limbs.remainder(rest, of: product, half + 1, order, half, scratch)
    return unsafe isReduced & oneMask(rest, half, scratch)
  }

  private static func oneMask(_ number: Limbs.Source, _ count: Int, _ scratch: Limbs.Words)
    -> UInt64
  {
    // Safety: scratch has that many limbs.
    unsafe Limbs.clear(scratch, count)
    unsafe scratch[0] = 1
    return unsafe Limbs.equalMask(number, scratch, count)
  }
}

extension ArraySlice<UInt8> {
  /// The size of a big-endian number without leading zeros.
  var bitCount: Int { count * 8 - (first?.leadingZeroBitCount ?? 0) }
}
