// SPDX-License-Identifier: Apache-2.0
// The results for a terminal of 100 columns: the verdict, and tables with bars.

struct ResultTable {
  let report: BenchmarkReport
  /// Whether every size and contender is shown.
  let isComplete: Bool

  init(_ report: BenchmarkReport, isComplete: Bool = false) {
    self.report = report
    self.isComplete = isComplete
  }

  var text: String {
    let libcrypto = report.libraries.filter { $0.hasPrefix("libcrypto: ") }
    let heading = [([report.benchmark, report.date] + libcrypto).joined(separator: ", ")]
    let machine = [report.machine] + report.libraries
    let verdict = Verdict(report).lines
    let tables =
      isComplete
      ? report.operations.map(lines(of:)) + [explanation, verdict]
      : [["--tables shows every size and contender."]]
    return ([heading + verdict, machine] + tables).map { $0.joined(separator: "\n") }
      .joined(separator: "\n\n")
  }

  private func lines(of operation: String) -> [String] {
    let results = report.results.filter { $0.operation == operation }
    let baselines = results.map(\.baseline).uniqued().joined(separator: ", ")
    let longest = results.map(\.ratio).max() ?? 1
    let isCounted = results.contains { $0.operationsPerSecond != nil }
    var lines = ["\(operation): ratio to \(baselines)"]
    lines += results.compactMap(\.remark).uniqued()
    lines.append(isCounted ? Self.countedColumnTitles : Self.columnTitles)
    for size in results.map(\.bytes).uniqued() {
      let ofSize = results.filter { $0.bytes == size }
      lines += ofSize.enumerated().map { index, result in
        isCounted
          ? Self.countedLine(result, isFirst: index == 0, longestRatio: longest)
          : Self.line(result, isFirst: index == 0, longestRatio: longest)
      }
    }
    return lines
  }

  private static var columnTitles: String {
    "size".left(8) + "contender".left(21) + "time".right(11) + "spread".right(8) + "MB/s".right(8)
      + "cyc/B".right(7) + "streams".right(9) + "ratio".right(7)
  }

  private static func line(
    _ result: BenchmarkResult, isFirst: Bool, longestRatio: Double
  ) -> String {
    let cells = [
      (isFirst ? ByteCount.text(result.bytes) : "").left(8), result.contender.left(21),
      result.nanoseconds.durationText.right(11), result.spread.shareText.right(8),
      (result.bytesPerSecond / 1e6).text(digits: 3).right(8),
      (result.cyclesPerByte?.text(digits: 3) ?? "").right(7),
      (result.oneStreamRatio.map { "x" + $0.text(decimals: 2) } ?? "").right(9),
      result.ratio.text(decimals: 2).right(7), " ",
    ]
    return cells.joined() + Bar.text(result.ratio / longestRatio, width: 20)
  }

  private static var countedColumnTitles: String {
    "size".left(10) + "contender".left(21) + "time".right(11) + "spread".right(8)
      + "a second".right(11)
      + "ns/B".right(8) + "allocs".right(8) + "cost".right(8) + "ratio".right(8)
  }

  private static func countedLine(
    _ result: BenchmarkResult, isFirst: Bool, longestRatio: Double
  ) -> String {
    let cells = [
      (isFirst ? ByteCount.text(result.bytes) : "").left(10), result.contender.left(21),
      result.nanoseconds.durationText.right(11), result.spread.shareText.right(8),
      (result.operationsPerSecond ?? 0).text(digits: 3).right(11),
      (result.nanoseconds / Double(result.bytes)).text(digits: 3).right(8),
      (result.allocations.map(Self.short) ?? "-").right(8),
      (result.cost?.text(digits: 3) ?? "").right(8), result.ratio.text(digits: 3).right(8), " ",
    ]
    return cells.joined() + Bar.text(result.ratio / longestRatio, width: 6)
  }

  /// A number of allocations: mostly a whole one.
  private static func short(_ number: Double) -> String {
    number.text(decimals: number == number.rounded() ? 0 : 2)
  }

  private var explanation: [String] {
    [
      "time: median for one operation; spread: half the distance between the quartiles.",
      "ratio: how many times as fast as the baseline; the median over rounds in which all take turns.",
    ]
      + (report.results.contains { $0.oneStreamRatio != nil }
        ? ["streams: how many times as fast as the same messages one after the other."] : [])
      + (report.results.contains { $0.operationsPerSecond == nil } ? [cyclesExplanation] : [])
      + (report.results.contains { $0.operationsPerSecond != nil } ? countedExplanation : [])
  }

  private var cyclesExplanation: String {
    report.results.contains { $0.cyclesPerByte != nil }
      ? "cyc/B: cycles of the core for a byte, by its clock as measured in each round."
      : "cyc/B is left out: the clock of this processor's core could not be measured."
  }

  private var countedExplanation: [String] {
    [
      "cost: how many times as long as the baseline, the inverse of ratio.",
      report.results.contains { $0.allocations != nil }
        ? "allocs: heap allocations of one operation, counted; - for other processes."
        : "allocs are not counted in this build: it takes glibc and -c release.",
    ]
  }
}
