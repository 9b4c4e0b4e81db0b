// SPDX-License-Identifier: Apache-2.0
// The end of a message: its last bytes, the padding and the length, as one or two blocks.

nonisolated extension SHA256 {
  /// The last bytes of a message with the padding of FIPS 180-4, 5.1.1: one or two blocks.
  struct PaddedTail {
    /// The most bytes that fit: 128 without the one bit and the length.
    static var capacity: Int { 119 }

    /// 128 bytes, in the order of memory.
    var storage: (Block, Block)

    /// How many blocks are filled: 1 or 2.
    let blockCount: Int

    /// Copies up to 119 bytes; the whole message has `messageByteCount` bytes.
    @inline(__always)
    init(_ bytes: UnsafeRawPointer?, _ count: Int, messageByteCount: UInt64) {
      storage = ((0, 0, 0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0, 0, 0))
      blockCount = count < 56 ? 1 : 2
      // Safety: count <= 119, and the storage has 128 bytes.
      unsafe withUnsafeMutableBytes(of: &storage) { block in
        unsafe block.copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: count))
        unsafe block[count] = 0x80
      }
      let bitCount = (messageByteCount &<< 3).bigEndian
      if blockCount == 1 { storage.0.7 = bitCount } else { storage.1.7 = bitCount }
    }

    /// Calls `body` with the blocks.
    @inline(__always)
    func withBlocks(_ body: (UnsafeRawPointer) -> Void) {
      // Safety: the storage lives as long as the closure runs.
      unsafe withUnsafeBytes(of: storage) { blocks in
        if let start = blocks.baseAddress { unsafe body(start) }
      }
    }
  }
}
