// SPDX-License-Identifier: Apache-2.0
// Percent-encoding: every byte in every part, compared with urllib, and invalid escapes.

internal import SigningTestSupport
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Facts: percent-encoding")
struct PercentEncodingFactsTests {
  @Test("A byte is encoded as in RFC 3986, in uppercase")
  func encoding() throws {
    try facts("percent-encoding").forEachCase { (fact: VectorRecord) in
      let expected = try fact.text("encoded")
      switch try fact.text("kind") {
      case "hexadecimal path":
        let path = try SigV4.Path.raw(bytes: [UInt8(ascii: "/")] + fact.hexadecimal("text"))
        let parts = try parts(path: path)
        #expect(parts.path == "/" + expected)
      case "hexadecimal parameter":
        let text = String(decoding: try fact.hexadecimal("text"), as: UTF8.self)
        #expect(try parts(query: [text: nil]).query == expected + "=")
        #expect(try parts(query: ["k": text]).query == "k=" + expected)
      case "encoded parameter":
        let text = try fact.text("text")
        #expect(try parts(query: .encoded(text)).query.hasSuffix("="))
        #expect(try parts(query: .encoded("k=" + text)).query == "k=" + expected)
      case "received parameter":
        let text = try fact.text("text")
        #expect(try parts(query: .received("k=\(text)".utf8)).query == "k=" + expected)
        #expect(codeOfError { try SigV4.Query.encoded("k=" + text) } == .invalidPercentEncoding)
      case let kind:
        Issue.record("there is no kind '\(kind)'")
      }
    }
  }

  @Test("Unencoded text is encoded, including a percent sign as %25")
  func percentSigns() throws {
    let parts = try parts(query: ["a": "100%", "b": "%zz", "c": "%20", "d+": "+ "])
    #expect(parts.query == "a=100%25&b=%25zz&c=%2520&d%2B=%2B%20")
  }

  @Test("A composed and a decomposed letter stay two names, sorted by their bytes")
  func noNormalization() throws {
    let parts = try parts(query: ["\u{E9}": "1", "e\u{301}": "2"])
    #expect(parts.query == "%C3%A9=1&e%CC%81=2")
  }

  @Test("Names are sorted by bytes, not as Swift sorts strings")
  func sortedByBytes() throws {
    // Swift puts "e" + U+0301 before "f", as it puts U+00E9 there; their bytes say otherwise.
    let parts = try parts(query: ["f": "1", "\u{E9}": "2", "A": "3", "a": "4"])
    #expect(parts.query == "%C3%A9=2&A=3&a=4&f=1")
  }

  @Test("An escape without its two digits is rejected in an encoded string")
  func brokenEscapes() {
    ["%", "%4", "%zz", "%4g", "a%", "%%41", "%2", "% 41", "%+1", "%-1", "100%&b=%zz"].forEachCase {
      (text: String) throws in
      #expect(codeOfError { try SigV4.Query.encoded(text) } == .invalidPercentEncoding)
      #expect(codeOfError { try SigV4.Path.encoded("/" + text) } == .invalidPercentEncoding)
      #expect(
        codeOfError { try SigV4.Request("GET", url: "https://example.com/?" + text) }
          == .invalidPercentEncoding)
    }
  }

  func parts(
    path: SigV4.Path = .root, query: SigV4.Query = .empty
  ) throws -> CanonicalParts {
    let request = try SigV4.Request("GET", host: "example.com", path: path, query: query)
    let signed = try Example.signed(request, .s3)
    let parts = try CanonicalParts(signed.canonicalRequest)
    // For S3 the wire path is the canonical one.
    #expect(splitTarget(signed.target).path == parts.path)
    return parts
  }
}
