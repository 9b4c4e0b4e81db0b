// SPDX-License-Identifier: Apache-2.0
// CRC-32, CRC-32C and CRC-64/NVME: one type under three names.

/// CRC-32 of ISO 3309, ITU-T V.42 and RFC 1952: a checksum of 32 bits.
///
/// It is the check of zlib, PNG and the framing of AWS event streams, and `x-amz-checksum-crc32` of
/// Amazon S3.
public typealias CRC32 = CyclicRedundancyCheck<CRC32Polynomial>

/// CRC-32C of RFC 3720, appendix B.4 (Castagnoli's polynomial): a checksum of 32 bits.
///
/// It is `x-amz-checksum-crc32c` of Amazon S3.
public typealias CRC32C = CyclicRedundancyCheck<CRC32CPolynomial>

/// CRC-64/NVME of the NVM Command Set Specification, 5.2.1.3.4: a checksum of 64 bits.
///
/// It is `x-amz-checksum-crc64nvme` of Amazon S3, and the one that S3 computes by default.
public typealias CRC64NVME = CyclicRedundancyCheck<CRC64NVMEPolynomial>

/// A cyclic redundancy check, used as ``CRC32``, ``CRC32C`` or ``CRC64NVME``: it detects accidental
/// errors of storage and transport, and offers no protection against an attacker.
///
///     var check = CRC32C()
///     while let portion = try file.read() { check.update(data: portion) }
///     let header = CRC32C.base64(of: check.finalize())
///
/// A value can be copied in mid-stream, and ``finalize()`` leaves the state as it is. Nothing is
/// allocated for a message.
@frozen
public struct CyclicRedundancyCheck<Polynomial: CRCPolynomial>: ChecksumFunction {
  /// The output: `UInt32` or `UInt64`.
  public typealias Checksum = Polynomial.Checksum

  /// How checksums are computed: the same type for all checks.
  public typealias Implementation = CRCImplementation

  @usableFromInline var register: UInt64
  @usableFromInline let implementation: Implementation

  /// Starts an empty message.
  @inlinable
  public init() {
    self.init(implementation: .current)
  }

  /// Starts an empty message whose checksum a certain implementation computes.
  @inlinable
  public init(implementation: Implementation) {
    register = UInt64(truncatingIfNeeded: Checksum.max)
    self.implementation = implementation
  }

  /// Appends bytes to the message.
  @inlinable
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
    register = unsafe implementation.update(register, bufferPointer, Polynomial.algorithm)
  }

  /// The checksum of the message so far. The state stays as it is and can be continued.
  @inlinable
  public func finalize() -> Checksum {
    ~Checksum(truncatingIfNeeded: register)
  }
}

extension CyclicRedundancyCheck {
  /// The checksum of two messages one after the other, from their checksums and the size of the
  /// second in bytes, in time proportional to the logarithm of that size.
  ///
  /// The parts of a multipart upload give the checksum of the whole object this way (the full-object
  /// form of Amazon S3), in whatever order they were computed.
  public static func combine(
    _ first: Checksum, _ second: Checksum, secondByteCount: UInt64
  ) -> Checksum {
    let combined = Polynomial.algorithm.combine(
      UInt64(first), UInt64(second), secondByteCount: secondByteCount)
    return Checksum(truncatingIfNeeded: combined)
  }
}

/// The polynomial of a ``CyclicRedundancyCheck``, as a type. The three below conform.
public protocol CRCPolynomial: Sendable {
  /// An unsigned number as wide as the checksum.
  associatedtype Checksum: FixedWidthInteger & UnsignedInteger & BitwiseCopyable & Sendable

  /// The arithmetic modulo this polynomial.
  static var algorithm: CRCAlgorithm { get }
}

/// The polynomial of ``CRC32``.
public enum CRC32Polynomial: CRCPolynomial {
  /// 32 bits.
  public typealias Checksum = UInt32

  /// The arithmetic modulo this polynomial.
  @inlinable public static var algorithm: CRCAlgorithm { .crc32 }
}

/// The polynomial of ``CRC32C``.
public enum CRC32CPolynomial: CRCPolynomial {
  /// 32 bits.
  public typealias Checksum = UInt32

  /// The arithmetic modulo this polynomial.
  @inlinable public static var algorithm: CRCAlgorithm { .crc32c }
}

/// The polynomial of ``CRC64NVME``.
public enum CRC64NVMEPolynomial: CRCPolynomial {
  /// 64 bits.
  public typealias Checksum = UInt64

  /// The arithmetic modulo this polynomial.
  @inlinable public static var algorithm: CRCAlgorithm { .crc64NVME }
}
