// SPDX-License-Identifier: Apache-2.0
// A request to sign. Its parts are checked when it's created.

public import SecureHashing

extension SigV4 {
  /// A request to sign.
  ///
  ///     try SigV4.Request("GET", url: "https://example.com/a%20b?list-type=2")
  ///     try SigV4.Request("PUT", host: "example.com", path: .key("any text"), payload: .unsigned)
  public struct Request: Sendable {
    /// The method, host, header lines, path and query in the signed form.
    package let message: RequestMessage

    /// The headers to send, without Host.
    public let headers: Headers

    /// The body, or how it's signed.
    public let payload: Payload

    let pathKind: Path.Kind

    /// The method, as it's sent.
    public var method: String { text(message.shape.method) }

    /// The URL scheme.
    public var scheme: Scheme { message.shape.scheme }

    /// The `Host` header value: lowercase, with a port unless it's the scheme's default.
    public var host: String { text(message.shape.host) }

    /// The path, in its original encoding.
    public var path: Path { Path(of: self) }

    /// The query parameters.
    public var query: Query { Query(of: self) }

    /// Creates a request from its parts.
    ///
    /// - Parameters:
    ///   - method: An HTTP token, as it's sent. Methods are case-sensitive.
    ///   - scheme: The URL scheme, which isn't signed.
    ///   - host: The host, such as `example.com`, `example.com:8080` or `[::1]:9000`. The default
    ///     port is dropped.
    ///   - path: The encoded or unencoded path, or an object key.
    ///   - query: The parameters, in the order of the URL.
    ///   - headers: Names as HTTP tokens, and values in ASCII without control characters. A Host
    ///     header must match `host`.
    ///   - payload: The body, its hash, or `.unsigned`.
    /// - Throws: `invalidMethod`, `invalidHost`, `invalidHeaderName`, `invalidHeaderValue`,
    ///   `nonASCIIHeader`, `conflictingHeader`, or `invalidURL` if the request is too large.
    public init(
      _ method: String, scheme: Scheme = .https, host: String, path: Path = .root,
      query: Query = .empty, headers: Headers = [:], payload: Payload = .empty
    ) throws(SigningError) {
      var message = RequestMessage()
      try RequestReader.read(method, scheme, host: host, path, query, headers, into: &message)
      self.headers = headers.withoutHost(of: message)
      self.message = message
      self.payload = payload
      pathKind = path.kind
    }

    /// Creates a request from a URL whose path and query are already percent-encoded.
    ///
    /// User information and the fragment are never sent, so they're dropped. A '+' in the query
    /// means a space unless `plus` is `.literal`. Parameters in `query` are appended to the URL's
    /// query.
    ///
    /// - Throws: `invalidURL` if the string isn't an absolute URL, or the errors of the other
    ///   initializer, ``SigV4/Path/encoded(_:)`` and ``SigV4/Query/encoded(_:plus:)``.
    public init(
      _ method: String, url: String, query: Query = .empty, plus: Query.PlusSign = .space,
      headers: Headers = [:], payload: Payload = .empty
    ) throws(SigningError) {
      var message = RequestMessage()
      let url = query.isEmpty ? url : query.appended(to: url)
      try RequestReader.read(method, url: url, plus, headers, into: &message)
      self.headers = headers.withoutHost(of: message)
      self.message = message
      self.payload = payload
      pathKind = .encoded
    }

    /// Returns part of the message.
    func text(_ range: Range<Int>) -> String { bytes(range).textInUTF8 }

    func bytes(_ range: Range<Int>) -> [UInt8] { message.memory.bytes.span.extracting(range).array }
  }
}

extension SigV4.Request: Redacted {
  /// The method, scheme and host. The path, query and headers may contain secrets.
  public var description: String { method + " " + scheme.name + "://" + host }
}
