// SPDX-License-Identifier: Apache-2.0
// Results that were never measured, for tests.

@testable internal import BenchmarkSupport

extension BenchmarkReport {
  /// Two operations, two sizes, three contenders. The names contain characters that JSON and XML
  /// escape.
  static var example: BenchmarkReport {
    let operations = ["digest", "digest-pair"]
    let results = operations.flatMap { operation in
      [64, 1 << 20].flatMap { bytes in
        [("ours", 1.5), ("others <&> \"best\"", 0.25), ("reference", 1.0)].map { name, ratio in
          BenchmarkResult(
            operation: operation, bytes: bytes, contender: name, baseline: "reference",
            nanoseconds: Double(bytes) / ratio, spread: 0.01, bytesPerSecond: 1e9 * ratio,
            ratio: ratio, oneStreamRatio: operation == "digest" || name != "ours" ? nil : 1.75,
            cyclesPerByte: 2.04 / ratio)
        }
      }
    }
    return BenchmarkReport(
      benchmark: "example-benchmark", machine: "A processor & its \"name\" <x>",
      date: "2026-01-02T03:04:05Z", libraries: ["ours: fast", "reference: 3.0"], results: results)
  }

  /// The same with other numbers for one subject.
  func replacing(
    _ operation: String, _ bytes: Int, _ contender: String,
    _ change: (inout BenchmarkResult) -> Void
  ) -> BenchmarkReport {
    var report = self
    for index in results.indices
    where results[index].subject == "\(operation) \(bytes) \(contender)" {
      change(&report.results[index])
    }
    return report
  }
}
