// SPDX-License-Identifier: Apache-2.0
// The pages of SignatureDiagnosis: their code compiles and works.

internal import SignatureDiagnosis
internal import SigningTestSupport
internal import TestSupport
internal import Testing

@Suite("Pages: SignatureDiagnosis")
struct SignatureDiagnosisPagesTests {
  func cause(
    of body: [UInt8], to signed: SigV4.SignedRequest
  ) -> SigV4.Diagnosis.Cause {
    let diagnosis = SigV4.ServiceError(body).diagnosis(for: signed)
    print(diagnosis)  // the problem, the fix, and the first line that differs
    return diagnosis.cause
  }

  func advice(on body: [UInt8], to signed: SigV4.SignedRequest) -> String {
    let diagnosis = SigV4.ServiceError(body).diagnosis(for: signed)
    switch diagnosis.cause.code {
    case .clock: return "this machine's clock is wrong"
    case .headerMissing: return "a proxy drops a header"
    case .accepted: return "valid, so check the bucket policy"
    default: return diagnosis.description
    }
  }

  func signAgain(
    _ request: SigV4.Request, by signer: SigV4.Signer, body: [UInt8],
    now: SigV4.Timestamp
  ) throws -> SigV4.SignedRequest? {
    let error = SigV4.ServiceError(body)
    guard let offset = error.clockOffset(signedAt: now) else { return nil }
    return try signer.sign(request, at: now.advanced(by: offset))
  }

  @Test("A clock that's wrong is found, and corrected")
  func clock() throws {
    let request = try SigV4.Request("GET", url: "https://example.com/")
    let signed = try Example.signed(request, .s3)
    let body = Array(
      """
      <Error><Code>RequestTimeTooSkewed</Code><ServerTime>2015-08-30T13:36:00Z</ServerTime></Error>
      """.utf8)
    #expect(cause(of: body, to: signed).code == .clock)
    #expect(advice(on: body, to: signed) == "this machine's clock is wrong")
    let again = try signAgain(
      request, by: Example.signer(.s3), body: body, now: Example.moment())
    #expect(again?.addedHeaders.values(named: "x-amz-date") == ["20150830T133600Z"])
  }
}
