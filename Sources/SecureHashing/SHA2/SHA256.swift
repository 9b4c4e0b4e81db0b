// SPDX-License-Identifier: Apache-2.0
// SHA-256: the block buffer, padding and length. Implementation compresses the blocks. All of it is
// in one file, because debug builds optimize file by file.

/// SHA-256 of FIPS 180-4: a 32-byte digest, 64-byte blocks.
///
/// Messages can be up to 2^61 - 1 bytes long. You can copy a value mid-stream, and ``finalize()``
/// doesn't change the state. Nothing is allocated on the heap.
public struct SHA256: HashFunction {
  /// The block size in bytes: 64.
  public static var blockByteCount: Int { 64 }

  /// The digest size in bytes: 32.
  public static var byteCount: Int { Digest.byteCount }

  /// H: eight words.
  typealias State = (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32)

  /// 64 bytes in memory order.
  package typealias Block = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  var state: State
  var buffer: BlockBuffer<Block>
  let implementation: Implementation

  /// Creates a hash function with an empty message.
  public init() {
    self.init(implementation: .current)
  }

  /// Creates a hash function that uses the given implementation.
  package init(implementation: Implementation) {
    self.init(
      resuming: Self.initialState, afterByteCount: 0, implementation: implementation)
  }

  /// Continues after a number of whole blocks.
  init(
    resuming state: State, afterByteCount byteCount: UInt64,
    implementation: Implementation = .current
  ) {
    self.state = state
    buffer = BlockBuffer(messageByteCount: byteCount)
    self.implementation = implementation
  }

  /// Appends bytes to the message.
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
    var state = state
    // Safety: the buffer passes whole blocks.
    unsafe buffer.append(bufferPointer) { unsafe Self.compress(&state, $0, $1, implementation) }
    self.state = state
  }

  /// Returns the digest of the message so far. You can keep updating it afterward.
  public func finalize() -> Digest {
    let count = buffer.pendingByteCount
    // Safety: fewer than 64 bytes are pending, and they outlive the closure.
    return unsafe withUnsafeBytes(of: buffer.pending) { bytes in
      unsafe Self.finish(
        state, UnsafeRawBufferPointer(start: bytes.baseAddress, count: count),
        afterByteCount: buffer.messageByteCount &- UInt64(truncatingIfNeeded: count),
        implementation)
    }
  }

  /// Returns the digest of the message so far followed by these bytes. The state doesn't change.
  public func finalize(appending bufferPointer: UnsafeRawBufferPointer) -> Digest {
    if buffer.pendingByteCount > 0 {
      var function = self
      unsafe function.update(bufferPointer: bufferPointer)
      return function.finalize()
    }
    return unsafe Self.finish(
      state, bufferPointer, afterByteCount: buffer.messageByteCount, implementation)
  }

  /// Hashes a whole message.
  public static func hash(bufferPointer: UnsafeRawBufferPointer) -> Digest {
    unsafe finish(initialState, bufferPointer, afterByteCount: 0, .current)
  }

  // MARK: - Helpers

  /// Compresses the end of a message that follows whole blocks.
  #if hasFeature(Embedded)
    @inline(never)
  #else
    @inline(__always)
  #endif
  static func finish(
    _ start: State, _ bytes: UnsafeRawBufferPointer, afterByteCount byteCount: UInt64,
    _ implementation: Implementation
  ) -> Digest {
    var state = start
    // Safety: there are `blockCount` whole blocks, and the tail has `tail.blockCount`.
    let tail = unsafe PaddedTail(endOf: bytes, afterByteCount: byteCount)
    unsafe tail.withBlocks { tailBlocks in
      unsafe compress(
        &state, bytes.baseAddress ?? tailBlocks, bytes.count / 64,
        tail: tailBlocks, tail.blockCount, implementation)
    }
    return Digest(state: state)
  }

  @inline(__always)
  static func compress(
    _ state: inout State, _ blocks: UnsafeRawPointer, _ blockCount: Int,
    _ implementation: Implementation
  ) {
    // Safety: no blocks are read from the tail.
    unsafe compress(&state, blocks, blockCount, tail: blocks, 0, implementation)
  }

  @inline(__always)
  static func compress(
    _ state: inout State, _ blocks: UnsafeRawPointer, _ blockCount: Int,
    tail: UnsafeRawPointer, _ tailBlockCount: Int, _ implementation: Implementation
  ) {
    // Safety: a state is 8 consecutive words.
    unsafe withUnsafeMutablePointer(to: &state) { state in
      unsafe state.withMemoryRebound(to: UInt32.self, capacity: 8) { words in
        unsafe implementation.compress(words, blocks, blockCount, tail: tail, tailBlockCount)
      }
    }
  }
}

extension SHA256: Redacted {
  /// The kind of computation, never its state. The message may be secret.
  public var description: String { "SHA256 computation" }
}

extension SHA256 {
  /// Runs known-answer tests, for programs that must run them at startup. Returns true if this
  /// build passes.
  ///
  /// The messages are the one-block and two-block examples that NIST publishes with FIPS 180-4.
  public static func selfTest() -> Bool {
    let oneBlock = hash(data: "abc".utf8)
    let twoBlocks = hash(data: "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)
    return ConstantTime.equal(
      oneBlock.hexString.utf8,
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad".utf8)
      && ConstantTime.equal(
        twoBlocks.hexString.utf8,
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1".utf8)
  }
}

/// The pending bytes of an incomplete block, and the message length. The block size is a power of
/// two.
@frozen
@usableFromInline
package struct BlockBuffer<Block: BitwiseCopyable & Sendable>: Sendable, BitwiseCopyable {
  @usableFromInline package var pending: Block
  @usableFromInline package var messageByteCount: UInt64

  @inlinable
  package init(pending: Block, messageByteCount: UInt64) {
    self.pending = pending
    self.messageByteCount = messageByteCount
  }

  @inlinable
  @inline(__always)
  package static var blockByteCount: Int { MemoryLayout<Block>.size }

  /// The number of pending bytes, fewer than a block.
  @inlinable
  package var pendingByteCount: Int {
    Int(truncatingIfNeeded: messageByteCount) & (Self.blockByteCount &- 1)
  }

  /// Appends bytes to the message. Calls `compress` with whole blocks and their number.
  @inlinable
  @inline(__always)
  package mutating func append(
    _ bytes: UnsafeRawBufferPointer, _ compress: (UnsafeRawPointer, Int) -> Void
  ) {
    guard let start = bytes.baseAddress else { return }
    let size = Self.blockByteCount
    var position = 0
    let pendingCount = pendingByteCount
    // FIPS 180-4, 5.1.1: for SHA-256, the length is a 64-bit number of bits.
    messageByteCount &+= UInt64(truncatingIfNeeded: bytes.count)

    // Safety: every copy and compression stays below bytes.count and within the block.
    if pendingCount > 0 {
      position = Swift.min(size - pendingCount, bytes.count)
      unsafe fill(from: pendingCount, start, position)
      if pendingCount + position < size { return }
      unsafe withUnsafeBytes(of: pending) { block in
        if let block = block.baseAddress { unsafe compress(block, 1) }
      }
    }
    let wholeBlocks = (bytes.count - position) / size
    if wholeBlocks > 0 {
      unsafe compress(start + position, wholeBlocks)
      position += wholeBlocks * size
    }
    unsafe fill(from: 0, start + position, bytes.count - position)
  }

  @inlinable
  mutating func fill(from offset: Int, _ bytes: UnsafeRawPointer, _ count: Int) {
    // Safety: offset + count is at most the size of `pending`.
    unsafe withUnsafeMutableBytes(of: &pending) { block in
      let free = unsafe UnsafeMutableRawBufferPointer(rebasing: block[offset...])
      unsafe free.copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: count))
    }
  }
}

extension BlockBuffer where Block == SHA256.Block {
  package init(messageByteCount: UInt64) {
    self.init(pending: (0, 0, 0, 0, 0, 0, 0, 0), messageByteCount: messageByteCount)
  }

  /// The last bytes of the message, padded as in FIPS 180-4, 5.1.1.
  package var paddedTail: SHA256.PaddedTail {
    // Safety: fewer than 64 bytes are pending, and they outlive the closure.
    unsafe withUnsafeBytes(of: pending) { bytes in
      unsafe SHA256.PaddedTail(
        bytes.baseAddress, pendingByteCount, messageByteCount: messageByteCount)
    }
  }
}

extension SHA256 {
  /// The last bytes of a message with the padding of FIPS 180-4, 5.1.1: one or two blocks.
  ///
  /// The tail is assembled in registers and stored as whole vectors. If a kernel loads a vector
  /// that was stored in pieces, it waits until all of them have reached the cache. Inlined, this
  /// code is fast but large. In Embedded Swift, which has only the portable kernel, it's small.
  package struct PaddedTail {
    package typealias Vectors = (SIMD2<UInt64>, SIMD2<UInt64>, SIMD2<UInt64>, SIMD2<UInt64>)
    package typealias Blocks = (Vectors, Vectors)

    /// 128 bytes in memory order.
    package var storage: Blocks

    /// The number of blocks in use: 1 or 2.
    package let blockCount: Int

    /// Creates the tail from the last bytes, at most 63, of a message of `messageByteCount` bytes.
    #if !hasFeature(Embedded)
      @inline(__always)
    #endif
    init(_ bytes: UnsafeRawPointer?, _ count: Int, messageByteCount: UInt64) {
      // Safety: `bytes` holds `count` bytes.
      let rest = unsafe Rest(bytes: bytes, count: count)
      let length = (messageByteCount &<< 3).bigEndian
      blockCount = count < 56 ? 1 : 2
      storage.0.0 = SIMD2(rest.word(0), rest.word(1))
      storage.0.1 = SIMD2(rest.word(2), rest.word(3))
      storage.0.2 = SIMD2(rest.word(4), rest.word(5))
      storage.0.3 = SIMD2(rest.word(6), blockCount == 1 ? length : rest.word(7))
      storage.1 = (.zero, .zero, .zero, SIMD2(0, length))
    }

    /// Creates the tail from the end of a message, after its whole blocks. `byteCount` bytes
    /// precede `bytes`.
    @inline(__always)
    init(endOf bytes: UnsafeRawBufferPointer, afterByteCount byteCount: UInt64) {
      let count = bytes.count
      // Safety: `rest` points to the last count % 64 bytes.
      let rest = unsafe bytes.baseAddress.map { unsafe $0 + count / 64 &* 64 }
      unsafe self.init(
        rest, count & 63, messageByteCount: byteCount &+ UInt64(truncatingIfNeeded: count))
    }

    /// Calls `body` with the blocks.
    @inline(__always)
    package func withBlocks(_ body: (UnsafeRawPointer) -> Void) {
      // Safety: the storage outlives the closure.
      unsafe withUnsafeBytes(of: storage) { blocks in
        if let start = blocks.baseAddress { unsafe body(start) }
      }
    }

    /// Fewer than 64 bytes, read as 8-byte words in memory order, followed by the padding's one bit
    /// and zeros. With this few bytes, none of the sums below wraps around.
    @safe
    struct Rest {
      let bytes: UnsafeRawPointer?
      let count: Int

      #if !hasFeature(Embedded)
        @inline(__always)
      #endif
      func word(_ index: Int) -> UInt64 {
        // Safety: either the next 8 bytes are among the `count`, or only the last bytes are read.
        let left = count &- index &* 8
        guard left > 0, let bytes = unsafe bytes else { return left == 0 ? 0x80 : 0 }
        if left >= 8 {
          return unsafe bytes.loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self)
            .littleEndian
        }
        return unsafe lastBytes(bytes, left) | 0x80 &<< UInt64(left &* 8)
      }

      /// Returns the last 1 to 7 bytes, low bytes first.
      #if !hasFeature(Embedded)
        @inline(__always)
      #endif
      func lastBytes(_ bytes: UnsafeRawPointer, _ left: Int) -> UInt64 {
        // Safety: if there are 8 bytes or more, the last 8 are read. Otherwise each byte is read.
        if count >= 8 {
          let last = unsafe bytes.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
          return last.littleEndian &>> UInt64(64 &- left &* 8)
        }
        var value: UInt64 = 0
        for index in 0..<left {
          value |=
            unsafe UInt64(bytes.load(fromByteOffset: index, as: UInt8.self))
            &<< UInt64(index &* 8)
        }
        return value
      }
    }
  }
}
