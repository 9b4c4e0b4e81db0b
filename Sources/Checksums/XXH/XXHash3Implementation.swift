// SPDX-License-Identifier: Apache-2.0
// The implementations of the XXH3 loop over stripes of 64 bytes.

internal import SecureHashing

#if HardwareAcceleration && canImport(HardwareKernels)
  internal import HardwareKernels
#endif

#if HardwareAcceleration && canImport(LaneKernels)
  internal import LaneKernels
  #if arch(x86_64) && !hasFeature(Embedded)
    internal import AVX2Kernels
    internal import AVX512Kernels
  #endif
#endif

/// An implementation of XXH3 for messages longer than 240 bytes. All implementations compute the
/// same checksums.
package struct XXHash3Implementation: Hashable, Sendable, BitwiseCopyable {
  enum Kernel {
    case portable
    case vectors
    case avx2
    case avx512
  }

  let kernel: Kernel

  /// Plain Swift, for any processor.
  package static var portable: Self { Self(kernel: .portable) }

  /// The default implementation: the fastest of ``available``.
  package static let current: Self = available[0]

  /// All implementations that this build and processor support, fastest first. Those that are only
  /// used on request come last.
  package static var available: [Self] {
    let kernels: [(Kernel, Bool)] = [
      (.avx2, Processor.hasAVX2), (.vectors, hasVectors), (.portable, true),
      // On Intel's processors, it slows down other code. On AMD's, it's faster only for large
      // messages.
      (.avx512, Processor.hasAVX512),
    ]
    return kernels.compactMap { $0.1 ? Self(kernel: $0.0) : nil }
  }

  /// A short name: "x86-avx512", "x86-avx2", "vectors" (128 bits) or "portable".
  package var name: String {
    switch kernel {
    case .portable: "portable"
    case .vectors: "vectors"
    case .avx2: "x86-avx2"
    case .avx512: "x86-avx512"
    }
  }
}

extension XXHash3Implementation: CustomStringConvertible {
  /// The name.
  package var description: String { name }
}

#if HardwareAcceleration && canImport(LaneKernels) && (!arch(wasm32) || WebAssemblySIMD) && _endian(little)
  extension XXHash3Implementation {
    static var hasVectors: Bool { true }

    /// Accumulates stripes that are followed by more bytes. `position`, 0 to 15, is the number of
    /// earlier stripes in their block.
    func accumulate(
      _ accumulators: UnsafeMutableRawPointer, _ stripes: UnsafeRawPointer, _ stripeCount: Int,
      _ position: Int, _ secret: UnsafeRawPointer
    ) {
      // Safety: guaranteed by the caller.
      switch kernel {
      case .portable:
        unsafe XXHash3.accumulate(accumulators, stripes, stripeCount, position, secret)
      #if arch(x86_64) && !hasFeature(Embedded)
        case .avx2:
          unsafe XXHash3AVX2Kernel.accumulate(
            accumulators, stripes, stripeCount, position, secret)
        case .avx512:
          unsafe XXHash3AVX512Kernel.accumulate(
            accumulators, stripes, stripeCount, position, secret)
      #endif
      default:
        unsafe XXHash3VectorKernel.accumulate(
          accumulators, stripes, stripeCount, position, secret)
      }
    }

    /// Computes the accumulators of a whole message longer than 240 bytes.
    @inline(__always)
    func accumulate(
      whole bytes: UnsafeRawPointer, _ byteCount: Int, _ secret: UnsafeRawPointer,
      into accumulators: UnsafeMutableRawPointer
    ) {
      // Safety: guaranteed by the caller.
      switch kernel {
      case .portable:
        unsafe XXHash3.accumulate(whole: bytes, byteCount, secret, into: accumulators)
      #if arch(x86_64) && !hasFeature(Embedded)
        case .avx2:
          unsafe XXHash3AVX2Kernel.accumulate(
            whole: bytes, byteCount, secret, into: accumulators)
        case .avx512:
          unsafe XXHash3AVX512Kernel.accumulate(
            whole: bytes, byteCount, secret, into: accumulators)
      #endif
      default:
        unsafe XXHash3VectorKernel.accumulate(
          whole: bytes, byteCount, secret, into: accumulators)
      }
    }
  }
#else
  extension XXHash3Implementation {
    static var hasVectors: Bool { false }

    func accumulate(
      _ accumulators: UnsafeMutableRawPointer, _ stripes: UnsafeRawPointer, _ stripeCount: Int,
      _ position: Int, _ secret: UnsafeRawPointer
    ) {
      unsafe XXHash3.accumulate(accumulators, stripes, stripeCount, position, secret)
    }

    func accumulate(
      whole bytes: UnsafeRawPointer, _ byteCount: Int, _ secret: UnsafeRawPointer,
      into accumulators: UnsafeMutableRawPointer
    ) {
      unsafe XXHash3.accumulate(whole: bytes, byteCount, secret, into: accumulators)
    }
  }
#endif

// MARK: - Plain Swift

extension XXHash3 {
  typealias Octet = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  /// Large inputs, step 1.
  static var initialAccumulators: Octet {
    (
      XXHashPrime.shortThird, XXHashPrime.first, XXHashPrime.second, XXHashPrime.third,
      XXHashPrime.fourth, XXHashPrime.shortSecond, XXHashPrime.fifth, XXHashPrime.shortFirst
    )
  }

  /// Step 2, for stripes that are followed by more bytes.
  static func accumulate(
    _ accumulators: UnsafeMutableRawPointer, _ stripes: UnsafeRawPointer, _ stripeCount: Int,
    _ position: Int, _ secret: UnsafeRawPointer
  ) {
    var position = position
    for index in 0..<stripeCount {
      // Safety: there are `stripeCount` stripes, and the position is below 16.
      unsafe accumulate(accumulators, stripes + index &* 64, secret + position &* 8)
      position &+= 1
      if position == 16 {
        unsafe scramble(accumulators, secret + 128)
        position = 0
      }
    }
  }

  /// Steps 1 to 3 for more than 240 bytes.
  static func accumulate(
    whole bytes: UnsafeRawPointer, _ byteCount: Int, _ secret: UnsafeRawPointer,
    into accumulators: UnsafeMutableRawPointer
  ) {
    // Safety: the accumulators are 64 bytes long, and the message is byteCount bytes long.
    unsafe accumulators.storeBytes(of: initialAccumulators, as: Octet.self)
    unsafe accumulate(accumulators, bytes, (byteCount &- 1) / 64, 0, secret)
    unsafe accumulate(accumulators, bytes + (byteCount &- 64), secret + 121)
  }

  /// Step 2-1 for one stripe.
  @inline(__always)
  private static func accumulate(
    _ accumulators: UnsafeMutableRawPointer, _ stripe: UnsafeRawPointer, _ secret: UnsafeRawPointer
  ) {
    // Safety: each is 8 words long.
    let sums = unsafe accumulators.assumingMemoryBound(to: UInt64.self)
    for index in 0..<8 {
      let word = unsafe word(stripe, index &* 8)
      let keyed = unsafe word ^ XXHash3.word(secret, index &* 8)
      unsafe sums[index ^ 1] &+= word
      unsafe sums[index] &+= (keyed & 0xffff_ffff) &* (keyed &>> 32)
    }
  }

  /// Step 2-2.
  @inline(__always)
  private static func scramble(
    _ accumulators: UnsafeMutableRawPointer, _ secret: UnsafeRawPointer
  ) {
    // Safety: each is 8 words long.
    let sums = unsafe accumulators.assumingMemoryBound(to: UInt64.self)
    for index in 0..<8 {
      let sum = unsafe sums[index]
      unsafe sums[index] =
        (sum ^ (sum &>> 47) ^ word(secret, index &* 8)) &* XXHashPrime.shortFirst
    }
  }
}
