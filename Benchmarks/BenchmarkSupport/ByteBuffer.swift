// SPDX-License-Identifier: Apache-2.0
// Memory that stays where it is while functions of C and Swift read and write it.

/// Bytes at a fixed place, which begins a cache line.
@safe
public final class ByteBuffer {
  /// All of the bytes, while the buffer lives.
  public let bytes: UnsafeMutableRawBufferPointer

  /// Where the bytes begin, while the buffer lives.
  public let start: UnsafeMutableRawPointer

  /// How many bytes there are.
  public let byteCount: Int

  /// Zeros, in memory of at least one byte.
  public init(byteCount: Int) {
    self.byteCount = byteCount
    // Safety: the deinitializer frees the memory.
    unsafe start = .allocate(byteCount: max(byteCount, 1), alignment: 64)
    unsafe bytes = UnsafeMutableRawBufferPointer(start: start, count: byteCount)
    unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0)
  }

  /// A copy of other bytes.
  public convenience init(_ contents: some Collection<UInt8>) {
    self.init(byteCount: contents.count)
    // Safety: there is a byte of memory for each.
    unsafe bytes.copyBytes(from: contents)
  }

  deinit {
    // Safety: the memory has no other holder any more.
    unsafe start.deallocate()
  }

  /// A copy.
  public var array: [UInt8] {
    // Safety: the bytes are copied at once.
    unsafe Array(bytes)
  }
}
