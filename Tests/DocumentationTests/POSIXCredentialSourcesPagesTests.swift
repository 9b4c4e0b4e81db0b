// SPDX-License-Identifier: Apache-2.0
// The page of POSIXCredentialSources: its code compiles.

internal import CredentialProviders
internal import POSIXCredentialSources
internal import Testing

@Suite("Pages: POSIXCredentialSources")
struct POSIXCredentialSourcesPagesTests {
  @Test("A provider that wasn't called has no error")
  func landing() async {
    let provider = RefreshingCredentialProvider(
      DefaultCredentialProvider(sources: .posix),
      now: CredentialSources.posix.now)
    #expect(await provider.lastError == nil)
  }
}
