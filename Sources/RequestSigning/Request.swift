// SPDX-License-Identifier: Apache-2.0
// A request that can be signed: its parts are checked when it is made.

internal import SigningSupport

extension SigV4 {
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
    public var host: String { storage.host.textInUTF8 }

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
    ///   - scheme: what the URL begins with; it is not signed.
    ///   - host: `example.com`, `example.com:8080`, `[::1]:9000`; the default port is dropped.
    ///   - path: as it is encoded already, as text, or as the key of an object.
    ///   - query: the parameters in the order of the URL.
    ///   - headers: names as tokens of HTTP, values in ASCII without control characters. A Host
    ///     header has to agree with `host`.
    ///   - payload: the body, its digest, or that it stays unsigned.
    ///
    /// Throws `invalidMethod`, `invalidHost`, `invalidHeaderName`, `invalidHeaderValue`,
    /// `nonASCIIHeader` or `conflictingHeader`.
    public init(
      _ method: String, scheme: Scheme = .https, host: String, path: Path = .root,
      query: Query = .empty, headers: Headers = [:], payload: Payload = .empty
    ) throws(SigningError) {
      try self.init(
        method, scheme: scheme, authority: host.bytesInUTF8[...], path: path, query: query,
        headers: headers, payload: payload)
    }

    /// A request from a URL whose path and query are percent-encoded already.
    ///
    /// User information and fragment are dropped: they are never sent. A '+' in the query means a
    /// space unless `plus` says that it is literal.
    ///
    /// Throws `invalidURL` when the text is not an absolute URL, and what the other initialiser,
    /// ``SigV4/Path/encoded(_:)`` and ``SigV4/Query/encoded(_:plus:)`` throw.
    public init(
      _ method: String, url: String, plus: Query.PlusSign = .space, headers: Headers = [:],
      payload: Payload = .empty
    ) throws(SigningError) {
      let bytes = url.bytesInUTF8
      let parts = try URLParts(bytes)
      try self.init(
        method, scheme: parts.scheme, authority: bytes[parts.authority],
        path: .encoded(bytes[parts.path]), query: .encoded(bytes[parts.query], plus: plus),
        headers: headers, payload: payload)
    }

    private init(
      _ method: String, scheme: Scheme, authority: ArraySlice<UInt8>, path: Path, query: Query,
      headers: Headers, payload: Payload
    ) throws(SigningError) {
      try Self.checkMethod(method)
      let host = try Host(authority: authority, scheme: scheme)
      let fields = try Self.checked(headers, host, scheme)
      let hasHost = fields.fields.count <= headers.count
      let others = hasHost ? Headers(headers.filter { !$0.isNamed("host") }) : headers
      storage = Storage(
        method: method, scheme: scheme, host: host.bytes, path: path, query: query,
        headers: others, payload: payload, canonicalHeaders: CanonicalHeaders(fields))
    }
  }
}

extension SigV4.Request: CustomStringConvertible {
  /// Method, scheme and host. Path, query and headers may hold secrets.
  public var description: String { method + " " + scheme.name + "://" + host }

  static func checkMethod(_ method: String) throws(SigV4.SigningError) {
    // Safety: the bytes are read only.
    if unsafe !method.withBytesInUTF8(ASCIIByte.isToken) {
      throw SigV4.SigningError(
        .invalidMethod,
        """
        \(quoted: method) is not a valid method of HTTP, which is one word such as GET, PUT, POST, HEAD or \
        DELETE; give it exactly as it will be sent, since it is signed
        """)
    }
  }

  /// All headers as they are signed. Host has to be the one that will be sent.
  static func checked(
    _ headers: SigV4.Headers, _ host: SigV4.Host, _ scheme: SigV4.Scheme
  ) throws(SigV4.SigningError) -> SigV4.HeaderFields {
    let hostName: StaticString = "host"
    var fields = SigV4.HeaderFields()
    // Mostly enough.
    fields.reserve(
      fieldCount: headers.count + 1, byteCount: host.bytes.count + 64 * headers.count)
    fields.appendHost(host.bytes)
    var hasHost = false
    // Safety: the texts are copied before the closures end.
    for header in headers.fields {
      unsafe header.name.withBytesInUTF8 { name in
        let isHost =
          unsafe name.count == hostName.utf8CodeUnitCount
          && ASCIIByte.equalIgnoringCase(name, hostName.bytesInUTF8)
        if isHost {
          hasHost = true
        } else {
          unsafe header.value.withBytesInUTF8 { value in unsafe fields.append(name, value) }
        }
      }
    }
    if hasHost || fields.isUnusual {
      for header in headers.fields {
        try header.check()
        if header.isNamed("host") { try checkHost(header.value, host, scheme) }
      }
    }
    return fields
  }

  static func checkHost(
    _ value: String, _ host: SigV4.Host, _ scheme: SigV4.Scheme
  ) throws(SigV4.SigningError) {
    let given = try SigV4.Host(authority: value.bytesInUTF8[...], scheme: scheme)
    if given.bytes != host.bytes {
      throw SigV4.SigningError(
        .conflictingHeader,
        """
        the Host header \(quoted: given.bytes) differs from the host of the request, \
        \(quoted: host.bytes); HTTP stacks send the latter, so the signature would not match. \
        Leave the header out, or give that host to the request
        """)
    }
  }
}

extension SigV4.Request {
  /// The parts, which all copies of a request share.
  final class Storage: Sendable {
    let method: String
    let scheme: SigV4.Scheme
    let host: [UInt8]
    let path: SigV4.Path
    let query: SigV4.Query
    let headers: SigV4.Headers
    let payload: SigV4.Payload
    let canonicalHeaders: SigV4.CanonicalHeaders

    init(
      method: String, scheme: SigV4.Scheme, host: [UInt8], path: SigV4.Path, query: SigV4.Query,
      headers: SigV4.Headers, payload: SigV4.Payload, canonicalHeaders: SigV4.CanonicalHeaders
    ) {
      self.method = method
      self.scheme = scheme
      self.host = host
      self.path = path
      self.query = query
      self.headers = headers
      self.payload = payload
      self.canonicalHeaders = canonicalHeaders
    }
  }
}

extension SigV4 {
  /// Where the parts of an absolute URL stand (RFC 3986, 3).
  struct URLParts {
    let scheme: Scheme
    let authority: Range<Int>
    let path: Range<Int>
    let query: Range<Int>

    init(_ url: [UInt8]) throws(SigningError) {
      let schemeEnd = url.firstPosition(of: ASCIIByte.colon, in: url.indices)
      guard url[schemeEnd...].prefix(3).spells("://"),
        let scheme = Scheme.named(url[..<schemeEnd])
      else {
        throw SigningError(
          .invalidURL,
          """
          \(Self.shown(url)) is not an absolute URL with the scheme https, http, wss or ws; write it \
          as https://host/path?query
          """)
      }
      let start = schemeEnd &+ 3
      let end = url.firstPosition(of: 0x23, in: start..<url.count)
      let queryMark = url.firstPosition(of: ASCIIByte.questionMark, in: start..<end)
      let pathStart = url.firstPosition(of: ASCIIByte.slash, in: start..<queryMark)
      self.scheme = scheme
      authority = start..<pathStart
      path = pathStart..<queryMark
      query = Swift.min(queryMark &+ 1, end)..<end
    }

    /// A URL without its query, which may hold a signature, and without user and password.
    static func shown(_ url: [UInt8]) -> UTF8Text {
      let withoutQuery = url[..<(url.firstIndex(of: ASCIIByte.questionMark) ?? url.endIndex)]
      guard let at = withoutQuery.lastIndex(of: ASCIIByte.at) else {
        return "\(quoted: withoutQuery)"
      }
      return "what ends in \(quoted: withoutQuery[at...])"
    }
  }
}
