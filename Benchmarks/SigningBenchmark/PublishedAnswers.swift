// SPDX-License-Identifier: Apache-2.0
// The check before the start: all sign AWS's published examples, or none is timed.

internal import BenchmarkSupport
internal import RequestSigning
internal import SecureHashing

enum PublishedAnswers {
  /// Refuses a compression or a contender that is wrong.
  static func check(_ peers: [SigningPeer]) throws(BenchmarkError) {
    try HashBlocks.check()
    let (example, presigned) = (try example, try presignedExample)
    for operation in SigningOperation.allCases {
      let task = operation.isPresigned ? presigned : example
      let expected = operation == .keyDerivation ? MeasuredRequests.signingKey : task.signature
      try operation.trial(task, expected: expected, peers).check()
    }
  }

  /// Amazon S3 API Reference, "Authenticating Requests: Using the Authorization Header", GET Object.
  private static var example: SigningTask {
    get throws(BenchmarkError) {
      try MeasuredRequests.task(
        "the published example", path: "/test.txt", headers: ["range": "bytes=0-9"], host: host,
        signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
    }
  }

  /// Amazon S3 API Reference, "Authenticating Requests: Using Query Parameters".
  private static var presignedExample: SigningTask {
    get throws(BenchmarkError) {
      try MeasuredRequests.task(
        "the published URL", path: "/test.txt", host: host, expiresIn: .seconds(86400),
        signature: "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404")
    }
  }

  private static let host = "examplebucket.s3.amazonaws.com"
}
