// SPDX-License-Identifier: Apache-2.0
// The session's second attempt, counted by a server on this machine.

internal import SignatureDiagnosis
internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import Testing

@testable internal import RequestSigningFoundation

/// Returns key after key, and records the discarded ones.
final class CountingProvider: CredentialResolver {
  let asked = Guarded(0)
  let invalidated = Guarded<[String]>([])

  func credentials() async throws(CredentialError) -> ResolvedCredentials {
    asked.withLock { $0 += 1 }
    let number = invalidated.withLock { $0.count }
    do {
      return ResolvedCredentials(
        try SigV4.Credentials(accessKeyID: "KEY\(number)", secretAccessKey: "secret"),
        source: "the test")
    } catch {
      throw CredentialError(.invalidConfiguration, error.problem, fix: error.fix)
    }
  }

  func invalidate(_ provided: ResolvedCredentials) async {
    invalidated.withLock { $0.append(provided.credentials.identity.accessKeyID) }
  }
}

/// Returns key after key, and caches none.
final class AskingProvider: CredentialResolver {
  let asked = Guarded(0)

  func credentials() async throws(CredentialError) -> ResolvedCredentials {
    let number = asked.withLock { asked in
      asked += 1
      return asked
    }
    do {
      return ResolvedCredentials(
        try SigV4.Credentials(accessKeyID: "KEY\(number)", secretAccessKey: "secret"),
        source: "the test")
    } catch {
      throw CredentialError(.invalidConfiguration, error.problem, fix: error.fix)
    }
  }
}

@Suite struct SigningSessionTests {
  // 2013-05-24T00:00:00Z, by `date -u +%s`.
  static let now = Date(timeIntervalSince1970: 1_369_353_600)

  let provider = CountingProvider()

  func session(_ service: SigV4.Service = .s3, at now: Date = now) -> SigningSession {
    SigningSession(credentials: provider, region: "us-east-1", service: service, now: { now })
  }

  /// Errors as services write them: S3 (XML, its API Reference's "Error Responses"), DynamoDB
  /// (JSON) and API Gateway (a header and JSON).
  static let expired: [LoopbackServer.Answer] = [
    .init(
      status: 400,
      body:
        "<Error><Code>ExpiredToken</Code><Message>The provided token has expired.</Message></Error>"
    ),
    .init(
      status: 400,
      body: #"{"__type":"com.amazon.coral.service#ExpiredTokenException","message":"expired"}"#),
    // API Gateway without its header, behind a proxy.
    .init(
      status: 403, body: #"{"message":"The security token included in the request is expired"}"#),
    .init(
      status: 403, headers: ["x-amzn-ErrorType": "ExpiredTokenException:http://example.com/"],
      body: #"{"message":"The security token included in the request is expired"}"#),
  ]

  @Test("Expired credentials are replaced once, and the request succeeds", arguments: 0..<4)
  func expiredOnce(index: Int) async throws {
    let server = try LoopbackServer(Self.expired[index], .init(body: "fine"))
    let (data, response) = try await session().send(URLRequest(url: server.url()))
    #expect(response.statusCode == 200)
    #expect(data == Data("fine".utf8))
    #expect(provider.invalidated.withLock { $0 } == ["KEY0"])
    let keys = try server.received().compactMap { $0.values("authorization").first }
    try #require(keys.count == 2)
    #expect(keys[0].contains("Credential=KEY0/"))
    #expect(keys[1].contains("Credential=KEY1/"))
  }

  @Test("A second rejection is an error after exactly two requests", arguments: 0..<4)
  func expiredTwice(index: Int) async throws {
    let server = try LoopbackServer(Self.expired[index])
    let error = await #expect(throws: TransferError.self) {
      try await session().send(URLRequest(url: server.url()))
    }
    #expect(error?.code == .retryFailed)
    #expect(error?.serverCode?.hasPrefix("ExpiredToken") == (index == 2 ? nil : true))
    #expect(try server.received().count == 2)
  }

  @Test(
    "A wrong clock is corrected, for this request and the next",
    arguments: [
      // Amazon S3 API Reference, "Error Responses", and what JSON services say of an old signature.
      (
        403,
        "<Error><Code>RequestTimeTooSkewed</Code><RequestTime>20130524T000000Z</RequestTime>"
          + "<ServerTime>2013-05-24T01:00:00Z</ServerTime></Error>"
      ),
      (
        400,
        #"{"__type":"InvalidSignatureException","message":"Signature expired: 20130524T000000Z "#
          + #"is now earlier than 20130524T005500Z (20130524T010000Z - 5 min.)"}"#
      ),
    ])
  func wrongClock(status: Int, body: String) async throws {
    let server = try LoopbackServer(.init(status: status, body: body), .init())
    let session = session()
    _ = try await session.send(URLRequest(url: server.url()))
    _ = try await session.send(URLRequest(url: server.url()))
    #expect(
      try server.received().flatMap { $0.values("x-amz-date") } == [
        "20130524T000000Z", "20130524T010000Z", "20130524T010000Z",
      ])
    #expect(session.clockOffset.components.seconds == 3_600)
    #expect(provider.invalidated.withLock { $0 } == [])
  }

  @Test("A HEAD, which has no body, gets the time from the Date of the error")
  func head() async throws {
    let server = try LoopbackServer(
      .init(status: 403, headers: ["Date": "Thu, 23 May 2013 23:00:00 GMT"]), .init())
    var request = URLRequest(url: try server.url())
    request.httpMethod = "HEAD"
    _ = try await session().send(request)
    #expect(
      try server.received().flatMap { $0.values("x-amz-date") } == [
        "20130524T000000Z", "20130523T230000Z",
      ])
  }

  @Test("A request that waited until it was too old is signed again, and our clock stays right")
  func waited() async throws {
    let server = try LoopbackServer(
      .init(
        status: 403,
        body: "<Error><Code>RequestTimeTooSkewed</Code><RequestTime>20130524T000000Z</RequestTime>"
          + "<ServerTime>2013-05-24T00:20:01Z</ServerTime></Error>"), .init())
    // Signed at 0:00, with a response twenty minutes later.
    let moments = Guarded([Self.now])
    let credentials = try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret")
    let session = SigningSession(credentials: credentials, region: "us-east-1", service: .s3) {
      moments.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
    }
    moments.withLock { $0.append(Self.now + 1_200) }
    _ = try await session.send(URLRequest(url: server.url()))
    #expect(
      try server.received().flatMap { $0.values("x-amz-date") } == [
        "20130524T000000Z", "20130524T002000Z",
      ])
    #expect(session.clockOffset.components.seconds == 0)
  }

  @Test(
    "Every other rejection is returned, and isn't retried", arguments: [400, 403, 404, 501])
  func otherRefusals(status: Int) async throws {
    let server = try LoopbackServer(
      .init(status: status, body: "<Error><Code>AccessDenied</Code></Error>"))
    let (_, response) = try await session().send(URLRequest(url: server.url()))
    #expect(response.statusCode == status)
    #expect(try server.received().count == 1)
  }

  @Test("A provider that doesn't cache is called once, and again after a rejection")
  func keptCredentials() async throws {
    let server = try LoopbackServer(.init(), .init(), Self.expired[0], .init())
    let source = AskingProvider()
    let session = SigningSession(
      credentials: source, region: "us-east-1", service: .s3, now: { Self.now })
    for _ in 0..<3 { _ = try await session.send(URLRequest(url: server.url())) }
    #expect(source.asked.withLock { $0 } == 2)
    #expect(try server.received().count == 4)
  }

  @Test("A response that's larger than allowed is rejected")
  func tooLarge() async throws {
    let server = try LoopbackServer(.init(zeros: 100_000))
    let request = URLRequest(url: try server.url())
    #expect(try await session().send(request, maximumByteCount: 100_000).0.count == 100_000)
    let error = await #expect(throws: TransferError.self) {
      try await session().send(request, maximumByteCount: 99_999)
    }
    #expect(error?.code == .invalidResponse)
  }

  // The error of a session token is longer than many responses.
  @Test("A limit for the response doesn't hide an error")
  func limitedErrors() async throws {
    let expired = LoopbackServer.Answer(
      status: 400,
      body: "<Error><Code>ExpiredToken</Code><Token>\(String(repeating: "t", count: 1_200))"
        + "</Token></Error>")
    let huge = LoopbackServer.Answer(status: 400, zeros: 1_048_577)
    let server = try LoopbackServer(expired, .init(body: "fine"), huge)
    let request = URLRequest(url: try server.url())
    let fine = try await session().data(for: request, maximumByteCount: 1_000)
    #expect(fine == Data("fine".utf8))
    #expect(provider.invalidated.withLock { $0 } == ["KEY0"])
    let error = await #expect(throws: TransferError.self) {
      try await session().data(for: request, maximumByteCount: 1_000)
    }
    #expect(error?.code == .invalidResponse)
    #expect(error?.message.contains("1048576") == true)
  }

  @Test("A stream isn't sent again, but a new one is signed with new credentials")
  func stream() async throws {
    let server = try LoopbackServer(Self.expired[0], .init())
    var request = URLRequest(url: try server.url())
    request.httpMethod = "PUT"
    request.httpBodyStream = InputStream(data: Data("abc".utf8))
    let streamed = request
    let session = session()
    let error = await #expect(throws: TransferError.self) {
      try await session.send(streamed, payload: .unsigned)
    }
    #expect(error?.code == .bodyNotReplayable)
    #expect(error?.serverCode == "ExpiredToken")
    #expect(try server.received().map(\.byteCount) == [3])
    request.httpBodyStream = InputStream(data: Data("abc".utf8))
    #expect(try await session.send(request, payload: .unsigned).1.statusCode == 200)
    #expect(provider.invalidated.withLock { $0 } == ["KEY0"])
    #expect(try server.received().last?.values("authorization").first?.contains("KEY1/") == true)
  }

  @Test("Credentials are requested after the body was read")
  func order() async throws {
    let request = try SigV4.Request("PUT", url: "https://examplebucket.s3.amazonaws.com/a")
    let missing = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let error = await #expect(throws: TransferError.self) {
      try await session().send(request, body: .file(missing))
    }
    #expect(error?.code == .invalidFile)
    #expect(provider.asked.withLock { $0 } == 0)
  }

  @Test("A cancelled request isn't sent again")
  func cancellation() async throws {
    let server = try LoopbackServer(.init(wait: 600))
    let session = session()
    let url = try server.url()
    let task = Task { try await session.send(URLRequest(url: url)) }
    while try server.received().isEmpty { try await Task.sleep(for: .milliseconds(20)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try server.received().count == 1)
  }

  @Test("Without TLS, a clock is believed from this machine only")
  func trust() throws {
    for (url, isProtected) in [
      ("https://example.com/", true), ("http://127.0.0.1:9000/", true), ("http://[::1]/", true),
      ("http://localhost/", true), ("http://example.com/", false), ("http://169.254.1.1/", false),
      ("http://127.0.0.1.example.com/", false), ("http://127.0.0.08/", false),
    ] {
      #expect(try SigV4.Request("GET", url: url).isProtected == isProtected)
    }
  }

  @Test("The session's additional headers are signed, and redirects are returned")
  func headersAndRedirects() async throws {
    let server = try LoopbackServer(
      .init(status: 307, headers: ["Location": "/other"], body: "elsewhere"))
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["x-amz-request-payer": "requester", "X-Own": "1"]
    let session = SigningSession(
      credentials: provider, region: "us-east-1", service: .s3, configuration: configuration)
    var request = URLRequest(url: try server.url())
    request.setValue("2", forHTTPHeaderField: "x-own")
    let (data, response) = try await session.send(request)
    #expect(response.statusCode == 307)
    #expect(data == Data("elsewhere".utf8))
    let received = try server.received()
    try #require(received.count == 1)
    #expect(received[0].values("x-own") == ["2"])
    #expect(received[0].signedNames.contains("x-amz-request-payer"))
    #expect(configuration.httpAdditionalHeaders?.count == 2)
  }

  @Test(
    "Another client's retrier learns when to sign again, once for the same credentials",
    arguments: 0..<4)
  func shouldRetry(index: Int) async throws {
    let session = session()
    let request = try await session.sign(
      URLRequest(url: #require(URL(string: "https://examplebucket.s3.amazonaws.com/a"))))
    let answer = Self.expired[index]
    let url = try #require(request.url)
    let response = try #require(
      HTTPURLResponse(
        url: url, statusCode: answer.status, httpVersion: nil, headerFields: answer.headers))
    let body = Data(answer.body.utf8)
    // Two retriers, of requests that were signed with the same credentials.
    #expect(try await session.shouldRetry(request, after: response, body: body))
    #expect(try await session.shouldRetry(request, after: response, body: body))
    #expect(provider.invalidated.withLock { $0 } == ["KEY0"])
    let again = try await session.sign(URLRequest(url: url))
    #expect(again.value(forHTTPHeaderField: "Authorization")?.contains("KEY1/") == true)
  }

  @Test("For a copy within a directory bucket, the credentials behind its session are renewed")
  func shouldRetryCopy() async throws {
    let bucket = try SigV4.Bucket.directory("photos--use1-az4--x-s3", region: "us-east-1")
    let session = bucket.session(credentials: provider) { _ in
      SigV4.HTTPResponse(
        status: 200, headers: [:],
        body: Array(
          """
          <CreateSessionResult><Credentials><AccessKeyId>EXPRESS</AccessKeyId>\
          <SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken>\
          <Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></CreateSessionResult>
          """.utf8))
    }
    let url = try #require(URL(string: "https://\(bucket.host)/b"))
    var copy = URLRequest(url: url)
    copy.httpMethod = "PUT"
    copy.setValue("/photos/a", forHTTPHeaderField: "x-amz-copy-source")
    let request = try await session.sign(copy)
    #expect(request.value(forHTTPHeaderField: "Authorization")?.contains("KEY0/") == true)
    let answer = Self.expired[0]
    let response = try #require(
      HTTPURLResponse(
        url: url, statusCode: answer.status, httpVersion: nil, headerFields: answer.headers))
    let body = Data(answer.body.utf8)
    #expect(try await session.shouldRetry(request, after: response, body: body))
    let again = try await session.sign(copy)
    #expect(again.value(forHTTPHeaderField: "Authorization")?.contains("KEY1/") == true)
  }

  @Test("A retrier learns the server's time only over TLS, and not from other errors")
  func shouldSignAgainInTime() async throws {
    let body = Data(
      ("<Error><Code>RequestTimeTooSkewed</Code><RequestTime>20130524T000000Z</RequestTime>"
        + "<ServerTime>2013-05-24T01:00:00Z</ServerTime></Error>").utf8)
    for (scheme, offset) in [("http", nil), ("https", 3_600)] as [(String, Int64?)] {
      let session = session()
      let url = try #require(URL(string: "\(scheme)://examplebucket.s3.amazonaws.com/a"))
      let request = try await session.sign(URLRequest(url: url))
      let response = try #require(
        HTTPURLResponse(url: url, statusCode: 403, httpVersion: nil, headerFields: nil))
      let denied = Data("<Error><Code>AccessDenied</Code></Error>".utf8)
      #expect(try await !session.shouldRetry(request, after: response, body: denied))
      #expect(
        try await !session.shouldRetry(URLRequest(url: url), after: response, body: body),
        "it is not signed")
      if let offset {
        #expect(try await session.shouldRetry(request, after: response, body: body))
        #expect(session.clockOffset.components.seconds == offset)
      } else {
        let error = await #expect(throws: TransferError.self) {
          try await session.shouldRetry(request, after: response, body: body)
        }
        #expect(error?.code == .untrustedClock)
      }
    }
  }

  @Test("A session signs what others send, and many requests at once")
  func concurrent() async throws {
    let server = try LoopbackServer(.init())
    let session = session()
    let signed = try await session.sign(
      URLRequest(url: server.url("/a b".replacing(" ", with: "+"))))
    #expect(signed.url?.path == "/a+b")
    let url = try server.url()
    try await withThrowingTaskGroup { group in
      for _ in 0..<20 {
        group.addTask { try await session.send(URLRequest(url: url)).1.statusCode }
      }
      for try await status in group { #expect(status == 200) }
    }
    #expect(try server.received().count == 20)
  }
}
