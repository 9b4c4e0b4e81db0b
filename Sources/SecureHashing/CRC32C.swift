// SPDX-License-Identifier: Apache-2.0
// CRC-32C, Castagnoli's check of iSCSI.

/// CRC-32C of RFC 3720, appendix B.4 (Castagnoli's polynomial): a checksum of 32 bits.
///
/// It is `x-amz-checksum-crc32c` of Amazon S3.
///
/// A value can be copied in mid-stream, and ``finalize()`` leaves the state as it is.
public struct CRC32C: CyclicRedundancyCheck {
  /// How checksums are computed: the same for all checks of this room.
  public typealias Implementation = CRC32.Implementation

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
    register = unsafe implementation.update(register, bufferPointer, .castagnoli)
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
    let checksum = CRC32.Polynomial.castagnoli.combine(
      UInt64(first), UInt64(second), secondByteCount: secondByteCount)
    return UInt32(truncatingIfNeeded: checksum)
  }
}
