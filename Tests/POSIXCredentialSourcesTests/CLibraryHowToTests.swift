// SPDX-License-Identifier: Apache-2.0
// The how-to page on credentials: its code for the C library compiles and works.

internal import CredentialProviders
internal import POSIXCredentialSources
internal import RequestSigning
import Testing

internal import SigningTestSupport

@Suite("How-to: credentials with the C library")
struct CLibraryHowToTests {
  private func first() -> SigV4.CredentialProvider {
    let provider = SigV4.CredentialProvider.default(sources: .posix)
    return provider
  }

  private func second(
    _ mine:
      @escaping @Sendable (SigV4.HTTPRequest) async throws(CredentialError) -> SigV4.HTTPResponse
  ) -> CredentialSources {
    let sources = CredentialSources.posix { request in try await mine(request) }
    return sources
  }

  @Test("Local requests use a socket, and all others your own client")
  func both() async throws {
    let sources = second { request in
      SigV4.HTTPResponse(status: 299, body: Array(request.url.utf8))
    }
    let far = SigV4.HTTPRequest("POST", "https://sts.amazonaws.com/", timeout: .seconds(30))
    #expect(try await sources.http(far).status == 299)
    let near = SigV4.HTTPRequest("GET", try NearServer.url("/container"), timeout: .seconds(30))
    #expect(try await sources.http(near).status == 403)
  }

  @Test("The page shows these lines")
  func page() throws {
    try HowToPage("credentials.md", section: "With the C library").expectCode(
      in: #filePath, count: 4)
  }
}
