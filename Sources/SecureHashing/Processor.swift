// SPDX-License-Identifier: Apache-2.0
// Processor features. Only this file queries them.

#if HardwareAcceleration && canImport(HardwareKernels)
  internal import HardwareKernels
  #if arch(x86_64) && !hasFeature(Embedded)
    internal import _Builtin_intrinsics.intel.cpuid
    #if canImport(LaneKernels)
      internal import LaneKernels
    #endif
  #endif
#endif

#if HardwareAcceleration && canImport(HardwareKernels) && arch(x86_64) && !hasFeature(Embedded)
  extension SHA256 {
    typealias InstructionKernel = SHA256Kernel
  }

  /// x86-64. The bits are from Intel, Software Developer's Manual, volume 2A, CPUID.
  package enum Processor {
    static var nameOfSHA256: String { "x86-sha" }
    package static var nameOfCRC: String { "x86-pclmul" }

    /// SSSE3 is bit 9 and SSE4.1 bit 19 of ECX in leaf 1. SHA is bit 29 of EBX in leaf 7.
    static var hasSHA256: Bool {
      let features = leaf(1).ecx
      return features & 1 << 9 != 0 && features & 1 << 19 != 0 && leaf(7).ebx & 1 << 29 != 0
    }

    /// BMI1, AVX2 and BMI2 are bits 3, 5 and 8 of EBX in leaf 7.
    package static var hasAVX2: Bool { has(1 << 3 | 1 << 5 | 1 << 8, registers: 0x06) }

    /// Whether the processor computes 256-bit vectors in one operation. AMD's Zen and Zen+ (family
    /// 23, models below 48) compute two halves, so vectorized SHA-512 schedules gain nothing there.
    static var hasFastAVX2: Bool {
      // AMD64 Architecture Programmer's Manual, volume 3, CPUID function 1: bits 4 to 7 of EAX,
      // with 16 to 19 above them.
      let signature = leaf(1).eax
      let model = signature >> 4 & 15 | signature >> 12 & 0xF0
      return hasAVX2 && !(isAMD && family == 23 && model < 48)
    }

    /// Leaf 0 contains "AuthenticAMD": EBX is "Auth" and ECX is "cAMD".
    static var isAMD: Bool { leaf(0).ebx == 0x6874_7541 && leaf(0).ecx == 0x444D_4163 }

    /// Bits 8 to 11 of EAX in leaf 1. If they are 15, bits 20 to 27 are added.
    static var family: UInt32 {
      let signature = leaf(1).eax
      return signature >> 8 & 15 == 15 ? 15 + (signature >> 20 & 255) : signature >> 8 & 15
    }

    /// AVX-512 F, BW and VL are bits 16, 30 and 31 of EBX in leaf 7.
    package static var hasAVX512: Bool {
      has(1 << 3 | 1 << 8 | 1 << 16 | 1 << 30 | 1 << 31, registers: 0xE6)
    }

    /// Whether 512-bit vectors don't slow anything down: AMD's don't, Intel's do.
    package static var hasWideAVX512: Bool { hasAVX512 && isAMD }

    /// AVX-512 DQ and IFMA are bits 17 and 21 of EBX in leaf 7.
    package static var hasIFMA: Bool {
      hasAVX512 && has(1 << 17 | 1 << 21, registers: 0xE6)
    }

    /// Whether sixteen messages in 512-bit vectors are faster than pairs with SHA instructions.
    /// AMD's processors from family 26 (Zen 5) compute such a vector in one operation. Family 25
    /// (Zen 4) computes two halves.
    static var hasFastWideAVX512: Bool { hasWideAVX512 && family >= 26 }

    /// Returns whether EBX in leaf 7 has these bits and the operating system saves these registers.
    /// In XCR0, bits 1 and 2 are for 128-bit and 256-bit registers, and bits 5, 6 and 7 for
    /// AVX-512.
    static func has(_ features: UInt32, registers: UInt64) -> Bool {
      #if CompilerBuiltins && canImport(LaneKernels)
        leaf(1).ecx & 1 << 27 != 0 && leaf(7).ebx & features == features
          && EnabledRegisters.components() & registers == registers
      #else
        false
      #endif
    }

    /// PCLMULQDQ is bit 1 and SSE4.2 bit 20 of ECX in leaf 1.
    package static var hasCRC: Bool {
      let features = leaf(1).ecx
      return features & 1 << 1 != 0 && features & 1 << 20 != 0
    }

    /// AVX2 is bit 5 of EBX in leaf 7, and VPCLMULQDQ is bit 10 of ECX.
    package static var hasVectorCRC: Bool {
      hasCRC && has(1 << 5, registers: 0x06) && leaf(7).ecx & 1 << 10 != 0
    }

    /// Returns EAX, EBX and ECX of a leaf, or zeros if the processor doesn't have it.
    static func leaf(_ number: UInt32) -> (eax: UInt32, ebx: UInt32, ecx: UInt32) {
      var (eax, ebx, ecx, edx): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
      // Safety: the call writes the four numbers only while it runs.
      let isThere = unsafe __get_cpuid_count(number, 0, &eax, &ebx, &ecx, &edx) == 1
      return isThere ? (eax, ebx, ecx) : (0, 0, 0)
    }
  }
#elseif HardwareAcceleration && canImport(HardwareKernels) && arch(arm64) && (os(Linux) || os(Android) || canImport(Darwin))
  extension SHA256 {
    typealias InstructionKernel = SHA256Kernel
  }

  /// arm64. The bits are from Linux, arch/arm64/include/uapi/asm/hwcap.h.
  package enum Processor {
    static var nameOfSHA256: String { "arm-sha2" }
    package static var nameOfCRC: String { "arm-pmull" }

    /// HWCAP_SHA2 is bit 6.
    static var hasSHA256: Bool { capabilities & 1 << 6 != 0 }

    package static var hasAVX2: Bool { false }
    static var hasFastAVX2: Bool { false }
    package static var hasAVX512: Bool { false }
    static var hasWideAVX512: Bool { false }
    static var hasFastWideAVX512: Bool { false }

    /// HWCAP_PMULL is bit 4.
    package static var hasCRC: Bool { capabilities & 1 << 4 != 0 }

    #if canImport(Darwin)
      /// Every Apple arm64 processor has all the features queried here.
      static var capabilities: UInt { .max }
    #else
      /// AT_HWCAP is number 16.
      static var capabilities: UInt { auxiliaryValue(16) }

      /// The C library's function, declared here to avoid importing a C library.
      @_silgen_name("getauxval")
      static func auxiliaryValue(_ type: UInt) -> UInt
    #endif
  }
#else
  extension SHA256 {
    typealias InstructionKernel = PortableKernel
  }

  /// The trait is off, or there are no kernels for this processor.
  package enum Processor {
    static var nameOfSHA256: String { "portable" }
    package static var nameOfCRC: String { "portable" }
    static var hasSHA256: Bool { false }
    package static var hasAVX2: Bool { false }
    static var hasFastAVX2: Bool { false }
    package static var hasAVX512: Bool { false }
    package static var hasWideAVX512: Bool { false }
    package static var hasIFMA: Bool { false }
    static var hasFastWideAVX512: Bool { false }
    package static var hasCRC: Bool { false }
  }
#endif
