// SPDX-License-Identifier: Apache-2.0
// Which kernels this processor can run: the only file that knows that more than one exists.

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
    public static let current = Implementation(usesHardware: Processor.hasSHA256)

    /// Every implementation that this build and this processor can run, the fastest first.
    public static var available: [Implementation] {
      current == portable ? [portable] : [current, portable]
    }

    /// A short name: "portable", "x86-sha" (the SHA extensions of x86-64) or "arm-sha2" (the SHA2
    /// instructions of arm64).
    public var name: String { usesHardware ? Processor.nameOfSHA256 : "portable" }

    /// The bare compression function (FIPS 180-4, 6.2.2): replaces `state` (8 words) by its
    /// compression with `blockCount` blocks of 64 bytes each; none when it is not above 0.
    public func compress(
      _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeRawPointer, _ blockCount: Int
    ) {
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
      if usesHardware {
        unsafe HardwareKernel.compress(state, blocks, blockCount, tail, tailBlockCount)
      } else {
        unsafe PortableKernel.compress(state, blocks, blockCount, tail, tailBlockCount)
      }
    }
  }

  /// The portable compression function in the shape of the kernels.
  enum PortableKernel {
    static func compress(
      _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeRawPointer, _ blockCount: Int,
      _ tail: UnsafeRawPointer, _ tailBlockCount: Int
    ) {
      if blockCount > 0 { unsafe PortableCompression.compress(state, blocks, blockCount) }
      if tailBlockCount > 0 { unsafe PortableCompression.compress(state, tail, tailBlockCount) }
    }

    static func compressPair(
      _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeRawPointer,
      _ otherState: UnsafeMutablePointer<UInt32>, _ otherBlocks: UnsafeRawPointer,
      _ blockCount: Int
    ) {
      unsafe PortableCompression.compress(state, blocks, blockCount)
      unsafe PortableCompression.compress(otherState, otherBlocks, blockCount)
    }
  }
}

extension SHA256.Implementation: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}

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

// MARK: - What this processor has

#if HardwareAcceleration && canImport(HardwareKernels) && arch(x86_64) && !hasFeature(Embedded)
  extension SHA256 {
    typealias HardwareKernel = SHA256Kernel
  }

  /// x86-64. The bits are those of Intel, Software Developer's Manual, volume 2A, CPUID.
  enum Processor {
    static var nameOfSHA256: String { "x86-sha" }
    static var nameOfCRC: String { "x86-pclmul" }

    /// SSSE3 is bit 9 and SSE4.1 bit 19 of ECX in leaf 1; SHA is bit 29 of EBX in leaf 7.
    static var hasSHA256: Bool {
      let features = leaf(1).ecx
      return features & 1 << 9 != 0 && features & 1 << 19 != 0 && leaf(7).ebx & 1 << 29 != 0
    }

    /// PCLMULQDQ is bit 1 and SSE4.2 bit 20 of ECX in leaf 1.
    static var hasCRC: Bool {
      let features = leaf(1).ecx
      return features & 1 << 1 != 0 && features & 1 << 20 != 0
    }

    /// EBX and ECX of a leaf; zeros when the processor has no such leaf.
    static func leaf(_ number: UInt32) -> (ebx: UInt32, ecx: UInt32) {
      var (eax, ebx, ecx, edx): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
      // Safety: the four numbers are written during the call only.
      let isThere = unsafe __get_cpuid_count(number, 0, &eax, &ebx, &ecx, &edx) == 1
      return isThere ? (ebx, ecx) : (0, 0)
    }
  }
#elseif HardwareAcceleration && canImport(HardwareKernels) && arch(arm64) && (os(Linux) || os(Android) || canImport(Darwin))
  extension SHA256 {
    typealias HardwareKernel = SHA256Kernel
  }

  /// arm64. The bits are those of Linux, arch/arm64/include/uapi/asm/hwcap.h.
  enum Processor {
    static var nameOfSHA256: String { "arm-sha2" }
    static var nameOfCRC: String { "arm-pmull" }

    /// HWCAP_SHA2 is bit 6.
    static var hasSHA256: Bool { capabilities & 1 << 6 != 0 }

    /// HWCAP_PMULL is bit 4.
    static var hasCRC: Bool { capabilities & 1 << 4 != 0 }

    #if canImport(Darwin)
      /// Every arm64 processor of Apple has all that is asked for here.
      static var capabilities: UInt { .max }
    #else
      /// AT_HWCAP is number 16.
      static var capabilities: UInt { auxiliaryValue(16) }

      /// The C library's function, declared here so that no C library has to be imported.
      @_silgen_name("getauxval")
      static func auxiliaryValue(_ type: UInt) -> UInt
    #endif
  }
#else
  extension SHA256 {
    typealias HardwareKernel = PortableKernel
  }

  /// The trait is off, or there are no kernels for this processor.
  enum Processor {
    static var nameOfSHA256: String { "portable" }
    static var nameOfCRC: String { "portable" }
    static var hasSHA256: Bool { false }
    static var hasCRC: Bool { false }
  }
#endif

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
