// SPDX-License-Identifier: Apache-2.0
// The SHA-512 compression function in plain Swift, and its constants.

/// The compression function of FIPS 180-4, 6.4.2, without processor-specific instructions.
enum SHA512PortableCompression {
  /// Compresses `blockCount` blocks of 128 bytes into `state` (8 words).
  ///
  /// Not inlined, so that an Embedded build contains it once.
  @inline(never)
  static func compress(
    _ state: UnsafeMutablePointer<UInt64>, _ blocks: UnsafeRawPointer, _ blockCount: Int
  ) {
    // Safety: the caller passes 8 words and 128 * blockCount bytes. The table has 80 entries.
    unsafe SHA512Computation.roundConstants.withUnsafeBufferPointer { k in
      var v = unsafe WorkingVariables(state)
      for block in 0..<blockCount { unsafe v.compress(blocks + block * 128, k) }
      unsafe v.store(in: state)
    }
  }

  /// Written so that it compiles to one instruction.
  @inline(__always)
  static func rotateRight(_ x: UInt64, _ n: UInt64) -> UInt64 {
    (x &>> n) | (x &<< (64 &- n))
  }
}

extension SHA512PortableCompression {
  /// Sixteen words of the message schedule: a window that advances one word per round.
  struct Window {
    var w0, w1, w2, w3, w4, w5, w6, w7: UInt64
    var w8, w9, w10, w11, w12, w13, w14, w15: UInt64

    /// FIPS 180-4, 6.4.2, step 1, t < 16: the block as big-endian words.
    @inline(__always)
    init(_ block: UnsafeRawPointer) {
      @inline(__always) func word(_ index: Int) -> UInt64 {
        // Safety: index < 16, and a block is 16 words of 8 bytes.
        unsafe UInt64(
          bigEndian: block.loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self))
      }
      (w0, w1, w2, w3) = (word(0), word(1), word(2), word(3))
      (w4, w5, w6, w7) = (word(4), word(5), word(6), word(7))
      (w8, w9, w10, w11) = (word(8), word(9), word(10), word(11))
      (w12, w13, w14, w15) = (word(12), word(13), word(14), word(15))
    }

    /// Returns this round's word. Step 1, t >= 16, also computes the word for 16 rounds later,
    /// which costs nothing if it isn't used.
    @inline(__always)
    mutating func next() -> UInt64 {
      // FIPS 180-4, 4.1.3 (4.12) and (4.13)
      let sigma0 = rotateRight(w1, 1) ^ rotateRight(w1, 8) ^ (w1 &>> 7)
      let sigma1 = rotateRight(w14, 19) ^ rotateRight(w14, 61) ^ (w14 &>> 6)
      let word = w0
      let later = w0 &+ sigma0 &+ w9 &+ sigma1
      (w0, w1, w2, w3, w4, w5, w6, w7) = (w1, w2, w3, w4, w5, w6, w7, w8)
      (w8, w9, w10, w11, w12, w13, w14, w15) = (w9, w10, w11, w12, w13, w14, w15, later)
      return word
    }
  }

  /// The eight working variables of FIPS 180-4, 6.4.2.
  struct WorkingVariables {
    var a: UInt64
    var b: UInt64
    var c: UInt64
    var d: UInt64
    var e: UInt64
    var f: UInt64
    var g: UInt64
    var h: UInt64

    /// Step 2.
    @inline(__always)
    init(_ state: UnsafeMutablePointer<UInt64>) {
      // Safety: a state is 8 words long.
      unsafe (a, b, c, d) = (state[0], state[1], state[2], state[3])
      unsafe (e, f, g, h) = (state[4], state[5], state[6], state[7])
    }

    /// Steps 1 to 4 for one block. Not inlined, because a loop with this much code compiles slowly.
    /// Embedded builds may inline it: they optimize quickly, and need less stack that way.
    #if !hasFeature(Embedded)
      @inline(never)
    #endif
    mutating func compress(_ block: UnsafeRawPointer, _ k: UnsafeBufferPointer<UInt64>) {
      let start = self
      // Safety: a block is 128 bytes long, and the table has 80 entries.
      var w = unsafe Window(block)
      #if hasFeature(Embedded)
        let loopEnd = 80
      #else
        let loopEnd = 64
      #endif
      var t = 0
      while t < loopEnd {
        unsafe sixteenRounds(k, &w, from: t)
        t &+= 16
      }
      #if !hasFeature(Embedded)
        // Outside the loop, no words are computed for later rounds. The code is a quarter larger.
        unsafe sixteenRounds(k, &w, from: 64)
      #endif
      add(start)
    }

    /// FIPS 180-4, 6.4.2, step 3, for the sixteen rounds starting at `t`.
    @inline(__always)
    mutating func sixteenRounds(
      _ k: UnsafeBufferPointer<UInt64>, _ w: inout Window, from t: Int
    ) {
      // Safety: the table has 80 entries, and `t` is at most 64.
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

    /// Step 3 for one `t`. Once unrolled, renaming the variables costs nothing.
    @inline(__always)
    mutating func round(_ constantPlusWord: UInt64) {
      // FIPS 180-4, 4.1.3 (4.8) to (4.11), with chained rotations: Σ1 is 14, 18, 41 and Σ0 is 28,
      // 34, 39. The order of these lines is worth 5% of the speed.
      let sum1 = rotateRight(rotateRight(rotateRight(e, 23) ^ e, 4) ^ e, 14)
      let ch = ((f ^ g) & e) ^ g
      let t1 = h &+ sum1 &+ ch &+ constantPlusWord
      let sum0 = rotateRight(rotateRight(rotateRight(a, 5) ^ a, 6) ^ a, 28)
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
    func store(in state: UnsafeMutablePointer<UInt64>) {
      // Safety: a state is 8 words long.
      unsafe (state[0], state[1], state[2], state[3]) = (a, b, c, d)
      unsafe (state[4], state[5], state[6], state[7]) = (e, f, g, h)
    }
  }
}

extension SHA512Computation {
  /// H(0) of SHA-512: the first 64 bits of the fractional parts of the square roots of the first 8
  /// primes.
  static var initialStateOfSHA512: State {
    // FIPS 180-4, 5.3.5
    (
      0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1,
      0x510e_527f_ade6_82d1, 0x9b05_688c_2b3e_6c1f, 0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179
    )
  }

  /// H(0) of SHA-384: the same for the next 8 primes.
  static var initialStateOfSHA384: State {
    // FIPS 180-4, 5.3.4
    (
      0xcbbb_9d5d_c105_9ed8, 0x629a_292a_367c_d507, 0x9159_015a_3070_dd17, 0x152f_ecd8_f70e_5939,
      0x6733_2667_ffc0_0b31, 0x8eb4_4a87_6858_1511, 0xdb0c_2e0d_64f9_8fa7, 0x47b5_481d_befa_4fa4
    )
  }

  /// K: the first 64 bits of the fractional parts of the cube roots of the first 80 primes.
  static let roundConstants: [UInt64] = [
    // FIPS 180-4, 4.2.3
    0x428a_2f98_d728_ae22, 0x7137_4491_23ef_65cd, 0xb5c0_fbcf_ec4d_3b2f, 0xe9b5_dba5_8189_dbbc,
    0x3956_c25b_f348_b538, 0x59f1_11f1_b605_d019, 0x923f_82a4_af19_4f9b, 0xab1c_5ed5_da6d_8118,
    0xd807_aa98_a303_0242, 0x1283_5b01_4570_6fbe, 0x2431_85be_4ee4_b28c, 0x550c_7dc3_d5ff_b4e2,
    0x72be_5d74_f27b_896f, 0x80de_b1fe_3b16_96b1, 0x9bdc_06a7_25c7_1235, 0xc19b_f174_cf69_2694,
    0xe49b_69c1_9ef1_4ad2, 0xefbe_4786_384f_25e3, 0x0fc1_9dc6_8b8c_d5b5, 0x240c_a1cc_77ac_9c65,
    0x2de9_2c6f_592b_0275, 0x4a74_84aa_6ea6_e483, 0x5cb0_a9dc_bd41_fbd4, 0x76f9_88da_8311_53b5,
    0x983e_5152_ee66_dfab, 0xa831_c66d_2db4_3210, 0xb003_27c8_98fb_213f, 0xbf59_7fc7_beef_0ee4,
    0xc6e0_0bf3_3da8_8fc2, 0xd5a7_9147_930a_a725, 0x06ca_6351_e003_826f, 0x1429_2967_0a0e_6e70,
    0x27b7_0a85_46d2_2ffc, 0x2e1b_2138_5c26_c926, 0x4d2c_6dfc_5ac4_2aed, 0x5338_0d13_9d95_b3df,
    0x650a_7354_8baf_63de, 0x766a_0abb_3c77_b2a8, 0x81c2_c92e_47ed_aee6, 0x9272_2c85_1482_353b,
    0xa2bf_e8a1_4cf1_0364, 0xa81a_664b_bc42_3001, 0xc24b_8b70_d0f8_9791, 0xc76c_51a3_0654_be30,
    0xd192_e819_d6ef_5218, 0xd699_0624_5565_a910, 0xf40e_3585_5771_202a, 0x106a_a070_32bb_d1b8,
    0x19a4_c116_b8d2_d0c8, 0x1e37_6c08_5141_ab53, 0x2748_774c_df8e_eb99, 0x34b0_bcb5_e19b_48a8,
    0x391c_0cb3_c5c9_5a63, 0x4ed8_aa4a_e341_8acb, 0x5b9c_ca4f_7763_e373, 0x682e_6ff3_d6b2_b8a3,
    0x748f_82ee_5def_b2fc, 0x78a5_636f_4317_2f60, 0x84c8_7814_a1f0_ab72, 0x8cc7_0208_1a64_39ec,
    0x90be_fffa_2363_1e28, 0xa450_6ceb_de82_bde9, 0xbef9_a3f7_b2c6_7915, 0xc671_78f2_e372_532b,
    0xca27_3ece_ea26_619c, 0xd186_b8c7_21c0_c207, 0xeada_7dd6_cde0_eb1e, 0xf57d_4f7f_ee6e_d178,
    0x06f0_67aa_7217_6fba, 0x0a63_7dc5_a2c8_98a6, 0x113f_9804_bef9_0dae, 0x1b71_0b35_131c_471b,
    0x28db_77f5_2304_7d84, 0x32ca_ab7b_40c7_2493, 0x3c9e_be0a_15c9_bebc, 0x431d_67c4_9c10_0d4c,
    0x4cc5_d4be_cb3e_42b6, 0x597f_299c_fc65_7e2a, 0x5fcb_6fab_3ad6_faec, 0x6c44_198c_4a47_5817,
  ]
}
