// SPDX-License-Identifier: Apache-2.0
// SHA-512 for processors with AVX2, BMI1 and BMI2: what LaneKernels says, compiled for them.

#if arch(x86_64) && !hasFeature(Embedded)
  internal import LaneKernels

  /// The compression function of SHA-512 (FIPS 180-4, 6.4.2) with AVX2, BMI1 and BMI2.
  ///
  /// The caller has made sure that the processor has them. This module is compiled for such a
  /// processor, so nothing here may be generic, inlined elsewhere, or shared.
  package enum SHA512AVX2Kernel {
    /// Compresses 128-byte blocks into `state` (8 words), four at a time. Returns the number of compressed blocks.
    ///
    /// `k` is the table of FIPS 180-4, 4.2.3, and `schedule` has 320 words. The schedule keeps what was in the last
    /// blocks: the caller erases it.
    @inline(never)
    #if compiler(>=6.3)
      @export(interface)
    #endif
    package static func compress(
      _ state: UnsafeMutablePointer<UInt64>, _ blocks: UnsafeRawPointer, _ blockCount: Int,
      _ k: UnsafePointer<UInt64>, _ schedule: UnsafeMutablePointer<UInt64>
    ) -> Int {
      // Safety: what the caller hands in.
      unsafe compressSHA512Stream(state, blocks, blockCount, k, schedule)
    }
  }
#endif
