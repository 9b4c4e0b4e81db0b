// SPDX-License-Identifier: Apache-2.0
// The median of many samples, and how far the others are from it.

enum SampleStatistics {
  /// The middle sample, or the mean of the two in the middle.
  static func median(_ samples: [Double]) -> Double { quantile(samples, 0.5) }

  /// Half the distance between the quartiles, relative to the median: half of all samples lie
  /// about this far from it or nearer.
  static func spread(_ samples: [Double]) -> Double {
    (quantile(samples, 0.75) - quantile(samples, 0.25)) / 2 / median(samples)
  }

  /// The median of the quotients of each round, in which a drift of the machine cancels.
  static func ratio(_ samples: [Double], to others: [Double]) -> Double {
    median(zip(samples, others).map { $0 / $1 })
  }

  /// The sample at a fraction of the way from the least to the greatest one, interpolated: what
  /// Python's `statistics.quantiles(method="inclusive")` and NumPy compute.
  static func quantile(_ samples: [Double], _ fraction: Double) -> Double {
    precondition(!samples.isEmpty, "there are no statistics of nothing")
    let sorted = samples.sorted()
    let position = fraction * Double(sorted.count - 1)
    let lower = Int(position)
    let upper = min(lower + 1, sorted.count - 1)
    return sorted[lower] + (sorted[upper] - sorted[lower]) * (position - Double(lower))
  }
}
