// SPDX-License-Identifier: Apache-2.0
// A path with its original encoding.

public import SecureHashing

extension SigV4 {
  /// The path of a request, in one of several encodings.
  ///
  /// | path | as sent | canonical, standard service | canonical, S3 family |
  /// |---|---|---|---|
  /// | `.encoded("/a%20b")` | unchanged; for S3, decoded and encoded once | `/a%2520b` | `/a%20b` |
  /// | `.raw("/a b")` | encoded once: `/a%20b` | `/a%2520b` | `/a%20b` |
  /// | `.key("a b")` | '/', then encoded once | not supported | `/a%20b` |
  /// | `.received("/a%20b")` | unchanged | `/a%2520b` | `/a%20b` |
  public struct Path: Hashable, Sendable {
    enum Kind: UInt8 {
      case encoded
      case raw
      case key
      case received
    }

    let kind: Kind

    /// The original path, encoded or plain, or "/" for an absent path (SigV4, step 1).
    private let given: [UInt8]

    private init(_ kind: Kind, _ given: [UInt8]) {
      self.kind = kind
      self.given = given.isEmpty ? [ASCIIByte.slash] : given
    }

    /// Returns a path that's already percent-encoded, as in a URL. An empty path means "/".
    ///
    /// - Throws: `invalidPath` if the path doesn't start with '/' or contains a character that
    ///   isn't allowed in a URL path (RFC 3986, 3.3), or `invalidPercentEncoding` if a '%' isn't
    ///   followed by two hexadecimal digits.
    public static func encoded(_ path: String) throws(SigningError) -> Path {
      let bytes = path.bytesInUTF8[...]
      try checkStart(bytes)
      try bytes.span.checkPath()
      return Path(.encoded, Array(bytes))
    }

    /// Returns an unencoded path, in UTF-8. An empty path means "/", and a '%' is a percent sign.
    ///
    /// - Throws: `invalidPath` if the path doesn't start with '/'.
    public static func raw(_ path: String) throws(SigningError) -> Path {
      try raw(bytes: path.bytesInUTF8)
    }

    /// Returns a path of unencoded bytes. An empty path means "/", and a '%' is a percent sign.
    ///
    /// - Throws: `invalidPath` if the path doesn't start with '/'.
    public static func raw(bytes: some Collection<UInt8>) throws(SigningError) -> Path {
      let bytes = Array(bytes)
      try checkStart(bytes[...])
      return Path(.raw, bytes)
    }

    /// Returns the path of an object key: any string, in UTF-8. Its bytes aren't changed, so it can
    /// start with '/', and contain '//' and segments such as '..'.
    ///
    /// - Throws: `invalidPath` if the key is empty, because the path would then name the bucket.
    public static func key(_ key: String) throws(SigningError) -> Path {
      try self.key(key.bytesInUTF8)
    }

    /// Returns the path of an object key: any bytes.
    ///
    /// - Throws: `invalidPath` if the key is empty, because the path would then name the bucket.
    public static func key(bytes: some Collection<UInt8>) throws(SigningError) -> Path {
      try key(Array(bytes))
    }

    package static func key(_ bytes: [UInt8]) throws(SigningError) -> Path {
      if bytes.isEmpty { throw emptyKey() }
      return Path(.key, bytes)
    }

    /// Returns a path as a server received it, with any bytes, for a signature to compare. Don't
    /// send it again: it may contain '?', '#' or bytes that aren't ASCII. A ``SigV4/Request``
    /// requires that it starts with '/'.
    @inlinable public static func received(_ path: some Collection<UInt8>) -> Path {
      Path(received: Array(path))
    }

    @usableFromInline init(received path: [UInt8]) { self.init(.received, path) }

    /// The path "/".
    public static var root: Path { Path(.raw, []) }

    /// Whether the path has `.` or `..` segments, encoded or not. HTTP stacks and proxies may
    /// collapse them in transit, which breaks the signature.
    public var hasDotSegments: Bool {
      let path = strict
      return path.span.hasDotSegment
    }

    package static func emptyKey() -> SigningError {
      SigningError(
        .invalidPath,
        "The object key is empty, so this request would target the whole bucket.",
        fix: #"Pass a key, or .raw("/") for the bucket."#)
    }

    private static func checkStart(_ path: ArraySlice<UInt8>) throws(SigningError) {
      if let first = path.first, first != ASCIIByte.slash { throw relativePath(Array(path)) }
    }

    static func relativePath(_ path: [UInt8]) -> SigningError {
      SigningError(
        .invalidPath,
        "The path starts with \(quoted: path.prefix(1)) instead of '/'.",
        fix: "Add a leading slash, or use .key for an object key.")
    }
  }
}

extension SigV4.Path {
  /// Rejects an object key for a service without objects.
  package func check(_ rule: SigV4.Service.PathRule) throws(SigV4.SigningError) {
    if kind == .key && (rule != .encodedOnce) {
      throw SigV4.SigningError(
        .objectKeyNotSupported,
        """
        An object key requires an S3 service. Other services encode paths twice or drop segments, \
        which changes the key.
        """,
        fix: "Use .s3, or pass the path as .raw or .encoded.")
    }
  }

  /// The path decoded and strictly encoded once, for services that encode paths once.
  package var strict: ArraySlice<UInt8> {
    switch kind {
    case .raw: URIEncoding.encode(given, as: .path)[...]
    case .key: ([ASCIIByte.slash] + URIEncoding.encode(given, as: .path))[...]
    case .encoded, .received: URIEncoding.encode(URIEncoding.decode(given[...]), as: .path)[...]
    }
  }

  /// Creates the path of a request, in its original encoding.
  init(of request: SigV4.Request) {
    let shape = request.message.shape
    switch request.pathKind {
    case .raw: self.init(.raw, URIEncoding.decode(request.bytes(shape.strictPath)[...]))
    case .key: self.init(.key, URIEncoding.decode(request.bytes(shape.strictPath).dropFirst()))
    case .encoded, .received: self.init(request.pathKind, request.bytes(shape.givenPath))
    }
  }

  /// The maximum size in a message, in bytes.
  var byteCountBound: Int { 4 * given.count + 1 }

  /// Writes the path into a message.
  ///
  /// - Throws: `invalidPath` for a received path, such as `*`, that would continue the host.
  func write(
    to shape: inout MessageShape, _ text: inout TextOutput, _ end: inout Int
  ) throws(SigV4.SigningError) {
    let path = given[...]
    switch kind {
    case .encoded, .received:
      try Self.checkStart(path)
      shape.readPath(received: path.span, plusMeaning: ASCIIByte.plus, &text, &end)
      shape.isPathAsReceived = kind == .received
    case .raw, .key:
      let start = end
      if kind == .key { text.append(ASCIIByte.slash, &end) }
      text.writeEncoded(path.span, as: .path, &end)
      shape.givenPath = start..<end
      shape.strictPath = shape.givenPath
    }
  }
}

extension SigV4.Path: Redacted {
  /// The size. An object's name may be secret.
  public var description: String { "Path(\(given.count) bytes)" }
}
