// SPDX-License-Identifier: Apache-2.0
// A request with a valid signature: its signed parts, and its body, which is yet to be verified.

public import RequestSigning
public import SecureHashing

extension SigV4 {
  /// A request with a valid signature.
  ///
  /// Its body isn't verified yet. Call ``body(_:)`` or ``bodyVerifier()``, which consume the value.
  @frozen  // so that parts of it can be consumed, also with library evolution
  public struct VerifiedRequest: ~Copyable, Sendable {
    /// The request, whose signature is now verified.
    public let request: UnverifiedRequest

    /// The canonical request.
    public let canonicalRequest: CanonicalRequest

    /// The string to sign.
    public let stringToSign: StringToSign

    let key: VerificationKey

    /// The digest of the body, if the caller knows it already.
    let bodyDigest: SHA256.Digest?

    /// The names of the signed headers, lowercase and sorted, separated by `;`. Don't act on any
    /// other header.
    public var signedHeaders: String { canonicalRequest.signedHeaders }

    /// The segments of the signed path, between the slashes, percent-decoded.
    ///
    /// `/a%20b/c` has two segments. The second segment of `/a/` is empty. For the S3 family, an
    /// encoded slash separates segments too, because both forms have the same signature, and `..`
    /// is an ordinary name: don't use object keys as file paths. For other services, a segment may
    /// contain an encoded slash.
    ///
    /// - Throws: `invalidRequest` if a segment isn't valid UTF-8, or if it's an encoded `.` or `..`
    ///   and the service normalizes paths.
    public var pathSegments: [String] {
      get throws(VerificationError) {
        let rule = request.claim.service.pathRule
        let wire = request.claim.message[request.claim.message.shape.givenPath]
        let path = rule.isNormalized ? wire.span.normalizedPath()[...] : wire
        let isDecodedFirst = !rule.encodesTwice
        let bytes = isDecodedFirst ? URIEncoding.decode(path)[...] : path
        var segments: [String] = []
        for part in bytes.dropFirst().split(
          separator: ASCIIByte.slash, omittingEmptySubsequences: false)
        {
          let segment = isDecodedFirst ? Array(part) : URIEncoding.decode(part)
          if rule.isNormalized && (segment[...].spells(".") || segment[...].spells("..")) {
            throw VerificationError.dotSegment(request.claim.service)
          }
          segments.append(try Self.text(segment, "path"))
        }
        return segments
      }
    }

    /// Returns the values of a query parameter.
    ///
    /// They're percent-decoded and in canonical order. If a parameter has no value, it's "". For a
    /// presigned URL, signature parameters are included, except the signature itself and a session
    /// token that was added after signing.
    ///
    /// - Throws: `invalidRequest` if a value isn't valid UTF-8.
    public func queryValues(named name: String) throws(VerificationError) -> [String] {
      let encodedName = URIEncoding.encode(name.bytesInUTF8)
      var values: [String] = []
      for parameter in request.claim.message.parameters {
        if !parameter.name.elementsEqual(encodedName) { continue }
        values.append(try Self.text(URIEncoding.decode(parameter.value), "query"))
      }
      return values
    }

    /// Returns the value of a signed header, or nil if the header isn't signed.
    ///
    /// It's the canonical value: without leading and trailing whitespace, with single spaces
    /// instead of runs, and with the values of repeated headers joined by commas.
    ///
    /// - Throws: `invalidRequest` if the value isn't valid UTF-8.
    public func headerValue(named name: String) throws(VerificationError) -> String? {
      let values = request.claim.message.headers
        .filter { ASCIIByte.equalIgnoringCase($0.name, name.utf8) }.map(\.value)
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

    /// Verifies a body in memory, and returns it. If it was sent in chunks, returns the decoded
    /// body.
    ///
    /// - Throws: `bodyMismatch`, or the errors of ``BodyVerifier``.
    public consuming func body(
      _ bytes: some Collection<UInt8>
    ) throws(VerificationError) -> [UInt8] {
      var verifier = bodyVerifier()
      var body: [UInt8] = []
      try verifier.update(bytes, into: &body)
      _ = try verifier.finish()
      return body
    }

    /// Returns a verifier for a body that arrives in portions.
    public consuming func bodyVerifier() -> BodyVerifier {
      switch request.signed.payload {
      case .undeclared: BodyVerifier(.digest(DigestVerifier(digits: bodyDigest?.hexString ?? "")))
      case .digest:
        BodyVerifier(
          .digest(DigestVerifier(digits: request.claim.text(request.signed.declaredPayload))))
      case .unsigned: BodyVerifier(.unsigned)
      case .chunks(let announcement):
        BodyVerifier(.chunks(ChunkVerifier(announcement, of: request.claim, by: key)))
      }
    }
  }
}
