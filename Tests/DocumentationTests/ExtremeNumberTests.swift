// SPDX-License-Identifier: Apache-2.0
// Extreme durations, dates and sizes, in all public calls: an error or a value, never a trap.

internal import SigningTestSupport
internal import CloudFrontSigning
internal import ConnectionTokens
internal import CredentialProviders
internal import DigitalSignatures
internal import EventStreamSigning
internal import Foundation
internal import POSIXCredentialSources
internal import RequestSigning
internal import RequestSigningFoundation
internal import RequestVerification
internal import S3Signing
internal import SecureHashing
internal import Testing

@Suite("Extreme numbers", .endsIfItHangs)
struct ExtremeNumberTests {
  /// A `Duration` is an Int128 of attoseconds: up to 2^127 - 1 of them, 1.7e20 seconds, of which
  /// `components` can return those below 2^63 seconds (Swift Evolution, SE-0329).
  static let longest =
    Duration.seconds(Int64.max) * 18
    + Duration(
      secondsComponent: 4_120_486_797_083_267_205, attosecondsComponent: 687_303_715_884_105_727)
  static let durations: [Duration] = [
    longest, .seconds(1e19), .seconds(Int64.max) + .seconds(1), .seconds(Int64.max),
    .seconds(1e12), .seconds(-1e12), .seconds(Int64.min), .seconds(Int64.min) - .seconds(1),
    .seconds(-1e19), .zero - longest,
    .zero - longest
      - Duration(
        secondsComponent: 0, attosecondsComponent: 1),
  ]

  let now: SigV4.Timestamp
  let credentials: SigV4.Credentials
  let signer: SigV4.Signer
  let bucket: SigV4.Bucket
  let cloudFront: CloudFrontSigner

  init() throws {
    now = try Example.moment()
    credentials = try Example.credentials()
    signer = try Example.signer(.s3)
    bucket = try .aws("example", region: "us-east-1")
    cloudFront = try CloudFrontSigner(
      keyPairID: "K2JCJMDEHXQW5F", privateKey: P256.Signing.PrivateKey())
  }

  @Test("A lifetime that nothing can have is an error in all calls", arguments: durations)
  func lifetimes(_ lifetime: Duration) throws {
    let object = try bucket.object("a")
    let request = try object.request("GET")
    let url = try #require(URL(string: "https://example.s3.amazonaws.com/a"))
    var buffer = SigV4.SigningBuffer()
    let calls: [() throws -> Any] = [
      { try signer.presignedURL(for: request, expiresIn: lifetime, at: now) },
      { try signer.presignedURL(for: request, expiresIn: lifetime, at: now, into: &buffer) },
      { try signer.prepare(request, expiresIn: lifetime, at: now) },
      { try signer.presignedURL(for: object, expiresIn: lifetime, at: now) },
      { try signer.presignedURLs(for: ["a"], in: bucket, expiresIn: lifetime, at: now) },
      { try SigV4.PostPolicy(bucket: bucket, expiresIn: lifetime, conditions: [.key("a")]) },
      {
        try SigV4.ConnectionToken.dsql(
          host: "a.dsql.us-east-1.on.aws", role: .admin, region: "us-east-1",
          credentials: credentials, expiresIn: lifetime, at: now)
      },
      {
        try SigV4.ConnectionToken.bedrock(
          region: "us-east-1", credentials: credentials, expiresIn: lifetime, at: now)
      },
      {
        try SigV4.WebSocketURL.transcribe(
          [:], region: "us-east-1", credentials: credentials, expiresIn: lifetime, at: now)
      },
      {
        try SigV4.WebSocketURL.kinesisVideo(
          host: "m-1.kinesisvideo.us-east-1.amazonaws.com",
          channelARN: "arn:aws:kinesisvideo:us-east-1:123456789012:channel/a/1",
          clientID: nil, region: "us-east-1", credentials: credentials, expiresIn: lifetime, at: now
        )
      },
      { try signer.sign(URLRequest(url: url), expiresIn: lifetime) },
      { try signer.presignedURL(for: request, expiresIn: lifetime) },
      { try signer.presignedURL(for: url, expiresIn: lifetime) },
      { try signer.presignedURL(for: object, expiresIn: lifetime) },
      { try signer.presignedURL(for: request, expiresIn: lifetime) },
    ]
    for (index, call) in calls.enumerated() {
      let error = #expect(throws: SigV4.SigningError.self, "\(index)") { _ = try call() }
      #expect(error?.code == .invalidLifetime, "\(index): \(error?.message ?? "")")
    }
  }

  @Test("A time that no calendar has is an error", arguments: durations)
  func times(_ duration: Duration) throws {
    let code: SigV4.SigningError.Code = duration < .zero ? .invalidLifetime : .timestampOutOfRange
    let url = "https://cdn.example.com/a"
    expectRefusal(.timestampOutOfRange) { try now.advanced(by: duration) }
    expectRefusal(code) {
      try CloudFrontPolicy(resource: url, expiresIn: duration, at: now)
    }
    expectRefusal(code) { try cloudFront.signedURL(url, expiresIn: duration, at: now) }
    expectRefusal(code) { try cloudFront.signedCookies(for: url, expiresIn: duration, at: now) }
  }

  @Test("A cookie's age is exact or an error", arguments: durations)
  func cookies(_ duration: Duration) throws {
    let cookies = try cloudFront.signedCookies(
      for: "https://cdn.example.com/a", expiresIn: .seconds(1), at: now)
    if duration >= .zero && duration <= .seconds(Int64.max) {
      let values = try cookies.setCookieValues([.maxAge(duration)])
      #expect(values.first?.hasSuffix("Max-Age=\(duration.components.seconds)") == true)
    } else {
      expectRefusal(.invalidCookieAttribute) { try cookies.setCookieValues([.maxAge(duration)]) }
    }
  }

  @Test("A verifier with any clock skew and lifetime accepts and rejects", arguments: durations)
  func verifiers(_ duration: Duration) throws {
    let url: SigV4.PresignedURL = try signer.presignedURL(
      for: bucket.object("a"), expiresIn: .seconds(60), at: now)
    let signed = try signer.sign(bucket.object("a").request("GET"), at: now)
    var header = SigV4.ReceivedRequest("GET", target: "/a".utf8)
    header.append("host".utf8, signed.host.utf8)
    for field in signed.headers { header.append(field.name.utf8, field.value.utf8) }
    var query = SigV4.ReceivedRequest("GET", target: url.target.utf8)
    query.append("host".utf8, url.host.utf8)
    for isTolerance in [true, false] {
      var verifier = SigV4.Verifier(region: "us-east-1", service: .s3)
      if isTolerance {
        verifier.clockTolerance = duration
      } else {
        verifier.maximumLifetime = duration
      }
      for (request, isURL) in [(header, false), (query, true)] {
        let isAccepted = isTolerance || !isURL || duration > .zero
        let isFine = (try? verifier.check(request, at: now)) != nil
        #expect(isFine == isAccepted)
      }
      // An hour later, a URL of a minute has expired.
      let later = try now.advanced(by: .seconds(3_600))
      #expect(throws: SigV4.VerificationError.self) { try verifier.check(query, at: later) }
      let isTolerated = isTolerance && duration > .zero
      let isFine = (try? verifier.check(header, at: later)) != nil
      #expect(isFine == isTolerated)
    }
  }

  private static let role = "arn:aws:iam::123456789012:role/demo"

  private static func anchor(_ kind: String) -> String {
    "arn:aws:rolesanywhere:us-east-1:123456789012:\(kind)/1"
  }

  @Test("Credential providers accept any durations and random numbers", arguments: durations)
  func providers(_ duration: Duration) async throws {
    let policy = SigV4.CredentialProvider.RefreshPolicy(
      backgroundRefresh: duration, blockingRefresh: duration, initialBackoff: duration,
      maximumBackoff: duration, timeout: duration)
    #expect(policy.timeout >= .seconds(1) && policy.timeout <= .seconds(86_400))
    let end = try now.advanced(by: .seconds(3_600))
    let source = ResolvedCredentials(
      try Example.credentials(sessionToken: "token", expiration: end), source: "a test")
    let provider = SigV4.CredentialProvider(source, policy: policy) { [now] in now }
    #expect(try await provider.credentials().credentials.identity.expiration == end)

    let failing = SigV4.CredentialProvider(FailingProvider(), policy: policy) { [now] in now }
    for _ in 0..<3 {
      await #expect(throws: CredentialError.self) { try await failing.credentials() }
    }

    // Nothing listens on port 1.
    let request = SigV4.HTTPRequest("GET", "http://127.0.0.1:1/", timeout: duration)
    for sources in [CredentialSources.posix, .process] {
      let error = await #expect(throws: CredentialError.self) { try await sources.http(request) }
      #expect([.unreachable, .timedOut].contains(error?.code), "\(error as Any)")
    }
    if duration < .zero { try await CredentialSources.posix.wait(duration) }

    let isValid = duration >= .seconds(900) && duration < .seconds(43_201)
    let roles: [() throws -> SigV4.CredentialProvider] = [
      { try .assumeRole(Self.role, using: source, duration: duration) },
      { try .webIdentity(Self.role, tokenFile: "t", duration: duration) },
      {
        try .rolesAnywhere(
          .files(certificate: "c", privateKey: "k"), trustAnchorARN: Self.anchor("trust-anchor"),
          profileARN: Self.anchor("profile"), roleARN: Self.role, duration: duration)
      },
    ]
    for role in roles {
      let made = try? role()
      #expect((made != nil) == isValid)
    }

    let bedrock = BedrockKeyProvider(
      credentials: source, region: "us-east-1", expiresIn: duration,
      sources: CredentialSources { [now] in now })
    await #expect(throws: CredentialError.self) { try await bedrock.key() }
  }

  @Test(
    "A date without a calendar is an error in all calls",
    arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, 1e19, 253_402_300_800])
  func dates(_ interval: Double) throws {
    let date = Date(timeIntervalSince1970: interval)
    let request = try bucket.object("a").request("GET")
    let url = try #require(URL(string: "https://example.s3.amazonaws.com/a"))
    let calls: [() throws -> Any] = [
      { try SigV4.Timestamp(date) },
      { try signer.sign(request, at: date) },
      { try signer.sign(URLRequest(url: url), at: date) },
      { try signer.presignedURL(for: request, expiresIn: .seconds(60), at: date) },
      { try signer.presignedURL(for: url, expiresIn: .seconds(60), at: date) },
      {
        try SigV4.Credentials(accessKeyID: "A", secretAccessKey: "secret", expiration: date)
      },
      {
        try SigV4.SigningKey(
          credentials: credentials, date: date, region: "us-east-1", service: .s3)
      },
    ]
    for (index, call) in calls.enumerated() {
      let error = #expect(throws: SigV4.SigningError.self, "\(index)") { _ = try call() }
      #expect(error?.code == .timestampOutOfRange, "\(index)")
    }
  }

  @Test(
    "An extreme size is an error, or has no effect",
    arguments: [Int.min, Int.min + 1, -1, Int.max - 1, Int.max])
  func sizes(_ number: Int) throws {
    if number != -1 {
      expectRefusal(.timestampOutOfRange) { try SigV4.Timestamp(unixSeconds: Int64(number)) }
      expectRefusal(.timestampOutOfRange) { try SigV4.Timestamp(unixMilliseconds: Int64(number)) }
    }
    expectRefusal(.invalidChunkedUpload) {
      try SigV4.ChunkedUpload.signed(decodedByteCount: number)
    }
    expectRefusal(.invalidChunkedUpload) {
      try SigV4.ChunkTrailer(named: "x-amz-meta-a", valueByteCount: number)
    }
    if number > 0 {
      let upload = try SigV4.ChunkedUpload.signed(
        decodedByteCount: Int.max / 2, chunkByteCount: number)
      #expect(upload.encodedByteCount > Int.max / 2)
    } else {
      expectRefusal(.invalidChunkedUpload) {
        try SigV4.ChunkedUpload.signed(decodedByteCount: 1, chunkByteCount: number)
      }
    }
    expectRefusal(.invalidPostPolicy) {
      try SigV4.PostPolicy(
        bucket: bucket,
        conditions: [.key("a"), .contentLength(from: 0, through: Int64(number))])
    }
    expectRefusal(.invalidPostPolicy) {
      try SigV4.PostPolicy(
        bucket: bucket,
        conditions: [.key("a"), .contentLength(from: Int64(number), through: Int64(number))])
    }
    expectRefusal(.invalidPostPolicy) {
      try SigV4.PostPolicy(bucket: bucket, conditions: [.key("a"), .successStatus(number)])
    }
    #expect(throws: SigV4.SigningError.self) {
      try SigV4.ConnectionToken.rds(
        host: "db.us-east-1.rds.amazonaws.com", port: number, user: "app", region: "us-east-1",
        credentials: credentials, at: now)
    }
    #expect(throws: SigV4.SigningError.self) {
      try SigV4.WebSocketURL.transcribe(
        [:], port: number, region: "us-east-1", credentials: credentials, at: now)
    }
    let cache = SigV4.SigningKeyCache(capacity: number)
    let scope = signer.scope(at: now)
    #expect(cache.signingKey(for: credentials, scope: scope).scope == scope)
    let checksum = SigV4.Checksum(.crc64NVME, of: [])
    let whole = try SigV4.Checksum.fullObject(
      of: [(checksum, .init(bitPattern: .init(number))), (checksum, .max)])
    #expect(whole.text == checksum.text)
  }
}

private struct FailingProvider: CredentialResolver {
  func credentials() async throws(CredentialError) -> ResolvedCredentials {
    throw CredentialError(.unreachable, "The test fails.", fix: "Nothing.")
  }
}
