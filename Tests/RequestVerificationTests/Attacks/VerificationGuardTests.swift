// SPDX-License-Identifier: Apache-2.0
// The verifier's checks, one by one: each request here is rejected by only one of them.

internal import SigningTestSupport
internal import RequestVerification
internal import RequestSigning
internal import SecureHashing
internal import Testing
internal import TestSupport

@Suite("Verification: each check by itself")
struct VerificationGuardTests {
  let server: ExampleServer

  init() throws {
    server = try ExampleServer(unsignedPayloads: .allowed)
  }

  /// Passes a body to the verifier of its chunks, without finishing it.
  func update(_ body: String, _ sent: SentChunks) throws {
    var chunks = try server.bodyVerifier(of: sent.request)
    var decoded: [UInt8] = []
    try chunks.update(body.utf8, into: &decoded)
  }

  @Test("More bytes than were announced are rejected when they come, not at the end")
  func tooManyBytes() throws {
    let sent = try SentChunks(Array("hello".utf8), .unsignedWithTrailers)
    expectRefused(.bodyLengthMismatch) { try update("6\r\nhello!\r\n", sent) }
    expectRefused(.bodyLengthMismatch) { try update("5\r\nhello\r\n1\r\n!\r\n", sent) }
  }

  @Test("S3 requires x-amz-content-sha256, even for a request that's signed without it")
  func payloadNotDeclared() throws {
    let signer = try Example.signer(.s3.with(\.payloadRule, .hashed))
    let signed = try signer.sign(SentToS3.request(), at: Example.moment())
    let sent = WireRequest(signed, [:])
    try #require(!sent.headers.contains { $0.name.elementsEqual("x-amz-content-sha256".utf8) })
    expectRefused(.payloadNotDeclared) { try server.verify(sent) }
  }

  @Test("A digest is rejected for a service that never signs payloads")
  func digestForLattice() throws {
    let lattice = try ExampleServer(.vpcLattice)
    let request = try SentToS3.request()
    let sent = WireRequest(try Example.signed(request, .vpcLattice), [:])
    let digest = SigV4.Payload.digestOfNothingText.description
    expectRefused(.invalidPayloadDeclaration) {
      try lattice.verify(sent.replacing("x-amz-content-sha256", with: [digest]))
    }
  }

  @Test("A policy that rejects unsigned bodies also does so for a service that never signs them")
  func unsignedForLattice() throws {
    let lattice = try ExampleServer(.vpcLattice)
    let sent = WireRequest(try Example.signed(SentToS3.request(), .vpcLattice), [:])
    try lattice.verify(sent)
    var strict = lattice
    strict.verifier.unsignedPayloads = .rejected
    expectRefused(.unsignedPayload) { try strict.verify(sent) }
    // To sign the body isn't the advice, because no client can.
    let error = #expect(throws: SigV4.VerificationError.self) {
      try lattice.verifier.check(sent.received(.http), at: lattice.now)
    }
    #expect(error?.code == .unsignedPayload && error?.fix.hasPrefix("Use TLS") == true)
  }

  @Test("A lifetime is rejected for a service whose URLs have none")
  func lifetimeForMessages() throws {
    let gateway = try ExampleServer(.iotDeviceGateway)
    let signer = try Example.signer(.iotDeviceGateway)
    let request = try SigV4.Request("GET", host: "example.com", path: .encoded("/mqtt"))
    var sent = WireRequest(
      try signer.presignedURL(for: request, expiresIn: nil, at: Example.moment()))
    try gateway.verify(sent)
    sent.target += Array("&X-Amz-Expires=900".utf8)
    expectRefused(.invalidLifetime) { try gateway.verify(sent) }
  }

  @Test("Parts of a chunked body are verified in place, with the same result as copies")
  func pieces() throws {
    let body = Array("hello".utf8)
    let sent = try SentChunks(body, .unsignedWithTrailers)
    var chunks = try server.bodyVerifier(of: sent.request)
    var decoded: [UInt8] = []
    // Safety: the pieces are used before the closures end.
    try unsafe sent.request.body.withUnsafeBytes { bytes in
      try unsafe chunks.update(bytes) { unsafe decoded.append(contentsOf: $0) }
    }
    _ = try chunks.finish()
    #expect(decoded == body)
    var longer = try server.bodyVerifier(of: sent.request)
    expectRefused(.bodyLengthMismatch) {
      try unsafe Array("6\r\nhello!\r\n".utf8).withUnsafeBytes { bytes in
        try unsafe longer.update(bytes) { _ in }
      }
    }
  }

  @Test("The digest of a body in pieces is compared", arguments: ["hello", "hellp"])
  func digestOfPieces(received: String) throws {
    let signed = try SentToS3.signed(payload: .text("hello"))
    var check = try server.check(signed).verify(with: Example.credentials()).bodyVerifier()
    #expect(check.isSigned && check.decodedByteCount == nil)
    var body: [UInt8] = []
    // Safety: the pieces are used before the closures end.
    try unsafe Array(received.utf8).withUnsafeBytes {
      try unsafe check.update($0) { unsafe body.append(contentsOf: $0) }
    }
    #expect(body.elementsEqual(received.utf8))
    do throws(SigV4.VerificationError) {
      _ = try check.finish()
      #expect(received == "hello")
    } catch {
      #expect(error.code == .bodyMismatch && received != "hello")
    }
  }

  @Test(
    "A presigned URL has no chunks",
    arguments: [
      "STREAMING-AWS4-HMAC-SHA256-PAYLOAD", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER",
      "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
    ])
  func chunksInURL(word: String) throws {
    let sent = try SentToS3.presigned(
      headers: ["x-amz-decoded-content-length": "1"], payload: .literal(word))
    expectRefused(.invalidPayloadDeclaration) { try server.verify(sent) }
  }

  @Test("Two session tokens that differ are rejected, in header and query")
  func twoTokens() throws {
    let sent = try SentToS3.presigned(token: Example.token)
    for (token, isSame) in [(Example.token + "=", false), (Example.token, true)] {
      let two = sent.replacing("x-amz-security-token", with: [token])
      expectRefused(isSame ? .unsignedHeader : .sessionTokenNotAllowed) { try server.check(two) }
    }
  }

  @Test("A header x-amz-date that contradicts the URL's date is rejected")
  func twoDates() throws {
    let sent = try SentToS3.presigned()
    for (date, isSame) in [("20150830T123601Z", false), ("20150830T123600Z", true)] {
      let two = sent.replacing("x-amz-date", with: [date])
      expectRefused(isSame ? .unsignedHeader : .malformedQueryAuthorization) {
        try server.check(two)
      }
    }
  }

  @Test("A trailer after the signature of the trailers is rejected, also one that was announced")
  func trailerAfterSignature() throws {
    let sent = try SentChunks(Array("hello".utf8), .signedWithTrailers)
    let text = String(decoding: sent.request.body, as: UTF8.self)
    let trailer = try #require(text.firstRange(of: "x-amz-checksum-crc32c:"))
    let signature = try #require(text.firstRange(of: "x-amz-trailer-signature:"))
    // CRLF is one character.
    let swapped =
      text[..<trailer.lowerBound] + text[signature.lowerBound...].dropLast()
      + text[trailer.lowerBound..<signature.lowerBound] + "\r\n"
    try #require(swapped.utf8.count == text.utf8.count)
    try update(text, sent)
    expectRefused(.trailerMismatch) { try update(String(swapped), sent) }
  }

  @Test("Trailers of more than 16,384 bytes are rejected, over all lines")
  func longTrailers() throws {
    let sent = try SentChunks(Array("hello".utf8), .unsignedWithTrailers)
    let text = String(decoding: sent.request.body, as: UTF8.self)
    // Two lines, before the end at which their names are looked at.
    let value = try #require(text.firstRange(of: "x-amz-checksum-crc32c:"))
    let start = text[..<value.lowerBound]
    for (count, isLong) in [(8_000, false), (8_200, true)] {
      let line = "x-amz-checksum-crc32c:" + String(repeating: " ", count: count) + "a\r\n"
      if isLong {
        expectRefused(.trailerMismatch) { try update(start + line + line, sent) }
      } else {
        try update(start + line + line, sent)
      }
    }
  }

  @Test("A request without a host is rejected, even if no host is signed")
  func noHost() throws {
    let sent = try SentToS3.signed(headers: [:])
    let authorization = try sent.header("Authorization")
    let withoutHost = sent.replacing("Host", with: []).replacing(
      "Authorization", with: [authorization.replacing("host;", with: "")])
    expectRefused(.unsignedHeader) { try server.check(withoutHost) }
  }

  @Test("Without TLS, an unsigned body is rejected, except with a URL")
  func unsignedPayloadWithoutTLS() throws {
    var plain = server
    plain.scheme = .http
    let sent = try SentToS3.signed(payload: .unsigned)
    try server.verify(sent)
    expectRefused(.unsignedPayload) { try plain.verify(sent) }
    try plain.verify(SentToS3.presigned())
  }

  @Test("A content type can be unsigned if the policy allows it")
  func unsignedContentTypes() throws {
    let header = try SentToS3.signed(headers: [:]).replacing("content-type", with: ["a/b"])
    let url = try SentToS3.presigned().replacing("content-type", with: ["a/b"])
    for (rule, inHeaders, inURLs) in [
      (SigV4.Acceptance.rejected, false, false), (.allowedInURLs, false, true),
      (.allowed, true, true),
    ] {
      var other = server
      other.verifier.unsignedContentTypes = rule
      for (sent, isAccepted) in [(header, inHeaders), (url, inURLs)] {
        if isAccepted {
          try other.verify(sent)
        } else {
          expectRefused(.unsignedHeader) { try other.verify(sent) }
        }
      }
    }
    let s3Compatible = SigV4.Verifier.s3Compatible(regions: ["us-east-1"])
    #expect(s3Compatible.services == [.s3] && s3Compatible.unsignedPayloads == .allowed)
    #expect(
      s3Compatible.unsignedContentTypes == .allowedInURLs && s3Compatible.dotSegments == .rejected)
    #expect(
      SigV4.Verifier(services: [.s3], regions: ["a"])
        == SigV4.Verifier(region: "a", service: .s3))
  }

  @Test("URLs must cover the body if their service signs it, unless every body may be unsigned")
  func unsignedPayloadInURL() throws {
    let signer = try Example.signer(.glacier)
    let request = try SigV4.Request(
      "GET", url: "https://glacier.us-east-1.amazonaws.com/a", payload: .unsigned)
    let url = try signer.presignedURL(for: request, expiresIn: .seconds(60), at: Example.moment())
    var glacier = try ExampleServer(.glacier)
    expectRefused(.unsignedPayload) { try glacier.verify(WireRequest(url)) }
    glacier.verifier.unsignedPayloads = .allowed
    try glacier.verify(WireRequest(url))
  }
}
