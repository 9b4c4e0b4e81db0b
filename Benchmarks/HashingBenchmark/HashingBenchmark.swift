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
        "SHA-256, HMAC-SHA-256, SHA-512, CRC-32 and XXH3, beside OpenSSL, CryptoKit, zlib and libxxhash",
      prepare: prepare
    ).main()
  }

  /// The trials of all contenders on this machine, after a check of known answers.
  private static func prepare(_: ProgramChoices) throws(BenchmarkError) -> BenchmarkSubject {
    let openSSL = OpenSSLLibrary.find()
    try KnownAnswers.check(openSSL)
    let digests = LineUp.digests(openSSL)
    let codes = LineUp.codes(key: MessagePair.key, openSSL)
    var trials: [Trial] = []
    for operation in HashingOperation.allCases {
      for byteCount in MessagePair.byteCounts {
        let messages = MessagePair(byteCount: byteCount, isKeyed: operation.isKeyed)
        trials.append(operation.trial(messages, operation.isKeyed ? codes : digests))
      }
    }
    for size in MessageBatch.sizes { trials.append(try MessageBatch(size).digests(openSSL)) }
    for size in MessageBatch.sizes { trials.append(try MessageBatch(size).codes(openSSL)) }
    let checksums = Checksums()
    trials += checksums.trials
    let others = OtherFunctions(openSSL)
    trials += others.trials
    return BenchmarkSubject(
      libraries: ProcessorReport.lines
        + (openSSL.map { ["libcrypto: \($0.version)"] } ?? []),
      notes: (openSSL == nil ? [OpenSSLLibrary.absence] : digests.leftOut + codes.leftOut)
        + checksums.leftOut + others.leftOut,
      trials: trials)
  }
}
