// SPDX-License-Identifier: Apache-2.0
// A path as it was given, with what is known of its encoding.

public import SecureHashing
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

    /// The path as it was given, and in strict form; or a longer text that both are parts of.
    let text: [UInt8]

    /// Where the path stands as it was given.
    private let given: Range<Int>

    /// Where the path stands decoded and strictly encoded once: sent to all other services, and signed.
    private let strict: Range<Int>

    /// A path that is percent-encoded already, as it stands in a URL; empty means "/".
    ///
    /// Throws `invalidPath` when it does not begin with '/' or has a character that no path of a
    /// URL has (RFC 3986, 3.3), and `invalidPercentEncoding` when a '%' lacks its two digits.
    public static func encoded(_ path: String) throws(SigningError) -> Path {
      let bytes = path.bytesInUTF8
      return try encoded(bytes, in: bytes.indices)
    }

    /// A path that is percent-encoded already, in a part of a text.
    static func encoded(
      _ text: [UInt8], in range: Range<Int>
    ) throws(SigningError) -> Path {
      #if !hasFeature(Embedded)  // where size counts
        if let path = Path(.encoded, strict: text, in: range) { return path }
      #endif
      let bytes = text[range]
      try checkStart(bytes)
      try URIEncoding.check(bytes, of: "path")
      let illegal = bytes.firstIndex { !ASCIIByte.isPathCharacter($0) && $0 != ASCIIByte.percent }
      if let illegal {
        throw SigningError(
          .invalidPath,
          """
          the encoded path \(quoted: bytes) has \(quoted: [bytes[illegal]]) at offset \
          \(illegal - bytes.startIndex), which cannot stand in a URL unencoded, so what is sent would differ from what \
          is signed; percent-encode it, or give the unencoded path as .raw, with the host
          """)
      }
      return Path(.encoded, bytes)
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
      let bytes = Array(bytes)[...]
      try checkStart(bytes)
      return Path(.raw, bytes)
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
      return Path(.key, Array(bytes)[...])
    }

    /// A path as a server received it, whatever its bytes. It is never sent again.
    @inlinable public static func received(_ path: some Collection<UInt8>) -> Path {
      let bytes = Array(path)
      return received(bytes, in: bytes.indices)
    }

    /// A path as a server received it, in a part of a text.
    @usableFromInline package static func received(_ text: [UInt8], in range: Range<Int>) -> Path {
      #if !hasFeature(Embedded)  // where size counts
        if let path = Path(.received, strict: text, in: range) { return path }
      #endif
      return Path(.received, text[range])
    }

    /// Whether the path has segments `.` or `..`, encoded or not. HTTP stacks and proxies are known
    /// to collapse them on the way, and then the signature does not match.
    public var hasDotSegments: Bool {
      let isEncoded = kind == .encoded || kind == .received
      let decoded = isEncoded ? URIEncoding.decode(text[given])[...] : text[given]
      return decoded.split(separator: ASCIIByte.slash).contains {
        $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8)
      }
    }

    #if !hasFeature(Embedded)
      /// A path that is in strict form as it is, in a part of a text; nil for others.
      private init?(_ kind: Kind, strict text: [UInt8], in range: Range<Int>) {
        // Safety: the bytes are read only.
        let isStrict = unsafe text.withUnsafeBytes { bytes in
          let path = unsafe bytes.part(range)
          return unsafe path.first == ASCIIByte.slash && URIEncoding.isStrictPath(path)
        }
        if !isStrict { return nil }
        self.init(kind: kind, text: text, given: range, strict: range)
      }
    #endif

    private init(_ kind: Kind, _ bytes: ArraySlice<UInt8>) {
      var text: [UInt8] = []
      text.append(upTo: 4 * bytes.count + 1) { text in
        // Safety: the bytes are read only.
        unsafe bytes.withUnsafeBytes { given in
          unsafe text.append(bytes: given)
          // SigV4, step 1: an absent path is "/".
          if unsafe kind == .key || given.isEmpty { text.append(byte: ASCIIByte.slash) }
          if kind == .raw || kind == .key {
            unsafe URIEncoding.append(given, as: .path, to: &text)
          } else {
            unsafe URIEncoding.append(reencoding: given, as: .path, to: &text)
          }
        }
      }
      self.init(
        kind: kind, text: text, given: 0..<bytes.count, strict: bytes.count..<text.count)
    }

    private init(kind: Kind, text: [UInt8], given: Range<Int>, strict: Range<Int>) {
      self.kind = kind
      self.text = text
      self.given = given
      self.strict = strict
    }

    /// The path "/".
    public static var root: Path {
      Path(kind: .raw, text: [ASCIIByte.slash], given: 0..<1, strict: 0..<1)
    }

    /// Whether two paths were given alike.
    public static func == (left: Self, right: Self) -> Bool {
      left.kind == right.kind && left.text[left.given] == right.text[right.given]
    }

    /// Feeds the path to a hasher.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(kind)
      hasher.combine(text[given])
    }

    package static func emptyKey() -> SigningError {
      SigningError(
        .invalidPath,
        """
        the object key is empty, and a request without a key is one to the bucket itself: a DELETE \
        would delete the bucket; give a key, or say .raw("/") when you mean the bucket
        """)
    }

    static func checkStart(_ bytes: ArraySlice<UInt8>) throws(SigningError) {
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
        the path was given as an object key, \(quoted: text[given]), but the service has no objects: it \
        encodes paths twice or drops segments of them, which would change the key; use the service \
        .s3, or give the path as .raw or .encoded
        """)
    }
  }

  /// Where the path stands as it is in the request line. Services that encode once decode and encode it
  /// again, so only the strict form is right for them.
  func wireRange(_ rule: SigV4.Service.PathRule) -> Range<Int> {
    let isAsGiven =
      !given.isEmpty && (kind == .received || kind == .encoded && rule.encodesTwice)
    return isAsGiven ? given : strict
  }

  /// The same path, without a longer text that it is a part of.
  var alone: SigV4.Path {
    // A path that had to be encoded has a text of its own.
    if given != strict || given.count == text.count { return self }
    let range = 0..<given.count
    return SigV4.Path(kind: kind, text: Array(text[given]), given: range, strict: range)
  }

  /// The path in the request line.
  package func wire(_ rule: SigV4.Service.PathRule) -> ArraySlice<UInt8> { text[wireRange(rule)] }

  /// Whether no segment is empty, but for the last, or begins with a dot, unless that is encoded.
  package var isNormal: Bool {
    // Safety: the bytes are read only.
    unsafe text.withUnsafeBytes { unsafe Self.isNormal($0.part(wireRange(.encodedTwice))) }
  }

  /// SigV4, step 1: CanonicalURI.
  func appendCanonical(
    _ rule: SigV4.Service.PathRule, to text: inout OutputSpan<UInt8>
  ) {
    // Safety: the ranges are ranges of the text.
    unsafe self.text.withUnsafeBytes { bytes in
      if rule == .encodedOnce { return unsafe text.append(bytes: bytes.part(strict)) }
      let path = unsafe bytes.part(wireRange(rule))
      if unsafe !rule.isNormalized || Self.isNormal(path) {
        return unsafe Self.append(path, rule, to: &text)
      }
      unsafe Self.normalized(path).withUnsafeBytes { unsafe Self.append($0, rule, to: &text) }
    }
  }

  private static func append(
    _ path: UnsafeRawBufferPointer, _ rule: SigV4.Service.PathRule,
    to text: inout OutputSpan<UInt8>
  ) {
    if rule.encodesTwice {
      unsafe URIEncoding.append(path, as: .path, to: &text)
    } else {
      unsafe URIEncoding.append(reencoding: path, as: .path, to: &text)
    }
  }

  /// How many bytes the canonical form takes at most: normalised, with a slash before it, and encoded.
  func canonicalCapacity(_ rule: SigV4.Service.PathRule) -> Int {
    rule == .encodedOnce ? strict.count : 3 * (wireRange(rule).count + 1)
  }

  /// RFC 3986, 5.2.4, and empty segments dropped; encoded dots are not dots.
  package static func normalized(_ path: ArraySlice<UInt8>) -> [UInt8] {
    // Safety: the bytes are copied.
    unsafe path.withUnsafeBytes { unsafe normalized($0) }
  }

  private static func normalized(_ path: UnsafeRawBufferPointer) -> [UInt8] {
    var bytes: [UInt8] = []
    var start = 0
    while start < path.count {
      // Safety: the segment is a part of the path.
      let end = unsafe path.firstPosition(of: ASCIIByte.slash, from: start)
      let segment = unsafe path.part(start..<end)
      let dotCount = unsafe segment.count < 3 ? segment.count { $0 == ASCIIByte.dot } : 0
      if dotCount == 2 {
        while let last = bytes.popLast(), last != ASCIIByte.slash {}
      } else if segment.count > dotCount {
        bytes.append(byte: ASCIIByte.slash)
        unsafe bytes.append(contentsOf: segment)
      }
      start = end + 1
    }
    if unsafe path.last == ASCIIByte.slash || bytes.isEmpty { bytes.append(byte: ASCIIByte.slash) }
    return bytes
  }

  /// Whether a path begins with '/' and no segment of it is empty or begins with a dot.
  private static func isNormal(_ path: UnsafeRawBufferPointer) -> Bool {
    var isAfterSlash = false
    // Safety: the bytes are read only.
    for index in path.indices {
      let byte = unsafe path[index]
      if isAfterSlash && (byte == ASCIIByte.slash || byte == ASCIIByte.dot) { return false }
      isAfterSlash = byte == ASCIIByte.slash
    }
    return unsafe path.first == ASCIIByte.slash
  }
}

extension SigV4.Path: Redacted {
  /// The size. The name of an object may be secret.
  public var description: String { "Path(\(given.count) bytes)" }
}

extension URIEncoding {
  /// Refuses a '%' that two hexadecimal digits do not follow; `part` is the path or the query.
  static func check(
    _ bytes: ArraySlice<UInt8>, of part: StaticString
  ) throws(SigV4.SigningError) {
    if let position = positionOfStrayPercent(in: bytes) {
      throw SigV4.SigningError(
        .invalidPercentEncoding,
        """
        the \(part) has a '%' without two hexadecimal digits after it, \
        \(quoted: bytes[position...].prefix(3)) at offset \(position - bytes.startIndex), so its \
        meaning is unknown; write a percent sign as %25, or give the \(part) unencoded
        """)
    }
  }
}
