// SPDX-License-Identifier: Apache-2.0
// The room of broken hash functions: what they have in common.

/// Hash functions that are broken, spelled as in CryptoKit: for formats which ask for them, such as
/// `Content-MD5` and the checksums of Amazon S3, and never to protect anything.
public enum Insecure {
  /// The output of a broken hash function: a fixed number of bytes.
  ///
  /// As with every collection, an index outside of its bytes is a mistake of the program, which
  /// it stops.
  public protocol Digest: RandomAccessCollection, Hashable, Sendable, BitwiseCopyable
  where Element == UInt8, Index == Int, SubSequence == Slice<Self>, Indices == Range<Int> {
    /// The size of a digest in bytes.
    static var byteCount: Int { get }

    /// Calls `body` with the bytes.
    func withUnsafeBytes<Result, Failure: Swift.Error>(
      _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result
  }

  /// What waits for its block of 64 bytes to become full, and how long the message is.
  struct BlockBuffer: Sendable, BitwiseCopyable {
    var pending: SHA256.Block = (0, 0, 0, 0, 0, 0, 0, 0)
    var messageByteCount: UInt64 = 0

    /// The last bytes of the message, padded as FIPS 180-4, 5.1.1 wants it.
    var paddedTail: SHA256.PaddedTail {
      // Safety: fewer than 64 bytes are pending, and they live as long as the closure runs.
      unsafe withUnsafeBytes(of: pending) { bytes in
        unsafe SHA256.PaddedTail(
          bytes.baseAddress, pendingByteCount, messageByteCount: messageByteCount)
      }
    }

    var pendingByteCount: Int { Int(truncatingIfNeeded: messageByteCount & 63) }

    /// Appends bytes to the message, and calls `compress` with whole blocks and their number.
    @inline(__always)
    mutating func append(
      _ bytes: UnsafeRawBufferPointer, _ compress: (UnsafeRawPointer, Int) -> Void
    ) {
      guard let start = bytes.baseAddress else { return }
      var position = 0
      let pendingCount = pendingByteCount
      messageByteCount &+= UInt64(truncatingIfNeeded: bytes.count)

      // Safety: every copy and compression stays below bytes.count and within the block.
      if pendingCount > 0 {
        position = Swift.min(64 &- pendingCount, bytes.count)
        unsafe fill(from: pendingCount, start, position)
        if pendingCount &+ position < 64 { return }
        unsafe withUnsafeBytes(of: pending) { block in
          if let block = block.baseAddress { unsafe compress(block, 1) }
        }
      }
      let wholeBlocks = (bytes.count &- position) / 64
      if wholeBlocks > 0 {
        unsafe compress(start + position, wholeBlocks)
        position &+= wholeBlocks &* 64
      }
      unsafe fill(from: 0, start + position, bytes.count &- position)
    }

    mutating func fill(from offset: Int, _ bytes: UnsafeRawPointer, _ count: Int) {
      // Safety: offset + count <= 64, the size of `pending`.
      unsafe withUnsafeMutableBytes(of: &pending) { block in
        let free = unsafe UnsafeMutableRawBufferPointer(rebasing: block[offset...])
        unsafe free.copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: count))
      }
    }
  }
}

extension Insecure.Digest {
  /// The digest in lowercase hexadecimal digits.
  public var hexadecimal: String { Hexadecimal.encode(self) }

  /// The position of the first byte: 0.
  public var startIndex: Int { 0 }

  /// The position after the last byte.
  public var endIndex: Int { Self.byteCount }

  /// The byte at a position from 0 on and below the size.
  public subscript(position: Int) -> UInt8 {
    Swift.precondition(
      position >= 0 && position < Self.byteCount, "the position is none of the digest's bytes")
    // Safety: the position was checked in the line above.
    return unsafe withUnsafeBytes { unsafe $0[position] }
  }

  /// Whether two digests are equal, in constant time.
  public static func == (left: Self, right: Self) -> Bool {
    ConstantTime.equal(left, right)
  }

  /// Whether a digest has the same bytes as a collection, in constant time for the same size.
  public static func == (left: Self, right: some Collection<UInt8>) -> Bool {
    ConstantTime.equal(left, right)
  }

  /// Feeds the bytes to a hasher.
  public func hash(into hasher: inout Hasher) {
    // Safety: the bytes are read inside the closure.
    unsafe withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }
}
