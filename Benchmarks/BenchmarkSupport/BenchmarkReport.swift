// SPDX-License-Identifier: Apache-2.0
// The results of a run, and their form as JSON.

internal import Foundation

struct BenchmarkReport: Codable, Equatable {
  var benchmark: String
  var machine: String
  /// ISO 8601, in UTC.
  var date: String
  var libraries: [String]
  var results: [BenchmarkResult]

  /// The operations, in the order of the table.
  var operations: [String] { results.map(\.operation).uniqued() }

  /// The contenders, in the order of the table.
  var contenders: [String] { results.map(\.contender).uniqued() }
}

extension BenchmarkReport {
  /// Refuses what no run can have written.
  init(json: Data) throws {
    self = try JSONDecoder().decode(Self.self, from: json)
    let isPossible = results.allSatisfy { $0.bytes > 0 && $0.nanoseconds > 0 && $0.ratio > 0 }
    if !isPossible || results.isEmpty {
      throw DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: "no results, or numbers that are not positive"))
    }
  }

  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self) + Data("\n".utf8)
  }
}

/// How one contender did one operation at one size.
struct BenchmarkResult: Codable, Equatable {
  var operation: String
  /// The size of one message.
  var bytes: Int
  var contender: String
  var baseline: String
  /// The median for one operation.
  var nanoseconds: Double
  /// Half the distance between the quartiles, relative to the median.
  var spread: Double
  /// Of all messages of the operation.
  var bytesPerSecond: Double
  /// How many times as fast as the baseline.
  var ratio: Double
  /// How many times as fast as doing the same one after the other.
  var oneStreamRatio: Double?
  var cyclesPerByte: Double?
  var operationsPerSecond: Double?
  /// Heap allocations of one operation.
  var allocations: Double?
  /// The time relative to the baseline's.
  var cost: Double?
  /// The time relative to the first contender's, for other processes and for contenders that are
  /// compared with it.
  var timesFirst: Double?
  /// The result of the operation's check.
  var remark: String?

  /// The same in two runs: operation, size and contender.
  var subject: String { "\(operation) \(bytes) \(contender)" }
}
