// SPDX-License-Identifier: Apache-2.0
// A request that can be signed: its parts are checked when it is made.

package import SigningSupport
public import SecureHashing

extension SigV4 {
  /// A request to be signed.
  ///
  ///     try SigV4.Request("GET", url: "https://example.com/a%20b?list-type=2")
  ///     try SigV4.Request("PUT", host: "example.com", path: .key("any text"), payload: .unsigned)
  public struct Request: Sendable {
    /// Method, host, header lines, path and query in the shape that is signed.
    package let message: RequestMessage

    /// The header fields to be sent, without Host.
    public let headers: Headers

    /// What is said of the body.
    public let payload: Payload

    let pathKind: Path.Kind

    /// The method, as it will be sent.
    public var method: String { text(message.shape.method) }

    /// The scheme of the URL.
    public var scheme: Scheme { Scheme(message.shape.scheme) }

    /// The value of the Host header: lowercase, with a port unless it is the default one.
    public var host: String { text(message.shape.host) }

    /// The path, and how it was given.
    public var path: Path { Path(of: self) }

    /// The parameters of the query.
    public var query: Query { Query(of: self) }

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
      let reader = RequestReader(method, headers)
      message = try reader.message(scheme, host: host, path, query)
      self.headers = headers.withoutHost(of: message)
      self.payload = payload
      pathKind = path.kind
    }

    /// A request from a URL whose path and query are percent-encoded already.
    ///
    /// User information and fragment are dropped: they are never sent. A '+' in the query means a
    /// space unless `plus` says that it is literal. Parameters in `query` are appended to the query of the URL.
    ///
    /// Throws `invalidURL` when the text is not an absolute URL, and what the other initialiser,
    /// ``SigV4/Path/encoded(_:)`` and ``SigV4/Query/encoded(_:plus:)`` throw.
    public init(
      _ method: String, url: String, query: Query = .empty, plus: Query.PlusSign = .space,
      headers: Headers = [:], payload: Payload = .empty
    ) throws(SigningError) {
      let reader = RequestReader(method, headers)
      message = try reader.message(url: query.appended(to: url), plus)
      self.headers = headers.withoutHost(of: message)
      self.payload = payload
      pathKind = .encoded
    }

    /// A part of the message.
    func text(_ range: Range<Int>) -> String { bytes(range).textInUTF8 }

    func bytes(_ range: Range<Int>) -> [UInt8] { message.memory.bytes.span.extracting(range).array }
  }
}

extension SigV4.Request: Redacted {
  /// Method, scheme and host. Path, query and headers may hold secrets.
  public var description: String { method + " " + scheme.name + "://" + host }
}
