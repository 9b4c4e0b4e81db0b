// SPDX-License-Identifier: Apache-2.0
// The page on fleets: its code for daily keys compiles and works.

internal import RequestSigning
internal import RequestVerification
internal import SigningTestSupport
internal import Testing

/// The lines of the page are here, and a test compares the two.
@Suite("Explanation: at scale")
struct AtScalePageTests {
  func keysToShip(of signer: SigV4.Signer, at now: SigV4.Timestamp) throws -> [SigV4.SigningKey] {
    let tomorrow = try now.advanced(by: .seconds(86_400))
    return [try signer.signingKey(at: now), try signer.signingKey(at: tomorrow)]
  }

  func verified(
    _ request: SigV4.ReceivedRequest, by verifier: SigV4.Verifier, at now: SigV4.Timestamp,
    findKey: (String, SigV4.CredentialScope) -> SigV4.SigningKey?
  ) throws(SigV4.VerificationError) -> SigV4.VerifiedRequest {
    let unverified = try verifier.check(request, at: now)
    guard let key = findKey(unverified.accessKeyID, unverified.scope) else {
      throw unverified.unknownAccessKey
    }
    return try unverified.verify(with: key)
  }

  @Test("Keys that were shipped verify the requests of today and of tomorrow, and of no other day")
  func keys() throws {
    let now = try SigV4.Timestamp("20240102T235959Z")
    let credentials = try SigV4.Credentials(
      accessKeyID: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")
    let signer = try SigV4.Signer(credentials: credentials, region: "us-east-1", service: .s3)
    let shipped = try keysToShip(of: signer, at: now)
    let verifier = SigV4.Verifier(region: "us-east-1", service: .s3)
    for (seconds, isKnown) in [(-86_400, false), (0, true), (1, true), (86_401, false)] {
      let time = try now.advanced(bySeconds: Int64(seconds))
      let signed = try signer.sign(
        SigV4.Request("GET", url: "https://photos.s3.amazonaws.com/a.jpg"), at: time)
      let headers =
        [("host", "photos.s3.amazonaws.com")] + signed.addedHeaders.map { ($0.name, $0.value) }
      let request = SigV4.ReceivedRequest(
        "GET", target: "/a.jpg", headers: SigV4.Headers(headers))
      do throws(SigV4.VerificationError) {
        let verified = try verified(request, by: verifier, at: time) { accessKeyID, scope in
          shipped.first { $0.accessKeyID == accessKeyID && $0.scope == scope }
        }
        #expect(isKnown && verified.request.accessKeyID == "AKIDEXAMPLE")
      } catch {
        #expect(!isKnown && error.code == .unknownAccessKey)
      }
    }
  }

  @Test("Every line of Swift on the page is in this file")
  func lines() throws {
    try HowToPage("../../Benchmarks/at-scale.md").expectCode(in: #filePath, count: 16)
  }
}
