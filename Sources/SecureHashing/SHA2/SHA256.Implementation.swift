// SPDX-License-Identifier: Apache-2.0
// The SHA-256 compression functions, and the choice between them.

#if HardwareAcceleration && canImport(HardwareKernels)
  internal import HardwareKernels
#endif

extension SHA256 {
  /// A SHA-256 compression function that this processor supports. All implementations compute the
  /// same digests.
  @usableFromInline
  package struct Implementation: Hashable, Sendable, BitwiseCopyable {
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

    /// Plain Swift, for any processor.
    package static var portable: Implementation { Implementation(kernel: .portable) }

    /// The default implementation: the fastest of ``available``.
    @usableFromInline package static let current: Implementation = {
      if Processor.hasSHA256 { return Implementation(kernel: .instructions) }
      if Processor.hasAVX512 { return Implementation(kernel: .avx512) }
      if Processor.hasAVX2 { return Implementation(kernel: .avx2) }
      return hasLaneKernels ? Implementation(kernel: .vectors) : .portable
    }()

    /// All implementations that this build and processor support, fastest first.
    package static var available: [Implementation] {
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
    /// - "x86-sha": the SHA extensions of x86-64
    /// - "arm-sha2": the SHA2 instructions of arm64
    /// - "x86-avx512vl" and "x86-avx2": 256-bit vectors, for several blocks of one message and for
    ///   several messages
    /// - "x86-avx512": 512-bit vectors, for several messages
    /// - "vectors": 128-bit vectors for several messages, and "portable" for one
    /// - "portable": plain Swift
    package var name: String {
      switch kernel {
      case .portable: "portable"
      case .vectors: "vectors"
      case .avx2: "x86-avx2"
      case .avx512: "x86-avx512vl"
      case .wideAVX512: "x86-avx512"
      case .instructions: Processor.nameOfSHA256
      }
    }

    /// The number of messages that a batch hashes in parallel: 1, 2, 4, 8 or 16.
    package var laneCount: Int { forMany(.max, averageByteCount: .max).kernel.laneCount }

    /// Returns the implementation for a number of jobs. Even if there are SHA instructions, which
    /// process two messages at a time, lanes are faster when most of them are in use.
    func forMany(_ count: Int, averageByteCount: Int) -> Implementation {
      if kernel != .instructions { return self }
      let lanes = Self.besideInstructions
      let isWorthIt =
        lanes.kernel == .wideAVX512 ? count >= 10 : count >= 8 && averageByteCount >= 1_024
      return isWorthIt ? lanes : self
    }

    /// Returns whether a number of messages of about this length are hashed two at a time with SHA
    /// instructions, because creating a job for each would cost more time than lanes save.
    @usableFromInline func hashesInPairs(_ count: Int, averageByteCount byteCount: Int) -> Bool {
      if kernel != .instructions { return false }
      let shortest = Self.besideInstructions.kernel == .wideAVX512 ? 256 : 1_024
      return byteCount < shortest || forMany(count, averageByteCount: byteCount) == self
    }

    /// The implementation for many messages on processors with SHA instructions. On AMD's Zen 4,
    /// it's those instructions, two messages at a time.
    private static let besideInstructions: Implementation = {
      if Processor.hasFastWideAVX512 { return Implementation(kernel: .wideAVX512) }
      let isWorthIt = Processor.hasAVX512 && !Processor.hasWideAVX512
      return Implementation(kernel: isWorthIt ? .avx512 : .instructions)
    }()

    /// Compresses `blockCount` blocks of 64 bytes into `state` (8 words), or none if `blockCount`
    /// is 0 or less. This is the bare compression function (FIPS 180-4, 6.2.2).
    package func compress(
      _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeRawPointer, _ blockCount: Int
    ) {
      if blockCount > 0 { unsafe compress(state, blocks, blockCount, tail: blocks, 0) }
    }

    /// Compresses `blockCount` blocks of each of two independent messages.
    ///
    /// With SHA instructions, this is faster than one message after the other.
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

    /// Compresses blocks in two places, those of a message and those of its padded tail, in one
    /// call, so that the state stays in processor registers.
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

extension SHA256 {
  /// A short name of what computes digests on this processor, such as "x86-sha" for SHA
  /// instructions, "x86-avx2" for vectors, or "portable" for plain Swift.
  ///
  /// The digests are the same. Print it to find out whether a build uses the instructions.
  public static var implementationName: String { Implementation.current.name }
}

extension SHA256.Implementation: CustomStringConvertible {
  /// The name.
  @usableFromInline package var description: String { name }
}

extension SHA256 {
  /// Never called: without SHA instructions, nothing uses them.
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
