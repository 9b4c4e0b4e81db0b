// SPDX-License-Identifier: Apache-2.0
// AWS's own test suite in a loop, with every signature compared with its vector.

internal import BenchmarkSupport
internal import Foundation
internal import RequestSigning
internal import TestSupport

/// The requests of the official suite, each to be signed in its headers and in its query.
struct SuiteTrial {
  private let records: [VectorRecord]

  /// Reads the vectors, from Tests/Vectors unless another folder is named.
  init(folder: String?) throws(SuiteAbsence) {
    let folder = folder ?? VectorTable.folder
    do {
      records = try VectorTable(named: Self.fileName, inFolder: folder).records
    } catch {
      let reason = error is CocoaError ? error.localizedDescription : "\(error)"
      throw SuiteAbsence(description: "\(folder)/\(Self.fileName) cannot be read: \(reason)")
    }
  }

  /// The table of the vectors could not be read.
  struct SuiteAbsence: Error {
    let description: String
  }

  /// One run signs them all, each in its headers and in its query, after every one was checked.
  func trial() throws(BenchmarkError) -> Trial {
    let tasks = try tasks()
    for task in tasks { try task.check() }
    let kept = tasks.map(\.blocks.keyKept)
    let derived = tasks.map(\.blocks.keyDerived)
    let byteCount = tasks.map(\.canonicalByteCount).reduce(0, +)
    return Trial(
      operation: "suite", bytes: byteCount / tasks.count, messages: 1, baseline: HashBlocks.name,
      contenders: [
        Self.contender(SigningEntrant.ours, baseline: nil, tasks, tasks.map(\.signer)),
        Self.contender(
          SigningEntrant.derived, baseline: HashBlocks.nameWithDerivation, tasks,
          tasks.map(\.derivingSigner)),
        HashBlocks(messages: kept).contender(HashBlocks.name),
        HashBlocks(messages: derived).contender(HashBlocks.nameWithDerivation),
      ],
      expected: tasks.flatMap(\.signature), figures: .operations, operationsInRun: tasks.count,
      remark: "\(tasks.count) of \(tasks.count) signatures are those of the official suite: "
        + "\(tasks.count / 2) requests, in headers and in the query")
  }

  /// A request that the library refuses is as wrong as one that it signs wrongly.
  private func tasks() throws(BenchmarkError) -> [SigningTask] {
    do {
      return try records.flatMap {
        try [Self.task($0, inQuery: false), Self.task($0, inQuery: true)]
      }
    } catch {
      throw .failure("the official suite cannot be signed: \(error)")
    }
  }

  private static func contender(
    _ name: String, baseline: String?, _ tasks: [SigningTask], _ signers: [SigV4.Signer]
  ) -> Contender {
    let signatures = LastOutput<[[UInt8]]>()
    signatures.value = tasks.map { _ in [] }
    return Contender(
      name: name, baseline: baseline,
      run: { repetitions in
        for _ in 0..<repetitions {
          for index in tasks.indices {
            signatures.value?[index] = (try? tasks[index].signature(by: signers[index])) ?? []
          }
        }
      },
      output: { Array((signatures.value ?? []).joined()) })
  }

  private static func task(_ record: VectorRecord, inQuery: Bool) throws -> SigningTask {
    let request = try record.request()
    return try SigningTask(
      "\(record.name) of the official suite, in its \(inQuery ? "query" : "headers"),",
      signer: record.signer(), at: record.timestamp(),
      expiresIn: inQuery ? .seconds(record.integer("lifetime")) : nil,
      signature: record.hexadecimal(inQuery ? "query-signature" : "header-signature")
    ) { () throws(SigV4.SigningError) in request }
  }

  private static let fileName = "official-suite-v4.txt"
}
