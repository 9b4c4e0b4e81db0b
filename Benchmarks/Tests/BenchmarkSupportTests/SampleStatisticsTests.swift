// SPDX-License-Identifier: Apache-2.0
// Statistics, compared with Python's module of that name.

internal import Testing

@testable internal import BenchmarkSupport

/// Expected: Python 3, `statistics.median` and `statistics.quantiles(n=4, method="inclusive")`.
@Suite struct SampleStatisticsTests {
  @Test(
    "The median and the quartiles match Python's statistics module",
    arguments: [
      ([5.0, 1.0, 4.0, 2.0, 3.0], [2.0, 3.0, 4.0]),
      ([12.5, 3.25, 8.0, 9.75, 4.5, 20.0], [5.375, 8.875, 11.8125]),
      ([2.0, 1.0], [1.25, 1.5, 1.75]),
    ])
  func quartiles(samples: [Double], expected: [Double]) {
    #expect([0.25, 0.5, 0.75].map { SampleStatistics.quantile(samples, $0) } == expected)
    #expect(SampleStatistics.median(samples) == expected[1])
  }

  @Test("The median of one sample is this sample, and its spread is zero")
  func oneSample() {
    #expect(SampleStatistics.median([7]) == 7)
    #expect(SampleStatistics.spread([7]) == 0)
  }

  @Test("The spread is half the distance between the quartiles, relative to the median")
  func spread() {
    // (11.8125 - 5.375) / 2 / 8.875, by Python
    let spread = SampleStatistics.spread([12.5, 3.25, 8.0, 9.75, 4.5, 20.0])
    #expect(abs(spread - 0.362_676_056_338_028_3) < 1e-15)
  }

  @Test("The ratio is the median of the ratios of the rounds, not the ratio of the medians")
  func ratio() {
    // Quotients 0.4, 1, 2.5, 15, 2: the median is 2, the quotient of the medians is 6 / 3 = 2;
    // with the last two rounds twice as slow for both it stays 2, and the other becomes 10 / 4.
    let (slow, fast) = ([2.0, 1.0, 10.0, 30.0, 6.0], [5.0, 1.0, 4.0, 2.0, 3.0])
    #expect(SampleStatistics.ratio(slow, to: fast) == 2)
    let (drifted, alsoDrifted) = ([2.0, 1.0, 10.0, 60.0, 12.0], [5.0, 1.0, 4.0, 4.0, 6.0])
    #expect(SampleStatistics.ratio(drifted, to: alsoDrifted) == 2)
    #expect(SampleStatistics.median(drifted) / SampleStatistics.median(alsoDrifted) == 2.5)
  }

  @Test(
    "Numbers are rounded to significant digits",
    arguments: [
      (123_456.789, 3, 123_000.0), (0.001_234_56, 3, 0.001_23), (9.996, 3, 10.0), (0, 3, 0),
      (-1.249, 2, -1.2), (83.649_9, 4, 83.65), (1e21, 3, 1e21),
    ])
  func rounding(value: Double, digits: Int, expected: Double) {
    #expect(value.rounded(toDigits: digits) == expected)
  }
}
