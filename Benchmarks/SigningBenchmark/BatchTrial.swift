// SPDX-License-Identifier: Apache-2.0
// A hundred presigned URLs in a batch.

internal import S3Signing
internal import BenchmarkSupport
internal import RequestSigning
internal import SecureHashing

enum BatchTrial {
  private static let count = 100

  /// The URL of the presigned download, a hundred times. Its signature is known from an independent
  /// source.
  static func trial(_ task: SigningTask) throws(BenchmarkError) -> Trial {
    let keys = [String](repeating: MeasuredRequests.key, count: count)
    let (bucket, query) = try MeasuredRequests.bucketAndQuery()
    var urls: [String] = []
    let contender = Contender(
      name: SigningEntrant.ours,
      run: { repetitions in
        for _ in 0..<repetitions {
          urls =
            (try? task.signer.presignedURLs(
              for: keys, in: bucket, query: query, expiresIn: task.lifetime ?? .zero,
              at: task.timestamp)) ?? []
        }
      },
      output: { urls.flatMap(SigningEntrant.hexadecimalEnd) })
    return Trial(
      operation: "batch-presign", bytes: task.canonicalByteCount, messages: 1,
      baseline: HashBlocks.name,
      contenders: [
        contender,
        HashBlocks(messages: [Int](repeating: task.blocks.keyKept, count: count))
          .contender(HashBlocks.name),
      ],
      expected: [[UInt8]](repeating: task.signature, count: count).flatMap { $0 },
      figures: .operations, operationsInRun: count,
      remark: "\(count) URLs at once, \(task.blocks.keyKept) blocks each, one message at a time in "
        + HashBlocks.name)
  }
}
