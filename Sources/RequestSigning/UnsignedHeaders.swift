// SPDX-License-Identifier: Apache-2.0
// The list of headers that are sent but not signed, because somebody on the way may change them.

internal import SigningSupport

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
