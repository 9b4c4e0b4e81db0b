// SPDX-License-Identifier: Apache-2.0
// Results as JSON, as a table, and compared with older ones.

internal import Foundation
internal import Testing

@testable internal import BenchmarkSupport

@Suite struct BenchmarkReportTests {
  @Test("A report that is written as JSON and read again is the same")
  func roundTrip() throws {
    let report = BenchmarkReport.example
    #expect(try BenchmarkReport(json: report.json()) == report)
  }

  @Test("The JSON has the names that are promised")
  func names() throws {
    let object = try JSONSerialization.jsonObject(with: BenchmarkReport.example.json())
    let report = try #require(object as? [String: Any])
    #expect(
      Set(report.keys) == ["benchmark", "machine", "date", "libraries", "results"])
    let results = try #require(report["results"] as? [[String: Any]])
    #expect(results.count == 12)
    let required: Set = [
      "operation", "bytes", "contender", "baseline", "nanoseconds", "spread", "bytesPerSecond",
      "ratio",
    ]
    #expect(results.allSatisfy { required.isSubset(of: $0.keys) })
    #expect(results[6]["oneStreamRatio"] as? Double == 1.75)
    #expect(results[0]["oneStreamRatio"] == nil)
  }

  @Test(
    "What no run can have written is rejected",
    arguments: [
      "", "[]", "{}", #"{"results":[]}"#,
      #"{"benchmark":"b","machine":"m","date":"d","libraries":[],"results":[]}"#,
    ])
  func refusals(json: String) {
    #expect(throws: DecodingError.self) { try BenchmarkReport(json: Data(json.utf8)) }
  }

  @Test("A ratio or a time that isn't positive is rejected")
  func notPositive() throws {
    for change in [\BenchmarkResult.ratio, \BenchmarkResult.nanoseconds] {
      let json = try BenchmarkReport.example.replacing("digest", 64, "ours") {
        $0[keyPath: change] = 0
      }.json()
      #expect(throws: DecodingError.self) { try BenchmarkReport(json: json) }
    }
  }

  @Test("The table names everything, and fits into 100 columns")
  func table() {
    let text = ResultTable(.example, isComplete: true).text
    for part in ["digest-pair: ratio to reference", "1 MiB", "ours: fast", "x1.75", "1.36"] {
      #expect(text.contains(part))
    }
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
    let verdict = Verdict(.example).lines.joined(separator: "\n")
    #expect(text.hasSuffix("\n\n" + verdict))
  }

  @Test("Without the tables, everything fits on a screen")
  func screen() {
    let text = ResultTable(.example).text
    #expect(text.contains("--tables") && !text.contains("x1.75"))
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 24)
  }

  @Test(
    "Bars grow in eighths of a character",
    arguments: [
      (0.0, ""), (0.05, "▍"), (0.25, "██"), (0.5, "████"), (0.99, "███████▉"), (1, "████████"),
    ])
  func bars(fraction: Double, expected: String) {
    #expect(Bar.text(fraction, width: 8) == expected)
  }

  @Test("The verdict comes first: a line for each operation, under its baseline")
  func verdict() {
    let lines = ResultTable(.example).text.split(separator: "\n").prefix(4)
    #expect(
      Array(lines) == [
        "example-benchmark, 2026-01-02T03:04:05Z",
        "ours: times the speed of reference, above 1 is faster",
        "  digest                   64 B  1.50 (42.7 ns)    1 MiB  1.50 (1.50 GB/s)",
        "  digest-pair              64 B  1.50 (42.7 ns)    1 MiB  1.50 (1.50 GB/s)",
      ])
  }

  @Test("The first line contains libcrypto's version, which the ratios depend on")
  func firstLine() {
    var report = BenchmarkReport.example
    report.libraries.append("libcrypto: OpenSSL 3.0.19 27 Jan 2026")
    let line = "example-benchmark, 2026-01-02T03:04:05Z, libcrypto: OpenSSL 3.0.19 27 Jan 2026\n"
    #expect(ResultTable(report).text.hasPrefix(line))
  }

  @Test("The verdict of counted operations names others and their relative time")
  func countedVerdict() {
    var report = BenchmarkReport.example
    report.results.removeLast(9)
    for index in report.results.indices { report.results[index].operationsPerSecond = 1_234_567 }
    report.results[1].timesFirst = 71.6
    #expect(
      Verdict(report).lines == [
        "ours: how many a second",
        "  digest              1,230,000 a second: 72 times others <&> \"best\"",
        "\nours: times as long as the minimum, reference, which does nothing else",
        "  digest                   0.667",
      ])
  }

  @Test(
    "Numbers have three digits, and times a unit",
    arguments: [
      (54.1234, "54.1", "54.1 ns"), (0.07142, "0.0714", "0.0714 ns"), (999.7, "1,000", "1.00 us"),
      (1_840, "1,840", "1.84 us"), (2_420_080, "2,420,000", "2.42 ms"),
      (3e9, "3,000,000,000", "3.00 s"),
      (0, "0.00", "0.00 ns"),
    ])
  func numbers(number: Double, digits: String, duration: String) {
    #expect(number.text(digits: 3) == digits)
    #expect(number.durationText == duration)
  }

  @Test(
    "Sizes are named as people name them",
    arguments: [
      (64, "64 B"), (1000, "1000 B"), (1024, "1 KiB"), (16384, "16 KiB"), (1 << 20, "1 MiB"),
    ])
  func sizes(bytes: Int, expected: String) {
    #expect(ByteCount.text(bytes) == expected)
  }
}

@Suite struct ReportComparisonTests {
  @Test("A change beyond 5 % and both spreads is shown, a smaller one is noise")
  func verdicts() {
    let old = BenchmarkReport.example.results[0]
    func verdict(_ ratio: Double, spread: Double = 0.01) -> String? {
      var new = old
      (new.ratio, new.spread) = (ratio, spread)
      return ReportComparison.verdict(old, new)
    }
    // The old spread is 0.01, the old ratio 1.5: 1.57 is 4.7 % more, 1.65 is 10 % more.
    #expect(verdict(1.57) == nil)
    #expect(verdict(1.65) == "+10%")
    #expect(verdict(1.2) == "-20%")
    #expect(verdict(1.65, spread: 0.1) == nil)
  }

  @Test("Changed results are found, so that they can be measured again")
  func differences() {
    let old = BenchmarkReport.example
    #expect(!old.differs(from: old.results))
    #expect(old.differs(from: old.replacing("digest", 64, "ours") { $0.ratio = 3 }.results))
  }

  @Test("Ratios to different baselines aren't compared")
  func otherBaseline() {
    let old = BenchmarkReport.example.results[0]
    var new = old
    (new.baseline, new.ratio) = ("another", 3)
    #expect(ReportComparison.verdict(old, new) == "other baseline")
  }

  @Test("The table has a line for each change, and names the subjects of only one run")
  func table() throws {
    let old = BenchmarkReport.example
    var new = old.replacing("digest", 64, "ours") { $0.ratio = 3 }
    new.results.removeLast()
    let lines = ReportComparison(old: old, new: new).text.split(separator: "\n")
    #expect(lines.count == 1 + 2 + 1)
    #expect(lines[0].contains("1 of 8 ratios changed by more than the noise"))
    #expect(lines[2].hasSuffix("+100%"))
    #expect(lines[2].contains("1.50   3.00"))
    #expect(lines.last == "only in the old run: digest-pair 1048576 reference")
    #expect(lines.allSatisfy { $0.count <= 100 })
  }

  @Test("Another machine is pointed out")
  func otherMachine() {
    var new = BenchmarkReport.example
    #expect(!ReportComparison(old: .example, new: new).text.contains("compare the ratios only"))
    new.machine = "another"
    #expect(ReportComparison(old: .example, new: new).text.contains("compare the ratios only"))
  }
}
