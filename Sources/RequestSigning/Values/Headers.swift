// SPDX-License-Identifier: Apache-2.0
// Ordered header fields, and the list of headers that are sent unsigned.

internal import SecureHashing

extension SigV4 {
  /// A header field.
  public struct Header: Sendable, CustomStringConvertible {
    /// The name, in its original case.
    public let name: String

    /// The value. It may be secret.
    public let value: String

    var isEncodedAsUTF8 = false

    /// The size of the name and value.
    var byteCount: Int { name.byteCountInUTF8 &+ value.byteCountInUTF8 }

    /// Creates a header field. Creating a ``SigV4/Request`` checks it.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }

    /// The name, up to a character that names can't have, and the value. A value that's a
    /// credential is hidden, and so are those in a URL.
    public var description: String {
      name.bytesInUTF8.prefix(while: ASCIIByte.isTokenCharacter).textInUTF8 + ": "
        + (isSensitive ? "(not shown)" : value.withoutURLCredentials)
    }

    /// Whether the value is a credential, judging by the name.
    package var isSensitive: Bool { CredentialNames.carriesCredential(name.bytesInUTF8) }

    package func isNamed(_ other: String) -> Bool {
      unsafe name.withBytesInUTF8 { name in
        unsafe other.withBytesInUTF8 { unsafe ASCIIByte.equalIgnoringCase(name, $0) }
      }
    }
  }

  /// Ordered header fields. Names are case-insensitive and can repeat.
  ///
  ///     let headers: SigV4.Headers = ["content-type": "image/png", "x-amz-acl": "private"]
  public struct Headers: RandomAccessCollection, Sendable, ExpressibleByDictionaryLiteral {
    var fields: [Header]

    /// Creates a list of header fields.
    public init(_ fields: [Header] = []) {
      self.fields = fields
    }

    /// Creates a list from pairs of a name and a value.
    public init(_ pairs: some Sequence<(String, String)>) {
      fields = pairs.map { Header($0.0, $0.1) }
    }

    /// Creates a list from pairs of a name and a value.
    public init(_ pairs: KeyValuePairs<String, String>) {
      self.init(pairs.map { ($0.key, $0.value) })
    }

    #if !hasFeature(Embedded)
      // A literal is one of pairs, because a dictionary has no repeated names.
      /// Creates a list from a dictionary, sorted by name.
      @_disfavoredOverload public init(_ fields: [String: String]) {
        self.init(fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
      }
    #endif

    /// Creates a list from pairs of a name and a value.
    public init(dictionaryLiteral elements: (String, String)...) {
      self.init(elements)
    }

    /// Appends a header field.
    public mutating func append(_ name: String, _ value: String) {
      fields.append(Header(name, value))
    }

    /// The same fields, with non-ASCII characters allowed in values.
    ///
    /// Use it for stores that decode headers as UTF-8, such as Ceph and MinIO. Amazon S3 decodes
    /// them as Latin-1, so its signature never matches.
    ///
    ///     let headers: SigV4.Headers = ["x-amz-meta-place": "Zürich"]
    ///     let request = try object.request("PUT", headers: headers.encodedAsUTF8)
    ///
    /// Your HTTP client must also send them in UTF-8.
    public var encodedAsUTF8: Headers {
      Headers(
        fields.map { field in
          var field = field
          field.isEncodedAsUTF8 = true
          return field
        })
    }

    /// The fields of protocols other than a signature's: of the other names of signatures here,
    /// Alibaba's and Huawei's.
    func ofOtherProtocols(than own: SignatureNames) -> Headers {
      let names = SignatureNames.allCases.filter { $0 != own }
      let prefixes = names.map { $0.headerPrefix.description } + ["x-oss-", "x-obs-"]
      return Headers(
        fields.filter { field in
          prefixes.contains {
            UnsignedHeaders.startsIgnoringCase(field.name.utf8, with: $0.utf8)
          }
        })
    }

    /// Returns the fields without Host, which a message contains in addition to its own fields.
    func withoutHost(of message: RequestMessage) -> Headers {
      if message.shape.headers.count == fields.count + 1 { return self }
      return Headers(fields.filter { !$0.isNamed("host") })
    }

    /// Returns the values of all fields with this name, in order.
    public func values(named name: String) -> [String] {
      fields.filter { $0.isNamed(name) }.map { $0.value }
    }

    /// The value of a header, or nil if it's missing. Several values are joined with ", " (RFC
    /// 9110, 5.3).
    ///
    /// Setting a value replaces the first field with this name and removes the others. Setting nil
    /// removes all of them.
    public subscript(name: String) -> String? {
      get {
        let values = values(named: name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
      }
      set {
        let index = fields.firstIndex { $0.isNamed(name) } ?? fields.count
        fields.removeAll { $0.isNamed(name) }
        if let newValue { fields.insert(Header(name, newValue), at: index) }
      }
    }

    /// The position of the first field: 0.
    public var startIndex: Int { 0 }

    /// The position after the last field.
    public var endIndex: Int { fields.count }

    /// The field at a position.
    public subscript(position: Int) -> Header { fields[position] }

    /// Returns the fields of one list followed by those of another.
    public static func + (left: Headers, right: Headers) -> Headers {
      Headers(left.fields + right.fields)
    }
  }
}

extension SigV4.Header {
  /// Rejects fields that can't be sent as headers, or that would be decoded differently.
  package func check() throws(SigV4.SigningError) {
    if name.utf8.isEmpty || !name.utf8.allSatisfy(ASCIIByte.isTokenCharacter) {
      throw Self.invalidName(name)
    }
    var offset = 0
    for byte in value.utf8 {
      let isControl = ASCIIByte.isControl(byte) && byte != ASCIIByte.tab
      if isControl || byte > 0x7F && !isEncodedAsUTF8 {
        throw Self.invalidValue(of: name, byte, at: offset)
      }
      offset += 1
    }
  }

  /// The error for a name. Behind a wrong character, there may be a value, which isn't shown.
  static func invalidName(_ name: String) -> SigV4.SigningError {
    let start = ASCIIByte.startOfName(name.bytesInUTF8)
    return SigV4.SigningError(
      .invalidHeaderName,
      """
      \(quoted: start) isn't a valid header name: only letters, digits and !#$%&'*+-.^_`|~ are \
      allowed (RFC 9110, 5.6.2).
      """,
      fix: "Check for a trailing colon or space.")
  }

  /// Returns the error for a byte of a value that can't be sent.
  static func invalidValue(
    of name: String, _ byte: UInt8, at offset: Int
  ) -> SigV4.SigningError {
    if byte > 0x7F { return nonASCII(name, at: offset) }
    return SigV4.SigningError(
      .invalidHeaderValue,
      """
      The header \(quoted: name) contains a control character at offset \(offset). A newline could \
      smuggle in another header.
      """,
      fix: "Remove the character. Use spaces to join a folded value.")
  }

  private static func nonASCII(_ name: String, at offset: Int) -> SigV4.SigningError {
    SigV4.SigningError(
      .nonASCIIHeader,
      """
      The header \(quoted: name) contains a non-ASCII byte at offset \(offset), which servers \
      decode differently and reject with SignatureDoesNotMatch.
      """,
      fix: "Encode the value, for example with percent-encoding or RFC 2047.")
  }
}

extension SigV4.Header: Redacted {}

extension String {
  /// The string without the users, passwords and tokens of URLs in it.
  package var withoutURLCredentials: String {
    CredentialNames.hiding(in: bytesInUTF8[...]).textInUTF8
  }
}

extension SigV4 {
  /// A list of headers to leave unsigned.
  ///
  /// All other headers are signed. You can't leave `host`, `content-type` or `x-amz-*` headers
  /// unsigned, because services require their signature.
  public struct UnsignedHeaders: Hashable, Sendable {
    /// Whether the list includes the headers of ``default``.
    private let includesDefault: Bool

    /// Lowercase names. A name that ends in '*' matches all names with that prefix.
    private let names: [[UInt8]]

    private init(includesDefault: Bool = false, names: [[UInt8]] = []) {
      self.includesDefault = includesDefault
      self.names = names
    }

    private static var wildcard: UInt8 { 0x2A }

    /// Headers that HTTP stacks, proxies and instrumentation add, remove or rewrite, and
    /// `content-length`.
    ///
    /// These are hop-by-hop headers (RFC 9110, 7.6.1), forwarding, tracing and WebSocket headers,
    /// `accept-encoding`, `expect`, and `user-agent`. Presigned URLs sign more of the request's
    /// headers, because the holder learns which headers to send, and `content-length` limits an
    /// upload. For URLs, the list matches headers that botocore or aws-c-auth also leave unsigned.
    public static var `default`: UnsignedHeaders { UnsignedHeaders(includesDefault: true) }

    /// An empty list.
    public static var none: UnsignedHeaders { UnsignedHeaders() }

    /// Headers that proxies and tracing add to a request that your server receives and forwards:
    /// `x-request-id`, `x-real-ip`, `b3`, `x-b3-*`, `x-datadog-*` and `cf-*`.
    ///
    /// They aren't in the default list, so a signer signs them, and the next proxy that rewrites
    /// one breaks the signature. Combine the lists: `.default.union(.forwarded)`.
    public static var forwarded: UnsignedHeaders {
      let names = ["x-request-id", "x-real-ip", "b3", "x-b3-*", "x-datadog-*", "cf-*"]
      return UnsignedHeaders(names: names.map { Array($0.utf8) })
    }

    /// Returns a list of exactly these headers. A name that ends in '*' matches all names with that
    /// prefix.
    ///
    /// - Throws: `invalidUnsignedHeader` for an invalid header name, `host`, `content-type`, or any
    ///   `x-amz-*` name.
    public static func names(_ names: [String]) throws(SigningError) -> UnsignedHeaders {
      for name in names { try check(name) }
      return UnsignedHeaders(names: names.map { $0.utf8.map(ASCIIByte.lowercased) })
    }

    /// Returns these headers combined with those of another list.
    public func union(_ other: UnsignedHeaders) -> UnsignedHeaders {
      UnsignedHeaders(
        includesDefault: includesDefault || other.includesDefault, names: names + other.names)
    }

    /// Returns whether a header line stays unsigned.
    @inline(__always)
    func contains(_ field: MessageField, in text: TextSpan, inURL: Bool) -> Bool {
      if includesDefault && field.header.isUnsigned(inURL: inURL) { return true }
      return !names.isEmpty && lists(text.extracting(field.nameRange))
    }

    /// Returns whether a header stays unsigned.
    func contains(_ header: Header, inURL: Bool) -> Bool {
      let name = header.name.utf8.map(ASCIIByte.lowercased)[...]
      return includesDefault && KnownHeader(name: name.span).isUnsigned(inURL: inURL)
        || lists(name.span)
    }

    /// Returns whether a lowercase name matches one of the names.
    private func lists(_ name: TextSpan) -> Bool {
      for pattern in names {
        let isPrefix = pattern.last == Self.wildcard
        let count = isPrefix ? pattern.count &- 1 : pattern.count
        if name.count < count || !isPrefix && name.count > count { continue }
        var isSame = true
        for index in 0..<count where name[index] != pattern[index] { isSame = false }
        if isSame { return true }
      }
      return false
    }

    private static func check(_ name: String) throws(SigningError) {
      let isPattern = name.utf8.last == wildcard
      let fixed = isPattern ? name.utf8.dropLast() : name.utf8[...]
      let prefixes = SignatureNames.allCases.map { $0.headerPrefix.description }
      let mustBeSigned =
        prefixes.contains { startsIgnoringCase(fixed, with: $0.utf8) }
        || ["host", "content-type"].contains { ASCIIByte.equalIgnoringCase(fixed, $0.utf8) }
        || isPattern
          && ["host", "content-type", "x-amz-"].contains {
            startsIgnoringCase($0.utf8, with: fixed)
          }
      if fixed.isEmpty || mustBeSigned || !fixed.allSatisfy(ASCIIByte.isTokenCharacter) {
        throw SigningError(
          .invalidUnsignedHeader,
          """
          \(quoted: name) isn't a valid header name, or it matches host, content-type or a header \
          such as x-amz-*, which must be signed.
          """,
          fix: "Remove it from the list.")
      }
    }

    static func startsIgnoringCase(
      _ text: some Sequence<UInt8>, with prefix: some Sequence<UInt8>
    ) -> Bool {
      text.lazy.map(ASCIIByte.lowercased).starts(with: prefix.lazy.map(ASCIIByte.lowercased))
    }
  }
}
