// SPDX-License-Identifier: Apache-2.0
// From a request to its signature in one call: in the headers, or in the URL. SigV4.swift lists the steps.

internal import SigningSupport

extension SigV4 {
  /// Signs requests for one region and service.
  ///
  ///     let signer = try SigV4.Signer(credentials: credentials, region: "us-east-1", service: .s3)
  ///     let signed = try signer.sign(request, at: now)
  ///
  /// It reads no clock: the time is an argument, and has to be within minutes of the server's.
  public struct Signer: Sendable {
    package let preparer: Preparer

    private let secret: Secret

    /// The source of the signatures.
    private enum Secret {
      case credentials(Credentials, SigningKeyCache)
      case signingKey(SigningKey)
      case otherAlgorithm(@Sendable (_ stringToSign: [UInt8]) -> Signature)
      case elsewhere
    }

    /// The access key ID, session token and expiration of the credentials.
    public var identity: Identity { preparer.identity }

    /// The region of the credential scope. Empty for Signature Version 4a.
    public var region: String { preparer.region }

    /// The service and its rules.
    public var service: Service { preparer.service }

    /// A signer with credentials.
    ///
    /// The signing key of a day is derived once and kept; `keys` may be shared with other signers.
    ///
    /// Throws `invalidRegion` unless the region consists of ASCII letters, digits, '-', '_' and '.', or
    /// `invalidService` if ``SigV4/Service/named(_:)`` rejects the name.
    public init(
      credentials: Credentials, region: String, service: Service,
      keys: SigningKeyCache = SigningKeyCache(capacity: 1)
    ) throws(SigningError) {
      preparer = try Preparer(identity: credentials.identity, region: region, service: service)
      secret = .credentials(credentials, keys)
    }

    /// A signer with a signing key in place of the secret; it signs for the key's day only.
    ///
    /// Throws `scopeMismatch` when the key is for another service, `invalidSessionToken`.
    public init(
      signingKey: SigningKey, sessionToken: String? = nil, expiration: Timestamp? = nil,
      service: Service
    ) throws(SigningError) {
      let identity = try Identity(
        accessKeyID: signingKey.accessKeyID, sessionToken: sessionToken, expiration: expiration)
      preparer = try Preparer(
        identity: identity, region: signingKey.scope.region, service: service)
      secret = .signingKey(signingKey)
      if !signingKey.scope.service.hasSameBytes(as: service.name) {
        throw Self.scopeMismatch(signingKey, "the service \(quoted: service.name)")
      }
    }

    /// Creates a signer without a secret, for keys in an HSM or another process. It prepares requests
    /// (``prepare(_:at:)``), but can't sign them.
    ///
    /// Throws `invalidRegion` or `invalidService`.
    public init(identity: Identity, region: String, service: Service) throws(SigningError) {
      self.init(try Preparer(identity: identity, region: region, service: service))
    }

    /// A signer without a secret, for the algorithm of `preparer`.
    package init(_ preparer: Preparer) {
      self.preparer = preparer
      secret = .elsewhere
    }

    /// A signer for the algorithm of `preparer`, with a closure that signs.
    package init(
      _ preparer: Preparer, signature: @escaping @Sendable (_ stringToSign: [UInt8]) -> Signature
    ) {
      self.preparer = preparer
      secret = .otherAlgorithm(signature)
    }

    /// Signs a request in its headers.
    ///
    /// Throws `alreadySigned`, `credentialsExpired`, `conflictingHeader`, `objectKeyNotSupported`,
    /// `secretRequired`, and `scopeMismatch` when a signing key is for another day.
    public func sign(
      _ request: Request, at timestamp: Timestamp
    ) throws(SigningError) -> SignedRequest {
      var buffer = SigningBuffer()
      let signature = try sign(request, at: timestamp, into: &buffer)
      return SignedRequest(request, timestamp, preparer, signature, buffer)
    }

    /// Signs a request in its headers, without creating a ``SigV4/Request`` first.
    ///
    ///     let signed = try signer.sign(method: "POST", url: url, headers: headers, body: body, at: now)
    ///
    /// Throws what ``SigV4/Request/init(_:url:query:plus:headers:payload:)`` and ``sign(_:at:)`` throw.
    public func sign(
      method: String, url: String, headers: Headers = [:],
      body: some Collection<UInt8> = EmptyCollection(), at timestamp: Timestamp
    ) throws(SigningError) -> SignedRequest {
      let payload = body.isEmpty ? Payload.empty : .bytes(body)
      return try sign(Request(method, url: url, headers: headers, payload: payload), at: timestamp)
    }

    /// Signs a request in its headers, in memory that is used again for the next one.
    ///
    /// Returns the signature. Throws what ``sign(_:at:)`` throws; the buffer holds no signature
    /// then.
    @discardableResult
    public func sign(
      _ request: Request, at timestamp: Timestamp, into buffer: inout SigningBuffer
    ) throws(SigningError) -> Signature {
      try sign(request, .headers, at: timestamp, into: &buffer)
    }

    /// The six steps.
    private func sign(
      _ request: Request, _ placement: SignatureSteps.Placement, at timestamp: Timestamp,
      into buffer: inout SigningBuffer
    ) throws(SigningError) -> Signature {
      buffer.removeAll()
      // Steps 1 to 3.
      try preparer.write(request, placement, at: timestamp, into: &buffer.steps)
      // Steps 4 and 5.
      let signature: Signature
      if case .otherAlgorithm(let sign) = secret {
        signature = sign(buffer.stringToSign.bytes)
      } else {
        let key = try signingKey(at: timestamp)
        signature = buffer.steps.withStringToSign { key.signature(of: $0) }
      }
      // Step 6.
      preparer.finish(request, placement, signature, at: timestamp, in: &buffer)
      return signature
    }

    /// Signs a request in its query: a URL that anybody can use for 1 second to 7 days. Fractions of a
    /// second are dropped.
    ///
    /// For the S3 family the body of such a request is not signed, unless the request names its
    /// payload; all other services sign the digest of the body, which usually is empty.
    ///
    /// Throws what ``sign(_:at:)`` throws, `invalidLifetime`, `lifetimeExceedsCredentials`,
    /// `timestampOutOfRange`, and `lifetimeNotSupported` for a service whose presigned URLs do not say
    /// how long they live.
    public func presign(
      _ request: Request, expiresIn lifetime: Duration, at timestamp: Timestamp
    ) throws(SigningError) -> PresignedURL {
      let seconds = lifetime.wholeSeconds
      let end = try preparer.checkLifetime(seconds, at: timestamp)
      return try presign(
        request, lifetime: seconds, until: Timestamp(checked: end), at: timestamp)
    }

    /// Signs a request in its query, for a service whose URLs do not say how long they live
    /// (``SigV4/Service/iotDeviceGateway``).
    ///
    /// Throws what ``sign(_:at:)`` throws, and `lifetimeRequired` for any other service.
    public func presign(
      _ request: Request, at timestamp: Timestamp
    ) throws(SigningError) -> PresignedURL {
      try preparer.checkNoLifetime()
      return try presign(request, lifetime: nil, until: nil, at: timestamp)
    }

    /// Signs a request in its query, in memory that is used again for the next one.
    ///
    /// Returns the signature. Throws what ``presign(_:expiresIn:at:)`` throws; the buffer holds no URL
    /// then.
    @discardableResult
    public func presign(
      _ request: Request, expiresIn lifetime: Duration, at timestamp: Timestamp,
      into buffer: inout SigningBuffer
    ) throws(SigningError) -> Signature {
      buffer.removeAll()
      let seconds = lifetime.wholeSeconds
      try preparer.checkLifetime(seconds, at: timestamp)
      return try sign(request, .url(lifetime: seconds), at: timestamp, into: &buffer)
    }

    /// Signs a request in its query, in memory that is used again for the next one, for a service
    /// whose URLs do not say how long they live.
    ///
    /// Returns the signature. Throws what ``presign(_:at:)`` throws; the buffer holds no URL then.
    @discardableResult
    public func presign(
      _ request: Request, at timestamp: Timestamp, into buffer: inout SigningBuffer
    ) throws(SigningError) -> Signature {
      buffer.removeAll()
      try preparer.checkNoLifetime()
      return try sign(request, .url(lifetime: nil), at: timestamp, into: &buffer)
    }

    /// Signs in the URL, for a lifetime that was checked.
    package func presign(
      _ request: Request, lifetime: Int?, until expiration: Timestamp?, at timestamp: Timestamp
    ) throws(SigningError) -> PresignedURL {
      var buffer = SigningBuffer()
      let signature = try sign(request, .url(lifetime: lifetime), at: timestamp, into: &buffer)
      return PresignedURL(
        request, timestamp, preparer, signature, buffer, expiration: expiration)
    }

    /// The signing key of a day (SigV4, step 4), to be kept or shipped in place of the secret.
    ///
    /// Throws `scopeMismatch` if the signer has only a signing key for a different day, or signs with
    /// Signature Version 4a, which has no signing keys.
    public func signingKey(at timestamp: Timestamp) throws(SigningError) -> SigningKey {
      switch secret {
      case .credentials(let credentials, let keys):
        return keys.signingKey(for: credentials, scope: preparer.scope(at: timestamp))
      case .signingKey(let key):
        if key.storage.scope.dayCharacters != timestamp.characters.day {
          throw Self.scopeMismatch(key, "the day \(timestamp.day)")
        }
        return key
      case .elsewhere:
        throw SigningError(
          .secretRequired,
          "The signer has no secret access key, so it can only prepare requests.",
          fix: "Call prepare(_:at:), or create the signer with credentials.")
      case .otherAlgorithm:
        throw SigningError(
          .scopeMismatch,
          "\(preparer.algorithm.name) has no daily signing keys, but this operation needs one.",
          fix: "Use a signer for one region.")
      }
    }

    /// The credential scope of a day.
    public func scope(at timestamp: Timestamp) -> CredentialScope { preparer.scope(at: timestamp) }

    /// Signs further strings to sign on the same day, such as those of chunks.
    package func signatures(
      at timestamp: Timestamp
    ) throws(SigningError) -> @Sendable (_ stringToSign: [UInt8]) -> Signature {
      if case .otherAlgorithm(let sign) = secret { return sign }
      let key = try signingKey(at: timestamp)
      return { key.signature(of: $0) }
    }

    private static func scopeMismatch(_ key: SigningKey, _ wanted: UTF8Text) -> SigningError {
      SigningError(
        .scopeMismatch,
        "The signing key is for \(key.scope.text), but the request is for \(wanted).",
        fix: "Derive a key for this request from the secret access key.")
    }
  }
}

extension SigV4.Signer: CustomStringConvertible {
  /// Access key ID, region or regions, and service. Never a secret.
  public var description: String {
    let regions = preparer.algorithm.additions.first?.value ?? preparer.region
    return "Signer(\(preparer.identity), \(regions), \(preparer.service.name))"
  }
}
