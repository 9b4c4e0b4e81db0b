// SPDX-License-Identifier: Apache-2.0
// What a run says, before its tables: how the first contender does in each operation.

struct Verdict {
  let report: BenchmarkReport

  init(_ report: BenchmarkReport) {
    self.report = report
  }

  /// A line for each operation, under one heading for each baseline.
  var lines: [String] {
    let operations = report.operations.map { operation in
      report.results.filter { $0.operation == operation }
    }
    return operations.map { $0[0].baseline }.uniqued().flatMap { baseline in
      let compared = operations.filter { $0[0].baseline == baseline }
      return ["\(compared[0][0].contender): times the speed of \(baseline), above 1 is faster"]
        + compared.map { "  " + $0[0].operation.left(22) + Self.finding($0) }
    }
  }

  private static func finding(_ results: [BenchmarkResult]) -> String {
    let ofFirst = results.filter { $0.contender == results[0].contender }
    let ends = ofFirst.count > 1 ? [ofFirst[0], ofFirst[ofFirst.count - 1]] : ofFirst
    return results[0].operationsPerSecond == nil
      ? ends.map(sizeFinding).joined(separator: "  ")
      : ends.map(countedFinding).joined() + others(results)
  }

  /// "64 B   1.37 (54.1 ns)".
  private static func sizeFinding(_ result: BenchmarkResult) -> String {
    let speed =
      result.bytes < 1 << 10
      ? result.nanoseconds.durationText : (result.bytesPerSecond / 1e9).text(digits: 3) + " GB/s"
    return ByteCount.text(result.bytes).right(7)
      + "  \(result.ratio.text(decimals: 2)) (\(speed))"
  }

  /// "0.42   1,690,000 a second".
  private static func countedFinding(_ result: BenchmarkResult) -> String {
    result.ratio.text(digits: 2).right(5)
      + ((result.operationsPerSecond ?? 0).text(digits: 3) + " a second").right(20)
  }

  /// ": 13 times awscrt, 72 times botocore".
  private static func others(_ results: [BenchmarkResult]) -> String {
    let others = results.compactMap { result in
      result.timesFirst.map { "\($0.text(digits: 2)) times \(result.contender)" }
    }
    return others.isEmpty ? "" : ": " + others.joined(separator: ", ")
  }
}
