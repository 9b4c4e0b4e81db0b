// SPDX-License-Identifier: Apache-2.0
// Hosts: the value of the Host header, derived from the URL as HTTP stacks derive it.

internal import SigningTestSupport
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Facts: hosts")
struct HostFactsTests {
  @Test("A URL determines the Host header that's sent")
  func host() throws {
    try facts("hosts").forEachCase { (fact: VectorRecord) in
      let request = try SigV4.Request("GET", url: fact.text("url"))
      let expected = try fact.text("host")
      #expect(request.host == expected)
      for service in [SigV4.Service.s3, try Example.standardService()] {
        let signed = try Example.signed(request, service)
        #expect(signed.host == expected)
        #expect(try CanonicalParts(signed.canonicalRequest).headers.contains("host:" + expected))
        #expect(signed.url == "\(request.scheme.name)://\(expected)\(signed.target)")

        let presigned = try Example.presigned(request, service)
        #expect(presigned.host == expected)
        #expect(try CanonicalParts(presigned.canonicalRequest).headers == ["host:" + expected])
        #expect(presigned.url == "\(request.scheme.name)://\(expected)\(presigned.target)")
      }
    }
  }

  /// Source of the expected values: Python's ipaddress, by `ipv6-addresses.py`.
  @Test("Brackets contain an IPv6 address, or signing fails")
  func versionSix() throws {
    try VectorTable(named: "ipv6-addresses.txt").records.forEachCase { (vector: VectorRecord) in
      let host = try "[" + vector.text("text") + "]"
      if try vector.text("address") == "yes" {
        #expect(try SigV4.Request("GET", host: host).host == host.lowercased())
      } else {
        #expect(codeOfError { try SigV4.Request("GET", host: host) } == .invalidHost)
      }
    }
  }

  @Test("A non-ASCII host is rejected, and the error names Punycode")
  func beyondASCII() {
    let error = #expect(throws: SigV4.SigningError.self) {
      try SigV4.Request("GET", host: "bücher.example")
    }
    #expect(error?.code == .invalidHost && error?.message.contains("Punycode") == true)
    // The last character of ASCII is one that no name may hold.
    let ascii = #expect(throws: SigV4.SigningError.self) {
      try SigV4.Request("GET", host: "example\u{7F}.com")
    }
    #expect(ascii?.code == .invalidHost && ascii?.message.contains("Punycode") == false)
  }

  @Test("A request's parts have the same host as its URL")
  func hostOfParts() throws {
    try facts("hosts").forEachCase { (fact: VectorRecord) in
      let url = try fact.text("url")
      let scheme = try SigV4.Request("GET", url: url).scheme
      let authority = url.drop { $0 != "/" }.dropFirst(2).prefix { !"/?#".contains($0) }
      let request = try SigV4.Request("GET", scheme: scheme, host: String(authority))
      #expect(try request.host == fact.text("host"))
      #expect(try SigV4.Request("GET", url: url).host == request.host)
    }
  }

  @Test("A Host header with the same value is accepted, and isn't repeated")
  func equalHostHeader() {
    [
      ("https", "example.com"), ("https", "example.com:443"), ("https", "EXAMPLE.com"),
      ("https", "example.com:"), ("http", "example.com:80"), ("wss", "Example.Com:443"),
    ].forEachCase { (scheme: String, value: String) in
      let request = try SigV4.Request(
        "GET", url: scheme + "://example.com/", headers: ["hOsT": value, "x-a": "1"])
      #expect(request.host == "example.com")
      #expect(request.headers.map(\.name) == ["x-a"])
      let signed = try Example.signed(request, Example.standardService())
      #expect(signed.addedHeaders.values(named: "host") == [])
      #expect(
        try CanonicalParts(signed.canonicalRequest).headers
          == ["host:example.com", "x-a:1", "x-amz-date:20150830T123600Z"])
    }
  }

  @Test("A Host header that differs is rejected")
  func otherHostHeader() {
    [
      "example.org", "example.com:8443", "example.com:80", "example.com.", "www.example.com",
      "[::1]", "example.co",
    ].forEachCase { (value: String) throws in
      #expect(
        codeOfError {
          try SigV4.Request("GET", url: "https://example.com/", headers: ["Host": value])
        } == .conflictingHeader)
    }
  }

  @Test("Two Host headers are rejected when one of them differs")
  func twoHostHeaders() throws {
    #expect(
      codeOfError {
        try SigV4.Request(
          "GET", host: "example.com", headers: ["host": "example.com", "Host": "example.org"])
      } == .conflictingHeader)
  }
}
