// SPDX-License-Identifier: Apache-2.0
// The clock of all measurements, which stops while other programs have the processor.

internal import Foundation

enum ProcessorTime {
  /// How long this thread has been running, in nanoseconds.
  static var nanoseconds: Double {
    var time = timespec()
    // Safety: the time is only written during the call.
    _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}
