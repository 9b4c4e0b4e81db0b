// SPDX-License-Identifier: Apache-2.0
// The headers of a received request, as far as HTTP allows them.

internal import RequestSigning
internal import SigningSupport

extension SigV4 {
  /// The headers of a received request in canonical form, the host among them.
  struct ReceivedHeaders {
    let fields: HeaderFields

    /// One line for each name: of all headers, or of the signed ones.
    var canonical: CanonicalHeaders

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
  }
}
