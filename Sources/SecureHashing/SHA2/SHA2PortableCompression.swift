// SPDX-License-Identifier: Apache-2.0
// The compression functions of SHA-256 and SHA-512 in plain Swift: one text for words of 32 and 64
// bits. They're in one file, so that debug builds, too, compile it once for each word.

extension SHA256 {
  /// The compression function of FIPS 180-4, 6.2.2, without processor-specific instructions.
  enum PortableCompression {
    /// Compresses `blockCount` blocks of 64 bytes into `state` (8 words).
    @inline(never)
    static func compress(
      _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeRawPointer, _ blockCount: Int
    ) {
      unsafe WorkingVariables<SHA256Variant>.compress(state, blocks, blockCount)
    }
  }
}

/// The compression function of FIPS 180-4, 6.4.2, without processor-specific instructions.
enum SHA512PortableCompression {
  /// Compresses `blockCount` blocks of 128 bytes into `state` (8 words).
  @inline(never)
  static func compress(
    _ state: UnsafeMutablePointer<UInt64>, _ blocks: UnsafeRawPointer, _ blockCount: Int
  ) {
    unsafe WorkingVariables<SHA512Variant>.compress(state, blocks, blockCount)
  }
}

/// What differs between SHA-256 and SHA-512.
private protocol SHA2Variant {
  associatedtype Word: FixedWidthInteger, UnsignedInteger, BitwiseCopyable

  /// K, whose size is the number of rounds: 64 or 80.
  static var roundConstants: [Word] { get }
  static var roundCount: Int { get }

  /// FIPS 180-4, 4.1.2 and 4.1.3.
  static func sigma0(_ x: Word) -> Word
  static func sigma1(_ x: Word) -> Word
  static func sum0(_ x: Word) -> Word
  static func sum1(_ x: Word) -> Word
}

extension SHA2Variant {
  /// Written so that it compiles to one instruction.
  @inline(__always)
  static func rotateRight(_ x: Word, _ n: Word) -> Word {
    (x &>> n) | (x &<< (Word(truncatingIfNeeded: Word.bitWidth) &- n))
  }

  /// Rotates by `a`, `a + b` and `a + b + c` bits. Chained rotations need fewer registers.
  @inline(__always)
  static func sum(_ x: Word, _ a: Word, _ b: Word, _ c: Word) -> Word {
    rotateRight(rotateRight(rotateRight(x, c) ^ x, b) ^ x, a)
  }
}

private enum SHA256Variant: SHA2Variant {
  static var roundConstants: [UInt32] { SHA256.roundConstants }
  @inline(__always) static var roundCount: Int { 64 }

  // FIPS 180-4, 4.1.2 (4.4) to (4.7): Σ0 is 2, 13, 22 and Σ1 is 6, 11, 25.
  @inline(__always) static func sum0(_ x: UInt32) -> UInt32 { sum(x, 2, 11, 9) }
  @inline(__always) static func sum1(_ x: UInt32) -> UInt32 { sum(x, 6, 5, 14) }
  @inline(__always) static func sigma0(_ x: UInt32) -> UInt32 {
    rotateRight(x, 7) ^ rotateRight(x, 18) ^ (x &>> 3)
  }
  @inline(__always) static func sigma1(_ x: UInt32) -> UInt32 {
    rotateRight(x, 17) ^ rotateRight(x, 19) ^ (x &>> 10)
  }
}

private enum SHA512Variant: SHA2Variant {
  static var roundConstants: [UInt64] { SHA512Computation.roundConstants }
  @inline(__always) static var roundCount: Int { 80 }

  // FIPS 180-4, 4.1.3 (4.10) to (4.13): Σ0 is 28, 34, 39 and Σ1 is 14, 18, 41.
  @inline(__always) static func sum0(_ x: UInt64) -> UInt64 { sum(x, 28, 6, 5) }
  @inline(__always) static func sum1(_ x: UInt64) -> UInt64 { sum(x, 14, 4, 23) }
  @inline(__always) static func sigma0(_ x: UInt64) -> UInt64 {
    rotateRight(x, 1) ^ rotateRight(x, 8) ^ (x &>> 7)
  }
  @inline(__always) static func sigma1(_ x: UInt64) -> UInt64 {
    rotateRight(x, 19) ^ rotateRight(x, 61) ^ (x &>> 6)
  }
}

/// Sixteen words of the message schedule: a window that advances one word per round.
private struct ScheduleWindow<Variant: SHA2Variant> {
  typealias Word = Variant.Word

  var w0, w1, w2, w3, w4, w5, w6, w7: Word
  var w8, w9, w10, w11, w12, w13, w14, w15: Word

  /// FIPS 180-4, 6.2.2 and 6.4.2, step 1, t < 16: the block as big-endian words.
  @inline(__always)
  init(_ block: UnsafeRawPointer) {
    @inline(__always) func word(_ index: Int) -> Word {
      // Safety: index < 16, and a block is 16 words long.
      unsafe Word(
        bigEndian: block.loadUnaligned(
          fromByteOffset: index &* MemoryLayout<Word>.size, as: Word.self))
    }
    (w0, w1, w2, w3) = (word(0), word(1), word(2), word(3))
    (w4, w5, w6, w7) = (word(4), word(5), word(6), word(7))
    (w8, w9, w10, w11) = (word(8), word(9), word(10), word(11))
    (w12, w13, w14, w15) = (word(12), word(13), word(14), word(15))
  }

  /// Returns this round's word. Step 1, t >= 16, also computes the word for 16 rounds later,
  /// which costs nothing if it isn't used.
  @inline(__always)
  mutating func next() -> Word {
    let word = w0
    let later = w0 &+ Variant.sigma0(w1) &+ w9 &+ Variant.sigma1(w14)
    (w0, w1, w2, w3, w4, w5, w6, w7) = (w1, w2, w3, w4, w5, w6, w7, w8)
    (w8, w9, w10, w11, w12, w13, w14, w15) = (w9, w10, w11, w12, w13, w14, w15, later)
    return word
  }
}

/// The eight working variables of FIPS 180-4, 6.2.2 and 6.4.2.
private struct WorkingVariables<Variant: SHA2Variant> {
  typealias Word = Variant.Word

  var a, b, c, d, e, f, g, h: Word

  /// Compresses blocks into a state.
  @inline(__always)
  static func compress(
    _ state: UnsafeMutablePointer<Word>, _ blocks: UnsafeRawPointer, _ blockCount: Int
  ) {
    let blockByteCount = 16 &* MemoryLayout<Word>.size
    // Safety: the caller passes 8 words and `blockCount` blocks of 16 words. The table has a word
    // for each round.
    unsafe Variant.roundConstants.withUnsafeBufferPointer { k in
      var v = unsafe Self(state)
      for block in 0..<blockCount { unsafe v.compress(blocks + block * blockByteCount, k) }
      unsafe v.store(in: state)
    }
  }

  /// Step 2.
  @inline(__always)
  init(_ state: UnsafeMutablePointer<Word>) {
    // Safety: a state is 8 words long.
    unsafe (a, b, c, d) = (state[0], state[1], state[2], state[3])
    unsafe (e, f, g, h) = (state[4], state[5], state[6], state[7])
  }

  /// Steps 1 to 4 for one block. Not inlined, because a loop with this much code compiles slowly.
  /// Embedded builds inline it: they optimize quickly, and need less stack that way.
  #if hasFeature(Embedded)
    @inline(__always)
  #else
    @inline(never)
  #endif
  mutating func compress(_ block: UnsafeRawPointer, _ k: UnsafeBufferPointer<Word>) {
    let start = self
    // Safety: a block is 16 words long, and the table has a word for each round.
    var w = unsafe ScheduleWindow<Variant>(block)
    #if hasFeature(Embedded)
      let loopEnd = Variant.roundCount
    #else
      let loopEnd = Variant.roundCount &- 16
    #endif
    var t = 0
    while t < loopEnd {
      unsafe sixteenRounds(k, &w, from: t)
      t &+= 16
    }
    #if !hasFeature(Embedded)
      // Outside the loop, no words are computed for later rounds. The code is a third or a quarter
      // larger.
      unsafe sixteenRounds(k, &w, from: loopEnd)
    #endif
    add(start)
  }

  /// Step 3 for the sixteen rounds starting at `t`.
  @inline(__always)
  mutating func sixteenRounds(
    _ k: UnsafeBufferPointer<Word>, _ w: inout ScheduleWindow<Variant>, from t: Int
  ) {
    // Safety: `t` is at least 16 below the number of rounds.
    unsafe round(k[t &+ 0] &+ w.next())
    unsafe round(k[t &+ 1] &+ w.next())
    unsafe round(k[t &+ 2] &+ w.next())
    unsafe round(k[t &+ 3] &+ w.next())
    unsafe round(k[t &+ 4] &+ w.next())
    unsafe round(k[t &+ 5] &+ w.next())
    unsafe round(k[t &+ 6] &+ w.next())
    unsafe round(k[t &+ 7] &+ w.next())
    unsafe round(k[t &+ 8] &+ w.next())
    unsafe round(k[t &+ 9] &+ w.next())
    unsafe round(k[t &+ 10] &+ w.next())
    unsafe round(k[t &+ 11] &+ w.next())
    unsafe round(k[t &+ 12] &+ w.next())
    unsafe round(k[t &+ 13] &+ w.next())
    unsafe round(k[t &+ 14] &+ w.next())
    unsafe round(k[t &+ 15] &+ w.next())
  }

  /// Step 3 for one `t`. Once unrolled, renaming the variables costs nothing. The order of these
  /// lines is worth 5% of the speed.
  @inline(__always)
  mutating func round(_ constantPlusWord: Word) {
    let sum1 = Variant.sum1(e)
    let ch = ((f ^ g) & e) ^ g
    let t1 = h &+ sum1 &+ ch &+ constantPlusWord
    let sum0 = Variant.sum0(a)
    // The next round reuses this a ^ b as its b ^ c.
    let maj = ((a ^ b) & (b ^ c)) ^ b
    (h, g, f, e) = (g, f, e, d &+ t1)
    (d, c, b, a) = (c, b, a, t1 &+ sum0 &+ maj)
  }

  /// Step 4.
  @inline(__always)
  mutating func add(_ other: Self) {
    (a, b, c, d) = (a &+ other.a, b &+ other.b, c &+ other.c, d &+ other.d)
    (e, f, g, h) = (e &+ other.e, f &+ other.f, g &+ other.g, h &+ other.h)
  }

  @inline(__always)
  func store(in state: UnsafeMutablePointer<Word>) {
    // Safety: a state is 8 words long.
    unsafe (state[0], state[1], state[2], state[3]) = (a, b, c, d)
    unsafe (state[4], state[5], state[6], state[7]) = (e, f, g, h)
  }
}
