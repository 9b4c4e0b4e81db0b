// SPDX-License-Identifier: Apache-2.0
// The clock of all measurements: it stands still while other programs have the processor.

internal import Foundation

enum ProcessorTime {
  /// How long this thread has been running, in nanoseconds.
  static var nanoseconds: Double {
    var time = timespec()
    // Safety: the time is written during the call only.
    _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}
