// SPDX-License-Identifier: Apache-2.0
// Unsigned values that S3 and the verifier accept, because they can't be used for a forgery.

internal import RequestSigning
internal import RequestVerification
internal import SigningTestSupport
internal import Testing

@Suite("Verification: accepted as by S3")
struct AcceptedAsByS3Tests {
  let server: ExampleServer

  init() throws {
    server = try ExampleServer()
  }

  /// The value is the last line of the canonical request, so a wrong one is a wrong signature.
  @Test("An unsigned x-amz-content-sha256 with a URL is accepted if it matches the signed value")
  func declaredPayload() throws {
    let name = "x-amz-content-sha256"
    let open = try SentToS3.presigned()
    try server.verify(open.replacing(name, with: ["UNSIGNED-PAYLOAD"]))
    for value in [Example.digestOfNothing, "UNSIGNED-PAYLOADS", ""] {
      #expect(throws: SigV4.VerificationError.self) {
        try server.verify(open.replacing(name, with: [value]))
      }
    }
    expectRefused(.signatureMismatch) {
      try server.verify(open.replacing(name, with: [Example.digestOfNothing]))
    }
    expectRefused(.repeatedField) {
      try server.check(open.replacing(name, with: ["UNSIGNED-PAYLOAD", "UNSIGNED-PAYLOAD"]))
    }
    var closed = server
    closed.verifier.unsignedPayloads = .rejected
    expectRefused(.unsignedPayload) {
      try closed.verify(open.replacing(name, with: ["UNSIGNED-PAYLOAD"]))
    }
    // The parameter with that name has the same value.
    let url = try SigV4.Request(
      "GET", url: "https://bucket.s3.amazonaws.com/a?X-Amz-Content-Sha256=UNSIGNED-PAYLOAD")
    let named = WireRequest(
      try Example.signer(.s3).presignedURL(for: url, expiresIn: .seconds(60), at: Example.moment()))
    try server.verify(named.replacing(name, with: ["UNSIGNED-PAYLOAD"]))
    expectRefused(.invalidPayloadDeclaration) {
      try server.verify(named.replacing(name, with: [Example.digestOfNothing]))
    }
    // In a request that is signed in its headers, it is signed as every x-amz-* header.
    let signed = try SentToS3.signed(headers: [:])
    let unsigned = try signed.replacing(
      "Authorization",
      with: [signed.header("Authorization").replacing(";x-amz-content-sha256", with: "")])
    expectRefused(.unsignedHeader) { try server.check(unsigned) }
  }

  @Test(
    "With the URL of a service that signs the body's digest, it's compared with the body")
  func declaredDigest() throws {
    let service = try SigV4.Service.standard("service")
    let server = try ExampleServer(service)
    let request = try SentToS3.request("POST", payload: .text("hello"))
    var url = WireRequest(
      try Example.signer(service).presignedURL(
        for: request, expiresIn: .seconds(60), at: Example.moment()))
    url.body = Array("hello".utf8)
    // SHA-256 of "hello" (printf hello | sha256sum).
    let digest = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
    let declared = url.replacing("x-amz-content-sha256", with: [digest])
    #expect(try !server.check(declared).needsBodyDigest)
    try server.verify(declared)
    var other = declared
    other.body = Array("hellO".utf8)
    expectRefused(.bodyMismatch) { try server.verify(other) }
    expectRefused(.signatureMismatch) {
      try server.verify(url.replacing("x-amz-content-sha256", with: [Example.digestOfNothing]))
    }
  }

  /// A request that signs these headers and is sent without some of them.
  func sent(_ headers: SigV4.Headers, without names: [String]) throws -> WireRequest {
    var sent = try SentToS3.signed(headers: headers)
    for name in names { sent = sent.replacing(name, with: []) }
    return sent
  }

  /// HTTP clients drop empty headers. Amazon S3 signs a header that isn't sent as an empty one.
  @Test("A signed header that isn't sent counts as empty")
  func missingHeaders() throws {
    let headers: SigV4.Headers = [
      "content-type": "", "x-amz-acl": "", "range": "", "x-amz-meta-a": "b",
    ]
    for names in [["content-type"], ["x-amz-acl"], ["range"], ["content-type", "x-amz-acl"]] {
      let sent = try sent(headers, without: names)
      let verified = try server.check(sent).verify(with: Example.credentials())
      #expect(try verified.headerValue(named: names[0]) == "")
      #expect(verified.signedHeaders.contains(names[0]))
    }
    let url = try SentToS3.presigned(headers: ["content-type": "", "x-amz-acl": ""])
    try server.verify(url.replacing("content-type", with: []).replacing("x-amz-acl", with: []))
  }

  @Test("A missing header that was signed is named, and the client sees the server's strings")
  func lostHeaders() throws {
    let sent = try sent(["x-amz-meta-a": "b", "x-amz-meta-b": "c"], without: ["x-amz-meta-a"])
    let error = #expect(throws: SigV4.VerificationError.self) { try server.verify(sent) }
    #expect(error?.code == .signatureMismatch)
    #expect(error?.message.contains("x-amz-meta-a") == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("x-amz-meta-b") == false)
    let answer = try #require(error).xmlResponse(requestID: "1").body
    #expect(answer.contains("x-amz-meta-a:\nx-amz-meta-b:c\n"))
  }

  @Test("Missing required headers are rejected, although an empty one could be signed")
  func neededHeaders() throws {
    let signed = try SentToS3.signed(headers: ["x-k8s-aws-id": ""])
    expectRefused(.unsignedHeader) { try server.check(signed.replacing("Host", with: [])) }
    var strict = server
    strict.verifier.signedHeaders = ["x-k8s-aws-id"]
    try strict.verify(signed)
    expectRefused(.unsignedHeader) {
      try strict.check(signed.replacing("x-k8s-aws-id", with: []))
    }
    // The date and the digest are read of headers that are there.
    expectRefused(.malformedAuthorization) {
      try server.check(signed.replacing("x-amz-date", with: []))
    }
    expectRefused(.payloadNotDeclared) {
      try server.check(signed.replacing("x-amz-content-sha256", with: []))
    }
  }

  @Test("Names of signed headers that are no names, not sorted, or too many, are rejected as ever")
  func invalidNames() throws {
    let signed = try SentToS3.signed(headers: [:])
    let authorization = try signed.header("Authorization")
    let names = "host;x-amz-content-sha256;x-amz-date"
    for other in [
      names + ";", ";" + names, "host;;x-amz-content-sha256;x-amz-date", names + ";x-amz-date",
      names + ";a", "host;x y;x-amz-content-sha256;x-amz-date", names + ";X", names + ";x:y",
      (10..<90).map { "a-\($0)" }.joined(separator: ";") + ";" + names,
    ] {
      let changed = signed.replacing(
        "Authorization", with: [authorization.replacing(names, with: other)])
      expectRefused(.invalidSignedHeaders) { try server.check(changed) }
    }
  }

  @Test("Sixteen signed headers may be missing, and no more")
  func manyMissing() throws {
    for (count, isAccepted) in [(16, true), (17, false)] {
      let names = (10..<(10 + count)).map { "a-\($0)" }
      let sent = try sent(SigV4.Headers(names.map { ($0, "") }), without: names)
      if isAccepted {
        try server.verify(sent)
      } else {
        expectRefused(.invalidSignedHeaders) { try server.check(sent) }
      }
    }
  }

  /// In memory the date follows the names, and begins with a 2.
  @Test("A header whose name begins with a signed header's name isn't signed")
  func cutName() throws {
    var sent = try SentToS3.presigned().replacing("x-amz-2", with: ["a"])
    let target = String(decoding: sent.target, as: UTF8.self)
    let names = "X-Amz-SignedHeaders=host"
    #expect(target.contains(names))
    sent.target = Array(target.replacing(names, with: names + "%3Bx-amz-").utf8)
    expectRefused(.unsignedHeader) { try server.check(sent) }
  }

  @Test("Headers that the operator's own proxy adds may be unsigned, by name, and aren't used")
  func addedHeaders() throws {
    var open = server
    open.verifier.unsignedHeaders = ["X-Amz-Cf-Id", "x-amz-cf-pop"]
    for sent in [try SentToS3.signed(), try SentToS3.presigned()] {
      let behind = sent.replacing("x-amz-cf-id", with: ["a", "b"]).replacing(
        "X-AMZ-CF-POP", with: ["c"])
      try open.verify(behind)
      let verified = try open.check(behind).verify(with: Example.credentials())
      #expect(try verified.headerValue(named: "x-amz-cf-id") == nil)
      expectRefused(.unsignedHeader) { try server.check(behind) }
      for name in ["x-amz-cf-i", "x-amz-cf-idd", "x-amz-meta-a"] {
        expectRefused(.unsignedHeader) {
          try open.check(behind.replacing(name, with: ["a"]))
        }
      }
    }
    // One that is signed stays so.
    let signed = try SentToS3.signed(headers: ["x-amz-cf-id": "a"])
    try open.verify(signed)
    expectRefused(.signatureMismatch) {
      try open.verify(signed.replacing("x-amz-cf-id", with: ["b"]))
    }
  }

  @Test("Headers of the signature or the body must be signed, even if they're in the list")
  func signatureHeaders() throws {
    var open = server
    let names = [
      "host", "content-type", "x-amz-date", "x-amz-content-sha256", "x-amz-security-token",
      "x-amz-s3session-token", "x-amz-region-set", "x-amz-decoded-content-length", "x-amz-trailer",
    ]
    open.verifier.unsignedHeaders = names
    open.verifier.unsignedPayloads = .allowed
    for name in names {
      let headers: SigV4.Headers =
        name.hasPrefix("x-amz-") && !name.contains("date") && !name.contains("sha256")
        ? [name: "a"] : ["content-type": "a/b"]
      let sent = WireRequest(
        try Example.signer(.s3).sign(
          SigV4.Request("GET", host: "bucket.s3.amazonaws.com", headers: ["content-type": "a/b"]),
          at: Example.moment()), headers)
      let authorization = try sent.header("Authorization")
      let list = try #require(authorization.firstRange(of: "SignedHeaders=")).upperBound
      let signedNames = authorization[list...].prefix { $0 != "," }.split(separator: ";")
      let fewer = signedNames.filter { $0 != name }.joined(separator: ";")
      let rest = authorization[list...].drop { $0 != "," }
      let unsigned = sent.replacing(
        "Authorization", with: ["\(authorization[..<list])\(fewer)\(rest)"])
      let error = #expect(throws: SigV4.VerificationError.self, "\(name)") {
        try open.verify(unsigned)
      }
      #expect(error?.code != .signatureMismatch, "\(name): \(error?.message ?? "")")
    }
  }
}
