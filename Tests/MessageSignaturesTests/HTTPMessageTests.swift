// SPDX-License-Identifier: Apache-2.0
// Messages: what a client sends and what a server receives are the same.

internal import Foundation
internal import MessageSignatures
internal import SecureHashing
internal import Testing

@Suite("HTTP message")
struct HTTPMessageTests {
  /// The value of a component, as a signature has it.
  private func value(_ component: MessageSignature.Component, _ message: HTTPMessage) throws
    -> String
  {
    let key = SymmetricKey(data: [1])
    let now = MessageSignature.Time(unixSeconds: 0)
    let signed = try MessageSigner(key: .hmac(key), keyID: "k", covering: [component])
      .sign(message, body: [], at: now)
    let verified = try MessageVerifier(requiring: []) { _ in .hmac(key) }
      .verify(signed, body: [], at: now)
    return try #require(verified[component])
  }

  private let parts: [MessageSignature.Component] = [
    .method, .targetURI, .authority, .scheme, .requestTarget, .path, .query,
  ]

  @Test("A request line with a host has the values of its URL")
  func requestLines() throws {
    for (method, target, url) in [
      ("GET", "/a%2Fb/../c?x=%7e&y", "https://a.example/a%2Fb/../c?x=%7e&y"),
      ("POST", "/", "https://a.example"), ("OPTIONS", "*", "https://a.example"),
      ("GET", "/?", "https://a.example/?"),
      ("GET", "//b.example/", "https://a.example//b.example/"),
    ] {
      let sent = try HTTPMessage(method: method, url: url, fields: [])
      let received = try HTTPMessage(
        method: method, scheme: "https", authority: "a.example", target: target, fields: [])
      for part in parts {
        #expect(try value(part, sent) == value(part, received), "\(url) \(part)")
      }
      #expect(try value(.requestTarget, sent) == target)
    }
  }

  @Test("A target on another server is rejected, and one on this server isn't")
  func absoluteTargets() throws {
    let message = try HTTPMessage(
      method: "GET", scheme: "http", authority: "a.example", target: "http://A.example:80/b?c",
      fields: [])
    #expect(try value(.path, message) == "/b" && value(.authority, message) == "a.example")
    #expect(try value(.requestTarget, message) == "http://A.example:80/b?c")
    for target in [
      "http://b.example/", "https://a.example/", "b", "", "*", "@b.example/", "\\", "?a",
    ] {
      expectRefusal(.invalidRequest) {
        try HTTPMessage(
          method: "GET", scheme: "http", authority: "a.example", target: target, fields: [])
      }
    }
  }

  @Test("What isn't a request or a response is rejected")
  func refusals() {
    for url in [
      "", "a", "/a", "a.example/b", "https://", "https:///a", "https://a.example/#f",
      "https://a.example/ b",
      "https://u@a.example/", "https://a.example@b/", "https://a.example\\b", "https://é.example/",
      "://a",
      "https://:1/", "https:// /", "https://a:b/", "https://a:1:2/", "https://a:01/",
      "https://a:0/", "https://a:65536/", "https://a:4294967739/", "https://[]/", "https://[::1/",
      "https://[::1]a/", "https://a]/", "https://a[/", "https://[[::1]]/",
    ] {
      expectRefusal(.invalidRequest) { try HTTPMessage(method: "GET", url: url, fields: []) }
    }
    for url in ["https://a:/", "https://a:1", "https://[::1]?", "https://[::1]:65535/"] {
      #expect(throws: Never.self) { try HTTPMessage(method: "GET", url: url, fields: []) }
    }
    for authority in ["a.example?x=", "a.example/b", "a.example/", "a.example?"] {
      expectRefusal(.invalidRequest) {
        try HTTPMessage(
          method: "GET", scheme: "https", authority: authority, target: "/c", fields: [])
      }
    }
    for method in ["", "G T", "GET\n", "é"] {
      expectRefusal(.invalidRequest) {
        try HTTPMessage(method: method, url: "https://a.example/", fields: [])
      }
    }
    for status in [0, 99, 1000, -200] {
      expectRefusal(.invalidRequest) { try HTTPMessage(status: status, fields: []) }
    }
  }

  /// Source: RFC 9421, section 2.1.
  @Test("Lines of a field are trimmed, unfolded and joined")
  func fields() throws {
    let message = try HTTPMessage(
      method: "GET", url: "https://a.example/",
      fields: [
        ("A", " 1 \t"), ("b", ""), ("a", "2 \r\n\t 3"), ("A", "\n 4"), ("Priority", "u=1,  i"),
      ])
    #expect(try value(.field("A"), message) == "1, 2 3, 4")
    #expect(try value(.field("b"), message) == "")
    #expect(try value(.structuredField("priority"), message) == "u=1, i")
    #expect(try value(.field("priority", key: "u"), message) == "1")
  }

  @Test("Members of a field in a response and in its request have their own values")
  func membersOfBoth() throws {
    let request = try HTTPMessage(
      method: "GET", url: "https://a.example/", fields: [("A", "x=1, y=2")])
    let response = try HTTPMessage(status: 200, fields: [("A", "x=3, y=4")], to: request)
    typealias Component = MessageSignature.Component
    let (x, y) = (Component.field("a", key: "x"), Component.field("a", key: "y"))
    let key = SymmetricKey(data: [1])
    let now = MessageSignature.Time(unixSeconds: 0)
    let components = [x, x.ofRequest, y, y.ofRequest]
    let signed = try MessageSigner(key: .hmac(key), keyID: "k", covering: components)
      .sign(response, body: [], at: now)
    let verified = try MessageVerifier(requiring: components) { _ in .hmac(key) }
      .verify(signed, body: [], at: now)
    #expect(components.map { verified[$0] } == ["3", "1", "4", "2"])
  }

  /// Source: RFC 9421, section 2.2.8, and the WHATWG's URL standard, 5.1: `urllib.parse.parse_qsl`,
  /// then `quote`.
  @Test("A query parameter is decoded and encoded again")
  func queryParameters() throws {
    let message = try HTTPMessage(
      method: "GET", url: "https://a.example/?a=%7e*+%2B&%62=1&&=x&c&d=%zz%4&e=%FF", fields: [])
    for (name, expected) in [
      ("a", "%7E*%20%2B"), ("b", "1"), ("", "x"), ("c", ""), ("d", "%25zz%254"), ("e", "%EF%BF%BD"),
    ] {
      #expect(try value(.queryParameter(name), message) == expected)
    }
  }
}
