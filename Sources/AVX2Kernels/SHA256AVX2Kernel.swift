// SPDX-License-Identifier: Apache-2.0
// SHA-256 for processors with AVX2, BMI1 and BMI2: what LaneKernels says, compiled for them.

#if arch(x86_64) && !hasFeature(Embedded)
  internal import LaneKernels

  /// The compression function of SHA-256 (FIPS 180-4, 6.2.2) with AVX2, BMI1 and BMI2.
  ///
  /// The caller has made sure that the processor has them. This module is compiled for such a
  /// processor, so nothing here may be generic, inlined elsewhere, or shared. In the parameters, `k` is the
  /// table of FIPS 180-4, 4.2.2.
  package enum SHA256AVX2Kernel {
    /// Replaces the states of 8 messages (8 words each, one state after the other) by their compression
    /// with `blockCount` blocks each.
    @inline(never)
    #if compiler(>=6.3)
      @export(interface)
    #endif
    package static func compressLanes(
      _ states: UnsafeMutablePointer<UInt32>, _ blocks: UnsafePointer<UnsafeRawPointer>,
      _ blockCount: Int, _ k: UnsafePointer<UInt32>
    ) {
      // Safety: what the caller hands in.
      unsafe LaneKernels.compressLanes(SIMD8<UInt32>.self, states, blocks, blockCount, k)
    }

    /// Replaces `state` (8 words) by its compression with `blockCount` blocks of one message.
    ///
    /// `schedule` has 512 words and `pointers` 8 elements. The schedule keeps what was in the last blocks:
    /// the caller erases it.
    @inline(never)
    #if compiler(>=6.3)
      @export(interface)
    #endif
    package static func compress(
      _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeRawPointer, _ blockCount: Int,
      _ k: UnsafePointer<UInt32>, _ schedule: UnsafeMutablePointer<UInt32>,
      _ pointers: UnsafeMutablePointer<UnsafeRawPointer>
    ) {
      // Safety: what the caller hands in.
      let done = unsafe compressStream(
        SIMD8<UInt32>.self, state, blocks, blockCount, least: 4, k, schedule, pointers)
      unsafe compressFew(state, blocks + done &* 64, blockCount &- done, k)
    }

    /// The same for a few blocks, without a schedule in memory.
    @inline(never)
    #if compiler(>=6.3)
      @export(interface)
    #endif
    package static func compressFew(
      _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeRawPointer, _ blockCount: Int,
      _ k: UnsafePointer<UInt32>
    ) {
      // Safety: what the caller hands in.
      unsafe compressBlocks(state, blocks, blockCount, k)
    }
  }
#endif
