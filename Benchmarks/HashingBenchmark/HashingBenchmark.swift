// SPDX-License-Identifier: Apache-2.0
// hashing-benchmark: SHA-2, HMAC and checksums of this package, compared with others on this
// machine.

internal import BenchmarkSupport
internal import SecureHashing

@main
enum HashingBenchmark {
  static func main() {
    BenchmarkProgram(
      name: "hashing-benchmark",
      purpose:
        "SHA-256, HMAC-SHA-256, SHA-512, CRC-32 and XXH3, compared with OpenSSL, CryptoKit, zlib and libxxhash",
      options: HashingPackage.all.map(\.option), prepare: prepare
    ).main()
  }

  /// The trials of all contenders on this machine, after a check of known answers.
  private static func prepare(
    _ choices: ProgramChoices
  ) throws(BenchmarkError) -> BenchmarkSubject {
    let openSSL = OpenSSLLibrary.find()
    let peers = try HashingPackage.all.chosen(by: choices, HashingPackage.peer)
    try KnownAnswers.check(openSSL, peers)
    let digests = LineUp.digests(openSSL, peers)
    let codes = LineUp.codes(key: MessagePair.key, openSSL, peers)
    var trials: [Trial] = []
    for operation in HashingOperation.allCases {
      for byteCount in MessagePair.byteCounts {
        let messages = MessagePair(byteCount: byteCount, isKeyed: operation.isKeyed)
        trials.append(operation.trial(messages, operation.isKeyed ? codes : digests))
      }
    }
    let batches = MessageBatch.sizes.map(MessageBatch.init)
    for batch in batches { trials.append(try batch.digests(openSSL, peers)) }
    for batch in batches { trials.append(try batch.codes(openSSL, peers)) }
    let checksums = Checksums()
    trials += checksums.trials
    let others = OtherFunctions(openSSL, peers)
    trials += others.trials
    return BenchmarkSubject(
      libraries: ProcessorReport.lines
        + (openSSL.map { ["libcrypto: \($0.version)"] } ?? [])
        + peers.map { "\($0.name): \($0.version)" },
      notes: (openSSL == nil ? [OpenSSLLibrary.absence] : digests.leftOut + codes.leftOut)
        + checksums.leftOut + others.leftOut,
      trials: trials)
  }
}
