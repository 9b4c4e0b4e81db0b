// SPDX-License-Identifier: Apache-2.0
// Paths: what goes on the wire and what is signed, for each way to give a path and each rule.

internal import SigningTestSupport
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Facts: paths")
struct PathFactsTests {
  @Test("A path has the wire form and the canonical form of its rule")
  func path() throws {
    try facts("paths").forEachCase { (fact: VectorRecord) in
      let kind = try fact.text("kind")
      for (name, rule) in kind == "key" ? Array(rules.prefix(1)) : rules {
        let service = try Example.standardService().with(\.pathRule, rule)
        let request = try SigV4.Request("GET", host: "example.com", path: path(of: fact))
        let signed = try Example.signed(request, service)
        let canonical = try fact.text(name + " canonical")
        #expect(try CanonicalParts(signed.canonicalRequest).path == canonical, "\(name)")
        if kind != "received" {
          #expect(try signed.target == fact.text(name + " wire"), "\(name)")
        }
        #expect(try presignedPath(request, service) == canonical, "\(name)")
      }
    }
  }

  @Test("The preset services have the rules of the table")
  func presets() throws {
    try facts("paths").forEachCase { (fact: VectorRecord) in
      let request = try SigV4.Request("GET", host: "example.com", path: path(of: fact))
      let once = try fact.text("once canonical")
      for service in [SigV4.Service.s3, .s3Express, .s3Outposts, .s3ObjectLambda] {
        let signed = try Example.signed(request, service)
        #expect(try CanonicalParts(signed.canonicalRequest).path == once)
      }
      if try fact.text("kind") == "key" { return }
      let twice = try fact.text("normalized twice canonical")
      for service in [try SigV4.Service.standard("execute-api"), .iotDeviceGateway] {
        let signed = try Example.signed(request, service)
        #expect(try CanonicalParts(signed.canonicalRequest).path == twice)
      }
    }
  }

  @Test("A URL has the same path as .encoded")
  func pathOfURL() throws {
    try (facts("paths").filter { try $0.text("kind") == "encoded" }).forEachCase {
      (fact: VectorRecord) in
      for (name, rule) in rules {
        let request = try SigV4.Request("GET", url: "https://example.com" + fact.text("path"))
        let signed = try Example.signed(
          request, Example.standardService().with(\.pathRule, rule))
        #expect(
          try CanonicalParts(signed.canonicalRequest).path == fact.text(name + " canonical"),
          "\(name)")
        #expect(try signed.url == "https://example.com" + fact.text(name + " wire"), "\(name)")
      }
    }
  }

  /// RFC 3986, 5.2.4: what HTTP stacks and proxies collapse.
  @Test("Segments that proxies collapse are reported, for each kind of path")
  func dotSegments() throws {
    for text in ["/..", "/.", "/a/../b", "/a/./b", "/a/.."] {
      #expect(try SigV4.Path.encoded(text).hasDotSegments, "\(text)")
      #expect(try SigV4.Path.raw(text).hasDotSegments, "\(text)")
      #expect(try SigV4.Path.key(text).hasDotSegments, "\(text)")
      #expect(SigV4.Path.received(text.utf8).hasDotSegments, "\(text)")
    }
    for text in ["/", "/a", "/a..b", "/...", "/.a", "//"] {
      #expect(try !SigV4.Path.encoded(text).hasDotSegments, "\(text)")
      #expect(try !SigV4.Path.key(text).hasDotSegments, "\(text)")
    }
    #expect(try SigV4.Path.encoded("/a/%2E%2e/b").hasDotSegments)
    #expect(try !SigV4.Path.raw("/a/%2E%2e/b").hasDotSegments)
  }

  @Test("An object key is rejected by every rule that would change it")
  func keysOutsideObjectStorage() throws {
    let request = try SigV4.Request("GET", host: "example.com", path: .key("a b"))
    for (name, rule) in rules.dropFirst() {
      let service = try Example.standardService().with(\.pathRule, rule)
      let signer = try Example.signer(service)
      let moment = try Example.moment()
      #expect(
        codeOfError { try signer.sign(request, at: moment) } == .objectKeyNotSupported,
        "\(name)")
      #expect(
        codeOfError { try signer.presignedURL(for: request, expiresIn: .seconds(60), at: moment) }
          == .objectKeyNotSupported, "\(name)")
    }
  }

  @Test("Neither fragment nor query comes into the path")
  func endOfPath() throws {
    let expected: [(url: String, target: String)] = [
      ("https://example.com/a#b", "/a"),
      ("https://example.com/a?#b", "/a"),
      ("https://example.com/a?", "/a"),
      ("https://example.com/a?b=1#c?d", "/a?b=1"),
      ("https://example.com#/a?b=1", "/"),
      ("https://example.com?b=1", "/?b=1"),
      ("https://example.com?", "/"),
      ("https://example.com/a?b=/c", "/a?b=%2Fc"),
    ]
    for (url, target) in expected {
      let signed = try Example.signed(SigV4.Request("GET", url: url), .s3)
      #expect(signed.target == target, "\(url)")
      #expect(signed.url == "https://example.com" + target, "\(url)")
    }
  }

  let rules: [(name: String, rule: SigV4.Service.PathRule)] = [
    ("once", .encodedOnce), ("twice", .encodedTwice),
    ("normalized once", .normalizedAndEncodedOnce),
    ("normalized twice", .normalizedAndEncodedTwice),
  ]

  func path(of fact: VectorRecord) throws -> SigV4.Path {
    switch try fact.text("kind") {
    case "encoded": try .encoded(fact.text("path"))
    case "raw": try .raw(bytes: fact.bytes("path"))
    case "key": try .key(bytes: fact.bytes("path"))
    case "received": try .received(fact.bytes("path"))
    case let kind: try #require(nil, "there is no kind '\(kind)'")
    }
  }

  func presignedPath(_ request: SigV4.Request, _ service: SigV4.Service) throws -> String {
    try CanonicalParts(Example.presigned(request, service).canonicalRequest).path
  }
}
