// SPDX-License-Identifier: Apache-2.0
// The headers of a received request: what HTTP allows, what may stand there once, what is signed.

internal import DocumentSupport
internal import RequestSigning
internal import S3Signing
internal import SigningSupport

extension SigV4 {
  /// The headers of a received request in canonical form, the host among them.
  struct ReceivedHeaders {
    let fields: HeaderFields
    let canonical: CanonicalHeaders

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
      if fields.count(of: name) > 1 {
        throw VerificationError(
          .repeatedField,
          """
          the header \(name) is given more than once, and others may read another one of them; \
          look for a proxy that adds it, or refuse the client
          """)
      }
      return canonical.bytes[line.value]
    }

    /// Names are tokens (RFC 9110, 5.6.2), and no value can forge a line of the canonical request.
    static func check(_ fields: HeaderFields) throws(VerificationError) {
      for field in fields.fields {
        let name = fields.bytes[field.name]
        if name.isEmpty || !name.allSatisfy(ASCIIByte.isTokenCharacter) {
          throw VerificationError(
            .invalidRequest,
            """
            \(UTF8Text.quoted(name)) is no name of a header (RFC 9110, 5.6.2); leave out what the server \
            adds on its own, such as :path
            """)
        }
        // After folding no tab is left in a value.
        let value = fields.bytes[field.value]
        if value.contains(where: ASCIIByte.isControl) {
          throw VerificationError(
            .invalidRequest,
            """
            the value of the header \(UTF8Text.quoted(name)) has a control character, with which it could \
            pass for several headers; use a server that refuses such requests
            """)
        }
      }
    }

    /// HTTP/2 sends the host as `:authority`, which is signed as `host`.
    static func addAuthority(
      _ authorities: [[UInt8]], to fields: inout HeaderFields
    ) throws(VerificationError) {
      guard let authority = authorities.first else { return }
      var field = HeaderFields()
      field.appendHost(authority)
      try check(field)
      let host = fields.fields.first { fields.bytes[$0.name].elementsEqual("host".utf8) }
      let isContradicted = host.map { host in
        !fields.bytes[host.start..<host.end].elementsEqual(field.bytes)
      }
      if authorities.count > 1 || isContradicted == true {
        throw VerificationError(
          .repeatedField,
          """
          the request names more than one host in :authority and Host, and others may read another \
          one of them; use a server that refuses such requests
          """)
      }
      if host == nil { fields.appendHost(authority) }
    }
  }
}

extension SigV4.HeaderFields {
  /// How many fields have this name.
  func count(of name: StaticString) -> Int {
    // Safety: the names are parts of the bytes.
    unsafe bytes.withUnsafeBytes { bytes in
      fields.reduce(0) { count, field in
        unsafe BytewiseOrder.compare(bytes.part(field.name), name.bytesInUTF8) == 0
          ? count &+ 1 : count
      }
    }
  }
}

extension SigV4.ReceivedHeaders {
  /// The lines of the signed headers, which are named in one text: sorted, in lowercase, each once, all of
  /// them in the request. `leaves` says which others may be there.
  func signed(
    _ names: [UInt8], leaving leaves: (ArraySlice<UInt8>) -> Bool
  ) throws(SigV4.VerificationError) -> SigV4.CanonicalHeaders {
    var rest = canonical.lines[...]
    var signed: [SigV4.FieldRange] = []
    for name in try Self.checkedNames(names) {
      while let line = rest.first, canonical.bytes[line.name].lexicographicallyPrecedes(name) {
        try checkUnsigned(rest.removeFirst(), leaving: leaves)
      }
      guard let line = rest.first, canonical.bytes[line.name].elementsEqual(name) else {
        throw SigV4.VerificationError(
          .invalidSignedHeaders,
          """
          the header \(UTF8Text.quoted(name)) is signed, and the request does not have it; look for a \
          proxy that removes it
          """)
      }
      signed.append(rest.removeFirst())
    }
    for line in rest { try checkUnsigned(line, leaving: leaves) }
    return SigV4.CanonicalHeaders(signed, of: canonical)
  }

  /// The names between semicolons, each after the one before it.
  static func checkedNames(
    _ names: [UInt8]
  ) throws(SigV4.VerificationError) -> [ArraySlice<UInt8>] {
    let parts = names.split(separator: ASCIIByte.semicolon, omittingEmptySubsequences: false)
    var previous: ArraySlice<UInt8> = []
    for name in parts {
      let isLowercaseToken = name.allSatisfy {
        ASCIIByte.isTokenCharacter($0) && ASCIIByte.lowercased($0) == $0
      }
      // Nothing precedes an empty name.
      if !isLowercaseToken || !previous.lexicographicallyPrecedes(name) {
        throw SigV4.VerificationError(
          .invalidSignedHeaders,
          """
          the names of the signed headers are not lowercase, sorted and each there once: look at \
          \(UTF8Text.quoted(name)) after \(UTF8Text.quoted(previous))
          """)
      }
      previous = name
    }
    return parts
  }

  /// `host`, `content-type` and `x-amz-*` have to be signed.
  func checkUnsigned(
    _ line: SigV4.FieldRange, leaving leaves: (ArraySlice<UInt8>) -> Bool
  ) throws(SigV4.VerificationError) {
    let name = canonical.bytes[line.name]
    let mustBeSigned =
      name.starts(with: "x-amz-".utf8) || name.elementsEqual("host".utf8)
      || name.elementsEqual("content-type".utf8)
    if mustBeSigned && !leaves(name) { throw .unsignedHeader(name) }
  }
}
