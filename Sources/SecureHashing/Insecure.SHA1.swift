// SPDX-License-Identifier: Apache-2.0
// SHA-1 in plain Swift, for formats that ask for it.

nonisolated extension Insecure {
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

      /// The bytes in the order of memory.
      var storage: (UInt32, UInt32, UInt32, UInt32, UInt32)

      /// FIPS 180-4, 6.1.2, end: the words of the state, each big-endian.
      init(_ state: State) {
        storage = (
          state.a.bigEndian, state.b.bigEndian, state.c.bigEndian, state.d.bigEndian,
          state.e.bigEndian
        )
      }

      /// Calls `body` with the 20 bytes.
      public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
      ) throws(Failure) -> Result {
        // Safety: the storage lives as long as the closure runs.
        try unsafe Swift.withUnsafeBytes(of: storage, body)
      }
    }
  }
}

nonisolated extension Insecure.SHA1.Digest: CustomStringConvertible {
  /// The name of the function and the digest in hexadecimal, as CryptoKit prints it.
  public var description: String { "SHA1 digest: " + hexadecimal }
}

nonisolated extension Insecure.SHA1: CustomStringConvertible {
  /// What this is, never its state: the message may be secret.
  public var description: String { "SHA1 computation" }
}

#if !hasFeature(Embedded)
  nonisolated extension Insecure.SHA1: CustomReflectable {
    /// Nothing: a debugger's dump shall not show the state, since the message may be secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }
#endif

nonisolated extension Insecure.SHA1 {
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
      // Safety: the schedule has 80 words, and there are 64 * blockCount bytes.
      unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 80) { schedule in
        guard let w = schedule.baseAddress else { return }
        for block in 0..<blockCount {
          unsafe Self.expand(blocks + block &* 64, into: w)
          let before = state
          // FIPS 180-4, 4.1.1 and 4.2.1: the functions and the constants.
          unsafe state.twentyRounds(w, 0x5a82_7999) { (($1 ^ $2) & $0) ^ $2 }
          unsafe state.twentyRounds(w + 20, 0x6ed9_eba1) { $0 ^ $1 ^ $2 }
          unsafe state.twentyRounds(w + 40, 0x8f1b_bcdc) { ($0 & $1) | (($0 | $1) & $2) }
          unsafe state.twentyRounds(w + 60, 0xca62_c1d6) { $0 ^ $1 ^ $2 }
          state.add(before)
        }
      }
      self = state
    }

    /// Step 1: the message schedule.
    @inline(__always)
    static func expand(_ block: UnsafeRawPointer, into w: UnsafeMutablePointer<UInt32>) {
      // Safety: a block has 16 words, and the schedule 80.
      for t in 0..<16 {
        unsafe w[t] = UInt32(
          bigEndian: block.loadUnaligned(fromByteOffset: t &* 4, as: UInt32.self))
      }
      for t in 16..<80 {
        unsafe w[t] = rotateLeft(w[t &- 3] ^ w[t &- 8] ^ w[t &- 14] ^ w[t &- 16], 1)
      }
    }

    /// Step 3 for twenty `t`, five in a row: then the variables have their old names again.
    @inline(__always)
    mutating func twentyRounds(
      _ w: UnsafePointer<UInt32>, _ k: UInt32, _ f: (UInt32, UInt32, UInt32) -> UInt32
    ) {
      var t = 0
      while t < 20 {
        // Safety: there are 20 words.
        unsafe round(f(b, c, d) &+ k &+ w[t])
        unsafe round(f(b, c, d) &+ k &+ w[t &+ 1])
        unsafe round(f(b, c, d) &+ k &+ w[t &+ 2])
        unsafe round(f(b, c, d) &+ k &+ w[t &+ 3])
        unsafe round(f(b, c, d) &+ k &+ w[t &+ 4])
        t &+= 5
      }
    }

    @inline(__always)
    mutating func round(_ sum: UInt32) {
      let next = Self.rotateLeft(a, 5) &+ e &+ sum
      (e, d, c, b, a) = (d, c, Self.rotateLeft(b, 30), a, next)
    }

    /// Step 4.
    @inline(__always)
    mutating func add(_ other: State) {
      (a, b, c) = (a &+ other.a, b &+ other.b, c &+ other.c)
      (d, e) = (d &+ other.d, e &+ other.e)
    }

    @inline(__always)
    static func rotateLeft(_ x: UInt32, _ n: UInt32) -> UInt32 {
      (x &<< n) | (x &>> (32 &- n))
    }
  }
}
