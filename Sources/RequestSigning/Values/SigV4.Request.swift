// SPDX-License-Identifier: Apache-2.0
// A request that can be signed: once it exists, its parts are fit for the corridor.

nonisolated extension SigV4 {
  /// A request to be signed.
  ///
  ///     try SigV4.Request("GET", url: "https://example.com/a%20b?list-type=2")
  ///     try SigV4.Request("PUT", host: "example.com", path: .key("any text"), payload: .unsigned)
  public struct Request: Sendable {
    let storage: Storage

    /// The method, as it will be sent.
    public var method: String { storage.method }

    /// The scheme of the URL.
    public var scheme: Scheme { storage.scheme }

    /// The value of the Host header: lowercase, with a port unless it is the default one.
    public var host: String { storage.host }

    /// The path, and how it was given.
    public var path: Path { storage.path }

    /// The parameters of the query.
    public var query: Query { storage.query }

    /// The header fields to be sent, without Host.
    public var headers: Headers { storage.headers }

    /// What is said of the body.
    public var payload: Payload { storage.payload }

    /// A request from its parts.
    ///
    /// - Parameters:
    ///   - method: a token of HTTP, as it will be sent: methods are case-sensitive.
    ///   - host: `example.com`, `example.com:8080`, `[::1]:9000`; the default port is dropped.
    ///   - headers: names as tokens of HTTP, values in ASCII without control characters. A Host
    ///     header has to agree with `host`.
    ///
    /// Throws `invalidMethod`, `invalidHost`, `invalidHeaderName`, `invalidHeaderValue`,
    /// `nonASCIIHeader` or `conflictingHeader`.
    public init(
      _ method: String, scheme: Scheme = .https, host: String, path: Path = .root,
      query: Query = .empty, headers: Headers = [:], payload: Payload = .empty
    ) throws(SigningError) {
      try Self.checkMethod(method)
      let host = try Host(authority: host.utf8, scheme: scheme).text
      storage = Storage(
        method: method, scheme: scheme, host: host, path: path, query: query,
        headers: try Self.checked(headers, host: host, scheme: scheme), payload: payload)
    }

    /// A request from a URL whose path and query are percent-encoded already.
    ///
    /// User information and fragment are dropped: they are never sent. A '+' in the query means a
    /// space unless `plus` says that it is literal.
    ///
    /// Throws `invalidURL` when the text is no absolute URL, and what the other initialiser,
    /// ``SigV4/Path/encoded(_:)`` and ``SigV4/Query/encoded(_:plus:)`` throw.
    public init(
      _ method: String, url: String, plus: Query.PlusSign = .space, headers: Headers = [:],
      payload: Payload = .empty
    ) throws(SigningError) {
      let parts = try URLParts(url)
      try self.init(
        method, scheme: parts.scheme, host: parts.authority, path: .encoded(parts.path),
        query: .encoded(parts.query, plus: plus), headers: headers, payload: payload)
    }
  }
}

nonisolated extension SigV4.Request: CustomStringConvertible {
  /// Method, scheme and host. Path, query and headers may hold secrets.
  public var description: String { method + " " + scheme.name + "://" + host }

  /// About how many bytes of it are signed.
  var byteCount: Int {
    path.encodedOnce.count &+ query.bytes.count &+ canonicalHeaders.bytes.count
  }

  static func checkMethod(_ method: String) throws(SigV4.SigningError) {
    if method.utf8.isEmpty || !method.utf8.allSatisfy(SigV4.ASCII.isTokenCharacter) {
      throw SigV4.SigningError(
        .invalidMethod,
        "\(SigV4.quoted(method)) is no method of HTTP, which is one word such as GET, PUT, POST, "
          + "HEAD or DELETE; give it exactly as it will be sent, since it is signed")
    }
  }

  /// The headers without Host, which has to be the one that will be sent.
  static func checked(
    _ headers: SigV4.Headers, host: String, scheme: SigV4.Scheme
  ) throws(SigV4.SigningError) -> SigV4.Headers {
    var others: [SigV4.Header] = []
    for header in headers {
      try header.check()
      if header.isNamed("host") {
        try checkHost(header.value, host, scheme)
      } else {
        others.append(header)
      }
    }
    return SigV4.Headers(others)
  }

  static func checkHost(
    _ value: String, _ host: String, _ scheme: SigV4.Scheme
  ) throws(SigV4.SigningError) {
    let given = try SigV4.Host(authority: value.utf8, scheme: scheme).text
    if !given.utf8.elementsEqual(host.utf8) {
      throw SigV4.SigningError(
        .conflictingHeader,
        "the Host header \(SigV4.quoted(given)) differs from the host of the request, "
          + "\(SigV4.quoted(host)); HTTP stacks send the latter, so the signature would not match. "
          + "Leave the header out, or give that host to the request")
    }
  }
}

nonisolated extension SigV4.Request {
  /// Host and headers as they are signed.
  var canonicalHeaders: SigV4.CanonicalHeaders { storage.canonicalHeaders }

  /// The parts, which all copies of a request share.
  final class Storage: Sendable {
    let method: String
    let scheme: SigV4.Scheme
    let host: String
    let path: SigV4.Path
    let query: SigV4.Query
    let headers: SigV4.Headers
    let payload: SigV4.Payload
    let canonicalHeaders: SigV4.CanonicalHeaders

    init(
      method: String, scheme: SigV4.Scheme, host: String, path: SigV4.Path, query: SigV4.Query,
      headers: SigV4.Headers, payload: SigV4.Payload
    ) {
      self.method = method
      self.scheme = scheme
      self.host = host
      self.path = path
      self.query = query
      self.headers = headers
      self.payload = payload
      canonicalHeaders = SigV4.CanonicalHeaders(host: host, headers)
    }
  }
}

nonisolated extension SigV4 {
  /// An absolute URL, taken apart (RFC 3986, 3).
  struct URLParts {
    let scheme: Scheme
    let authority: String
    let path: String
    let query: String

    init(_ url: String) throws(SigningError) {
      let bytes = Array(url.utf8)
      let schemeEnd = bytes.firstIndex(of: ASCII.colon) ?? bytes.endIndex
      let rest = bytes[schemeEnd...]
      guard rest.starts(with: "://".utf8), let scheme = Scheme.named(bytes[..<schemeEnd]) else {
        throw SigningError(
          .invalidURL,
          "\(Self.shown(bytes)) is no absolute URL with the scheme https, http, wss or ws; write "
            + "it as https://host/path?query")
      }
      let hierarchy = rest.dropFirst(3).prefix { $0 != 0x23 }
      let authority = hierarchy.prefix { $0 != ASCII.slash && $0 != ASCII.questionMark }
      let target = hierarchy[authority.endIndex...]
      let path = target.prefix { $0 != ASCII.questionMark }
      self.scheme = scheme
      self.authority = String(decoding: authority, as: UTF8.self)
      self.path = String(decoding: path, as: UTF8.self)
      self.query = String(decoding: target[path.endIndex...].dropFirst(), as: UTF8.self)
    }

    /// A URL without its query, which may hold a signature, and without user and password.
    static func shown(_ url: [UInt8]) -> String {
      let withoutQuery = url.prefix { $0 != ASCII.questionMark }
      guard let at = withoutQuery.lastIndex(of: ASCII.at) else { return quoted(withoutQuery) }
      return "what ends in \(quoted(withoutQuery[at...]))"
    }
  }
}
