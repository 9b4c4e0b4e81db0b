// SPDX-License-Identifier: Apache-2.0
// The short forms of calls do what the long forms do, whose results are compared with vectors.

internal import SigningTestSupport
internal import RequestSigning
internal import Testing

@Suite("Short forms")
struct ShortFormTests {
  @Test("A literal is the service of that name, with the rules of its preset")
  func serviceLiterals() throws {
    #expect("s3" as SigV4.Service == .s3)
    #expect(try "execute-api" as SigV4.Service == .standard("execute-api"))
    #expect("execute-api" as SigV4.Service == .executeAPI)
    #expect("s3express" as SigV4.Service == .s3Express)
  }

  @Test(
    "A name that no service has is rejected when a signer is made", arguments: ["", "a b", "S3"])
  func wrongServiceLiterals(name: String) throws {
    let service = SigV4.Service(stringLiteral: name)
    let credentials = try Example.credentials()
    expectRefusal(.invalidService, showing: name) {
      try SigV4.Signer(credentials: credentials, region: "us-east-1", service: service)
    }
    expectRefusal(.invalidService, showing: name) {
      try SigV4.Signer(
        identity: credentials.identity, region: "us-east-1", service: service)
    }
  }

  @Test("A rule of a service can be set, and changes what is signed")
  func rules() throws {
    var service = SigV4.Service.executeAPI
    service.pathRule = .encodedTwice
    let request = try SigV4.Request("GET", url: "https://example.com/a//b")
    #expect(try Example.signed(request, service).canonicalRequest.text.hasPrefix("GET\n/a//b\n"))
    #expect(
      try Example.signed(request, .executeAPI).canonicalRequest.text.hasPrefix("GET\n/a/b\n"))
  }

  @Test("Headers and a query from a dictionary are sorted by name")
  func dictionaries() {
    let fields = ["x-b": "2", "x-a": "1", "X-C": "3"]
    #expect(SigV4.Headers(fields).map(\.name) == ["X-C", "x-a", "x-b"])
    #expect(SigV4.Headers(fields)["x-b"] == "2")
    let parameters = ["b": "2 +", "a": ""]
    #expect(SigV4.Query(parameters) == ["a": "", "b": "2 +"])
    #expect(SigV4.Headers(["b": "1", "a": "2", "b": "3"]).values(named: "b") == ["1", "3"])
    #expect(SigV4.Query(["b": "1", "a": nil, "b": "3"]) == ["b": "1", "a": nil, "b": "3"])
  }

  @Test("A request from its parts in the call is signed as one that was made before")
  func parts() throws {
    let signer = try Example.signer(.s3)
    let url = "https://example.com/a?x=1"
    let parts = try signer.sign(
      method: "PUT", url: url, headers: ["content-type": "text/plain"], body: "hello".utf8,
      at: Example.moment())
    let request = try SigV4.Request(
      "PUT", url: url, headers: ["content-type": "text/plain"], payload: .text("hello"))
    let whole = try signer.sign(request, at: Example.moment())
    #expect(parts.canonicalRequest == whole.canonicalRequest)
    #expect(parts.signature == whole.signature)
    let empty = try signer.sign(method: "GET", url: url, at: Example.moment())
    #expect(
      try empty.signature
        == signer.sign(SigV4.Request("GET", url: url), at: Example.moment()).signature)
  }

  @Test("The headers to send are the request's, followed by those that signing added")
  func allHeaders() throws {
    let request = try SigV4.Request(
      "GET", url: "https://example.com/", headers: ["a": "1", "host": "example.com", "A": "2"])
    let signed = try Example.signed(request, .s3)
    #expect(
      signed.headers.map(\.name)
        == ["a", "A", "x-amz-content-sha256", "x-amz-date", "Authorization"])
    #expect(
      signed.addedHeaders.map(\.name) == ["x-amz-content-sha256", "x-amz-date", "Authorization"])
    #expect(signed.headers.last?.value == signed.authorization)
  }

  @Test(
    "Additional parameters follow those of the URL's query",
    arguments: [
      ("https://example.com/a", "https://example.com/a?k=%20%2B&n"),
      ("https://example.com/a#part?", "https://example.com/a?k=%20%2B&n"),
      ("https://example.com/a?x=1", "https://example.com/a?x=1&k=%20%2B&n"),
    ])
  func queryBesideURL(url: String, whole: String) throws {
    let query: SigV4.Query = ["k": " +", "n": nil]
    for plus in [SigV4.Query.PlusSign.space, .literal] {
      let request = try SigV4.Request("GET", url: url, query: query, plus: plus)
      #expect(try request.query == SigV4.Request("GET", url: whole, plus: plus).query)
      #expect(try Example.signed(request, .s3).url == whole)
    }
    #expect(try SigV4.Request("GET", url: url, query: [:]).query.isEmpty == !url.contains("x=1"))
  }

  @Test("Headers by name: read, replaced at their place, added and removed")
  func headersByName() {
    var headers: SigV4.Headers = ["a": "1", "B": "2", "c": "3", "b": "4"]
    #expect(headers["b"] == "2, 4")
    #expect(headers["d"] == nil)
    headers["b"] = "5"
    #expect(headers.map { "\($0.name):\($0.value)" } == ["a:1", "b:5", "c:3"])
    headers["d"] = "6"
    headers["A"] = nil
    #expect(headers.map { "\($0.name):\($0.value)" } == ["b:5", "c:3", "d:6"])
  }

  @Test("An empty session token is ignored")
  func emptySessionToken() throws {
    let credentials = try SigV4.Credentials(
      accessKeyID: "AKIDEXAMPLE", secretAccessKey: "secret", sessionToken: "")
    #expect(credentials.identity.sessionToken == nil)
    #expect(try SigV4.Identity(accessKeyID: "AKIDEXAMPLE", sessionToken: "").sessionToken == nil)
  }

  @Test("A lifetime's fraction of a second is dropped")
  func lifetimes() throws {
    let request = try SigV4.Request("GET", url: "https://example.com/")
    let signer = try Example.signer(.s3)
    let url = try signer.presignedURL(
      for: request, expiresIn: .milliseconds(61_999), at: Example.moment())
    #expect(url.url.contains("&X-Amz-Expires=61&"))
    #expect(try url.expiration == Example.moment().advanced(by: .seconds(61)))
    expectRefusal(.invalidLifetime, showing: "0 seconds") {
      try signer.presignedURL(for: request, expiresIn: .milliseconds(999), at: Example.moment())
    }
  }

  @Test("A moment after a duration, and before it")
  func durations() throws {
    let moment = try SigV4.Timestamp("20240229T235959Z")
    #expect(try moment.advanced(by: .seconds(1)).text == "20240301T000000Z")
    #expect(try moment.advanced(by: .seconds(-86_400)).text == "20240228T235959Z")
    expectRefusal(.timestampOutOfRange) { try moment.advanced(by: .seconds(Int64.max)) }
  }
}
