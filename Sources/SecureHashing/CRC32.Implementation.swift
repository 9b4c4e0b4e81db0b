// SPDX-License-Identifier: Apache-2.0
// How checksums are computed: the only place that knows that more than one way exists.

#if HardwareAcceleration && canImport(HardwareKernels)
  internal import HardwareKernels
  #if arch(x86_64) && !hasFeature(Embedded)
    internal import _Builtin_intrinsics.intel.cpuid
  #endif
#endif

extension CRC32 {
  /// A way to compute cyclic redundancy checks on this processor. All give the same checksums.
  public struct Implementation: Hashable, Sendable, BitwiseCopyable {
    let usesHardware: Bool

    /// Tables in plain Swift, which run on every processor.
    public static var portable: Implementation { Implementation(usesHardware: false) }

    /// The implementation in use unless another is asked for: the fastest of ``available``.
    public static let current = Implementation(usesHardware: HardwareKernel.isUsable)

    /// Every implementation that this build and this processor can run, the fastest first.
    public static var available: [Implementation] {
      current == portable ? [portable] : [current, portable]
    }

    /// A short name: "portable", "x86-pclmul" (PCLMULQDQ and the CRC instruction of x86-64) or
    /// "arm-pmull" (the long polynomial multiplication of arm64).
    public var name: String { usesHardware ? HardwareKernel.name : "portable" }

    func update(
      _ register: UInt64, _ bytes: UnsafeRawBufferPointer, _ polynomial: Polynomial
    ) -> UInt64 {
      guard let start = bytes.baseAddress else { return register }
      // Safety: handed on as it came.
      if usesHardware {
        return unsafe HardwareKernel.update(register, start, bytes.count, polynomial)
      }
      return unsafe polynomial.update(register, start, bytes.count)
    }
  }
}

extension CRC32.Implementation: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}

#if HardwareAcceleration && canImport(HardwareKernels) && arch(x86_64) && !hasFeature(Embedded)
  extension CRC32 {
    /// PCLMULQDQ, and the CRC instruction of SSE4.2.
    enum HardwareKernel {
      static var name: String { "x86-pclmul" }

      /// Intel, Software Developer's Manual, volume 2A, CPUID: PCLMULQDQ is bit 1 and SSE4.2 bit 20
      /// of ECX in leaf 1.
      static var isUsable: Bool {
        var (eax, ebx, ecx, edx): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
        // Safety: the four numbers are written during the call only.
        return unsafe __get_cpuid_count(1, 0, &eax, &ebx, &ecx, &edx) == 1
          && ecx & (1 << 1) != 0 && ecx & (1 << 20) != 0
      }

      static func update(
        _ register: UInt64, _ bytes: UnsafeRawPointer, _ byteCount: Int, _ polynomial: Polynomial
      ) -> UInt64 {
        // Safety: handed on as it came.
        if polynomial == .castagnoli && byteCount <= 256 {
          return unsafe CRCKernel.updateCastagnoli(register, bytes, byteCount)
        }
        return unsafe CRCKernel.update(
          register, bytes, byteCount,
          polynomial.fold1024, polynomial.fold128, polynomial.reduction)
      }
    }
  }
#elseif HardwareAcceleration && canImport(HardwareKernels) && arch(arm64) && (os(Linux) || os(Android) || canImport(Darwin))
  extension CRC32 {
    /// PMULL, the long polynomial multiplication.
    enum HardwareKernel {
      static var name: String { "arm-pmull" }

      #if canImport(Darwin)
        /// Every arm64 processor of Apple has the instruction.
        static var isUsable: Bool { true }
      #else
        /// Linux, arch/arm64/include/uapi/asm/hwcap.h: HWCAP_PMULL is bit 4 of AT_HWCAP, number 16.
        static var isUsable: Bool { SHA256.auxiliaryValue(16) & (1 << 4) != 0 }
      #endif

      static func update(
        _ register: UInt64, _ bytes: UnsafeRawPointer, _ byteCount: Int, _ polynomial: Polynomial
      ) -> UInt64 {
        // Safety: handed on as it came.
        unsafe CRCKernel.update(
          register, bytes, byteCount,
          polynomial.fold1024, polynomial.fold128, polynomial.reduction)
      }
    }
  }
#else
  extension CRC32 {
    /// No kernel but the portable one: the trait is off, or nobody wrote one for this processor.
    enum HardwareKernel {
      static var name: String { "portable" }

      static var isUsable: Bool { false }

      static func update(
        _ register: UInt64, _ bytes: UnsafeRawPointer, _ byteCount: Int, _ polynomial: Polynomial
      ) -> UInt64 {
        // Safety: handed on as it came.
        unsafe polynomial.update(register, bytes, byteCount)
      }
    }
  }
#endif
