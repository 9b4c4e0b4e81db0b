// SPDX-License-Identifier: Apache-2.0
// The reference of errors: its example compiles, and its code occurs as in the table.

internal import RequestSigning
internal import SigningTestSupport
internal import TestSupport
internal import Testing

/// The lines of the page are here, and a test compares the two.
@Suite("Reference: errors")
struct ErrorsPageTests {
  @Test("The example on the page catches its code")
  func example() throws {
    do {
      let request = try SigV4.Request("GET", url: "examplebucket")
      print(request.method)
      Issue.record("a host without a scheme is taken for a URL")
    } catch {
      switch error.code {
      case .invalidURL: print(error.message)
      default: throw error
      }
    }
  }

  @Test("The page shows the lines of this file")
  func lines() throws {
    try HowToPage("../reference/errors.md").expectCode(in: #filePath, count: 11)
  }
}
