// SPDX-License-Identifier: Apache-2.0
// The kernel that needs no flag: four messages side by side.

/// SHA-256 of four messages side by side, in vectors of 128 bits.
package enum SHA256VectorKernel {
  /// Replaces the states of 4 messages (8 words each, one state after the other) by their compression with
  /// `blockCount` blocks each. `k` is the table of FIPS 180-4, 4.2.2.
  @inline(never)
  #if compiler(>=6.3)
    @export(interface)
  #endif
  package static func compressLanes(
    _ states: UnsafeMutablePointer<UInt32>, _ blocks: UnsafePointer<UnsafeRawPointer>,
    _ blockCount: Int, _ k: UnsafePointer<UInt32>
  ) {
    // Safety: what the caller hands in.
    unsafe LaneKernels.compressLanes(SIMD4<UInt32>.self, states, blocks, blockCount, k)
  }
}
