// SPDX-License-Identifier: Apache-2.0
// Requests and responses of HTTP/1.1 as bytes (RFC 9112), so that exactly the signed bytes are
// sent.

internal import RequestSigning
import Testing

/// A request, byte for byte.
struct WireRequest {
  private(set) var bytes: [UInt8]

  /// Path and query.
  let target: String

  /// A request that is signed in its headers.
  init(_ request: SigV4.Request, _ signed: SigV4.SignedRequest, body: [UInt8]) {
    self.init(
      signed.method, signed.target, host: signed.host, request.headers + signed.addedHeaders,
      body: body)
  }

  /// A request of a presigned URL.
  init(_ url: SigV4.PresignedURL, body: [UInt8]) {
    self.init(url.method, url.target, host: url.host, url.requiredHeaders, body: body)
  }

  private init(
    _ method: String, _ target: String, host: String, _ headers: SigV4.Headers, body: [UInt8]
  ) {
    var head = "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n"
    for header in headers { head += "\(header.name): \(header.value)\r\n" }
    if headers.values(named: "content-length").isEmpty && (method == "PUT" || method == "POST") {
      head += "Content-Length: \(body.count)\r\n"
    }
    bytes = Array((head + "\r\n").utf8) + body
    self.target = target
  }

  /// The same request with one changed character, at this offset from a string that the request
  /// must contain.
  func flipped(
    after mark: String, occurrence: Int = 1, offset: Int = 0
  ) throws -> WireRequest {
    let places = places(of: Array(mark.utf8), in: bytes)
    try #require(places.count >= occurrence, "\(mark) is missing")
    let place = places[occurrence - 1] + mark.utf8.count + offset
    try #require(place < bytes.count)
    var copy = self
    copy.bytes[place] = Self.other(bytes[place])
    return copy
  }

  /// The same request with one character changed, counted from its end.
  func flipped(fromEnd offset: Int) throws -> WireRequest {
    try #require(offset < bytes.count)
    var copy = self
    copy.bytes[bytes.count - 1 - offset] = Self.other(bytes[bytes.count - 1 - offset])
    return copy
  }

  /// The same request with another method.
  func replacing(_ method: String, with other: String) throws -> WireRequest {
    try #require(bytes.starts(with: method.utf8))
    var copy = self
    copy.bytes.replaceSubrange(..<method.utf8.count, with: other.utf8)
    return copy
  }

  /// The same request with one of its strings replaced.
  func replacing(text: String, with other: String) throws -> WireRequest {
    let end = try #require(places(of: Array(text.utf8), in: bytes).first, "\(text) is missing")
    var copy = self
    copy.bytes.replaceSubrange(end..<end + text.utf8.count, with: other.utf8)
    return copy
  }

  /// Another digit for a digit, another uppercase letter for one, and another letter for the rest.
  private static func other(_ byte: UInt8) -> UInt8 {
    switch byte {
    case 0x30: 0x31
    case 0x31...0x39: 0x30
    case 0x41: 0x42
    case 0x42...0x5A: 0x41
    case 0x61: 0x62
    default: 0x61
    }
  }
}

/// The server's response.
struct WireAnswer {
  let status: Int
  let headers: SigV4.Headers
  let body: [UInt8]

  init(_ bytes: [UInt8]) throws {
    let end = try #require(
      places(of: Array("\r\n\r\n".utf8), in: bytes).first, "no answer of HTTP")
    let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
    status = try #require(lines.first.flatMap { Int($0.dropFirst(9).prefix(3)) })
    headers = SigV4.Headers(
      lines.dropFirst().map { line in
        let name = line.prefix { $0 != ":" }
        return (String(name), String(line.dropFirst(name.count + 1).drop { $0 == " " }))
      })
    body = Array(bytes[(end + 4)...])
  }

  /// The value of the only header of a name.
  func header(_ name: String) -> String? { headers.values(named: name).first }

  var text: String { String(decoding: body, as: UTF8.self) }

  /// The name of an error, such as SignatureDoesNotMatch; nil without one.
  var code: String? { texts(of: "Code").first }

  /// The texts of all elements of a name in an XML document, decoded, by their bytes: as text, keys
  /// that differ in the form of Unicode only would be equal.
  func texts(of element: String) -> [String] {
    let mark = Array("<\(element)>".utf8)
    return places(of: mark, in: body).map { place in
      var text = String(
        decoding: body[(place + mark.count)...].prefix { $0 != 0x3C }, as: UTF8.self)
      for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")] {
        text.replace(entity, with: character)
      }
      return text
    }
  }
}

/// Where the bytes of a mark begin.
private func places(of mark: [UInt8], in bytes: [UInt8]) -> [Int] {
  bytes.indices.filter { bytes[$0] == mark[0] && bytes[$0...].starts(with: mark) }
}
