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
    public var accessKeyID: String { parts.signer.accessKeyID }

    /// The signature algorithm, one that the verifier accepts. It determines the kind of key you
    /// need.
    public var algorithm: Verifier.Algorithm { parts.algorithm }

    /// The day, region and service of the key you need. The verifier accepts the region and
    /// service.
    public var scope: CredentialScope { parts.signer.scope }

    /// The region set, such as `*` or `eu-west-1,us-*`, which includes a region that the verifier
    /// accepts. Nil if the scope has a region.
    public var regionSet: String? { parts.regionSet }

    /// The location of the signature.
    public var signatureLocation: SignatureLocation { parts.signatureLocation }

    /// The time of the signature, according to the request.
    public var timestamp: Timestamp { parts.timestamp }

    /// The expiration of a presigned URL. Nil for other requests.
    public var expiration: Timestamp? { parts.expiration }

    let parts: ClaimParts

    /// The session token in the request, if your look-up needs it. It's secret, and not verified
    /// yet.
    public var sessionToken: String? { parts.signer.sessionToken }

    /// Whether the signature covers a body hash that no header contains. If so, pass the digest of
    /// the body to ``verify(with:bodyDigest:)``.
    public var needsBodyDigest: Bool {
      if case .undeclared = parts.payload { true } else { false }
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
    public func verify(
      with credentials: Credentials, bodyDigest: SHA256.Digest? = nil
    ) throws(VerificationError) -> VerifiedRequest {
      try check(.hmacSHA256(parts.algorithm.names))
      let key = try parts.signer.signingKey(of: credentials)
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
    public func verify(
      with key: SigningKey, sessionToken: String? = nil, bodyDigest: SHA256.Digest? = nil
    ) throws(VerificationError) -> VerifiedRequest {
      try check(.hmacSHA256(parts.algorithm.names))
      try parts.signer.checkOwner(key.accessKeyID, key.scope)
      return try verify(.code(key), ClaimedSigner.token(sessionToken), bodyDigest)
    }

    /// Verifies a signature of a different algorithm with a closure.
    ///
    /// - Throws: The errors of ``verify(with:bodyDigest:)``.
    package func verify(
      _ algorithm: Verifier.Algorithm, of identity: Identity, bodyDigest: SHA256.Digest?,
      isSignature: @escaping @Sendable (_ signature: [UInt8], _ stringToSign: [UInt8]) -> Bool
    ) throws(VerificationError) -> VerifiedRequest {
      try check(algorithm)
      try parts.signer.check(identity)
      return try verify(.judge(isSignature), identity.sessionTokenBytes, bodyDigest)
    }

    /// The error to throw if you don't recognize the access key ID.
    public var unknownAccessKey: VerificationError { parts.signer.unknownAccessKey }
  }
}

extension SigV4 {
  /// Checks whether a signature matches a string to sign.
  @usableFromInline enum VerificationKey: Sendable {
    /// A key that computes the expected signature.
    case code(SigningKey)
    /// A closure that verifies signatures with a public key.
    case judge(@Sendable (_ signature: [UInt8], _ stringToSign: [UInt8]) -> Bool)

    /// Returns the claimed signature if it matches a string to sign, or nil.
    func signature(_ claimed: Signature?, of stringToSign: [UInt8]) -> Signature? {
      let slice = stringToSign[...]
      return signature(claimed, of: slice.span)
    }

    /// Returns the claimed signature if it matches a string to sign, or nil.
    func signature(_ claimed: Signature?, of stringToSign: TextSpan) -> Signature? {
      guard let claimed else { return nil }
      let isRight =
        switch self {
        // Signatures are compared in constant time.
        case .code(let key): claimed == key.signature(of: stringToSign)
        case .judge(let isSignature): isSignature(claimed.bytes, stringToSign.array)
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

  private func verify(
    _ key: SigV4.VerificationKey, _ expectedToken: SymmetricKey?, _ bodyDigest: SHA256.Digest?
  ) throws(SigV4.VerificationError) -> SigV4.VerifiedRequest {
    let text = parts.message.memory.bytes
    let steps = SigV4.SigningBuffer(
      received: parts.message.shape, text.span, parts.service.pathRule,
      try signedPayload(bodyDigest), algorithm.staticName,
      scope: text.span.extracting(parts.scope), at: timestamp)
    let (canonicalRequest, stringToSign) = (steps.canonicalRequest, steps.stringToSign)
    let isRight =
      steps.withStringToSign { key.signature(parts.signer.signature, of: $0) } != nil
    if !isRight { throw mismatch(canonicalRequest, stringToSign) }
    try parts.signer.checkToken(expectedToken)
    try checkBodyDigest(bodyDigest)
    return SigV4.VerifiedRequest(
      request: self, canonicalRequest: canonicalRequest, stringToSign: stringToSign, key: key,
      bodyDigest: bodyDigest)
  }

  private func signedPayload(
    _ bodyDigest: SHA256.Digest?
  ) throws(SigV4.VerificationError) -> SigV4.Payload {
    switch parts.payload {
    case .digest(let digest): return .digest(digest)
    case .unsigned: return .unsigned
    case .chunks(let announcement):
      return SigV4.Payload(kind: .literal(announcement.word))
    case .undeclared:
      if let bodyDigest { return .digest(bodyDigest) }
      throw SigV4.VerificationError(
        .bodyDigestRequired,
        "The signature covers a body hash that no header contains.",
        fix: "Read the body, and pass its digest to verify(with:bodyDigest:), even if it's empty.")
    }
  }

  /// Checks a body's digest, if there is one, against the headers.
  private func checkBodyDigest(_ bodyDigest: SHA256.Digest?) throws(SigV4.VerificationError) {
    guard let bodyDigest else { return }
    switch parts.payload {
    case .undeclared: return
    case .digest(let digest):
      if bodyDigest != digest { throw .bodyMismatch }
    case .unsigned: throw .bodyNotCovered("doesn't cover the body")
    case .chunks: throw .bodyNotCovered("covers the body chunk by chunk")
    }
  }

  private func mismatch(
    _ canonicalRequest: SigV4.CanonicalRequest, _ stringToSign: SigV4.StringToSign
  ) -> SigV4.VerificationError {
    let missing = parts.missingHeaders.first
    return SigV4.VerificationError(
      .signatureMismatch,
      "The signature of \(UTF8Text.quoted(parts.signer.shownAccessKeyID)) for \(scope.text) "
        + "doesn't match this request"
        + (missing.map { ", which lacks the signed header \(UTF8Text.quoted($0))." } ?? "."),
      fix: missing == nil
        ? "Compare the response's canonical request with the client's, and check for a proxy that "
          + "changes paths or headers."
        : "Check for a proxy that removes it.",
      elements: [
        ("AWSAccessKeyId", parts.signer.shownAccessKeyID),
        ("SignatureProvided", parts.signer.signature.hexString),
      ], canonicalRequest: canonicalRequest, stringToSign: stringToSign)
  }
}

extension SigV4.UnverifiedRequest: Equatable, CustomStringConvertible {
  /// Whether both are the same request with the same signature.
  public static func == (left: Self, right: Self) -> Bool { left.parts == right.parts }

  /// The access key ID, scope and time, without the token and signature.
  public var description: String {
    "UnverifiedRequest(\(parts.signer.shownAccessKeyID), \(scope.text), \(timestamp.text))"
  }
}

extension SigV4.UnverifiedRequest: Redacted {}

extension SigV4 {
  /// The storage of an unverified request. It's a class, so that copies are cheap.
  final class ClaimParts: Sendable {
    let algorithm: Verifier.Algorithm
    let signatureLocation: SignatureLocation
    let timestamp: Timestamp
    let expiration: Timestamp?
    let signer: ClaimedSigner

    /// Nil if the scope has a region.
    let regionSet: String?
    let service: Service
    let payload: PayloadClaim

    /// The signed part of the request.
    let message: ReceivedMessage

    /// The range of the credential scope in the message.
    let scope: Range<Int>

    /// Signed headers that the request doesn't have. They're signed as empty headers.
    let missingHeaders: [String]

    init(
      _ request: borrowing ReceivedRequest, _ verifier: borrowing Verifier, at now: Timestamp
    ) throws(VerificationError) {
      try request.checkRequestLine()
      var message = try ReceivedMessage(request, plus: verifier.plusInQueries)
      let fields = try SignatureFields(&message, verifier)
      algorithm = fields.algorithm
      let credential = try ClaimedCredential(
        message[fields.credential], algorithm, malformed: fields.malformed)
      scope =
        fields.credential.lowerBound + credential.accessKeyID.utf8.count
        + 1..<fields.credential.upperBound
      // A local copy: passing the property of a class copies it each time.
      let service = try verifier.service(
        of: credential, hasS3SessionToken: fields.hasS3SessionToken, malformed: fields.malformed)
      let token = try fields.token(message, service.sessionTokenRule, verifier)
      let life = try ClaimedLife(fields, message, credential, service, verifier, at: now)
      // From here on, unsigned headers are ignored.
      missingHeaders = try Self.keepSigned(&message, fields, service, verifier)
      let regions = try fields.regions(message)
      try verifier.check(regions, credential.scope, malformed: fields.malformed)
      regionSet = regions.map { String(decoding: $0.text, as: UTF8.self) }
      payload = try PayloadClaim(fields, message, request, service, verifier)
      if service.isObjectStorage { try message.checkNamedChecksum(fields.signatureLocation) }
      signer = ClaimedSigner(
        credential: credential, token: token, signature: fields.signature, claimTime: now)
      (signatureLocation, timestamp, expiration) = (
        fields.signatureLocation, life.timestamp, life.expiration
      )
      try Self.check(request.path, service, verifier, fields.signatureLocation)
      // Services that encode paths once decode them first, so the verifier's setting applies.
      message.append(
        path: request.path,
        plus: service.pathRule.encodesTwice ? .literal : verifier.plusSignInPaths)
      fields.removeUnsignedParameters(of: &message, service.sessionTokenRule)
      self.message = message
      self.service = service
    }

    /// Removes unsigned headers, and returns the names of signed headers that are missing.
    private static func keepSigned(
      _ message: inout ReceivedMessage, _ fields: borrowing SignatureFields,
      _ service: borrowing Service, _ verifier: borrowing Verifier
    ) throws(VerificationError) -> [String] {
      // If it's present but unsigned, `keepSigned` rejects it.
      let host = try message.value(of: .host)
      let missing = try message.keepSigned(
        fields.signedHeaders,
        allowing: UnsignedHeaderRule(fields.signatureLocation, service, verifier))
      if host == nil { throw .unsignedHeader("host".utf8) }
      if fields.isDatedByDateHeader && !message.shape.has(.date) {
        throw .unsignedHeader("date".utf8)
      }
      for name in verifier.signedHeaders {
        let isMissing = missing.contains { ASCIIByte.equalIgnoringCase($0.utf8, name.utf8) }
        if isMissing || !message.hasHeader(name) { throw .unsignedHeader(name.utf8) }
      }
      return missing
    }

    private static func check(
      _ path: ArraySlice<UInt8>, _ service: borrowing Service, _ verifier: borrowing Verifier,
      _ signatureLocation: SignatureLocation
    ) throws(VerificationError) {
      if !service.pathRule.isNormalized || verifier.dotSegments.allows(signatureLocation) { return }
      if path.span.hasDotSegment { throw .dotSegment(copy service) }
      if path.starts(with: "//".utf8) { throw .emptyFirstSegment(copy service) }
    }
  }
}

extension SigV4.ClaimParts: Equatable {
  static func == (left: SigV4.ClaimParts, right: SigV4.ClaimParts) -> Bool {
    left.algorithm == right.algorithm && left.signer == right.signer
      && left.service == right.service && left.payload == right.payload
      && left.signatureLocation == right.signatureLocation && left.timestamp == right.timestamp
      && left.expiration == right.expiration && left.message == right.message
  }
}
