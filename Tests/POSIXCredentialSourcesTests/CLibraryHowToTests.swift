// SPDX-License-Identifier: Apache-2.0
// The how-to page on credentials: what it shows with the C library compiles, and does what it says.

internal import CredentialProviders
internal import POSIXCredentialSources
import Testing

@testable internal import SigningTestSupport

@Suite("How-to: credentials with the C library")
struct CLibraryHowToTests {
  private func first() -> RefreshingCredentialProvider {
    let provider = RefreshingCredentialProvider(
      DefaultCredentialProvider(sources: .posix), now: CredentialSources.posix.now)
    return provider
  }

  private func second(
    _ mine:
      @escaping @Sendable (CredentialRequest) async throws(CredentialError) -> CredentialResponse
  ) -> CredentialSources {
    var sources = CredentialSources.posix
    let near = sources.http
    sources.http = { request in
      request.isLocal ? try await near(request) : try await mine(request)
    }
    return sources
  }

  @Test("What is near goes over a socket, and everything else to the client of one's own")
  func both() async throws {
    let sources = second { request in
      CredentialResponse(status: 299, body: Array(request.url.utf8))
    }
    let far = CredentialRequest("POST", "https://sts.amazonaws.com/", timeout: .seconds(30))
    #expect(try await sources.http(far).status == 299)
    let near = CredentialRequest("GET", try NearServer.url("/container"), timeout: .seconds(30))
    #expect(try await sources.http(near).status == 403)
  }

  @Test("The page shows these lines")
  func page() throws {
    try HowToPage("credentials.md", section: "With the C library").expectCode(
      in: #filePath, count: 9, importing: ["POSIXCredentialSources"])
  }
}
