// SPDX-License-Identifier: Apache-2.0
// The results as a table with bars, for a terminal of 100 columns.

struct ResultTable {
  let report: BenchmarkReport

  init(_ report: BenchmarkReport) {
    self.report = report
  }

  var text: String {
    let heading = ["\(report.benchmark), \(report.date)", report.machine] + report.libraries
    let tables = report.operations.map(lines(of:))
    return ([heading] + tables + [explanation]).map { $0.joined(separator: "\n") }
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
    return lines + Self.comparisons(results)
  }

  private static var columnTitles: String {
    "size".left(8) + "contender".left(21) + "ns".right(11) + "spread".right(8) + "MB/s".right(8)
      + "cyc/B".right(7) + "streams".right(9) + "ratio".right(7)
  }

  private static func line(
    _ result: BenchmarkResult, isFirst: Bool, longestRatio: Double
  ) -> String {
    let cells = [
      (isFirst ? ByteCount.text(result.bytes) : "").left(8), result.contender.left(21),
      result.nanoseconds.text(decimals: 1).right(11),
      ((result.spread * 100).text(decimals: 1) + "%").right(8),
      (result.bytesPerSecond / 1e6).text(decimals: 0).right(8),
      (result.cyclesPerByte?.text(decimals: 2) ?? "").right(7),
      (result.oneStreamRatio.map { "x" + $0.text(decimals: 2) } ?? "").right(9),
      result.ratio.text(decimals: 2).right(7), " ",
    ]
    return cells.joined() + bar(result.ratio / longestRatio, width: 20)
  }

  private static var countedColumnTitles: String {
    "size".left(10) + "contender".left(21) + "ns".right(11) + "spread".right(8)
      + "a second".right(11)
      + "ns/B".right(8) + "allocs".right(8) + "cost".right(8) + "ratio".right(8)
  }

  private static func countedLine(
    _ result: BenchmarkResult, isFirst: Bool, longestRatio: Double
  ) -> String {
    let cells = [
      (isFirst ? ByteCount.text(result.bytes) : "").left(10), result.contender.left(21),
      result.nanoseconds.text(decimals: 1).right(11),
      ((result.spread * 100).text(decimals: 1) + "%").right(8),
      (result.operationsPerSecond ?? 0).text(decimals: 0).right(11),
      (result.nanoseconds / Double(result.bytes)).text(decimals: 2).right(8),
      (result.allocations.map(Self.short) ?? "-").right(8),
      (result.cost?.text(decimals: 2) ?? "").right(8),
      result.ratio.text(decimals: 3).right(8), " ",
    ]
    return cells.joined() + bar(result.ratio / longestRatio, width: 6)
  }

  /// A number of allocations: mostly a whole one.
  private static func short(_ number: Double) -> String {
    number.text(decimals: number == number.rounded() ? 0 : 2)
  }

  private static func comparisons(_ results: [BenchmarkResult]) -> [String] {
    results.compactMap { result in
      result.timesFirst.map {
        "\(results[0].contender) is \($0.text(decimals: $0 < 10 ? 2 : 1)) times as fast as "
          + result.contender
      }
    }
  }

  /// A bar in steps of an eighth of a character.
  static func bar(_ fraction: Double, width: Int) -> String {
    let eighths = Int((fraction * Double(width * 8)).rounded())
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
  }

  private var explanation: [String] {
    [
      "ns: median for one operation; spread: half the distance between the quartiles.",
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
