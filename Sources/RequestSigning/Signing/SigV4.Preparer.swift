// SPDX-License-Identifier: Apache-2.0
// The corridor as far as the string to sign: all that needs no secret.

nonisolated extension SigV4 {
  /// Walks the corridor up to the string to sign, for a key that is somewhere else: in an HSM, in
  /// another process, behind a look-up that takes time.
  ///
  ///     let prepared = try preparer.prepare(request, at: now)
  ///     let signature = try SigV4.Signature(hexadecimal: await hsm.sign(prepared.stringToSign.bytes))
  ///     let signed = prepared.signed(with: signature)
  public struct Preparer: Sendable {
    /// Who signs.
    public let identity: Identity

    /// The region in the credential scope.
    public let region: String

    /// The service and its rules.
    public let service: Service

    /// How the string to sign becomes a signature.
    public let algorithm: SignatureAlgorithm

    /// A preparer for one identity, region and service.
    ///
    /// Throws `invalidRegion` unless the region consists of ASCII letters, digits, '-', '_' and '.'.
    public init(
      identity: Identity, region: String, service: Service,
      algorithm: SignatureAlgorithm = .hmacSHA256
    ) throws(SigningError) {
      try CredentialScope.checkRegion(region)
      self.identity = identity
      self.region = region
      self.service = service
      self.algorithm = algorithm
    }

    /// A request ready to be signed in its headers.
    ///
    /// Throws `alreadySigned`, `credentialsExpired`, `conflictingHeader` or
    /// `keyOutsideObjectStorage`.
    public func prepare(
      _ request: Request, at timestamp: Timestamp
    ) throws(SigningError) -> PreparedRequest {
      try check(request, at: timestamp)
      let payload = request.payload.declaredInHeaders(service.payloadRule)
      let required = try requiredHeaders(of: request, at: timestamp, payload)
      let path = try CanonicalPath(request.path, service.pathRule)
      let canonicalRequest = CanonicalRequest(
        method: request.method, path: path, query: CanonicalQuery(request.query),
        headers: CanonicalHeaders(
          host: request.host, headers: request.headers + required,
          unsigned: service.headersNeverSigned),
        payload: payload.canonicalText)
      let scope = scope(at: timestamp)
      return PreparedRequest(
        request: request, path: path, signedHeaders: required,
        unsignedHeaders: try tokenHeader(of: request, isSigned: false), preparer: self,
        canonicalRequest: canonicalRequest, credentialScope: scope,
        stringToSign: StringToSign(
          algorithm: algorithm, timestamp: timestamp, scope: scope,
          canonicalRequest: canonicalRequest))
    }

    /// A URL ready to be signed in its query, good for 1 to 604,800 seconds from `timestamp` on.
    ///
    /// Throws what ``prepare(_:at:)`` throws, `invalidLifetime`, `outlivesCredentials`, `timestampOutOfRange`, and
    /// `lifetimeNotSupported` for a service whose presigned URLs do not say how long they live.
    public func preparePresigned(
      _ request: Request, validFor seconds: Int, at timestamp: Timestamp
    ) throws(SigningError) -> PreparedURL {
      try checkLifetime(seconds, at: timestamp)
      return try preparedURL(request, lifetime: seconds, at: timestamp)
    }

    /// A URL ready to be signed in its query, for a service whose URLs do not say how long they
    /// live (``Service/iotDeviceGateway``).
    ///
    /// Throws what ``prepare(_:at:)`` throws, and `lifetimeRequired` for any other service.
    public func preparePresigned(
      _ request: Request, at timestamp: Timestamp
    ) throws(SigningError) -> PreparedURL {
      if case .required = service.lifetimeRule {
        throw SigningError(
          .lifetimeRequired,
          "a presigned URL of \(service.name) has to say how long it lives; presign it with "
            + "validFor: 1 to 604800 seconds")
      }
      return try preparedURL(request, lifetime: nil, at: timestamp)
    }

    /// The credential scope of a moment.
    public func scope(at timestamp: Timestamp) -> CredentialScope {
      CredentialScope(day: timestamp.day, checkedRegion: region, checkedService: service.name)
    }
  }
}

nonisolated extension SigV4.Preparer {
  func preparedURL(
    _ request: SigV4.Request, lifetime: Int?, at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> SigV4.PreparedURL {
    try check(request, at: timestamp)
    let payload = request.payload.declaredInURL(service.payloadRule)
    let required = try requiredHeadersOfURL(request, at: timestamp, payload)
    let headers = SigV4.CanonicalHeaders(
      host: request.host, headers: required, unsigned: .none)
    let scope = scope(at: timestamp)
    let parameters = SigV4.Authorization.parameters(
      algorithm, identity: identity, scope: scope, timestamp: timestamp, lifetime: lifetime,
      signedHeaders: String(decoding: headers.names, as: UTF8.self),
      tokenRule: service.sessionTokenRule)
    let query = SigV4.Query(
      parameters: request.query.parameters + SigV4.Query(parameters).parameters)
    let path = try SigV4.CanonicalPath(request.path, service.pathRule)
    let canonicalRequest = SigV4.CanonicalRequest(
      method: request.method, path: path, query: SigV4.CanonicalQuery(query), headers: headers,
      payload: payload.canonicalText)
    return SigV4.PreparedURL(
      request: request, path: path, query: query, requiredHeaders: required,
      expiration: try lifetime.map { seconds throws(SigV4.SigningError) in
        try timestamp.advanced(bySeconds: Int64(seconds))
      },
      preparer: self, canonicalRequest: canonicalRequest, credentialScope: scope,
      stringToSign: SigV4.StringToSign(
        algorithm: algorithm, timestamp: timestamp, scope: scope,
        canonicalRequest: canonicalRequest))
  }

  func check(
    _ request: SigV4.Request, at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) {
    try SigV4.Authorization.refuseSigned(request)
    if let expiration = identity.expiration, expiration <= timestamp {
      throw SigV4.SigningError(
        .credentialsExpired,
        "the credentials \(identity.accessKeyID) expired at \(expiration.text), and the request is "
          + "to be signed at \(timestamp.text); get new credentials, or correct the clock")
    }
  }

  func checkLifetime(
    _ seconds: Int, at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) {
    if case .unsupported = service.lifetimeRule {
      throw SigV4.SigningError(
        .lifetimeNotSupported,
        "\(service.name) refuses a presigned URL that says how long it lives (X-Amz-Expires); "
          + "presign without validFor")
    }
    if seconds < 1 || seconds > 604_800 {
      throw SigV4.SigningError(
        .invalidLifetime,
        "a presigned URL cannot be valid for \(seconds) seconds; ask for 1 to 604800, which "
          + "is seven days")
    }
    let end = try timestamp.advanced(bySeconds: Int64(seconds))
    if let expiration = identity.expiration, timestamp < expiration, expiration < end {
      throw SigV4.SigningError(
        .outlivesCredentials,
        "the URL would be valid until \(end.text), but the credentials \(identity.accessKeyID) "
          + "expire at \(expiration.text) and the URL dies with them; ask for "
          + "\(expiration.unixSeconds &- timestamp.unixSeconds) seconds at most, or use "
          + "credentials that live longer")
    }
  }

  /// The headers that have to be signed and that the request does not have yet.
  func requiredHeaders(
    of request: SigV4.Request, at timestamp: SigV4.Timestamp, _ payload: SigV4.Payload.Declaration
  ) throws(SigV4.SigningError) -> SigV4.Headers {
    var headers: SigV4.Headers = [:]
    try addContentDigest(payload, of: request, to: &headers)
    try add("x-amz-date", timestamp.text, unlessIn: request, to: &headers)
    return headers + (try tokenHeader(of: request, isSigned: true))
  }

  /// The header with the session token, when it is signed or not as asked, and not there yet.
  func tokenHeader(
    of request: SigV4.Request, isSigned: Bool
  ) throws(SigV4.SigningError) -> SigV4.Headers {
    let rule = service.sessionTokenRule
    guard rule.isSigned == isSigned, let token = identity.sessionToken else { return [:] }
    var headers: SigV4.Headers = [:]
    try add(rule.headerName, token, unlessIn: request, to: &headers)
    return headers
  }

  /// The headers that the holder of a presigned URL has to send, apart from Host.
  func requiredHeadersOfURL(
    _ request: SigV4.Request, at timestamp: SigV4.Timestamp, _ payload: SigV4.Payload.Declaration
  ) throws(SigV4.SigningError) -> SigV4.Headers {
    // What the URL says in parameters may not be contradicted by headers.
    _ = try requiredHeaders(of: request, at: timestamp, payload)
    _ = try tokenHeader(of: request, isSigned: false)
    let unsigned = service.headersNeverSigned.union(.inPresignedURLs)
    let signed = request.headers.filter {
      !unsigned.contains($0.name.utf8.map(SigV4.ASCII.lowercased))
    }
    var headers = SigV4.Headers(signed)
    try addContentDigest(payload, of: request, to: &headers)
    return headers
  }

  func addContentDigest(
    _ payload: SigV4.Payload.Declaration, of request: SigV4.Request,
    to headers: inout SigV4.Headers
  ) throws(SigV4.SigningError) {
    let name = "x-amz-content-sha256"
    if payload.isHeader || !request.headers.values(named: name).isEmpty {
      try add(name, payload.canonicalText, unlessIn: request, to: &headers)
    }
  }

  /// Adds a header, or takes the one of the request when it says the same.
  func add(
    _ name: String, _ value: String, unlessIn request: SigV4.Request,
    to headers: inout SigV4.Headers
  ) throws(SigV4.SigningError) {
    let given = request.headers.values(named: name)
    guard let first = given.first else { return headers.append(name, value) }
    let folded = SigV4.CanonicalHeaders.folded(first.utf8)
    if given.count > 1 || !folded.elementsEqual(value.utf8) {
      let header = SigV4.Header(name, value)
      let expected = header.isSensitive ? "that of the credentials" : SigV4.quoted(value)
      throw SigV4.SigningError(
        .conflictingHeader,
        "the request sets the header \(name) to another value than the one that is signed, "
          + "\(expected), or sets it twice, so the server would refuse it; leave the header out, or "
          + "give the timestamp, payload or credentials that belong to it")
    }
  }
}
