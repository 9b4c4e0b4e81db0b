// SPDX-License-Identifier: Apache-2.0
// The implementations of the SHA-512 compression function.

#if HardwareAcceleration && canImport(HardwareKernels)
  internal import HardwareKernels
#endif

#if HardwareAcceleration && canImport(LaneKernels) && arch(x86_64) && !hasFeature(Embedded)
  internal import AVX2Kernels
  internal import AVX512Kernels
  internal import LaneKernels
#endif

/// A SHA-512 compression function that this processor supports. All implementations compute the
/// same digests.
package enum SHA512Implementation: BitwiseCopyable, Sendable {
  case avx512
  case avx2
  case portable

  /// The fastest implementation that this build and processor support.
  package static let current: Self = available[0]

  /// All implementations that this build and processor support, fastest first.
  package static var available: [Self] {
    if Processor.hasAVX512 { return [.avx512, .avx2, .portable] }
    if Processor.hasFastAVX2 { return [.avx2, .portable] }
    return Processor.hasAVX2 ? [.portable, .avx2] : [.portable]
  }

  /// Compresses `blockCount` 128-byte blocks into `state` (8 words).
  func compress(
    _ state: UnsafeMutablePointer<UInt64>, _ blocks: UnsafeRawPointer, _ blockCount: Int
  ) {
    // Safety: the caller guarantees 8 words and `blockCount` blocks.
    let done = unsafe self == .portable ? 0 : compressFours(state, blocks, blockCount)
    if done < blockCount {
      unsafe SHA512PortableCompression.compress(state, blocks + done * 128, blockCount - done)
    }
  }

  #if HardwareAcceleration && canImport(LaneKernels) && arch(x86_64) && !hasFeature(Embedded)
    private typealias Schedules = (Words, Words, Words, Words, Words)
    private typealias Words = SIMD64<UInt64>

    /// Compresses four blocks at a time. Wipes their schedules, which reveal the blocks.
    @inline(never)
    private func compressFours(
      _ state: UnsafeMutablePointer<UInt64>, _ blocks: UnsafeRawPointer, _ blockCount: Int
    ) -> Int {
      if blockCount < 4 { return 0 }
      var schedules: Schedules = (.zero, .zero, .zero, .zero, .zero)
      // Safety: neither buffer escapes the closures, and both have the sizes that the kernel
      // requires.
      return unsafe withUnsafeMutableBytes(of: &schedules) { schedules in
        unsafe SHA512Computation.roundConstants.withUnsafeBufferPointer { constants in
          guard let start = schedules.baseAddress, let k = constants.baseAddress else { return 0 }
          let words = unsafe start.bindMemory(to: UInt64.self, capacity: 320)
          let done =
            unsafe self == .avx512
            ? SHA512AVX512Kernel.compress(state, blocks, blockCount, k, words)
            : SHA512AVX2Kernel.compress(state, blocks, blockCount, k, words)
          unsafe ConstantTime.wipe(schedules)
          return done
        }
      }
    }
  #else
    private func compressFours(
      _ state: UnsafeMutablePointer<UInt64>, _ blocks: UnsafeRawPointer, _ blockCount: Int
    ) -> Int { 0 }
  #endif
}
