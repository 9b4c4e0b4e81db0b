// SPDX-License-Identifier: Apache-2.0
// The how-to page on credentials: what it shows without Foundation compiles, and does what it says.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import TestSupport
internal import Testing

/// The lines of the page stand here, and a test compares the two.
@Suite("How-to: credentials")
struct CredentialsHowToTests {
  private static let section = "## Without Foundation"

  func provided(
    _ files: [String: [UInt8]], _ variables: [String: String]
  ) async throws -> (ResolvedCredentials, ProfileCredentials) {
    let now = try SigV4.Timestamp("20240102T030405Z")
    let clock: @Sendable () -> SigV4.Timestamp = { now }
    var sources = CredentialSources(now: clock)
    sources.variable = { name in variables[name] }
    sources.file = { path in files[path] }
    let provider = ProfileCredentialProvider(profile: "work", sources: sources)
    let provided = try await provider.credentials()
    print(provided)  // AKIAIOSFODNN7EXAMPLE from profile "work" of /home/me/.aws/credentials
    let found = try ProfileCredentials(
      profile: "two words", in: ProfileFiles(sources: sources), sources: sources)
    print(found.roles.map(\.roleARN), found.source.kind)  // [".../reader"] keys
    return (provided, found)
  }

  @Test("The keys of the page's profile are found, and its files are read as it says")
  func examples() async throws {
    let home = "/home/me/.aws/"
    let keys = "[work]\naws_access_key_id = AKIAIOSFODNN7EXAMPLE\naws_secret_access_key = s\n"
    let files = [
      home + "config": Array(try block("ini").joined(separator: "\n").utf8),
      home + "credentials": Array(keys.utf8),
    ]
    let (provided, found) = try await provided(files, ["HOME": "/home/me"])
    let comment = try #require(try block("swift").first { $0.hasPrefix("print(provided)") })
    #expect(comment.hasSuffix("  // \(provided)"))
    #expect("\(found)".hasPrefix("profile \"two words\": arn:aws:iam::123456789012:role/reader"))
    let config = try ProfileFiles(
      config: files[home + "config"], at: "config", credentials: nil, at: "credentials")
    let process = try ProfileCredentials(
      profile: "work", in: config, sources: ProfileFixture().sources)
    #expect(process.source.command == ["/opt/keys/print", "--account", "my account"])
  }

  @Test("Every line of code of the page's section stands in this file")
  func lines() throws {
    let here = Set(try Self.lines(of: URL(fileURLWithPath: #filePath)).map(Self.trimmed))
    let code = try block("swift").map(Self.trimmed).filter { !$0.isEmpty }
    #expect(code.count >= 6)
    #expect(code.filter { !here.contains($0) } == ["import CredentialProviders"])
  }

  /// What stands between the fences of a language; of Swift, in the section without Foundation only.
  private func block(_ language: String) throws -> [String] {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let page = try Self.lines(of: root.appendingPathComponent("docs/how-to/credentials.md"))
    var isInside = false
    var isInSection = language != "swift"
    return page.filter { line in
      if line.hasPrefix("## ") && language == "swift" { isInSection = line == Self.section }
      if line.hasPrefix("```") { isInside = isInSection && line == "```" + language }
      return isInside && !line.hasPrefix("```")
    }
  }

  private static func lines(of file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private static func trimmed(_ line: String) -> String {
    line.trimmingCharacters(in: .whitespaces)
  }
}
