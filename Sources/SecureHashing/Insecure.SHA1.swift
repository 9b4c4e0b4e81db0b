// SPDX-License-Identifier: Apache-2.0
// SHA-1 in plain Swift, for formats that ask for it.

extension Insecure {
  /// SHA-1 of FIPS 180-4: a digest of 20 bytes, blocks of 64 bytes. Collisions of it are known.
  ///
  /// Messages may be up to 2^61 - 1 bytes long. A value can be copied in mid-stream, and
  /// ``finalize()`` leaves the state as it is. Nothing is allocated on the heap.
  public struct SHA1: HashFunction {
    /// The size of a block in bytes: 64.
    public static var blockByteCount: Int { 64 }

    /// The size of a digest in bytes: 20.
    public static var byteCount: Int { Digest.byteCount }

    var state = State.initial
    var buffer = BlockBuffer()

    /// Starts an empty message.
    public init() {}

    /// Appends bytes to the message.
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
      var state = state
      // Safety: the buffer hands out whole blocks.
      unsafe buffer.append(bufferPointer) { unsafe state.compress($0, $1) }
      self.state = state
    }

    /// The digest of the message so far. The state stays as it is and can be continued.
    public func finalize() -> Digest {
      var final = state
      let tail = buffer.paddedTail
      // Safety: the tail has blockCount blocks.
      unsafe tail.withBlocks { unsafe final.compress($0, tail.blockCount) }
      return Digest(final)
    }

    /// A SHA-1 digest: 20 bytes.
    public struct Digest: Insecure.Digest {
      /// The size of a digest in bytes: 20.
      public static var byteCount: Int { 20 }

      /// The bytes in the order of memory, reached as those of `SHA256.Digest` are.
      var storage: (UInt32, UInt32, UInt32, UInt32, UInt32)

      /// FIPS 180-4, 6.1.2, end: the words of the state, each big-endian.
      init(_ state: State) {
        storage = (
          state.a.bigEndian, state.b.bigEndian, state.c.bigEndian, state.d.bigEndian,
          state.e.bigEndian
        )
      }

      /// Calls `body` with the 20 bytes.
      public func withUnsafeBytes<Result, Failure: Swift.Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
      ) throws(Failure) -> Result {
        // Safety: the digest lives as long as the closure runs.
        try unsafe Swift.withUnsafeBytes(of: self, body)
      }
    }
  }
}

extension Insecure.SHA1.Digest: CustomStringConvertible {
  /// The name of the function and the digest in hexadecimal, as CryptoKit prints it.
  public var description: String { "SHA1 digest: " + hexadecimal }
}

extension Insecure.SHA1: CustomStringConvertible {
  /// What this is, never its state: the message may be secret.
  public var description: String { "SHA1 computation" }
}

#if !hasFeature(Embedded)
  extension Insecure.SHA1: CustomReflectable {
    /// Nothing: a debugger's dump shall not show the state, since the message may be secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }
#endif

extension Insecure.SHA1 {
  /// H, or the five working variables of FIPS 180-4, 6.1.2.
  struct State: Sendable, BitwiseCopyable {
    var a: UInt32
    var b: UInt32
    var c: UInt32
    var d: UInt32
    var e: UInt32

    /// FIPS 180-4, 5.3.1: H(0).
    static var initial: State {
      State(
        a: 0x6745_2301, b: 0xefcd_ab89, c: 0x98ba_dcfe, d: 0x1032_5476, e: 0xc3d2_e1f0)
    }

    /// FIPS 180-4, 6.1.2: compresses so many blocks of 64 bytes.
    mutating func compress(_ blocks: UnsafeRawPointer, _ blockCount: Int) {
      var state = self
      for block in 0..<blockCount {
        // Safety: there are 64 * blockCount bytes.
        var w = unsafe Window(blocks + block &* 64)
        let before = state
        state.rounds0to15(w)
        state.rounds16to31(&w)
        state.rounds32to47(&w)
        state.rounds48to63(&w)
        state.rounds64to79(&w)
        state.add(before)
      }
      self = state
    }

    @inline(__always)
    mutating func rounds0to15(_ w: Window) {
      ch(w.w0)
      ch(w.w1)
      ch(w.w2)
      ch(w.w3)
      ch(w.w4)
      ch(w.w5)
      ch(w.w6)
      ch(w.w7)
      ch(w.w8)
      ch(w.w9)
      ch(w.w10)
      ch(w.w11)
      ch(w.w12)
      ch(w.w13)
      ch(w.w14)
      ch(w.w15)
    }

    @inline(__always)
    mutating func rounds16to31(_ w: inout Window) {
      ch(Window.expand(&w.w0, w.w2, w.w8, w.w13))
      ch(Window.expand(&w.w1, w.w3, w.w9, w.w14))
      ch(Window.expand(&w.w2, w.w4, w.w10, w.w15))
      ch(Window.expand(&w.w3, w.w5, w.w11, w.w0))
      parity(Window.expand(&w.w4, w.w6, w.w12, w.w1), 0x6ed9_eba1)
      parity(Window.expand(&w.w5, w.w7, w.w13, w.w2), 0x6ed9_eba1)
      parity(Window.expand(&w.w6, w.w8, w.w14, w.w3), 0x6ed9_eba1)
      parity(Window.expand(&w.w7, w.w9, w.w15, w.w4), 0x6ed9_eba1)
      parity(Window.expand(&w.w8, w.w10, w.w0, w.w5), 0x6ed9_eba1)
      parity(Window.expand(&w.w9, w.w11, w.w1, w.w6), 0x6ed9_eba1)
      parity(Window.expand(&w.w10, w.w12, w.w2, w.w7), 0x6ed9_eba1)
      parity(Window.expand(&w.w11, w.w13, w.w3, w.w8), 0x6ed9_eba1)
      parity(Window.expand(&w.w12, w.w14, w.w4, w.w9), 0x6ed9_eba1)
      parity(Window.expand(&w.w13, w.w15, w.w5, w.w10), 0x6ed9_eba1)
      parity(Window.expand(&w.w14, w.w0, w.w6, w.w11), 0x6ed9_eba1)
      parity(Window.expand(&w.w15, w.w1, w.w7, w.w12), 0x6ed9_eba1)
    }

    @inline(__always)
    mutating func rounds32to47(_ w: inout Window) {
      parity(Window.expand(&w.w0, w.w2, w.w8, w.w13), 0x6ed9_eba1)
      parity(Window.expand(&w.w1, w.w3, w.w9, w.w14), 0x6ed9_eba1)
      parity(Window.expand(&w.w2, w.w4, w.w10, w.w15), 0x6ed9_eba1)
      parity(Window.expand(&w.w3, w.w5, w.w11, w.w0), 0x6ed9_eba1)
      parity(Window.expand(&w.w4, w.w6, w.w12, w.w1), 0x6ed9_eba1)
      parity(Window.expand(&w.w5, w.w7, w.w13, w.w2), 0x6ed9_eba1)
      parity(Window.expand(&w.w6, w.w8, w.w14, w.w3), 0x6ed9_eba1)
      parity(Window.expand(&w.w7, w.w9, w.w15, w.w4), 0x6ed9_eba1)
      maj(Window.expand(&w.w8, w.w10, w.w0, w.w5))
      maj(Window.expand(&w.w9, w.w11, w.w1, w.w6))
      maj(Window.expand(&w.w10, w.w12, w.w2, w.w7))
      maj(Window.expand(&w.w11, w.w13, w.w3, w.w8))
      maj(Window.expand(&w.w12, w.w14, w.w4, w.w9))
      maj(Window.expand(&w.w13, w.w15, w.w5, w.w10))
      maj(Window.expand(&w.w14, w.w0, w.w6, w.w11))
      maj(Window.expand(&w.w15, w.w1, w.w7, w.w12))
    }

    @inline(__always)
    mutating func rounds48to63(_ w: inout Window) {
      maj(Window.expand(&w.w0, w.w2, w.w8, w.w13))
      maj(Window.expand(&w.w1, w.w3, w.w9, w.w14))
      maj(Window.expand(&w.w2, w.w4, w.w10, w.w15))
      maj(Window.expand(&w.w3, w.w5, w.w11, w.w0))
      maj(Window.expand(&w.w4, w.w6, w.w12, w.w1))
      maj(Window.expand(&w.w5, w.w7, w.w13, w.w2))
      maj(Window.expand(&w.w6, w.w8, w.w14, w.w3))
      maj(Window.expand(&w.w7, w.w9, w.w15, w.w4))
      maj(Window.expand(&w.w8, w.w10, w.w0, w.w5))
      maj(Window.expand(&w.w9, w.w11, w.w1, w.w6))
      maj(Window.expand(&w.w10, w.w12, w.w2, w.w7))
      maj(Window.expand(&w.w11, w.w13, w.w3, w.w8))
      parity(Window.expand(&w.w12, w.w14, w.w4, w.w9), 0xca62_c1d6)
      parity(Window.expand(&w.w13, w.w15, w.w5, w.w10), 0xca62_c1d6)
      parity(Window.expand(&w.w14, w.w0, w.w6, w.w11), 0xca62_c1d6)
      parity(Window.expand(&w.w15, w.w1, w.w7, w.w12), 0xca62_c1d6)
    }

    @inline(__always)
    mutating func rounds64to79(_ w: inout Window) {
      parity(Window.expand(&w.w0, w.w2, w.w8, w.w13), 0xca62_c1d6)
      parity(Window.expand(&w.w1, w.w3, w.w9, w.w14), 0xca62_c1d6)
      parity(Window.expand(&w.w2, w.w4, w.w10, w.w15), 0xca62_c1d6)
      parity(Window.expand(&w.w3, w.w5, w.w11, w.w0), 0xca62_c1d6)
      parity(Window.expand(&w.w4, w.w6, w.w12, w.w1), 0xca62_c1d6)
      parity(Window.expand(&w.w5, w.w7, w.w13, w.w2), 0xca62_c1d6)
      parity(Window.expand(&w.w6, w.w8, w.w14, w.w3), 0xca62_c1d6)
      parity(Window.expand(&w.w7, w.w9, w.w15, w.w4), 0xca62_c1d6)
      parity(Window.expand(&w.w8, w.w10, w.w0, w.w5), 0xca62_c1d6)
      parity(Window.expand(&w.w9, w.w11, w.w1, w.w6), 0xca62_c1d6)
      parity(Window.expand(&w.w10, w.w12, w.w2, w.w7), 0xca62_c1d6)
      parity(Window.expand(&w.w11, w.w13, w.w3, w.w8), 0xca62_c1d6)
      parity(Window.expand(&w.w12, w.w14, w.w4, w.w9), 0xca62_c1d6)
      parity(Window.expand(&w.w13, w.w15, w.w5, w.w10), 0xca62_c1d6)
      parity(Window.expand(&w.w14, w.w0, w.w6, w.w11), 0xca62_c1d6)
      parity(Window.expand(&w.w15, w.w1, w.w7, w.w12), 0xca62_c1d6)
    }

    /// FIPS 180-4, 4.1.1 and 4.2.1, t < 20.
    @inline(__always)
    mutating func ch(_ word: UInt32) {
      round(word &+ 0x5a82_7999, ((c ^ d) & b) ^ d)
    }

    /// 20 <= t < 40, and again at the end.
    @inline(__always)
    mutating func parity(_ word: UInt32, _ k: UInt32) {
      round(word &+ k, b ^ c ^ d)
    }

    /// 40 <= t < 60: no bit is set in both halves of the sum.
    @inline(__always)
    mutating func maj(_ word: UInt32) {
      round(word &+ 0x8f1b_bcdc &+ (c & d), (c ^ d) & b)
    }

    /// Step 3 for one `t`. Unrolled, the renaming of the variables costs nothing.
    @inline(__always)
    mutating func round(_ wordPlusConstant: UInt32, _ f: UInt32) {
      let next = (wordPlusConstant &+ e) &+ f &+ Window.rotateLeft(a, 5)
      (e, d, c, b, a) = (d, c, Window.rotateLeft(b, 30), a, next)
    }

    /// Step 4.
    @inline(__always)
    mutating func add(_ other: State) {
      (a, b, c) = (a &+ other.a, b &+ other.b, c &+ other.c)
      (d, e) = (d &+ other.d, e &+ other.e)
    }
  }

  /// Sixteen words of the message schedule: a window that moves as the rounds go on.
  struct Window {
    var w0, w1, w2, w3, w4, w5, w6, w7: UInt32
    var w8, w9, w10, w11, w12, w13, w14, w15: UInt32

    /// FIPS 180-4, 6.1.2, step 1, t < 16: the block as big-endian words.
    @inline(__always)
    init(_ block: UnsafeRawPointer) {
      @inline(__always) func word(_ index: Int) -> UInt32 {
        // Safety: index < 16, and a block has 16 words of 4 bytes.
        unsafe UInt32(
          bigEndian: block.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self))
      }
      (w0, w1, w2, w3) = (word(0), word(1), word(2), word(3))
      (w4, w5, w6, w7) = (word(4), word(5), word(6), word(7))
      (w8, w9, w10, w11) = (word(8), word(9), word(10), word(11))
      (w12, w13, w14, w15) = (word(12), word(13), word(14), word(15))
    }

    /// Step 1, t >= 16, in place: the word of 16 rounds ago becomes the next one.
    @inline(__always)
    static func expand(
      _ w0: inout UInt32, _ w2: UInt32, _ w8: UInt32, _ w13: UInt32
    ) -> UInt32 {
      w0 = rotateLeft(w13 ^ w8 ^ w2 ^ w0, 1)
      return w0
    }

    /// Written so that the compiler makes one instruction of it.
    @inline(__always)
    static func rotateLeft(_ x: UInt32, _ n: UInt32) -> UInt32 {
      (x &<< n) | (x &>> (32 &- n))
    }
  }
}
