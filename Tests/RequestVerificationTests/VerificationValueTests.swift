// SPDX-License-Identifier: Apache-2.0
// Policies, unverified requests and errors as values: equality and descriptions.

internal import SigningTestSupport
internal import RequestVerification
internal import RequestSigning
internal import SecureHashing
internal import Testing
internal import TestSupport

@Suite("Verification: values")
struct VerificationValueTests {
  @Test("Policies are equal when they accept the same")
  func policies() throws {
    let policy = try ExampleServer().verifier
    let changes: [(inout SigV4.Verifier) -> Void] = [
      { $0.services = [.s3Express] }, { $0.regions = ["eu-west-1"] },
      { $0.clockTolerance = .seconds(60) },
      { $0.maximumLifetime = .seconds(60) }, { $0.unsignedPayloads = .allowed },
      { $0.unsignedPayloads = .rejected }, { $0.signedHeaders = ["range"] },
      { $0.sessionTokens = .rejected }, { $0.maximumChunkByteCount = 1 },
      { $0.plusSignInPaths = .space },
      { $0.plusInQueries = .literal }, { $0.services = [.s3.with(\.payloadRule, .declared)] },
    ]
    #expect(try policy == ExampleServer().verifier)
    for (index, change) in changes.enumerated() {
      var other = policy
      change(&other)
      #expect(other != policy, "\(index)")
    }
  }

  @Test("Unverified requests are equal if they have the same request and values")
  func claims() throws {
    let server = try ExampleServer()
    let sent = try SentToS3.signed(token: Example.token)
    let unverified = try server.check(sent)
    #expect(try unverified == server.check(sent))
    #expect(unverified.signatureLocation == .header)
    let others = try [
      SentToS3.signed(token: "other"), SentToS3.presigned(token: Example.token),
      SentToS3.signed(token: Example.token, at: "20150830T123601Z"),
      sent.replacing("x-amz-acl", with: ["public-read"]),
      sent.replacingInTarget("x=%2B", with: "x=1"), sent.replacingInTarget("/c?", with: "/d?"),
    ]
    for (index, other) in others.enumerated() {
      #expect(try server.check(other) != unverified, "\(index)")
    }
    let forms = try FormServer()
    let form = try forms.form()
    let formClaim = try forms.unverified(form)
    #expect(try formClaim == forms.unverified(form))
    var renamed = form
    renamed.fileName = "b.jpg"
    #expect(try forms.unverified(renamed) != formClaim)
  }

  /// A client that swapped its keys sends its secret as the ID.
  @Test("An ID that may be a secret is in no message and no description")
  func swappedKeys() throws {
    let server = try ExampleServer()
    for id in [
      "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "wJalrXUtnFEMIxK7MDENGxbPxRfiCYEXAMPLEKEY",
    ] {
      let credentials = try SigV4.Credentials(accessKeyID: id, secretAccessKey: "right")
      let signer = try SigV4.Signer(credentials: credentials, region: "us-east-1", service: .s3)
      let request = try SigV4.Request("GET", url: "https://storage.example.com/a")
      let unverified = try server.check(
        WireRequest(signer.sign(request, at: Example.moment()), [:]))
      #expect(unverified.accessKeyID == id)
      #expect(throws: Never.self) { _ = try unverified.verify(with: credentials) }
      var errors = [unverified.unknownAccessKey]
      for (id, secret, end, token) in try [
        (id, "wrong", nil, nil), (id, "right", Example.moment(), nil), (id, "right", nil, "token"),
        ("AKIDEXAMPLE", "right", nil, nil),
      ] as [(String, String, SigV4.Timestamp?, String?)] {
        let known = try SigV4.Credentials(
          accessKeyID: id, secretAccessKey: secret, sessionToken: token, expiration: end)
        let error = #expect(throws: SigV4.VerificationError.self) {
          _ = try unverified.verify(with: known)
        }
        errors.append(try #require(error))
      }
      for error in errors {
        for text in [error.message, error.description, String(reflecting: error)] {
          #expect(!text.contains(id), "\(text)")
        }
        #expect(
          error.message.contains("(40 bytes, not shown)") || error.code == .sessionTokenMismatch)
      }
      for value in [unverified, [unverified]] as [any Sendable] {
        var dumped = ""
        dump(value, to: &dumped)
        for text in ["\(value)", String(reflecting: value), dumped] { #expect(!text.contains(id)) }
      }
    }
  }

  @Test("Refusals are equal when code, message and canonical request are, and dump shows no token")
  func refusals() throws {
    let server = try ExampleServer()
    func refusal(_ sent: WireRequest) throws -> SigV4.VerificationError {
      try #require(throws: SigV4.VerificationError.self) {
        let other = try SigV4.Credentials(
          accessKeyID: Example.accessKeyID, secretAccessKey: "another", sessionToken: Example.token)
        _ = try server.check(sent).verify(with: other)
      }
    }
    let sent = try SentToS3.signed(token: Example.token)
    let error = try refusal(sent)
    #expect(error.code == .signatureMismatch)
    #expect(try error == refusal(sent))
    #expect(try error != refusal(sent.replacing("x-amz-acl", with: ["public-read"])))
    #expect(error.canonicalRequest?.text.contains(Example.token) == true)
    var dumped = ""
    dump(error, to: &dumped)
    #expect(dumped.contains("problem: " + String(reflecting: error.problem)))
    #expect(dumped.contains("fix: " + String(reflecting: error.fix)))
    #expect(!dumped.contains(Example.token))
  }

  @Test("An empty session token of a signing key means that it has none, as nil does")
  func emptyToken() throws {
    let server = try ExampleServer()
    let unverified = try server.check(SentToS3.signed())
    let key = SigV4.SigningKey(try Example.credentials(), scope: unverified.scope)
    let form = try FormServer().unverified(FormServer().form())
    for token in [nil, ""] {
      _ = try unverified.verify(with: key, sessionToken: token)
      _ = try form.verify(with: key, sessionToken: token)
    }
    let temporary = try server.check(SentToS3.signed(token: Example.token))
    for token in [nil, "", "other"] {
      expectRefused(.sessionTokenMismatch) {
        _ = try temporary.verify(with: key, sessionToken: token)
      }
    }
    expectRefused(.sessionTokenMismatch) { _ = try form.verify(with: key, sessionToken: "other") }
  }

  @Test("A closure finds the key, and its error is rethrown")
  func lookUp() async throws {
    let server = try ExampleServer()
    let sent = try SentToS3.signed()
    let request = sent.received(nil)
    let credentials = try Example.credentials()
    let verified = try await server.verifier.verify(request, body: sent.body, at: server.now) {
      $0 == Example.accessKeyID ? credentials : nil
    }
    #expect(verified.request.accessKeyID == Example.accessKeyID)
    #expect(try verified.body(sent.body) == sent.body)
    await expectLookUp(.unknownAccessKey) {
      _ = try await server.verifier.verify(request, body: sent.body, at: server.now) { _ in nil }
    }
    let other = try SigV4.Credentials(
      accessKeyID: Example.accessKeyID, secretAccessKey: "another")
    await expectLookUp(.signatureMismatch) {
      _ = try await server.verifier.verify(request, body: sent.body, at: server.now) { _ in other }
    }
    await #expect(throws: CancellationError.self) {
      _ = try await server.verifier.verify(request, body: sent.body, at: server.now) { _ in
        throw CancellationError()
      }
    }
  }

  @Test("A body whose digest no header names is hashed for its signature")
  func lookUpWithoutDigest() async throws {
    let server = try ExampleServer(.standard("service"))
    let signer = try Example.signer(.standard("service"))
    let signed = try signer.sign(
      method: "POST", url: "https://example.com/", body: "a".utf8, at: server.now)
    let request = WireRequest(signed, [:]).received(nil)
    let credentials = try Example.credentials()
    let verified = try await server.verifier.verify(request, body: "a".utf8, at: server.now) { _ in
      credentials
    }
    #expect(try verified.body("a".utf8) == Array("a".utf8))
    await expectLookUp(.signatureMismatch) {
      _ = try await server.verifier.verify(request, body: "b".utf8, at: server.now) { _ in
        credentials
      }
    }
  }

  @Test("A body that differs from the declared hash is rejected in one call")
  func lookUpWithOtherBody() async throws {
    let credentials = try Example.credentials()
    let server = try ExampleServer()
    let sent = try SentToS3.signed().received()
    await expectLookUp(.bodyMismatch) {
      _ = try await server.verifier.verify(sent, body: "b".utf8, at: server.now) { _ in
        credentials
      }
    }
    // The holder of a URL adds the hash that was signed, and sends another body.
    let orders = try ExampleServer(.standard("service"))
    let url = try Example.signer(.standard("service")).presignedURL(
      for: SigV4.Request("POST", url: "https://example.com/", payload: .bytes(Array("a".utf8))),
      expiresIn: .seconds(60), at: orders.now)
    let digest = SHA256.hash(data: "a".utf8).hexString
    let forged = WireRequest(url).replacing("x-amz-content-sha256", with: [digest]).received()
    await expectLookUp(.bodyMismatch) {
      _ = try await orders.verifier.verify(forged, body: "b".utf8, at: orders.now) { _ in
        credentials
      }
    }
  }

  private func expectLookUp(
    _ code: SigV4.VerificationError.Code, _ call: () async throws -> Void,
    location: SourceLocation = #_sourceLocation
  ) async {
    let error = await #expect(
      throws: SigV4.VerificationError.self, sourceLocation: location
    ) { try await call() }
    #expect(error?.code == code, sourceLocation: location)
  }

  @Test("A verifier for an invalid service name rejects requests that are signed for it")
  func invalidService() throws {
    var server = try ExampleServer()
    server.verifier = SigV4.Verifier(region: "us-east-1", service: "S3")
    let sent = try SentToS3.signed()
    let authorization = try sent.header("Authorization").replacing("/s3/", with: "/S3/")
    expectRefused(.wrongScope) {
      try server.verify(sent.replacing("Authorization", with: [authorization]))
    }
  }

  @Test("Acceptance in URLs alone holds for tokens and dot segments too")
  func inURLs() throws {
    var server = try ExampleServer(.standard("service"))
    server.verifier.sessionTokens = .allowedInURLs
    server.token = Example.token
    let signer = try Example.signer(.standard("service"), sessionToken: Example.token)
    let request = try SigV4.Request("GET", url: "https://example.com/")
    try server.verify(
      WireRequest(signer.presignedURL(for: request, expiresIn: .seconds(60), at: server.now)))
    expectRefused(.sessionTokenNotAllowed) {
      try server.verify(WireRequest(signer.sign(request, at: server.now), [:]))
    }
    server.verifier.sessionTokens = .allowed
    let dotted = try SigV4.Request("GET", url: "https://example.com/a/../b")
    for (acceptance, isRefusedInURL) in [
      (SigV4.Acceptance.rejected, true), (.allowedInURLs, false), (.allowed, false),
    ] {
      server.verifier.dotSegments = acceptance
      let path = Array("/a/../b".utf8)
      let url = try WireRequest(
        signer.presignedURL(for: dotted, expiresIn: .seconds(60), at: server.now), path: path)
      let header = try WireRequest(signer.sign(dotted, at: server.now), [:], path: path)
      if isRefusedInURL {
        expectRefused(.invalidRequest) { try server.verify(url) }
      } else {
        try server.verify(url)
      }
      if acceptance == .allowed {
        try server.verify(header)
      } else {
        expectRefused(.invalidRequest) { try server.verify(header) }
      }
    }
  }

  @Test("A clock tolerance below zero is one of zero seconds")
  func window() throws {
    var server = try ExampleServer()
    server.verifier.clockTolerance = .seconds(Int64.min)
    try server.verify(SentToS3.signed())
    server.now = try server.now.advanced(bySeconds: 1)
    expectRefused(.requestTimeTooSkewed) { try server.verify(SentToS3.signed()) }
    server.verifier.clockTolerance = .seconds(Int64.max)
    server.now = try SigV4.Timestamp(unixSeconds: 253_402_300_799)
    try server.verify(SentToS3.signed())
  }
}
