// SPDX-License-Identifier: Apache-2.0
// SHA-256 with the SHA instructions of the processor, for one message and for two side by side.
// All of it in one file: a debug build optimises file by file.

#if arch(x86_64) && !hasFeature(Embedded)
  // Not in Embedded Swift: the header of the intrinsics needs a C library.
  internal import _Builtin_intrinsics.intel
#elseif arch(arm64) && canImport(_Builtin_intrinsics)
  internal import _Builtin_intrinsics.arm.neon
#endif

#if (arch(x86_64) && !hasFeature(Embedded)) || (arch(arm64) && canImport(_Builtin_intrinsics))
  /// The compression function of SHA-256 (FIPS 180-4, 6.2.2) in the SHA instructions of the processor.
  ///
  /// The caller has made sure that the processor has them. This module is compiled for such a
  /// processor, so nothing here may be generic, inlined elsewhere, or shared: no arrays, no closures,
  /// no types of the standard library but integers, pointers and vectors.
  public nonisolated enum SHA256Kernel {
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

    /// The 64 rounds of a block. Written out: a loop costs a seventh of the speed of a pair.
    @inline(__always)
    static func allRounds(_ lane: inout Lane, _ k: UnsafeRawPointer) {
      // Safety: there are 16 vectors of constants.
      unsafe Lane.step(&lane, constant(k, 0))
      unsafe Lane.step(&lane, constant(k, 1))
      unsafe Lane.step(&lane, constant(k, 2))
      unsafe Lane.step(&lane, constant(k, 3))
      unsafe Lane.step(&lane, constant(k, 4))
      unsafe Lane.step(&lane, constant(k, 5))
      unsafe Lane.step(&lane, constant(k, 6))
      unsafe Lane.step(&lane, constant(k, 7))
      unsafe Lane.step(&lane, constant(k, 8))
      unsafe Lane.step(&lane, constant(k, 9))
      unsafe Lane.step(&lane, constant(k, 10))
      unsafe Lane.step(&lane, constant(k, 11))
      unsafe Lane.lastStep(&lane, constant(k, 12))
      unsafe Lane.lastStep(&lane, constant(k, 13))
      unsafe Lane.lastStep(&lane, constant(k, 14))
      unsafe Lane.lastStep(&lane, constant(k, 15))
    }

    /// The 64 rounds of two blocks, in turns.
    @inline(__always)
    static func allRounds(_ lane: inout Lane, _ other: inout Lane, _ k: UnsafeRawPointer) {
      // Safety: there are 16 vectors of constants.
      unsafe Lane.step(&lane, &other, constant(k, 0))
      unsafe Lane.step(&lane, &other, constant(k, 1))
      unsafe Lane.step(&lane, &other, constant(k, 2))
      unsafe Lane.step(&lane, &other, constant(k, 3))
      unsafe Lane.step(&lane, &other, constant(k, 4))
      unsafe Lane.step(&lane, &other, constant(k, 5))
      unsafe Lane.step(&lane, &other, constant(k, 6))
      unsafe Lane.step(&lane, &other, constant(k, 7))
      unsafe Lane.step(&lane, &other, constant(k, 8))
      unsafe Lane.step(&lane, &other, constant(k, 9))
      unsafe Lane.step(&lane, &other, constant(k, 10))
      unsafe Lane.step(&lane, &other, constant(k, 11))
      unsafe Lane.lastStep(&lane, &other, constant(k, 12))
      unsafe Lane.lastStep(&lane, &other, constant(k, 13))
      unsafe Lane.lastStep(&lane, &other, constant(k, 14))
      unsafe Lane.lastStep(&lane, &other, constant(k, 15))
    }

    @inline(__always)
    static func constant(_ k: UnsafeRawPointer, _ step: Int) -> Lane.Vector {
      // Safety: `step` is below 16.
      unsafe k.loadUnaligned(fromByteOffset: step &* 16, as: Lane.Vector.self)
    }
  }
#endif

#if arch(x86_64) && !hasFeature(Embedded)
  nonisolated extension SHA256Kernel {
    /// A message in the SHA extensions of x86-64: its state and the window of its message schedule,
    /// four words to a vector.
    struct Lane {
      typealias Vector = __m128i

      // The instructions want the state as the words f e b a and h g d c, from low to high.
      var feba: __m128i
      var hgdc: __m128i
      var w0: __m128i
      var w1: __m128i
      var w2: __m128i
      var w3: __m128i

      @inline(__always)
      init(_ state: UnsafeMutablePointer<UInt32>) {
        // Safety: a state has 8 words.
        let abcd = unsafe words(UnsafeRawPointer(state).loadUnaligned(as: __m128i.self))
        let efgh = unsafe words(UnsafeRawPointer(state + 4).loadUnaligned(as: __m128i.self))
        feba = vector(efgh[1], efgh[0], abcd[1], abcd[0])
        hgdc = vector(efgh[3], efgh[2], abcd[3], abcd[2])
        (w0, w1, w2, w3) = (feba, feba, feba, feba)
      }

      /// FIPS 180-4, 6.2.2, step 1, t < 16: the block as big-endian words.
      @inline(__always)
      mutating func load(_ block: UnsafeRawPointer) {
        let bigEndian = vector(0x0001_0203, 0x0405_0607, 0x0809_0A0B, 0x0C0D_0E0F)
        // Safety: a block has 64 bytes.
        w0 = unsafe _mm_shuffle_epi8(block.loadUnaligned(as: __m128i.self), bigEndian)
        w1 = unsafe _mm_shuffle_epi8((block + 16).loadUnaligned(as: __m128i.self), bigEndian)
        w2 = unsafe _mm_shuffle_epi8((block + 32).loadUnaligned(as: __m128i.self), bigEndian)
        w3 = unsafe _mm_shuffle_epi8((block + 48).loadUnaligned(as: __m128i.self), bigEndian)
      }

      /// Step 3, four rounds: two in each instruction, whose operands swap their roles.
      @inline(__always)
      mutating func rounds(_ k: __m128i) {
        let sum = _mm_add_epi32(w0, k)
        firstRounds(sum)
        secondRounds(sum)
      }

      @inline(__always)
      mutating func firstRounds(_ sum: __m128i) {
        hgdc = _mm_sha256rnds2_epu32(hgdc, feba, sum)
      }

      @inline(__always)
      mutating func secondRounds(_ sum: __m128i) {
        feba = _mm_sha256rnds2_epu32(feba, hgdc, _mm_unpackhi_epi64(sum, sum))
      }

      /// FIPS 180-4, 6.2.2, step 1, t >= 16: the window moves on by four words.
      @inline(__always)
      mutating func expand() {
        let (low, high) = (words(w2), words(w3))
        let w9to12 = vector(low[1], low[2], low[3], high[0])
        let sum = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), w9to12)
        (w0, w1, w2, w3) = (w1, w2, w3, _mm_sha256msg2_epu32(sum, w3))
      }

      /// The window moves on over words that exist already.
      @inline(__always)
      mutating func moveOn() {
        (w0, w1, w2) = (w1, w2, w3)
      }

      /// Four rounds of one message.
      @inline(__always)
      static func step(_ lane: inout Lane, _ k: Vector) {
        lane.rounds(k)
        lane.expand()
      }

      /// Four rounds of two messages. The order counts: it is the fastest of seven on Zen 5.
      @inline(__always)
      static func step(_ lane: inout Lane, _ other: inout Lane, _ k: Vector) {
        let (sum, otherSum) = (_mm_add_epi32(lane.w0, k), _mm_add_epi32(other.w0, k))
        lane.firstRounds(sum)
        lane.expand()
        other.firstRounds(otherSum)
        lane.secondRounds(sum)
        other.expand()
        other.secondRounds(otherSum)
      }

      /// Four of the last sixteen rounds, whose words exist already.
      @inline(__always)
      static func lastStep(_ lane: inout Lane, _ k: Vector) {
        lane.rounds(k)
        lane.moveOn()
      }

      @inline(__always)
      static func lastStep(_ lane: inout Lane, _ other: inout Lane, _ k: Vector) {
        lastStep(&lane, k)
        lastStep(&other, k)
      }

      /// Step 4.
      @inline(__always)
      mutating func add(_ before: Lane) {
        feba = _mm_add_epi32(feba, before.feba)
        hgdc = _mm_add_epi32(hgdc, before.hgdc)
      }

      @inline(__always)
      func store(in state: UnsafeMutablePointer<UInt32>) {
        let (low, high) = (words(feba), words(hgdc))
        // Safety: a state has 8 words.
        unsafe UnsafeMutableRawPointer(state).storeBytes(
          of: vector(low[3], low[2], high[3], high[2]), as: __m128i.self)
        unsafe UnsafeMutableRawPointer(state + 4).storeBytes(
          of: vector(low[1], low[0], high[1], high[0]), as: __m128i.self)
      }
    }

    @inline(__always)
    static func vector(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> __m128i {
      // Safety: both are 16 plain bytes.
      unsafe unsafeBitCast(SIMD4<UInt32>(a, b, c, d), to: __m128i.self)
    }

    @inline(__always)
    static func words(_ vector: __m128i) -> SIMD4<UInt32> {
      // Safety: both are 16 plain bytes.
      unsafe unsafeBitCast(vector, to: SIMD4<UInt32>.self)
    }
  }
#elseif arch(arm64) && canImport(_Builtin_intrinsics)
  nonisolated extension SHA256Kernel {
    /// A message in the SHA2 instructions of arm64: its state and the window of its message schedule,
    /// four words to a vector.
    struct Lane {
      typealias Vector = uint32x4_t

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

      /// Four rounds of one message.
      @inline(__always)
      static func step(_ lane: inout Lane, _ k: Vector) {
        lane.rounds(k)
        lane.expand()
      }

      /// Four rounds of two messages.
      @inline(__always)
      static func step(_ lane: inout Lane, _ other: inout Lane, _ k: Vector) {
        step(&lane, k)
        step(&other, k)
      }

      /// Four of the last sixteen rounds, whose words exist already.
      @inline(__always)
      static func lastStep(_ lane: inout Lane, _ k: Vector) {
        lane.rounds(k)
        lane.moveOn()
      }

      @inline(__always)
      static func lastStep(_ lane: inout Lane, _ other: inout Lane, _ k: Vector) {
        lastStep(&lane, k)
        lastStep(&other, k)
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
