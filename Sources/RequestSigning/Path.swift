// SPDX-License-Identifier: Apache-2.0
// A path as it was given, with what is known of its encoding.

internal import SigningSupport

extension SigV4 {
  /// The path of a request, and how it was given.
  ///
  /// | given as | on the wire | canonical, standard service | canonical, S3 family |
  /// |---|---|---|---|
  /// | `.encoded("/a%20b")` | as given; for S3 decoded and encoded once | `/a%2520b` | `/a%20b` |
  /// | `.raw("/a b")` | encoded once: `/a%20b` | `/a%2520b` | `/a%20b` |
  /// | `.key("a b")` | '/', then encoded once | refused | `/a%20b` |
  /// | `.received("/a%20b")` | as given | `/a%2520b` | `/a%20b` |
  public struct Path: Hashable, Sendable {
    enum Kind: UInt8 {
      case encoded
      case raw
      case key
      case received
    }

    let kind: Kind

    /// The path as it was given.
    let bytes: [UInt8]

    /// The path decoded and strictly encoded once: sent to all other services, and signed.
    let encodedOnce: [UInt8]

    /// The path in the request line of a service that encodes it twice: as it was given, or encoded once.
    var wire: [UInt8] {
      let isEncoded = kind == .encoded || kind == .received
      return isEncoded && !bytes.isEmpty ? bytes : encodedOnce
    }

    /// A path that is percent-encoded already, as it stands in a URL; empty means "/".
    ///
    /// Throws `invalidPath` when it does not begin with '/' or has a character that no path of a
    /// URL has (RFC 3986, 3.3), and `invalidPercentEncoding` when a '%' lacks its two digits.
    public static func encoded(_ path: String) throws(SigningError) -> Path {
      try encoded(path.bytesInUTF8[...])
    }

    static func encoded(_ part: ArraySlice<UInt8>) throws(SigningError) -> Path {
      var bytes: [UInt8] = []
      bytes.append(contentsOf: part)
      try checkStart(bytes)
      #if !hasFeature(Embedded)  // where size counts
        if !bytes.isEmpty && URIEncoding.isStrictPath(bytes) {
          return Path(.encoded, strict: bytes)
        }
      #endif
      try URIEncoding.check(bytes[...], of: "path")
      let illegal = bytes.firstIndex { !ASCIIByte.isPathCharacter($0) && $0 != ASCIIByte.percent }
      if let illegal {
        throw SigningError(
          .invalidPath,
          """
          the encoded path \(quoted: bytes) has \(quoted: [bytes[illegal]]) at offset \(illegal), \
          which cannot stand in a URL unencoded, so what is sent would differ from what is \
          signed; percent-encode it, or give the unencoded path as .raw, with the host
          """)
      }
      return Path(kind: .encoded, bytes: bytes)
    }

    /// A path of plain text, in UTF-8; empty means "/". A '%' in it means a percent sign.
    ///
    /// Throws `invalidPath` when it does not begin with '/'.
    public static func raw(_ path: String) throws(SigningError) -> Path {
      try raw(bytes: path.bytesInUTF8)
    }

    /// A path of plain bytes; empty means "/". A '%' in it means a percent sign.
    ///
    /// Throws `invalidPath` when it does not begin with '/'.
    public static func raw(bytes: some Collection<UInt8>) throws(SigningError) -> Path {
      let bytes = Array(bytes)
      try checkStart(bytes)
      return Path(kind: .raw, bytes: bytes)
    }

    /// The key of an object: any text, in UTF-8. It is kept byte for byte, so it may begin with
    /// '/', hold '//' and segments such as '..'.
    ///
    /// Throws `invalidPath` when it is empty, since that would name the bucket.
    public static func key(_ key: String) throws(SigningError) -> Path {
      try self.key(bytes: key.bytesInUTF8)
    }

    /// The key of an object: any bytes.
    ///
    /// Throws `invalidPath` when it is empty, since that would name the bucket.
    public static func key(bytes: some Collection<UInt8>) throws(SigningError) -> Path {
      if bytes.isEmpty {
        throw emptyKey()
      }
      return Path(kind: .key, bytes: Array(bytes))
    }

    /// A path as a server received it, whatever its bytes. It is never sent again.
    @inlinable public static func received(_ path: some Collection<UInt8>) -> Path {
      received(bytes: Array(path))
    }

    @usableFromInline package static func received(bytes: [UInt8]) -> Path {
      #if !hasFeature(Embedded)  // where size counts
        if !bytes.isEmpty && URIEncoding.isStrictPath(bytes) {
          return Path(.received, strict: bytes)
        }
      #endif
      return Path(kind: .received, bytes: bytes)
    }

    /// Whether the path has segments `.` or `..`, encoded or not. HTTP stacks and proxies are known
    /// to collapse them on the way, and then the signature does not match.
    public var hasDotSegments: Bool {
      let isEncoded = kind == .encoded || kind == .received
      let decoded = isEncoded ? URIEncoding.decode(bytes[...]) : bytes
      return decoded.split(separator: ASCIIByte.slash).contains {
        $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8)
      }
    }

    /// A path that is in strict form already.
    private init(_ kind: Kind, strict bytes: [UInt8]) {
      self.kind = kind
      self.bytes = bytes
      encodedOnce = bytes
    }

    /// Whether no segment is empty, but for the last, or begins with a dot, unless that is encoded.
    package var isNormal: Bool { Self.isNormal(wire) }

    init(kind: Kind, bytes: [UInt8]) {
      self.kind = kind
      self.bytes = bytes
      // SigV4, step 1: an absent path is "/".
      let given = bytes.isEmpty ? [ASCIIByte.slash] : bytes
      var text: [UInt8] = []
      text.append(upTo: 3 * given.count + 1) {
        switch kind {
        case .encoded, .received: URIEncoding.append(reencoding: given[...], as: .path, to: &$0)
        case .raw: URIEncoding.append(given, as: .path, to: &$0)
        case .key:
          $0.append(byte: ASCIIByte.slash)
          URIEncoding.append(given, as: .path, to: &$0)
        }
      }
      encodedOnce = text
    }

    /// The path "/".
    public static var root: Path { Path(.raw, strict: [ASCIIByte.slash]) }

    package static func emptyKey() -> SigningError {
      SigningError(
        .invalidPath,
        """
        the object key is empty, and a request without a key is one to the bucket itself: a DELETE \
        would delete the bucket; give a key, or say .raw("/") when you mean the bucket
        """)
    }

    static func checkStart(_ bytes: [UInt8]) throws(SigningError) {
      if let first = bytes.first, first != ASCIIByte.slash {
        throw SigningError(
          .invalidPath,
          """
          the path \(quoted: bytes) does not begin with '/', so it is not a valid path of a request; put a \
          '/' before it, or use .key for the key of an object
          """)
      }
    }
  }
}

extension SigV4.Path {
  /// Refuses the key of an object where there are no objects.
  package func check(_ rule: SigV4.Service.PathRule) throws(SigV4.SigningError) {
    if kind == .key && (rule != .encodedOnce) {
      throw SigV4.SigningError(
        .keyOutsideObjectStorage,
        """
        the path was given as an object key, \(quoted: bytes), but the service has no objects: it \
        encodes paths twice or drops segments of them, which would change the key; use the service \
        .s3, or give the path as .raw or .encoded
        """)
    }
  }

  /// The path in the request line. Services that encode once decode and encode it again, so only the
  /// strict form is right for them.
  package func wire(_ rule: SigV4.Service.PathRule) -> [UInt8] {
    rule.encodesTwice || kind == .received ? wire : encodedOnce
  }

  /// SigV4, step 1: CanonicalURI.
  func appendCanonical(
    _ rule: SigV4.Service.PathRule, to text: inout OutputSpan<UInt8>
  ) {
    switch rule {
    case .encodedOnce: text.append(bytes: encodedOnce)
    case .encodedTwice: URIEncoding.append(wire, as: .path, to: &text)
    case .normalizedAndEncodedTwice:
      URIEncoding.append(Self.normalized(wire), as: .path, to: &text)
    case .normalizedAndEncodedOnce:
      let path = Self.normalized(wire(rule))
      URIEncoding.append(reencoding: path[...], as: .path, to: &text)
    }
  }

  /// How many bytes the canonical form takes at most: normalised, with a slash before it, and encoded.
  var canonicalCapacity: Int { 3 * (wire.count + 1) + encodedOnce.count }

  /// RFC 3986, 5.2.4, and empty segments dropped; encoded dots are not dots.
  package static func normalized(_ path: [UInt8]) -> [UInt8] {
    if isNormal(path) { return path }
    var bytes: [UInt8] = []
    var rest = path[...]
    while !rest.isEmpty {
      let segment = rest[..<(rest.firstIndex(of: ASCIIByte.slash) ?? rest.endIndex)]
      rest = rest[segment.endIndex...].dropFirst()
      if segment.spells("..") {
        while let last = bytes.popLast(), last != ASCIIByte.slash {}
      } else if !segment.spells(".") && !segment.isEmpty {
        bytes.append(ASCIIByte.slash)
        bytes.append(contentsOf: segment)
      }
    }
    if path.last == ASCIIByte.slash || bytes.isEmpty { bytes.append(ASCIIByte.slash) }
    return bytes
  }

  /// Whether a path begins with '/' and no segment of it is empty or begins with a dot.
  private static func isNormal(_ path: [UInt8]) -> Bool {
    var isAfterSlash = false
    for byte in path {
      if isAfterSlash && (byte == ASCIIByte.slash || byte == ASCIIByte.dot) { return false }
      isAfterSlash = byte == ASCIIByte.slash
    }
    return path.first == ASCIIByte.slash
  }
}
