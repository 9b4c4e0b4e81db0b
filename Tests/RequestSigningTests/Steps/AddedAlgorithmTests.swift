// SPDX-License-Identifier: Apache-2.0
// An algorithm whose signatures RequestSigning doesn't make: a different name, a scope without
// region, its own header and parameter, and signatures of a different length.

internal import SigningTestSupport
internal import RequestSigning
internal import TestSupport
internal import Testing

/// Source: the suite `aws-signing-test-suite/v4a` of aws-c-auth. Its signatures are made elsewhere.
@Suite("An algorithm from outside")
struct AddedAlgorithmTests {
  static func cases() throws -> [VectorRecord] {
    try VectorTable(named: "official-suite-v4a.txt").records
  }

  @Test("All of the suite's 38 cases are read, with signatures of more than one length")
  func count() throws {
    let cases = try Self.cases()
    #expect(Set(cases.map(\.name)).count == 38)
    let lengths = try cases.map { try $0.hexadecimal("header-signature").count }
    #expect(Set(lengths).isSuperset(of: [70, 71]))
  }

  @Test("In headers, every step is the published one")
  func headers() throws {
    try Self.cases().forEachCase { (vector: VectorRecord) in
      let pending = try signer(vector).prepare(vector.request(), at: vector.timestamp())
      expect(
        "canonical request", try #require(pending.canonicalRequest).text,
        is: try vector.text("header-canonical-request"))
      expect(
        "string to sign", pending.stringToSign.text, is: try vector.text("header-string-to-sign"))
      let signature = SigV4.Signature(bytes: try vector.hexadecimal("header-signature"))
      let signed = pending.signed(with: signature)
      #expect(signed.signature == signature)
      expect("Authorization", signed.authorization, is: try vector.text("header-authorization"))
      var expected = try vector.headers("header-added")
      expected.append("Authorization", try vector.text("header-authorization"))
      #expect(lines(of: signed.addedHeaders) == lines(of: expected))
    }
  }

  @Test("In the query, every step is the published one")
  func query() throws {
    try Self.cases().forEachCase { (vector: VectorRecord) in
      let pending = try signer(vector).prepare(
        vector.request(), expiresIn: .seconds(vector.integer("lifetime")), at: vector.timestamp())
      expect(
        "canonical request", try #require(pending.canonicalRequest).text,
        is: try vector.text("query-canonical-request"))
      expect(
        "string to sign", pending.stringToSign.text, is: try vector.text("query-string-to-sign"))
      let signature = SigV4.Signature(bytes: try vector.hexadecimal("query-signature"))
      let parameters = try decodedParameters(of: pending.signed(with: signature).target)
      #expect(parameters.sorted() == (try vector.texts("query-parameter").sorted()))
    }
  }

  @Test("The scope has no region, as a string and in parts")
  func scope() throws {
    let vector = try #require(try Self.cases().first)
    let scope = try signer(vector).scope(at: vector.timestamp())
    #expect(scope.text == "20150830/service/aws4_request")
    #expect(scope.parts == ["20150830", "service", "aws4_request"])
  }

  /// What a separate module would create, with package access only.
  private func signer(_ vector: VectorRecord) throws -> SigV4.Signer {
    let signer = try vector.signer()
    return SigV4.Signer(
      try SigV4.Preparer(
        identity: signer.identity, regionSet: vector.text("region"), service: signer.service))
  }
}
