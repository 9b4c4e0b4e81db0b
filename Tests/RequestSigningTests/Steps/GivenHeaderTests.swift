// SPDX-License-Identifier: Apache-2.0
// A caller's headers are signed, listed as unsigned, or rejected: nothing is dropped silently.

internal import SigningTestSupport
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Given headers")
struct GivenHeaderTests {
  /// Origin: what botocore and awscrt sign.
  @Test("A URL signs each header that botocore and awscrt sign, and lists the others")
  func urls() throws {
    let records = try VectorTable(named: "url-headers.txt").records
    #expect(records.count == 52)
    for record in records {
      let name = try record.text("name")
      let isSigned = try record.text("botocore") == "signed" && record.text("awscrt") == "signed"
      let request = try SigV4.Request("PUT", host: "example.com", headers: [name: "1"])
      for service in [SigV4.Service.s3, try Example.standardService()] {
        let url = try Example.presigned(request, service)
        #expect(
          url.signedHeaders.split(separator: ";").contains { $0 == name } == isSigned, "\(name)")
        #expect(url.requiredHeaders.values(named: name) == (isSigned ? ["1"] : []), "\(name)")
        #expect(url.unsignedHeaders.values(named: name) == (isSigned ? [] : ["1"]), "\(name)")
        let all = try Example.presigned(request, service.with(\.unsignedHeaders, .none))
        #expect(all.requiredHeaders.values(named: name) == ["1"] && all.unsignedHeaders.isEmpty)
      }
    }
  }

  /// As boto3 does for `ContentLength=1000`: the SignedHeaders are content-length;host.
  @Test("An upload slot is limited to the content-length that was named")
  func uploadSlot() throws {
    let request = try SigV4.Request(
      "PUT", host: "example.com", headers: ["Content-Length": "1000"])
    let url = try Example.presigned(request, .s3)
    #expect(url.signedHeaders == "content-length;host" && url.url.contains("content-length%3Bhost"))
    #expect(url.requiredHeaders.values(named: "content-length") == ["1000"])
  }

  @Test("A header-signed request lists its unsigned headers")
  func unsignedHeaders() throws {
    let request = try SigV4.Request(
      "GET", host: "example.com",
      headers: ["Range": "bytes=0-1", "Content-Length": "0", "X-Forwarded-For": "a", "VIA": "b"])
    let signed = try Example.signed(request, .s3)
    #expect(signed.unsignedHeaders.map(\.name) == ["Content-Length", "X-Forwarded-For", "VIA"])
    let all = try Example.signed(request, .s3.with(\.unsignedHeaders, .none))
    #expect(all.unsignedHeaders.isEmpty && all.signedHeaders.contains("content-length"))
    let union = SigV4.UnsignedHeaders.default.union(try .names(["range"]))
    let fewer = try Example.presigned(request, .s3.with(\.unsignedHeaders, union))
    #expect(fewer.unsignedHeaders.map(\.name) == ["Range"])
    #expect(fewer.signedHeaders == "content-length;host;via;x-forwarded-for")
  }

  @Test("An unannounced trailer is rejected, and a chunked upload's trailer is accepted")
  func trailers() throws {
    func sign(_ payload: SigV4.Payload) throws {
      let request = try SigV4.Request(
        "PUT", host: "example.com", headers: ["x-amz-trailer": "x-amz-checksum-crc32"],
        payload: payload)
      _ = try Example.signed(request, .s3)
    }
    for payload in [
      .empty, .unsigned, .text("a"), try .literal("STREAMING-AWS4-HMAC-SHA256-PAYLOAD"),
    ] as [SigV4.Payload] {
      expectRefusal(.conflictingHeader, showing: "x-amz-checksum-crc32") { try sign(payload) }
    }
    try sign(.literal("STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER"))
    try sign(.literal("STREAMING-UNSIGNED-PAYLOAD-TRAILER"))
  }

  /// RFC 9112, 6.2: a sender must not send Content-Length beside Transfer-Encoding.
  @Test("Transfer-Encoding together with Content-Length is rejected")
  func framing() throws {
    let request = try SigV4.Request(
      "PUT", host: "example.com", headers: ["Transfer-Encoding": "chunked", "Content-Length": "1"])
    expectRefusal(.conflictingHeader, showing: "transfer-encoding") {
      try Example.signed(request, .s3)
    }
    expectRefusal(.conflictingHeader, showing: "transfer-encoding") {
      try Example.presigned(request, .s3)
    }
  }

  @Test(
    "A date or token that a URL has in its parameters is rejected as a header, also the same one")
  func repeatedInURL() throws {
    for (name, value) in [
      ("X-Amz-Date", "20150830T123600Z"), ("x-amz-security-token", Example.token),
    ] {
      let request = try SigV4.Request("GET", host: "example.com", headers: [name: value])
      _ = try Example.signed(request, .s3, sessionToken: Example.token)
      expectRefusal(.conflictingHeader, showing: name.lowercased(), hiding: [Example.token]) {
        try Example.presigned(request, .s3, sessionToken: Example.token)
      }
    }
  }

  @Test("A digest in a URL's parameters must be the signed one")
  func digestParameter() throws {
    func presign(_ text: String, _ payload: SigV4.Payload) throws -> SigV4.PresignedURL {
      let url = "https://example.com/a?X-Amz-Content-Sha256=" + text
      return try Example.presigned(SigV4.Request("PUT", url: url, payload: payload), .s3)
    }
    #expect(
      try presign("UNSIGNED-PAYLOAD", .empty).canonicalRequest.text.hasSuffix("UNSIGNED-PAYLOAD"))
    _ = try presign(Example.digestOfNothing, .bytes([UInt8]()))
    for (text, payload) in [
      (Example.digestOfNothing, SigV4.Payload.empty), ("UNSIGNED-PAYLOAD", .text("a")),
      ("", .empty), ("UNSIGNED-PAYLOAD&x-amz-content-sha256=" + Example.digestOfNothing, .empty),
    ] {
      expectRefusal(.conflictingHeader, showing: "X-Amz-Content-Sha256") {
        try presign(text, payload)
      }
    }
  }

  @Test("A name that differs from a preset in case only is rejected")
  func serviceNames() throws {
    for name in ["S3", "s3Express", "Glacier", "AOSS"] {
      expectRefusal(.invalidService, showing: name) { try SigV4.Service.named(name) }
      expectRefusal(.invalidService, showing: name) { try SigV4.Service.standard(name) }
    }
    #expect(try SigV4.Service.named("DynamoDB").name == "DynamoDB")
  }

  /// Google returns 400 ExcessHeaderValues for x-amz-* together with x-goog-*.
  @Test("Google's own headers are rejected at Cloud Storage, and nowhere else")
  func otherFamily() throws {
    for host in ["storage.googleapis.com", "bucket.storage.googleapis.com"] {
      let request = try SigV4.Request("PUT", host: host, headers: ["X-Goog-Acl": "private"])
      expectRefusal(.conflictingHeader, showing: "x-goog-acl") { try Example.signed(request, .s3) }
      expectRefusal(.conflictingHeader, showing: "x-goog-acl") {
        try Example.presigned(request, .s3)
      }
      // Without a header of AWS, there's nothing to reject.
      #expect(try Example.signed(request, .tos).signedHeaders.contains("x-goog-acl"))
    }
    let request = try SigV4.Request("PUT", host: "example.com", headers: ["x-goog-acl": "private"])
    #expect(try Example.signed(request, .s3).signedHeaders.contains("x-goog-acl"))
    #expect(try Example.signed(request, .s3).headersOfOtherProtocols.map(\.name) == ["x-goog-acl"])
  }

  /// The prefixes: references of Alibaba OSS, Volcengine TOS, Huawei OBS and Google Cloud Storage.
  @Test("Headers of another protocol are listed in the result, in headers and in URLs")
  func otherProtocols() throws {
    let request = try SigV4.Request(
      "PUT", host: "example.com",
      headers: [
        "X-Oss-Acl": "a", "x-amz-acl": "a", "x-tos-acl": "a", "x-obs-acl": "a", "x-ossa": "a",
      ])
    let names = ["X-Oss-Acl", "x-tos-acl", "x-obs-acl"]
    #expect(try Example.signed(request, .s3).headersOfOtherProtocols.map(\.name) == names)
    #expect(try Example.presigned(request, .s3).headersOfOtherProtocols.map(\.name) == names)
    let others = ["X-Oss-Acl", "x-amz-acl", "x-obs-acl"]
    #expect(try Example.signed(request, .tos).headersOfOtherProtocols.map(\.name) == others)
  }

  /// Values: utf8-headers.py (botocore.auth and awscrt).
  @Test("Values beyond ASCII are rejected, or signed as by botocore and awscrt if they're UTF-8")
  func utf8() throws {
    try VectorTable(named: "utf8-headers.txt").records.forEachCase { (record: VectorRecord) in
      let headers = try record.headers()
      func request(_ headers: SigV4.Headers) throws -> SigV4.Request {
        try SigV4.Request("PUT", url: record.text("url"), headers: headers)
      }
      expectRefusal(.nonASCIIHeader) { try request(headers) }
      let signed = try record.signer().sign(
        request(headers.encodedAsUTF8), at: record.timestamp())
      #expect(try signed.canonicalRequest.text == record.text("canonical-request"))
      #expect(try signed.signature.hexString == record.text("signature"))
    }
    expectRefusal(.invalidHeaderValue) {
      let headers: SigV4.Headers = ["x-amz-meta-a": "é\u{1}"]
      return try SigV4.Request("PUT", host: "h.example", headers: headers.encodedAsUTF8)
    }
  }
}
