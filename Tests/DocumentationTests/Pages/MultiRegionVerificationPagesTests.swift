// SPDX-License-Identifier: Apache-2.0
// The page of MultiRegionVerification: its code compiles and works.

internal import MultiRegionSigning
internal import MultiRegionVerification
internal import SigningTestSupport
internal import Testing

@Suite("Pages: MultiRegionVerification")
struct MultiRegionVerificationPagesTests {
  func verified(
    _ request: SigV4.ReceivedRequest, at now: SigV4.Timestamp,
    findKey: (String) async -> SigV4.MultiRegionPublicKey?
  ) async throws(SigV4.VerificationError) -> SigV4.VerifiedRequest {
    var verifier = SigV4.Verifier(region: "eu-west-1", service: .s3)
    verifier.algorithms = [.ecdsaP256SHA256]
    let unverified = try verifier.check(request, at: now)
    guard let key = await findKey(unverified.accessKeyID) else {
      throw unverified.unknownAccessKey
    }
    return try unverified.verify(with: key)
  }

  @Test("A request of an unknown key is rejected")
  func landing() async throws {
    let (credentials, now) = try (Example.credentials(), Example.moment())
    let signer = try SigV4.Signer(credentials: credentials, regionSet: .all, service: .s3)
    let signed = try signer.sign(SigV4.Request("GET", url: "https://example.com/"), at: now)
    let headers = [("Host", "example.com")] + signed.addedHeaders.map { ($0.name, $0.value) }
    let received = SigV4.ReceivedRequest(
      "GET", target: signed.target, headers: SigV4.Headers(headers))
    await #expect(throws: SigV4.VerificationError.self) {
      _ = try await verified(received, at: now) { _ in nil }
    }
  }
}
