// SPDX-License-Identifier: Apache-2.0
// A request that can be signed: its parts are checked when it is made.

public import SecureHashing
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
    public var path: Path { storage.path.alone }

    /// The parameters of the query.
    public var query: Query { storage.query.alone }

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
      try Self.checkMethod(method)
      var fields = HeaderFields(behind: host, fieldCount: headers.count + 1)
      try fields.append(authority: host, fields.bytes.indices, scheme)
      try fields.append(headers, scheme)
      storage = Storage(method, scheme, path, query, headers, payload, consume fields)
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
      try Self.checkMethod(method)
      // Path and query stay parts of the URL, and the headers follow it.
      var fields = HeaderFields(behind: url, fieldCount: headers.count + 1)
      let parts = try URLParts(fields.bytes)
      try fields.append(authority: url, parts.authority, parts.scheme)
      try fields.append(headers, parts.scheme)
      let text = fields.bytes
      storage = Storage(
        method, parts.scheme, try .encoded(text, in: parts.path),
        try .encoded(text, in: parts.query, plus: plus), headers, payload, consume fields)
    }
  }
}

extension SigV4.Request: Redacted {
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
}

extension SigV4.HeaderFields {
  /// Adds the Host header of an authority, which is a part of the text before the headers.
  fileprivate mutating func append(
    authority text: String, _ part: Range<Int>, _ scheme: SigV4.Scheme
  ) throws(SigV4.SigningError) {
    #if !hasFeature(Embedded)  // where size counts
      // Safety: the bytes are copied before the closure ends.
      let isPlain = unsafe text.withBytesInUTF8 { text in
        let authority = unsafe text.part(part)
        let isPlain = unsafe EightBytes.isPlainHost(authority)
        if isPlain { unsafe appendHost(authority) }
        return isPlain
      }
      if isPlain { return }
    #endif
    appendHost(try SigV4.Host(authority: bytes[part], scheme: scheme).bytes)
  }

  /// Adds the headers of a request behind Host, which they may repeat.
  fileprivate mutating func append(
    _ headers: SigV4.Headers, _ scheme: SigV4.Scheme
  ) throws(SigV4.SigningError) {
    let hostName: StaticString = "host"
    var hasHost = false
    // Safety: the texts are copied before the closures end.
    for index in headers.fields.indices {
      unsafe headers.fields[index].name.withBytesInUTF8 { name in
        let isHost =
          unsafe name.count == hostName.utf8CodeUnitCount
          && ASCIIByte.equalIgnoringCase(name, hostName.bytesInUTF8)
        if isHost {
          hasHost = true
        } else {
          unsafe headers.fields[index].value.withBytesInUTF8 { unsafe append(name, $0) }
        }
      }
    }
    if hasHost || isUnusual {
      for header in headers.fields {
        try header.check()
        if header.isNamed("host") { try checkHost(header.value, scheme) }
      }
    }
  }

  /// Refuses a Host header that is not the one that will be sent, which is the first field.
  private func checkHost(_ value: String, _ scheme: SigV4.Scheme) throws(SigV4.SigningError) {
    let given = try SigV4.Host(authority: value.bytesInUTF8[...], scheme: scheme)
    let host = bytes[fields[0].value]
    if !host.elementsEqual(given.bytes) {
      throw SigV4.SigningError(
        .conflictingHeader,
        """
        the Host header \(quoted: given.bytes) differs from the host of the request, \
        \(quoted: host). Remove the header, or use its host in the URL. To connect to another \
        address than you sign for, sign that URL and change the address in the HTTP client
        """)
    }
  }
}

extension SigV4.Request {
  /// The parts, which all copies of a request share.
  final class Storage: Sendable {
    let method: String
    let scheme: SigV4.Scheme
    let path: SigV4.Path
    let query: SigV4.Query
    let headers: SigV4.Headers
    let payload: SigV4.Payload
    let canonicalHeaders: SigV4.CanonicalHeaders

    /// Where the value of the Host header stands in the bytes of the headers.
    let hostRange: Range<Int>

    /// The value of the Host header.
    var host: ArraySlice<UInt8> { canonicalHeaders.bytes[hostRange] }

    /// `fields` are all headers as they are signed, Host among them.
    init(
      _ method: String, _ scheme: SigV4.Scheme, _ path: SigV4.Path, _ query: SigV4.Query,
      _ headers: SigV4.Headers, _ payload: SigV4.Payload, _ fields: consuming SigV4.HeaderFields
    ) {
      var others = headers
      if fields.fields.count <= headers.count { others.removeHost() }
      self.headers = others
      self.method = method
      self.scheme = scheme
      self.path = path
      self.query = query
      self.payload = payload
      canonicalHeaders = SigV4.CanonicalHeaders(consume fields)
      hostRange = canonicalHeaders.line(named: "host")?.value ?? 0..<0
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
      // Safety: only positions of the text are read.
      let parts: URLParts? = unsafe url.withUnsafeBytes { unsafe URLParts($0) }
      guard let parts else {
        throw SigningError(
          .invalidURL,
          """
          \(Self.shown(url)) is not an absolute URL with the scheme https, http, wss or ws; write it \
          as https://host/path?query
          """)
      }
      self = parts
    }

    private init?(_ url: UnsafeRawBufferPointer) {
      // Safety: all positions are in the text.
      let start = unsafe url.firstPosition(of: ASCIIByte.colon, from: 0) &+ 3
      guard start <= url.count, unsafe url[start &- 2] == ASCIIByte.slash,
        unsafe url[start &- 1] == ASCIIByte.slash,
        let scheme = unsafe Scheme.named(url.part(0..<start &- 3))
      else { return nil }
      let (slash, mark, hash) = (ASCIIByte.slash, ASCIIByte.questionMark, ASCIIByte.hash)
      let pathStart = unsafe url.firstPosition(of: slash, mark, hash, from: start)
      let pathEnd = unsafe url.firstPosition(of: mark, mark, hash, from: pathStart)
      let hasQuery = unsafe pathEnd < url.count && url[pathEnd] == mark
      let end = unsafe hasQuery ? url.firstPosition(of: hash, from: pathEnd) : pathEnd
      self.scheme = scheme
      authority = start..<pathStart
      path = pathStart..<pathEnd
      query = Swift.min(pathEnd + 1, end)..<end
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
