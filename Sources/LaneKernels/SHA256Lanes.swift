// SPDX-License-Identifier: Apache-2.0
// SHA-256 of several blocks in parallel, one block per vector lane: the source that each kernel
// module compiles for its own processors. Nothing here generates code in this module.

/// Sixteen words of each lane's message schedule: a window that advances one word per round.
@frozen
@usableFromInline struct LaneSchedule<Word: LaneWord>: BitwiseCopyable {
  @usableFromInline var w0, w1, w2, w3, w4, w5, w6, w7: Word
  @usableFromInline var w8, w9, w10, w11, w12, w13, w14, w15: Word

  /// FIPS 180-4, 6.2.2, step 1, t < 16.
  @_alwaysEmitIntoClient
  @inline(__always)
  init(_ blocks: UnsafePointer<UnsafeRawPointer>, _ offset: Int) {
    // Safety: each block is 64 bytes long.
    unsafe (w0, w1, w2, w3, w4, w5, w6, w7) = Word.load(blocks, offset)
    unsafe (w8, w9, w10, w11, w12, w13, w14, w15) = Word.load(blocks, offset &+ 32)
  }

  /// Returns this round's word. Step 1, t >= 16, also computes the word for 16 rounds later, which
  /// costs nothing if it isn't used.
  @_alwaysEmitIntoClient
  @inline(__always)
  mutating func next() -> Word {
    let word = w0
    let later =
      (w0 &+ w1.sigma(rotations: 7, 18, shift: 3))
      &+ (w9 &+ w14.sigma(rotations: 17, 19, shift: 10))
    (w0, w1, w2, w3, w4, w5, w6, w7) = (w1, w2, w3, w4, w5, w6, w7, w8)
    (w8, w9, w10, w11, w12, w13, w14, w15) = (w9, w10, w11, w12, w13, w14, w15, later)
    return word
  }

  /// Calls `body` for sixteen rounds, with the round's constant plus its word, and with `target`,
  /// which it changes. A closure that captured the target would cost the optimizer seconds.
  /// Unrolled, because in a loop, the window would move in memory.
  @_alwaysEmitIntoClient
  @inline(__always)
  mutating func sixteen<Target>(
    _ k: UnsafePointer<UInt32>, into target: inout Target, _ body: (inout Target, Word) -> Void
  ) {
    // Safety: the table has 16 entries from here.
    unsafe body(&target, next() &+ Word(repeating: k[0]))
    unsafe body(&target, next() &+ Word(repeating: k[1]))
    unsafe body(&target, next() &+ Word(repeating: k[2]))
    unsafe body(&target, next() &+ Word(repeating: k[3]))
    unsafe body(&target, next() &+ Word(repeating: k[4]))
    unsafe body(&target, next() &+ Word(repeating: k[5]))
    unsafe body(&target, next() &+ Word(repeating: k[6]))
    unsafe body(&target, next() &+ Word(repeating: k[7]))
    unsafe body(&target, next() &+ Word(repeating: k[8]))
    unsafe body(&target, next() &+ Word(repeating: k[9]))
    unsafe body(&target, next() &+ Word(repeating: k[10]))
    unsafe body(&target, next() &+ Word(repeating: k[11]))
    unsafe body(&target, next() &+ Word(repeating: k[12]))
    unsafe body(&target, next() &+ Word(repeating: k[13]))
    unsafe body(&target, next() &+ Word(repeating: k[14]))
    unsafe body(&target, next() &+ Word(repeating: k[15]))
  }
}

/// The eight working variables of FIPS 180-4, 6.2.2, for each lane.
@frozen
@usableFromInline struct LaneVariables<Word: LaneWord>: BitwiseCopyable {
  @usableFromInline var a, b, c, d, e, f, g, h: Word

  /// Step 2.
  @_alwaysEmitIntoClient
  @inline(__always)
  init(_ states: UnsafeMutablePointer<UInt32>) {
    // Safety: there is a state for each lane.
    unsafe (a, b, c, d, e, f, g, h) = Word.load(states)
  }

  /// Step 3 for one `t`. Once unrolled, renaming the variables costs nothing.
  @_alwaysEmitIntoClient
  @inline(__always)
  mutating func round(_ constantPlusWord: Word) {
    // FIPS 180-4, 4.1.2 (4.2) to (4.5). With three-operand instructions, Ch is one instruction.
    let ch = ((f ^ g) & e) ^ g
    let t1 = (h &+ constantPlusWord) &+ (e.sigma(rotations: 6, 11, 25) &+ ch)
    // The next round reuses this a ^ b as its b ^ c.
    let maj = ((a ^ b) & (b ^ c)) ^ b
    let t2 = a.sigma(rotations: 2, 13, 22) &+ maj
    (h, g, f, e) = (g, f, e, d &+ t1)
    (d, c, b, a) = (c, b, a, t1 &+ t2)
  }

  /// Step 4.
  @_alwaysEmitIntoClient
  @inline(__always)
  mutating func add(_ other: Self) {
    (a, b, c, d) = (a &+ other.a, b &+ other.b, c &+ other.c, d &+ other.d)
    (e, f, g, h) = (e &+ other.e, f &+ other.f, g &+ other.g, h &+ other.h)
  }
}

/// Compresses `blockCount` blocks of each lane into its state (8 words, contiguous states). `k` is
/// the table of FIPS 180-4, 4.2.2.
@_alwaysEmitIntoClient
@inline(__always)
package func compressLanes<Word: LaneWord>(
  _ lanes: Word.Type, _ states: UnsafeMutablePointer<UInt32>,
  _ blocks: UnsafePointer<UnsafeRawPointer>, _ blockCount: Int, _ k: UnsafePointer<UInt32>
) {
  // Safety: there are a state and `blockCount` blocks for each lane, and the table has 64 entries.
  var v = unsafe LaneVariables<Word>(states)
  for block in 0..<blockCount {
    let start = v
    var w = unsafe LaneSchedule<Word>(blocks, block &* 64)
    var t = 0
    while t < 48 {
      unsafe w.sixteen(k + t, into: &v) { $0.round($1) }
      t &+= 16
    }
    // Outside the loop, no words are computed for later rounds.
    unsafe w.sixteen(k + 48, into: &v) { $0.round($1) }
    v.add(start)
  }
  unsafe Word.store((v.a, v.b, v.c, v.d, v.e, v.f, v.g, v.h), in: states)
}
