// SPDX-License-Identifier: Apache-2.0
// What servers state without showing a step: every code and wording of public reports and sources.

@testable internal import SigningTestSupport
internal import SignatureDiagnosis
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Mismatch: what servers state")
struct StatedRefusalTests {
  /// Origin of the answers: what each record names.
  @Test("Codes, wordings and fields of running services name the cause, and no other")
  func stored() throws {
    let records = try VectorTable(named: "stated-refusals.txt").records
    #expect(records.count == 92)
    for record in records { try expectCause(record) }
  }

  func expectCause(_ record: VectorRecord) throws {
    let mismatch = try self.mismatch(record)
    let place = Comment("\(try record.text("name")): \(mismatch)")
    #expect(mismatch.cause.code.name == (try record.text("code")), place)
    #expect(mismatch.cause.subject == (try record.optionalText("subject")), place)
    #expect(mismatch.difference == nil, place)
    let offset = try record.optionalText("offset").flatMap { Int64($0) }
    #expect(mismatch.clockOffset?.seconds == offset, place)
    if let words = try record.optionalText("words") {
      #expect(mismatch.cause.explanation.contains(words), place)
    }
    // Only an answer that calls the signature wrong is about the secret.
    if mismatch.cause.code == .notExplained {
      let text = try record.text("answer")
      let isOfSignature = text.contains("SignatureDoesNotMatch") || text.contains("AuthFailure")
      #expect(mismatch.cause.advice.contains("secret") == isOfSignature, place)
    }
  }

  func mismatch(_ record: VectorRecord) throws -> SigV4.Mismatch {
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
      return SigV4.Mismatch(answer: answer, to: try signer.sign(request, at: time))
    }
    return SigV4.Mismatch(
      answer: answer, to: try signer.presign(request, expiresIn: .seconds(lifetime), at: time))
  }

  @Test("Of several heads the last one counts, and a status alone is told")
  func heads() throws {
    let signed = try Example.signed(SigV4.Request("GET", url: "https://example.com/"), .s3)
    let proxy = "HTTP/1.1 200 Connection established\r\n\r\n"
    for (text, status, code) in [
      (proxy + "HTTP/2 403 \n\n", 403, SigV4.Mismatch.Code.notExplained),
      (proxy + "HTTP/2 206 \r\nx: y\r\n\r\nbody", 206, .accepted),
      ("HTTP/1.1 403", 403, .notExplained), ("HTTP/", nil, .notExplained),
      ("HTTP/1.1 x\n", nil, .notExplained),
    ] as [(String, Int?, SigV4.Mismatch.Code)] {
      let answer = SigV4.Mismatch.Answer(text.utf8)
      #expect(answer.status == status, "\(text)")
      #expect(SigV4.Mismatch(answer, to: signed).cause.code == code, "\(text)")
    }
  }

  @Test("A URL that has expired tells nothing of clocks")
  func noOffset() throws {
    let body =
      "<Error><Message>Request has expired</Message><ServerTime>2015-08-30T12:41:08Z</ServerTime></Error>"
    #expect(SigV4.ClockOffset(answer: body.utf8, signedAt: try Example.moment()) == nil)
  }
}
