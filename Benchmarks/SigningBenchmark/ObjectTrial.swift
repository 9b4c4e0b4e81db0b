// SPDX-License-Identifier: Apache-2.0
// A presigned URL as a string, from a bucket at hand, a key and parameters as text.

internal import BenchmarkSupport
internal import RequestSigning
internal import S3Signing

enum ObjectTrial {
  private static let parameters: SigV4.Query = [
    "response-content-disposition": "attachment; filename=a-walk.jpg",
    "versionId": "3HL4kqtJlcpXroDTDmJ+rmSpXd3dIbrHY+MTRCxf3vjVBH40Nr8X8gdRQBpUMLUo",
  ]

  /// The URL of the presigned download: its signature is known from elsewhere.
  static func trial(_ task: SigningTask) throws(BenchmarkError) -> Trial {
    let bucket: SigV4.Bucket
    do {
      bucket = try SigV4.Bucket.aws("examplebucket", region: MeasuredRequests.region)
    } catch {
      throw .failure("the bucket cannot be named: \(error)")
    }
    let ours = SigningEntrant(SigningEntrant.ours) {
      try $0.signer.presign(
        bucket.object(MeasuredRequests.key), query: parameters, validFor: $0.lifetime ?? 0,
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
