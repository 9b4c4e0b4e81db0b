// SPDX-License-Identifier: Apache-2.0
// The interface that all checksums share, and the ways to pass them bytes.

public import SecureHashing

/// A checksum, which detects accidental storage and transmission errors.
///
/// It doesn't protect against attackers. For that, use SHA-256 in the module `SecureHashing`.
///
///     var check = XXHash3Checksum()
///     while let buffer = try file.read() { check.update(data: buffer) }
///     let header = XXHash3Checksum.base64(of: check.finalize())
///
/// A conforming type is a plain value: a copy made mid-stream is an independent computation, and
/// finalizing doesn't consume the state. Messages are processed without allocating memory.
public protocol ChecksumFunction: BitwiseCopyable, Sendable {
  /// The type of the checksum, such as `UInt32`.
  associatedtype Checksum: Hashable, BitwiseCopyable, Sendable

  /// Creates a computation with an empty message.
  init()

  /// Appends bytes to the message.
  mutating func update(bufferPointer: UnsafeRawBufferPointer)

  /// Returns the checksum of the message so far. You can keep updating it afterward.
  func finalize() -> Checksum

  /// Computes the checksum of a whole message.
  static func checksum(bufferPointer: UnsafeRawBufferPointer) -> Checksum

  /// Returns the bytes of a checksum, most significant first.
  static func bigEndianBytes(of checksum: Checksum) -> [UInt8]
}

extension ChecksumFunction {
  /// Appends bytes to the message.
  ///
  /// Contiguous collections aren't copied. Others are copied through a 256-byte buffer.
  @inlinable
  public mutating func update(data: some Collection<UInt8>) {
    unsafe withPortions(of: data) { unsafe update(bufferPointer: $0) }
  }

  /// Appends bytes to the message.
  @inlinable
  public mutating func update(data: Swift.Span<UInt8>) {
    unsafe data.withUnsafeBytes { unsafe update(bufferPointer: $0) }
  }

  /// Computes the checksum of a whole message.
  ///
  /// Contiguous collections (`[UInt8]`, `ArraySlice`, `String.utf8`, `Data`) aren't copied.
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

  /// Computes the checksum of a whole message.
  @inlinable
  public static func checksum(of data: Swift.Span<UInt8>) -> Checksum {
    unsafe data.withUnsafeBytes { unsafe checksum(bufferPointer: $0) }
  }

  /// Computes the checksum of a whole message.
  @inlinable
  public static func checksum(bufferPointer: UnsafeRawBufferPointer) -> Checksum {
    var check = Self()
    unsafe check.update(bufferPointer: bufferPointer)
    return check.finalize()
  }

  /// Returns a checksum as Amazon S3 writes it in headers and trailers: its bytes, most significant
  /// first, in base64.
  ///
  /// Source: Amazon S3 User Guide, "Checking object integrity in Amazon S3".
  public static func base64(of checksum: Checksum) -> String {
    Base64.encode(bigEndianBytes(of: checksum))
  }
}

extension ChecksumFunction where Checksum: FixedWidthInteger {
  /// Returns the 4 or 8 bytes of a checksum, most significant first.
  public static func bigEndianBytes(of checksum: Checksum) -> [UInt8] {
    Swift.stride(from: Checksum.bitWidth - 8, through: 0, by: -8).map { shift in
      UInt8(truncatingIfNeeded: checksum >> shift)
    }
  }
}
