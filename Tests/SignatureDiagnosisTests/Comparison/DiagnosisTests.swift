// SPDX-License-Identifier: Apache-2.0
// The diagnosis against every row of the list of mismatches.

internal import SigningTestSupport
internal import SignatureDiagnosis
internal import Foundation
internal import RequestSigning
internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Diagnosis")
struct DiagnosisTests {
  /// Origin of the bodies: the public reports that the table names.
  @Test("Answers of running services are explained")
  func stored() throws {
    for record in try Self.bodies() { try expectExplained(record) }
  }

  func expectExplained(_ record: VectorRecord) throws {
    let credentials = try SigV4.Credentials(
      accessKeyID: record.optionalText("access-key-id") ?? Example.accessKeyID,
      secretAccessKey: record.optionalText("secret") ?? Example.secret)
    let signer = try SigV4.Signer(
      credentials: credentials, region: "us-east-1",
      service: .named(record.optionalText("service") ?? "service"))
    let headers = try record.texts("header").map { line in
      let parts = line.components(separatedBy: ": ")
      return (parts[0], parts[1])
    }
    let request = try SigV4.Request(
      "GET", url: record.optionalText("url") ?? "https://example.com/", headers: .init(headers))
    let time = try SigV4.Timestamp(record.optionalText("at") ?? "20150830T123600Z")
    let body = try record.bytes("body")

    let answer = SigV4.ServiceError(body)
    let diagnosis = SigV4.ServiceError(body).diagnosis(for: try signer.sign(request, at: time))
    #expect(diagnosis.cause.code.name == (try record.text("code")), "\(diagnosis)")
    #expect(diagnosis.cause.subject == (try record.optionalText("subject")))
    #expect(answer.serverTime?.text == (try record.optionalText("server-time")))
    let offset = try record.optionalText("offset").flatMap { Int64($0) }
    #expect(diagnosis.clockOffset?.components.seconds == offset)
    #expect(SigV4.ServiceError(body).clockOffset(signedAt: time)?.components.seconds == offset)
    if let offset {
      #expect(diagnosis.cause.problem.contains("\(abs(offset)) seconds"), "\(diagnosis)")
      #expect(diagnosis.cause.problem.contains(offset < 0 ? "ahead of" : "behind"))
      #expect(answer.requestTime == time)
    }
  }

  static func bodies() throws -> [VectorRecord] {
    let records = try VectorTable(named: "error-bodies.txt").records
    #expect(records.count == 7)
    return records
  }

  @Test("A differing line of the canonical request is named, in every response format")
  func canonicalRequest() throws {
    for row in Row.canonicalRequest { try expectCanonicalRequestFinding(row) }
  }

  func expectCanonicalRequestFinding(_ row: Row) throws {
    let request = try SigV4.Request(
      row.method, url: "https://example.com" + row.target,
      headers: ["accept-encoding": "br", "content-type": "text/plain", "x-amz-meta-a": "1"],
      payload: row.payload)
    let signed = try Example.signer(row.service).sign(request, at: Example.moment())
    var server = ServerAnswer(signed)
    var lines = server.lines
    row.change(&lines)
    server.lines = lines
    try #require(server.canonicalRequest != signed.canonicalRequest.text)
    for (format, body) in try server.answers() {
      let diagnosis = SigV4.ServiceError(body).diagnosis(for: signed)
      let place = Comment("\(row.name), \(format): \(diagnosis)")
      #expect(diagnosis.cause.code == row.code, place)
      #expect(diagnosis.cause.subject == row.subject, place)
      let difference = try #require(diagnosis.difference, place)
      #expect(difference.step == "canonical request", place)
      #expect(difference.line == row.line, place)
      #expect(difference.signed == row.ours && difference.received == row.theirs, place)
      #expect(row.word.isEmpty || diagnosis.cause.problem.contains(row.word), place)
      #expect(diagnosis.description.contains(row.code.name + ": "), place)
    }
  }

  @Test("A line of the string to sign that differs is named")
  func stringToSign() throws {
    let signed = try Example.signed(
      SigV4.Request("GET", url: "https://example.com/"), Example.standardService())
    for row in Row.stringToSign { try expectFinding(row, signed) }
  }

  func expectFinding(_ row: Row, _ signed: SigV4.SignedRequest) throws {
    var server = ServerAnswer(signed)
    row.change(&server.linesToSign)
    for (format, body) in try server.answers() {
      let diagnosis = SigV4.ServiceError(body).diagnosis(for: signed)
      let place = Comment("\(row.name), \(format): \(diagnosis)")
      #expect(diagnosis.cause.code == row.code, place)
      #expect(diagnosis.cause.subject == row.subject, place)
      #expect(diagnosis.difference?.step == "string to sign", place)
      #expect(diagnosis.difference?.line == row.line, place)
      #expect(diagnosis.difference?.signed == row.ours, place)
      #expect(diagnosis.difference?.received == row.theirs, place)
    }
  }

  @Test("When all is equal it's the secret, ours or the sender's, or the key ID")
  func equal() throws {
    let request = try SigV4.Request("GET", url: "https://example.com/")
    let signed = try Example.signed(request, .s3)
    let presigned = try Example.presigned(request, .s3, sessionToken: Example.token)
    for (format, body) in try ServerAnswer(signed).answers() {
      let diagnosis = SigV4.ServiceError(body).diagnosis(for: signed)
      #expect(diagnosis.cause.code == .secretAccessKey, "\(format): \(diagnosis)")
      #expect(diagnosis.cause.problem.contains(Example.accessKeyID))
      #expect(diagnosis.difference == nil && diagnosis.clockOffset == nil)
    }
    for (format, body) in try ServerAnswer(presigned).answers() {
      let diagnosis = SigV4.ServiceError(body).diagnosis(for: presigned)
      #expect(diagnosis.cause.code == .secretAccessKey, "\(format): \(diagnosis)")
    }
    var server = ServerAnswer(signed)
    server.signature = String(repeating: "0", count: 64)
    let sender = SigV4.ServiceError(server.xml.utf8).diagnosis(for: signed).cause
    #expect(sender.code == .secretAccessKey && sender.fix.contains("the sender has"))
    server.signature = signed.signature.hexString.uppercased()
    server.accessKeyID = Example.accessKeyID
    let own = SigV4.ServiceError(server.xml.utf8).diagnosis(for: signed).cause
    #expect(own.code == .secretAccessKey && own.fix.contains("Copy the access key ID and secret"))
    server.accessKeyID = "AKIDOTHER"
    let other = SigV4.ServiceError(server.xml.utf8).diagnosis(for: signed)
    #expect(other.cause.code == .accessKeyID && other.cause.problem.contains("AKIDOTHER"))
  }

  @Test("A server that shows only its string to sign is compared as far as possible")
  func stringToSignOnly() throws {
    let signed = try Example.signed(SigV4.Request("GET", url: "https://example.com/"), .s3)
    func code(_ stringToSign: String) -> SigV4.Diagnosis.Code {
      let body = "<Error><StringToSign>\(stringToSign)</StringToSign></Error>"
      return SigV4.ServiceError(body.utf8).diagnosis(for: signed).cause.code
    }
    let text = signed.stringToSign.text
    #expect(code(text) == .secretAccessKey)
    #expect(code(text.dropLast(64) + Example.digestOfNothing) == .canonicalRequest)
    #expect(code(text.replacingOccurrences(of: "us-east-1", with: "eu-west-1")) == .region)
    #expect(code("x") == .stringToSign)
    // Its first two lines are right.
    let lines = text.split(separator: "\n")
    #expect(code(lines.prefix(2).joined(separator: "\n")) == .stringToSign)
    let error = SigV4.ServiceError("<Error><StringToSign>\(text)</StringToSign></Error>".utf8)
    #expect(try error.requestTime == Example.moment())
  }

  /// Google Cloud Storage, "V4 signing process with your own program", and Volcengine TOS,
  /// "Including a signature in a header", for the names.
  @Test("Strings to sign in the names of Google Cloud Storage and TOS are compared alike")
  func renamed() throws {
    for (service, end) in [
      (SigV4.Service.googleCloudStorage, "storage/goog4_request"), (.tos, "tos/request"),
    ] {
      let signer = try SigV4.Signer(
        credentials: Example.credentials(), region: "auto", service: service)
      let signed = try signer.sign(
        SigV4.Request("GET", url: "https://example.com/"), at: Example.moment())
      let text = signed.stringToSign.text
      try #require(text.contains("20150830/auto/" + end))
      for (old, new, code, line) in [
        ("T123600Z", "T123500Z", SigV4.Diagnosis.Code.date, 2), ("/auto/", "/eu/", .region, 3),
        (end, "s3/aws4_request", .service, 3),
        (end, "\(service.name)/aws4_request", .stringToSign, 3),
        (String(text.suffix(64)), Example.digestOfNothing, .canonicalRequest, 4),
      ] {
        let theirs = text.replacingOccurrences(of: old, with: new)
        let body = "<Error><StringToSign>\(theirs)</StringToSign></Error>"
        let found = SigV4.ServiceError(body.utf8).diagnosis(for: signed)
        #expect(found.cause.code == code && found.difference?.line == line, "\(end): \(found)")
      }
    }
  }

  @Test("A date and a payload hash in a store's own headers are recognized")
  func renamedHeaders() throws {
    for (service, prefix) in [(SigV4.Service.googleCloudStorage, "x-goog-"), (.tos, "x-tos-")] {
      let signed = try Example.signed(
        SigV4.Request("GET", url: "https://example.com/"), service)
      for (name, ours, theirs, code) in [
        ("date", "20150830T123600Z", "20150830T123601Z", SigV4.Diagnosis.Code.date),
        ("content-sha256", Self.nothing, Self.digest, .payload),
      ] {
        var server = ServerAnswer(signed)
        server.lines = server.lines.map {
          $0 == prefix + name + ":" + ours ? prefix + name + ":" + theirs : $0
        }
        try #require(server.canonicalRequest != signed.canonicalRequest.text)
        let found = SigV4.ServiceError(server.xml.utf8).diagnosis(for: signed)
        #expect(found.cause.code == code, "\(prefix): \(found)")
      }
    }
  }

  @Test("A response's bytes count, if its string lost some of them")
  func bytes() throws {
    let signed = try Example.signed(SigV4.Request("GET", url: "https://example.com/"), .s3)
    let server = ServerAnswer(signed)
    let lossy = server.xml.replacingOccurrences(
      of: "host:example.com&#10;x", with: "host:example\u{FFFD}com&#10;x")
    try #require(lossy != server.xml)
    #expect(SigV4.ServiceError(lossy.utf8).diagnosis(for: signed).cause.code == .secretAccessKey)
    let withoutBytes = lossy.replacingOccurrences(of: "Bytes>", with: "Digits>")
    let diagnosis = SigV4.ServiceError(withoutBytes.utf8).diagnosis(for: signed)
    #expect(diagnosis.cause.code == .host)
    #expect(diagnosis.difference?.received == "host:example\\xEF\\xBF\\xBDcom")
    #expect(diagnosis.difference?.offset == 12)
  }

  @Test("A presigned URL that the server considers too old is distinguished from a wrong clock")
  func expired() throws {
    let presigned = try Example.presigned(SigV4.Request("GET", url: "https://example.com/"), .s3)
    func code(_ serverTime: String) -> SigV4.Diagnosis.Code {
      let body = "<Error><Code>AccessDenied</Code><ServerTime>\(serverTime)</ServerTime></Error>"
      return SigV4.ServiceError(body.utf8).diagnosis(for: presigned).cause.code
    }
    #expect(code("2015-08-30T13:36:00Z") == .expired)
    #expect(code("2015-08-30T13:35:59.123Z") == .clock)
    #expect(code("20150830T133600Z") == .expired)
    #expect(code("Sun, 30 Aug 2015 13:36:00 GMT") == .expired)
    #expect(code("soon") == .unknownCause)
  }

  @Test("A wrong clock is named, even if the server doesn't show its own")
  func unknownClock() throws {
    // The response of OpenStack Swift 2.38.3.
    let body =
      "<?xml version='1.0' encoding='UTF-8'?>\n<Error><Code>RequestTimeTooSkewed</Code>"
      + "<Message>The difference between the request time and the current time is too large."
      + "</Message><RequestId>tx1</RequestId></Error>"
    let signed = try Example.signed(SigV4.Request("GET", url: "https://example.com/"), .s3)
    let diagnosis = SigV4.ServiceError(body.utf8).diagnosis(for: signed)
    #expect(diagnosis.cause.code == .clock)
    #expect(diagnosis.clockOffset == nil)
    #expect(diagnosis.cause.fix.contains("Date header"))
  }

  @Test(
    "A response without details has a cause with the server's code and its first line")
  func unknownCause() throws {
    let signed = try Example.signed(SigV4.Request("GET", url: "https://example.com/"), .s3)
    for (body, words) in [
      ("", "Its response is empty."), (" \n", "Its response is empty."),
      ("<Error><Code>AccessDenied</Code></Error>", "It returned AccessDenied."),
      ("{\"__type\":\"Throttled\",\"message\":\"old\\nx\"}", "It returned Throttled: old."),
      ("Forbidden\u{1B}[31m\nmore", "It returned: Forbidden\\x1B[31m."),
      ("\"words\"", "It returned: words."),
      ("[1,{\"errors\":[{\"code\":\"E\"}]}]", "It returned E."),
      ("{\"message\":\"A sentence. And one more.\"}", "It returned: A sentence. And one more."),
    ] {
      let cause = SigV4.ServiceError(body.utf8).diagnosis(for: signed).cause
      #expect(cause.code == .unknownCause, "\(body)")
      #expect(cause.problem.hasSuffix(words), "\(cause)")
    }
  }

  @Test("Headers that must be signed are named if the response names them")
  func unsignedHeaders() throws {
    let signed = try Example.signed(SigV4.Request("GET", url: "https://example.com/"), .s3)
    let body = """
      <Error><Code>AccessDenied</Code><Message>There were headers present in the request which were \
      not signed</Message><HeadersNotSigned>x-amz-acl, x-amz-b</HeadersNotSigned></Error>
      """
    let cause = SigV4.ServiceError(body.utf8).diagnosis(for: signed).cause
    #expect(cause.code == .unsignedHeaders && cause.subject == "x-amz-acl, x-amz-b")
  }
}
