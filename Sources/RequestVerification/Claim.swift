// SPDX-License-Identifier: Apache-2.0
// What a request claims, waiting for the key that proves it or does not; and what remains to be
// checked of a request whose signature is proved: its body.

public import RequestSigning
public import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// What a signed request claims. It proves nothing: find the key, and ``verify(with:bodyDigest:)``.
  public struct Claim: Sendable {
    /// Who claims to have signed, in visible ASCII.
    public var accessKeyID: String { signer.accessKeyID }

    /// The day, region and service of the key that is needed. They are ones that the policy accepts.
    public var scope: CredentialScope { signer.scope }

    /// Where the signature stands.
    public let mechanism: Mechanism

    /// When the request claims to have been signed.
    public let timestamp: Timestamp

    /// When a presigned URL ends; nil for others.
    public let expiration: Timestamp?

    let signer: ClaimedSigner
    let service: Service
    let payload: PayloadClaim

    let method: String
    let path: Path
    let query: Query
    let signedHeaders: CanonicalHeaders

    /// The session token that was sent, for look-ups that go by it. Secret, and not proved.
    public var sessionToken: String? { signer.sessionToken }

    /// Whether the signature covers the digest of a body that no header names, so that it cannot be
    /// verified before the body is there: use ``verify(with:bodyDigest:)``.
    public var needsBodyDigest: Bool {
      if case .undeclared = payload { true } else { false }
    }

    /// Proves the claim with the credentials of ``accessKeyID``, and, where it is given, that the
    /// body has this digest.
    ///
    /// Throws `signatureMismatch`; `sessionTokenMismatch` when the token is not that of the
    /// credentials, or is missing; `credentialsExpired`; `wrongKey` for those of another access key
    /// ID; `bodyDigestRequired`; and `bodyMismatch` when a header names another digest.
    public func verify(
      with credentials: Credentials, bodyDigest: SHA256.Digest? = nil
    ) throws(VerificationError) -> VerifiedRequest {
      let token = credentials.identity.sessionTokenBytes
      return try verify(signer.signingKey(of: credentials), token, bodyDigest)
    }

    /// Proves the claim with a signing key for ``scope``, the session token that belongs to it, and,
    /// where it is given, that the body has this digest.
    ///
    /// Throws what ``verify(with:bodyDigest:)`` throws.
    public func verify(
      with key: SigningKey, sessionToken: String? = nil, bodyDigest: SHA256.Digest? = nil
    ) throws(VerificationError) -> VerifiedRequest {
      try verify(key, sessionToken.map { SymmetricKey(data: $0.utf8) }, bodyDigest)
    }

    /// What to throw when the access key ID is not known.
    public var unknownAccessKey: VerificationError { signer.unknownAccessKey }
  }
}

extension SigV4.Claim {
  private func verify(
    _ key: SigV4.SigningKey, _ expectedToken: SymmetricKey?, _ bodyDigest: SHA256.Digest?
  ) throws(SigV4.VerificationError) -> SigV4.VerifiedRequest {
    try signer.checkOwner(key.accessKeyID, key.scope)
    let canonicalRequest = try canonicalRequest(bodyDigest)
    // SigV4, step 3.
    let text: UTF8Text = """
      \(SigV4.SignatureAlgorithm.hmacSHA256.name)
      \(timestamp.textBytes)
      \(scope.byteString)
      \(canonicalRequest.digest.hexadecimal)
      """
    let stringToSign = SigV4.StringToSign(bytes: text.bytes)
    if !signer.isSignature(key.signature(of: stringToSign)) {
      throw mismatch(canonicalRequest, stringToSign)
    }
    try signer.checkToken(expectedToken)
    return SigV4.VerifiedRequest(
      claim: self, canonicalRequest: canonicalRequest, stringToSign: stringToSign,
      check: try payloadCheck(key, bodyDigest))
  }

  /// SigV4, step 1, as the signer takes it.
  private func canonicalRequest(
    _ bodyDigest: SHA256.Digest?
  ) throws(SigV4.VerificationError) -> SigV4.CanonicalRequest {
    var buffer = SigV4.SigningBuffer()
    buffer.writeHeaders(signedHeaders, leavingOut: .none)
    buffer.writeCanonicalRequest(
      method, path, service.pathRule, query, try signedPayload(bodyDigest))
    return buffer.canonicalRequest
  }

  private func signedPayload(
    _ bodyDigest: SHA256.Digest?
  ) throws(SigV4.VerificationError) -> SigV4.Payload {
    switch payload {
    case .digest(let digest): return .digest(digest)
    case .unsigned: return .unsigned
    case .chunks(let announcement):
      return SigV4.Payload(kind: .literal(announcement.kind.rawValue))
    case .undeclared:
      if let bodyDigest { return .digest(bodyDigest) }
      throw SigV4.VerificationError(
        .bodyDigestRequired,
        "the signature covers the digest of a body that no header names; read the body, and give "
          + "verify(with:bodyDigest:) the digest of it, also of an empty one")
    }
  }

  private func payloadCheck(
    _ key: SigV4.SigningKey, _ bodyDigest: SHA256.Digest?
  ) throws(SigV4.VerificationError) -> SigV4.PayloadCheck {
    switch payload {
    case .unsigned: return .unsigned
    case .undeclared: return .digest(SigV4.DigestVerifier(expected: bodyDigest))
    case .digest(let digest):
      if let bodyDigest, bodyDigest != digest { throw .bodyMismatch }
      return .digest(SigV4.DigestVerifier(expected: digest))
    case .chunks(let announcement):
      let seed = SigV4.Signature(digest: signer.signature)
      return .chunks(
        SigV4.ChunkVerifier(announcement, seed: seed, key: key, at: timestamp))
    }
  }

  private func mismatch(
    _ canonicalRequest: SigV4.CanonicalRequest, _ stringToSign: SigV4.StringToSign
  ) -> SigV4.VerificationError {
    SigV4.VerificationError(
      .signatureMismatch,
      "the signature of \(UTF8Text.quoted(accessKeyID)) for \(scope.text) is not the one of this "
        + "request; compare the canonical request of the answer with the client's, and look for "
        + "a proxy that changes paths or headers",
      elements: [
        ("AWSAccessKeyId", accessKeyID), ("SignatureProvided", signer.signature.hexadecimal),
      ], canonicalRequest: canonicalRequest, stringToSign: stringToSign)
  }
}

extension SigV4.Claim: Equatable, CustomStringConvertible {
  /// Whether two claims say the same of the same request.
  public static func == (left: Self, right: Self) -> Bool {
    left.signer == right.signer && left.service == right.service && left.payload == right.payload
      && left.mechanism == right.mechanism && left.timestamp == right.timestamp
      && left.expiration == right.expiration && left.method == right.method
      && left.path == right.path && left.query.bytes == right.query.bytes
      && left.signedHeaders.lines.map { left.signedHeaders.bytes[$0.whole] }
        == right.signedHeaders.lines.map { right.signedHeaders.bytes[$0.whole] }
  }

  /// Access key ID and scope. Neither token nor signature.
  public var description: String {
    "Claim(\(accessKeyID), \(scope.text), \(timestamp.text))"
  }
}

extension SigV4.Claim: Redacted {}

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
