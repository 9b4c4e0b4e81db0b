// SPDX-License-Identifier: Apache-2.0
// Signers for a region set, with Signature Version 4a.

@_exported public import RequestSigning
@_exported public import S3Signing

/// Signers for a region set.
///
///     let signer = try SigV4.Signer(credentials: credentials, regionSet: .all, service: .s3)
///     let signed = try signer.sign(request, at: now)
///
/// They use Signature Version 4a, for S3 Multi-Region Access Points and global endpoints of
/// EventBridge.
///
/// Session tokens must come from a regional endpoint of AWS STS: services reject those of its
/// global endpoint, `sts.amazonaws.com`, with this signature.
extension SigV4.Signer {
  /// Creates a signer for a region set. The key is derived once, from the credentials.
  ///
  /// - Throws: `invalidService` if `Service.named(_:)` rejects the name, and for
  ///   `.googleCloudStorage` and `.tos`.
  public init(
    credentials: SigV4.Credentials, regionSet: SigV4.RegionSet, service: SigV4.Service
  ) throws(SigV4.SigningError) {
    try self.init(SigV4.MultiRegionKey(credentials), credentials.identity, regionSet, service)
  }

  /// Creates a signer for a region set with a derived key.
  ///
  /// - Throws: `scopeMismatch` if the key and identity have different access key IDs, and
  ///   `invalidService`.
  public init(
    key: SigV4.MultiRegionKey, identity: SigV4.Identity, regionSet: SigV4.RegionSet,
    service: SigV4.Service
  ) throws(SigV4.SigningError) {
    if key.accessKeyID != identity.accessKeyID {
      throw SigV4.SigningError(
        .scopeMismatch,
        """
        The key is for access key ID \(quoted: AccessKeyID.shown(key.accessKeyID)), but the \
        identity has \(quoted: identity.shownAccessKeyID).
        """,
        fix: "Pass the key and the identity of the same credentials.")
    }
    try self.init(key, identity, regionSet, service)
  }

  private init(
    _ key: SigV4.MultiRegionKey, _ identity: SigV4.Identity, _ regionSet: SigV4.RegionSet,
    _ service: SigV4.Service
  ) throws(SigV4.SigningError) {
    try self.init(
      SigV4.Preparer(identity: identity, regionSet: regionSet.text, service: service)
    ) { key.signature(of: $0) }
  }
}

/// Signatures created outside the library.
extension SigV4.Signer {
  /// Creates a signer for a region set without a key, for keys in an HSM or another process. It
  /// prepares requests (`prepare(_:at:)`), but can't sign them.
  ///
  /// - Throws: `invalidService` if `Service.named(_:)` rejects the name.
  public init(
    identity: SigV4.Identity, regionSet: SigV4.RegionSet, service: SigV4.Service
  ) throws(SigV4.SigningError) {
    self.init(
      try SigV4.Preparer(identity: identity, regionSet: regionSet.text, service: service))
  }
}

// MARK: - Object storage

/// Signers for all regions of an endpoint.
extension SigV4.S3Endpoint {
  /// Creates a signer for this endpoint in every region, for Multi-Region Access Points.
  public func multiRegionSigner(
    credentials: SigV4.Credentials
  ) throws(SigV4.SigningError) -> SigV4.Signer {
    try SigV4.Signer(credentials: credentials, regionSet: .all, service: service)
  }
}

/// Signers for all regions of a Multi-Region Access Point.
extension SigV4.Bucket {
  /// Creates a signer for this bucket's endpoint in every region, for Multi-Region Access Points.
  public func multiRegionSigner(
    credentials: SigV4.Credentials
  ) throws(SigV4.SigningError) -> SigV4.Signer {
    try endpoint.multiRegionSigner(credentials: credentials)
  }
}

// MARK: - Chunked uploads

/// Chunked uploads that are signed for a region set.
extension SigV4.ChunkedUpload {
  /// Creates an upload with chunks and trailers signed with Signature Version 4a.
  ///
  /// Signatures vary in length. Each is padded with `*` to 144 characters, so that the length of
  /// the body is known before the first byte.
  ///
  /// - Throws: The errors of `signed(decodedByteCount:chunkByteCount:trailers:)`.
  public static func multiRegionSigned(
    decodedByteCount: Int, chunkByteCount: Int = 65_536, trailers: [SigV4.ChunkTrailer] = []
  ) throws(SigV4.SigningError) -> SigV4.ChunkedUpload {
    try signed(
      by: Signatures(
        algorithm: SigV4.SignatureAlgorithm.ecdsaP256SHA256.name.description, digitCount: 144),
      decodedByteCount: decodedByteCount, chunkByteCount: chunkByteCount, trailers: trailers)
  }
}
