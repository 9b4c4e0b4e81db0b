// SPDX-License-Identifier: Apache-2.0
// What servers state without showing a step: every code and wording of public reports and sources.

internal import SigningTestSupport
internal import SignatureDiagnosis
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Diagnosis: what servers state")
struct StatedRefusalTests {
  /// Origin of the responses: named in each record.
  @Test("Codes, wordings and fields of running services name the cause, and no other")
  func stored() throws {
    let records = try VectorTable(named: "stated-refusals.txt").records
    #expect(records.count == 196)
    for record in records { try expectCause(record) }
  }

  func expectCause(_ record: VectorRecord) throws {
    let diagnosis = try self.diagnosis(record)
    let place = Comment("\(try record.text("name")): \(diagnosis)")
    #expect(diagnosis.cause.code.name == (try record.text("code")), place)
    #expect(diagnosis.cause.subject == (try record.optionalText("subject")), place)
    #expect(diagnosis.difference == nil, place)
    let offset = try record.optionalText("offset").flatMap { Int64($0) }
    #expect(diagnosis.clockOffset?.components.seconds == offset, place)
    if let words = try record.optionalText("words") {
      #expect(diagnosis.cause.problem.contains(words), place)
    }
    let fix = try record.optionalText("fix")
    if let fix { #expect(diagnosis.cause.fix.contains(fix), place) }
    // Without a known cause, only a response about the signature is about the secret, and only one
    // that denies access without a reason is about permissions.
    if diagnosis.cause.code == .unknownCause {
      for advice in ["secret access key", "permissions"] {
        #expect(diagnosis.cause.fix.contains(advice) == (fix == advice), place)
      }
    }
  }

  func diagnosis(_ record: VectorRecord) throws -> SigV4.Diagnosis {
    let credentials = try SigV4.Credentials(
      accessKeyID: record.optionalText("access-key-id") ?? Example.accessKeyID,
      secretAccessKey: Example.secret, sessionToken: record.optionalText("token"))
    let signer = try SigV4.Signer(
      credentials: credentials, region: "us-east-1",
      service: .named(record.optionalText("service") ?? "s3"))
    let request = try SigV4.Request(
      "GET", url: "https://example.com/",
      payload: record.optionalText("payload").map { try .literal($0) } ?? .empty)
    let time = try SigV4.Timestamp(record.optionalText("at") ?? "20150830T123600Z")
    let answer = try record.bytes("answer")
    guard let lifetime = try record.optionalText("lifetime").flatMap({ Int($0) }) else {
      return SigV4.ServiceError(answer).diagnosis(for: try signer.sign(request, at: time))
    }
    return SigV4.ServiceError(answer).diagnosis(
      for: try signer.presignedURL(for: request, expiresIn: .seconds(lifetime), at: time))
  }

  @Test("The last of several heads counts, and a status alone is named")
  func heads() throws {
    let signed = try Example.signed(SigV4.Request("GET", url: "https://example.com/"), .s3)
    let proxy = "HTTP/1.1 200 Connection established\r\n\r\n"
    for (text, status, code) in [
      (proxy + "HTTP/2 403 \n\n", 403, SigV4.Diagnosis.Code.unknownCause),
      (proxy + "HTTP/2 206 \r\nx: y\r\n\r\nbody", 206, .accepted),
      ("HTTP/1.1 403", 403, .unknownCause), ("HTTP/", nil, .unknownCause),
      ("HTTP/1.1 x\n", nil, .unknownCause),
    ] as [(String, Int?, SigV4.Diagnosis.Code)] {
      let answer = SigV4.ServiceError(text.utf8)
      #expect(answer.status == status, "\(text)")
      #expect(answer.diagnosis(for: signed).cause.code == code, "\(text)")
    }
  }

  /// RFC 9110, 9.3.2: a response to HEAD has no content.
  @Test("A rejected HEAD without an error code may be about the secret")
  func head() throws {
    for (method, status, code, isOpen) in [
      ("HEAD", 403, "", true), ("HEAD", 400, "", true), ("HEAD", 503, "", false),
      ("GET", 404, "", false),
      ("HEAD", 403, "x-amzn-errortype: AccessDenied\r\n", false), ("GET", 403, "", false),
    ] {
      let request = try SigV4.Request(method, url: "https://example.com/a")
      let answer = SigV4.ServiceError("HTTP/1.1 \(status) Status\r\n\(code)\r\n".utf8)
      let url = try Example.presigned(request, .s3)
      for found in [
        answer.diagnosis(for: try Example.signed(request, .s3)), answer.diagnosis(for: url),
        answer.diagnosis(for: try SigV4.SentRequest(method, url: url.url)),
      ] {
        #expect(found.cause.code == .unknownCause, "\(found)")
        #expect(found.cause.fix.contains("secret access key") == isOpen, "\(found)")
        #expect(found.cause.fix.contains("GET") == isOpen, "\(found)")
      }
    }
  }

  /// Amazon S3, API Reference, "HeadObject": 404 without an object, 412 for a failed condition.
  @Test("A HEAD that finds nothing, or whose condition fails, was accepted")
  func headWithoutObject() throws {
    for status in [404, 412] {
      let answer = SigV4.ServiceError("HTTP/1.1 \(status) Status\r\n\r\n".utf8)
      let request = try SigV4.Request("HEAD", url: "https://example.com/a")
      let cause = answer.diagnosis(for: try Example.signed(request, .s3)).cause
      #expect(cause.code == .accepted && cause.problem.contains("\(status)"))
    }
  }

  @Test("An empty response is named as that, and gets no advice on permissions")
  func empty() throws {
    let signed = try Example.signed(SigV4.Request("GET", url: "https://example.com/"), .s3)
    for (text, words) in [
      ("", "Its response is empty."), (" \r\n", "Its response is empty."),
      ("HTTP/1.1 403 Forbidden\r\n\r\n", "It returned the status 403 and an empty body."),
    ] {
      let cause = SigV4.ServiceError(text.utf8).diagnosis(for: signed).cause
      #expect(cause.code == .unknownCause && cause.problem.hasSuffix(words), "\(cause)")
      #expect(!cause.fix.contains("permissions") && !cause.fix.contains("secret"), "\(cause)")
    }
    let long = String(repeating: "a", count: 1_048_577).utf8
    let cause = SigV4.ServiceError(status: 403, headers: [:], body: long).diagnosis(for: signed)
      .cause
    #expect(cause.problem.hasSuffix("the status 403 and a body that isn't readable."), "\(cause)")
  }

  @Test("A body of 1 MiB is read, and a longer one isn't")
  func longest() {
    let start = "<Error><Code>AccessDenied</Code></Error>"
    for (byteCount, code) in [(1_048_576, "AccessDenied"), (1_048_577, nil)] {
      let body = (start + String(repeating: " ", count: byteCount - start.utf8.count)).utf8
      #expect(SigV4.ServiceError(status: 403, headers: [:], body: body).code == code)
      #expect(SigV4.ServiceError(body).code == code)
      let response = SigV4.ServiceError(Array("HTTP/1.1 403 Forbidden\r\n\r\n".utf8) + body)
      #expect(response.code == code && response.status == 403)
    }
  }

  @Test("The diagnosis of an expired URL doesn't mention clocks")
  func noOffset() throws {
    let body =
      "<Error><Message>Request has expired</Message><ServerTime>2015-08-30T12:41:08Z</ServerTime></Error>"
    #expect(SigV4.ServiceError(body.utf8).clockOffset(signedAt: try Example.moment()) == nil)
  }
}
