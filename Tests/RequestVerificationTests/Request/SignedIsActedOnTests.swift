// SPDX-License-Identifier: Apache-2.0
// The application acts on verified values: the body that it passed, and a path, query and headers
// with only one interpretation.

internal import SigningTestSupport
internal import RequestVerification
internal import RequestSigning
internal import SecureHashing
internal import Testing

@Suite("Verification: signed values are acted on")
struct SignedIsActedOnTests {
  /// `X-Amz-Content-Sha256` in the query. URLs of botocore 1.43.11: the first with SigV4QueryAuth, which
  /// signs the digest of an empty body; the others with S3SigV4QueryAuth, which signs UNSIGNED-PAYLOAD.
  static let declared =
    "/a.txt?X-Amz-Content-Sha256=\(Example.digestOfNothing)" + parameters
    + "b59bce0a96ecf6ff08a39a76f2a4584164783b38efd6d77fe97f08d2bc4072ff"
  static let unsigned =
    "/a.txt?X-Amz-Content-Sha256=UNSIGNED-PAYLOAD" + parameters
    + "7344fb1bb2723d24b9f7415d35264bf1322b91af7f6b645654321ad8aefc7ae7"
  static let contradicting =
    "/a.txt?X-Amz-Content-Sha256=\(Example.digestOfNothing)" + parameters
    + "75078d5c1079510f0e06db5e58ed027ea4ab56721b7b9e4557008d0b4a3d5590"
  static let parameters =
    "&X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIDEXAMPLE%2F20150830%2Fus-east-1%2Fs3"
    + "%2Faws4_request&X-Amz-Date=20150830T123600Z&X-Amz-Expires=3600&X-Amz-SignedHeaders=host"
    + "&X-Amz-Signature="

  let server: ExampleServer

  init() throws {
    server = try ExampleServer()
  }

  func put(_ target: String, body: String = "") -> WireRequest {
    var request = WireRequest("PUT", target, [("Host", "bucket.s3.amazonaws.com")])
    request.body = Array(body.utf8)
    return request
  }

  @Test("A digest that the signature doesn't cover isn't verified by it")
  func digestsThatAreNotProved() throws {
    let digest = SHA256.hash(data: "any".utf8)
    let credentials = try Example.credentials()
    let url = try server.check(put(Self.unsigned, body: "any"))
    expectRefused(.bodyNotCovered) { _ = try url.verify(with: credentials, bodyDigest: digest) }
    let upload = try SentChunks(Array("any".utf8), .signed)
    let chunks = try server.check(upload.request)
    expectRefused(.bodyNotCovered) { _ = try chunks.verify(with: credentials, bodyDigest: digest) }
  }

  @Test("The digest of another body is rejected wherever the body is signed")
  func otherDigests() throws {
    let credentials = try Example.credentials()
    let other = SHA256.hash(data: "other".utf8)
    for sent in [put(Self.declared), try SentToS3.signed()] {
      let unverified = try server.check(sent)
      expectRefused(.bodyMismatch) {
        _ = try unverified.verify(with: credentials, bodyDigest: other)
      }
      let right = SHA256.hash(data: "".utf8)
      #expect(try unverified.verify(with: credentials, bodyDigest: right).body([UInt8]()) == [])
    }
  }

  @Test("X-Amz-Content-Sha256 in the query is the signed payload hash")
  func digestInQuery() throws {
    try server.verify(put(Self.declared))
    expectRefused(.bodyMismatch) { try server.verify(put(Self.declared, body: "other")) }
    #expect(try server.verify(put(Self.unsigned, body: "other")) == Array("other".utf8))
    expectRefused(.signatureMismatch) { try server.verify(put(Self.contradicting)) }
    let header = put(Self.declared).replacing("x-amz-content-sha256", with: ["UNSIGNED-PAYLOAD"])
    expectRefused(.invalidPayloadDeclaration) { try server.verify(header) }
  }

  @Test(
    "Bytes that end a path for some readers of URLs are rejected",
    arguments: ["#attack", " attack", "\u{0}", "\r", "\n", "\t", "\u{7F}", "\\attack"])
  func targets(piece: String) throws {
    let signer = try Example.signer(.s3)
    let request = try SigV4.Request(
      "PUT", host: "bucket.s3.amazonaws.com", path: .key("victim.txt" + piece))
    var sent = WireRequest(try signer.sign(request, at: Example.moment()), [:])
    try server.verify(sent)
    sent.target = Array(("/victim.txt" + piece).utf8)
    expectRefused(.invalidRequest) { try server.verify(sent) }
    sent.target = Array(("/victim.txt?a=" + piece).utf8)
    expectRefused(.invalidRequest) { try server.verify(sent) }
  }

  @Test("A signature for /public/x opens no other path, unless dot segments are accepted")
  func dotSegments() throws {
    var server = try ExampleServer(.standard("service"))
    let signer = try Example.signer(.standard("service"))
    let request = try SigV4.Request("GET", url: "https://example.com/public/x")
    let signed = WireRequest(try signer.sign(request, at: Example.moment()), [:])
    try server.verify(signed)
    for target in [
      "/admin/../public/x", "/public/./x", "/admin/%2e%2e/public/x", "/%2E/public/x", "//public/x",
    ] {
      var sent = signed
      sent.target = Array(target.utf8)
      server.verifier.dotSegments = .rejected
      expectRefused(.invalidRequest) { try server.verify(sent) }
      server.verifier.dotSegments = .allowed
      if target.contains("%") {
        expectRefused(.signatureMismatch) { try server.verify(sent) }
      } else {
        let digest = SHA256.hash(data: "".utf8)
        let verified = try server.check(sent).verify(
          with: Example.credentials(), bodyDigest: digest)
        #expect(try verified.pathSegments == ["public", "x"])
      }
    }
    // To S3 they are names of objects.
    let object = try SigV4.Request("GET", host: "example.com", path: .key("a/../b"))
    let sent = WireRequest(try Example.signer(.s3).sign(object, at: Example.moment()), [:])
    try self.server.verify(sent)
  }

  @Test("A segment that's an encoded '..' isn't returned if the service drops such segments")
  func encodedDotSegments() throws {
    var server = try ExampleServer(.standard("service"))
    server.verifier.dotSegments = .allowed
    let signer = try Example.signer(.standard("service"))
    for path in ["/public/%2e%2e/admin", "/%2E/x"] {
      let request = try SigV4.Request("GET", url: "https://example.com" + path)
      var sent = WireRequest(try signer.sign(request, at: Example.moment()), [:])
      sent.target = Array(path.utf8)
      let verified = try server.check(sent).verify(
        with: Example.credentials(), bodyDigest: SHA256.hash(data: "".utf8))
      expectRefused(.invalidRequest) { try verified.pathSegments }
    }
  }

  @Test("A verified request returns the signed values, already parsed")
  func parsedParts() throws {
    let headers: SigV4.Headers = ["x-amz-meta-a": "  one   two ", "X-Amz-Meta-B": "1", "x-b": "u"]
    var sent = try SentToS3.signed(headers: headers)
    sent.headers.append((Array("Range".utf8), Array("bytes=0-1".utf8)))
    let verified = try server.check(sent).verify(with: Example.credentials())
    #expect(try verified.pathSegments == ["a b", "c"])
    #expect(try verified.queryValues(named: "list-type") == ["2"])
    #expect(try verified.queryValues(named: "x") == ["+"])
    #expect(try verified.queryValues(named: "y") == [])
    #expect(try verified.headerValue(named: "X-Amz-Meta-A") == "one two")
    #expect(try verified.headerValue(named: "host") == "bucket.s3.amazonaws.com")
    #expect(try verified.headerValue(named: "range") == nil)
  }

  @Test("An encoded slash is a slash for S3, and not for other services")
  func encodedSlashes() throws {
    for (service, segments) in [
      (SigV4.Service.s3, ["a", "b", "", "c"]), (try .standard("service"), ["a/b", "c"]),
    ] {
      let request = try SigV4.Request("GET", url: "https://example.com/a%2Fb//c")
      var sent = WireRequest(
        try Example.signer(service).sign(request, at: Example.moment()), [:])
      sent.target = Array("/a%2Fb//c".utf8)
      let unverified = try ExampleServer(service).check(sent)
      let digest = unverified.needsBodyDigest ? SHA256.hash(data: "".utf8) : nil
      let verified = try unverified.verify(with: Example.credentials(), bodyDigest: digest)
      #expect(try verified.pathSegments == segments)
    }
  }

  @Test("Invalid UTF-8 isn't turned into a string that a different request may contain")
  func notUTF8() throws {
    let request = try SigV4.Request("GET", url: "https://example.com/a%FF?b=%FE&c=d")
    let sent = WireRequest(try Example.signer(.s3).sign(request, at: Example.moment()), [:])
    let verified = try server.check(sent).verify(with: Example.credentials())
    expectRefused(.invalidRequest) { try verified.pathSegments }
    expectRefused(.invalidRequest) { try verified.queryValues(named: "b") }
    #expect(try verified.queryValues(named: "c") == ["d"])
  }
}
