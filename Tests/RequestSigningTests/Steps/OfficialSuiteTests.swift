// SPDX-License-Identifier: Apache-2.0
// AWS's own test suite: 38 requests, each signed in its headers and in its query, step by step.

internal import SigningTestSupport
internal import RequestSigning
internal import TestSupport
internal import Testing

/// Source: the suite `aws-signing-test-suite/v4` of aws-c-auth.
@Suite("The official suite")
struct OfficialSuiteTests {
  static func cases() throws -> [VectorRecord] {
    try VectorTable(named: "official-suite-v4.txt").records
  }

  @Test("All of its 38 cases are read, each with a unique name")
  func count() throws {
    let names = try Self.cases().map(\.name)
    #expect(names.count == 38)
    #expect(Set(names).count == 38)
  }

  @Test("In headers, every step is the published one")
  func headers() throws {
    try Self.cases().forEachCase { (vector: VectorRecord) in
      let signed = try signInHeaders(vector)
      expect(
        "step 1, canonical request", signed.canonicalRequest.text,
        is: try vector.text("header-canonical-request"))
      expect(
        "step 3, string to sign", signed.stringToSign.text,
        is: try vector.text("header-string-to-sign"))
      #expect(signed.signature.bytes == (try vector.hexadecimal("header-signature")))
      expect("step 6", signed.authorization, is: try vector.text("header-authorization"))
      var added = try vector.headers("header-added")
      added.append("Authorization", try vector.text("header-authorization"))
      #expect(lines(of: signed.addedHeaders) == lines(of: added))
    }
  }

  @Test("In the query, every step is the published one")
  func query() throws {
    try Self.cases().forEachCase { (vector: VectorRecord) in
      let presigned = try signInQuery(vector)
      expect(
        "step 1, canonical request", presigned.canonicalRequest.text,
        is: try vector.text("query-canonical-request"))
      expect(
        "step 3, string to sign", presigned.stringToSign.text,
        is: try vector.text("query-string-to-sign"))
      #expect(presigned.signature.bytes == (try vector.hexadecimal("query-signature")))
      let parameters = try decodedParameters(of: presigned.target)
      #expect(parameters.sorted() == (try vector.texts("query-parameter").sorted()))
    }
  }

  func signInHeaders(_ vector: VectorRecord) throws -> SigV4.SignedRequest {
    try vector.signer().sign(vector.request(), at: vector.timestamp())
  }

  func signInQuery(_ vector: VectorRecord) throws -> SigV4.PresignedURL {
    try vector.signer().presignedURL(
      for: vector.request(), expiresIn: .seconds(vector.integer("lifetime")), at: vector.timestamp()
    )
  }
}
