// SPDX-License-Identifier: Apache-2.0
// Headers: their canonical form, and which of them are signed.

internal import SigningTestSupport
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Facts: headers")
struct HeaderFactsTests {
  @Test("Header fields have their canonical form")
  func canonicalForm() throws {
    try facts("headers").forEachCase { (fact: VectorRecord) in
      let headers = SigV4.Headers(
        try fact.texts("header").map { line in
          let parts = line.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
          return (String(parts[0]), String(parts[1]))
        })
      let request = try SigV4.Request("GET", host: "example.com", headers: headers)
      let canonical = try fact.texts("canonical")
      let names = try fact.text("signed").split(separator: ";").map(String.init)

      let signed = try Example.signed(request, Example.standardService())
      let parts = try CanonicalParts(signed.canonicalRequest)
      #expect(parts.headers(without: ["host", "x-amz-date"]) == canonical)
      #expect(parts.signedHeaders == sorted(names + ["host", "x-amz-date"]))
      #expect(signed.signedHeaders == parts.signedHeaders)

      let presigned = try Example.presigned(request, Example.standardService())
      let partsOfURL = try CanonicalParts(presigned.canonicalRequest)
      #expect(partsOfURL.headers(without: ["host"]) == canonical)
      #expect(partsOfURL.signedHeaders == sorted(names + ["host"]))
    }
  }

  @Test("All header lines are sorted, including Host's")
  func order() throws {
    let request = try SigV4.Request(
      "GET", host: "example.com", headers: ["Z": "1", "a": "2", "Hose": "3", "hostile": "4"])
    let signed = try Example.signed(request, .s3)
    #expect(
      try CanonicalParts(signed.canonicalRequest).headers == [
        "a:2", "hose:3", "host:example.com", "hostile:4",
        "x-amz-content-sha256:" + Example.digestOfNothing, "x-amz-date:20150830T123600Z", "z:1",
      ])
  }

  @Test("A header is signed or not, as the table says")
  func unsignedHeaders() throws {
    try facts("unsigned-headers").forEachCase { (fact: VectorRecord) in
      let name = fact.name
      for spelling in [name, name.uppercased()] {
        let request = try self.request(spelling)
        for service in [SigV4.Service.s3, try Example.standardService()] {
          let signed = try Example.signed(request, service)
          #expect(
            try names(signed.signedHeaders).contains(name)
              == (fact.text("in headers") == "signed"))
          #expect(signed.canonicalRequest.text.contains("\n\(name):v\n") == isSigned(signed, name))

          let presigned = try Example.presigned(request, service)
          let isInURL = try fact.text("in URLs") == "signed"
          #expect(names(presigned.signedHeaders).contains(name) == isInURL)
          // The URL's holder must send the signed headers, and doesn't need the others.
          #expect(presigned.requiredHeaders.values(named: name) == (isInURL ? ["v"] : []))
        }
      }
    }
  }

  @Test("With the list .none every header is signed")
  func noUnsignedHeaders() throws {
    try facts("unsigned-headers").forEachCase { (fact: VectorRecord) in
      let request = try request(fact.name)
      let service = SigV4.Service.s3.with(\.unsignedHeaders, .none)
      #expect(try isSigned(Example.signed(request, service), fact.name))
    }
  }

  /// The announcement of a trailer, with a payload that has one.
  func request(_ name: String) throws -> SigV4.Request {
    let hasTrailer = name.lowercased() == "x-amz-trailer"
    return try SigV4.Request(
      "GET", host: "example.com", headers: [name: "v"],
      payload: hasTrailer ? .literal("STREAMING-UNSIGNED-PAYLOAD-TRAILER") : .empty)
  }

  @Test("A list of the caller's replaces the default one, and holds names and beginnings")
  func replacedLists() throws {
    let given: SigV4.Headers = [
      "User-Agent": "u", "X-Trace": "t", "X-Custom-A": "a", "x-custom": "b", "Accept": "c",
      "x-custom-": "d",
    ]
    let request = try SigV4.Request("GET", host: "example.com", headers: given)
    let lists: [(SigV4.UnsignedHeaders, String)] = [
      (.default, "accept;host;x-amz-date;x-custom;x-custom-;x-custom-a;x-trace"),
      (.none, "accept;host;user-agent;x-amz-date;x-custom;x-custom-;x-custom-a;x-trace"),
      (try .names([]), "accept;host;user-agent;x-amz-date;x-custom;x-custom-;x-custom-a;x-trace"),
      (try .names(["X-TRACE"]), "accept;host;user-agent;x-amz-date;x-custom;x-custom-;x-custom-a"),
      (try .names(["X-Custom-*"]), "accept;host;user-agent;x-amz-date;x-custom;x-trace"),
      (try .names(["accept", "x-t*"]), "host;user-agent;x-amz-date;x-custom;x-custom-;x-custom-a"),
      (
        try .names(["x-trace"]).union(.default),
        "accept;host;x-amz-date;x-custom;x-custom-;x-custom-a"
      ),
      (.default.union(try .names(["x-custom-*"])), "accept;host;x-amz-date;x-custom;x-trace"),
    ]
    for (list, expected) in lists {
      let service = try Example.standardService().with(\.unsignedHeaders, list)
      #expect(try Example.signed(request, service).signedHeaders == expected)
    }
  }

  @Test("Only what includes host or x-amz- is rejected in a list")
  func harmlessNames() {
    [
      "hostile", "hostile*", "x-amzn-*", "x-amzn-trace-id", "xx-amz-*", "ghost*", "x-a",
    ].forEachCase { (name: String) in
      #expect(throws: Never.self) { try SigV4.UnsignedHeaders.names([name]) }
    }
  }

  @Test("The caller's date header is signed unchanged, in addition to x-amz-date")
  func dateHeader() throws {
    let request = try SigV4.Request(
      "GET", host: "example.com", headers: ["Date": "Sun, 30 Aug 2015 12:36:00 GMT"])
    let signed = try Example.signed(request, Example.standardService())
    #expect(
      try CanonicalParts(signed.canonicalRequest).headers == [
        "date:Sun, 30 Aug 2015 12:36:00 GMT", "host:example.com", "x-amz-date:20150830T123600Z",
      ])
    #expect(signed.addedHeaders.values(named: "x-amz-date") == ["20150830T123600Z"])
  }

  @Test("Headers are found by name in any case, in order")
  func values() {
    var headers: SigV4.Headers = ["A": "1", "b": "2", "a": "3"]
    headers.append("B", "4")
    #expect(headers.values(named: "a") == ["1", "3"])
    #expect(headers.values(named: "B") == ["2", "4"])
    #expect(headers.values(named: "c") == [])
    #expect(headers.map(\.name) == ["A", "b", "a", "B"])
    #expect((headers + ["c": "5"]).map(\.value) == ["1", "2", "3", "4", "5"])
  }

  func isSigned(_ signed: SigV4.SignedRequest, _ name: String) -> Bool {
    names(signed.signedHeaders).contains(name)
  }

  func names(_ signedHeaders: String) -> [String] {
    signedHeaders.split(separator: ";").map(String.init)
  }

  /// The names are ASCII, so Swift's order of them is that of their bytes.
  func sorted(_ names: [String]) -> String {
    names.sorted().joined(separator: ";")
  }
}
