// SPDX-License-Identifier: Apache-2.0
// The pages of CredentialProviders: their code compiles and works.

internal import CredentialProviders
internal import RequestSigning
internal import SigningTestSupport
internal import Testing

@Suite("Pages: CredentialProviders")
struct CredentialProvidersPagesTests {
  func provider(
    from sources: CredentialSources
  ) -> SigV4.CredentialProvider {
    .default(sources: sources)
  }

  struct Signing {
    let provider: SigV4.CredentialProvider
    let keys = SigV4.SigningKeyCache()  // derives each day's keys once

    func sign(
      _ request: SigV4.Request, at now: SigV4.Timestamp
    ) async throws -> SigV4.SignedRequest {
      let provided = try await provider.credentials()
      let signer = try SigV4.Signer(
        credentials: provided.credentials, region: "eu-central-1",
        service: .s3, keys: keys)
      return try signer.sign(request, at: now)
    }
  }

  @Test("Credentials of variables sign")
  func variables() async throws {
    let now = try Example.moment()
    var sources = CredentialSources(now: { now })
    sources.variable = { name in
      ["AWS_ACCESS_KEY_ID": Example.accessKeyID, "AWS_SECRET_ACCESS_KEY": Example.secret][name]
    }
    let signed = try await Signing(provider: provider(from: sources))
      .sign(SigV4.Request("GET", url: "https://example.com/"), at: now)
    #expect(signed.credentialScope.region == "eu-central-1")
  }
}
