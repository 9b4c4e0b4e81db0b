// SPDX-License-Identifier: Apache-2.0
// SHA-256 with the SHA2 instructions of arm64, for one message and for two side by side.

#if arch(arm64) && canImport(_Builtin_intrinsics)
  internal import _Builtin_intrinsics.arm.neon

  /// The compression function of SHA-256 (FIPS 180-4, 6.2.2) in the SHA2 instructions of arm64.
  ///
  /// The caller has made sure that the processor has them. This module is compiled for such a
  /// processor, so nothing here may be generic, inlined elsewhere, or shared: no arrays, no closures,
  /// no types of the standard library but integers, pointers and vectors.
  public nonisolated enum SHA256KernelArm {
    /// Replaces `state` (8 words) by its compression with `blockCount` blocks of 64 bytes each.
    /// `constants` are the 64 words K.
    @inline(never)
    @export(interface)
    public static func compress(
      _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeRawPointer, _ blockCount: Int,
      _ constants: UnsafeRawPointer
    ) {
      // Safety: 8 words of state, 64 * blockCount bytes of blocks and 64 constants are readable.
      var lane = unsafe Lane(state)
      var block = unsafe blocks
      for _ in 0..<blockCount {
        let before = lane
        unsafe lane.load(block)
        unsafe allRounds(&lane, constants)
        lane.add(before)
        unsafe block += 64
      }
      unsafe lane.store(in: state)
    }

    /// The same for two independent messages: while one waits for an instruction, the other works.
    @inline(never)
    @export(interface)
    public static func compressPair(
      _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeRawPointer,
      _ otherState: UnsafeMutablePointer<UInt32>, _ otherBlocks: UnsafeRawPointer,
      _ blockCount: Int, _ constants: UnsafeRawPointer
    ) {
      // Safety: as above, for each of the two.
      var (lane, other) = unsafe (Lane(state), Lane(otherState))
      var (block, otherBlock) = unsafe (blocks, otherBlocks)
      for _ in 0..<blockCount {
        let (before, otherBefore) = (lane, other)
        unsafe lane.load(block)
        unsafe other.load(otherBlock)
        unsafe allRounds(&lane, &other, constants)
        lane.add(before)
        other.add(otherBefore)
        unsafe block += 64
        unsafe otherBlock += 64
      }
      unsafe lane.store(in: state)
      unsafe other.store(in: otherState)
    }

    /// The 64 rounds of a block.
    @inline(__always)
    static func allRounds(_ lane: inout Lane, _ k: UnsafeRawPointer) {
      // Safety: there are 16 vectors of constants.
      unsafe roundsAndExpansion(&lane, constant(k, 0))
      unsafe roundsAndExpansion(&lane, constant(k, 1))
      unsafe roundsAndExpansion(&lane, constant(k, 2))
      unsafe roundsAndExpansion(&lane, constant(k, 3))
      unsafe roundsAndExpansion(&lane, constant(k, 4))
      unsafe roundsAndExpansion(&lane, constant(k, 5))
      unsafe roundsAndExpansion(&lane, constant(k, 6))
      unsafe roundsAndExpansion(&lane, constant(k, 7))
      unsafe roundsAndExpansion(&lane, constant(k, 8))
      unsafe roundsAndExpansion(&lane, constant(k, 9))
      unsafe roundsAndExpansion(&lane, constant(k, 10))
      unsafe roundsAndExpansion(&lane, constant(k, 11))
      unsafe lastRounds(&lane, constant(k, 12))
      unsafe lastRounds(&lane, constant(k, 13))
      unsafe lastRounds(&lane, constant(k, 14))
      unsafe lastRounds(&lane, constant(k, 15))
    }

    /// The 64 rounds of two blocks, in turns.
    @inline(__always)
    static func allRounds(_ lane: inout Lane, _ other: inout Lane, _ k: UnsafeRawPointer) {
      // Safety: there are 16 vectors of constants.
      unsafe roundsAndExpansion(&lane, &other, constant(k, 0))
      unsafe roundsAndExpansion(&lane, &other, constant(k, 1))
      unsafe roundsAndExpansion(&lane, &other, constant(k, 2))
      unsafe roundsAndExpansion(&lane, &other, constant(k, 3))
      unsafe roundsAndExpansion(&lane, &other, constant(k, 4))
      unsafe roundsAndExpansion(&lane, &other, constant(k, 5))
      unsafe roundsAndExpansion(&lane, &other, constant(k, 6))
      unsafe roundsAndExpansion(&lane, &other, constant(k, 7))
      unsafe roundsAndExpansion(&lane, &other, constant(k, 8))
      unsafe roundsAndExpansion(&lane, &other, constant(k, 9))
      unsafe roundsAndExpansion(&lane, &other, constant(k, 10))
      unsafe roundsAndExpansion(&lane, &other, constant(k, 11))
      unsafe lastRounds(&lane, &other, constant(k, 12))
      unsafe lastRounds(&lane, &other, constant(k, 13))
      unsafe lastRounds(&lane, &other, constant(k, 14))
      unsafe lastRounds(&lane, &other, constant(k, 15))
    }

    @inline(__always)
    static func roundsAndExpansion(_ lane: inout Lane, _ k: uint32x4_t) {
      lane.rounds(k)
      lane.expand()
    }

    @inline(__always)
    static func lastRounds(_ lane: inout Lane, _ k: uint32x4_t) {
      lane.rounds(k)
      lane.moveOn()
    }

    @inline(__always)
    static func roundsAndExpansion(_ lane: inout Lane, _ other: inout Lane, _ k: uint32x4_t) {
      roundsAndExpansion(&lane, k)
      roundsAndExpansion(&other, k)
    }

    @inline(__always)
    static func lastRounds(_ lane: inout Lane, _ other: inout Lane, _ k: uint32x4_t) {
      lastRounds(&lane, k)
      lastRounds(&other, k)
    }

    @inline(__always)
    static func constant(_ k: UnsafeRawPointer, _ step: Int) -> uint32x4_t {
      // Safety: `step` is below 16.
      unsafe k.loadUnaligned(fromByteOffset: step &* 16, as: uint32x4_t.self)
    }
  }

  nonisolated extension SHA256KernelArm {
    /// One message: its state and the window of its message schedule, four words to a vector.
    struct Lane {
      var abcd: uint32x4_t
      var efgh: uint32x4_t
      var w0: uint32x4_t
      var w1: uint32x4_t
      var w2: uint32x4_t
      var w3: uint32x4_t

      @inline(__always)
      init(_ state: UnsafeMutablePointer<UInt32>) {
        // Safety: a state has 8 words.
        abcd = unsafe UnsafeRawPointer(state).loadUnaligned(as: uint32x4_t.self)
        efgh = unsafe UnsafeRawPointer(state + 4).loadUnaligned(as: uint32x4_t.self)
        (w0, w1, w2, w3) = (abcd, abcd, abcd, abcd)
      }

      /// FIPS 180-4, 6.2.2, step 1, t < 16: the block as big-endian words.
      @inline(__always)
      mutating func load(_ block: UnsafeRawPointer) {
        // Safety: a block has 64 bytes.
        w0 = unsafe bigEndianWords(block)
        w1 = unsafe bigEndianWords(block + 16)
        w2 = unsafe bigEndianWords(block + 32)
        w3 = unsafe bigEndianWords(block + 48)
      }

      /// Step 3, four rounds.
      @inline(__always)
      mutating func rounds(_ k: uint32x4_t) {
        let sum = vaddq_u32(w0, k)
        let before = abcd
        abcd = vsha256hq_u32(abcd, efgh, sum)
        efgh = vsha256h2q_u32(efgh, before, sum)
      }

      /// FIPS 180-4, 6.2.2, step 1, t >= 16: the window moves on by four words.
      @inline(__always)
      mutating func expand() {
        let next = vsha256su1q_u32(vsha256su0q_u32(w0, w1), w2, w3)
        (w0, w1, w2, w3) = (w1, w2, w3, next)
      }

      /// The window moves on over words that exist already.
      @inline(__always)
      mutating func moveOn() {
        (w0, w1, w2) = (w1, w2, w3)
      }

      /// Step 4.
      @inline(__always)
      mutating func add(_ before: Lane) {
        abcd = vaddq_u32(abcd, before.abcd)
        efgh = vaddq_u32(efgh, before.efgh)
      }

      @inline(__always)
      func store(in state: UnsafeMutablePointer<UInt32>) {
        // Safety: a state has 8 words.
        unsafe UnsafeMutableRawPointer(state).storeBytes(of: abcd, as: uint32x4_t.self)
        unsafe UnsafeMutableRawPointer(state + 4).storeBytes(of: efgh, as: uint32x4_t.self)
      }
    }

    @inline(__always)
    static func bigEndianWords(_ bytes: UnsafeRawPointer) -> uint32x4_t {
      // Safety: 16 bytes are readable.
      let vector = unsafe bytes.loadUnaligned(as: uint8x16_t.self)
      return vreinterpretq_u32_u8(vrev32q_u8(vector))
    }
  }
#endif
