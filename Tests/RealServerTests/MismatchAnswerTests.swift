// SPDX-License-Identifier: Apache-2.0
// What a server answers to a wrong signature is explained rightly: the line, the cause, the clock.

internal import SignatureDiagnosis
internal import S3Signing
internal import RequestSigning
import Testing

@Suite(
  "Real server: its refusals, explained", .enabled(if: RealServer.isNamed, RealServer.reason))
struct MismatchAnswerTests {
  typealias Code = SigV4.Mismatch.Code

  /// A request that is signed in its headers, on its way and as the diagnosis gets it.
  struct Sent {
    let signed: SigV4.SignedRequest
    let wire: WireRequest

    init(_ request: SigV4.Request, by signer: SigV4.Signer, body: [UInt8] = []) throws {
      signed = try signer.sign(request, at: RealServer.now())
      wire = WireRequest(request, signed, body: body)
    }
  }

  @Test("What was changed on the way is found: method, path, query, header, and which one")
  func changedOnTheWay() throws {
    let store = try Store("mismatch-changes")
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

  @Test("A wrong secret, and a changed signature, are told from all else")
  func secret() throws {
    let store = try Store("mismatch-secret")
    let request = try store.bucket.listRequest(prefix: "a+b c")
    let sent = try Sent(request, by: store.server.signer)
    try expect(.secretAccessKey, of: sent, try sent.wire.flipped(after: "Signature="), store)
    let wrong = try SigV4.Signer(
      credentials: SigV4.Credentials(
        accessKeyID: store.server.signer.preparer.identity.accessKeyID, secretAccessKey: "wrong"),
      region: "us-east-1", service: .s3)
    let other = try Sent(request, by: wrong)
    try expect(.secretAccessKey, of: other, other.wire, store)
  }

  @Test("A presigned URL that was changed is explained as a request is")
  func presigned() throws {
    let store = try Store("mismatch-url")
    let url = try store.server.signer.presign(
      store.bucket.object("k").getRequest(), validFor: 900, at: RealServer.now())
    let wire = WireRequest(url, body: [])
    let cases: [(WireRequest, Code)] = [
      (try wire.flipped(after: "X-Amz-Expires=", offset: 1), .queryParameterChanged),
      (try wire.flipped(after: "mismatch-url/"), .path),
      (try wire.flipped(after: "X-Amz-Signature="), .secretAccessKey),
      (try wire.replacing("GET", with: "DELETE"), .method),
    ]
    for (changed, code) in cases {
      let answer = try store.send(changed)
      let mismatch = SigV4.Mismatch(answer: answer.body, to: url)
      #expect(mismatch.cause.code == code, "\(mismatch)\n\(answer.text)")
    }
  }

  @Test("A clock that is off is named with its offset, which corrects it")
  func clock() throws {
    let store = try Store("mismatch-clock")
    let request = try store.bucket.listRequest()
    let now = try RealServer.now()
    for seconds: Int64 in [-7_200, 7_200] {
      let date = try now.advanced(bySeconds: seconds)
      let signed = try store.server.signer.sign(request, at: date)
      let answer = try store.send(WireRequest(request, signed, body: []))
      #expect(answer.status == 403, "\(answer.text)")
      let mismatch = SigV4.Mismatch(answer: answer.body, to: signed)
      #expect(mismatch.cause.code == .clock, "\(mismatch)\n\(answer.text)")
      let dateHeader = try #require(answer.header("Date"))
      let offset = try SigV4.ClockOffset(dateHeader: dateHeader, receivedAt: date)
      let again = try store.server.signer.sign(request, at: date.corrected(by: offset))
      #expect(try store.send(WireRequest(request, again, body: [])).status == 200)
    }
  }

  /// Expects that the diagnosis names the cause of the server's refusal, without the secret.
  private func expect(
    _ code: Code, of sent: Sent, _ changed: WireRequest, _ store: Store, subject: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let answer = try store.send(changed)
    #expect(answer.status == 403, "\(answer.text)", sourceLocation: sourceLocation)
    let mismatch = SigV4.Mismatch(answer: answer.body, to: sent.signed)
    let words: Comment = "\(mismatch)\n\(answer.text)"
    #expect(mismatch.cause.code == code, words, sourceLocation: sourceLocation)
    if let subject {
      #expect(mismatch.cause.subject == subject, words, sourceLocation: sourceLocation)
    }
  }
}
