// SPDX-License-Identifier: Apache-2.0
// A request as a server received it: nothing decoded, nothing reordered, nothing believed. Then its headers, as far as
// HTTP allows them, and which of them are signed.

public import RequestSigning
internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// A request as a server received it.
  ///
  ///     var request = SigV4.ReceivedRequest("GET", target: "/a%20b?list-type=2".utf8)
  ///     request.append("Host".utf8, "example.com".utf8)
  ///
  /// Any bytes are taken, in any number, and in time proportional to their number (times its
  /// logarithm, since parameters and headers are sorted). What is wrong with them is said by the
  /// verifier.
  public struct ReceivedRequest: Sendable {
    /// The method.
    public let method: String

    /// The scheme, where the server knows it: bodies of chunks without signatures are refused
    /// without TLS.
    public let scheme: Scheme?

    /// The request target, byte for byte as it stood in the request line (`:path` in HTTP/2).
    let target: [UInt8]

    /// Where the path stands in the target: before the first '?'.
    let pathRange: Range<Int>

    /// The header fields in order, names in lowercase.
    private(set) var fields = HeaderFields()

    /// The values of `:authority`.
    private(set) var authorities: [[UInt8]] = []

    /// A request without headers yet.
    ///
    /// - Parameters:
    ///   - method: as it stood in the request line.
    ///   - target: path and query as they stood in the request line, neither decoded nor
    ///     normalised.
    ///   - scheme: nil when the server does not know whether TLS was used.
    public init(
      _ method: String, target: some Collection<UInt8>, scheme: Scheme? = nil
    ) {
      self.method = method
      self.scheme = scheme
      self.target = Array(target)
      pathRange = 0..<self.target[...].firstPosition(of: ASCIIByte.questionMark)
    }

    /// A request with all of its headers, Host among them.
    public init(
      _ method: String, target: String, scheme: Scheme? = nil, headers: Headers
    ) {
      self.init(method, target: target.utf8, scheme: scheme)
      for header in headers { append(header.name.utf8, header.value.utf8) }
    }

    /// Adds a header field as it was received, Host or `:authority` too: the name in any case, the
    /// value in any bytes. Other names that begin with ':' are refused by the verifier.
    @inlinable
    public mutating func append(_ name: some Collection<UInt8>, _ value: some Collection<UInt8>) {
      // On concrete memory: for collections of other modules this function is not specialised.
      let done: Void?? = name.withContiguousStorageIfAvailable { name in
        value.withContiguousStorageIfAvailable { value in
          unsafe append(UnsafeRawBufferPointer(name), UnsafeRawBufferPointer(value))
        }
      }
      if case .some(.some) = done { return }
      append(Array(name), Array(value))
    }

    /// Adds a header field. The bytes are copied.
    @usableFromInline
    mutating func append(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
      let authority: StaticString = ":authority"
      if unsafe name.first == ASCIIByte.colon
        && ASCIIByte.equalIgnoringCase(name, authority.bytesInUTF8)
      {
        unsafe authorities.append([UInt8](value))
        return
      }
      if fields.fields.isEmpty { fields.reserve(fieldCount: 12, byteCount: 768) }  // mostly enough
      unsafe fields.append(name, value)
    }

    /// The path on the wire.
    var path: ArraySlice<UInt8> { target[pathRange] }

    /// Where the query stands in the target, after the first '?'.
    var queryRange: Range<Int> { min(pathRange.upperBound + 1, target.endIndex)..<target.endIndex }

    /// Refuses a request line in which no signature can be looked for, or that others may read in another
    /// way (RFC 9112, 3.2).
    func checkRequestLine() throws(VerificationError) {
      // Safety: the bytes are read only.
      if unsafe !method.withBytesInUTF8(ASCIIByte.isToken) {
        throw VerificationError(
          .invalidRequest,
          "the method \(UTF8Text.quoted(method)) is not a token of HTTP; look at what splits the "
            + "request line")
      }
      if target.first != ASCIIByte.slash {
        throw VerificationError(
          .invalidRequest,
          "the target \(shown(path)) does not begin with '/', and only paths are signed; give the "
            + "target of the request line, without scheme and host")
      }
      // '#' and '\': some readers of URLs end a path there, or take it for '/'.
      // Safety: the bytes are read only.
      if unsafe !target.withUnsafeBytes(EightBytes.isPlainTarget),
        let offset = target.firstIndex(where: {
          $0 < 0x21 || $0 == 0x7F || $0 == ASCIIByte.hash || $0 == ASCIIByte.backslash
        })
      {
        throw VerificationError(
          .invalidRequest,
          "the target has \(UTF8Text.quoted([target[offset]])) at offset \(offset), which belongs "
            + "percent-encoded (RFC 3986, 3.3): some readers of URLs stop there or take it for "
            + "something else, and act on another target than was signed; look for a client that "
            + "builds its URLs by hand")
      }
    }
  }
}

extension SigV4.ReceivedRequest: CustomStringConvertible {
  /// Method and sizes. Target and headers may hold secrets.
  public var description: String {
    "ReceivedRequest(\(UTF8Text.quoted(method)), \(target.count) bytes of target, "
      + "\(fields.fields.count) headers)"
  }
}

extension SigV4.ReceivedRequest: Redacted {}

extension SigV4 {
  /// The headers of a received request in canonical form, the host among them.
  struct ReceivedHeaders {
    private let fields: HeaderFields

    /// One line for each name: of all headers, or of the signed ones.
    private(set) var canonical: CanonicalHeaders

    init(_ request: borrowing ReceivedRequest) throws(VerificationError) {
      var fields = request.fields
      try Self.check(fields)
      try Self.addAuthority(request.authorities, to: &fields)
      self.fields = fields
      canonical = CanonicalHeaders(fields)
    }

    /// What the ranges are ranges of.
    var bytes: [UInt8] { canonical.bytes }

    /// The value of a header that may be given once, or nil.
    func value(of name: StaticString) throws(VerificationError) -> ArraySlice<UInt8>? {
      guard let range = try range(of: name) else { return nil }
      return bytes[range]
    }

    /// Appends the value of a header that may be given once. Returns where it stands, or nil when there
    /// is none.
    func append(
      _ name: StaticString, to text: inout [UInt8]
    ) throws(VerificationError) -> Range<Int>? {
      guard let range = try range(of: name) else { return nil }
      let start = text.count
      text.append(contentsOf: bytes[range])
      return start..<text.count
    }

    /// Where the value of a header stands that may be given once, or nil.
    func range(of name: StaticString) throws(VerificationError) -> Range<Int>? {
      guard let line = canonical.line(named: name) else { return nil }
      // Fields of one name are one line.
      let isRepeated =
        fields.fields.count > canonical.lines.count
        && fields.fields.count { fields.bytes[$0.name].spells(name) } > 1
      if isRepeated {
        throw VerificationError(
          .repeatedField,
          "the header \(name) is given more than once, and others may read the one that is not "
            + "verified; look for a proxy that adds it, or refuse the client")
      }
      return line.value
    }

    /// Names are tokens (RFC 9110, 5.6.2), and no value can forge a line of the canonical request.
    private static func check(_ fields: HeaderFields) throws(VerificationError) {
      if !fields.isUnusual { return }
      // Safety: the fields are ranges of the bytes.
      let invalid = unsafe fields.bytes.withUnsafeBytes { bytes in
        fields.fields.first { field in
          let (name, value) = unsafe (bytes.part(field.name), bytes.part(field.value))
          // After folding no tab is left in a value.
          return unsafe !ASCIIByte.isToken(name) || value.contains(where: ASCIIByte.isControl)
        }
      }
      guard let invalid else { return }
      let name = fields.bytes[invalid.name]
      if name.isEmpty || !name.allSatisfy(ASCIIByte.isTokenCharacter) {
        throw VerificationError(
          .invalidRequest,
          "\(UTF8Text.quoted(name)) is not the name of a header (RFC 9110, 5.6.2); leave out what "
            + "the server adds on its own, such as :path")
      }
      throw VerificationError(
        .invalidRequest,
        "the value of the header \(UTF8Text.quoted(name)) has a control character, with which it "
          + "could pass for several headers; use a server that refuses such requests")
    }

    /// HTTP/2 sends the host as `:authority`, which is signed as `host`.
    private static func addAuthority(
      _ authorities: [[UInt8]], to fields: inout HeaderFields
    ) throws(VerificationError) {
      guard let authority = authorities.first else { return }
      var field = HeaderFields()
      field.appendHost(authority)
      try check(field)
      let host = fields.fields.first { fields.bytes[$0.name].spells("host") }
      let isSame = host.map { fields.bytes[$0.start...$0.end].elementsEqual(field.bytes) } ?? true
      if authorities.count > 1 || !isSame {
        throw VerificationError(
          .repeatedField,
          "the request names more than one host in :authority and Host, and others may read the one "
            + "that is not verified; use a server that refuses such requests")
      }
      if host == nil { fields.appendHost(authority) }
    }

    /// Keeps the lines of the signed headers, which are named in one text: sorted, in lowercase, each
    /// once, all of them in the request.
    mutating func keepSigned(
      _ text: ArraySlice<UInt8>, _ rule: Service.SessionTokenRule, leavesContentType: Bool
    ) throws(VerificationError) {
      // Safety: names and headers are read only, and live as long as the closure runs.
      try unsafe text.withUnsafeBufferPointer { text throws(VerificationError) in
        let text = UnsafeRawBufferPointer(text)
        var next = 0
        var forgotten: [UInt8]?
        unsafe canonical.filter { name in
          let isNext = unsafe Self.isName(name, at: next, of: text)
          if isNext { next += name.count + 1 }
          let isNeeded = unsafe !isNext && Self.mustBeSigned(name, rule, leavesContentType)
          if isNeeded && forgotten == nil { forgotten = unsafe [UInt8](name) }
          return isNext
        }
        // The lines are sorted, so all names are lines only if they are sorted too.
        if next != text.count + 1 { throw unsafe Self.invalidName(in: text, at: next) }
        if let forgotten { throw VerificationError.unsignedHeader(forgotten) }
      }
    }

    /// Whether a name stands at a position of a text, up to a semicolon or the end.
    private static func isName(
      _ name: UnsafeRawBufferPointer, at start: Int, of text: UnsafeRawBufferPointer
    ) -> Bool {
      let end = start + name.count
      if end > text.count { return false }
      // Safety: the range is one of the text.
      let isSame = unsafe BytewiseOrder.compare(text.part(start..<end), name) == 0
      return unsafe isSame && (end == text.count || text[end] == ASCIIByte.semicolon)
    }

    /// What is wrong with the names of signed headers: they are not in order, or that at a position, the
    /// first that was not found, is not in the request.
    private static func invalidName(
      in text: UnsafeRawBufferPointer, at position: Int
    ) -> VerificationError {
      do throws(VerificationError) {
        try unsafe checkOrder(of: SignedHeaderNames(rest: text))
      } catch {
        return error
      }
      // Safety: the position is in the text, or at its end.
      var names = unsafe SignedHeaderNames(rest: text.part(position..<text.count))
      let name = unsafe names.next().map { unsafe UTF8Text.quoted($0) } ?? ""
      return VerificationError(
        .invalidSignedHeaders,
        "the header \(name) is signed, and the request does not have it; look for a proxy that removes it"
      )
    }

    /// Each name comes after the one before it.
    private static func checkOrder(of names: SignedHeaderNames) throws(VerificationError) {
      // Safety: the names are read only.
      var names = unsafe names
      var previous = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
      while let name = unsafe names.next() {
        let isLowercaseToken = unsafe name.allSatisfy {
          ASCIIByte.isTokenCharacter($0) && ASCIIByte.lowercased($0) == $0
        }
        // Nothing precedes an empty name.
        if unsafe !isLowercaseToken || !BytewiseOrder.precedes(previous, name) {
          throw unsafe VerificationError(
            .invalidSignedHeaders,
            "the names of the signed headers are not lowercase, sorted and each there once: look at "
              + "\(UTF8Text.quoted(name)) after \(UTF8Text.quoted(previous))")
        }
        unsafe previous = name
      }
    }

    /// `host`, `x-amz-*` and most often `content-type` have to be signed, but for a session token that is
    /// added after signing.
    private static func mustBeSigned(
      _ name: UnsafeRawBufferPointer, _ rule: Service.SessionTokenRule, _ leavesContentType: Bool
    ) -> Bool {
      // Safety: the name is read only.
      func isName(_ other: StaticString) -> Bool {
        unsafe BytewiseOrder.compare(name, other.bytesInUTF8) == 0
      }
      let mustBeSigned =
        unsafe name.starts(with: "x-amz-".utf8) || isName("host")
        || !leavesContentType && isName("content-type")
      return mustBeSigned && (rule.isSigned || !isName(rule.header))
    }
  }

  /// The names between semicolons; of nothing, an empty one.
  @unsafe
  private struct SignedHeaderNames {
    var rest: UnsafeRawBufferPointer?

    mutating func next() -> UnsafeRawBufferPointer? {
      // Safety: both parts are inside of the rest.
      guard let text = unsafe rest else { return nil }
      let end = unsafe text.firstIndex(of: ASCIIByte.semicolon)
      unsafe rest = end.map { unsafe UnsafeRawBufferPointer(rebasing: text[($0 + 1)...]) }
      return unsafe UnsafeRawBufferPointer(rebasing: text[..<(end ?? text.endIndex)])
    }
  }
}
