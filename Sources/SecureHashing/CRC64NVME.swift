// SPDX-License-Identifier: Apache-2.0
// CRC-64/NVME, the default check of Amazon S3.

/// CRC-64/NVME of the NVM Command Set Specification, 5.2.1.3.4: a checksum of 64 bits.
///
/// It is `x-amz-checksum-crc64nvme` of Amazon S3.
///
/// A value can be copied in mid-stream, and ``finalize()`` leaves the state as it is.
public struct CRC64NVME: CyclicRedundancyCheck {
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
    register = .max
    self.implementation = implementation
  }

  /// Appends bytes to the message.
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
    // Safety: handed on as it came.
    register = unsafe implementation.update(register, bufferPointer, .nvme)
  }

  /// The checksum of the message so far. The state stays as it is and can be continued.
  public func finalize() -> UInt64 {
    ~register
  }

  /// The checksum of two messages one after the other, from their checksums and the size of the
  /// second in bytes.
  public static func combine(
    _ first: UInt64, _ second: UInt64, secondByteCount: UInt64
  ) -> UInt64 {
    CRC32.Polynomial.nvme.combine(
      first, second, secondByteCount: secondByteCount)
  }
}
