// SPDX-License-Identifier: Apache-2.0
// The SHA-256 compression function in plain Swift, and its constants, which the tests recompute.

extension SHA256 {
  /// The compression function of FIPS 180-4, 6.2.2, without processor-specific instructions.
  enum PortableCompression {
    /// Compresses `blockCount` blocks of 64 bytes into `state` (8 words).
    ///
    /// Not inlined, so that an Embedded build contains it once.
    @inline(never)
    static func compress(
      _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeRawPointer, _ blockCount: Int
    ) {
      // Safety: the caller passes 8 words and 64 * blockCount bytes. The table has 64 entries.
      unsafe SHA256.roundConstants.withUnsafeBufferPointer { k in
        var v = unsafe WorkingVariables(state)
        for block in 0..<blockCount { unsafe v.compress(blocks + block * 64, k) }
        unsafe v.store(in: state)
      }
    }

    /// Written so that it compiles to one instruction.
    @inline(__always)
    static func rotateRight(_ x: UInt32, _ n: UInt32) -> UInt32 {
      (x &>> n) | (x &<< (32 &- n))
    }
  }
}

extension SHA256.PortableCompression {
  /// Sixteen words of the message schedule: a window that advances one word per round.
  struct Window {
    var w0, w1, w2, w3, w4, w5, w6, w7: UInt32
    var w8, w9, w10, w11, w12, w13, w14, w15: UInt32

    /// FIPS 180-4, 6.2.2, step 1, t < 16: the block as big-endian words.
    @inline(__always)
    init(_ block: UnsafeRawPointer) {
      @inline(__always) func word(_ index: Int) -> UInt32 {
        // Safety: index < 16, and a block is 16 words of 4 bytes.
        unsafe UInt32(
          bigEndian: block.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self))
      }
      (w0, w1, w2, w3) = (word(0), word(1), word(2), word(3))
      (w4, w5, w6, w7) = (word(4), word(5), word(6), word(7))
      (w8, w9, w10, w11) = (word(8), word(9), word(10), word(11))
      (w12, w13, w14, w15) = (word(12), word(13), word(14), word(15))
    }

    /// Returns this round's word. Step 1, t >= 16, also computes the word for 16 rounds later,
    /// which costs nothing if it isn't used.
    @inline(__always)
    mutating func next() -> UInt32 {
      // FIPS 180-4, 4.1.2 (4.6) and (4.7)
      let sigma0 = rotateRight(w1, 7) ^ rotateRight(w1, 18) ^ (w1 &>> 3)
      let sigma1 = rotateRight(w14, 17) ^ rotateRight(w14, 19) ^ (w14 &>> 10)
      let word = w0
      let later = w0 &+ sigma0 &+ w9 &+ sigma1
      (w0, w1, w2, w3, w4, w5, w6, w7) = (w1, w2, w3, w4, w5, w6, w7, w8)
      (w8, w9, w10, w11, w12, w13, w14, w15) = (w9, w10, w11, w12, w13, w14, w15, later)
      return word
    }
  }

  /// The eight working variables of FIPS 180-4, 6.2.2.
  struct WorkingVariables {
    var a: UInt32
    var b: UInt32
    var c: UInt32
    var d: UInt32
    var e: UInt32
    var f: UInt32
    var g: UInt32
    var h: UInt32

    /// Step 2.
    @inline(__always)
    init(_ state: UnsafeMutablePointer<UInt32>) {
      // Safety: a state is 8 words long.
      unsafe (a, b, c, d) = (state[0], state[1], state[2], state[3])
      unsafe (e, f, g, h) = (state[4], state[5], state[6], state[7])
    }

    /// Steps 1 to 4 for one block. Not inlined, because a loop with this much code compiles slowly.
    /// Embedded builds may inline it: they optimize quickly, and need less stack that way.
    #if !hasFeature(Embedded)
      @inline(never)
    #endif
    mutating func compress(_ block: UnsafeRawPointer, _ k: UnsafeBufferPointer<UInt32>) {
      let start = self
      // Safety: a block is 64 bytes long, and the table has 64 entries.
      var w = unsafe Window(block)
      #if hasFeature(Embedded)
        let loopEnd = 64
      #else
        let loopEnd = 48
      #endif
      var t = 0
      while t < loopEnd {
        unsafe sixteenRounds(k, &w, from: t)
        t &+= 16
      }
      #if !hasFeature(Embedded)
        // Outside the loop, no words are computed for later rounds. The code is a third larger.
        unsafe sixteenRounds(k, &w, from: 48)
      #endif
      add(start)
    }

    /// FIPS 180-4, 6.2.2, step 3, for the sixteen rounds starting at `t`.
    @inline(__always)
    mutating func sixteenRounds(
      _ k: UnsafeBufferPointer<UInt32>, _ w: inout Window, from t: Int
    ) {
      // Safety: the table has 64 entries, and `t` is at most 48.
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
    mutating func round(_ constantPlusWord: UInt32) {
      // FIPS 180-4, 4.1.2 (4.2) to (4.5), with chained rotations: Σ1 is 6, 11, 25 and Σ0 is 2, 13,
      // 22. The order of these lines is worth 5% of the speed.
      let sum1 = rotateRight(rotateRight(rotateRight(e, 14) ^ e, 5) ^ e, 6)
      let ch = ((f ^ g) & e) ^ g
      let t1 = h &+ sum1 &+ ch &+ constantPlusWord
      let sum0 = rotateRight(rotateRight(rotateRight(a, 9) ^ a, 11) ^ a, 2)
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
    func store(in state: UnsafeMutablePointer<UInt32>) {
      // Safety: a state is 8 words long.
      unsafe (state[0], state[1], state[2], state[3]) = (a, b, c, d)
      unsafe (state[4], state[5], state[6], state[7]) = (e, f, g, h)
    }
  }
}

extension SHA256 {
  /// H(0): the first 32 bits of the fractional parts of the square roots of the first 8 primes.
  static var initialState: State {
    // FIPS 180-4, 5.3.3
    (
      0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
      0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19
    )
  }

  /// K: the first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  static let roundConstants: [UInt32] = [
    // FIPS 180-4, 4.2.2
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5,
    0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3,
    0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc,
    0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13,
    0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3,
    0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5,
    0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208,
    0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}
