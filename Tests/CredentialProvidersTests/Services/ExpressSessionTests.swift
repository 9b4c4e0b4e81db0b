// SPDX-License-Identifier: Apache-2.0
// Sessions of directory buckets: one of each, opened again in time, and what is said when there is none.

internal import CredentialProviders
internal import RequestSigning
internal import S3Signing
internal import SigningTestSupport
internal import Testing

@Suite("Sessions of S3 Express", .endsIfItHangs)
struct ExpressSessionTests {
  static func bucket(_ name: String = "photos") throws -> SigV4.Bucket {
    try .directory("\(name)--use1-az4--x-s3", region: "us-east-1")
  }

  static func caller() throws -> SigV4.Credentials {
    try SigV4.Credentials(
      accessKeyID: "AKIDEXAMPLE", secretAccessKey: Secret.callerKey,
      sessionToken: Secret.callerToken)
  }

  @Test("A session is cached for its bucket, and renewed 45 seconds before it expires")
  func kept() async throws {
    let services = try RecordedServices(.text(200, ProviderExamples.expressSession()))
    let sessions = ExpressSessions(source: try Self.caller(), sources: services.sources)
    let provided = try await sessions.provider(for: Self.bucket()).credentials()
    try expect(
      provided, "ASIAIOSFODNN7EXAMPLE", secret: Secret.key, token: Secret.sessionToken,
      until: "20240102T030905Z")
    #expect(
      provided.source
        == "a session of S3 Express (photos--use1-az4--x-s3), opened by the program")
    // 46 seconds are left: it stays cached.
    try services.advance(seconds: 254)
    _ = try await sessions.provider(for: Self.bucket()).credentials()
    #expect(services.requests.count == 1)
    // 10 seconds are left: callers wait.
    services.add(.text(200, ProviderExamples.expressSession(expiration: "2024-01-02T03:14:05Z")))
    try services.advance(seconds: 37)
    let next = try await sessions.provider(for: Self.bucket()).credentials()
    #expect(try next.credentials.identity.expiration == SigV4.Timestamp("20240102T031405Z"))
    #expect(services.requests.count == 2)

    let signed = try Self.bucket().signer(session: next.credentials).sign(
      Self.bucket().object("a.jpg").getRequest(), at: services.sources.now())
    #expect(signed.addedHeaders.values(named: "x-amz-s3session-token") == [Secret.sessionToken])
  }

  @Test("Each bucket has its own session, and the hundred last used ones are cached")
  func buckets() async throws {
    let services = try RecordedServices()
    let sessions = ExpressSessions(source: try Self.caller(), sources: services.sources)
    let first = sessions.provider(for: try Self.bucket("b0"))
    let second = sessions.provider(for: try Self.bucket("b1"))
    #expect(first !== second)
    for index in 2..<100 { _ = sessions.provider(for: try Self.bucket("b\(index)")) }
    #expect(sessions.provider(for: try Self.bucket("b0")) === first)
    _ = sessions.provider(for: try Self.bucket("b100"))
    #expect(sessions.provider(for: try Self.bucket("b0")) === first)
    #expect(sessions.provider(for: try Self.bucket("b1")) !== second)
  }

  @Test("Rejections are reported without a secret, clocks are corrected, and outages are retried")
  func failures() async throws {
    func error(_ answers: RecordedServices.Answer...) async throws -> CredentialError {
      let services = try RecordedServices()
      for answer in answers { services.add(answer) }
      let error = await failure(
        of: ExpressSessionProvider(
          try Self.bucket(), source: try Self.caller(), sources: services.sources))
      #expect(services.requests.count == answers.count)
      return error
    }
    // Amazon S3 API Reference, "Error responses".
    let denied = "<Error><Code>AccessDenied</Code><Message>\(Secret.callerToken)</Message></Error>"
    let refusal = try await error(.text(403, denied))
    #expect(refusal.code == .accessDenied)
    #expect(refusal.message.contains("s3express:CreateSession"))
    #expect(try await error(.text(200, "<a/>")).code == .invalidResponse)
    #expect(
      try await error(
        .text(200, ProviderExamples.expressSession(expiration: "2024-01-02T03:04:05Z"))
      ).code == .expired)
    #expect(try await error(.redirect).code == .accessDenied)
    #expect(
      try await error(.text(503, ""), .failure(.timedOut), .failure(.unreachable)).code
        == .unreachable)
    let skewed = "<Error><Code>RequestTimeTooSkewed</Code></Error>"
    let services = try RecordedServices(
      .text(403, skewed, headers: ["Date": "Tue, 02 Jan 2024 03:14:05 GMT"]),
      .text(200, ProviderExamples.expressSession()))
    _ = try await ExpressSessionProvider(
      Self.bucket(), source: Self.caller(), sources: services.sources
    ).credentials()
    #expect(
      services.requests.last?.headers.values(named: "x-amz-date") == ["20240102T031405Z"])
  }
}
