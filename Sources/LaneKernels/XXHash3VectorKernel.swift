// SPDX-License-Identifier: Apache-2.0
// XXH3 in 128-bit vectors, which every x86-64 and arm64 processor has, and wasm with SIMD.

/// The loop of XXH3 in 128-bit vectors. The called functions document the parameters.
package enum XXHash3VectorKernel {
  /// Accumulates stripes that are followed by more bytes.
  @inline(never)
  #if compiler(>=6.3) && !hasFeature(Embedded)
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
  #if compiler(>=6.3) && !hasFeature(Embedded)
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
