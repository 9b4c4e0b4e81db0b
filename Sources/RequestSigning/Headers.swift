// SPDX-License-Identifier: Apache-2.0
// Header fields in the order in which they were given, and the list of those that are sent but not signed.

internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// One header field.
  public struct Header: Sendable, CustomStringConvertible {
    /// The name, in the case in which it was given.
    public let name: String

    /// The value. It may be secret.
    public let value: String

    #if hasFeature(Embedded)  // where size counts
      var isSentAsUTF8: Bool { false }
    #else
      var isSentAsUTF8 = false
    #endif

    /// A header field. It is checked when a ``SigV4/Request`` is made of it.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }

    /// Name and value; the value is hidden where it is a credential.
    public var description: String {
      name + ": " + (isSensitive ? "(not shown)" : value)
    }

    /// Whether the value is a credential, as far as the name tells.
    package var isSensitive: Bool { CredentialNames.carriesCredential(name.bytesInUTF8) }

    package func isNamed(_ other: String) -> Bool {
      // Safety: both are read only.
      unsafe name.withBytesInUTF8 { name in
        unsafe other.withBytesInUTF8 { unsafe ASCIIByte.equalIgnoringCase(name, $0) }
      }
    }
  }

  /// Header fields in order. A name may be repeated; the case of names does not matter.
  ///
  ///     let headers: SigV4.Headers = ["content-type": "image/png", "x-amz-acl": "private"]
  public struct Headers: RandomAccessCollection, Sendable, ExpressibleByDictionaryLiteral {
    var fields: [Header]

    /// Header fields.
    public init(_ fields: [Header] = []) {
      self.fields = fields
    }

    /// Header fields as pairs of name and value.
    public init(_ pairs: some Sequence<(String, String)>) {
      fields = pairs.map { Header($0.0, $0.1) }
    }

    /// Header fields as pairs of name and value.
    public init(dictionaryLiteral elements: (String, String)...) {
      self.init(elements)
    }

    /// Adds a header field at the end.
    public mutating func append(_ name: String, _ value: String) {
      fields.append(Header(name, value))
    }

    #if !hasFeature(Embedded)  // where size counts
      /// The same fields, whose values may have characters beyond ASCII: for stores that read headers as
      /// UTF-8, such as Ceph and MinIO. Amazon S3 reads them as Latin-1, so no signature would match.
      ///
      ///     let headers: SigV4.Headers = ["x-amz-meta-place": "Zürich"]
      ///     let request = try object.request("PUT", headers: headers.sentAsUTF8)
      ///
      /// The HTTP client has to send them in UTF-8, too.
      public var sentAsUTF8: Headers {
        Headers(
          fields.map { field in
            var field = field
            field.isSentAsUTF8 = true
            return field
          })
      }

      /// The fields of protocols other than AWS's: Google's, Alibaba's, Volcengine's and Huawei's.
      var ofOtherProtocols: Headers {
        Headers(
          fields.filter { field in
            ["x-goog-", "x-oss-", "x-tos-", "x-obs-"].contains {
              UnsignedHeaders.startsIgnoringCase(field.name.utf8, with: $0.utf8)
            }
          })
      }
    #endif

    /// Leaves out the Host header.
    mutating func removeHost() {
      let given = fields
      fields = []
      for field in given where !field.isNamed("host") { fields.append(field) }
    }

    /// The values of all fields of a name, in order.
    public func values(named name: String) -> [String] {
      fields.filter { $0.isNamed(name) }.map { $0.value }
    }

    /// The position of the first field: 0.
    public var startIndex: Int { 0 }

    /// The position after the last field.
    public var endIndex: Int { fields.count }

    /// The field at a position.
    public subscript(position: Int) -> Header { fields[position] }

    /// The fields of one list and then those of another.
    public static func + (left: Headers, right: Headers) -> Headers {
      Headers(left.fields + right.fields)
    }
  }
}

extension SigV4.Header {
  /// Refuses what cannot be sent as a header, or would not arrive as it was signed.
  package func check() throws(SigV4.SigningError) {
    // Safety: the bytes are read only.
    if unsafe !name.withBytesInUTF8(ASCIIByte.isToken) {
      throw SigV4.SigningError(
        .invalidHeaderName,
        """
        \(quoted: name) is not a valid name of a header: it has to consist of letters, digits and \
        !#$%&'*+-.^_`|~ (RFC 9110, 5.6.2); look for a colon or a space at its end
        """)
    }
    let illegal: (offset: Int, byte: UInt8)? = unsafe value.withBytesInUTF8 { bytes in
      #if !hasFeature(Embedded)  // where size counts
        if unsafe EightBytes.isCanonical(bytes) { return nil }
      #endif
      let offset = unsafe bytes.firstIndex {
        ASCIIByte.isControl($0) && $0 != ASCIIByte.tab || $0 > 0x7F && !isSentAsUTF8
      }
      return offset.map { unsafe ($0, bytes[$0]) }
    }
    if let (offset, byte) = illegal {
      throw byte > 0x7F ? nonASCII(offset) : controlCharacter(offset)
    }
  }

  private func controlCharacter(_ offset: Int) -> SigV4.SigningError {
    SigV4.SigningError(
      .invalidHeaderValue,
      """
      the value of the header \(quoted: name) has a control character at offset \(offset); a line \
      end there would let the value smuggle in another header. Remove it; join a folded value with spaces
      """)
  }

  private func nonASCII(_ offset: Int) -> SigV4.SigningError {
    SigV4.SigningError(
      .nonASCIIHeader,
      """
      the value of the header \(quoted: name) has a byte outside of ASCII at offset \(offset); \
      servers read it in another encoding than was signed and answer \
      SignatureDoesNotMatch; encode the value, for example by percent-encoding or RFC 2047
      """)
  }
}

extension SigV4.Header: Redacted {}

extension SigV4 {
  /// Headers that are sent but not signed.
  ///
  /// Everything that is not in the list is signed. A caller cannot put `host`, `content-type` or
  /// `x-amz-*` headers into it, since services want them signed.
  public struct UnsignedHeaders: Sendable {
    let list: List

    /// Names in lowercase, with spaces between them; one that ends in '*' is a prefix, one that begins with
    /// ':' is signed in a presigned URL.
    init(patterns: [UInt8]) {
      list = List(patterns)
    }

    private init(_ list: List) {
      self.list = list
    }

    /// What HTTP stacks, proxies and instrumentation add, drop or rewrite, and `content-length`.
    ///
    /// Hop-by-hop headers (RFC 9110, 7.6.1), forwarding headers, tracing headers, WebSocket
    /// headers, `accept-encoding`, `expect`, `user-agent`. A presigned URL signs more of what the
    /// request names: its holder learns which headers to send, and `content-length` limits an upload.
    /// There it is what botocore or aws-c-auth leave unsigned, too.
    public static var `default`: UnsignedHeaders {
      let names: UTF8Text = """
        baggage connection expect keep-alive proxy-authenticate proxy-authorization \
        sec-websocket-key sec-websocket-protocol sec-websocket-version te traceparent tracestate \
        trailer transfer-encoding upgrade user-agent x-amzn-trace-id :accept-encoding \
        :content-length :forwarded :proxy-* :sec-websocket-* :via :x-forwarded-*
        """
      return UnsignedHeaders(patterns: names.bytes)
    }

    /// What stays unsigned in a presigned URL.
    var inURLs: UnsignedHeaders { UnsignedHeaders(List(list.bytes, isOfURLs: true)) }

    /// No header stays unsigned.
    public static var none: UnsignedHeaders { UnsignedHeaders(patterns: []) }

    /// Exactly these headers, by name; a name that ends in '*' stands for all that begin so.
    ///
    /// Throws `invalidUnsignedHeader` for what is not a valid name of a header, and for `host`,
    /// `content-type` and any `x-amz-*`.
    public static func names(_ names: [String]) throws(SigningError) -> UnsignedHeaders {
      var patterns: [UInt8] = []
      for name in names {
        try check(name)
        patterns += name.utf8.map(ASCIIByte.lowercased) + [ASCIIByte.space]
      }
      return UnsignedHeaders(patterns: patterns)
    }

    /// These headers and those of another list.
    public func union(_ other: UnsignedHeaders) -> UnsignedHeaders {
      UnsignedHeaders(patterns: list.bytes + [ASCIIByte.space] + other.list.bytes)
    }

    /// Whether a header stays unsigned, by its name in lowercase.
    func contains(_ name: UnsafeRawBufferPointer) -> Bool { unsafe list.contains(name) }

    /// Those of some headers that stay unsigned.
    func unsigned(of headers: Headers) -> Headers { Headers(headers.filter { !leavesSigned($0) }) }

    /// Whether a header is signed.
    func leavesSigned(_ header: Header) -> Bool {
      let name = header.name.utf8.map(ASCIIByte.lowercased)
      // Safety: the array lives as long as the closure runs.
      return unsafe !name.withUnsafeBytes { unsafe list.contains($0) }
    }

    static var wildcard: UInt8 { 0x2A }

    static func check(_ name: String) throws(SigningError) {
      let isPattern = name.utf8.last == wildcard
      let fixed = isPattern ? name.utf8.dropLast() : name.utf8[...]
      let mustBeSigned =
        startsIgnoringCase(fixed, with: "x-amz-".utf8)
        || ["host", "content-type"].contains { ASCIIByte.equalIgnoringCase(fixed, $0.utf8) }
        || isPattern
          && ["host", "content-type", "x-amz-"].contains {
            startsIgnoringCase($0.utf8, with: fixed)
          }
      if fixed.isEmpty || mustBeSigned || !fixed.allSatisfy(ASCIIByte.isTokenCharacter) {
        throw SigningError(
          .invalidUnsignedHeader,
          """
          \(quoted: name) cannot stay unsigned: it is not a valid name of a header, or it is or includes \
          host, content-type or an x-amz-* header, and services refuse requests in which these are \
          not signed; remove it from the list
          """)
      }
    }

    static func startsIgnoringCase(
      _ text: some Sequence<UInt8>, with prefix: some Sequence<UInt8>
    ) -> Bool {
      text.lazy.map(ASCIIByte.lowercased).starts(with: prefix.lazy.map(ASCIIByte.lowercased))
    }
  }
}

extension SigV4.UnsignedHeaders: Hashable {
  /// Whether two lists have the same names in the same order.
  public static func == (left: Self, right: Self) -> Bool { left.list.bytes == right.list.bytes }

  /// Feeds the names to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(list.bytes) }
}

extension SigV4.UnsignedHeaders {
  /// The names and prefixes, prepared for looking up.
  final class List: Sendable {
    /// Lowercase names, and prefixes that end in '*', with spaces between them; ':' before those that are
    /// signed in a URL.
    let bytes: [UInt8]

    let patterns: [Pattern]

    /// A set of bits, one for the first byte of each pattern.
    let firstBytes: UInt64

    init(_ bytes: [UInt8], isOfURLs: Bool = false) {
      var patterns: [Pattern] = []
      var start = 0
      for end in 0...bytes.count where end == bytes.count || bytes[end] == ASCIIByte.space {
        let isSignedInURLs = end > start && bytes[start] == ASCIIByte.colon
        if isSignedInURLs { start &+= 1 }
        if end > start && !(isSignedInURLs && isOfURLs) {
          patterns.append(Pattern(bytes, start..<end))
        }
        start = end &+ 1
      }
      self.bytes = bytes
      self.patterns = patterns
      firstBytes = patterns.reduce(0) { $0 | $1.beginning.firstByte }
    }

    /// Whether a name, in lowercase bytes, is in the list. Most names are told apart by their first
    /// byte, nearly all others by their first eight.
    @inline(__always)
    func contains(_ name: UnsafeRawBufferPointer) -> Bool {
      let beginning = unsafe Beginning(name)
      if firstBytes & beginning.firstByte == 0 { return false }
      return unsafe contains(name, beginning)
    }

    func contains(_ name: UnsafeRawBufferPointer, _ beginning: Beginning) -> Bool {
      for pattern in patterns
      where beginning.number & pattern.givenBits == pattern.beginning.number {
        let count = pattern.isPrefix ? pattern.text.count : name.count
        // Safety: both texts are cut to what is there.
        let isFound = unsafe bytes.withUnsafeBytes { bytes in
          unsafe BytewiseOrder.compare(name.part(0..<count), bytes.part(pattern.text)) == 0
        }
        if isFound { return true }
      }
      return false
    }
  }

  /// One entry of the list: a name, or a prefix of names.
  struct Pattern: Sendable {
    /// Where the name or prefix stands, without the '*'.
    let text: Range<Int>
    let isPrefix: Bool
    let beginning: Beginning

    /// The bits of a beginning that the entry decides on: all of a name, those of the bytes of a prefix.
    let givenBits: UInt64

    init(_ bytes: [UInt8], _ entry: Range<Int>) {
      isPrefix = bytes[entry].last == SigV4.UnsignedHeaders.wildcard
      text = isPrefix ? entry.lowerBound..<entry.upperBound &- 1 : entry
      // Safety: the array lives as long as the closure runs.
      beginning = unsafe bytes.withUnsafeBytes { [text] in unsafe Beginning($0.part(text)) }
      givenBits = isPrefix ? ~(UInt64.max >> UInt64(8 * Swift.min(text.count, 8))) : .max
    }
  }

  /// The first eight bytes of a name as a number, the first one highest; a shorter name ends in zeros.
  struct Beginning: BitwiseCopyable, Sendable {
    let number: UInt64

    /// A bit that stands for the first byte, by its last six bits.
    var firstByte: UInt64 { 1 &<< (number &>> 56) }

    @inline(__always)
    init(_ name: UnsafeRawBufferPointer) {
      // Safety: only bytes of the name are read.
      if name.count >= 8 {
        number = unsafe name.loadUnaligned(as: UInt64.self).bigEndian
      } else {
        var number: UInt64 = 0
        for index in 0..<name.count {
          number |= unsafe UInt64(name[index]) &<< UInt64(truncatingIfNeeded: 56 &- 8 &* index)
        }
        self.number = number
      }
    }
  }
}
