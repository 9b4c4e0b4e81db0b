// SPDX-License-Identifier: Apache-2.0
// XXH3 for processors with AVX2, BMI1 and BMI2: what LaneKernels says, compiled for them.

#if arch(x86_64) && !hasFeature(Embedded)
  internal import LaneKernels

  /// The loop of XXH3 with AVX2, BMI1 and BMI2. What the parameters are is said at the functions it calls.
  ///
  /// The caller has made sure that the processor has them. This module is compiled for such a
  /// processor, so nothing here may be generic, inlined elsewhere, or shared.
  package enum XXHash3AVX2Kernel {
    /// Accumulates stripes that other bytes follow.
    @inline(never)
    #if compiler(>=6.3)
      @export(interface)
    #endif
    package static func accumulate(
      _ accumulators: UnsafeMutableRawPointer, _ stripes: UnsafeRawPointer, _ stripeCount: Int,
      _ position: Int, _ secret: UnsafeRawPointer
    ) {
      // Safety: what the caller hands in.
      unsafe accumulateXXHash3(accumulators, stripes, stripeCount, position, secret)
    }

    /// The accumulators of a whole message of more than 240 bytes.
    @inline(never)
    #if compiler(>=6.3)
      @export(interface)
    #endif
    package static func accumulate(
      whole bytes: UnsafeRawPointer, _ byteCount: Int, _ secret: UnsafeRawPointer,
      into accumulators: UnsafeMutableRawPointer
    ) {
      // Safety: what the caller hands in.
      unsafe accumulateXXHash3(whole: bytes, byteCount, secret, into: accumulators)
    }
  }
#endif
