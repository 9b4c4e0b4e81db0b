// SPDX-License-Identifier: Apache-2.0
// The implementations of cyclic redundancy checks.

internal import SecureHashing

#if HardwareAcceleration && canImport(HardwareKernels)
  internal import HardwareKernels
  #if canImport(VPCLMULQDQKernels) && arch(x86_64) && !hasFeature(Embedded)
    internal import VPCLMULQDQKernels
  #endif
#endif

/// An implementation of cyclic redundancy checks. All implementations compute the same checksums.
@usableFromInline
package struct CRCImplementation: Hashable, Sendable, BitwiseCopyable {
  let kernel: Kernel

  /// Tables in plain Swift, for any processor.
  package static var portable: Self { Self(kernel: .portable) }

  /// The default implementation: the fastest of ``available``.
  @usableFromInline package static let current =
    hasVectorKernel ? Self(kernel: .vectors) : hasKernel ? Self(kernel: .instructions) : portable

  /// All implementations that this build and processor support, fastest first.
  package static var available: [Self] {
    (hasVectorKernel ? [Self(kernel: .vectors)] : [])
      + (hasKernel ? [Self(kernel: .instructions)] : []) + [portable]
  }

  /// A short name: "portable", "x86-pclmul" (PCLMULQDQ and the CRC instruction of x86-64),
  /// "x86-vpclmul" (VPCLMULQDQ, in 256-bit vectors) or "arm-pmull" (the arm64 polynomial multiply
  /// long instruction).
  package var name: String {
    switch kernel {
    case .portable: "portable"
    case .instructions: Processor.nameOfCRC
    case .vectors: "x86-vpclmul"
    }
  }

  @usableFromInline
  func update(
    _ register: UInt64, _ bytes: UnsafeRawBufferPointer, _ algorithm: CRCAlgorithm
  ) -> UInt64 {
    guard let start = bytes.baseAddress else { return register }
    // Safety: `bytes` holds that many bytes.
    switch kernel {
    case .portable: return unsafe algorithm.update(register, start, bytes.count)
    case .vectors where bytes.count >= 512:
      return unsafe Self.updateByVectors(register, start, bytes.count, algorithm)
    case .instructions, .vectors:
      return unsafe Self.updateByInstructions(register, start, bytes.count, algorithm)
    }
  }

  enum Kernel {
    case portable
    case instructions
    case vectors
  }
}

extension CRC32 {
  /// A short name of what computes CRC-32, CRC-32C and CRC-64/NVME on this processor, such as
  /// "x86-pclmul" for its instructions, or "portable" for tables in plain Swift.
  public static var implementationName: String { CRCImplementation.current.name }
}

extension CRCImplementation: CustomStringConvertible {
  /// The name.
  @usableFromInline package var description: String { name }
}

// MARK: - Kernels

#if CompilerBuiltins && HardwareAcceleration && canImport(HardwareKernels) && ((arch(x86_64) && !hasFeature(Embedded)) || (arch(arm64) && (os(Linux) || os(Android) || canImport(Darwin))))
  extension CRCImplementation {
    static var hasKernel: Bool { Processor.hasCRC }

    static func updateByInstructions(
      _ register: UInt64, _ bytes: UnsafeRawPointer, _ byteCount: Int, _ algorithm: CRCAlgorithm
    ) -> UInt64 {
      #if arch(x86_64)
        if algorithm == .crc32c && byteCount <= 256 {
          return unsafe CRCKernel.updateCastagnoli(register, bytes, byteCount)
        }
      #endif
      return unsafe CRCKernel.update(
        register, bytes, byteCount, algorithm.fold1024, algorithm.fold128, algorithm.reduction)
    }
  }
#else
  extension CRCImplementation {
    static var hasKernel: Bool { false }

    static func updateByInstructions(
      _ register: UInt64, _ bytes: UnsafeRawPointer, _ byteCount: Int, _ algorithm: CRCAlgorithm
    ) -> UInt64 {
      unsafe algorithm.update(register, bytes, byteCount)
    }
  }
#endif

#if CompilerBuiltins && HardwareAcceleration && canImport(HardwareKernels) && canImport(VPCLMULQDQKernels) && arch(x86_64) && !hasFeature(Embedded)
  extension CRCImplementation {
    static var hasVectorKernel: Bool { Processor.hasVectorCRC }

    /// For 128 bytes or more. Vectors fold all whole 128-byte groups into 128 bytes with the same
    /// remainder, which the PCLMULQDQ kernel then processes.
    @inline(never)
    static func updateByVectors(
      _ register: UInt64, _ bytes: UnsafeRawPointer, _ byteCount: Int, _ algorithm: CRCAlgorithm
    ) -> UInt64 {
      let folded = byteCount & ~127
      var sum = SIMD16<UInt64>.zero
      // Safety: `sum` is 128 bytes long, and `folded` is at most byteCount.
      return unsafe withUnsafeMutableBytes(of: &sum) { sum in
        guard let start = sum.baseAddress else { return register }
        unsafe CRCVectorKernel.fold(register, bytes, folded, algorithm.fold1024, to: start)
        let register = unsafe updateByInstructions(0, start, 128, algorithm)
        return unsafe updateByInstructions(
          register, bytes + folded, byteCount - folded, algorithm)
      }
    }
  }
#else
  extension CRCImplementation {
    static var hasVectorKernel: Bool { false }

    static func updateByVectors(
      _ register: UInt64, _ bytes: UnsafeRawPointer, _ byteCount: Int, _ algorithm: CRCAlgorithm
    ) -> UInt64 {
      unsafe algorithm.update(register, bytes, byteCount)
    }
  }
#endif
