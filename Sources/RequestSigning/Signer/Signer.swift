// SPDX-License-Identifier: Apache-2.0
// Signs a request in one call, in its headers or its URL. SigV4.swift lists the steps.

extension SigV4 {
  /// Signs requests for one region and service.
  ///
  ///     let signer = try SigV4.Signer(credentials: credentials, region: "us-east-1", service: .s3)
  ///     let signed = try signer.sign(request, at: now)
  ///
  /// A signer doesn't read the clock. Pass the time, which must be within minutes of the server's.
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

    /// Creates a signer with credentials.
    ///
    /// The signer derives each day's signing key once and caches it. You can share `keys` with
    /// other signers.
    ///
    /// - Throws: `invalidRegion` unless the region consists of ASCII letters, digits, '-', '_' and
    ///   '.', `invalidService` if ``SigV4/Service/named(_:)`` rejects the name, or
    ///   `invalidSessionToken` for a service whose signatures have no session token.
    public init(
      credentials: Credentials, region: String, service: Service,
      keys: SigningKeyCache = SigningKeyCache(capacity: 1)
    ) throws(SigningError) {
      preparer = try Preparer(identity: credentials.identity, region: region, service: service)
      secret = .credentials(credentials, keys)
    }

    /// Creates a signer from an access key.
    ///
    /// - Throws: `invalidAccessKeyID`, `invalidSecretAccessKey`, `invalidSessionToken`, and the
    ///   errors of ``init(credentials:region:service:keys:)``.
    public init(
      accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil, region: String,
      service: Service
    ) throws(SigningError) {
      try self.init(
        credentials: Credentials(
          accessKeyID: accessKeyID, secretAccessKey: secretAccessKey, sessionToken: sessionToken),
        region: region, service: service)
    }

    /// Creates a signer with a signing key instead of the secret. It signs only for the key's day.
    ///
    /// - Throws: `scopeMismatch` if the key is for a different service, or `invalidSessionToken`.
    public init(
      signingKey: SigningKey, sessionToken: String? = nil, expiration: Timestamp? = nil,
      service: Service
    ) throws(SigningError) {
      let identity = try Identity(
        accessKeyID: signingKey.accessKeyID, sessionToken: sessionToken, expiration: expiration)
      preparer = try Preparer(
        identity: identity, region: signingKey.scope.region, service: service)
      secret = .signingKey(signingKey)
      if !signingKey.scope.service.hasSameBytes(as: service.name)
        || signingKey.scope.names != service.names
      {
        throw Self.scopeMismatch(signingKey, "the service \(quoted: service.name)")
      }
    }

    /// Creates a signer without a secret, for keys in an HSM or another process. It prepares
    /// requests (``prepare(_:at:)``), but can't sign them.
    ///
    /// - Throws: `invalidRegion`, `invalidService` or `invalidSessionToken`.
    public init(identity: Identity, region: String, service: Service) throws(SigningError) {
      self.init(try Preparer(identity: identity, region: region, service: service))
    }

    /// Creates a signer without a secret, for the preparer's algorithm.
    package init(_ preparer: Preparer) {
      self.preparer = preparer
      secret = .elsewhere
    }

    /// Creates a signer for the preparer's algorithm, with a closure that signs.
    package init(
      _ preparer: Preparer, signature: @escaping @Sendable (_ stringToSign: [UInt8]) -> Signature
    ) {
      self.preparer = preparer
      secret = .otherAlgorithm(signature)
    }

    /// Signs a request in its headers.
    ///
    /// - Throws: `alreadySigned`, `credentialsExpired`, `conflictingHeader`,
    ///   `objectKeyNotSupported`, `secretRequired`, or `scopeMismatch` if the signing key is for a
    ///   different day.
    public func sign(
      _ request: Request, at timestamp: Timestamp
    ) throws(SigningError) -> SignedRequest {
      var buffer = SigningBuffer()
      let signature = try sign(request, at: timestamp, into: &buffer)
      return SignedRequest(request, timestamp, preparer, signature, buffer)
    }

    /// Signs a request in its headers, without creating a ``SigV4/Request`` first.
    ///
    ///     let signed = try signer.sign(
    ///       method: "POST", url: url, headers: headers, body: body, at: now)
    ///
    /// - Throws: The errors of ``SigV4/Request/init(_:url:query:plus:headers:payload:)`` and
    ///   ``sign(_:at:)``.
    public func sign(
      method: String, url: String, headers: Headers = [:],
      body: some Collection<UInt8> = EmptyCollection(), at timestamp: Timestamp
    ) throws(SigningError) -> SignedRequest {
      let payload = body.isEmpty ? Payload.empty : .bytes(body)
      return try sign(Request(method, url: url, headers: headers, payload: payload), at: timestamp)
    }

    /// Signs a request in its headers, with a reusable buffer.
    ///
    /// - Returns: The signature.
    /// - Throws: The errors of ``sign(_:at:)``. The buffer then contains no signature.
    @discardableResult
    public func sign(
      _ request: Request, at timestamp: Timestamp, into buffer: inout SigningBuffer
    ) throws(SigningError) -> Signature {
      try sign(request, .headers, at: timestamp, into: &buffer)
    }

    /// Signs in the order of AWS's page "Create a signed AWS API request".
    private func sign(
      _ request: Request, _ placement: SignaturePlacement, at timestamp: Timestamp,
      into buffer: inout SigningBuffer
    ) throws(SigningError) -> Signature {
      try preparer.prepare(request, placement, at: timestamp, into: &buffer)
      let signature = try signature(of: buffer, at: timestamp)
      buffer.writeResult(request.message, signature, preparer, at: timestamp)
      return signature
    }

    /// Runs steps 4 and 5.
    private func signature(
      of buffer: borrowing SigningBuffer, at timestamp: Timestamp
    ) throws(SigningError) -> Signature {
      if case .otherAlgorithm(let sign) = secret { return sign(buffer.stringToSign.bytes) }
      let key = try signingKey(at: timestamp)
      return buffer.withStringToSign { key.signature(of: $0) }
    }

    /// Creates a presigned URL that anybody can use for 1 second to 7 days. By default, it expires
    /// after an hour. Fractions of a second are dropped.
    ///
    ///     let link = try signer.presignedURL(for: request, expiresIn: .seconds(900), at: now)
    ///     print(link.url, link.requiredHeaders.count)
    ///
    /// For the S3 family, the body isn't signed unless the request sets its payload. All other
    /// services sign the hash of the body, which is usually empty.
    ///
    /// - Parameters:
    ///   - request: the request to presign.
    ///   - lifetime: how long the URL is valid. Pass nil for a service whose URLs contain no
    ///     lifetime (``SigV4/Service/iotDeviceGateway``), and only for such a service.
    ///   - timestamp: the time of the signature.
    ///
    /// - Throws: The errors of ``sign(_:at:)``, `invalidLifetime`, `lifetimeExceedsCredentials`,
    ///   `timestampOutOfRange`, `lifetimeRequired`, or `lifetimeNotSupported` for a service whose
    ///   presigned URLs contain no lifetime.
    @_disfavoredOverload public func presignedURL(
      for request: consuming Request, expiresIn lifetime: Duration? = .seconds(3_600),
      at timestamp: Timestamp
    ) throws(SigningError) -> PresignedURL {
      try presignedURL(for: request, preparer.lifetime(lifetime, at: timestamp), at: timestamp)
    }

    /// Creates a presigned URL in a reusable buffer.
    ///
    /// - Returns: The signature.
    /// - Throws: The errors of ``presignedURL(for:expiresIn:at:)``. The buffer then has no URL.
    @discardableResult
    public func presignedURL(
      for request: Request, expiresIn lifetime: Duration? = .seconds(3_600),
      at timestamp: Timestamp, into buffer: inout SigningBuffer
    ) throws(SigningError) -> Signature {
      buffer.removeAll()
      let lifetime = try preparer.lifetime(lifetime, at: timestamp)
      return try sign(request, .url(lifetime), at: timestamp, into: &buffer)
    }

    /// Creates a presigned URL with a lifetime that was already checked.
    package func presignedURL(
      for request: consuming Request, _ lifetime: URLLifetime?, at timestamp: Timestamp
    ) throws(SigningError) -> PresignedURL {
      var buffer = SigningBuffer()
      let signature = try sign(request, .url(lifetime), at: timestamp, into: &buffer)
      return PresignedURL(request, timestamp, preparer, signature, buffer)
    }

    /// Returns the signing key of a day (SigV4, step 4), which you can store or ship instead of the
    /// secret.
    ///
    /// - Throws: `scopeMismatch` if the signer has only a signing key for a different day, or signs
    ///   with Signature Version 4a, which has no signing keys. `secretRequired` if the signer has
    ///   no secret.
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

    /// Whether its algorithm has daily signing keys. Signature Version 4a and X.509 have none.
    package var hasDailyKeys: Bool { preparer.algorithm.hasDailyKeys }

    /// Returns the credential scope of a day.
    public func scope(at timestamp: Timestamp) -> CredentialScope { preparer.scope(at: timestamp) }

    /// Returns a closure that signs further strings on the same day, such as those of chunks.
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
  /// The access key ID, region or regions, and service, without secrets.
  public var description: String {
    let regions = preparer.regionSet ?? preparer.region
    return "Signer(\(preparer.identity), \(regions), \(preparer.service.name))"
  }
}
