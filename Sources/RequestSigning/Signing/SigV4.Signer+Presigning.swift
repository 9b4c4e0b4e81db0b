// SPDX-License-Identifier: Apache-2.0
// The corridor in one call, ending in a URL.

nonisolated extension SigV4.Signer {
  /// Signs a request in its query: a URL that anybody can use for 1 to 604,800 seconds.
  ///
  /// For the S3 family the body of such a request is not signed, unless the request names its
  /// payload; all other services sign the digest of the body, which usually is empty.
  ///
  /// Throws what ``sign(_:at:)`` throws, `invalidLifetime`, `outlivesCredentials`, `timestampOutOfRange`, and
  /// `lifetimeNotSupported` for a service whose presigned URLs do not say how long they live.
  public func presign(
    _ request: SigV4.Request, validFor seconds: Int, at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> SigV4.PresignedURL {
    let prepared = try preparePresigned(request, validFor: seconds, at: timestamp)
    let key = try signingKey(at: timestamp)
    return prepared.signed(with: key.signature(of: prepared.stringToSign))
  }

  /// Signs a request in its query, for a service whose URLs do not say how long they live
  /// (``SigV4/Service/iotDeviceGateway``).
  ///
  /// Throws what ``sign(_:at:)`` throws, and `lifetimeRequired` for any other service.
  public func presign(
    _ request: SigV4.Request, at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> SigV4.PresignedURL {
    let prepared = try preparePresigned(request, at: timestamp)
    let key = try signingKey(at: timestamp)
    return prepared.signed(with: key.signature(of: prepared.stringToSign))
  }

  /// Rooms 1 and 2 only: the first of the two phases of ``presign(_:validFor:at:)``.
  ///
  /// Throws what ``SigV4/Preparer/preparePresigned(_:validFor:at:)`` throws.
  public func preparePresigned(
    _ request: SigV4.Request, validFor seconds: Int, at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> SigV4.PreparedURL {
    try preparer.preparePresigned(request, validFor: seconds, at: timestamp)
  }

  /// Rooms 1 and 2 only: the first of the two phases of ``presign(_:at:)``.
  ///
  /// Throws what ``SigV4/Preparer/preparePresigned(_:at:)`` throws.
  public func preparePresigned(
    _ request: SigV4.Request, at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> SigV4.PreparedURL {
    try preparer.preparePresigned(request, at: timestamp)
  }
}
