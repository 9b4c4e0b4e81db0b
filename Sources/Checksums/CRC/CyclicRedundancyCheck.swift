// SPDX-License-Identifier: Apache-2.0
// CRC-32, CRC-32C and CRC-64/NVME: three names of one computation.

/// CRC-32 of ISO 3309, ITU-T V.42 and RFC 1952: a 32-bit checksum.
///
/// zlib, PNG and AWS event streams use it, and so does Amazon S3 for `x-amz-checksum-crc32`. It
/// detects accidental errors and doesn't protect against attackers.
///
///     var check = CRC32()
///     while let buffer = try file.read() { check.update(data: buffer) }
///     let checksum: UInt32 = check.finalize()
///
/// You can copy a value mid-stream, and ``finalize()`` doesn't change the state. Messages are
/// processed without allocating memory.
@frozen
public struct CRC32: CyclicRedundancyCheck {
  @usableFromInline package var register: CRCRegister

  /// Creates a computation with an empty message.
  @inlinable
  public init() { self.init(implementation: .current) }

  @inlinable
  package init(implementation: CRCImplementation) {
    register = CRCRegister(bits: UInt64(UInt32.max), implementation: implementation)
  }

  /// Appends bytes to the message.
  @inlinable
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
    unsafe register.update(bufferPointer, Self.algorithm)
  }

  /// Returns the checksum of the message so far. You can keep updating it afterward.
  @inlinable
  public func finalize() -> UInt32 { ~UInt32(truncatingIfNeeded: register.bits) }

  /// Returns the checksum of two concatenated messages, from their checksums and the size of the
  /// second in bytes. Takes time proportional to the logarithm of that size.
  ///
  /// Use it to combine the parts of a multipart upload, computed in any order, into the checksum of
  /// the whole object (a full-object checksum in Amazon S3).
  public static func combine(
    _ first: UInt32, _ second: UInt32, secondByteCount: UInt64
  ) -> UInt32 {
    combined(first, second, secondByteCount)
  }

  @inlinable package static var algorithm: CRCAlgorithm { .crc32 }
}

/// CRC-32C of RFC 3720, appendix B.4 (Castagnoli's polynomial): a 32-bit checksum.
///
/// Amazon S3 uses it for `x-amz-checksum-crc32c`. Use it like ``CRC32``.
@frozen
public struct CRC32C: CyclicRedundancyCheck {
  @usableFromInline package var register: CRCRegister

  /// Creates a computation with an empty message.
  @inlinable
  public init() { self.init(implementation: .current) }

  @inlinable
  package init(implementation: CRCImplementation) {
    register = CRCRegister(bits: UInt64(UInt32.max), implementation: implementation)
  }

  /// Appends bytes to the message.
  @inlinable
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
    unsafe register.update(bufferPointer, Self.algorithm)
  }

  /// Returns the checksum of the message so far. You can keep updating it afterward.
  @inlinable
  public func finalize() -> UInt32 { ~UInt32(truncatingIfNeeded: register.bits) }

  /// Returns the checksum of two concatenated messages, like
  /// ``CRC32/combine(_:_:secondByteCount:)``.
  public static func combine(
    _ first: UInt32, _ second: UInt32, secondByteCount: UInt64
  ) -> UInt32 {
    combined(first, second, secondByteCount)
  }

  @inlinable package static var algorithm: CRCAlgorithm { .crc32c }
}

/// CRC-64/NVME of the NVM Command Set Specification, 5.2.1.3.4: a 64-bit checksum.
///
/// Amazon S3 uses it for `x-amz-checksum-crc64nvme`, its default checksum. Use it like ``CRC32``.
@frozen
public struct CRC64NVME: CyclicRedundancyCheck {
  @usableFromInline package var register: CRCRegister

  /// Creates a computation with an empty message.
  @inlinable
  public init() { self.init(implementation: .current) }

  @inlinable
  package init(implementation: CRCImplementation) {
    register = CRCRegister(bits: .max, implementation: implementation)
  }

  /// Appends bytes to the message.
  @inlinable
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
    unsafe register.update(bufferPointer, Self.algorithm)
  }

  /// Returns the checksum of the message so far. You can keep updating it afterward.
  @inlinable
  public func finalize() -> UInt64 { ~register.bits }

  /// Returns the checksum of two concatenated messages, like
  /// ``CRC32/combine(_:_:secondByteCount:)``.
  public static func combine(
    _ first: UInt64, _ second: UInt64, secondByteCount: UInt64
  ) -> UInt64 {
    combined(first, second, secondByteCount)
  }

  @inlinable package static var algorithm: CRCAlgorithm { .crc64NVME }
}

/// What the three checks have in common, which differ in their polynomial and width.
package protocol CyclicRedundancyCheck: ChecksumFunction
where Checksum: FixedWidthInteger & UnsignedInteger {
  static var algorithm: CRCAlgorithm { get }
  var register: CRCRegister { get }
  init(implementation: CRCImplementation)
  static func combine(_ first: Checksum, _ second: Checksum, secondByteCount: UInt64) -> Checksum
}

extension CyclicRedundancyCheck {
  fileprivate static func combined(
    _ first: Checksum, _ second: Checksum, _ secondByteCount: UInt64
  ) -> Checksum {
    let combined = algorithm.combine(
      UInt64(first), UInt64(second), secondByteCount: secondByteCount)
    return Checksum(truncatingIfNeeded: combined)
  }
}

/// The register of a check, in which a polynomial of 32 bits uses the lower half, and the
/// implementation that updates it.
@frozen
@usableFromInline
package struct CRCRegister: Sendable, BitwiseCopyable {
  @usableFromInline package var bits: UInt64
  @usableFromInline package let implementation: CRCImplementation

  @inlinable
  init(bits: UInt64, implementation: CRCImplementation) {
    self.bits = bits
    self.implementation = implementation
  }

  @inlinable
  mutating func update(_ bytes: UnsafeRawBufferPointer, _ algorithm: CRCAlgorithm) {
    bits = unsafe implementation.update(bits, bytes, algorithm)
  }
}
