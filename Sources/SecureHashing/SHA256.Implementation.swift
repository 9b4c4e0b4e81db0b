// SPDX-License-Identifier: Apache-2.0
// The registry of compression functions: the only place that knows that more than one exists.

#if HardwareAcceleration && canImport(HardwareKernels)
  internal import HardwareKernels
  #if arch(x86_64) && !hasFeature(Embedded)
    internal import _Builtin_intrinsics.intel.cpuid
  #endif
#endif

extension SHA256 {
  /// A compression function of SHA-256 that this processor can run. All give the same digests.
  public struct Implementation: Hashable, Sendable, BitwiseCopyable {
    let usesHardware: Bool

    /// Plain Swift, which runs on every processor.
    public static var portable: Implementation { Implementation(usesHardware: false) }

    /// The implementation in use unless another is asked for: the fastest of ``available``.
    public static let current = Implementation(usesHardware: hasHardwareKernel())

    /// Every implementation that this build and this processor can run, the fastest first.
    public static var available: [Implementation] {
      current == portable ? [portable] : [current, portable]
    }

    /// A short name: "portable", "x86-sha" (the SHA extensions of x86-64) or "arm-sha2" (the SHA2
    /// instructions of arm64).
    public var name: String { usesHardware ? hardwareName : "portable" }

    /// The bare compression function (FIPS 180-4, 6.2.2): replaces `state` (8 words) by its
    /// compression with `blockCount` blocks of 64 bytes each; none when it is not above 0.
    public func compress(
      _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeRawPointer, _ blockCount: Int
    ) {
      // Safety: handed on as it came.
      if blockCount > 0 { unsafe compress(state, blocks, blockCount, tail: blocks, 0) }
    }

    /// The bare compression function for two independent messages, each with `blockCount` blocks.
    ///
    /// With hardware, this takes less time than one message after the other.
    public func compressPair(
      _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeRawPointer,
      _ otherState: UnsafeMutablePointer<UInt32>, _ otherBlocks: UnsafeRawPointer,
      _ blockCount: Int
    ) {
      if blockCount <= 0 { return }
      // Safety: handed on as it came.
      if usesHardware {
        unsafe HardwareKernel.compressPair(state, blocks, otherState, otherBlocks, blockCount)
      } else {
        unsafe PortableKernel.compressPair(state, blocks, otherState, otherBlocks, blockCount)
      }
    }

    /// Blocks in two places: those of a message, and those of its padded tail. One call takes both,
    /// so that the state stays in the registers of the processor.
    @inline(__always)
    func compress(
      _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeRawPointer, _ blockCount: Int,
      tail: UnsafeRawPointer, _ tailBlockCount: Int
    ) {
      // Safety: handed on as it came.
      if usesHardware {
        unsafe HardwareKernel.compress(state, blocks, blockCount, tail, tailBlockCount)
      } else {
        unsafe PortableKernel.compress(state, blocks, blockCount, tail, tailBlockCount)
      }
    }
  }
}

extension SHA256.Implementation: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}

extension SHA256 {
  /// The portable compression function in the shape of the kernels.
  enum PortableKernel {
    static func compress(
      _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeRawPointer, _ blockCount: Int,
      _ tail: UnsafeRawPointer, _ tailBlockCount: Int
    ) {
      // Safety: handed on as it came.
      if blockCount > 0 { unsafe PortableCompression.compress(state, blocks, blockCount) }
      if tailBlockCount > 0 { unsafe PortableCompression.compress(state, tail, tailBlockCount) }
    }

    static func compressPair(
      _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeRawPointer,
      _ otherState: UnsafeMutablePointer<UInt32>, _ otherBlocks: UnsafeRawPointer,
      _ blockCount: Int
    ) {
      // Safety: handed on as it came.
      unsafe PortableCompression.compress(state, blocks, blockCount)
      unsafe PortableCompression.compress(otherState, otherBlocks, blockCount)
    }
  }
}

#if HardwareAcceleration && canImport(HardwareKernels) && arch(x86_64) && !hasFeature(Embedded)
  extension SHA256 {
    /// The SHA extensions of x86-64.
    typealias HardwareKernel = SHA256Kernel

    static var hardwareName: String { "x86-sha" }

    /// Intel, Software Developer's Manual, volume 2A, CPUID: SSSE3 is bit 9 and SSE4.1 bit 19 of ECX
    /// in leaf 1; SHA is bit 29 of EBX in leaf 7.
    static func hasHardwareKernel() -> Bool {
      var (eax, ebx, ecx, edx): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
      // Safety: the four numbers are written during the call only.
      guard unsafe __get_cpuid_count(1, 0, &eax, &ebx, &ecx, &edx) == 1,
        ecx & (1 << 9) != 0, ecx & (1 << 19) != 0
      else { return false }
      return unsafe __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 1 && ebx & (1 << 29) != 0
    }
  }
#elseif HardwareAcceleration && canImport(HardwareKernels) && arch(arm64) && (os(Linux) || os(Android))
  extension SHA256 {
    /// The SHA2 instructions of arm64.
    typealias HardwareKernel = SHA256Kernel

    static var hardwareName: String { "arm-sha2" }

    /// Linux, arch/arm64/include/uapi/asm/hwcap.h: HWCAP_SHA2 is bit 6 of AT_HWCAP, number 16.
    static func hasHardwareKernel() -> Bool { auxiliaryValue(16) & (1 << 6) != 0 }

    /// The C library's function, declared here so that no C library has to be imported.
    @_silgen_name("getauxval")
    static func auxiliaryValue(_ type: UInt) -> UInt
  }
#elseif HardwareAcceleration && canImport(HardwareKernels) && arch(arm64) && canImport(Darwin)
  extension SHA256 {
    /// The SHA2 instructions of arm64, which every such processor of Apple has.
    typealias HardwareKernel = SHA256Kernel

    static var hardwareName: String { "arm-sha2" }

    static func hasHardwareKernel() -> Bool { true }
  }
#else
  extension SHA256 {
    /// No kernel but the portable one: the trait is off, or nobody wrote one for this processor.
    typealias HardwareKernel = PortableKernel

    static var hardwareName: String { "portable" }

    static func hasHardwareKernel() -> Bool { false }
  }
#endif
