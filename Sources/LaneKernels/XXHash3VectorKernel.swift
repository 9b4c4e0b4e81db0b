// SPDX-License-Identifier: Apache-2.0
// XXH3 in vectors of 128 bits, which every x86-64 and arm64 processor has, and wasm with SIMD.

/// The loop of XXH3 in vectors of 128 bits. What the parameters are is said at the functions it calls.
package enum XXHash3VectorKernel {
  /// Accumulates stripes that other bytes follow.
  @inline(never)
  #if compiler(>=6.3) && !hasFeature(Embedded)
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
  #if compiler(>=6.3) && !hasFeature(Embedded)
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
