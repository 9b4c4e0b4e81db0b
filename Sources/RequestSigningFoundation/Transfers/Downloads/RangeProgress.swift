// SPDX-License-Identifier: Apache-2.0
// The progress of a download in ranges, from what it began with.

internal import RequestSigning

/// The progress of a download in ranges. Few of them are in transit, however many there are.
final class RangeProgress: Sendable {
  private let total: Int64
  private let meter: ProgressMeter?
  private let counts: Guarded<Counts>

  private struct Counts: Sendable {
    var finished: Int64
    /// The byte counts of ranges in transit by their first byte.
    var active: [Int64: Int64] = [:]
  }

  /// Reports the finished bytes of an earlier call.
  init(_ state: DownloadCheckpoint, _ meter: ProgressMeter?) {
    total = state.byteCount
    self.meter = meter
    let there = state.finished.byteCount
    counts = Guarded(Counts(finished: there))
    if there > 0 { meter?.advance(to: there, of: total) }
  }

  /// Updates the progress of a range.
  func advance(_ range: Range<Int64>, to byteCount: Int64) {
    guard let meter else { return }
    let sum = counts.withLock { counts in
      counts.active[range.lowerBound] = byteCount
      return counts.active.values.reduce(counts.finished, +)
    }
    meter.advance(to: sum, of: total)
  }

  func finish(_ range: Range<Int64>) {
    counts.withLock { counts in
      counts.active[range.lowerBound] = nil
      counts.finished += range.byteCount
    }
  }
}
