// SPDX-License-Identifier: Apache-2.0
// CRC-32, the check of zlib, Ethernet and event streams.

/// CRC-32 of ISO 3309, ITU-T V.42 and RFC 1952: a checksum of 32 bits.
///
/// It is the check of zlib, PNG and the framing of AWS event streams, and `x-amz-checksum-crc32` of
/// Amazon S3.
///
/// A value can be copied in mid-stream, and ``finalize()`` leaves the state as it is.
public struct CRC32: CyclicRedundancyCheck {
  var register: UInt64
  let implementation: Implementation

  /// Starts an empty message.
  public init() {
    self.init(implementation: .current)
  }

  /// Starts an empty message whose checksum is to be computed by a certain implementation.
  public init(implementation: Implementation) {
    register = UInt64(UInt32.max)
    self.implementation = implementation
  }

  /// Appends bytes to the message.
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
    // Safety: handed on as it came.
    register = unsafe implementation.update(register, bufferPointer, .ieee)
  }

  /// The checksum of the message so far. The state stays as it is and can be continued.
  public func finalize() -> UInt32 {
    ~UInt32(truncatingIfNeeded: register)
  }

  /// The checksum of two messages one after the other, from their checksums and the size of the
  /// second in bytes.
  public static func combine(
    _ first: UInt32, _ second: UInt32, secondByteCount: UInt64
  ) -> UInt32 {
    let checksum = CRC32.Polynomial.ieee.combine(
      UInt64(first), UInt64(second), secondByteCount: secondByteCount)
    return UInt32(truncatingIfNeeded: checksum)
  }
}
