// SPDX-License-Identifier: Apache-2.0
// The differences between two runs, separated from noise.

struct ReportComparison {
  let old: BenchmarkReport
  let new: BenchmarkReport

  /// The changes. Noise is only counted.
  var text: String {
    let changes = pairs.compactMap(Self.line)
    let table = changes.isEmpty ? [] : [Self.columnTitles] + changes
    let lines = [heading(changeCount: changes.count)] + warnings + table + unmatched
    return lines.joined(separator: "\n")
  }

  private func heading(changeCount: Int) -> String {
    "Since \(old.date): \(changeCount) of \(pairs.count) ratios changed by more than the noise "
      + "(\(Self.threshold.shareText), or both spreads)"
  }

  /// The ratios in both runs, except baselines, whose ratio is always 1.
  private var pairs: [(old: BenchmarkResult, new: BenchmarkResult)] {
    new.results.filter { $0.contender != $0.baseline }.compactMap { result in
      old.results.first { $0.subject == result.subject }.map { ($0, result) }
    }
  }

  private var warnings: [String] {
    if old.machine == new.machine { return [] }
    return ["Another machine (\(old.machine)): compare the ratios only."]
  }

  private static var columnTitles: String {
    "operation".left(23) + "size".left(8) + "contender".left(21) + "time old".right(12)
      + "time new".right(12) + "old".right(7) + "new".right(7) + "  ratio"
  }

  private static func line(_ old: BenchmarkResult, _ new: BenchmarkResult) -> String? {
    guard let verdict = verdict(old, new) else { return nil }
    let cells = [
      new.operation.left(23), ByteCount.text(new.bytes).left(8), new.contender.left(21),
      old.nanoseconds.durationText.right(12), new.nanoseconds.durationText.right(12),
      old.ratio.text(digits: 3).right(7), new.ratio.text(digits: 3).right(7), "  ",
    ]
    return cells.joined() + verdict
  }

  /// The difference of a ratio between two runs without a change. On two cores that also ran
  /// builds, 199 of 200 ratios of two runs of hashing-benchmark were within 5%.
  static let threshold = 0.05

  /// The change of a ratio, or nil for noise.
  static func verdict(_ old: BenchmarkResult, _ new: BenchmarkResult) -> String? {
    if old.baseline != new.baseline { return "other baseline" }
    let isNoise = abs(new.ratio / old.ratio - 1) <= max(threshold, old.spread + new.spread)
    return isNoise ? nil : new.ratio.change(from: old.ratio)
  }

  private var unmatched: [String] {
    func missing(_ report: BenchmarkReport, in other: BenchmarkReport) -> [BenchmarkResult] {
      report.results.filter { result in !other.results.contains { $0.subject == result.subject } }
    }
    return missing(old, in: new).map { "only in the old run: \($0.subject)" }
      + missing(new, in: old).map { "only in the new run: \($0.subject)" }
  }
}

extension BenchmarkReport {
  /// Whether one of the results changed by more than noise since this report.
  func differs(from new: [BenchmarkResult]) -> Bool {
    new.contains { result in
      let old = results.first { $0.subject == result.subject }
      return old.flatMap { ReportComparison.verdict($0, result) } != nil
    }
  }
}
