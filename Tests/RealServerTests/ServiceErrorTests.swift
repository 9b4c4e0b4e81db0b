// SPDX-License-Identifier: Apache-2.0
// A server's response to a wrong signature is explained correctly: the line, the cause, the clock.

internal import SignatureDiagnosis
internal import S3Signing
internal import RequestSigning
import Testing

@Suite(
  "Real server: its errors, explained", .enabled(if: RealServer.isNamed, RealServer.reason))
struct ServiceErrorTests {
  typealias Code = SigV4.Diagnosis.Code

  /// A header-signed request, as sent and as passed to the diagnosis.
  struct Sent {
    let signed: SigV4.SignedRequest
    let wire: WireRequest

    init(_ request: SigV4.Request, by signer: SigV4.Signer, body: [UInt8] = []) throws {
      signed = try signer.sign(request, at: RealServer.now())
      wire = WireRequest(request, signed, body: body)
    }
  }

  @Test("A change in transit is found: method, path, query, header, and its name")
  func changedOnTheWay() throws {
    let store = try Store("diagnosis-changes")
    try store.put([1], at: "folder/a b")
    let request = try store.bucket.object("folder/a b").getRequest(
      query: ["response-content-type": "text/x-test"], headers: ["x-amz-meta-note": "one two"])
    let sent = try Sent(request, by: store.server.signer)
    #expect(try store.send(sent.wire).status == 200)
    try expect(.method, of: sent, try sent.wire.replacing("GET", with: "DELETE"), store)
    try expect(.path, of: sent, try sent.wire.flipped(after: "folder/"), store)
    try expect(
      .queryParameterChanged, of: sent, try sent.wire.flipped(after: "response-content-type="),
      store, subject: "response-content-type")
    try expect(
      .headerChanged, of: sent, try sent.wire.flipped(after: "x-amz-meta-note: "), store,
      subject: "x-amz-meta-note")
    try expect(
      .host, of: sent, try sent.wire.flipped(after: "Host: 127.0.0.", offset: 0), store)
  }

  @Test("A wrong secret and a changed signature are distinguished from all other causes")
  func secret() throws {
    let store = try Store("diagnosis-secret")
    let request = try store.bucket.listRequest(prefix: "a+b c")
    let sent = try Sent(request, by: store.server.signer)
    try expect(.secretAccessKey, of: sent, try sent.wire.flipped(after: "Signature="), store)
    let wrong = try SigV4.Signer(
      credentials: SigV4.Credentials(
        accessKeyID: store.server.signer.identity.accessKeyID, secretAccessKey: "wrong"),
      region: "us-east-1", service: .s3)
    let other = try Sent(request, by: wrong)
    try expect(.secretAccessKey, of: other, other.wire, store)
  }

  @Test("A presigned URL that was changed is explained as a request is")
  func presigned() throws {
    let store = try Store("diagnosis-url")
    let url = try store.server.signer.presignedURL(
      for: store.bucket.object("k").getRequest(), expiresIn: .seconds(900), at: RealServer.now())
    let wire = WireRequest(url, body: [])
    let cases: [(WireRequest, Code)] = [
      (try wire.flipped(after: "X-Amz-Expires=", offset: 1), .queryParameterChanged),
      (try wire.flipped(after: "diagnosis-url/"), .path),
      (try wire.flipped(after: "X-Amz-Signature="), .secretAccessKey),
      (try wire.replacing("GET", with: "DELETE"), .method),
    ]
    for (changed, code) in cases {
      let answer = try store.send(changed)
      let diagnosis = SigV4.ServiceError(answer.body).diagnosis(for: url)
      #expect(diagnosis.cause.code == code, "\(diagnosis)\n\(answer.text)")
    }
  }

  @Test("Wrong regions, services, keys and bodies, and parts lost in transit, are named")
  func stated() throws {
    let store = try Store("diagnosis-stated")
    let request = try store.bucket.object("a b").putRequest(
      .bytes([1, 2]), headers: ["x-amz-meta-note": "1"])
    let own = store.server.signer.identity.accessKeyID
    func signer(
      _ region: String = "us-east-1", _ service: SigV4.Service = .s3, key: String? = nil,
      token: String? = nil
    ) throws -> SigV4.Signer {
      try SigV4.Signer(
        credentials: SigV4.Credentials(
          accessKeyID: key ?? own, secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
          sessionToken: token),
        region: region, service: service)
    }
    let region = try Sent(request, by: signer("eu-west-1"), body: [1, 2])
    try expect(.region, of: region, region.wire, store, subject: "us-east-1", status: 400)
    let service = try Sent(request, by: signer("us-east-1", .named("s3-outposts")), body: [1, 2])
    try expect(.service, of: service, service.wire, store, subject: "s3", status: 400)
    let key = try Sent(request, by: signer(key: "project:unknown"), body: [1, 2])
    // Swift responds with SignatureDoesNotMatch to an unknown key ID.
    try expect(.secretAccessKey, of: key, key.wire, store)
    let body = try Sent(request, by: signer(), body: [1, 3])
    try expect(.payload, of: body, body.wire, store, status: 400)
    let date = try Sent(request, by: signer(), body: [1, 2])
    try expect(.date, of: date, try date.wire.flipped(after: "x-amz-date: ", offset: 14), store)
    let path = try date.wire.replacing(text: "a%20b", with: "a%2520b")
    try expect(.pathEncodedTwice, of: date, path, store)
    try expect(.pathPlus, of: date, try date.wire.replacing(text: "a%20b", with: "a%2Bb"), store)
    // Swift responds with SignatureDoesNotMatch to a missing signed header, without details.
    let lost = try date.wire.replacing(text: "x-amz-meta-note: 1", with: "x-note: 1")
    try expect(.unknownCause, of: date, lost, store)
  }

  @Test("A URL that has expired is named as that, by its own time and by the server's")
  func expired() throws {
    let store = try Store("diagnosis-expired")
    let time = try RealServer.now().advanced(bySeconds: -120)
    let url = try store.server.signer.presignedURL(
      for: store.bucket.object("k").getRequest(), expiresIn: .seconds(60), at: time)
    let answer = try store.send(WireRequest(url, body: []))
    let diagnosis = SigV4.ServiceError(answer.body).diagnosis(for: url)
    #expect(diagnosis.cause.code == .expired && diagnosis.clockOffset == nil, "\(diagnosis)")
    let text = SigV4.ServiceError(answer.body).diagnosis(for: try SigV4.SentRequest(url: url.url))
    let end = try #require(url.expiration).text
    #expect(text.cause.code == .expired && "\(text)".contains(end))
  }

  @Test("A clock that's off is named with its offset, which corrects it")
  func clock() throws {
    let store = try Store("diagnosis-clock")
    let request = try store.bucket.listRequest()
    let now = try RealServer.now()
    for seconds: Int64 in [-7_200, 7_200] {
      let date = try now.advanced(bySeconds: seconds)
      let signed = try store.server.signer.sign(request, at: date)
      let answer = try store.send(WireRequest(request, signed, body: []))
      #expect(answer.status == 403, "\(answer.text)")
      let diagnosis = SigV4.ServiceError(answer.body).diagnosis(for: signed)
      #expect(diagnosis.cause.code == .clock, "\(diagnosis)\n\(answer.text)")
      let dateHeader = try #require(answer.header("Date"))
      let offset = try date.duration(to: SigV4.Timestamp(httpDate: dateHeader))
      let again = try store.server.signer.sign(request, at: date.advanced(by: offset))
      #expect(try store.send(WireRequest(request, again, body: [])).status == 200)
    }
  }

  /// Expects the diagnosis to name the cause of the server's error, without the secret.
  private func expect(
    _ code: Code, of sent: Sent, _ changed: WireRequest, _ store: Store, subject: String? = nil,
    status: Int = 403, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let answer = try store.send(changed)
    #expect(answer.status == status, "\(answer.text)", sourceLocation: sourceLocation)
    let diagnosis = SigV4.ServiceError(answer.body).diagnosis(for: sent.signed)
    let words: Comment = "\(diagnosis)\n\(answer.text)"
    #expect(diagnosis.cause.code == code, words, sourceLocation: sourceLocation)
    if let subject {
      #expect(diagnosis.cause.subject == subject, words, sourceLocation: sourceLocation)
    }
  }
}
