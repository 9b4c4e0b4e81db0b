// SPDX-License-Identifier: Apache-2.0
// The registry of compression functions: the only place that may know that more than one exists.

nonisolated extension SHA256 {
  /// A compression function of SHA-256 that this build can run.
  public struct Implementation: Sendable {
    /// A short name for people, such as "portable".
    public var name: String { "portable" }

    /// The implementation in use.
    public static var current: Implementation { Implementation() }

    /// Every implementation that this processor can run, the fastest first.
    public static var available: [Implementation] { [current] }

    /// Replaces 8 words of state by their compression with `blockCount` blocks of 64 bytes each.
    func compress(
      _ state: UnsafeMutablePointer<UInt32>, _ blocks: UnsafeRawPointer, _ blockCount: Int
    ) {
      // Safety: handed on as it came.
      unsafe PortableCompression.compress(state, blocks, blockCount)
    }
  }
}
