// SPDX-License-Identifier: Apache-2.0
// The contest of signed chunks: everybody in it is held to what somebody else has computed.

internal import Foundation
internal import Testing

@testable internal import BenchmarkSupport
@testable internal import signing_benchmark

@Suite struct ChunkTrialTests {
  @Test("Everybody comes to what AWS has published and Python has computed")
  func right() throws {
    let trial = try ChunkTrial()
    try trial.trial(.published).check()
    try trial.trial(.measured).check()
  }

  @Test("A wrong answer is rejected, from any contender")
  func wrong() throws {
    let trial = try ChunkTrial()
    let mistakes: [(WritableKeyPath<ChunkedBody, [UInt8]>, [String])] = [
      (\.lastSignature, ["swift-sigv4", "swift-sigv4-one", "swift-sigv4-copied"]),
      (\.digestOfDigests, ["hash-blocks"]), (\.digest, ["openssl-low-level"]),
    ]
    for (answer, expected) in mistakes {
      var body = try ChunkedBody.published
      body[keyPath: answer][31] ^= 1
      let found = refused(in: trial.trial(body))
      // OpenSSL may be absent.
      #expect(found == (trial.libraries.isEmpty && answer == \.digest ? [] : expected))
    }
  }

  /// FIPS 180-4, 5.1.1: 65,536 bytes and the padding are 1,025 blocks, and the empty chunk is one.
  @Test("The signed chunks are compared with their 16,401 blocks and with OpenSSL")
  func quickRun() throws {
    try withFolder { folder in
      let json = folder + "/results.json"
      let run = try BenchmarkProcess(
        "signing-benchmark", ["--seconds", "1", "--json", json], path: folder)
      try #require(run.exitCode == 0, "\(run.errors)")
      let report = try BenchmarkReport(json: Data(contentsOf: URL(fileURLWithPath: json)))
      let results = report.results.filter { $0.operation == "chunk" }
      #expect(
        results.prefix(4).map(\.contender)
          == ["swift-sigv4", "swift-sigv4-one", "swift-sigv4-copied", "hash-blocks"])
      #expect(results.allSatisfy { $0.bytes == 1_048_576 && $0.baseline == "hash-blocks" })
      #expect(results.allSatisfy { $0.remark?.hasPrefix("16401 blocks: 16 chunks and ") == true })
      let others = results.dropFirst(4)
      #expect(others.allSatisfy { $0.contender == "openssl-low-level" && $0.timesFirst != nil })
      #expect(others.count == (run.errors.contains("OpenSSL are left out") ? 0 : 1))
      #expect(
        run.output.contains(" times openssl-low-level\n") == !others.isEmpty)
    }
  }

  /// The contenders with unexpected output.
  private func refused(in trial: Trial) -> [String] {
    trial.contenders.filter { contender in
      do {
        _ = try contender.nanoseconds(1)
        try trial.check(contender)
        return false
      } catch {
        return true
      }
    }.map(\.name)
  }
}
