// SPDX-License-Identifier: Apache-2.0
// AWS's own test suite: 38 requests, each signed in its headers and in its query, step by step.

@testable internal import SigningTestSupport
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

  @Test("In headers, step 1: the canonical request is the published one")
  func canonicalRequestOfHeaders() throws {
    try OfficialSuiteTests.cases().forEachCase { (vector: VectorRecord) in
      let signed = try signInHeaders(vector)
      expect(
        "canonical request", signed.canonicalRequest.text,
        is: try vector.text("header-canonical-request"))
    }
  }

  @Test("In headers, step 3: the string to sign is the published one")
  func stringToSignOfHeaders() throws {
    try OfficialSuiteTests.cases().forEachCase { (vector: VectorRecord) in
      let signed = try signInHeaders(vector)
      expect(
        "string to sign", signed.stringToSign.text, is: try vector.text("header-string-to-sign"))
    }
  }

  @Test("In headers, steps 4 and 5: the signature is the published one")
  func signatureOfHeaders() throws {
    try OfficialSuiteTests.cases().forEachCase { (vector: VectorRecord) in
      let signed = try signInHeaders(vector)
      #expect(signed.signature.bytes == (try vector.hexadecimal("header-signature")))
    }
  }

  @Test("In headers, step 6: Authorization and the other added headers are the published ones")
  func addedHeaders() throws {
    try OfficialSuiteTests.cases().forEachCase { (vector: VectorRecord) in
      let signed = try signInHeaders(vector)
      expect("Authorization", signed.authorization, is: try vector.text("header-authorization"))
      var expected = try vector.headers("header-added")
      expected.append("Authorization", try vector.text("header-authorization"))
      #expect(lines(of: signed.addedHeaders) == lines(of: expected))
    }
  }

  @Test("In the query, step 1: the canonical request is the published one")
  func canonicalRequestOfQuery() throws {
    try OfficialSuiteTests.cases().forEachCase { (vector: VectorRecord) in
      let presigned = try signInQuery(vector)
      expect(
        "canonical request", presigned.canonicalRequest.text,
        is: try vector.text("query-canonical-request"))
    }
  }

  @Test("In the query, step 3: the string to sign is the published one")
  func stringToSignOfQuery() throws {
    try OfficialSuiteTests.cases().forEachCase { (vector: VectorRecord) in
      let presigned = try signInQuery(vector)
      expect(
        "string to sign", presigned.stringToSign.text, is: try vector.text("query-string-to-sign"))
    }
  }

  @Test("In the query, steps 4 and 5: the signature is the published one")
  func signatureOfQuery() throws {
    try OfficialSuiteTests.cases().forEachCase { (vector: VectorRecord) in
      let presigned = try signInQuery(vector)
      #expect(presigned.signature.bytes == (try vector.hexadecimal("query-signature")))
    }
  }

  @Test("In the query, step 6: the parameters of the URL are the published ones")
  func parametersOfQuery() throws {
    try OfficialSuiteTests.cases().forEachCase { (vector: VectorRecord) in
      let parameters = try decodedParameters(of: signInQuery(vector).target)
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
