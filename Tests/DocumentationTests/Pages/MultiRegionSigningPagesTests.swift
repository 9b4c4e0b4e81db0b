// SPDX-License-Identifier: Apache-2.0
// The page of MultiRegionSigning: its code compiles and works.

internal import MultiRegionSigning
internal import SigningTestSupport
internal import Testing

@Suite("Pages: MultiRegionSigning")
struct MultiRegionSigningPagesTests {
  func signed(
    _ url: String, with credentials: SigV4.Credentials,
    at now: SigV4.Timestamp
  ) throws -> SigV4.SignedRequest {
    let signer = try SigV4.Signer(
      credentials: credentials, regionSet: .all, service: .s3)
    return try signer.sign(SigV4.Request("GET", url: url), at: now)
  }

  @Test("A request is signed for all regions")
  func landing() throws {
    let signed = try signed(
      "https://example.com/", with: Example.credentials(), at: Example.moment())
    #expect(signed.addedHeaders.values(named: "x-amz-region-set") == ["*"])
  }
}
