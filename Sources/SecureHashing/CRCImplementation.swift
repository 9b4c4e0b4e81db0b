// SPDX-License-Identifier: Apache-2.0
// The two ways to compute a cyclic redundancy check.

#if HardwareAcceleration && canImport(HardwareKernels)
  internal import HardwareKernels
#endif

/// A way to compute cyclic redundancy checks on this processor. All give the same checksums.
public struct CRCImplementation: Hashable, Sendable, BitwiseCopyable {
  let usesHardware: Bool

  /// Tables in plain Swift, which run on every processor.
  public static var portable: Self { Self(usesHardware: false) }

  /// The implementation in use unless another is asked for: the fastest of ``available``.
  public static let current = CRCImplementation(usesHardware: hasKernel)

  /// Every implementation that this build and this processor can run, the fastest first.
  public static var available: [Self] {
    current == portable ? [portable] : [current, portable]
  }

  /// A short name: "portable", "x86-pclmul" (PCLMULQDQ and the CRC instruction of x86-64) or
  /// "arm-pmull" (the long polynomial multiplication of arm64).
  public var name: String { usesHardware ? Processor.nameOfCRC : "portable" }

  @usableFromInline
  func update(
    _ register: UInt64, _ bytes: UnsafeRawBufferPointer, _ algorithm: CRCAlgorithm
  ) -> UInt64 {
    guard let start = bytes.baseAddress else { return register }
    if usesHardware { return unsafe Self.kernel(register, start, bytes.count, algorithm) }
    return unsafe algorithm.update(register, start, bytes.count)
  }
}

extension CRCImplementation: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}

// MARK: - The kernel of cyclic redundancy checks

#if CompilerBuiltins && HardwareAcceleration && canImport(HardwareKernels) && ((arch(x86_64) && !hasFeature(Embedded)) || (arch(arm64) && (os(Linux) || os(Android) || canImport(Darwin))))
  extension CRCImplementation {
    static var hasKernel: Bool { Processor.hasCRC }

    static func kernel(
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

    static func kernel(
      _ register: UInt64, _ bytes: UnsafeRawPointer, _ byteCount: Int, _ algorithm: CRCAlgorithm
    ) -> UInt64 {
      unsafe algorithm.update(register, bytes, byteCount)
    }
  }
#endif
