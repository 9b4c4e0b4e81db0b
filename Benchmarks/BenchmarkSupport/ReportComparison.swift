// SPDX-License-Identifier: Apache-2.0
// What changed between two runs, and what is only noise.

struct ReportComparison {
  let old: BenchmarkReport
  let new: BenchmarkReport

  var text: String {
    let heading = ["Changes since \(old.date)"] + warnings + [Self.columnTitles]
    return (heading + pairs.map(Self.line) + unmatched).joined(separator: "\n")
  }

  /// What is in both runs.
  private var pairs: [(old: BenchmarkResult, new: BenchmarkResult)] {
    new.results.compactMap { result in
      old.results.first { $0.subject == result.subject }.map { ($0, result) }
    }
  }

  private var warnings: [String] {
    if old.machine == new.machine { return [] }
    return ["Another machine (\(old.machine)): compare the ratios only."]
  }

  private static var columnTitles: String {
    "operation".left(17) + "size".left(8) + "contender".left(21) + "ns old".right(12)
      + "ns new".right(12) + "old".right(7) + "new".right(7) + "  ratio"
  }

  private static func line(_ old: BenchmarkResult, _ new: BenchmarkResult) -> String {
    let cells = [
      new.operation.left(17), ByteCount.text(new.bytes).left(8), new.contender.left(21),
      old.nanoseconds.text(decimals: 1).right(12), new.nanoseconds.text(decimals: 1).right(12),
      old.ratio.text(decimals: 2).right(7), new.ratio.text(decimals: 2).right(7), "  ",
    ]
    return cells.joined() + verdict(old, new)
  }

  /// The change of the ratio; a change that is smaller than both spreads together says nothing.
  static func verdict(_ old: BenchmarkResult, _ new: BenchmarkResult) -> String {
    if old.baseline != new.baseline { return "other baseline" }
    if new.contender == new.baseline { return "baseline" }
    let change = abs(new.ratio / old.ratio - 1)
    return change <= old.spread + new.spread ? "same" : new.ratio.change(from: old.ratio)
  }

  private var unmatched: [String] {
    func missing(_ report: BenchmarkReport, in other: BenchmarkReport) -> [BenchmarkResult] {
      report.results.filter { result in !other.results.contains { $0.subject == result.subject } }
    }
    return missing(old, in: new).map { "only in the old run: \($0.subject)" }
      + missing(new, in: old).map { "only in the new run: \($0.subject)" }
  }
}
