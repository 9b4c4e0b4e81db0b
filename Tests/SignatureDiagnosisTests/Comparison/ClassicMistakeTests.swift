// SPDX-License-Identifier: Apache-2.0
// The classic mistakes, each sent to this library's verifier and found from its response.

internal import SigningTestSupport
internal import Foundation
internal import RequestSigning
internal import RequestVerification
internal import SignatureDiagnosis
internal import Testing

@Suite("Diagnosis: classic mistakes")
struct ClassicMistakeTests {
  enum Mistake: CaseIterable {
    case none, secret, region, service, clock, pathEncodedTwice, plus, header, host, body
    case headerMissing, token, expired, key, unsignedHeader, date
  }

  /// The expected code of the mistake, for a request and for a URL, or nil if it can't be made.
  static func codes(
    _ mistake: Mistake
  ) -> (inHeaders: SigV4.Diagnosis.Code?, inURL: SigV4.Diagnosis.Code?) {
    switch mistake {
    case .none: (nil, nil)
    case .secret: (.secretAccessKey, .secretAccessKey)
    case .region: (.region, .region)
    case .service: (.service, .service)
    case .clock: (.clock, .clock)
    case .pathEncodedTwice: (.pathEncodedTwice, .pathEncodedTwice)
    case .plus: (.pathPlus, .pathPlus)
    case .header: (.headerChanged, .headerChanged)
    case .host: (.host, .host)
    case .body: (.payload, .payload)
    case .headerMissing: (.headerMissing, .headerMissing)
    case .token: (.headerMissing, .queryParameterMissing)
    case .expired: (nil, .expired)
    case .key: (.credentialsUnknown, .credentialsUnknown)
    case .unsignedHeader: (.unsignedHeaders, .unsignedHeaders)
    case .date: (.date, .queryParameterChanged)
    }
  }

  @Test("Each is named, from XML and from JSON, signed in headers and in the URL")
  func named() throws {
    for mistake in Mistake.allCases {
      let (inHeaders, inURL) = Self.codes(mistake)
      let signed = try signer(mistake).sign(request(), at: moment(mistake))
      var sent = Sent(
        signed.method, signed.target, signed.host, try request().headers + signed.addedHeaders)
      sent.make(mistake)
      for answer in try answers(sent, mistake) {
        let found = SigV4.ServiceError(answer.utf8).diagnosis(for: signed)
        #expect(found.cause.code == inHeaders, "\(mistake): \(found)\n\(answer)")
        expectOffset(found, mistake)
      }
      let url = try signer(mistake).presignedURL(
        for: request(), expiresIn: .seconds(600), at: moment(mistake))
      sent = Sent(url.method, url.target, url.host, url.requiredHeaders)
      sent.make(mistake)
      let answers = try self.answers(sent, mistake)
      #expect(answers.isEmpty == (inURL == nil), "\(mistake)")
      for answer in answers {
        let found = SigV4.ServiceError(answer.utf8).diagnosis(for: url)
        #expect(found.cause.code == inURL, "\(mistake): \(found)\n\(answer)")
        expectOffset(found, mistake)
        try expectSameOfText(url, answer, found, mistake)
      }
    }
  }

  /// aws/aws-sdk-js #3708, aws/aws-sdk-go-v2 #188.
  @Test("A hash that's declared with a URL of an unsigned body is named, for the signer and holder")
  func declaredHash() throws {
    let url = try signer(.none).presignedURL(
      for: SigV4.Request("PUT", url: "https://example.com/a"), expiresIn: .seconds(600),
      at: Example.moment())
    var sent = Sent(url.method, url.target, url.host, url.requiredHeaders)
    sent.headers.append(("x-amz-content-sha256", Example.digestOfNothing))
    let answers = try answers(sent, .none)
    #expect(answers.count == 2)
    for answer in answers {
      let error = SigV4.ServiceError(answer.utf8)
      let holder = try SigV4.SentRequest("PUT", url: url.url)
      for found in [error.diagnosis(for: url), error.diagnosis(for: holder)] {
        #expect(found.cause.code == .payload, "\(found)")
        #expect(found.cause.problem.contains("x-amz-content-sha256"), "\(found)")
        #expect(found.cause.fix.contains("without that header"), "\(found)")
      }
    }
  }

  @Test("A URL that declares its unsigned body, at a server that hashes bodies")
  func declaredUnsigned() throws {
    let url = try Example.presigned(
      SigV4.Request("PUT", url: "https://example.com/a", payload: .unsigned), .executeAPI)
    #expect(!url.requiredHeaders.values(named: "x-amz-content-sha256").isEmpty)
    var server = ServerAnswer(url)
    server.lines[server.lines.count - 1] = Example.digestOfNothing
    let found = SigV4.ServiceError(server.message.utf8).diagnosis(for: url)
    #expect(found.cause.code == .unsignedPayload, "\(found)")
  }

  func expectOffset(_ found: SigV4.Diagnosis, _ mistake: Mistake) {
    let isNamed = found.clockOffset.map { abs($0.components.seconds) == 7200 } ?? true
    #expect((found.clockOffset == nil || mistake == .clock) && isNamed, "\(mistake): \(found)")
  }

  /// The holder of a URL only has the sent string, which doesn't show changes that were made
  /// before.
  func expectSameOfText(
    _ url: SigV4.PresignedURL, _ answer: String, _ found: SigV4.Diagnosis, _ mistake: Mistake
  ) throws {
    let text = try SigV4.SentRequest("PUT", url: url.url, headers: url.requiredHeaders)
    let code = SigV4.ServiceError(answer.utf8).diagnosis(for: text).cause.code
    #expect(code == found.cause.code || code == .signature && mistake == .secret, "\(mistake)")
  }
}

extension ClassicMistakeTests {
  /// A sent request.
  struct Sent {
    let method: String
    var target: String
    var host: String
    var headers: [(name: String, value: String)]
    var body = "body"

    init(_ method: String, _ target: String, _ host: String, _ headers: SigV4.Headers) {
      self.method = method
      self.target = target
      self.host = host
      self.headers = headers.map { ($0.name, $0.value) }
    }

    mutating func make(_ mistake: Mistake) {
      switch mistake {
      case .pathEncodedTwice: target = target.replacingOccurrences(of: "a%20b", with: "a%2520b")
      case .plus: target = target.replacingOccurrences(of: "a%20b", with: "a+b")
      case .header: set("x-amz-meta-a", "2")
      case .headerMissing: set("x-amz-meta-a", nil)
      case .host: host = "internal.example.com"
      case .body: body = "another body"
      case .unsignedHeader: headers.append(("x-amz-acl", "private"))
      case .date:
        set("x-amz-date", "20150830T123601Z")
        target = target.replacingOccurrences(of: "T123600Z", with: "T123601Z")
      case .token:
        set("x-amz-security-token", nil)
        let parts = target.components(separatedBy: "&")
        target = parts.filter { !$0.hasPrefix("X-Amz-Security-Token=") }.joined(separator: "&")
      default: break
      }
    }

    private mutating func set(_ name: String, _ value: String?) {
      let isThere = headers.contains { $0.name.lowercased() == name }
      headers.removeAll { $0.name.lowercased() == name }
      if let value, isThere { headers.append((name, value)) }
    }

    var received: SigV4.ReceivedRequest {
      var request = SigV4.ReceivedRequest(method, target: target.utf8, scheme: .https)
      request.append("Host".utf8, host.utf8)
      for header in headers { request.append(header.name.utf8, header.value.utf8) }
      return request
    }
  }

  func request() throws -> SigV4.Request {
    try SigV4.Request(
      "PUT", url: "https://example.com/a%20b?x=1", headers: ["x-amz-meta-a": "1"],
      payload: .text("body"))
  }

  func signer(_ mistake: Mistake) throws -> SigV4.Signer {
    try SigV4.Signer(
      credentials: SigV4.Credentials(
        accessKeyID: Example.accessKeyID,
        secretAccessKey: mistake == .secret ? "wrong" : Example.secret, sessionToken: Example.token),
      region: mistake == .region ? "eu-west-1" : "us-east-1",
      service: mistake == .service ? .named("s3-outposts") : .s3)
  }

  func moment(_ mistake: Mistake) throws -> SigV4.Timestamp {
    try Example.moment().advanced(bySeconds: mistake == .clock ? 7200 : 0)
  }

  /// A server's responses, in XML and in JSON, or none if it accepts the request.
  func answers(_ sent: Sent, _ mistake: Mistake) throws -> [String] {
    let now = try Example.moment().advanced(bySeconds: mistake == .expired ? 601 : 0)
    do throws(SigV4.VerificationError) {
      let policy = SigV4.Verifier(services: [.s3], regions: ["us-east-1"])
      let unverified = try policy.check(sent.received, at: now)
      if mistake == .key { throw unverified.unknownAccessKey }
      guard let credentials = try? Example.credentials(sessionToken: Example.token) else {
        return ["no credentials"]
      }
      let verified = try unverified.verify(with: credentials)
      _ = try verified.body(Array(sent.body.utf8))
      return []
    } catch {
      return [error.xmlResponse(requestID: "1").body, error.jsonResponse().body]
    }
  }
}
