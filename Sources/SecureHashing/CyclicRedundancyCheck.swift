// SPDX-License-Identifier: Apache-2.0
// What the cyclic redundancy checks of this room have in common, and the doors of their bytes.

/// A cyclic redundancy check: it finds accidents of storage and transport, never an attack.
///
/// A conforming type is a plain value: copying it in mid-stream gives two independent computations,
/// and taking the checksum does not consume the state. Nothing is allocated for a message.
public protocol CyclicRedundancyCheck: BitwiseCopyable, Sendable {
  /// The output: an unsigned number of fixed width.
  associatedtype Checksum: FixedWidthInteger & UnsignedInteger & BitwiseCopyable & Sendable

  /// Starts an empty message.
  init()

  /// Appends bytes to the message.
  mutating func update(bufferPointer: UnsafeRawBufferPointer)

  /// The checksum of the message so far. The state stays as it is and can be continued.
  func finalize() -> Checksum

  /// The checksum of two messages one after the other, from their checksums and the size of the
  /// second in bytes, in time proportional to the logarithm of that size.
  ///
  /// So the parts of a multipart upload give the checksum of the whole object (the full-object form
  /// of Amazon S3), in whatever order they were computed.
  static func combine(
    _ first: Checksum, _ second: Checksum, secondByteCount: UInt64
  ) -> Checksum
}

extension CyclicRedundancyCheck {
  /// The checksum of a whole message.
  ///
  /// Contiguous collections (`[UInt8]`, `ArraySlice`, `String.utf8`, `Data`) are not copied.
  @inlinable
  public static func checksum(of data: some Collection<UInt8>) -> Checksum {
    var check = Self()
    check.update(data: data)
    return check.finalize()
  }

  /// The checksum of a whole message.
  @inlinable
  public static func checksum(of data: Swift.Span<UInt8>) -> Checksum {
    var check = Self()
    check.update(data: data)
    return check.finalize()
  }

  /// The bytes of a checksum, the highest first: 4 or 8.
  public static func bigEndianBytes(of checksum: Checksum) -> [UInt8] {
    let highest = Checksum.bitWidth &- 8
    return Swift.stride(from: highest, through: 0, by: -8).map { shift in
      UInt8(truncatingIfNeeded: checksum &>> Checksum(truncatingIfNeeded: shift))
    }
  }

  /// The text of a checksum as Amazon S3 reads and writes it in headers and in trailers: its bytes,
  /// the highest first, in base64.
  ///
  /// Source: Amazon S3 User Guide, "Checking object integrity in Amazon S3".
  public static func base64(of checksum: Checksum) -> String {
    Base64.encode(bigEndianBytes(of: checksum))
  }

  /// Appends bytes to the message.
  ///
  /// Contiguous collections are not copied; others pass through a buffer of 256 bytes.
  @inlinable
  public mutating func update(data: some Collection<UInt8>) {
    // Safety: the buffer is used only inside the closure.
    let contiguous: Void? = data.withContiguousStorageIfAvailable {
      unsafe update(bufferPointer: UnsafeRawBufferPointer($0))
    }
    if contiguous == nil { updateInPortions(data: data) }
  }

  /// Appends bytes to the message.
  @inlinable
  public mutating func update(data: Swift.Span<UInt8>) {
    // Safety: the span outlives the closure.
    unsafe data.withUnsafeBytes { unsafe update(bufferPointer: $0) }
  }

  @inlinable
  mutating func updateInPortions(data: some Collection<UInt8>) {
    // Safety: `filled` is below 256, the size of the portion, at every write.
    unsafe withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { portion in
      var filled = 0
      for byte in data {
        unsafe portion[filled] = byte
        filled &+= 1
        if filled == 256 {
          unsafe update(bufferPointer: UnsafeRawBufferPointer(portion))
          filled = 0
        }
      }
      unsafe update(bufferPointer: UnsafeRawBufferPointer(rebasing: portion[..<filled]))
    }
  }
}
