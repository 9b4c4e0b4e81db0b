// SPDX-License-Identifier: Apache-2.0
// CRC-32, CRC-32C and CRC-64/NVME: one generic type with three names.

/// CRC-32 of ISO 3309, ITU-T V.42 and RFC 1952: a 32-bit checksum.
///
/// zlib, PNG and AWS event streams use it, and so does Amazon S3 for `x-amz-checksum-crc32`.
public typealias CRC32 = CyclicRedundancyCheck<CRC32Polynomial>

/// CRC-32C of RFC 3720, appendix B.4 (Castagnoli's polynomial): a 32-bit checksum.
///
/// Amazon S3 uses it for `x-amz-checksum-crc32c`.
public typealias CRC32C = CyclicRedundancyCheck<CRC32CPolynomial>

/// CRC-64/NVME of the NVM Command Set Specification, 5.2.1.3.4: a 64-bit checksum.
///
/// Amazon S3 uses it for `x-amz-checksum-crc64nvme`, its default checksum.
public typealias CRC64NVME = CyclicRedundancyCheck<CRC64NVMEPolynomial>

/// A cyclic redundancy check, which detects accidental storage and transmission errors.
///
/// Use it as ``CRC32``, ``CRC32C`` or ``CRC64NVME``. It doesn't protect against attackers.
///
///     var check = CRC32C()
///     while let buffer = try file.read() { check.update(data: buffer) }
///     let header = CRC32C.base64(of: check.finalize())
///
/// You can copy a value mid-stream, and ``finalize()`` doesn't change the state. Messages are
/// processed without allocating memory.
@frozen
public struct CyclicRedundancyCheck<Polynomial: CRCPolynomial>: ChecksumFunction {
  /// The type of the checksum: `UInt32` or `UInt64`.
  public typealias Checksum = Polynomial.Checksum

  /// The type of implementation that computes checksums, the same for all checks.
  public typealias Implementation = CRCImplementation

  @usableFromInline var register: UInt64
  @usableFromInline let implementation: Implementation

  /// Creates a computation with an empty message.
  @inlinable
  public init() {
    self.init(implementation: .current)
  }

  /// Creates a computation that uses the given implementation.
  @inlinable
  public init(implementation: Implementation) {
    register = UInt64(truncatingIfNeeded: Checksum.max)
    self.implementation = implementation
  }

  /// Appends bytes to the message.
  @inlinable
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
    register = unsafe implementation.update(
      register, bufferPointer, Self.algorithm)
  }

  @inlinable
  static var algorithm: CRCAlgorithm {
    CRCAlgorithm(coefficients: UInt64(truncatingIfNeeded: Polynomial.coefficients.bits))
  }

  /// Returns the checksum of the message so far. You can keep updating it afterward.
  @inlinable
  public func finalize() -> Checksum {
    ~Checksum(truncatingIfNeeded: register)
  }
}

extension CyclicRedundancyCheck {
  /// Returns the checksum of two concatenated messages, from their checksums and the size of the
  /// second in bytes. Takes time proportional to the logarithm of that size.
  ///
  /// Use it to combine the parts of a multipart upload, computed in any order, into the checksum of
  /// the whole object (a full-object checksum in Amazon S3).
  public static func combine(
    _ first: Checksum, _ second: Checksum, secondByteCount: UInt64
  ) -> Checksum {
    let combined = algorithm.combine(
      UInt64(first), UInt64(second), secondByteCount: secondByteCount)
    return Checksum(truncatingIfNeeded: combined)
  }
}

/// The polynomial of a ``CyclicRedundancyCheck``, as a type. Only the coefficients of the three
/// types below exist, because each has its own tables.
public protocol CRCPolynomial: Sendable {
  /// An unsigned integer as wide as the checksum.
  associatedtype Checksum: FixedWidthInteger & UnsignedInteger & BitwiseCopyable & Sendable

  /// The polynomial without its highest power.
  static var coefficients: CRCCoefficients<Checksum> { get }
}

/// The coefficients of a ``CRCPolynomial``, which only this module creates.
@frozen
public struct CRCCoefficients<Checksum: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
  /// The polynomial without its highest power, with the lowest bit for the highest power.
  public let bits: Checksum

  @inlinable
  init(_ bits: Checksum) {
    self.bits = bits
  }
}

/// The polynomial of ``CRC32``.
public enum CRC32Polynomial: CRCPolynomial {
  /// 32 bits.
  public typealias Checksum = UInt32

  /// The polynomial without its highest power.
  @inlinable public static var coefficients: CRCCoefficients<UInt32> {
    CRCCoefficients(0xedb8_8320)
  }
}

/// The polynomial of ``CRC32C``.
public enum CRC32CPolynomial: CRCPolynomial {
  /// 32 bits.
  public typealias Checksum = UInt32

  /// The polynomial without its highest power.
  @inlinable public static var coefficients: CRCCoefficients<UInt32> {
    CRCCoefficients(0x82f6_3b78)
  }
}

/// The polynomial of ``CRC64NVME``.
public enum CRC64NVMEPolynomial: CRCPolynomial {
  /// 64 bits.
  public typealias Checksum = UInt64

  /// The polynomial without its highest power.
  @inlinable public static var coefficients: CRCCoefficients<UInt64> {
    CRCCoefficients(0x9a6c_9329_ac4b_c9b5)
  }
}
