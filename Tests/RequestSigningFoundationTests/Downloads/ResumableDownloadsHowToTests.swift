// SPDX-License-Identifier: Apache-2.0
// The how-to page on downloads that pause: its code compiles.

internal import CredentialProviders
internal import Foundation
internal import RequestSigningFoundation
internal import SigningTestSupport
internal import Testing

@Suite("How-to: resumable downloads")
struct ResumableDownloadsHowToTests {
  /// The program on the page. It needs a bucket.
  func program() async throws {
    let bucket = try SigV4.Bucket.aws("films", region: "eu-west-1")
    let session = bucket.session(credentials: .default)
    let film = URL(fileURLWithPath: CommandLine.arguments[1])

    try await session.download(
      bucket.object(film.lastPathComponent), to: film,
      checkpoint: film.appendingPathExtension("download")
    ) { print($0.fractionCompleted) }
  }

  @Test("The code on the page is in this file")
  func page() throws {
    let page = try HowToPage("resumable-downloads.md")
    let here = Set(
      try HowToPage.lines(of: URL(fileURLWithPath: #filePath)).map(HowToPage.trimmed))
    let code = page.block("swift").map(HowToPage.trimmed).filter {
      !$0.isEmpty && !$0.hasPrefix("// ") && !$0.hasPrefix("import ")
    }
    #expect(code.count == 7)
    #expect(code.filter { !here.contains($0) } == [])
  }
}
