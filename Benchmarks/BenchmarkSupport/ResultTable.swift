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
    var lines = ["\(operation): ratio to \(baselines)", Self.columnTitles]
    for size in results.map(\.bytes).uniqued() {
      let ofSize = results.filter { $0.bytes == size }
      lines += ofSize.enumerated().map { index, result in
        Self.line(result, isFirst: index == 0, longestRatio: longest)
      }
    }
    return lines
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
      + [
        report.results.contains { $0.cyclesPerByte != nil }
          ? "cyc/B: cycles of the core for a byte, by its clock as measured in each round."
          : "cyc/B is left out: the clock of this processor's core could not be measured."
      ]
  }
}
