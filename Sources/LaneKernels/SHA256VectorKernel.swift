// SPDX-License-Identifier: Apache-2.0
// The kernel that needs no compiler flags: four messages in parallel.

/// SHA-256 of four messages in parallel, in 128-bit vectors.
package enum SHA256VectorKernel {
  /// Compresses `blockCount` blocks of each of 4 messages into their states (8 words each,
  /// contiguous). `k` is the table of FIPS 180-4, 4.2.2.
  @inline(never)
  #if compiler(>=6.3)
    @export(interface)
  #endif
  package static func compressLanes(
    _ states: UnsafeMutablePointer<UInt32>, _ blocks: UnsafePointer<UnsafeRawPointer>,
    _ blockCount: Int, _ k: UnsafePointer<UInt32>
  ) {
    // Safety: guaranteed by the caller.
    unsafe LaneKernels.compressLanes(SIMD4<UInt32>.self, states, blocks, blockCount, k)
  }
}
