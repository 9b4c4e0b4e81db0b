// SPDX-License-Identifier: Apache-2.0
// One message among several that are hashed side by side: its state, and the blocks that come next.

nonisolated extension SHA256 {
  /// A message on its way through the compression function.
  @safe
  struct Lane {
    var state: State
    var blocks: UnsafeRawPointer?
    var blockCount: Int

    let rest: UnsafeRawPointer?
    let restCount: Int
    let messageByteCount: UInt64

    /// Continues a message that ends with a whole block. The bytes have to outlive the lane.
    @inline(__always)
    init(_ start: SHA256, _ bytes: UnsafeRawBufferPointer) {
      // Safety: the caller keeps the bytes alive; wholeBlocks * 64 is at most their count.
      let count = bytes.count
      // A short message goes with its padding through one call.
      let wholeBlocks = count > PaddedTail.capacity ? count / 64 : 0
      state = start.state
      unsafe blocks = bytes.baseAddress
      blockCount = wholeBlocks
      unsafe rest = bytes.baseAddress.map { unsafe $0 + wholeBlocks &* 64 }
      restCount = count &- wholeBlocks &* 64
      messageByteCount = start.messageByteCount &+ UInt64(truncatingIfNeeded: count)
    }

    /// The blocks that come after those of the message itself.
    @inline(__always)
    func tail() -> PaddedTail {
      // Safety: the rest is what the tail takes.
      unsafe PaddedTail(rest, restCount, messageByteCount: messageByteCount)
    }

    /// What comes next.
    @inline(__always)
    mutating func set(_ blocks: UnsafeRawPointer, _ blockCount: Int) {
      // Safety: handed on as it came.
      unsafe self.blocks = blocks
      self.blockCount = blockCount
    }

    /// Compresses all blocks: those in common side by side, what is more in one lane alone.
    @inline(__always)
    static func compress(
      _ first: inout Lane, _ second: inout Lane, _ implementation: Implementation
    ) {
      // Safety: each lane has at least `common` blocks.
      let common = min(first.blockCount, second.blockCount)
      if common > 0, let blocks = unsafe first.blocks, let otherBlocks = unsafe second.blocks {
        unsafe SHA256.compressPair(
          &first.state, blocks, &second.state, otherBlocks, common, implementation)
        unsafe first.set(blocks + common &* 64, first.blockCount &- common)
        unsafe second.set(otherBlocks + common &* 64, second.blockCount &- common)
      }
      first.compressAlone(implementation)
      second.compressAlone(implementation)
    }

    @inline(__always)
    mutating func compressAlone(_ implementation: Implementation) {
      // Safety: there are so many blocks.
      guard blockCount > 0, let blocks = unsafe blocks else { return }
      unsafe SHA256.compress(&state, blocks, blockCount, implementation)
    }
  }
}
