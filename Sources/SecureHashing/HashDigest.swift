// SPDX-License-Identifier: Apache-2.0
// Digests as values: the parts that several hash functions share.

/// The fixed-size output of a hash function.
///
/// Digests are compared in constant time. As with every collection, an index out of range is a
/// programming error and traps.
public protocol HashDigest: RandomAccessCollection, Hashable, Sendable, BitwiseCopyable
where Element == UInt8, Index == Int, SubSequence == Slice<Self>, Indices == Range<Int> {
  /// The digest size in bytes.
  static var byteCount: Int { get }

  /// Calls `body` with the bytes.
  func withUnsafeBytes<Result, Failure: Swift.Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result
}

extension HashDigest {
  /// The digest as a lowercase hexadecimal string.
  public var hexString: String { Hexadecimal.encode(self) }

  /// The position of the first byte: 0.
  public var startIndex: Int { 0 }

  /// The position after the last byte.
  public var endIndex: Int { Self.byteCount }

  /// The byte at a position, from 0 to the size minus 1.
  public subscript(position: Int) -> UInt8 {
    Swift.precondition(
      position >= 0 && position < Self.byteCount, "the index is out of range")
    // Safety: the line above checks the position.
    return unsafe withUnsafeBytes { unsafe $0[position] }
  }

  /// Compares two digests in constant time.
  public static func == (left: Self, right: Self) -> Bool {
    ConstantTime.equal(left, right)
  }

  /// Whether a digest has the same bytes as a collection, in constant time for the same size.
  public static func == (left: Self, right: some Collection<UInt8>) -> Bool {
    ConstantTime.equal(left, right)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    unsafe withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }
}

extension HashDigest {
  /// Calls `body` with the bytes, which are always contiguous.
  public func withContiguousStorageIfAvailable<Result, Failure: Swift.Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    // Safety: bytes can be read as UInt8, and the digest outlives the closure.
    try unsafe withUnsafeBytes { bytes throws(Failure) in
      try unsafe bytes.withMemoryRebound(to: UInt8.self, body)
    }
  }
}
