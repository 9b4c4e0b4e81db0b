// SPDX-License-Identifier: Apache-2.0
// A request whose signature isn't verified yet. Everything that doesn't need a key is checked.

public import RequestSigning
public import SecureHashing

extension SigV4 {
  /// A signed request whose signature isn't verified yet.
  ///
  /// Look up the credentials of ``accessKeyID``, and call ``verify(with:bodyDigest:)``.
  public struct UnverifiedRequest: Sendable {
    /// The access key ID in the request, in visible ASCII.
    public var accessKeyID: String { claim.accessKeyID }

    /// The signature algorithm, one that the verifier accepts. It determines the kind of key you
    /// need.
    public var algorithm: Verifier.Algorithm { claim.algorithm }

    /// The day, region and service of the key you need. The verifier accepts the region and
    /// service.
    public var scope: CredentialScope { claim.scope }

    /// The region set, such as `*` or `eu-west-1,us-*`, which includes a region that the verifier
    /// accepts. Nil if the scope has a region.
    public var regionSet: String? { signed.regionSet.map { claim.text($0) } }

    /// The location of the signature.
    package var signatureLocation: SignatureLocation { claim.source.location }

    /// The time of the signature, according to the request.
    public var timestamp: Timestamp { claim.timestamp }

    /// The expiration of a presigned URL. Nil for other requests.
    public var expiration: Timestamp? { signed.expiration }

    let claim: Claim
    let signed: SignedParts

    /// The session token in the request, if your look-up needs it. It's secret, and not verified
    /// yet.
    public var sessionToken: String? { claim.sessionToken }

    /// Whether the signature covers a body hash that no header contains. If so, pass the digest of
    /// the body to ``verify(with:bodyDigest:)``. Otherwise, verify the body with
    /// ``SigV4/VerifiedRequest/body(_:)``.
    public var needsBodyDigest: Bool {
      if case .undeclared = signed.payload { true } else { false }
    }

    /// Whether the signature covers the hash of the whole body, in a header or not.
    var coversBodyDigest: Bool {
      switch signed.payload {
      case .undeclared, .digest: true
      case .unsigned, .chunks: false
      }
    }

    /// Verifies the signature with the credentials of ``accessKeyID``.
    ///
    /// - Parameters:
    ///   - credentials: the credentials of ``accessKeyID``.
    ///   - bodyDigest: the digest of the received body. It's required if ``needsBodyDigest`` is
    ///     true.
    /// - Throws: `signatureMismatch`, `sessionTokenMismatch` if the session token is missing or
    ///   doesn't belong to the credentials, `credentialsExpired`, `wrongKey` for a different access
    ///   key ID, `bodyDigestRequired`, `bodyMismatch` if a header contains a different hash, or
    ///   `bodyNotCovered` if you pass a digest but the body is unsigned or sent in chunks.
    public consuming func verify(
      with credentials: Credentials, bodyDigest: SHA256.Digest? = nil
    ) throws(VerificationError) -> VerifiedRequest {
      try check(.hmacSHA256(algorithm.names))
      let key = try claim.signingKey(of: credentials)
      return try verify(.code(key), credentials.identity.sessionTokenBytes, bodyDigest)
    }

    /// Verifies the signature with a signing key for ``scope``.
    ///
    /// A signing key has no expiration, so check that its credentials haven't expired first.
    ///
    /// - Parameters:
    ///   - key: the signing key for ``scope``.
    ///   - sessionToken: the session token of its credentials. Pass nil or an empty string if there
    ///     is no token.
    ///   - bodyDigest: the digest of the received body. It's required if ``needsBodyDigest`` is
    ///     true.
    /// - Throws: The errors of ``verify(with:bodyDigest:)`` except `credentialsExpired`.
    public consuming func verify(
      with key: SigningKey, sessionToken: String? = nil, bodyDigest: SHA256.Digest? = nil
    ) throws(VerificationError) -> VerifiedRequest {
      try check(.hmacSHA256(algorithm.names))
      try claim.check(key)
      return try verify(.code(key), Claim.token(sessionToken), bodyDigest)
    }

    /// Verifies a signature of a different algorithm with a closure.
    ///
    /// - Throws: The errors of ``verify(with:bodyDigest:)``.
    package consuming func verify(
      _ algorithm: Verifier.Algorithm, of identity: Identity, bodyDigest: SHA256.Digest?,
      isSignature: @escaping @Sendable (_ signature: [UInt8], _ stringToSign: [UInt8]) -> Bool
    ) throws(VerificationError) -> VerifiedRequest {
      try check(algorithm)
      try claim.check(identity)
      return try verify(.judge(isSignature), identity.sessionTokenBytes, bodyDigest)
    }

    /// The error to throw if you don't recognize the access key ID.
    public var unknownAccessKey: VerificationError { claim.unknownAccessKey }
  }
}

extension SigV4 {
  /// Checks whether a signature matches a string to sign.
  @usableFromInline enum VerificationKey: Sendable {
    /// A key that computes the expected signature.
    case code(SigningKey)
    /// A closure that verifies signatures with a public key.
    case judge(@Sendable (_ signature: [UInt8], _ stringToSign: [UInt8]) -> Bool)

    /// Returns whether the digits of a signature match a string to sign.
    func isSignature(
      _ digits: TextSpan, of stringToSign: TextSpan, _ algorithm: Verifier.Algorithm
    ) -> Bool {
      switch self {
      // In constant time.
      case .code(let key): key.signature(of: stringToSign).isSpelled(by: digits)
      case .judge(let isSignature):
        algorithm.signature(digits).map { isSignature($0.bytes, stringToSign.array) } ?? false
      }
    }

    /// Returns the claimed signature if it matches a string to sign, or nil.
    func signature(_ claimed: Signature?, of stringToSign: [UInt8]) -> Signature? {
      guard let claimed else { return nil }
      let isRight =
        switch self {
        // In constant time.
        case .code(let key): claimed == key.signature(of: stringToSign)
        case .judge(let isSignature): isSignature(claimed.bytes, stringToSign)
        }
      return isRight ? claimed : nil
    }
  }
}

extension SigV4.UnverifiedRequest {
  /// Checks that the key is for the request's algorithm.
  func check(_ keyAlgorithm: SigV4.Verifier.Algorithm) throws(SigV4.VerificationError) {
    if keyAlgorithm == algorithm { return }
    throw SigV4.VerificationError(
      .wrongKey,
      "The request is signed with \(algorithm.name), but the key is for \(keyAlgorithm.name).",
      fix: "Check the request's algorithm before you look up a key.")
  }

  @inline(__always)
  private consuming func verify(
    _ key: SigV4.VerificationKey, _ expectedToken: SymmetricKey?, _ bodyDigest: SHA256.Digest?
  ) throws(SigV4.VerificationError) -> SigV4.VerifiedRequest {
    let steps = SigV4.ReceivedSteps(
      claim.message.shape, claim.message.memory.bytes.span,
      claim.service.pathRule, try signedPayload(bodyDigest),
      algorithm.staticName,
      scope: claim.message.memory.bytes.span.extracting(claim.credential.scopeText), at: timestamp)
    let isRight = steps.stringToSign.withText {
      key.isSignature(
        claim.message.memory.bytes.span.extracting(claim.signature), of: $0, claim.algorithm)
    }
    if !isRight { throw mismatch(steps) }
    try claim.checkToken(expectedToken)
    try checkBodyDigest(bodyDigest)
    return SigV4.VerifiedRequest(
      request: self, canonicalRequest: steps.canonicalRequest, stringToSign: steps.stringToSign,
      key: key, bodyDigest: bodyDigest)
  }

  /// Returns the last line of the canonical request. If the request declares it, it's compared as
  /// it was received.
  private func signedPayload(
    _ bodyDigest: SHA256.Digest?
  ) throws(SigV4.VerificationError) -> SigV4.ReceivedSteps.Payload {
    switch signed.payload {
    case .digest, .chunks: return .text(signed.declaredPayload)
    case .unsigned: return .payload(.unsigned)
    case .undeclared:
      if let bodyDigest { return .payload(.digest(bodyDigest)) }
      throw SigV4.VerificationError(
        .bodyDigestRequired,
        "The signature covers a body hash that no header contains.",
        fix: "Read the body, and pass its digest to verify(with:bodyDigest:), even if it's empty.")
    }
  }

  /// Checks a body's digest, if there is one, against the headers.
  private func checkBodyDigest(_ bodyDigest: SHA256.Digest?) throws(SigV4.VerificationError) {
    guard let bodyDigest else { return }
    switch signed.payload {
    case .undeclared: return
    case .digest:
      let digits = claim.message.memory.bytes.span.extracting(signed.declaredPayload)
      let isSame = unsafe digits.withUnsafeBytes { unsafe bodyDigest.isSpelled(by: $0) }
      if !isSame { throw .bodyMismatch }
    case .unsigned: throw .bodyNotCovered("doesn't cover the body")
    case .chunks: throw .bodyNotCovered("covers the body chunk by chunk")
    }
  }

  private func mismatch(_ steps: SigV4.ReceivedSteps) -> SigV4.VerificationError {
    let missing = signed.missingHeader.map { claim.text($0) }
    return SigV4.VerificationError(
      .signatureMismatch,
      "The signature of \(UTF8Text.quoted(claim.shownAccessKeyID)) for \(scope.text) "
        + "doesn't match this request"
        + (missing.map { ", which lacks the signed header \(UTF8Text.quoted($0))." } ?? "."),
      fix: missing == nil
        ? "Compare the response's canonical request with the client's, and check for a proxy that "
          + "changes paths or headers."
        : "Check for a proxy that removes it.",
      elements: [
        ("AWSAccessKeyId", claim.shownAccessKeyID),
        ("SignatureProvided", claim.text(claim.signature)),
      ], canonicalRequest: steps.canonicalRequest, stringToSign: steps.stringToSign)
  }
}

extension SigV4.UnverifiedRequest: Equatable, CustomStringConvertible {
  /// Whether both are the same request with the same signature.
  public static func == (left: Self, right: Self) -> Bool {
    left.claim == right.claim && left.signed.expiration == right.signed.expiration
      && left.signed.payload == right.signed.payload
      && left.claim.message[left.signed.declaredPayload]
        == right.claim.message[right.signed.declaredPayload]
      && left.claim.message.isSame(as: right.claim.message)
  }

  /// The access key ID, scope and time, without the token and signature.
  public var description: String {
    "UnverifiedRequest(\(claim.shownAccessKeyID), \(scope.text), \(timestamp.text))"
  }
}

extension SigV4.UnverifiedRequest: Redacted {}

extension SigV4 {
  /// The parts of an unverified request that forms don't have.
  struct SignedParts: Sendable {
    let expiration: Timestamp?

    /// The region set. Nil if the scope has a region.
    let regionSet: Range<Int>?
    let payload: PayloadClaim

    /// The value of x-amz-content-sha256, or empty if it's missing.
    let declaredPayload: Range<Int>

    /// The name of the first signed header that the request doesn't have. It's signed as an empty
    /// header.
    let missingHeader: Range<Int>?
  }
}

extension SigV4.UnverifiedRequest {
  /// Reads a request, and checks everything that doesn't need a key.
  init(
    _ request: consuming SigV4.ReceivedRequest, _ verifier: borrowing SigV4.Verifier,
    at now: SigV4.Timestamp
  ) throws(SigV4.VerificationError) {
    try request.checkRequestLine()
    try request.readFields(plus: verifier.plusInQueries)
    let fields = try SigV4.SignatureFields(&request, verifier)
    let credential = try SigV4.ClaimedCredential(
      fields.credential, in: request.message.memory.bytes.span, fields.algorithm, fields.source)
    let service = try verifier.service(
      of: credential.scope, in: request.message.memory.bytes.span,
      hasS3SessionToken: fields.hasS3SessionToken, fields.source)
    let token = try fields.token(
      in: request.message.memory.bytes.span, service.sessionTokenRule, verifier)
    let life = try SigV4.ClaimedLife(
      fields, request.message.memory.bytes.span, credential, service, verifier, at: now)
    let isChunkEncoded = service.isObjectStorage && request.hasChunkEncoding
    // From here on, unsigned headers are ignored.
    let missingHeader = try request.keepSigned(fields, service, verifier)
    let regionSet = try fields.regions(in: request.message.memory.bytes.span)
    try verifier.check(
      regionSet, credential.scope, in: request.message.memory.bytes.span, fields.source)
    let payload = try SigV4.PayloadClaim(
      fields, request, isChunkEncoded: isChunkEncoded, service, verifier)
    if service.isObjectStorage {
      try request.message.checkNamedChecksum(fields.source.location)
    }
    try request.checkPath(service, verifier, fields.source.location)
    // Services that encode paths once decode them first, so the verifier's setting applies.
    let isPlusLiteral = service.pathRule.encodesTwice
    request.readPath(plus: isPlusLiteral ? .literal : verifier.plusSignInPaths)
    fields.removeUnsignedParameters(of: &request.message, service.sessionTokenRule)
    signed = SigV4.SignedParts(
      expiration: life.expiration, regionSet: regionSet, payload: payload,
      declaredPayload: fields.contentSHA256 ?? 0..<0, missingHeader: missingHeader)
    claim = SigV4.Claim(
      message: request.message, source: fields.source, algorithm: fields.algorithm,
      credential: credential, signature: fields.signature, token: token, timestamp: life.timestamp,
      checkTime: now, service: service)
  }
}

extension SigV4.ReceivedRequest {
  /// Removes unsigned headers, and returns the name of the first signed header that's missing.
  fileprivate mutating func keepSigned(
    _ fields: SigV4.SignatureFields, _ service: borrowing SigV4.Service,
    _ verifier: borrowing SigV4.Verifier
  ) throws(SigV4.VerificationError) -> Range<Int>? {
    // If it's present but unsigned, `keepSigned` rejects it.
    let host = try value(of: .host)
    let rule = SigV4.UnsignedHeaderRule(
      location: fields.source.location, tokenRule: service.sessionTokenRule, names: service.names)
    let missing = try keepSigned(fields.signedHeaders, allowing: rule, verifier)
    if host == nil { throw .unsignedHeader("host".utf8) }
    if fields.isDatedByDateHeader && !message.shape.has(.date) {
      throw .unsignedHeader("date".utf8)
    }
    for name in verifier.signedHeaders {
      let isMissing = missing.contains { ASCIIByte.equalIgnoringCase(message[$0], name.utf8) }
      if isMissing || !message.hasHeader(name) {
        throw .unsignedHeader(name.utf8, requiredBy: "signedHeaders")
      }
    }
    return missing.first
  }

  fileprivate func checkPath(
    _ service: borrowing SigV4.Service, _ verifier: borrowing SigV4.Verifier,
    _ location: SigV4.SignatureLocation
  ) throws(SigV4.VerificationError) {
    if !service.pathRule.isNormalized || verifier.dotSegments.allows(location) { return }
    let text = message.memory.bytes.span.extracting(path)
    if text.hasDotSegment { throw .dotSegment(copy service) }
    if text.count > 1 && text.byte(at: 1) == ASCIIByte.slash {
      throw .emptyFirstSegment(copy service)
    }
  }
}
