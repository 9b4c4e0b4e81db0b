// SPDX-License-Identifier: Apache-2.0
// Digests as values: what those of several hash functions have in common.

/// The output of a hash function: a fixed number of bytes.
///
/// Two digests are compared in constant time. As with every collection, an index outside of its bytes is a
/// mistake of the program, which it stops.
public protocol HashDigest: RandomAccessCollection, Hashable, Sendable, BitwiseCopyable
where Element == UInt8, Index == Int, SubSequence == Slice<Self>, Indices == Range<Int> {
  /// The size of a digest in bytes.
  static var byteCount: Int { get }

  /// Calls `body` with the bytes.
  func withUnsafeBytes<Result, Failure: Swift.Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result
}

extension HashDigest {
  /// The digest in lowercase hexadecimal digits.
  public var hexString: String { Hexadecimal.encode(self) }

  /// The position of the first byte: 0.
  public var startIndex: Int { 0 }

  /// The position after the last byte.
  public var endIndex: Int { Self.byteCount }

  /// The byte at a position from 0 on and below the size.
  public subscript(position: Int) -> UInt8 {
    Swift.precondition(
      position >= 0 && position < Self.byteCount, "the position is outside of the digest")
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
    unsafe withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }
}

extension HashDigest {
  /// Calls `body` with the bytes; they are always contiguous.
  public func withContiguousStorageIfAvailable<Result, Failure: Swift.Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    // Safety: bytes may be read as UInt8, and the digest lives as long as the closure runs.
    try unsafe withUnsafeBytes { bytes throws(Failure) in
      try unsafe bytes.withMemoryRebound(to: UInt8.self, body)
    }
  }
}
