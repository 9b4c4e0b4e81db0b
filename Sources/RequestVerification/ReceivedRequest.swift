// SPDX-License-Identifier: Apache-2.0
// A request as a server received it: nothing decoded, nothing reordered, nothing believed; and its
// headers, as far as HTTP allows them.

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

    /// The header fields in order, names in lowercase.
    private(set) var fields = HeaderFields()

    /// The values of `:authority`.
    private(set) var authorities: [[UInt8]] = []

    /// A request without headers yet.
    ///
    /// - Parameters:
    ///   - target: path and query as they stood in the request line, neither decoded nor
    ///     normalised.
    ///   - scheme: nil when the server does not know whether TLS was used.
    public init(
      _ method: String, target: some Collection<UInt8>, scheme: Scheme? = nil
    ) {
      self.method = method
      self.scheme = scheme
      self.target = Array(target)
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
    public mutating func append(_ name: some Collection<UInt8>, _ value: some Collection<UInt8>) {
      if ASCIIByte.equalIgnoringCase(name, ":authority".utf8) {
        authorities.append(Array(value))
      } else {
        // Safety: the bytes are copied before the closures end.
        unsafe Array(name).withUnsafeBytes { name in
          unsafe Array(value).withUnsafeBytes { value in unsafe fields.append(name, value) }
        }
      }
    }

    /// The path on the wire: what stands before the first '?'.
    var path: ArraySlice<UInt8> { target.prefix { $0 != ASCIIByte.questionMark } }

    /// What stands after the first '?'.
    var query: ArraySlice<UInt8> { target[path.endIndex...].dropFirst() }

    /// ' ', '#' and '\': readers of URLs end a path there, or take it for '/'.
    private static let neverInTargets: [UInt8] = [ASCIIByte.space, 0x23, ASCIIByte.backslash]

    /// Refuses a request line in which no signature can be looked for, or that others may read in another
    /// way (RFC 9112, 3.2).
    func checkRequestLine() throws(VerificationError) {
      if method.utf8.isEmpty || !method.utf8.allSatisfy(ASCIIByte.isTokenCharacter) {
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
      let offset = target.firstIndex { ASCIIByte.isControl($0) || Self.neverInTargets.contains($0) }
      if let offset {
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
    private let canonical: CanonicalHeaders

    init(_ request: ReceivedRequest) throws(VerificationError) {
      var fields = request.fields
      try Self.check(fields)
      try Self.addAuthority(request.authorities, to: &fields)
      self.fields = fields
      canonical = CanonicalHeaders(fields)
    }

    /// The value of a header that may be given once, or nil.
    func value(of name: StaticString) throws(VerificationError) -> ArraySlice<UInt8>? {
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
      return canonical.bytes[line.value]
    }

    /// Names are tokens (RFC 9110, 5.6.2), and no value can forge a line of the canonical request.
    private static func check(_ fields: HeaderFields) throws(VerificationError) {
      for field in fields.fields {
        let name = fields.bytes[field.name]
        if name.isEmpty || !name.allSatisfy(ASCIIByte.isTokenCharacter) {
          throw VerificationError(
            .invalidRequest,
            "\(UTF8Text.quoted(name)) is not the name of a header (RFC 9110, 5.6.2); leave out what "
              + "the server adds on its own, such as :path")
        }
        // After folding no tab is left in a value.
        if fields.bytes[field.value].contains(where: ASCIIByte.isControl) {
          throw VerificationError(
            .invalidRequest,
            "the value of the header \(UTF8Text.quoted(name)) has a control character, with which it "
              + "could pass for several headers; use a server that refuses such requests")
        }
      }
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

    /// The lines of the signed headers, which are named in one text: sorted, in lowercase, each
    /// once, all of them in the request. `leaves` says which others may be there.
    func signed(
      _ names: [UInt8], leaving leaves: (ArraySlice<UInt8>) -> Bool
    ) throws(VerificationError) -> CanonicalHeaders {
      var rest = canonical.lines[...]
      var signed: [FieldRange] = []
      for name in try Self.checkedNames(names) {
        while let line = rest.first, canonical.bytes[line.name].lexicographicallyPrecedes(name) {
          try checkUnsigned(rest.removeFirst(), leaving: leaves)
        }
        guard let line = rest.first, canonical.bytes[line.name] == name else {
          throw VerificationError(
            .invalidSignedHeaders,
            "the header \(UTF8Text.quoted(name)) is signed, and the request does not have it; look "
              + "for a proxy that removes it")
        }
        signed.append(rest.removeFirst())
      }
      for line in rest { try checkUnsigned(line, leaving: leaves) }
      return CanonicalHeaders(signed, of: canonical)
    }

    /// The names between semicolons, each after the one before it.
    private static func checkedNames(
      _ names: [UInt8]
    ) throws(VerificationError) -> [ArraySlice<UInt8>] {
      let parts = names.split(separator: ASCIIByte.semicolon, omittingEmptySubsequences: false)
      var previous: ArraySlice<UInt8> = []
      for name in parts {
        let isLowercaseToken = name.allSatisfy {
          ASCIIByte.isTokenCharacter($0) && ASCIIByte.lowercased($0) == $0
        }
        // Nothing precedes an empty name.
        if !isLowercaseToken || !previous.lexicographicallyPrecedes(name) {
          throw VerificationError(
            .invalidSignedHeaders,
            "the names of the signed headers are not lowercase, sorted and each there once: look at "
              + "\(UTF8Text.quoted(name)) after \(UTF8Text.quoted(previous))")
        }
        previous = name
      }
      return parts
    }

    /// `host`, `content-type` and `x-amz-*` have to be signed.
    private func checkUnsigned(
      _ line: FieldRange, leaving leaves: (ArraySlice<UInt8>) -> Bool
    ) throws(VerificationError) {
      let name = canonical.bytes[line.name]
      let mustBeSigned =
        name.starts(with: "x-amz-".utf8) || name.spells("host") || name.spells("content-type")
      if mustBeSigned && !leaves(name) { throw .unsignedHeader(name) }
    }
  }
}
