// SPDX-License-Identifier: Apache-2.0
// Headers of uploads that contradict each other, which Amazon S3 rejects, too.

internal import RequestSigning
internal import RequestVerification
internal import S3Signing
internal import SigningTestSupport
internal import Testing

@Suite("Verification: rules of S3 for uploads")
struct UploadRuleTests {
  let server: ExampleServer

  init() throws { server = try ExampleServer(unsignedPayloads: .allowed) }

  /// Expects a rejection with S3's response.
  func expectReply(
    _ code: String, _ text: String, sourceLocation: SourceLocation = #_sourceLocation,
    to request: WireRequest
  ) {
    let error = #expect(throws: SigV4.VerificationError.self, sourceLocation: sourceLocation) {
      try server.check(request)
    }
    guard let error else { return }
    expectRefused(error.code, sourceLocation: sourceLocation) { try server.check(request) }
    let answer = error.xmlResponse(requestID: "1")
    #expect(answer.status == 400, sourceLocation: sourceLocation)
    #expect(
      answer.body.contains("<Code>\(code)</Code><Message>\(text)</Message>"), "\(answer.body)",
      sourceLocation: sourceLocation)
  }

  /// Reply of S3: versity/versitygw #2400 and #2427.
  @Test(
    "An unsigned body isn't in chunks",
    arguments: ["aws-chunked", "AWS-Chunked", "aws-chunked,gzip", "gzip, aws-chunked ,br"])
  func unsignedChunkEncoding(_ coding: String) throws {
    let text =
      "aws-chunked encoding is not supported when x-amz-content-sha256 UNSIGNED-PAYLOAD is supplied"
    let headers: SigV4.Headers = ["content-encoding": coding]
    let plain = try SentToS3.signed("PUT", headers: [:], payload: .unsigned)
    try server.verify(plain)
    for request in [
      try SentToS3.signed("PUT", headers: headers, payload: .unsigned),
      plain.replacing("Content-Encoding", with: [coding]),
      plain.replacing("content-encoding", with: ["gzip", coding]),
      try SentToS3.presigned(headers: headers),
      try SentToS3.presigned().replacing("content-encoding", with: [coding]),
      try SentToS3.presigned().replacing("content-encoding", with: [coding])
        .replacing("x-amz-content-sha256", with: ["UNSIGNED-PAYLOAD"]),
    ] {
      expectReply("InvalidArgument", text, to: request)
    }
  }

  @Test("A signed body can have any encoding, and an unsigned one any other")
  func otherEncodings() throws {
    for coding in ["gzip", "aws-chunked2", "br,x-aws-chunked", ""] {
      let headers: SigV4.Headers = ["content-encoding": coding]
      try server.verify(SentToS3.signed("PUT", headers: headers, payload: .unsigned))
    }
    // S3 stores this header as it is: versity/versitygw #2400.
    try server.verify(SentToS3.signed("PUT", headers: ["content-encoding": "aws-chunked"]))
    for kind in SentChunks.Kind.allCases {
      let sent = try SentChunks(Array("hello".utf8), kind)
      #expect(try sent.request.header("content-encoding") == "aws-chunked")
      #expect(try server.verify(sent.request) == Array("hello".utf8))
    }
    // Other services have no chunks.
    var lattice = server
    lattice.verifier.services = [.vpcLattice]
    let request = try SigV4.Request(
      "PUT", url: "https://a.example.com/", headers: ["content-encoding": "aws-chunked"])
    try lattice.verify(
      WireRequest(Example.signed(request, .vpcLattice), request.headers))
  }

  func chunked(
    _ method: String, _ target: String, trailers: [SigV4.ChunkTrailer]? = [.checksumCRC32]
  ) throws -> WireRequest {
    let upload: SigV4.ChunkedUpload
    if let trailers {
      upload = try .unsigned(decodedByteCount: 5, trailers: trailers)
    } else {
      upload = try .signed(decodedByteCount: 5)
    }
    let request = try SigV4.Request(method, url: "https://bucket.s3.amazonaws.com" + target)
      .uploading(upload)
    return WireRequest(try Example.signed(request, .s3), request.headers)
  }

  /// Reply of S3: versity/versitygw #1601, "PutBucketTagging"; #1679: only PutObject and UploadPart.
  /// The subresources are those of the S3 API Reference.
  @Test("Only PutObject and UploadPart accept unsigned chunks")
  func otherOperations() throws {
    for (method, target) in [
      ("POST", "/?delete"), ("POST", "/?delete="), ("POST", "/a?uploads"), ("POST", "/a?restore"),
      ("POST", "/a?uploadId=1"), ("POST", "/a?select&select-type=2"), ("POST", "/a"), ("GET", "/a"),
      ("DELETE", "/a"), ("PUT", "/?tagging"), ("PUT", "/?tagging="), ("PUT", "/a?tagging"),
      ("PUT", "/a?acl"), ("PUT", "/a?acl=x"), ("PUT", "/a?%61cl=x"), ("PUT", "/a?retention"),
      ("PUT", "/a?legal-hold&versionId=1"), ("PUT", "/a?renameObject"), ("PUT", "/a?encryption"),
      ("PUT", "/?cors"), ("PUT", "/?policy"), ("PUT", "/?lifecycle"), ("PUT", "/?versioning"),
      ("PUT", "/?inventory&id=1"), ("PUT", "/a?partNumber=1&tagging=&uploadId=2"),
      ("PUT", "/a?newSubresource"), ("PUT", "/a?annotation="),
    ] {
      for trailers in [[], [SigV4.ChunkTrailer.checksumCRC32]] {
        expectReply(
          "InvalidRequest", "The value of x-amz-content-sha256 header is invalid.",
          to: try chunked(method, target, trailers: trailers))
      }
      // These are signed.
      _ = try server.bodyVerifier(of: chunked(method, target, trailers: nil))
    }
    for target in [
      "/a", "/a/", "/acl", "/a?partNumber=1&uploadId=2", "/a?x-id=PutObject", "/a?x-log=1",
      "/a?acl2=1",
    ] {
      _ = try server.bodyVerifier(of: chunked("PUT", target))
    }
  }

  /// Replies of S3: versity/versitygw #1659 (another algorithm) and #1593 (no checksum); #1118: the
  /// name's case has no effect.
  @Test("The named algorithm of a checksum must be that of the checksum sent")
  func namedAlgorithms() throws {
    let name = "x-amz-sdk-checksum-algorithm"
    let (crc32, sha256) = (("x-amz-checksum-crc32", "AAAAAA=="), ("x-amz-checksum-sha256", "AA=="))
    for (algorithm, headers, isRight) in [
      ("CRC32", [crc32], true), ("crc32", [crc32], true), ("SHA256", [sha256], true),
      ("CRC32", [("x-amz-trailer", "x-amz-checksum-crc32")], true),
      ("CRC32", [("x-amz-trailer", "x-other, X-Amz-Checksum-Crc32")], true),
      ("", [crc32], true), ("SHA256", [crc32], false), ("CRC32C", [crc32], false),
      ("CRC32", [sha256], false), ("CRC32", [("x-amz-trailer", "x-amz-checksum-sha256")], false),
      ("SHA384", [crc32], false), ("CRC32 ", [sha256], false), ("CRC32, SHA256", [crc32], false),
    ] as [(String, [(String, String)], Bool)] {
      let hasTrailer = headers.contains { $0.0 == "x-amz-trailer" }
      let word: SigV4.Payload =
        try hasTrailer ? .literal("STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER") : .empty
      let all =
        headers + [(name, algorithm)] + (hasTrailer ? [("x-amz-decoded-content-length", "1")] : [])
      let sent = try SentToS3.signed("PUT", headers: SigV4.Headers(all), payload: word)
      if isRight {
        _ = try server.check(sent).verify(with: Example.credentials())
      } else {
        expectReply("InvalidRequest", "Value for \(name) header is invalid.", to: sent)
      }
    }
    let none = "no corresponding x-amz-checksum-* or x-amz-trailer headers were found."
    for headers in [
      [(name, "CRC32")], [(name, "CRC32"), ("x-amz-checksum-algorithm", "CRC32")],
      [(name, "MD5"), ("content-md5", "1B2M2Y8AsgTpgAmY7PhCfg==")],
    ] {
      let sent = try SentToS3.signed("PUT", headers: SigV4.Headers(headers))
      expectReply("InvalidRequest", "\(name) specified, but \(none)", to: sent)
    }
  }

  /// JavaScript's SDK moves the headers of a checksum to the query of a URL.
  @Test("The checksum of a URL can be a parameter, and other services have other headers")
  func namedElsewhere() throws {
    let name = "x-amz-sdk-checksum-algorithm"
    try server.verify(SentToS3.presigned(headers: SigV4.Headers([(name, "CRC32")])))
    expectRefused(.unsupportedChecksum) {
      try server.verify(
        SentToS3.presigned(
          headers: SigV4.Headers([(name, "CRC32"), ("x-amz-checksum-crc32c", "AAAAAA==")])))
    }
    let service = try Example.standardService()
    var other = server
    other.verifier.services = [service]
    let request = try SigV4.Request(
      "PUT", url: "https://a.example.com/", headers: SigV4.Headers([(name, "CRC32")]))
    let sent = WireRequest(try Example.signed(request, service), request.headers)
    try other.verify(sent)
  }
}
