// SPDX-License-Identifier: Apache-2.0
// SHA-256 for processors with AVX2, BMI1 and BMI2, compiled from LaneKernels.

#if arch(x86_64) && !hasFeature(Embedded)
  internal import LaneKernels

  /// The SHA-256 compression function (FIPS 180-4, 6.2.2) with AVX2, BMI1 and BMI2.
  ///
  /// The caller must have checked that the processor has them. This module is compiled for such a
  /// processor, so nothing here may be generic, inlined into other modules, or shared. In the
  /// parameters, `k` is the table of FIPS 180-4, 4.2.2.
  package enum SHA256AVX2Kernel {
    /// Compresses `blockCount` blocks of each of 8 messages into their states (8 words each,
    /// contiguous).
    @inline(never)
    #if compiler(>=6.3)
      @export(interface)
    #endif
    package static func compressLanes(
      _ states: UnsafeMutablePointer<UInt32>, _ blocks: UnsafePointer<UnsafeRawPointer>,
      _ blockCount: Int, _ k: UnsafePointer<UInt32>
    ) {
      // Safety: guaranteed by the caller.
      unsafe LaneKernels.compressLanes(SIMD8<UInt32>.self, states, blocks, blockCount, k)
    }

    /// Compresses `blockCount` blocks of one message into `state` (8 words).
    ///
    /// `schedule` has 512 words and `pointers` 8 elements. The caller must wipe `schedule`, which
    /// depends on the message.
    @inline(never)
    #if compiler(>=6.3)
      @export(interface)
    #endif
    package static func compress(
      _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeRawPointer, _ blockCount: Int,
      _ k: UnsafePointer<UInt32>, _ schedule: UnsafeMutablePointer<UInt32>,
      _ pointers: UnsafeMutablePointer<UnsafeRawPointer>
    ) {
      // Safety: guaranteed by the caller.
      let done = unsafe compressStream(
        SIMD8<UInt32>.self, state, blocks, blockCount, least: 4, k, schedule, pointers)
      unsafe compressFew(state, blocks + done &* 64, blockCount &- done, k)
    }

    /// Compresses a few blocks of one message into `state`, without a schedule in memory.
    @inline(never)
    #if compiler(>=6.3)
      @export(interface)
    #endif
    package static func compressFew(
      _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeRawPointer, _ blockCount: Int,
      _ k: UnsafePointer<UInt32>
    ) {
      // Safety: guaranteed by the caller.
      unsafe compressBlocks(state, blocks, blockCount, k)
    }
  }
#endif
