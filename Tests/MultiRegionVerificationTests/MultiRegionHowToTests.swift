// SPDX-License-Identifier: Apache-2.0
// The how-to page on many regions: its code compiles and works.

internal import MultiRegionSigning
internal import MultiRegionVerification
internal import SigningTestSupport
internal import Testing

/// The lines of the page are here, and a test compares the two.
@Suite("How-to: many regions")
struct MultiRegionHowToTests {
  func signed(
    _ url: String, with credentials: SigV4.Credentials, at now: SigV4.Timestamp
  ) throws -> SigV4.SignedRequest {
    let signer = try SigV4.Signer(credentials: credentials, regionSet: .all, service: .s3)
    return try signer.sign(SigV4.Request("GET", url: url), at: now)
  }

  func object(
    _ key: String, of accessPoint: String, with credentials: SigV4.Credentials,
    at now: SigV4.Timestamp
  ) throws -> SigV4.SignedRequest {
    let bucket = try SigV4.Bucket.multiRegionAccessPoint(accessPoint)
    let signer = try bucket.multiRegionSigner(credentials: credentials)
    return try signer.sign(bucket.object(key).getRequest(), at: now)
  }

  func verified(
    _ request: SigV4.ReceivedRequest, at now: SigV4.Timestamp,
    findKey: (String) async -> SigV4.MultiRegionPublicKey?
  ) async throws(SigV4.VerificationError) -> SigV4.VerifiedRequest {
    var verifier = SigV4.Verifier(region: "eu-west-1", service: .s3)
    verifier.algorithms = [.ecdsaP256SHA256]
    let unverified = try verifier.check(request, at: now)
    guard let key = await findKey(unverified.accessKeyID) else { throw unverified.unknownAccessKey }
    return try unverified.verify(with: key)
  }

  @Test("An object of an access point is signed for all regions at its host, by alias or ARN")
  func accessPoint() throws {
    for name in ["mfzwi23gnjvgw.mrap", "arn:aws:s3::123456789012:accesspoint/mfzwi23gnjvgw.mrap"] {
      let signed = try object(
        "a b", of: name, with: Example.credentials(), at: Example.moment())
      #expect(signed.url == "https://mfzwi23gnjvgw.mrap.accesspoint.s3-global.amazonaws.com/a%20b")
      #expect(signed.addedHeaders.values(named: "x-amz-region-set") == ["*"])
      try MultiRegionServer().verify(SentRequest(signed))
    }
  }

  @Test("One function accepts the other's signatures, and reports an unknown key")
  func thereAndBack() async throws {
    let credentials = try Example.credentials()
    let signed = try signed(
      "https://mfzwi23gnjvgw.mrap.accesspoint.s3-global.amazonaws.com/a%20b", with: credentials,
      at: Example.moment())
    let request = SentRequest(signed).received()
    let verified = try await verified(request, at: Example.moment()) { id in
      id == Example.accessKeyID ? SigV4.MultiRegionPublicKey(credentials) : nil
    }
    #expect(try verified.pathSegments == ["a b"])
    #expect(verified.request.regionSet == "*")
    let error = await #expect(throws: SigV4.VerificationError.self) {
      _ = try await self.verified(request, at: Example.moment()) { _ in nil }
    }
    #expect(error?.code == .unknownAccessKey)
  }

  @Test("Every line of code on the page is in this file")
  func page() throws {
    try HowToPage("multi-region-signing.md").expectCode(in: #filePath, count: 25)
  }
}
