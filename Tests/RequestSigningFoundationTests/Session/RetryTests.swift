// SPDX-License-Identifier: Apache-2.0
// What a session sends again, how often, and when.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import Testing

@testable internal import RequestSigningFoundation

@Suite struct RetryTests {
  @Test(
    "A busy server is retried, with three attempts in all",
    arguments: [
      (503, "<Error><Code>SlowDown</Code></Error>"), (500, ""), (429, ""), (502, ""), (504, ""),
      (400, "<Error><Code>RequestTimeout</Code></Error>"),
      (400, #"{"__type":"ThrottlingException"}"#),
    ])
  func busy(status: Int, body: String) async throws {
    let busy = LoopbackServer.Answer(status: status, body: body)
    let server = try LoopbackServer(busy, busy, .init(body: "fine"))
    let (data, response) = try await impatient(3).send(URLRequest(url: server.url()))
    #expect(response.statusCode == 200)
    #expect(data == Data("fine".utf8))
    #expect(try server.received().count == 3)
    let stubborn = try LoopbackServer(busy)
    for (maximum, count) in [(3, 3), (1, 4), (0, 5), (.min, 6)] {
      let answer = try await impatient(maximum).send(URLRequest(url: stubborn.url())).1
      #expect(answer.statusCode == status)
      #expect(try stubborn.received().count == count)
    }
  }

  /// A session that hardly waits between attempts.
  func impatient(
    _ maximumAttempts: Int, _ service: SigV4.Service = .s3,
    headerEncoding: SigV4.HeaderEncoding = .ascii
  ) throws -> SigningSession {
    var options = SigningSession.Options()
    options.headerEncoding = headerEncoding
    options.maximumAttempts = maximumAttempts
    options.pause = .milliseconds(1)
    return SigningSession(
      credentials: try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
      region: "us-east-1", service: service, options: options)
  }

  @Test(
    "A lost connection is retried, except for a POST",
    arguments: [
      LoopbackServer.Answer(faults: ["reset"]), .init(faults: ["close"]),
      .init(zeros: 100_000, cuts: ["close"]), .init(zeros: 100_000, cuts: ["reset"]),
    ])
  func lostConnections(answer: LoopbackServer.Answer) async throws {
    for (method, count) in [("PUT", 3), ("POST", 1)] {
      let server = try LoopbackServer(answer)
      var request = URLRequest(url: try server.url())
      request.httpMethod = method
      request.httpBody = Data("abc".utf8)
      request.setValue("é", forHTTPHeaderField: "x-amz-meta-a")
      let sent = request
      await #expect(throws: URLError.self) {
        try await impatient(3, headerEncoding: .utf8).send(sent)
      }
      #expect(try server.received().count == count)
    }
  }

  @Test("A POST of a type of the caller's isn't retried either")
  func customRequest() async throws {
    struct Posted: SignableRequest {
      let url: String
      var urlRequest: URLRequest? { nil }

      func signable(
        payload: SigV4.Payload?, headerEncoding: SigV4.HeaderEncoding
      ) throws -> SigV4.Request { try SigV4.Request("POST", url: url) }
    }
    let server = try LoopbackServer(.init(faults: ["reset"]))
    let request = Posted(url: try server.url().absoluteString)
    await #expect(throws: URLError.self) { try await impatient(3).send(request) }
    #expect(try server.received().count == 1)
  }

  // RFC 9110, 10.2.3: seconds, or a date, which is compared with the server's own.
  @Test(
    "The next attempt waits for the server's Retry-After",
    arguments: [
      ["Retry-After": "1"],
      [
        "Retry-After": "Fri, 24 May 2013 00:00:01 GMT", "Date": "Fri, 24 May 2013 00:00:00 GMT",
      ],
    ])
  func retryAfter(headers: [String: String]) async throws {
    let server = try LoopbackServer(.init(status: 503, headers: headers), .init())
    let start = ContinuousClock.now
    let response = try await impatient(3).send(URLRequest(url: server.url())).1
    #expect(response.statusCode == 200)
    #expect(ContinuousClock.now - start >= .seconds(1))
    #expect(try server.received().count == 2)
  }

  @Test("A response with a Retry-After of over a minute is final")
  func longRetryAfter() async throws {
    for value in ["61", "9223372036854775807"] {
      let server = try LoopbackServer(.init(status: 429, headers: ["Retry-After": value]))
      let response = try await impatient(3).send(URLRequest(url: server.url())).1
      #expect(response.statusCode == 429)
      #expect(try server.received().count == 1)
    }
  }

  @Test(
    "A Retry-After that's neither seconds nor a date is ignored",
    arguments: ["", "-1", "soon", "1.5"])
  func invalidRetryAfter(value: String) async throws {
    let server = try LoopbackServer(.init(status: 503, headers: ["Retry-After": value]), .init())
    _ = try await impatient(3).send(URLRequest(url: server.url()))
    #expect(try server.received().count == 2)
  }

  // Amazon S3, API Reference, CopyObject: "a 200 OK response can contain either a success or an error".
  @Test("An S3 error after a status of 200 is tried again, but not what an object holds")
  func failedSuccess() async throws {
    let failed = LoopbackServer.Answer(body: "<Error><Code>InternalError</Code></Error>")
    for (method, service, count) in [
      ("PUT", SigV4.Service.s3, 2), ("POST", .s3, 2), ("GET", .s3, 1), ("PUT", .executeAPI, 1),
    ] {
      let server = try LoopbackServer(failed, .init(body: "<CopyObjectResult/>"))
      var request = URLRequest(url: try server.url("/a"))
      request.httpMethod = method
      _ = try await impatient(3, service).send(request)
      #expect(try server.received().count == count)
    }
    // Amazon S3, API Reference, DeleteObjects: an error of one key.
    let server = try LoopbackServer(
      .init(body: "<DeleteResult><Error><Code>InternalError</Code></Error></DeleteResult>"))
    var request = URLRequest(url: try server.url("/?delete"))
    request.httpMethod = "POST"
    _ = try await impatient(3).send(request)
    #expect(try server.received().count == 1)
  }

  @Test("A 200 of a service other than S3 is a success, whatever its document is")
  func otherDocuments() async throws {
    let document = "<Error><Code>none</Code></Error>"
    let server = try LoopbackServer(.init(body: document))
    var request = URLRequest(url: try server.url("/report"))
    request.httpMethod = "POST"
    #expect(try await impatient(3, .executeAPI).data(for: request) == Data(document.utf8))
    #expect(try server.received().count == 1)
    let posted = request
    let error = await #expect(throws: TransferError.self) {
      try await impatient(1).data(for: posted)
    }
    #expect(error?.code == .unexpectedStatus && error?.serverCode == "none")
  }
}
