// SPDX-License-Identifier: Apache-2.0
// What credential providers may use of this process with Foundation.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import RequestSigningFoundation
internal import Testing

@Suite struct ProcessSourcesTests {
  let sources = CredentialSources.process

  /// The C library's own are tried in POSIXSourcesTests.
  @Test("Variables, home folder, files, programs and the clock come from this process")
  func facts() async throws {
    #expect(sources.variable("PATH") == ProcessInfo.processInfo.environment["PATH"])
    #expect(sources.homeFolder() != nil)
    #expect(try sources.file("/proc/nonexistent") == nil)
    #expect(try await sources.run(["printf", "%s|", "a b"]) == Array("a b|".utf8))
    #expect(abs(Double(sources.now().unixSeconds) - Date().timeIntervalSince1970) < 60)
  }
}
