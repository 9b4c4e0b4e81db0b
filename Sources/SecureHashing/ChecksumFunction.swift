// SPDX-License-Identifier: Apache-2.0
// What the checksums have in common, and the forms in which they take bytes.

/// A checksum: it detects accidental errors of storage and transport, and offers no protection against an
/// attacker. For that, use a ``HashFunction``.
///
///     var check = XXHash3Checksum()
///     while let portion = try file.read() { check.update(data: portion) }
///     let header = XXHash3Checksum.base64(of: check.finalize())
///
/// A conforming type is a plain value: copying it in mid-stream gives two independent computations, and
/// taking the checksum does not consume the state. Nothing is allocated for a message.
public protocol ChecksumFunction: BitwiseCopyable, Sendable {
  /// The output, such as `UInt32`.
  associatedtype Checksum: Hashable, BitwiseCopyable, Sendable

  /// Starts an empty message.
  init()

  /// Appends bytes to the message.
  mutating func update(bufferPointer: UnsafeRawBufferPointer)

  /// The checksum of the message so far. The state stays as it is and can be continued.
  func finalize() -> Checksum

  /// The checksum of a whole message.
  static func checksum(bufferPointer: UnsafeRawBufferPointer) -> Checksum

  /// The bytes of a checksum, the highest first.
  static func bigEndianBytes(of checksum: Checksum) -> [UInt8]
}

extension ChecksumFunction {
  /// Appends bytes to the message.
  ///
  /// Contiguous collections are not copied; others pass through a buffer of 256 bytes.
  @inlinable
  public mutating func update(data: some Collection<UInt8>) {
    unsafe withPortions(of: data) { unsafe update(bufferPointer: $0) }
  }

  /// Appends bytes to the message.
  @inlinable
  public mutating func update(data: Swift.Span<UInt8>) {
    unsafe data.withUnsafeBytes { unsafe update(bufferPointer: $0) }
  }

  /// The checksum of a whole message.
  ///
  /// Contiguous collections (`[UInt8]`, `ArraySlice`, `String.utf8`, `Data`) are not copied.
  @inlinable
  public static func checksum(of data: some Collection<UInt8>) -> Checksum {
    let sum = data.withContiguousStorageIfAvailable {
      unsafe Self.checksum(bufferPointer: UnsafeRawBufferPointer($0))
    }
    if let sum { return sum }
    var check = Self()
    check.update(data: data)
    return check.finalize()
  }

  /// The checksum of a whole message.
  @inlinable
  public static func checksum(of data: Swift.Span<UInt8>) -> Checksum {
    unsafe data.withUnsafeBytes { unsafe checksum(bufferPointer: $0) }
  }

  /// The checksum of a whole message.
  @inlinable
  public static func checksum(bufferPointer: UnsafeRawBufferPointer) -> Checksum {
    var check = Self()
    unsafe check.update(bufferPointer: bufferPointer)
    return check.finalize()
  }

  /// The text of a checksum as Amazon S3 reads and writes it in headers and in trailers: its bytes,
  /// the highest first, in base64.
  ///
  /// Source: Amazon S3 User Guide, "Checking object integrity in Amazon S3".
  public static func base64(of checksum: Checksum) -> String {
    Base64.encode(bigEndianBytes(of: checksum))
  }
}

extension ChecksumFunction where Checksum: FixedWidthInteger {
  /// The bytes of a checksum, the highest first: 4 or 8.
  public static func bigEndianBytes(of checksum: Checksum) -> [UInt8] {
    Swift.stride(from: Checksum.bitWidth - 8, through: 0, by: -8).map { shift in
      UInt8(truncatingIfNeeded: checksum >> shift)
    }
  }
}
