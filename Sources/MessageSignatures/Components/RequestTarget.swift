// SPDX-License-Identifier: Apache-2.0
// The target of a request in its parts (RFC 9110, section 7.1; RFC 9112, section 3.2), as sent.

/// Where a request goes: its target URI, the parts of that, and the target of its request line.
struct RequestTarget: Sendable {
  /// In lowercase.
  let scheme: [UInt8]
  /// The host in lowercase, and the port unless it's the scheme's (RFC 9110, section 4.2.3).
  let authority: [UInt8]
  /// Not decoded, and not empty.
  let path: [UInt8]
  /// Not decoded. Nil without a question mark.
  let query: [UInt8]?
  let uri: [UInt8]
  /// As in the request line of HTTP/1.1.
  let requestTarget: [UInt8]

  /// Of an absolute URL.
  init(url: [UInt8], of method: [UInt8]) throws(MessageSignatureError) {
    if method.isEmpty || !method.allSatisfy(FieldByte.isTokenCharacter) {
      throw .invalidRequest("The method isn't a token.")
    }
    guard let url = SplitURL(url) else {
      throw .invalidRequest(
        "The URL isn't absolute and encoded, or has a fragment, or an invalid host or port.")
    }
    let isServerWide = url.path.isEmpty && url.query == nil && method.isSpelled("OPTIONS")
    let question = url.query.map { [UInt8(ascii: "?")] + $0 } ?? []
    scheme = url.scheme
    authority = url.normalizedAuthority
    path = url.path.isEmpty ? [UInt8(ascii: "/")] : url.path
    query = url.query
    uri = url.origin + (isServerWide ? [] : path + question)
    if method.isSpelled("CONNECT") {
      requestTarget = url.authority
    } else {
      requestTarget = isServerWide ? [UInt8(ascii: "*")] : path + question
    }
  }

  /// Of a server's origin, such as `https://example.com`, and the target of a request line.
  init(origin: [UInt8], target: [UInt8], of method: [UInt8]) throws(MessageSignatureError) {
    let server = try RequestTarget(url: origin, of: method)
    // Otherwise, the target could become a part of a query that the authority begins.
    if SplitURL(origin)?.origin != origin {
      throw .invalidRequest("The authority isn't a host, possibly with a port.")
    }
    if target.first == UInt8(ascii: "/") {
      self = try RequestTarget(url: origin + target, of: method)
    } else if target.isSpelled("*") && method.isSpelled("OPTIONS") {
      self = server
    } else if method.isSpelled("CONNECT") {
      self = try RequestTarget(url: server.scheme + Array("://".utf8) + target, of: method)
    } else {
      let absolute = try RequestTarget(url: target, of: method)
      if absolute.scheme != server.scheme || absolute.authority != server.authority {
        throw .invalidRequest("The target of the request line is on another server.")
      }
      self.init(absolute, requestTarget: target)
    }
  }

  private init(_ other: RequestTarget, requestTarget: [UInt8]) {
    scheme = other.scheme
    authority = other.authority
    path = other.path
    query = other.query
    uri = other.uri
    self.requestTarget = requestTarget
  }
}

/// An absolute URL without user information and fragment, split and not changed.
private struct SplitURL {
  /// The scheme and the authority, with `://`.
  let origin: [UInt8]
  let scheme: [UInt8]
  let authority: [UInt8]
  let path: [UInt8]
  let query: [UInt8]?

  init?(_ url: [UInt8]) {
    guard let colon = url.firstIndex(of: UInt8(ascii: ":")), url[colon...].starts(with: "://".utf8),
      url.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
    else { return nil }
    let start = colon + 3
    let end = url[start...].firstIndex { "/?\\@".utf8.contains($0) } ?? url.endIndex
    let pathEnd = url[end...].firstIndex(of: UInt8(ascii: "?")) ?? url.endIndex
    scheme = url[..<colon].map(FieldByte.lowercase)
    authority = Array(url[start..<end])
    origin = Array(url[..<end])
    path = Array(url[end..<pathEnd])
    query = pathEnd == url.endIndex ? nil : Array(url[(pathEnd + 1)...])
    let isScheme = scheme.allSatisfy { FieldByte.isLetter($0) || FieldByte.isDigit($0) }
    if scheme.isEmpty || !isScheme || !Self.isAuthority(authority) { return nil }
    if let first = path.first, first != UInt8(ascii: "/") { return nil }
  }

  /// Whether this is a host or `[address]`, and possibly a colon and a port (RFC 3986, section
  /// 3.2): 1 to 65,535 without leading zeros, so that it has one spelling, or no digits.
  private static func isAuthority(_ text: [UInt8]) -> Bool {
    let (open, close, colon) = (UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ":"))
    let isAddress = text.first == open
    let host = text.dropFirst(isAddress ? 1 : 0).prefix { $0 != (isAddress ? close : colon) }
    var port = text[host.endIndex...]
    if isAddress && port.popFirst() != close { return false }
    if host.isEmpty || host.contains(open) || host.contains(close) { return false }
    guard let separator = port.popFirst() else { return true }
    if separator != colon || port.count > 5 || !port.allSatisfy(FieldByte.isDigit) { return false }
    let number = port.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    return port.first != UInt8(ascii: "0") && number <= 65_535
  }

  var normalizedAuthority: [UInt8] {
    let lowercase = authority.map(FieldByte.lowercase)
    let ownPort = scheme.isSpelled("https") ? ":443" : scheme.isSpelled("http") ? ":80" : ":"
    for port in [ownPort, ":"] where lowercase.suffix(port.utf8.count).isSpelled(port) {
      return lowercase.dropLast(port.utf8.count)
    }
    return lowercase
  }
}
