// SPDX-License-Identifier: Apache-2.0
// Signatures that AWS published, and presigned URLs and tokens of services.

internal import SigningTestSupport
internal import S3Signing
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Published vectors")
struct PublishedVectorTests {
  static func published() throws -> [VectorRecord] {
    try VectorTable(named: "published-vectors.txt").records
  }

  static func presigned() throws -> [VectorRecord] {
    try VectorTable(named: "presigned-urls.txt").records
  }

  @Test("No vector is missing: 12 published ones, 14 of tokens and presigned URLs")
  func count() throws {
    #expect(try Set(Self.published().map(\.name)).count == 12)
    #expect(try Set(Self.presigned().map(\.name)).count == 14)
  }

  @Test("A request of AWS's documentation or SDKs has the published signature")
  func documentation() throws {
    try PublishedVectorTests.published().forEachCase { (vector: VectorRecord) in
      try vector.expectEveryStep()
    }
  }

  @Test("A token or presigned URL matches botocore's")
  func presignedURL() throws {
    try PublishedVectorTests.presigned().forEachCase { (vector: VectorRecord) in
      try vector.expectEveryStep()
    }
  }
}
