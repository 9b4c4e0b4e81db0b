// SPDX-License-Identifier: Apache-2.0
// SHA-1 in plain Swift, for formats that require it.

/// SHA-1 of FIPS 180-4: a 20-byte digest, 64-byte blocks. Collisions are known, so it isn't public:
/// RSA signatures for CloudFront, checksums of Amazon S3 and names of cached files require it.
///
/// Messages can be up to 2^61 - 1 bytes long. You can copy a value mid-stream, and ``finalize()``
/// doesn't change the state. Nothing is allocated on the heap.
package struct SHA1: HashFunction {
  /// The block size in bytes: 64.
  package static var blockByteCount: Int { 64 }

  /// The digest size in bytes: 20.
  package static var byteCount: Int { Digest.byteCount }

  var state = State.initial
  var buffer = BlockBuffer<SHA256.Block>(messageByteCount: 0)

  /// Creates a hash function with an empty message.
  package init() {}

  /// Appends bytes to the message.
  package mutating func update(bufferPointer: UnsafeRawBufferPointer) {
    var state = state
    // Safety: the buffer passes whole blocks.
    unsafe buffer.append(bufferPointer) { unsafe state.compress($0, $1) }
    self.state = state
  }

  /// Returns the digest of the message so far. You can keep updating it afterward.
  package func finalize() -> Digest {
    var final = state
    let tail = buffer.paddedTail
    // Safety: the tail has blockCount blocks.
    unsafe tail.withBlocks { unsafe final.compress($0, tail.blockCount) }
    return Digest(final)
  }

  /// A SHA-1 digest: 20 bytes.
  package struct Digest: HashDigest {
    /// The digest size in bytes: 20.
    package static var byteCount: Int { 20 }

    /// The bytes in memory order, always accessed like those of `SHA256.Digest`.
    var storage: (UInt32, UInt32, UInt32, UInt32, UInt32)

    /// FIPS 180-4, 6.1.2, end: the words of the state, each big-endian.
    init(_ state: State) {
      storage = (
        state.a.bigEndian, state.b.bigEndian, state.c.bigEndian, state.d.bigEndian,
        state.e.bigEndian
      )
    }

    /// Calls `body` with the 20 bytes.
    package func withUnsafeBytes<Result, Failure: Swift.Error>(
      _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      try unsafe Swift.withUnsafeBytes(of: self, body)
    }
  }
}

extension SHA1.Digest: CustomStringConvertible {
  /// The name of the hash function and the digest in hexadecimal, as CryptoKit prints them.
  package var description: String { "SHA1 digest: " + hexString }
}

extension SHA1: Redacted {
  /// The kind of computation, never its state. The message may be secret.
  package var description: String { "SHA1 computation" }
}

extension SHA1 {
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

    /// FIPS 180-4, 6.1.2: compresses `blockCount` blocks of 64 bytes.
    mutating func compress(_ blocks: UnsafeRawPointer, _ blockCount: Int) {
      // Safety: there are 64 * blockCount bytes.
      for block in 0..<blockCount { unsafe compress(blocks + block * 64) }
    }

    /// Compresses one block. Not inlined, because a loop with this much code compiles slowly.
    @inline(never)
    private mutating func compress(_ block: UnsafeRawPointer) {
      let before = self
      // Safety: a block is 64 bytes long.
      var w = unsafe Window(block)
      // FIPS 180-4, 4.1.1 and 4.2.1: Ch, Parity, Maj and Parity, each with its constant.
      twentyRounds(&w, 0x5a82_7999) { (($1 ^ $2) & $0) ^ $2 }
      twentyRounds(&w, 0x6ed9_eba1) { $0 ^ $1 ^ $2 }
      // No bit is set in both terms of the sum.
      twentyRounds(&w, 0x8f1b_bcdc) { ($1 & $2) &+ (($1 ^ $2) & $0) }
      twentyRounds(&w, 0xca62_c1d6) { $0 ^ $1 ^ $2 }
      add(before)
    }

    @inline(__always)
    mutating func twentyRounds(
      _ w: inout Window, _ k: UInt32, _ f: (UInt32, UInt32, UInt32) -> UInt32
    ) {
      fourRounds(&w, k, f)
      fourRounds(&w, k, f)
      fourRounds(&w, k, f)
      fourRounds(&w, k, f)
      fourRounds(&w, k, f)
    }

    @inline(__always)
    mutating func fourRounds(
      _ w: inout Window, _ k: UInt32, _ f: (UInt32, UInt32, UInt32) -> UInt32
    ) {
      round(w.w0 &+ k, f(b, c, d))
      round(w.w1 &+ k, f(b, c, d))
      round(w.w2 &+ k, f(b, c, d))
      round(w.w3 &+ k, f(b, c, d))
      w.advance()
    }

    /// Step 3 for one `t`. Once unrolled, renaming the variables costs nothing.
    @inline(__always)
    mutating func round(_ wordPlusConstant: UInt32, _ f: UInt32) {
      let next = (wordPlusConstant &+ e) &+ f &+ rotateLeft(a, 5)
      (e, d, c, b, a) = (d, c, rotateLeft(b, 30), a, next)
    }

    /// Step 4.
    @inline(__always)
    mutating func add(_ other: State) {
      (a, b, c) = (a &+ other.a, b &+ other.b, c &+ other.c)
      (d, e) = (d &+ other.d, e &+ other.e)
    }
  }
}

extension SHA1 {
  /// Sixteen words of the message schedule: a window that advances with the rounds.
  struct Window {
    var w0, w1, w2, w3, w4, w5, w6, w7: UInt32
    var w8, w9, w10, w11, w12, w13, w14, w15: UInt32

    /// FIPS 180-4, 6.1.2, step 1, t < 16: the block as big-endian words.
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

    /// Step 1, t >= 16: advances by four words, which costs nothing if they aren't used.
    @inline(__always)
    mutating func advance() {
      let w16 = rotateLeft(w13 ^ w8 ^ w2 ^ w0, 1)
      let w17 = rotateLeft(w14 ^ w9 ^ w3 ^ w1, 1)
      let w18 = rotateLeft(w15 ^ w10 ^ w4 ^ w2, 1)
      let w19 = rotateLeft(w16 ^ w11 ^ w5 ^ w3, 1)
      (w0, w1, w2, w3, w4, w5, w6, w7) = (w4, w5, w6, w7, w8, w9, w10, w11)
      (w8, w9, w10, w11, w12, w13, w14, w15) = (w12, w13, w14, w15, w16, w17, w18, w19)
    }
  }

  /// Written so that it compiles to one instruction.
  @inline(__always)
  static func rotateLeft(_ x: UInt32, _ n: UInt32) -> UInt32 {
    (x &<< n) | (x &>> (32 &- n))
  }
}
