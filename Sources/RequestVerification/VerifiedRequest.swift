// SPDX-License-Identifier: Apache-2.0
// A request whose signature is proved: what was signed, and what remains to be checked, its body.

public import RequestSigning
internal import SigningSupport

extension SigV4 {
  /// A request with a valid signature. Its body isn't verified yet: call ``body(_:)`` or ``bodyVerifier()``,
  /// which consume the value.
  @frozen  // so that a part of it can be consumed, with library evolution too
  public struct VerifiedRequest: ~Copyable, Sendable {
    /// The request, with a signature that is verified now.
    public let request: UnverifiedRequest

    /// The canonical request.
    public let canonicalRequest: CanonicalRequest

    /// The string to sign.
    public let stringToSign: StringToSign

    let verifier: BodyVerifier

    /// The names of the signed headers, lowercase and sorted, separated by ';'. Do not act on others:
    /// they were not signed.
    public var signedHeaders: String { canonicalRequest.signedHeaders }

    /// The segments of the path as it was signed: what stands between its slashes, percent-decoded.
    ///
    /// `/a%20b/c` has two, `/a/` a second one that is empty. For the S3 family an encoded slash is a slash,
    /// since the two have one signature, and `..` is a name like others: do not make paths of files of
    /// its keys. Elsewhere a segment may hold an encoded slash.
    ///
    /// Throws `invalidRequest` when one is not UTF-8, or is an encoded `.` or `..` where services drop
    /// these.
    public var pathSegments: [String] {
      get throws(VerificationError) {
        let rule = request.parts.service.pathRule
        let message = request.parts.message
        let wire = message[message.message.shape.givenPath]
        let path = rule.isNormalized ? wire.span.normalizedPath()[...] : wire
        let isDecodedFirst = !rule.encodesTwice
        let bytes = isDecodedFirst ? URIEncoding.decode(path)[...] : path
        var segments: [String] = []
        for part in bytes.dropFirst().split(
          separator: ASCIIByte.slash, omittingEmptySubsequences: false)
        {
          let segment = isDecodedFirst ? Array(part) : URIEncoding.decode(part)
          if rule.isNormalized && (segment[...].spells(".") || segment[...].spells("..")) {
            throw VerificationError.dotSegment(request.parts.service)
          }
          segments.append(try Self.text(segment, "path"))
        }
        return segments
      }
    }

    /// The values of a parameter of the query, percent-decoded, in canonical order; "" for one without a
    /// value. The parameters of a signature that stands in the query are there too, but for the
    /// signature, and a session token that was added after signing.
    ///
    /// Throws `invalidRequest` when one is not UTF-8.
    public func queryValues(named name: String) throws(VerificationError) -> [String] {
      let encodedName = URIEncoding.encode(name.bytesInUTF8)
      var values: [String] = []
      let message = request.parts.message
      for index in message.message.shape.parameters {
        let parameter = message.message.memory.bytes.span.field(index)
        if !message[parameter.nameRange].elementsEqual(encodedName) { continue }
        let value = URIEncoding.decode(message[parameter.valueRange])
        values.append(try Self.text(value, "query"))
      }
      return values
    }

    /// The value of a signed header, as it was signed: without whitespace at its ends, one space for each
    /// run inside, repeated headers joined by commas. Nil when it was not signed.
    ///
    /// Throws `invalidRequest` when it is not UTF-8.
    public func headerValue(named name: String) throws(VerificationError) -> String? {
      let message = request.parts.message
      var values: [ArraySlice<UInt8>] = []
      for index in message.message.shape.headers {
        let field = message.message.memory.bytes.span.field(index)
        if !ASCIIByte.equalIgnoringCase(message[field.nameRange], name.utf8) { continue }
        values.append(message[field.valueRange])
      }
      if values.isEmpty { return nil }
      return try Self.text(Array(values.joined(separator: [ASCIIByte.comma])), "header \(name)")
    }

    private static func text(
      _ bytes: [UInt8], _ part: String
    ) throws(VerificationError) -> String {
      let text = String(decoding: bytes, as: UTF8.self)
      if text.utf8.elementsEqual(bytes) { return text }
      throw VerificationError(
        .invalidRequest,
        "The \(part) isn't valid UTF-8, so two different values would be read as the same string.",
        fix: "Check how the client encodes it, or use canonicalRequest.bytes.")
    }

    /// Verifies a body in memory, and returns it, decoded if it was sent in chunks.
    ///
    /// Throws `bodyMismatch`, and the errors of ``BodyVerifier``.
    public consuming func body(
      _ bytes: some Collection<UInt8>
    ) throws(VerificationError) -> [UInt8] {
      var verifier = bodyVerifier()
      var body: [UInt8] = []
      try verifier.update(bytes, into: &body)
      _ = try verifier.finish()
      return body
    }

    /// Verifies a body that arrives in portions.
    public consuming func bodyVerifier() -> BodyVerifier { verifier }
  }
}
