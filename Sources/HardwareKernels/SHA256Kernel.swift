// SPDX-License-Identifier: Apache-2.0
// SHA-256 with the processor's SHA instructions, for one message or two interleaved. All of it is
// in one file, because debug builds optimize file by file.

#if arch(x86_64) && !hasFeature(Embedded)
  // Not in Embedded Swift, because the intrinsics header needs a C library.
  internal import _Builtin_intrinsics.intel
#elseif arch(arm64) && canImport(_Builtin_intrinsics)
  internal import _Builtin_intrinsics.arm.neon
#endif

#if (arch(x86_64) && !hasFeature(Embedded)) || (arch(arm64) && canImport(_Builtin_intrinsics))
  /// The SHA-256 compression function (FIPS 180-4, 6.2.2) with the processor's SHA instructions.
  ///
  /// The caller must have checked that the processor has them. This module is compiled for such a
  /// processor, so nothing here may be generic, inlined into other modules, or shared: no arrays,
  /// no closures, and no standard library types except integers, pointers and vectors.
  package enum SHA256Kernel {
    /// Compresses blocks of 64 bytes into `state` (8 words): `blockCount` of them in `blocks`, then
    /// `tailBlockCount` in `tail`.
    @inline(never)
    #if compiler(>=6.3)
      @export(interface)
    #endif
    package static func compress(
      _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeRawPointer, _ blockCount: Int,
      _ tail: UnsafeRawPointer, _ tailBlockCount: Int
    ) {
      // Safety: 8 words of state and 64 bytes for each block are readable.
      var lane = unsafe Lane(state)
      var block = unsafe blocks
      for index in 0..<(blockCount &+ tailBlockCount) {
        if index == blockCount { unsafe block = tail }
        let before = lane
        unsafe lane.load(block)
        allRounds(&lane)
        lane.add(before)
        unsafe block += 64
      }
      unsafe lane.store(in: state)
    }

    /// Compresses `blockCount` blocks of each of two independent messages: while one waits for an
    /// instruction, the other proceeds. Pass their tails in a separate call, so that the processor
    /// assembles them while it's still processing the blocks.
    @inline(never)
    #if compiler(>=6.3)
      @export(interface)
    #endif
    package static func compressPair(
      _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeRawPointer,
      _ otherState: UnsafeMutablePointer<UInt32>, _ otherBlocks: UnsafeRawPointer,
      _ blockCount: Int
    ) {
      // Safety: as above, for each message.
      var (lane, other) = unsafe (Lane(state), Lane(otherState))
      var (block, otherBlock) = unsafe (blocks, otherBlocks)
      for _ in 0..<blockCount {
        let (before, otherBefore) = (lane, other)
        unsafe lane.load(block)
        unsafe other.load(otherBlock)
        allRounds(&lane, &other)
        lane.add(before)
        other.add(otherBefore)
        unsafe block += 64
        unsafe otherBlock += 64
      }
      unsafe lane.store(in: state)
      unsafe other.store(in: otherState)
    }

    /// The 64 rounds of a block. Unrolled, because a loop costs a seventh of a pair's speed.
    @inline(__always)
    static func allRounds(_ lane: inout Lane) {
      lane.step(constants(0))
      lane.step(constants(1))
      lane.step(constants(2))
      lane.step(constants(3))
      lane.step(constants(4))
      lane.step(constants(5))
      lane.step(constants(6))
      lane.step(constants(7))
      lane.step(constants(8))
      lane.step(constants(9))
      lane.step(constants(10))
      lane.step(constants(11))
      lane.lastStep(constants(12))
      lane.lastStep(constants(13))
      lane.lastStep(constants(14))
      lane.lastStep(constants(15))
    }

    /// The 64 rounds of two blocks, alternating.
    @inline(__always)
    static func allRounds(_ lane: inout Lane, _ other: inout Lane) {
      step(&lane, &other, constants(0))
      step(&lane, &other, constants(1))
      step(&lane, &other, constants(2))
      step(&lane, &other, constants(3))
      step(&lane, &other, constants(4))
      step(&lane, &other, constants(5))
      step(&lane, &other, constants(6))
      step(&lane, &other, constants(7))
      step(&lane, &other, constants(8))
      step(&lane, &other, constants(9))
      step(&lane, &other, constants(10))
      step(&lane, &other, constants(11))
      lastStep(&lane, &other, constants(12))
      lastStep(&lane, &other, constants(13))
      lastStep(&lane, &other, constants(14))
      lastStep(&lane, &other, constants(15))
    }

    @inline(__always)
    static func step(_ lane: inout Lane, _ other: inout Lane, _ k: Lane.Vector) {
      lane.step(k)
      other.step(k)
    }

    @inline(__always)
    static func lastStep(_ lane: inout Lane, _ other: inout Lane, _ k: Lane.Vector) {
      lane.lastStep(k)
      other.lastStep(k)
    }

    /// FIPS 180-4, 4.2.2: the constants of four rounds. They are literals, because a table would be
    /// copied to the stack for every message.
    @inline(__always)
    static func constants(_ step: Int) -> Lane.Vector {
      switch step {
      case 0: vector(0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5)
      case 1: vector(0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5)
      case 2: vector(0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3)
      case 3: vector(0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174)
      case 4: vector(0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc)
      case 5: vector(0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da)
      case 6: vector(0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7)
      case 7: vector(0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967)
      case 8: vector(0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13)
      case 9: vector(0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85)
      case 10: vector(0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3)
      case 11: vector(0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070)
      case 12: vector(0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5)
      case 13: vector(0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3)
      case 14: vector(0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208)
      default: vector(0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2)
      }
    }
  }

  extension SHA256Kernel.Lane {
    /// Four rounds, after which the window advances by four words.
    @inline(__always)
    mutating func step(_ k: Vector) {
      rounds(k)
      expand()
    }

    /// Four of the last sixteen rounds, whose words have already been computed.
    @inline(__always)
    mutating func lastStep(_ k: Vector) {
      rounds(k)
      (w0, w1, w2) = (w1, w2, w3)
    }
  }
#endif

#if arch(x86_64) && !hasFeature(Embedded)
  extension SHA256Kernel {
    /// A message with the SHA extensions of x86-64: its state and the window of its message
    /// schedule, four words per vector.
    struct Lane {
      typealias Vector = __m128i

      // The instructions expect the state as the words f e b a and h g d c, from low to high.
      var feba: __m128i
      var hgdc: __m128i
      var w0: __m128i
      var w1: __m128i
      var w2: __m128i
      var w3: __m128i

      @inline(__always)
      init(_ state: UnsafeMutablePointer<UInt32>) {
        // Safety: a state is 8 words long.
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
        // Safety: a block is 64 bytes long.
        w0 = unsafe _mm_shuffle_epi8(block.loadUnaligned(as: __m128i.self), bigEndian)
        w1 = unsafe _mm_shuffle_epi8((block + 16).loadUnaligned(as: __m128i.self), bigEndian)
        w2 = unsafe _mm_shuffle_epi8((block + 32).loadUnaligned(as: __m128i.self), bigEndian)
        w3 = unsafe _mm_shuffle_epi8((block + 48).loadUnaligned(as: __m128i.self), bigEndian)
      }

      /// Step 3, four rounds, two in each instruction. The operands swap roles.
      @inline(__always)
      mutating func rounds(_ k: __m128i) {
        let sum = _mm_add_epi32(w0, k)
        hgdc = _mm_sha256rnds2_epu32(hgdc, feba, sum)
        feba = _mm_sha256rnds2_epu32(feba, hgdc, _mm_unpackhi_epi64(sum, sum))
      }

      /// FIPS 180-4, 6.2.2, step 1, t >= 16: the window advances by four words.
      @inline(__always)
      mutating func expand() {
        let (low, high) = (words(w2), words(w3))
        let w9to12 = vector(low[1], low[2], low[3], high[0])
        let sum = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), w9to12)
        (w0, w1, w2, w3) = (w1, w2, w3, _mm_sha256msg2_epu32(sum, w3))
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
        // Safety: a state is 8 words long.
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
  extension SHA256Kernel {
    /// A message with the SHA2 instructions of arm64: its state and the window of its message
    /// schedule, four words per vector.
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
        // Safety: a state is 8 words long.
        abcd = unsafe UnsafeRawPointer(state).loadUnaligned(as: uint32x4_t.self)
        efgh = unsafe UnsafeRawPointer(state + 4).loadUnaligned(as: uint32x4_t.self)
        (w0, w1, w2, w3) = (abcd, abcd, abcd, abcd)
      }

      /// FIPS 180-4, 6.2.2, step 1, t < 16: the block as big-endian words.
      @inline(__always)
      mutating func load(_ block: UnsafeRawPointer) {
        // Safety: a block is 64 bytes long.
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

      /// FIPS 180-4, 6.2.2, step 1, t >= 16: the window advances by four words.
      @inline(__always)
      mutating func expand() {
        let next = vsha256su1q_u32(vsha256su0q_u32(w0, w1), w2, w3)
        (w0, w1, w2, w3) = (w1, w2, w3, next)
      }

      /// Step 4.
      @inline(__always)
      mutating func add(_ before: Lane) {
        abcd = vaddq_u32(abcd, before.abcd)
        efgh = vaddq_u32(efgh, before.efgh)
      }

      @inline(__always)
      func store(in state: UnsafeMutablePointer<UInt32>) {
        // Safety: a state is 8 words long.
        unsafe UnsafeMutableRawPointer(state).storeBytes(of: abcd, as: uint32x4_t.self)
        unsafe UnsafeMutableRawPointer(state + 4).storeBytes(of: efgh, as: uint32x4_t.self)
      }
    }

    @inline(__always)
    static func vector(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> uint32x4_t {
      uint32x4_t(a, b, c, d)
    }

    @inline(__always)
    static func bigEndianWords(_ bytes: UnsafeRawPointer) -> uint32x4_t {
      // Safety: 16 bytes are readable.
      let vector = unsafe bytes.loadUnaligned(as: uint8x16_t.self)
      return vreinterpretq_u32_u8(vrev32q_u8(vector))
    }
  }
#endif
