// SPDX-License-Identifier: Apache-2.0
// A request whose signature is proved: what was signed, and what remains to be checked, its body.

public import RequestSigning
public import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// A request whose signature is the right one. Its body is not checked yet: that is what
  /// ``body(_:)`` and ``payloadCheck()`` are for, and they take the value, which cannot be copied.
  @frozen  // so that a part of it can be consumed, with library evolution too
  public struct VerifiedRequest: ~Copyable, Sendable {
    /// Who signed, for what, and when: proved from here on.
    public let claim: Claim

    /// The canonical request.
    public let canonicalRequest: CanonicalRequest

    /// The string to sign.
    public let stringToSign: StringToSign

    let check: PayloadCheck

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
        let rule = claim.parts.service.pathRule
        let message = claim.parts.message
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
            throw VerificationError.dotSegment(claim.parts.service)
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
      let message = claim.parts.message
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
      let message = claim.parts.message
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
        "the \(part) of the request is not UTF-8, so two that differ would be read as the same text; "
          + "look for a client that encodes names in another way, or read canonicalRequest.bytes")
    }

    /// Checks a body that is in memory, and returns it: decoded when it was sent in chunks.
    ///
    /// Throws `bodyMismatch`, and what ``ChunkVerifier`` throws.
    public consuming func body(
      _ bytes: some Collection<UInt8>
    ) throws(VerificationError) -> [UInt8] {
      switch payloadCheck() {
      case .unsigned: return Array(bytes)
      case .digest(let check):
        try check.finish(SHA256.hash(data: bytes))
        return Array(bytes)
      case .chunks(var chunks):
        var decoded: [UInt8] = []
        try chunks.update(bytes, into: &decoded)
        _ = try chunks.finish()
        return decoded
      }
    }

    /// What has to be done with the body, for one that arrives in portions.
    public consuming func payloadCheck() -> PayloadCheck { check }
  }

  /// What has to be done with the body of a verified request.
  public enum PayloadCheck: ~Copyable, Sendable {
    /// Nothing: the signature does not cover the body, and the policy accepts that.
    case unsigned
    /// Hash the body, and compare.
    case digest(DigestVerifier)
    /// Take the body out of its chunks.
    case chunks(ChunkVerifier)
  }

  /// Compares the digest of a body with the one that was signed.
  ///
  ///     while let portion = read() { digest.update(portion) }
  ///     try digest.finish()       // before anything of the body is believed
  public struct DigestVerifier: ~Copyable, Sendable {
    let expected: SHA256.Digest?
    var function = SHA256()

    init(expected: SHA256.Digest?) {
      self.expected = expected
    }

    /// Takes the next bytes of the body.
    public mutating func update(_ bytes: some Collection<UInt8>) {
      function.update(data: bytes)
    }

    /// Takes the next bytes of the body.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
      unsafe function.update(bufferPointer: bytes)
    }

    /// Ends the body. Throws `bodyMismatch` when it is another one than was signed.
    public consuming func finish() throws(VerificationError) {
      let digest = function.finalize()
      try finish(digest)
    }

    /// Takes the digest of the whole body, computed elsewhere. Throws `bodyMismatch`.
    public consuming func finish(_ digest: SHA256.Digest) throws(VerificationError) {
      guard let expected, ConstantTime.equal(digest, expected) else { throw .bodyMismatch }
    }
  }
}
