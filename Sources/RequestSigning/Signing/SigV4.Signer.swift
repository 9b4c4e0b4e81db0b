// SPDX-License-Identifier: Apache-2.0
// The corridor in one call.

internal import SigningSupport

extension SigV4 {
  /// Signs requests for one region and service.
  ///
  ///     let signer = try SigV4.Signer(credentials: credentials, region: "us-east-1", service: .s3)
  ///     let signed = try signer.sign(request, at: now)
  ///
  /// It reads no clock: the time is an argument, and has to be within minutes of the server's.
  public struct Signer: Sendable {
    /// All that needs no secret.
    public let preparer: Preparer

    let secret: Secret

    /// Where signing keys come from.
    enum Secret {
      case credentials(Credentials, SigningKeyCache)
      case signingKey(SigningKey)
    }

    /// A signer with credentials.
    ///
    /// The signing key of a day is derived once and kept; `keys` may be shared with other signers.
    ///
    /// Throws `invalidRegion` unless the region consists of ASCII letters, digits, '-', '_' and '.'.
    public init(
      credentials: Credentials, region: String, service: Service,
      keys: SigningKeyCache = SigningKeyCache(capacity: 1)
    ) throws(SigningError) {
      preparer = try Preparer(identity: credentials.identity, region: region, service: service)
      secret = .credentials(credentials, keys)
    }

    /// A signer with a signing key in place of the secret; it signs for the key's day only.
    ///
    /// Throws `outsideScope` when the key is for another service, `invalidSessionToken`.
    public init(
      signingKey: SigningKey, sessionToken: String? = nil, expiration: Timestamp? = nil,
      service: Service
    ) throws(SigningError) {
      let identity = try Identity(
        accessKeyID: signingKey.accessKeyID, sessionToken: sessionToken, expiration: expiration)
      preparer = try Preparer(
        identity: identity, region: signingKey.scope.region, service: service)
      secret = .signingKey(signingKey)
      if !signingKey.scope.service.utf8.elementsEqual(service.name.utf8) {
        throw Self.outsideScope(signingKey, "the service \(quoted: service.name)")
      }
    }

    /// Signs a request in its headers.
    ///
    /// Throws `alreadySigned`, `credentialsExpired`, `conflictingHeader`,
    /// `keyOutsideObjectStorage`, and `outsideScope` when a signing key is for another day.
    public func sign(
      _ request: Request, at timestamp: Timestamp
    ) throws(SigningError) -> SignedRequest {
      var buffer = SigningBuffer()
      let signature = try sign(request, at: timestamp, into: &buffer)
      return SignedRequest(
        request: request, timestamp: timestamp, preparer: preparer, signature: signature,
        buffer: buffer)
    }

    /// Signs a request in its headers, in memory that is used again for the next one.
    ///
    /// Returns the signature. Throws what ``sign(_:at:)`` throws; the buffer holds no signature
    /// then.
    @discardableResult
    public func sign(
      _ request: Request, at timestamp: Timestamp, into buffer: inout SigningBuffer
    ) throws(SigningError) -> Signature {
      try preparer.prepare(request, at: timestamp, in: &buffer)  // rooms 1 and 2
      let key = try signingKey(at: timestamp)  // room 3
      let signature = key.signature(in: buffer)  // room 4
      preparer.finish(request, at: timestamp, with: signature, in: &buffer)  // room 5
      return signature
    }

    /// Rooms 1 and 2 only: the first of the two phases of ``sign(_:at:)``.
    ///
    /// Throws what ``Preparer/prepare(_:at:)`` throws.
    public func prepare(
      _ request: Request, at timestamp: Timestamp
    ) throws(SigningError) -> PreparedRequest {
      try preparer.prepare(request, at: timestamp)
    }

    /// Room 3: the signing key of a moment's day, to be kept or shipped in place of the secret.
    ///
    /// Throws `outsideScope` when the signer has only a signing key, and it is for another day.
    public func signingKey(at timestamp: Timestamp) throws(SigningError) -> SigningKey {
      switch secret {
      case .credentials(let credentials, let keys):
        return keys.signingKey(for: credentials, scope: preparer.scope(at: timestamp))
      case .signingKey(let key):
        if key.storage.scope.dayCharacters != timestamp.characters.day {
          throw Self.outsideScope(key, "the day \(timestamp.day)")
        }
        return key
      }
    }

    static func outsideScope(_ key: SigningKey, _ wanted: UTF8Text) -> SigningError {
      SigningError(
        .outsideScope,
        """
        the signing key is good for \(key.scope.byteString) only, and the request is for \(wanted); \
        derive a signing key for it from the secret access key
        """)
    }
  }
}

extension SigV4.Signer: CustomStringConvertible {
  /// Access key ID, region and service. Never a secret.
  public var description: String {
    "Signer(\(preparer.identity), \(preparer.region), \(preparer.service.name))"
  }
}
