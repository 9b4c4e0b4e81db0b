// SPDX-License-Identifier: Apache-2.0
// The how-to page on credentials, "Refresh": its code compiles, and does what the page says.

internal import S3Signing
internal import CredentialProviders
internal import RequestSigning
internal import SigningTestSupport
internal import Testing

struct Uploads {
  let provider: SigV4.CredentialProvider
  let clock: @Sendable () -> SigV4.Timestamp
  let keys = SigV4.SigningKeyCache()  // derives each day's signing keys once

  func sign(_ request: SigV4.Request) async throws -> SigV4.SignedRequest {
    let resolved = try await provider.credentials()
    let signer = try SigV4.Signer(
      credentials: resolved.credentials, region: "eu-central-1", service: .s3, keys: keys)
    return try signer.sign(request, at: clock())
  }
}

/// The lines of the page are here, and a test compares the two.
@Suite("How-to: refresh credentials", .endsIfItHangs)
struct RefreshingHowToTests {
  @Test("Requests are signed with the current credentials, and after a rejection with new ones")
  func refusal() async throws {
    let source = GatedSource(only: try issued("OLD", until: 3_600), try issued("NEW", until: 3_600))
    let clock = StandingClock().now
    let uploads = Uploads(provider: SigV4.CredentialProvider(source, now: clock), clock: clock)
    let request = try SigV4.Request("GET", url: "https://bucket.s3.amazonaws.com/key")
    let before = try await uploads.sign(request)
    let provider = uploads.provider
    let resolved = try await provider.credentials()

    await provider.invalidate(resolved)
    let again = try await provider.credentials()

    let after = try await uploads.sign(request)
    #expect(credential(of: before).hasPrefix("AWS4-HMAC-SHA256 Credential=OLD/20240102/"))
    #expect(credential(of: after).hasPrefix("AWS4-HMAC-SHA256 Credential=NEW/20240102/"))
    #expect(again.description == "NEW with a session token from a test")
  }

  @Test("A refresh policy")
  func policy() async throws {
    let source = GatedSource(only: try issued("NEW", until: 3_600))
    let clock = StandingClock().now

    let policy = SigV4.CredentialProvider.RefreshPolicy(
      backgroundRefresh: .seconds(1_800), blockingRefresh: .seconds(600))
    let early = SigV4.CredentialProvider(source, policy: policy, now: clock)

    #expect(await early.outcome() == "NEW")
  }

  @Test("The lines of the page are in this file")
  func page() throws {
    try HowToPage("credentials.md", section: "Refresh").expectCode(in: #filePath, count: 19)
  }

  private func credential(of signed: SigV4.SignedRequest) -> String {
    signed.addedHeaders.first { $0.name == "Authorization" }?.value ?? ""
  }
}
