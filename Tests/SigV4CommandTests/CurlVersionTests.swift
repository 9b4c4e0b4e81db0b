// SPDX-License-Identifier: Apache-2.0
// What versions of curl change in a request or call by other names, with the curl of
// `SendCommandTests`.

internal import Foundation
internal import SigningTestSupport
import Testing

@Suite("sigv4 curl with every version of curl")
struct CurlVersionTests {
  /// RFC 3986, 6.2.2.1; curl's lib/urlapi.c since 8.20. The service encodes the path twice.
  @Test("Escapes in a path are uppercase, as curl sends them")
  func escapes() throws {
    let options = ["--service", "execute-api", "--region", "us-east-1", "--at", "0"]
    let (lower, upper) = ("https://a.example/%c3%a9?b=%2f", "https://a.example/%C3%A9?b=%2F")
    let (told, other) = (try tell(options + [lower]), try tell(options + [upper]))
    #expect(told.configuration.first == "url = \"\(upper)\"")
    #expect(told.headers("authorization") == other.headers("authorization"))
    let piped = try CommandProcess(["sign"] + options + [lower])
    #expect(piped.errors.contains("signed URL, \(upper)"), "\(piped.errors)")
    let canonical = try CommandProcess(["sign", "--json"] + options + [lower]).output
    #expect(canonical.contains(#"GET\n/%25C3%25A9\nb=%2F\n"#))
  }

  private func tell(_ arguments: [String]) throws -> SendCommandTests.Told {
    try SendCommandTests().tell(arguments)
  }
}
