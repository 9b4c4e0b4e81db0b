// SPDX-License-Identifier: Apache-2.0
// How long a cycle of this processor core lasts just now, measured by work whose cycles are known.

enum CoreClock {
  /// Nanoseconds for a cycle, or nil where the cycles of the work are not known, as in a debug build.
  ///
  /// Neither the time-stamp counter nor the system's nominal frequency tells it: a core is faster or
  /// slower than both. But a rotation and an addition, each waiting for the other, take one cycle
  /// each on the x86-64 and arm64 cores that we know of.
  static func cycleNanoseconds() -> Double? {
    #if (arch(x86_64) || arch(arm64)) && !DEBUG
      // The shortest of three: an interruption only ever makes it longer. The clock of the wall,
      // since it takes the least time to read.
      var state: UInt64 = 0x9E37_79B9_7F4A_7C15
      let times = (0..<3).map { _ in
        ContinuousClock().measure { state = chain(state, increment: state | 1) }
      }
      // Asked for, so that the work cannot be left out. In 2^64 runs it is 0 once.
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
