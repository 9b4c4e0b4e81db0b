// SPDX-License-Identifier: Apache-2.0
// The compression functions of SHA-256, and which of them is used.

#if HardwareAcceleration && canImport(HardwareKernels)
  internal import HardwareKernels
#endif

extension SHA256 {
  /// A SHA-256 compression function that this processor supports. All of them compute the same digests.
  public struct Implementation: Hashable, Sendable, BitwiseCopyable {
    enum Kernel: UInt8 {
      case portable
      case vectors
      case avx2
      case avx512
      case wideAVX512
      case instructions

      var laneCount: Int {
        switch self {
        case .portable: 1
        case .instructions: 2
        case .vectors: 4
        case .avx2, .avx512: 8
        case .wideAVX512: 16
        }
      }
    }

    let kernel: Kernel

    /// Plain Swift, which runs on every processor.
    public static var portable: Implementation { Implementation(kernel: .portable) }

    /// The implementation in use unless another is asked for: the fastest of ``available``.
    public static let current: Implementation = {
      if Processor.hasSHA256 { return Implementation(kernel: .instructions) }
      if Processor.hasAVX512 { return Implementation(kernel: .avx512) }
      if Processor.hasAVX2 { return Implementation(kernel: .avx2) }
      return hasLaneKernels ? Implementation(kernel: .vectors) : .portable
    }()

    /// Every implementation that this build and this processor can run, the fastest first.
    public static var available: [Implementation] {
      let kernels: [(Kernel, Bool)] = [
        (.instructions, Processor.hasSHA256), (.avx512, Processor.hasAVX512),
        (.wideAVX512, Processor.hasWideAVX512), (.avx2, Processor.hasAVX2),
        (.vectors, hasLaneKernels),
        (.portable, true),
      ]
      return kernels.compactMap { $0.1 ? Implementation(kernel: $0.0) : nil }
    }

    /// A short name:
    ///
    /// - "x86-sha": the SHA extensions of x86-64;
    /// - "arm-sha2": the SHA2 instructions of arm64;
    /// - "x86-avx512vl", "x86-avx2": vectors of 256 bits, for several blocks of a message and for
    ///   several messages; "x86-avx512": vectors of 512 bits for several messages;
    /// - "vectors": vectors of 128 bits for several messages, and "portable" for one;
    /// - "portable": plain Swift.
    public var name: String {
      switch kernel {
      case .portable: "portable"
      case .vectors: "vectors"
      case .avx2: "x86-avx2"
      case .avx512: "x86-avx512vl"
      case .wideAVX512: "x86-avx512"
      case .instructions: Processor.nameOfSHA256
      }
    }

    /// How many of many messages are hashed side by side: 1, 2, 4, 8 or 16.
    public var laneCount: Int { forMany(.max, averageByteCount: .max).kernel.laneCount }

    /// The implementation for so many jobs. Even beside SHA instructions, which take two messages at a time,
    /// lanes take less time when most of them have one.
    func forMany(_ count: Int, averageByteCount: Int) -> Implementation {
      if kernel != .instructions { return self }
      let lanes = Self.besideInstructions
      let isWorthIt =
        lanes.kernel == .wideAVX512 ? count >= 10 : count >= 8 && averageByteCount >= 1_024
      return isWorthIt ? lanes : self
    }

    /// Whether so many messages of about this length are hashed two at a time, by SHA instructions, since
    /// making a job of each would take longer than lanes gain.
    @usableFromInline func hashesInPairs(_ count: Int, byteCount: Int) -> Bool {
      if kernel != .instructions { return false }
      let shortest = Self.besideInstructions.kernel == .wideAVX512 ? 256 : 1_024
      return byteCount < shortest || forMany(count, averageByteCount: byteCount) == self
    }

    /// What hashes many messages where there are SHA instructions: on AMD's Zen 4 themselves, two at a time.
    private static let besideInstructions: Implementation = {
      if Processor.hasFastWideAVX512 { return Implementation(kernel: .wideAVX512) }
      let isWorthIt = Processor.hasAVX512 && !Processor.hasWideAVX512
      return Implementation(kernel: isWorthIt ? .avx512 : .instructions)
    }()

    /// The bare compression function (FIPS 180-4, 6.2.2): replaces `state` (8 words) by its
    /// compression with `blockCount` blocks of 64 bytes each; none when it is not above 0.
    package func compress(
      _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeRawPointer, _ blockCount: Int
    ) {
      if blockCount > 0 { unsafe compress(state, blocks, blockCount, tail: blocks, 0) }
    }

    /// The bare compression function for two independent messages, each with `blockCount` blocks.
    ///
    /// With SHA instructions, this takes less time than one message after the other.
    package func compressPair(
      _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeRawPointer,
      _ otherState: UnsafeMutablePointer<UInt32>, _ otherBlocks: UnsafeRawPointer,
      _ blockCount: Int
    ) {
      if blockCount <= 0 { return }
      if kernel == .instructions {
        unsafe SHA256.InstructionKernel.compressPair(
          state, blocks, otherState, otherBlocks, blockCount)
      } else {
        unsafe compressAlone(state, blocks, blockCount)
        unsafe compressAlone(otherState, otherBlocks, blockCount)
      }
    }

    /// Blocks in two places: those of a message, and those of its padded tail. One call takes both,
    /// so that the state stays in the registers of the processor.
    @inline(__always)
    func compress(
      _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeRawPointer, _ blockCount: Int,
      tail: UnsafeRawPointer, _ tailBlockCount: Int
    ) {
      if kernel == .instructions {
        unsafe SHA256.InstructionKernel.compress(state, blocks, blockCount, tail, tailBlockCount)
      } else {
        if blockCount > 0 { unsafe compressAlone(state, blocks, blockCount) }
        if tailBlockCount > 0 { unsafe compressAlone(state, tail, tailBlockCount) }
      }
    }
  }
}

extension SHA256.Implementation: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}

extension SHA256 {
  /// Where there are no SHA instructions, nothing asks for them.
  enum PortableKernel {
    static func compress(
      _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeRawPointer, _ blockCount: Int,
      _ tail: UnsafeRawPointer, _ tailBlockCount: Int
    ) {
      if blockCount > 0 { unsafe SHA256.PortableCompression.compress(state, blocks, blockCount) }
      if tailBlockCount > 0 {
        unsafe SHA256.PortableCompression.compress(state, tail, tailBlockCount)
      }
    }

    static func compressPair(
      _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeRawPointer,
      _ otherState: UnsafeMutablePointer<UInt32>, _ otherBlocks: UnsafeRawPointer,
      _ blockCount: Int
    ) {
      unsafe SHA256.PortableCompression.compress(state, blocks, blockCount)
      unsafe SHA256.PortableCompression.compress(otherState, otherBlocks, blockCount)
    }
  }
}
