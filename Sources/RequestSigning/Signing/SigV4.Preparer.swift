// SPDX-License-Identifier: Apache-2.0
// The corridor as far as the string to sign: all that needs no secret.

internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// Walks the corridor up to the string to sign, for a key that is somewhere else: in an HSM, in
  /// another process, behind a look-up that takes time.
  ///
  ///     let prepared = try preparer.prepare(request, at: now)
  ///     let signature = try SigV4.Signature(hexadecimal: await hsm.sign(prepared.stringToSign.bytes))
  ///     let signed = prepared.signed(with: signature)
  public struct Preparer: Sendable {
    let storage: Storage

    /// Who signs.
    public var identity: Identity { storage.identity }

    /// The region in the credential scope.
    public var region: String { storage.region }

    /// The service and its rules.
    public var service: Service { storage.service }

    /// How the string to sign becomes a signature.
    public var algorithm: SignatureAlgorithm { storage.algorithm }

    /// A preparer for one identity, region and service.
    ///
    /// Throws `invalidRegion` unless the region consists of ASCII letters, digits, '-', '_' and '.'.
    public init(
      identity: Identity, region: String, service: Service,
      algorithm: SignatureAlgorithm = .hmacSHA256
    ) throws(SigningError) {
      try CredentialScope.checkRegion(region)
      storage = Storage(
        identity: identity, region: region, service: service, algorithm: algorithm)
    }

    /// A request ready to be signed in its headers.
    ///
    /// Throws `alreadySigned`, `credentialsExpired`, `conflictingHeader` or
    /// `keyOutsideObjectStorage`.
    public func prepare(
      _ request: Request, at timestamp: Timestamp
    ) throws(SigningError) -> PreparedRequest {
      var buffer = SigningBuffer()
      try prepare(request, at: timestamp, in: &buffer)
      return PreparedRequest(
        request: request, timestamp: timestamp, preparer: self, buffer: buffer)
    }

    /// A URL ready to be signed in its query, good for 1 to 604,800 seconds from `timestamp` on.
    ///
    /// Throws what ``prepare(_:at:)`` throws, `invalidLifetime`, `outlivesCredentials`, `timestampOutOfRange`, and
    /// `lifetimeNotSupported` for a service whose presigned URLs do not say how long they live.
    public func preparePresigned(
      _ request: Request, validFor seconds: Int, at timestamp: Timestamp
    ) throws(SigningError) -> PreparedURL {
      try checkLifetime(seconds, at: timestamp)
      let expiration = try timestamp.advanced(bySeconds: Int64(seconds))
      var buffer = SigningBuffer()
      try prepareURL(request, lifetime: seconds, at: timestamp, in: &buffer)
      return PreparedURL(
        request: request, timestamp: timestamp, expiration: expiration,
        preparer: self, buffer: buffer)
    }

    /// A URL ready to be signed in its query, for a service whose URLs do not say how long they
    /// live (``Service/iotDeviceGateway``).
    ///
    /// Throws what ``prepare(_:at:)`` throws, and `lifetimeRequired` for any other service.
    public func preparePresigned(
      _ request: Request, at timestamp: Timestamp
    ) throws(SigningError) -> PreparedURL {
      try checkNoLifetime()
      var buffer = SigningBuffer()
      try prepareURL(request, lifetime: nil, at: timestamp, in: &buffer)
      return PreparedURL(
        request: request, timestamp: timestamp, expiration: nil,
        preparer: self, buffer: buffer)
    }

    /// The credential scope of a moment.
    public func scope(at timestamp: Timestamp) -> CredentialScope {
      CredentialScope(dayOf: timestamp, checkedRegion: region, checkedService: service.name)
    }
  }
}

extension SigV4.Preparer {
  var texts: SigV4.ScopeTexts { storage.texts }

  /// What does not depend on the request, which all copies of a preparer share.
  final class Storage: Sendable {
    let identity: SigV4.Identity
    let region: String
    let service: SigV4.Service
    let algorithm: SigV4.SignatureAlgorithm
    let texts: SigV4.ScopeTexts
    let unsignedInHeaders: SigV4.UnsignedHeaders
    let unsignedInURLs: SigV4.UnsignedHeaders

    init(
      identity: SigV4.Identity, region: String, service: SigV4.Service,
      algorithm: SigV4.SignatureAlgorithm
    ) {
      self.identity = identity
      self.region = region
      self.service = service
      self.algorithm = algorithm
      texts = SigV4.ScopeTexts(
        algorithm, accessKeyID: identity.accessKeyID, region: region, service: service.name)
      unsignedInHeaders = service.headersNeverSigned
      unsignedInURLs = service.headersNeverSigned.union(.inPresignedURLs)
    }
  }
}

extension SigV4.Preparer {
  /// Rooms 1 and 2 of a signature in the headers.
  func prepare(
    _ request: SigV4.Request, at timestamp: SigV4.Timestamp, in buffer: inout SigV4.SigningBuffer
  ) throws(SigV4.SigningError) {
    buffer.reset()
    try check(request, at: timestamp)
    let payload = request.payload.declaredInHeaders(service.payloadRule)
    let required = try requiredHeaders(of: request, at: timestamp, payload)
    buffer.expect(640 &+ request.byteCount)
    buffer.writeCanonicalRequest(
      request, storage.service.pathRule, without: storage.unsignedInHeaders, with: required,
      payload: payload.payload)
    buffer.writeStringToSign(texts, at: timestamp)
  }

  /// Room 5 of a signature in the headers.
  func finish(
    _ request: SigV4.Request, at timestamp: SigV4.Timestamp, with signature: SigV4.Signature,
    in buffer: inout SigV4.SigningBuffer
  ) {
    buffer.writeAuthorization(
      signature, texts, at: timestamp, unsignedToken: unsignedToken(of: request))
  }

  /// Rooms 1 and 2 of a signature in the query.
  func prepareURL(
    _ request: SigV4.Request, lifetime: Int?, at timestamp: SigV4.Timestamp,
    in buffer: inout SigV4.SigningBuffer
  ) throws(SigV4.SigningError) {
    buffer.reset()
    try check(request, at: timestamp)
    let payload = request.payload.declaredInURL(service.payloadRule)
    // What the URL says in parameters may not be contradicted by headers.
    var required = try requiredHeaders(of: request, at: timestamp, payload)
    required.date = nil
    required.token = nil
    buffer.expect(1024 &+ 2 &* request.byteCount)
    buffer.layout.parameters = buffer.write { writer in
      writeParameters(of: request, with: required, lifetime: lifetime, at: timestamp, to: &writer)
    }
    buffer.writeCanonicalRequest(
      request, storage.service.pathRule, without: storage.unsignedInURLs, with: required,
      payload: payload.payload)
    buffer.writeStringToSign(texts, at: timestamp)
  }

  /// Room 5 of a signature in the query.
  func finishURL(
    _ request: SigV4.Request, with signature: SigV4.Signature, in buffer: inout SigV4.SigningBuffer
  ) {
    let isSigned = service.sessionTokenRule.isSigned
    buffer.writeURL(
      request, service.pathRule, signature,
      unsignedToken: isSigned ? nil : identity.sessionTokenBytes)
  }
}

extension SigV4.Preparer {
  func check(
    _ request: SigV4.Request, at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) {
    try SigV4.Authorization.refuseSigned(request)
    try SigV4.CanonicalPath.check(request.path, service.pathRule)
    try checkCredentials(at: timestamp)
  }

  package func checkCredentials(at timestamp: SigV4.Timestamp) throws(SigV4.SigningError) {
    if let expiration = identity.expiration, expiration <= timestamp {
      throw SigV4.SigningError(
        .credentialsExpired,
        """
        the credentials \(identity.accessKeyID) expired at \(expiration.textBytes), and the request is \
        to be signed at \(timestamp.textBytes); get new credentials, or correct the clock
        """)
    }
  }

  /// Refuses a URL that does not say how long it lives, where it has to.
  func checkNoLifetime() throws(SigV4.SigningError) {
    if case .required = service.lifetimeRule {
      throw SigV4.SigningError(
        .lifetimeRequired,
        """
        a presigned URL of \(service.name) has to say how long it lives; presign it with validFor: \
        1 to 604800 seconds
        """)
    }
  }

  func checkLifetime(
    _ seconds: Int, at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) {
    if case .unsupported = service.lifetimeRule {
      throw SigV4.SigningError(
        .lifetimeNotSupported,
        """
        \(service.name) refuses a presigned URL that says how long it lives (X-Amz-Expires); \
        presign without validFor
        """)
    }
    if seconds < 1 || seconds > 604_800 {
      throw SigV4.SigningError(
        .invalidLifetime,
        """
        a presigned URL cannot be valid for \(seconds) seconds; ask for 1 to 604800, which is \
        seven days
        """)
    }
    let end = try timestamp.unixSeconds(after: Int64(seconds))
    if let expiration = identity.expiration, timestamp < expiration,
      expiration.unixSeconds < end
    {
      throw SigV4.SigningError(
        .outlivesCredentials,
        """
        the URL would be valid until \(SigV4.Timestamp(checked: end).text), but the credentials \
        \(identity.accessKeyID) expire at \(expiration.text) and the URL dies with them; ask for \
        \(expiration.unixSeconds &- timestamp.unixSeconds) seconds at most, or use credentials \
        that live longer
        """)
    }
  }

  /// The headers that have to be signed and that the request does not have yet; refuses those of the
  /// request that say something else than what is signed.
  func requiredHeaders(
    of request: SigV4.Request, at timestamp: SigV4.Timestamp, _ payload: SigV4.Payload.Declaration
  ) throws(SigV4.SigningError) -> SigV4.RequiredHeaders {
    let rule = service.sessionTokenRule
    var required = SigV4.RequiredHeaders()
    required.contentDigest = payload.payload
    required.date = timestamp
    required.token = identity.sessionTokenBytes
    required.tokenRule = rule
    var next = required.first
    while let header = next {
      next = required.next(after: header)
      guard let line = request.canonicalHeaders.line(ofSignature: header.name) else { continue }
      let given = request.canonicalHeaders.bytes[line.value]
      if !required.hasValue(given, for: header) { throw Self.conflict(header, required) }
      required.remove(header)
    }
    if !payload.isHeader { required.contentDigest = nil }
    if !rule.isSigned { required.token = nil }
    return required
  }

  /// The session token that is sent and not signed, unless the request has it already.
  func unsignedToken(of request: SigV4.Request) -> SymmetricKey? {
    let rule = service.sessionTokenRule
    let isGiven = request.canonicalHeaders.line(ofSignature: rule.header.name) != nil
    return rule.isSigned || isGiven ? nil : identity.sessionTokenBytes
  }

  static func conflict(
    _ header: SigV4.RequiredHeader, _ required: SigV4.RequiredHeaders
  ) -> SigV4.SigningError {
    let expected: UTF8Text =
      header.isSensitive
      ? "that of the credentials" : "\(quoted: required.value(of: header))"
    return SigV4.SigningError(
      .conflictingHeader,
      """
      the request sets the header \(header.name) to another value than the one that is signed, \
      \(expected), or sets it twice, so the server would refuse it; leave the header out, or give \
      the timestamp, payload or credentials that belong to it
      """)
  }
}
