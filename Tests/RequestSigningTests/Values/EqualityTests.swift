// SPDX-License-Identifier: Apache-2.0
// Which values are the same: errors, headers, queries, payloads, requests, identities and scopes.

internal import RequestSigning
internal import SecureHashing
internal import SigningTestSupport
internal import Testing

@Suite("Values are equal by their bytes")
struct EqualityTests {
  private func expect<Value: Hashable>(
    _ value: Value, equals same: Value, differsFrom others: Value...,
    at location: SourceLocation = #_sourceLocation
  ) {
    #expect(value == same, sourceLocation: location)
    #expect(value.hashValue == same.hashValue, sourceLocation: location)
    for other in others { #expect(value != other, "\(other)", sourceLocation: location) }
  }

  @Test("Errors, by code and message")
  func errors() {
    func error(_ url: String) -> SigV4.SigningError? {
      do throws(SigV4.SigningError) {
        _ = try SigV4.Request("GET", url: url)
        return nil
      } catch {
        return error
      }
    }
    expect(error("a"), equals: error("a"), differsFrom: error("b"), error("https://a/#%"), nil)
    expect(
      SigV4.SigningError(.invalidURL, "a", fix: "f"),
      equals: SigV4.SigningError(.invalidURL, "a", fix: "f"),
      differsFrom: SigV4.SigningError(.invalidHeaderName, "a", fix: "f"),
      SigV4.SigningError(.invalidURL, "b", fix: "f"), SigV4.SigningError(.invalidURL, "a", fix: "g")
    )
  }

  @Test("Headers, whose names have no case, in their order")
  func headers() {
    typealias Headers = SigV4.Headers
    expect(
      SigV4.Header("Content-Type", "a"), equals: SigV4.Header("content-type", "a"),
      differsFrom: SigV4.Header("content-type", "A"), SigV4.Header("content-typ", "a"))
    // Both are "é" to Unicode.
    #expect(SigV4.Header("a", "\u{E9}") != SigV4.Header("a", "e\u{301}"))
    expect(
      ["a": "1", "b": "2"] as Headers, equals: ["A": "1", "b": "2"],
      differsFrom: ["b": "2", "a": "1"], ["a": "1"], [:], ["a": "1", "b": "2", "c": "3"])
    #expect((["a": "b"] as Headers) != (["a": "b"] as Headers).encodedAsUTF8)
  }

  @Test("Queries, by the bytes that are sent")
  func queries() throws {
    try expect(
      ["a": "b c", "d": nil] as SigV4.Query, equals: .encoded("a=b+c&d"),
      differsFrom: .encoded("d&a=b+c"), .encoded("a=b+c&d="), .empty, .encoded("a=b%2Bc&d"))
    let request = try SigV4.Request("GET", url: "https://example.com/x?a=b%20c&d")
    #expect(request.query == ["a": "b c", "d": nil])
  }

  @Test("Payloads, by what's signed")
  func payloads() throws {
    try expect(
      SigV4.Payload.text("a"), equals: .bytes([0x61]),
      differsFrom: .text("b"), .empty, .unsigned, .literal("A"))
    try expect(.literal("A"), equals: SigV4.Payload.literal("A"), differsFrom: .literal("B"))
    expect(SigV4.Payload.empty, equals: .empty, differsFrom: .text(""), .unsigned)
    expect(SigV4.Payload.unsigned, equals: .unsigned)
  }

  @Test("Requests, by all of their parts, however they were made")
  func requests() throws {
    let url = "https://Example.com:443/a%20b?x=1"
    func request(
      _ method: String = "PUT", _ scheme: SigV4.Scheme = .https, _ host: String = "example.com",
      _ path: String = "/a%20b", _ query: String = "x=1", _ headers: SigV4.Headers = ["a": "b"],
      _ payload: SigV4.Payload = .text("c")
    ) throws -> SigV4.Request {
      try SigV4.Request(
        method, scheme: scheme, host: host, path: .encoded(path), query: .encoded(query),
        headers: headers, payload: payload)
    }
    try expect(
      request(), equals: SigV4.Request("PUT", url: url, headers: ["A": "b"], payload: .text("c")),
      differsFrom: request("POST"), request("PUT", .http), request("PUT", .https, "example.org"),
      request("PUT", .https, "example.com", "/a"),
      request("PUT", .https, "example.com", "/a%20b", "x=2"),
      request("PUT", .https, "example.com", "/a%20b", "x=1", [:]),
      request("PUT", .https, "example.com", "/a%20b", "x=1", ["a": "b"], .text("d")))
  }

  @Test("Identities and credentials, by ID, secret, token and end")
  func credentials() throws {
    func credentials(
      _ id: String = "AKID", _ secret: String = "secret", token: String? = "token",
      _ end: String = "20240102T030405Z"
    ) throws -> SigV4.Credentials {
      try SigV4.Credentials(
        accessKeyID: id, secretAccessKey: secret, sessionToken: token, expiration: .init(end))
    }
    let one = try credentials()
    #expect(try one == credentials())
    let others = try [
      credentials("AKIE"), credentials("AKID", "Secret"), credentials(token: "Token"),
      credentials(token: nil), credentials("AKID", "secret", "20240102T030406Z"),
    ]
    for other in others { #expect(one != other) }
    #expect(try one.identity == credentials("AKID", "Secret").identity)
    #expect(others.filter { one.identity == $0.identity }.count == 1)
  }

  @Test("Scopes, by day, region and service")
  func scopes() throws {
    try expect(
      SigV4.CredentialScope("20240102/a/b/aws4_request"),
      equals: .init(dayOf: .init("20240102T235959Z"), region: "a", service: "b"),
      differsFrom: .init("20240103/a/b/aws4_request"), .init("20240102/b/a/aws4_request"),
      .init("20240102/a/c/aws4_request"), .init("20240102/c/b/aws4_request"))
  }
}
