// SPDX-License-Identifier: Apache-2.0
// AWS's own test suite in a loop: every signature is that of its vector, and this is how fast.

internal import BenchmarkSupport
internal import RequestSigning
internal import TestSupport

/// The requests of the official suite, each to be signed in its headers and in its query.
struct SuiteTrial {
  private let tasks: [SigningTask]

  /// Reads the vectors, from Tests/Vectors unless another folder is named, and checks each.
  init(folder: String?) throws(SuiteAbsence) {
    let folder = folder ?? VectorTable.folder
    do {
      tasks = try VectorTable(named: Self.fileName, inFolder: folder).records
        .flatMap { try [Self.task($0, inQuery: false), Self.task($0, inQuery: true)] }
    } catch {
      throw SuiteAbsence(description: "\(folder)/\(Self.fileName) cannot be read: \(error)")
    }
  }

  /// The table of the vectors could not be read.
  struct SuiteAbsence: Error {
    let description: String
  }

  /// One run signs them all, first each in its headers and then in its query.
  func trial() throws(BenchmarkError) -> Trial {
    for task in tasks { try task.check() }
    let kept = tasks.map(\.blocks.keyKept)
    let derived = tasks.map(\.blocks.keyDerived)
    let byteCount = tasks.map(\.canonicalByteCount).reduce(0, +)
    return Trial(
      operation: "suite", bytes: byteCount / tasks.count, messages: 1, baseline: HashBlocks.name,
      contenders: [
        contender(SigningEntrant.ours, baseline: nil, tasks.map(\.signer)),
        contender(
          SigningEntrant.derived, baseline: HashBlocks.nameWithDerivation,
          tasks.map(\.derivingSigner)),
        HashBlocks(messages: kept).contender(HashBlocks.name),
        HashBlocks(messages: derived).contender(HashBlocks.nameWithDerivation),
      ],
      expected: tasks.flatMap(\.signature), figures: .operations, operationsInRun: tasks.count,
      remark: "\(tasks.count) of \(tasks.count) signatures are those of the official suite: "
        + "\(tasks.count / 2) requests, in headers and in the query")
  }

  private func contender(
    _ name: String, baseline: String?, _ signers: [SigV4.Signer]
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
    try SigningTask(
      "\(record.name) of the official suite, in its \(inQuery ? "query" : "headers"),",
      record.request(), signer: record.signer(), at: record.timestamp(),
      validFor: inQuery ? record.integer("lifetime") : nil,
      signature: record.hexadecimal(inQuery ? "query-signature" : "header-signature"))
  }

  private static let fileName = "official-suite-v4.txt"
}
