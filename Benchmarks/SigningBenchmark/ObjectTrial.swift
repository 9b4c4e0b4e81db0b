// SPDX-License-Identifier: Apache-2.0
// A presigned URL as a string, from a key, with the bucket and the parameters at hand.

internal import BenchmarkSupport
internal import RequestSigning
internal import S3Signing

enum ObjectTrial {
  /// The URL of the presigned download. Its signature is known from an independent source.
  static func trial(_ task: SigningTask) throws(BenchmarkError) -> Trial {
    let (bucket, query) = try MeasuredRequests.bucketAndQuery()
    let ours = SigningEntrant(SigningEntrant.ours) {
      try $0.signer.presignedURL(
        for: bucket.object(MeasuredRequests.key), query: query, expiresIn: $0.lifetime ?? .zero,
        at: $0.timestamp
      ).url
    } signature: {
      SigningEntrant.hexadecimalEnd(of: $0)
    }
    return Trial(
      operation: "object-url", bytes: task.canonicalByteCount, messages: 1,
      baseline: HashBlocks.name,
      contenders: [
        ours.contender(task),
        HashBlocks(messages: [task.blocks.keyKept]).contender(HashBlocks.name),
      ],
      expected: task.signature, figures: .operations,
      remark: "\(task.blocks.keyKept) blocks, the signing key kept")
  }
}
