// SPDX-License-Identifier: Apache-2.0
// MD5 in plain Swift, for formats that require it.

public import SecureHashing

extension Insecure {
  /// MD5 of RFC 1321: a 16-byte digest, 64-byte blocks. Collisions take seconds to compute.
  ///
  /// You can copy a value mid-stream, and ``finalize()`` doesn't change the state. Nothing is
  /// allocated on the heap for a message.
  public struct MD5: HashFunction {
    /// The block size in bytes: 64.
    public static var blockByteCount: Int { 64 }

    /// The digest size in bytes: 16.
    public static var byteCount: Int { Digest.byteCount }

    var state = State.initial
    var buffer = BlockBuffer<SHA256.Block>(messageByteCount: 0)

    /// Creates a hash function with an empty message.
    public init() {}

    /// Appends bytes to the message.
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
      var state = state
      // Safety: the buffer passes whole blocks.
      unsafe buffer.append(bufferPointer) { unsafe state.compress($0, $1) }
      self.state = state
    }

    /// Returns the digest of the message so far. You can keep updating it afterward.
    public func finalize() -> Digest {
      var final = state
      var tail = buffer.paddedTail
      // RFC 1321, 3.2: the length is in the same place as in SHA-1, but low byte first.
      if tail.blockCount == 1 {
        tail.storage.0.3[1] = tail.storage.0.3[1].byteSwapped
      } else {
        tail.storage.1.3[1] = tail.storage.1.3[1].byteSwapped
      }
      // Safety: the tail has blockCount blocks.
      unsafe tail.withBlocks { unsafe final.compress($0, tail.blockCount) }
      return Digest(final)
    }

    /// An MD5 digest: 16 bytes.
    public struct Digest: HashDigest {
      /// The digest size in bytes: 16.
      public static var byteCount: Int { 16 }

      /// The bytes in memory order, always accessed like those of `SHA256.Digest`.
      var storage: (UInt32, UInt32, UInt32, UInt32)

      /// RFC 1321, 3.5: the words of the state, each low byte first.
      init(_ state: State) {
        storage = (
          state.a.littleEndian, state.b.littleEndian, state.c.littleEndian, state.d.littleEndian
        )
      }

      /// The byte at a position from 0 to 15. (The Swift 6.3 compiler crashes if it takes the
      /// subscript of another module's protocol.)
      public subscript(position: Int) -> UInt8 {
        Swift.precondition(position >= 0 && position < 16, "the index must be 0 to 15")
        // Safety: the line above checks the position.
        return unsafe withUnsafeBytes { unsafe $0[position] }
      }

      /// Calls `body` with the 16 bytes.
      public func withUnsafeBytes<Result, Failure: Swift.Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
      ) throws(Failure) -> Result {
        try unsafe Swift.withUnsafeBytes(of: self, body)
      }
    }
  }
}

extension Insecure.MD5.Digest: CustomStringConvertible {
  /// The name of the hash function and the digest in hexadecimal, as CryptoKit prints them.
  public var description: String { "MD5 digest: " + hexString }
}

extension Insecure.MD5: Redacted {
  /// The kind of computation, never its state. The message may be secret.
  public var description: String { "MD5 computation" }
}

extension Insecure.MD5 {
  /// The four words of RFC 1321, 3.3.
  struct State: Sendable, BitwiseCopyable {
    var a: UInt32
    var b: UInt32
    var c: UInt32
    var d: UInt32

    static var initial: State {
      State(a: 0x6745_2301, b: 0xefcd_ab89, c: 0x98ba_dcfe, d: 0x1032_5476)
    }

    /// RFC 1321, 3.4: compresses `blockCount` blocks of 64 bytes.
    mutating func compress(_ blocks: UnsafeRawPointer, _ blockCount: Int) {
      var state = self
      // Safety: the table has 64 entries, and there are 64 * blockCount bytes.
      unsafe Insecure.MD5.table.withUnsafeBufferPointer { table in
        for block in 0..<blockCount {
          let x = unsafe Words(start: blocks + block * 64)
          let before = state
          // Each round: its function, the word order, and its four rotations.
          unsafe state.round(x, table, 0, (1, 0), (7, 12, 17, 22)) { (($1 ^ $2) & $0) ^ $2 }
          unsafe state.round(x, table, 16, (5, 1), (5, 9, 14, 20)) { ($0 & $2) &+ ($1 & ~$2) }
          unsafe state.round(x, table, 32, (3, 5), (4, 11, 16, 23)) { $0 ^ $1 ^ $2 }
          unsafe state.round(x, table, 48, (7, 0), (6, 10, 15, 21)) { $1 ^ ($0 | ~$2) }
          state.add(before)
        }
      }
      self = state
    }

    /// The sixteen steps of a round, four at a time, after which the variables have their old names
    /// again. Step i uses the word `order.0` * i + `order.1`, modulo 16.
    @inline(__always)
    mutating func round(
      _ x: Words, _ table: UnsafeBufferPointer<UInt32>, _ first: Int, _ order: (Int, Int),
      _ shifts: (UInt32, UInt32, UInt32, UInt32), _ f: (UInt32, UInt32, UInt32) -> UInt32
    ) {
      var i = 0
      var k = order.1
      while i < 16 {
        // Safety: first + i + 3 < 64, the size of the table.
        unsafe step(f(b, c, d), x[k] &+ table[first &+ i], shifts.0)
        unsafe step(f(b, c, d), x[k &+ order.0] &+ table[first &+ i &+ 1], shifts.1)
        unsafe step(f(b, c, d), x[k &+ 2 &* order.0] &+ table[first &+ i &+ 2], shifts.2)
        unsafe step(f(b, c, d), x[k &+ 3 &* order.0] &+ table[first &+ i &+ 3], shifts.3)
        i &+= 4
        k &+= 4 &* order.0
      }
    }

    /// a = b + ((a + f(b, c, d) + X[k] + T[i]) <<< s), and each variable takes the name of the next
    /// one.
    @inline(__always)
    mutating func step(_ f: UInt32, _ wordPlusConstant: UInt32, _ shift: UInt32) {
      let sum = a &+ wordPlusConstant &+ f
      let next = b &+ ((sum &<< shift) | (sum &>> (32 &- shift)))
      (a, d, c, b) = (d, c, b, next)
    }

    @inline(__always)
    mutating func add(_ other: State) {
      (a, b) = (a &+ other.a, b &+ other.b)
      (c, d) = (c &+ other.c, d &+ other.d)
    }
  }

  /// X: the sixteen words of a block.
  @safe
  struct Words {
    let start: UnsafeRawPointer

    /// Returns a word by its index modulo 16.
    @inline(__always)
    subscript(index: Int) -> UInt32 {
      // Safety: a block is 16 words of 4 bytes.
      unsafe UInt32(
        littleEndian: start.loadUnaligned(fromByteOffset: (index & 15) &* 4, as: UInt32.self))
    }
  }

  /// T: the first 32 bits after the binary point of |sin(i)|, i = 1 to 64 in radians.
  static let table: [UInt32] = [
    // RFC 1321, 3.4
    0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee,
    0xf57c_0faf, 0x4787_c62a, 0xa830_4613, 0xfd46_9501,
    0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be,
    0x6b90_1122, 0xfd98_7193, 0xa679_438e, 0x49b4_0821,
    0xf61e_2562, 0xc040_b340, 0x265e_5a51, 0xe9b6_c7aa,
    0xd62f_105d, 0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8,
    0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed,
    0xa9e3_e905, 0xfcef_a3f8, 0x676f_02d9, 0x8d2a_4c8a,
    0xfffa_3942, 0x8771_f681, 0x6d9d_6122, 0xfde5_380c,
    0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70,
    0x289b_7ec6, 0xeaa1_27fa, 0xd4ef_3085, 0x0488_1d05,
    0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665,
    0xf429_2244, 0x432a_ff97, 0xab94_23a7, 0xfc93_a039,
    0x655b_59c3, 0x8f0c_cc92, 0xffef_f47d, 0x8584_5dd1,
    0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1,
    0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb, 0xeb86_d391,
  ]
}
