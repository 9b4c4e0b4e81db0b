// SPDX-License-Identifier: Apache-2.0
// The end of a message: its last bytes, the padding and the length, as one or two blocks.

nonisolated extension SHA256 {
  /// The last bytes of a message with the padding of FIPS 180-4, 5.1.1: one or two blocks.
  ///
  /// It is put together in registers and stored in whole vectors: a kernel that loads a vector which
  /// was stored in pieces has to wait until all of them have reached the cache.
  struct PaddedTail {
    typealias Vectors = (SIMD2<UInt64>, SIMD2<UInt64>, SIMD2<UInt64>, SIMD2<UInt64>)

    /// 128 bytes, in the order of memory.
    var storage: (Vectors, Vectors)

    /// How many blocks are filled: 1 or 2.
    let blockCount: Int

    /// Takes up to 63 bytes, the last ones of a message of `messageByteCount` bytes.
    @inline(__always)
    init(_ bytes: UnsafeRawPointer?, _ count: Int, messageByteCount: UInt64) {
      // Safety: there are `count` bytes.
      let rest = unsafe Rest(bytes: bytes, count: count)
      let length = (messageByteCount &<< 3).bigEndian
      blockCount = count < 56 ? 1 : 2
      storage.0.0 = SIMD2(rest.word(0), rest.word(1))
      storage.0.1 = SIMD2(rest.word(2), rest.word(3))
      storage.0.2 = SIMD2(rest.word(4), rest.word(5))
      storage.0.3 = SIMD2(rest.word(6), blockCount == 1 ? length : rest.word(7))
      storage.1 = (.zero, .zero, .zero, SIMD2(0, length))
    }

    /// Takes the end of a message, after its whole blocks; `byteCount` bytes of it came earlier.
    @inline(__always)
    init(endOf bytes: UnsafeRawBufferPointer, afterByteCount byteCount: UInt64) {
      let count = bytes.count
      // Safety: the last count % 64 bytes begin there.
      let rest = unsafe bytes.baseAddress.map { unsafe $0 + count / 64 &* 64 }
      unsafe self.init(
        rest, count & 63, messageByteCount: byteCount &+ UInt64(truncatingIfNeeded: count))
    }

    /// Calls `body` with the blocks.
    @inline(__always)
    func withBlocks(_ body: (UnsafeRawPointer) -> Void) {
      // Safety: the storage lives as long as the closure runs.
      unsafe withUnsafeBytes(of: storage) { blocks in
        if let start = blocks.baseAddress { unsafe body(start) }
      }
    }

    /// Fewer than 64 bytes, read as words of 8 bytes in the order of memory, with the one bit of the
    /// padding and zeros after them.
    @safe
    struct Rest {
      let bytes: UnsafeRawPointer?
      let count: Int

      @inline(__always)
      func word(_ index: Int) -> UInt64 {
        // Safety: 8 bytes from here on are among the `count`, or the last ones are read.
        let left = count &- index &* 8
        guard left > 0, let bytes = unsafe bytes else { return left == 0 ? 0x80 : 0 }
        if left >= 8 {
          return unsafe bytes.loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self)
            .littleEndian
        }
        return unsafe lastBytes(bytes, left) | 0x80 &<< UInt64(left &* 8)
      }

      /// The last 1 to 7 bytes, low bytes first.
      @inline(__always)
      func lastBytes(_ bytes: UnsafeRawPointer, _ left: Int) -> UInt64 {
        // Safety: with 8 bytes or more the last 8 are read, with fewer each byte.
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
