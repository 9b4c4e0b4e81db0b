// SPDX-License-Identifier: Apache-2.0
// The how-to page on credentials: its code without a C library compiles, and does what the page says.

internal import CredentialProviders
internal import RequestSigning
internal import SigningTestSupport
internal import TestSupport
internal import Testing

/// The lines of the page are here, and a test compares the two.
@Suite("How-to: credentials")
struct CredentialsHowToTests {
  func provided(
    _ files: [String: [UInt8]], _ variables: [String: String]
  ) async throws -> (ResolvedCredentials, ProfileCredentials) {
    let now = try SigV4.Timestamp("20240102T030405Z")
    let clock: @Sendable () -> SigV4.Timestamp = { now }
    var sources = CredentialSources(now: clock)
    sources.variable = { name in variables[name] }
    sources.file = { path in files[path] }
    let provider = SigV4.CredentialProvider.profile("work", sources: sources)
    let resolved = try await provider.credentials()
    print(resolved)  // AKIAIOSFODNN7EXAMPLE from profile "work" of /home/me/.aws/credentials
    let found = try ProfileCredentials(
      profile: "two words", in: ProfileFiles(sources: sources), sources: sources)
    print(found.roles.map(\.roleARN), found.source.kind)  // [".../reader"] keys
    return (resolved, found)
  }

  @Test("The page's profile has its keys, and its files are read as described")
  func examples() async throws {
    let home = "/home/me/.aws/"
    let keys = "[work]\naws_access_key_id = AKIAIOSFODNN7EXAMPLE\naws_secret_access_key = s\n"
    let files = [
      home + "config": Array(
        try HowToPage("../reference/credentials.md").block("ini").joined(separator: "\n").utf8),
      home + "credentials": Array(keys.utf8),
    ]
    let (provided, found) = try await provided(files, ["HOME": "/home/me"])
    let comment = try #require(
      try Self.page.block("swift").first { $0.hasPrefix("print(resolved)") })
    #expect(comment.hasSuffix("  // \(provided)"))
    #expect("\(found)".hasPrefix("profile \"two words\": arn:aws:iam::123456789012:role/reader"))
    let config = try ProfileFiles(
      config: files[home + "config"], at: "config", credentials: nil, at: "credentials")
    let process = try ProfileCredentials(
      profile: "work", in: config, sources: ProfileFixture().sources)
    #expect(process.source.command == ["/opt/keys/print", "--account", "my account"])
  }

  @Test("The lines of the page are in this file")
  func lines() throws {
    try Self.page.expectCode(in: #filePath, count: 8)
  }

  private static var page: HowToPage {
    get throws { try HowToPage("credentials.md", section: "Without a C library") }
  }
}
