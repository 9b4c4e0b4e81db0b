// SPDX-License-Identifier: Apache-2.0
// Signature Version 4a: requests that are good in more than one region.

@_exported public import RequestSigning
@_exported public import S3Signing
internal import SigningSupport

extension SigV4 {
  /// Signs requests for one service in a set of regions: Signature Version 4a, for S3 Multi-Region
  /// Access Points and the global endpoints of EventBridge.
  ///
  ///     let signer = SigV4.MultiRegionSigner(
  ///       credentials: credentials, regions: .all, service: .s3)
  ///     let signed = try signer.sign(request, at: now)
  ///
  /// Session tokens must come from a regional endpoint of STS: services reject those of its global
  /// endpoint, `sts.amazonaws.com`, with this signature.
  ///
  /// It reads no clock: the time is an argument, and has to be within minutes of the server's.
  public struct MultiRegionSigner: Sendable {
    /// Who signs, for what: all that needs no secret.
    public let preparer: Preparer

    /// The key, derived once. Secret.
    public let key: MultiRegionKey

    /// The regions in which the signatures are good.
    public let regions: RegionSet

    /// A signer with credentials, whose key it derives.
    public init(credentials: Credentials, regions: RegionSet, service: Service) {
      self.init(MultiRegionKey(credentials), credentials.identity, regions, service)
    }

    /// A signer with a key that was derived before.
    ///
    /// Throws `outsideScope` when the key belongs to another access key ID than the identity.
    public init(
      key: MultiRegionKey, identity: Identity, regions: RegionSet, service: Service
    ) throws(SigningError) {
      if key.accessKeyID != identity.accessKeyID {
        throw SigningError(
          .outsideScope,
          """
          the key was derived for the access key ID \(quoted: key.accessKeyID), and the request is \
          signed for \(quoted: identity.accessKeyID), so no service would find its key; give the key \
          and the identity of the same credentials
          """)
      }
      self.init(key, identity, regions, service)
    }

    private init(
      _ key: MultiRegionKey, _ identity: Identity, _ regions: RegionSet, _ service: Service
    ) {
      let algorithm = SignatureAlgorithm(
        name: Self.algorithmName, scopeHasRegion: false,
        additions: [SignatureAlgorithm.Addition(.regionSet, value: regions.text)])
      preparer = Preparer(identity: identity, service: service, algorithm: algorithm)
      self.key = key
      self.regions = regions
    }

    /// Signs a request in its headers.
    ///
    /// Throws `alreadySigned`, `credentialsExpired`, `conflictingHeader` and
    /// `keyOutsideObjectStorage`.
    public func sign(
      _ request: Request, at timestamp: Timestamp
    ) throws(SigningError) -> SignedRequest {
      let pending = try preparer.prepare(request, at: timestamp)
      return pending.signed(with: key.signature(of: pending.stringToSign))
    }

    /// Signs a request in its query: a URL that anybody can use for 1 to 604,800 seconds.
    ///
    /// Throws what ``sign(_:at:)`` throws, `invalidLifetime`, `outlivesCredentials` and
    /// `timestampOutOfRange`.
    public func presign(
      _ request: Request, validFor seconds: Int, at timestamp: Timestamp
    ) throws(SigningError) -> PresignedURL {
      let pending = try preparer.preparePresigned(request, validFor: seconds, at: timestamp)
      return pending.signed(with: key.signature(of: pending.stringToSign))
    }

    /// The first line of the string to sign.
    static var algorithmName: String { SignatureAlgorithm.ecdsaP256SHA256Name.description }
  }
}

extension SigV4.MultiRegionSigner: CustomStringConvertible {
  /// Access key ID, regions and service. Never a secret.
  public var description: String {
    "MultiRegionSigner(\(preparer.identity), \(regions), \(preparer.service.name))"
  }
}

// MARK: - Object storage

/// Signers for all regions of an endpoint.
extension SigV4.S3Endpoint {
  /// A signer for this endpoint in every region: what Multi-Region Access Points need.
  public func multiRegionSigner(
    credentials: SigV4.Credentials
  ) -> SigV4.MultiRegionSigner {
    SigV4.MultiRegionSigner(credentials: credentials, regions: .all, service: service)
  }
}

/// Signers for all regions of a Multi-Region Access Point.
extension SigV4.Bucket {
  /// A signer for this bucket's endpoint in every region: what Multi-Region Access Points need.
  public func multiRegionSigner(
    credentials: SigV4.Credentials
  ) -> SigV4.MultiRegionSigner {
    endpoint.multiRegionSigner(credentials: credentials)
  }
}

// MARK: - Chunked uploads

/// Uploads in chunks that are signed for several regions.
extension SigV4.ChunkedUpload {
  /// An upload of which each chunk is signed with Signature Version 4a, and the trailers are too.
  ///
  /// Signatures have more than one length, so that each is padded with `*` to 144 characters: the
  /// length of the body is known before the first byte.
  ///
  /// Throws what `signed(decodedByteCount:chunkByteCount:trailers:)` throws.
  public static func multiRegionSigned(
    decodedByteCount: Int, chunkByteCount: Int = 65_536, trailers: [SigV4.ChunkTrailer] = []
  ) throws(SigV4.SigningError) -> SigV4.ChunkedUpload {
    try signed(
      by: Signatures(algorithm: SigV4.MultiRegionSigner.algorithmName, digitCount: 144),
      decodedByteCount: decodedByteCount, chunkByteCount: chunkByteCount, trailers: trailers)
  }
}

/// Chunks that are signed for several regions.
extension SigV4.ChunkSigner {
  /// Continues after a request that was signed with Signature Version 4a, with the signer that
  /// signed it.
  ///
  /// Throws `unrelatedRequest` unless the request announces this upload, one of
  /// ``ChunkedUpload/multiRegionSigned(decodedByteCount:chunkByteCount:trailers:)``, and
  /// `outsideScope` when the signer is for another service.
  public init(
    _ upload: SigV4.ChunkedUpload, following signed: SigV4.SignedRequest,
    by signer: SigV4.MultiRegionSigner
  ) throws(SigV4.SigningError) {
    let key = signer.key
    try self.init(
      upload, following: signed, algorithm: SigV4.MultiRegionSigner.algorithmName,
      scope: signer.preparer.scope(at: signed.timestamp)
    ) { key.signature(of: $0) }
  }
}
