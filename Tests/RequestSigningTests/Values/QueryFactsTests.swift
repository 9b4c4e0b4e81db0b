// SPDX-License-Identifier: Apache-2.0
// Queries: the canonical order, and the caller's order on the wire.

internal import SigningTestSupport
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Facts: queries")
struct QueryFactsTests {
  @Test("A query has its canonical form and its wire form")
  func query() throws {
    try facts("queries").forEachCase { (fact: VectorRecord) in
      let text = try fact.text("query")
      let plus = try plusSign(of: fact)
      let url = "https://example.com/?" + text
      try expect(.received(text.utf8, plus: plus), fact)
      if try fact.optionalText("raw") == "yes" {
        expectRefusal(.invalidQuery) { try SigV4.Query.encoded(text, plus: plus) }
        expectRefusal(.invalidQuery) { try SigV4.Request("GET", url: url, plus: plus) }
      } else {
        try expect(.encoded(text, plus: plus), fact)
        try expect(SigV4.Request("GET", url: url, plus: plus).query, fact)
      }
    }
  }

  @Test("An encoded path and an encoded query reject the same: raw spaces and bytes beyond ASCII")
  func rawBytes() {
    for text in [" ", "é", "\u{7F}", "\u{1}", "a b", "12345678 ", "12345678é", "ABCDEFGH\u{3042}"] {
      expectRefusal(.invalidPath) { try SigV4.Path.encoded("/" + text) }
      expectRefusal(.invalidQuery) { try SigV4.Query.encoded("a=" + text) }
      expectRefusal(.invalidQuery) { try SigV4.Request("GET", url: "https://h.example/?a=" + text) }
    }
  }

  @Test("The parameters of a presigned URL follow the caller's")
  func presignedQuery() throws {
    try facts("queries").forEachCase { (fact: VectorRecord) in
      let query = try SigV4.Query.received(fact.text("query").utf8, plus: plusSign(of: fact))
      let request = try SigV4.Request("GET", host: "example.com", query: query)
      let presigned = try Example.presigned(request, .s3)
      let wire = pairs(splitTarget(presigned.target).query ?? "")
      let given = try pairs(fact.text("wire"))
      #expect(Array(wire.prefix(given.count)) == given)
      #expect(wire.dropFirst(given.count).allSatisfy { $0.hasPrefix("X-Amz-") })

      // All but the signature, sorted: the canonical query of the table and five parameters.
      let canonical = try pairs(CanonicalParts(presigned.canonicalRequest).query)
      #expect(try canonical.filter { !$0.hasPrefix("X-Amz-") } == pairs(fact.text("canonical")))
      #expect(canonical.filter { $0.hasPrefix("X-Amz-") }.count == 5)
    }
  }

  @Test("Unencoded parameters are sent in their order, and a name without a value stays alone")
  func plainParameters() throws {
    let query: SigV4.Query = ["z": "a b", "k": "2", "uploads": nil, "k": "1", "e": "", "+": "+"]
    let signed = try signed(query)
    #expect(signed.target == "/?z=a%20b&k=2&uploads&k=1&e=&%2B=%2B")
    #expect(
      try CanonicalParts(signed.canonicalRequest).query
        == "%2B=%2B&e=&k=1&k=2&uploads=&z=a%20b")
  }

  @Test("A parameter can be added at the end")
  func appending() throws {
    let query = try SigV4.Query.encoded("b=1").appending("a", "x/y").appending("c", nil)
    #expect(!query.isEmpty)
    #expect(try signed(query).target == "/?b=1&a=x%2Fy&c")
  }

  @Test("An empty query leaves no question mark on the wire")
  func emptyQuery() throws {
    for query in [SigV4.Query.empty, [:], try .encoded(""), try .encoded("&"), .received([])] {
      #expect(query.isEmpty)
      #expect(try signed(query).target == "/")
    }
  }

  @Test("The body of a form is no part of the query: only its digest is signed")
  func formBody() throws {
    let request = try SigV4.Request(
      "POST", host: "example.com",
      headers: ["content-type": "application/x-www-form-urlencoded"],
      payload: .text("Param1=value1"))
    let parts = try CanonicalParts(
      Example.signed(request, Example.standardService()).canonicalRequest)
    #expect(parts.query.isEmpty)
    // hashlib.sha256(b"Param1=value1").hexdigest(), as in the suite's case of this name
    #expect(
      parts.payload == "9095672bbd1f56dfc5b65f3e153adc8731a4a654192329106275f4c7b24d0b6e")
  }

  func expect(_ query: SigV4.Query, _ fact: VectorRecord) throws {
    let signed = try signed(query)
    let wire = splitTarget(signed.target).query ?? ""
    #expect(try wire == fact.text("wire"))
    #expect(!wire.contains("+"))
    #expect(try CanonicalParts(signed.canonicalRequest).query == fact.text("canonical"))
  }

  func signed(_ query: SigV4.Query) throws -> SigV4.SignedRequest {
    try Example.signed(SigV4.Request("GET", host: "example.com", query: query), .s3)
  }

  func plusSign(of fact: VectorRecord) throws -> SigV4.Query.PlusSign {
    try fact.optionalText("plus") == "literal" ? .literal : .space
  }
}
