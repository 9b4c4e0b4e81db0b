// SPDX-License-Identifier: Apache-2.0
// The files that a run reads and writes. Problems with them are reported before anything is
// measured.

internal import Foundation

struct ReportFiles {
  /// The results to show instead of measuring.
  let given: BenchmarkReport?
  /// The results to compare with.
  let old: BenchmarkReport?

  private let jsonPath: String?
  private let chartPath: String?

  init(_ options: BenchmarkOptions) throws(BenchmarkError) {
    given = try Self.read(options.givenReportPath)
    old = try Self.read(options.oldReportPath)
    jsonPath = try Self.writable(options.jsonPath)
    chartPath = try Self.writable(options.chartPath)
  }

  func write(_ report: BenchmarkReport) throws(BenchmarkError) {
    try Self.write(jsonPath) { try report.json() }
    try Self.write(chartPath) { Data(ResultChart(report).text.utf8) }
  }

  private static func read(_ path: String?) throws(BenchmarkError) -> BenchmarkReport? {
    guard let path else { return nil }
    do {
      return try BenchmarkReport(json: Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      throw .failure("cannot read results from \(path): \(reason(error))")
    }
  }

  private static func writable(_ path: String?) throws(BenchmarkError) -> String? {
    guard let path else { return nil }
    let files = FileManager.default
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let place = files.fileExists(atPath: path) ? path : folder
    if files.isWritableFile(atPath: place) { return path }
    throw .failure("cannot write \(path): \(folder) does not exist or may not be written to")
  }

  private static func write(
    _ path: String?, _ content: () throws -> Data
  ) throws(BenchmarkError) {
    guard let path else { return }
    do {
      try content().write(to: URL(fileURLWithPath: path))
    } catch {
      throw .failure("cannot write \(path): \(reason(error))")
    }
  }

  private static func reason(_ error: any Error) -> String {
    if error is DecodingError { return "these are no results of a benchmark of this package" }
    return error.localizedDescription
  }
}
