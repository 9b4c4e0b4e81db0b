// SPDX-License-Identifier: Apache-2.0
// The how-to page on mismatches: its code compiles and works.

internal import SigningTestSupport
internal import SignatureDiagnosis
internal import Foundation
internal import RequestSigning
internal import TestSupport
internal import Testing

/// The lines of the page are here, and a test compares the two.
@Suite("How-to: explain a diagnosis")
struct DiagnosisHowToTests {
  func explain(_ body: [UInt8], _ signed: SigV4.SignedRequest) {
    let diagnosis = SigV4.ServiceError(body).diagnosis(for: signed)  // or a presigned URL
    print(diagnosis)
    if diagnosis.cause.code == .headerMissing, let name = diagnosis.cause.subject {
      print("ask the proxy's operator to keep \(name)")
    }
  }

  func signAgain(
    _ request: SigV4.Request, with signer: SigV4.Signer, dateHeader: String, body: [UInt8],
    now: SigV4.Timestamp
  ) throws -> SigV4.SignedRequest {
    let fromBody = SigV4.ServiceError(body).clockOffset(signedAt: now)
    let offset = try fromBody ?? now.duration(to: SigV4.Timestamp(httpDate: dateHeader))
    return try signer.sign(request, at: now.advanced(by: offset))
  }

  @Test("The example on the page is printed")
  func example() throws {
    let signed = try Example.signed(
      SigV4.Request("GET", url: "https://example.com/prod/a"), .s3)
    var server = ServerAnswer(signed)
    server.lines[1] = "/a"
    explain(Array(server.xml.utf8), signed)
    let printed = SigV4.ServiceError(server.xml.utf8).diagnosis(for: signed).description
      .split(separator: "\n")
    let shown = try page().block("text")
    #expect(shown.count == 4 && printed.count == 4)
    #expect(shown[0].hasSuffix(" ...") && printed[0].hasPrefix(shown[0].dropLast(4)))
    #expect(
      shown.dropFirst().elementsEqual(printed.dropFirst()) {
        HowToPage.trimmed($0) == HowToPage.trimmed(String($1))
      })
  }

  @Test("A request is signed again by the server's clock, from the body or the header")
  func clock() throws {
    let (signer, now) = try (Example.signer(.s3), Example.moment())
    let request = try SigV4.Request("GET", url: "https://example.com/")
    let body = "<Error><ServerTime>2015-08-30T12:46:00Z</ServerTime></Error>"
    let date = "Sun, 30 Aug 2015 12:30:00 GMT"
    for (body, time) in [(body, "20150830T124600Z"), ("", "20150830T123000Z")] {
      let signed = try signAgain(
        request, with: signer, dateHeader: date, body: Array(body.utf8), now: now)
      #expect(signed.addedHeaders.values(named: "x-amz-date") == [time])
    }
  }

  @Test("Every line of code on the page is in this file")
  func lines() throws {
    try page().expectCode(in: #filePath, count: 15)
  }

  func page() throws -> HowToPage { try HowToPage("explain-a-mismatch.md") }
}
