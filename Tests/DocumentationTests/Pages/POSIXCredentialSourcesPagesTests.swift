// SPDX-License-Identifier: Apache-2.0
// The page of POSIXCredentialSources: its code compiles.

internal import CredentialProviders
internal import POSIXCredentialSources
internal import RequestSigning
internal import Testing

@Suite("Pages: POSIXCredentialSources")
struct POSIXCredentialSourcesPagesTests {
  @Test("A provider that wasn't called has no error")
  func landing() async {
    let provider = SigV4.CredentialProvider.default(sources: .posix)
    #expect(await provider.lastError == nil)
  }
}
