// SPDX-License-Identifier: Apache-2.0
// SHA-512 for processors with AVX2, BMI1 and BMI2, compiled from LaneKernels.

#if arch(x86_64) && !hasFeature(Embedded)
  internal import LaneKernels

  /// The SHA-512 compression function (FIPS 180-4, 6.4.2) with AVX2, BMI1 and BMI2.
  ///
  /// The caller must have checked that the processor has them. This module is compiled for such a
  /// processor, so nothing here may be generic, inlined into other modules, or shared.
  package enum SHA512AVX2Kernel {
    /// Compresses 128-byte blocks into `state` (8 words), four at a time. Returns the number of
    /// compressed blocks.
    ///
    /// `k` is the table of FIPS 180-4, 4.2.3, and `schedule` has 320 words. The caller must wipe
    /// `schedule`, which depends on the message.
    @inline(never)
    #if compiler(>=6.3)
      @export(interface)
    #endif
    package static func compress(
      _ state: UnsafeMutablePointer<UInt64>, _ blocks: UnsafeRawPointer, _ blockCount: Int,
      _ k: UnsafePointer<UInt64>, _ schedule: UnsafeMutablePointer<UInt64>
    ) -> Int {
      // Safety: guaranteed by the caller.
      unsafe compressSHA512Stream(state, blocks, blockCount, k, schedule, canRotate: false)
    }
  }
#endif
