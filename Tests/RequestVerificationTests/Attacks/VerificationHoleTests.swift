// SPDX-License-Identifier: Apache-2.0
// The known vulnerabilities of servers, each of them closed: requests that a verifier must reject.

internal import SigningTestSupport
internal import RequestVerification
internal import S3Signing
internal import RequestSigning
internal import SecureHashing
internal import Testing
internal import TestSupport

/// Sources: CVE-2025-31489 and CVE-2026-41145 (uploads with only a valid access key), the security
/// advisories of MinIO about mixed mechanisms, and the Amazon S3 API Reference.
@Suite("Verification: known holes")
struct VerificationHoleTests {
  let server: ExampleServer

  init() throws {
    server = try ExampleServer()
  }

  @Test("The request that the other tests change is accepted unchanged")
  func unchanged() throws {
    try server.verify(SentToS3.signed())
    try server.verify(SentToS3.presigned())
  }

  @Test("An upload in unsigned chunks with only a valid access key is rejected")
  func unsignedTrailerWithoutSignature() throws {
    var open = server
    open.verifier.unsignedPayloads = .allowed
    var sent = WireRequest(
      "PUT", "/a",
      [
        ("Host", "bucket.s3.amazonaws.com"), ("x-amz-date", "20150830T123600Z"),
        ("x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER"),
        ("x-amz-decoded-content-length", "1"),
        (
          "Authorization",
          "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/s3/aws4_request, "
            + "SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-decoded-content-length, "
            + "Signature=" + String(repeating: "0", count: 64)
        ),
      ])
    sent.body = Array("1\r\na\r\n0\r\n\r\n".utf8)
    expectRefused(.signatureMismatch) { try open.verify(sent) }
    let authorization = try sent.header("Authorization")
    let cut = String(authorization.prefix(upTo: try #require(authorization.firstIndex(of: ","))))
    let withoutSignature = sent.replacing("Authorization", with: [cut])
    expectRefused(.malformedAuthorization) { try open.verify(withoutSignature) }
    let inQuery = try sent.replacing("Authorization", with: []).replacingInTarget(
      "/a", with: "/a?X-Amz-Credential=AKIDEXAMPLE/20150830/us-east-1/s3/aws4_request")
    expectRefused(.malformedQueryAuthorization) { try open.verify(inQuery) }
  }

  @Test("Two mechanisms in one request are rejected")
  func multipleSignatures() throws {
    var mixed = try SentToS3.presigned()
    mixed = mixed.replacing(
      "Authorization", with: [try SentToS3.signed().header("Authorization")])
    expectRefused(.multipleSignatures) { try server.verify(mixed) }
    for parameter in ["X-Amz-Signature=0", "x-amz-date", "X-Amz-Security-Token=a"] {
      let more = try SentToS3.signed().replacingInTarget("?", with: "?\(parameter)&")
      #expect(throws: SigV4.VerificationError.self) { try server.verify(more) }
    }
  }

  @Test("An unsigned x-amz-* header is rejected, and so is an unsigned content type")
  func unsignedHeaders() throws {
    for sent in [try SentToS3.signed(headers: [:]), try SentToS3.presigned()] {
      for name in ["x-amz-acl", "X-AMZ-Meta-A", "x-amz-copy-source", "Content-Type"] {
        let more = sent.replacing(name, with: ["a"])
        expectRefused(.unsignedHeader) { try server.verify(more) }
      }
      // Values that don't need a signature can be added.
      try server.verify(sent.replacing("User-Agent", with: ["a"]))
    }
    var strict = server
    strict.verifier.signedHeaders = ["X-K8s-Aws-Id"]
    expectRefused(.unsignedHeader) { try strict.verify(SentToS3.signed()) }
    strict.verifier.unsignedContentTypes = .allowed
    strict.verifier.signedHeaders = ["content-type"]
    let error = #expect(throws: SigV4.VerificationError.self) {
      try strict.verify(SentToS3.signed(headers: [:]))
    }
    #expect(error?.fix.contains("verifier.signedHeaders") == true)
    strict.verifier.signedHeaders = ["X-K8s-Aws-Id"]
    try strict.verify(SentToS3.signed(headers: ["x-k8s-aws-id": "a"]))
  }

  @Test("A second Authorization header is rejected, as is any other doubled part of a signature")
  func duplicates() throws {
    let sent = try SentToS3.signed()
    for name in ["Authorization", "x-amz-date", "x-amz-content-sha256", "Host"] {
      let value = try sent.header(name)
      let doubled = sent.replacing(name, with: [value, value])
      #expect(throws: SigV4.VerificationError.self) { try server.verify(doubled) }
    }
    for name in ["Authorization", "Host"] {
      let twice = try sent.header(name)
      expectRefused(.repeatedField) {
        try server.verify(sent.replacing(name, with: [twice, twice]))
      }
    }
    let presigned = try SentToS3.presigned()
    for parameter in ["X-Amz-Expires=3600", "X-Amz-Date=20150830T123600Z", "x-amz-expires=3600"] {
      let doubled = try presigned.replacingInTarget("?", with: "?\(parameter)&")
      expectRefused(.repeatedField) { try server.verify(doubled) }
    }
  }

  @Test("Another host is rejected, and two of them")
  func replacedHost() throws {
    let sent = try SentToS3.signed()
    expectRefused(.signatureMismatch) {
      try server.verify(sent.replacing("Host", with: ["other.s3.amazonaws.com"]))
    }
    expectRefused(.unsignedHeader) { try server.verify(sent.replacing("Host", with: [])) }
    let host = try sent.header("Host")
    try server.verify(sent.replacing("Host", with: []).replacing(":authority", with: [host]))
    try server.verify(sent.replacing(":authority", with: [host]))
    for other in [["other"], [host, host]] {
      expectRefused(.repeatedField) { try server.verify(sent.replacing(":authority", with: other)) }
    }
  }

  @Test("A URL's lifetime that isn't 1 to 604,800 seconds is rejected")
  func invalidLifetimes() {
    ["-1", "0", "604801", "9999999999999999999999", "1.5", "1e3", "+5", "", "%20900"].forEachCase {
      (expires: String) in
      let sent = try SentToS3.presigned().replacingInTarget(
        "X-Amz-Expires=3600", with: "X-Amz-Expires=" + expires)
      expectRefused(.invalidLifetime) { try server.verify(sent) }
    }
  }

  @Test("A URL without a lifetime, with one over the limit, or that has expired is rejected")
  func lifetimes() throws {
    let sent = try SentToS3.presigned()
    expectRefused(.invalidLifetime) {
      try server.verify(sent.replacingInTarget("X-Amz-Expires=3600&", with: ""))
    }
    var short = server
    short.verifier.maximumLifetime = .seconds(3599)
    expectRefused(.invalidLifetime) { try short.verify(sent) }
    var late = server
    late.now = try server.now.advanced(bySeconds: 3600)
    try late.verify(sent)
    late.now = try server.now.advanced(bySeconds: 3601)
    expectRefused(.urlExpired) { try late.verify(sent) }
  }

  @Test("Dates in the future and in the past are rejected outside of the window")
  func clocks() throws {
    // AWS's clocks: 15 minutes for S3 and its family, 5 for other services; whatever else they ask for.
    let windows: [(SigV4.Service, Int)] = [
      (.s3, 900), (.s3Express, 900), (.s3ExpressControl, 900), (.s3Outposts, 900),
      (.s3ObjectLambda, 900), (.s3.with(\.payloadRule, .declared), 900), (.glacier, 300),
      (try .standard("service"), 300),
      (try .standard("service").with(\.payloadRule, .declaredExceptInURLs), 300),
    ]
    for (service, window) in windows {
      var server = try ExampleServer(service)
      let signed = try Example.signer(service).sign(SentToS3.request(), at: Example.moment())
      let sent = WireRequest(signed, [:])
      for seconds in [-window, window] {
        server.now = try Example.moment().advanced(bySeconds: Int64(seconds))
        try server.verify(sent)
        server.now = try Example.moment().advanced(bySeconds: Int64(seconds + seconds.signum()))
        expectRefused(.requestTimeTooSkewed) { try server.verify(sent) }
      }
    }
    var early = server
    early.now = try Example.moment().advanced(bySeconds: -900)
    try early.verify(SentToS3.presigned())
    early.now = try Example.moment().advanced(bySeconds: -901)
    expectRefused(.urlNotYetValid) { try early.verify(SentToS3.presigned()) }
    early.verifier.clockTolerance = .seconds(60)
    early.now = try Example.moment().advanced(bySeconds: 61)
    expectRefused(.requestTimeTooSkewed) { try early.verify(SentToS3.signed()) }
  }

  @Test("A scope of another day, region or service is rejected")
  func scopes() throws {
    let sent = try SentToS3.signed()
    let authorization = try sent.header("Authorization")
    for (old, new) in [
      ("/20150830/", "/20150829/"), ("us-east-1", "us-east-2"), ("/s3/", "/iam/"),
    ] {
      let other = sent.replacing(
        "Authorization", with: [authorization.replacing(old, with: new)])
      expectRefused(.wrongScope) { try server.verify(other) }
    }
    for (old, new) in [
      ("aws4_request", "aws4_reques"), ("AKIDEXAMPLE/", ""), ("/s3/", "/"), ("/s3/", "/s3//"),
    ] {
      let other = sent.replacing(
        "Authorization", with: [authorization.replacing(old, with: new)])
      #expect(throws: SigV4.VerificationError.self) { try server.verify(other) }
    }
  }

  @Test("Signed headers must be sorted, lowercase and unique, and include the host")
  func signedHeaders() throws {
    let sent = try SentToS3.signed(headers: [:])
    let names = "host;x-amz-content-sha256;x-amz-date"
    let authorization = try sent.header("Authorization")
    try #require(authorization.contains(names))
    for other in [
      "x-amz-date;host;x-amz-content-sha256", "Host;x-amz-content-sha256;x-amz-date",
      "host;host;x-amz-content-sha256;x-amz-date", names + ";", ";" + names,
      "host;;x-amz-content-sha256;x-amz-date",
    ] {
      let changed = sent.replacing(
        "Authorization", with: [authorization.replacing(names, with: other)])
      expectRefused(.invalidSignedHeaders) { try server.verify(changed) }
    }
    let withoutHost = sent.replacing(
      "Authorization", with: [authorization.replacing("host;", with: "")])
    expectRefused(.unsignedHeader) { try server.verify(withoutHost) }
  }

  @Test("Another algorithm, another spelling of it, and another protocol are rejected")
  func algorithms() throws {
    let sent = try SentToS3.signed()
    let authorization = try sent.header("Authorization")
    for other in ["AWS4-ECDSA-P256-SHA256", "aws4-hmac-sha256", "AWS4-HMAC-SHA1", "Basic"] {
      let changed = sent.replacing(
        "Authorization", with: [authorization.replacing("AWS4-HMAC-SHA256", with: other)])
      expectRefused(.unsupportedAlgorithm) { try server.verify(changed) }
    }
    let presigned = try SentToS3.presigned().replacingInTarget("AWS4-HMAC", with: "AWS3-HMAC")
    expectRefused(.unsupportedAlgorithm) { try server.verify(presigned) }
    expectRefused(.notSigned) { try server.verify(sent.replacing("Authorization", with: [])) }
  }

  /// Amazon S3 User Guide, "Authorizing Zonal endpoint API operations with CreateSession":
  /// CopyObject and HeadBucket use IAM credentials, and the others use a session.
  @Test("One verifier accepts sessions of S3 Express and other credentials, in either order")
  func expressServices() throws {
    let first = [SigV4.Service.s3Express, .s3ExpressControl]
    for services in [first, first.reversed()] {
      var both = server
      both.verifier.services = services
      for service in services {
        let signer = try Example.signer(service, sessionToken: Example.token)
        let sent = WireRequest(try signer.sign(SentToS3.request(), at: Example.moment()), [:])
        let url = WireRequest(
          try signer.presignedURL(
            for: SentToS3.request(), expiresIn: .seconds(60), at: Example.moment()))
        for request in [sent, url] {
          both.token = Example.token
          try both.verify(request)
          both.token = "other"
          expectRefused(.sessionTokenMismatch) { try both.verify(request) }
        }
        var two = sent
        two.headers.append((Array("x-amz-security-token".utf8), Array("a".utf8)))
        two.headers.append((Array("x-amz-s3session-token".utf8), Array("a".utf8)))
        #expect(throws: SigV4.VerificationError.self) { try both.verify(two) }
      }
    }
  }

  @Test("A session token must match the key, be present, and be allowed")
  func sessionTokens() throws {
    var temporary = server
    temporary.token = Example.token
    for sent in [
      try SentToS3.signed(token: Example.token), try SentToS3.presigned(token: Example.token),
    ] {
      try temporary.verify(sent)
      expectRefused(.sessionTokenMismatch) { try server.verify(sent) }
      var other = temporary
      other.token = Example.token + "="
      expectRefused(.sessionTokenMismatch) { try other.verify(sent) }
      other = temporary
      other.verifier.sessionTokens = .rejected
      expectRefused(.sessionTokenNotAllowed) { try other.verify(sent) }
    }
    expectRefused(.sessionTokenMismatch) { try temporary.verify(SentToS3.signed()) }
    let misplaced = try SentToS3.signed().replacing("x-amz-s3session-token", with: ["a"])
    expectRefused(.sessionTokenNotAllowed) { try server.verify(misplaced) }
  }

  @Test("Another account's keys, another day's keys and expired credentials verify nothing")
  func keys() throws {
    let unverified = try server.check(SentToS3.signed())
    let other = try SigV4.Credentials(
      accessKeyID: "AKIDOTHER", secretAccessKey: Example.secret)
    expectRefused(.wrongKey) { _ = try unverified.verify(with: other) }
    let scope = try SigV4.CredentialScope("20150829/us-east-1/s3/aws4_request")
    let key = SigV4.SigningKey(try Example.credentials(), scope: scope)
    expectRefused(.wrongKey) { _ = try unverified.verify(with: key) }
    let right = SigV4.SigningKey(try Example.credentials(), scope: unverified.scope)
    _ = try unverified.verify(with: right)
    let ended = try Example.credentials(expiration: Example.moment())
    expectRefused(.credentialsExpired) { _ = try unverified.verify(with: ended) }
    let wrong = try SigV4.Credentials(
      accessKeyID: Example.accessKeyID, secretAccessKey: "another")
    expectRefused(.signatureMismatch) { _ = try unverified.verify(with: wrong) }
    #expect(unverified.unknownAccessKey.code == .unknownAccessKey)
  }

  @Test("An unsigned or undeclared payload is rejected, unless the policy accepts it")
  func payloads() throws {
    let unsigned = try SentToS3.signed(payload: .unsigned)
    expectRefused(.unsignedPayload) { try server.verify(unsigned) }
    var open = server
    open.verifier.unsignedPayloads = .allowed
    try open.verify(unsigned)
    var closed = server
    closed.verifier.unsignedPayloads = .rejected
    expectRefused(.unsignedPayload) { try closed.verify(SentToS3.presigned()) }

    var sent = try SentToS3.signed(payload: .text("hello"))
    sent.body = Array("hello".utf8)
    #expect(try server.verify(sent) == sent.body)
    sent.body = Array("hellO".utf8)
    expectRefused(.bodyMismatch) { try server.verify(sent) }
    let undeclared = sent.replacing("x-amz-content-sha256", with: [])
    #expect(throws: SigV4.VerificationError.self) { try server.verify(undeclared) }
    for value in [Example.digestOfNothing.uppercased(), "UNSIGNED", "STREAMING-X", ""] {
      expectRefused(.invalidPayloadDeclaration) {
        try server.verify(sent.replacing("x-amz-content-sha256", with: [value]))
      }
    }
  }

  @Test("If no header contains the body's digest, it must be passed")
  func bodyDigests() throws {
    let server = try ExampleServer(.standard("service"))
    let signed = try Example.signer(.standard("service")).sign(
      SentToS3.request("POST", payload: .text("hello")), at: Example.moment())
    let unverified = try server.check(WireRequest(signed, [:]))
    #expect(unverified.needsBodyDigest)
    let credentials = try Example.credentials()
    expectRefused(.bodyDigestRequired) { _ = try unverified.verify(with: credentials) }
    let other = SHA256.hash(data: "hellO".utf8)
    expectRefused(.signatureMismatch) {
      _ = try unverified.verify(with: credentials, bodyDigest: other)
    }
    let verified = try unverified.verify(
      with: credentials, bodyDigest: SHA256.hash(data: "hello".utf8))
    #expect(verified.request.accessKeyID == Example.accessKeyID)
    #expect(verified.signedHeaders == "host;x-amz-date")
    var check = try unverified.verify(
      with: credentials, bodyDigest: SHA256.hash(data: "hello".utf8)
    )
    .bodyVerifier()
    var body: [UInt8] = []
    try check.update("hel".utf8, into: &body)
    try check.update("lo".utf8, into: &body)
    _ = try check.finish()
    #expect(body.elementsEqual("hello".utf8))
    expectRefused(.bodyMismatch) {
      _ = try unverified.verify(with: credentials, bodyDigest: SHA256.hash(data: "hello".utf8))
        .body("hellO".utf8)
    }
  }

  @Test("A plus sign in a path is itself, unless the policy makes it a space")
  func plusSignInPaths() throws {
    let signer = try Example.signer(.s3)
    var spaces = server
    spaces.verifier.plusSignInPaths = .space
    for (key, isLiteral) in [("a+b", true), ("a b", false)] {
      let request = try SigV4.Request("GET", host: "example.com", path: .key(key))
      let sent = WireRequest(try signer.sign(request, at: Example.moment()), [:])
      var plus = sent
      plus.target = Array("/a+b".utf8)
      try server.verify(sent)
      try (isLiteral ? server : spaces).verify(plus)
      let verified = try (isLiteral ? server : spaces).check(plus)
        .verify(with: Example.credentials(), bodyDigest: SHA256.hash(data: []))
      #expect(try verified.pathSegments == [key])
      expectRefused(.signatureMismatch) { try (isLiteral ? spaces : server).verify(plus) }
    }
  }

  @Test("A value with a newline can't be mistaken for another header")
  func forgedLines() throws {
    let sent = try SentToS3.signed(headers: ["x-amz-acl": "private"])
    for value in ["private\nx-amz-b:c", "private\r", "pri\u{0}vate"] {
      expectRefused(.invalidRequest) {
        try server.verify(sent.replacing("x-amz-acl", with: [value]))
      }
    }
    for name in ["x y", "x:y", ":path", "", "é"] {
      expectRefused(.invalidRequest) { try server.verify(sent.replacing(name, with: ["a"])) }
    }
    var other = sent
    other.target = Array("http://bucket.s3.amazonaws.com/".utf8)
    expectRefused(.invalidRequest) { try server.verify(other) }
    other = sent
    other.method = Array("GE T".utf8)
    expectRefused(.invalidRequest) { try server.verify(other) }
  }
}
