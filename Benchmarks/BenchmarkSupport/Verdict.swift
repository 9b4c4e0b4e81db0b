// SPDX-License-Identifier: Apache-2.0
// The summary of a run: how the first contender does in each operation.

struct Verdict {
  let report: BenchmarkReport

  init(_ report: BenchmarkReport) {
    self.report = report
  }

  /// The results of each operation, with and without a number of operations per second.
  private var operations: (counted: [[BenchmarkResult]], sized: [[BenchmarkResult]]) {
    let operations = report.operations.map { operation in
      report.results.filter { $0.operation == operation }
    }
    return (
      operations.filter { $0[0].operationsPerSecond != nil },
      operations.filter { $0[0].operationsPerSecond == nil }
    )
  }

  /// A line for each operation. Counted ones are first compared with others, and then with the minimum.
  var lines: [String] {
    let (counted, sized) = operations
    return speedLines(counted) + minimumLines(counted)
      + Self.byBaseline(sized) { baseline, contender in
        "\(contender): times the speed of \(baseline), above 1 is faster"
      } finding: { results in
        Self.ends(results).map(Self.sizeFinding).joined(separator: "  ")
      }
  }

  private func speedLines(_ counted: [[BenchmarkResult]]) -> [String] {
    if counted.isEmpty { return [] }
    return ["\(counted[0][0].contender): how many a second"]
      + counted.map { results in
        let speeds = Self.ends(results).map(Self.countedFinding).joined()
        return "  " + results[0].operation.left(18) + speeds + Self.others(results)
      }
  }

  private func minimumLines(_ counted: [[BenchmarkResult]]) -> [String] {
    Self.byBaseline(counted) { baseline, contender in
      "\n\(contender): times as long as the minimum, \(baseline), which does nothing else"
    } finding: { results in
      Self.ends(results).map { (1 / $0.ratio).text(digits: 3).right(8) }.joined()
    }
  }

  /// A line for each operation, under one heading for each baseline.
  private static func byBaseline(
    _ operations: [[BenchmarkResult]], heading: (_ baseline: String, _ contender: String) -> String,
    finding: ([BenchmarkResult]) -> String
  ) -> [String] {
    operations.map { $0[0].baseline }.uniqued().flatMap { baseline in
      let compared = operations.filter { $0[0].baseline == baseline }
      return [heading(baseline, compared[0][0].contender)]
        + compared.map { "  " + $0[0].operation.left(22) + finding($0) }
    }
  }

  /// The results of the first contender for the smallest and the largest size.
  private static func ends(_ results: [BenchmarkResult]) -> [BenchmarkResult] {
    let ofFirst = results.filter { $0.contender == results[0].contender }
    return ofFirst.count > 1 ? [ofFirst[0], ofFirst[ofFirst.count - 1]] : ofFirst
  }

  /// "64 B   1.37 (54.1 ns)".
  private static func sizeFinding(_ result: BenchmarkResult) -> String {
    let speed =
      result.bytes < 1 << 10
      ? result.nanoseconds.durationText : (result.bytesPerSecond / 1e9).text(digits: 3) + " GB/s"
    return ByteCount.text(result.bytes).right(7)
      + "  \(result.ratio.text(decimals: 2)) (\(speed))"
  }

  /// "1,690,000 a second".
  private static func countedFinding(_ result: BenchmarkResult) -> String {
    ((result.operationsPerSecond ?? 0).text(digits: 3) + " a second").right(20)
  }

  /// ": 13 times awscrt, 72 times botocore".
  private static func others(_ results: [BenchmarkResult]) -> String {
    let others = results.compactMap { result in
      result.timesFirst.map { "\($0.text(digits: 2)) times \(result.contender)" }
    }
    return others.isEmpty ? "" : ": " + others.joined(separator: ", ")
  }
}
