// SPDX-License-Identifier: Apache-2.0
// The ways to compute a cyclic redundancy check.

#if HardwareAcceleration && canImport(HardwareKernels)
  internal import HardwareKernels
  #if canImport(VPCLMULQDQKernels) && arch(x86_64) && !hasFeature(Embedded)
    internal import VPCLMULQDQKernels
  #endif
#endif

/// A way to compute cyclic redundancy checks on this processor. All give the same checksums.
public struct CRCImplementation: Hashable, Sendable, BitwiseCopyable {
  let kernel: Kernel

  /// Tables in plain Swift, which run on every processor.
  public static var portable: Self { Self(kernel: .portable) }

  /// The implementation in use unless another is asked for: the fastest of ``available``.
  public static let current =
    hasVectorKernel ? Self(kernel: .vectors) : hasKernel ? Self(kernel: .instructions) : portable

  /// Every implementation that this build and this processor can run, the fastest first.
  public static var available: [Self] {
    (hasVectorKernel ? [Self(kernel: .vectors)] : [])
      + (hasKernel ? [Self(kernel: .instructions)] : []) + [portable]
  }

  /// A short name: "portable", "x86-pclmul" (PCLMULQDQ and the CRC instruction of x86-64),
  /// "x86-vpclmul" (VPCLMULQDQ, in vectors of 256 bits) or "arm-pmull" (the long polynomial
  /// multiplication of arm64).
  public var name: String {
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
    // Safety: there are so many bytes.
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

extension CRCImplementation: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}

// MARK: - The kernels of cyclic redundancy checks

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

    /// For 128 bytes and more. Vectors fold whole 128 bytes into as many with the same remainder, with which
    /// the instructions go on.
    @inline(never)
    static func updateByVectors(
      _ register: UInt64, _ bytes: UnsafeRawPointer, _ byteCount: Int, _ algorithm: CRCAlgorithm
    ) -> UInt64 {
      let folded = byteCount & ~127
      var sum = SIMD16<UInt64>.zero
      // Safety: the sum has 128 bytes, and `folded` is at most byteCount.
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
