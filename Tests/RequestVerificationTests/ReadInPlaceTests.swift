// SPDX-License-Identifier: Apache-2.0
// A received request is read in its own memory: nothing behind a part is changed, any number of
// headers fits, and a copy that the caller keeps stays as it was.

internal import SigningTestSupport
internal import RequestVerification
internal import RequestSigning
internal import Testing

@Suite("Verification: a request is read where it is")
struct ReadInPlaceTests {
  private let server: ExampleServer

  init() throws {
    server = try ExampleServer(unsignedPayloads: .allowed)
  }

  private func sent(
    _ url: String, _ headers: SigV4.Headers = [:]
  ) throws -> WireRequest {
    let request = try SigV4.Request("GET", url: "https://example.com" + url, headers: headers)
    return WireRequest(try Example.signer(.s3).sign(request, at: Example.moment()), headers)
  }

  @Test("Paths and queries of all sizes around a vector leave what follows them as it was")
  func sizes() throws {
    for count in 0...50 {
      for (path, query) in [
        (String(repeating: "p", count: count), "a=" + String(repeating: "q", count: 50 - count)),
        (String(repeating: "%2C", count: count), "a=%2C&b" + String(repeating: "q", count: count)),
      ] {
        let request = try sent("/\(path)?\(query)", ["x-amz-meta-a": "value"])
        let verified = try server.check(request).verify(with: Example.credentials())
        #expect(try verified.headerValue(named: "x-amz-meta-a") == "value")
        #expect(try verified.pathSegments == [path.replacing("%2C", with: ",")])
        let value = String(query.dropFirst(2).prefix { $0 != "&" }).replacing("%2C", with: ",")
        #expect(try verified.queryValues(named: "a") == [value])
      }
    }
  }

  @Test("A target that isn't in strict form is encoded behind the headers")
  func otherForms() throws {
    var request = try sent("/a%2Cb?c=%2C", ["x-amz-meta-a": "value"])
    for (old, new) in [("a%2Cb", "a,b"), ("c=%2C", "c=,"), ("c=", "&&%63=")] {
      request = try request.replacingInTarget(old, with: new)
      let verified = try server.check(request).verify(with: Example.credentials())
      #expect(try verified.pathSegments == ["a,b"])
      #expect(try verified.queryValues(named: "c") == [","])
      #expect(try verified.headerValue(named: "x-amz-meta-a") == "value")
    }
  }

  @Test("A query of many '=' or '&' grows when it's encoded again, whatever its size")
  func growingQueries() throws {
    for count in [1, 2, 10, 100, 1_000, 5_000] {
      let value = String(repeating: "=", count: count)
      var request = try sent("/p?a=" + value, ["x-amz-meta-a": "value"])
      // Encoded by the client, and not.
      for target in [String(decoding: request.target, as: UTF8.self), "/p?a=" + value] {
        request.target = Array(target.utf8)
        let verified = try server.check(request).verify(with: Example.credentials())
        #expect(try verified.headerValue(named: "x-amz-meta-a") == "value")
        #expect(try verified.queryValues(named: "a") == [value])
      }
      request = try sent("/p", ["x-amz-meta-a": "value"])
      request.target += Array(("?" + String(repeating: "&", count: min(count, 500))).utf8)
      let verified = try server.check(request).verify(with: Example.credentials())
      #expect(try verified.headerValue(named: "x-amz-meta-a") == "value")
    }
  }

  @Test("Any number of headers fits, with the host in Host or :authority")
  func headers() throws {
    for count in [0, 7, 8, 9, 10, 11, 12, 20, 21, 22, 23, 24, 45, 100] {
      let fields = (0..<count).map { ("x-amz-meta-\($0)", "value \($0)") }
      var request = try sent("/a?b=c", SigV4.Headers(fields))
      for name in ["Host", ":authority"] {
        request.headers[0].name = Array(name.utf8)
        let verified = try server.check(request).verify(with: Example.credentials())
        for (name, value) in fields { #expect(try verified.headerValue(named: name) == value) }
        #expect(try verified.headerValue(named: "host") == "example.com")
        request.headers.append(request.headers.removeFirst())
        try server.verify(request)
        request.headers.insert(request.headers.removeLast(), at: 0)
      }
    }
  }

  @Test("A request that the caller keeps isn't changed")
  func copies() throws {
    let request = try sent("/a,b?z=1&a=,", ["x-amz-meta-b": "2", "x-amz-meta-a": "1"])
      .replacingInTarget("a%2Cb", with: "a,b")
    let received = request.received()
    let copy = received
    let first = try server.verifier.check(received, at: server.now)
    let second = try server.verifier.check(copy, at: server.now)
    let third = try server.verifier.check(received, at: server.now)
    #expect(first == second && second == third)
    let one = try first.verify(with: Example.credentials())
    let two = try first.verify(with: Example.credentials())
    #expect(one.canonicalRequest == two.canonicalRequest)
    #expect(first.accessKeyID == Example.accessKeyID)
  }

  @Test("A path that grows fits after missing signed headers of any size")
  func missingAndGrowing() throws {
    for count in [1, 100, 600, 2_000] {
      let name = "x-amz-meta-" + String(repeating: "z", count: count)
      var request = try sent("/" + String(repeating: "%2C", count: 300), [name: ""])
      request.headers.removeAll { $0.name.elementsEqual(name.utf8) }
      request.target = Array(("/" + String(repeating: ",", count: 300)).utf8)
      try server.verify(request)
    }
  }

  @Test("A signed header that was removed in transit counts as empty, up to 16")
  func missing() throws {
    for count in [1, 2, 16, 17] {
      let fields = (0..<count).map { ("x-amz-meta-\($0)", "") }
      let request = try sent("/a?b=c", SigV4.Headers(fields))
      let names = Set(fields.map { Array($0.0.utf8) })
      var stripped = request
      stripped.headers.removeAll { names.contains($0.name) }
      if count == 17 {
        expectRefused(.invalidSignedHeaders) { try server.verify(stripped) }
      } else {
        try server.verify(stripped)
      }
    }
  }
}
