// SPDX-License-Identifier: Apache-2.0
// Measures the current cycle time of this processor core, with work that takes a known number of
// cycles.

enum CoreClock {
  /// Nanoseconds per cycle, or nil if the work's cycles are unknown, as in a debug build.
  ///
  /// The time-stamp counter and the system's nominal frequency don't show it: a core is faster or
  /// slower than both. But a rotation and an addition, each waiting for the other, take one cycle
  /// each on all x86-64 and arm64 cores that we know of.
  static func cycleNanoseconds() -> Double? {
    #if (arch(x86_64) || arch(arm64)) && !DEBUG
      // The minimum of three: an interruption only makes it longer. Wall-clock time, which is
      // fastest to read.
      var state: UInt64 = 0x9E37_79B9_7F4A_7C15
      let times = (0..<3).map { _ in
        ContinuousClock().measure { state = chain(state, increment: state | 1) }
      }
      // Used, so that the compiler can't omit the work. It's 0 once in 2^64 runs.
      if state == 0 { return nil }
      return times.min().map { $0.nanoseconds / Double(2 * stepCount) }
    #else
      return nil
    #endif
  }

  private static let stepCount = 40_000

  @inline(never)
  private static func chain(_ start: UInt64, increment: UInt64) -> UInt64 {
    var value = start
    for _ in 0..<stepCount {
      value = (value &<< 23 | value &>> 41) &+ increment
    }
    return value
  }
}
