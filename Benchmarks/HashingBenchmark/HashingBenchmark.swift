// SPDX-License-Identifier: Apache-2.0
// hashing-benchmark: SHA-256, HMAC and CRC-32 of this package beside others on this machine.

internal import BenchmarkSupport
internal import SecureHashing

@main
enum HashingBenchmark {
  static func main() {
    BenchmarkProgram(
      name: "hashing-benchmark",
      purpose:
        "SHA-256, HMAC-SHA-256 and CRC-32, beside OpenSSL, CryptoKit and zlib where they are found",
      prepare: prepare
    ).main()
  }

  /// The trials of everybody who can compete here, after the check against known answers.
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
    return BenchmarkSubject(
      libraries: ProcessorReport.lines
        + (openSSL.map { ["libcrypto: \($0.version)"] } ?? []),
      notes: (openSSL == nil ? [OpenSSLLibrary.absence] : digests.leftOut + codes.leftOut)
        + checksums.leftOut,
      trials: trials)
  }
}
