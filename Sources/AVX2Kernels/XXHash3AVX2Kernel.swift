// SPDX-License-Identifier: Apache-2.0
// XXH3 for processors with AVX2, BMI1 and BMI2, compiled from LaneKernels.

#if arch(x86_64) && !hasFeature(Embedded)
  internal import LaneKernels

  /// The loop of XXH3 with AVX2, BMI1 and BMI2. The called functions document the parameters.
  ///
  /// The caller must have checked that the processor has them. This module is compiled for such a
  /// processor, so nothing here may be generic, inlined into other modules, or shared.
  package enum XXHash3AVX2Kernel {
    /// Accumulates stripes that are followed by more bytes.
    @inline(never)
    #if compiler(>=6.3)
      @export(interface)
    #endif
    package static func accumulate(
      _ accumulators: UnsafeMutableRawPointer, _ stripes: UnsafeRawPointer, _ stripeCount: Int,
      _ position: Int, _ secret: UnsafeRawPointer
    ) {
      // Safety: guaranteed by the caller.
      unsafe accumulateXXHash3(accumulators, stripes, stripeCount, position, secret)
    }

    /// Computes the accumulators of a whole message longer than 240 bytes.
    @inline(never)
    #if compiler(>=6.3)
      @export(interface)
    #endif
    package static func accumulate(
      whole bytes: UnsafeRawPointer, _ byteCount: Int, _ secret: UnsafeRawPointer,
      into accumulators: UnsafeMutableRawPointer
    ) {
      // Safety: guaranteed by the caller.
      unsafe accumulateXXHash3(whole: bytes, byteCount, secret, into: accumulators)
    }
  }
#endif
