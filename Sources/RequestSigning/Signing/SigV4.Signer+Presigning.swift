// SPDX-License-Identifier: Apache-2.0
// The corridor in one call, ending in a URL.

internal import SigningSupport

extension SigV4.Signer {
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
    var buffer = SigV4.SigningBuffer()
    let signature = try presign(request, validFor: seconds, at: timestamp, into: &buffer)
    return SigV4.PresignedURL(
      request: request, timestamp: timestamp, preparer: preparer,
      expiration: try timestamp.advanced(bySeconds: Int64(seconds)), signature: signature,
      buffer: buffer)
  }

  /// Signs a request in its query, in memory that is used again for the next one.
  ///
  /// Returns the signature. Throws what ``presign(_:validFor:at:)`` throws; the buffer holds no URL
  /// then.
  @discardableResult
  public func presign(
    _ request: SigV4.Request, validFor seconds: Int, at timestamp: SigV4.Timestamp,
    into buffer: inout SigV4.SigningBuffer
  ) throws(SigV4.SigningError) -> SigV4.Signature {
    buffer.reset()
    try preparer.checkLifetime(seconds, at: timestamp)
    return try presign(request, lifetime: seconds, at: timestamp, in: &buffer)
  }

  /// Signs a request in its query, for a service whose URLs do not say how long they live
  /// (``SigV4/Service/iotDeviceGateway``).
  ///
  /// Throws what ``sign(_:at:)`` throws, and `lifetimeRequired` for any other service.
  public func presign(
    _ request: SigV4.Request, at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> SigV4.PresignedURL {
    var buffer = SigV4.SigningBuffer()
    let signature = try presign(request, at: timestamp, into: &buffer)
    return SigV4.PresignedURL(
      request: request, timestamp: timestamp, preparer: preparer, expiration: nil,
      signature: signature, buffer: buffer)
  }

  /// Signs a request in its query, in memory that is used again for the next one, for a service
  /// whose URLs do not say how long they live.
  ///
  /// Returns the signature. Throws what ``presign(_:at:)`` throws; the buffer holds no URL then.
  @discardableResult
  public func presign(
    _ request: SigV4.Request, at timestamp: SigV4.Timestamp,
    into buffer: inout SigV4.SigningBuffer
  ) throws(SigV4.SigningError) -> SigV4.Signature {
    buffer.reset()
    try preparer.checkNoLifetime()
    return try presign(request, lifetime: nil, at: timestamp, in: &buffer)
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

  /// For a lifetime that was checked.
  package func presign(
    _ request: SigV4.Request, lifetime: Int?, at timestamp: SigV4.Timestamp,
    in buffer: inout SigV4.SigningBuffer
  ) throws(SigV4.SigningError) -> SigV4.Signature {
    try preparer.prepareURL(request, lifetime: lifetime, at: timestamp, in: &buffer)
    let key = try signingKey(at: timestamp)
    let signature = key.signature(in: buffer)
    preparer.finishURL(request, with: signature, in: &buffer)
    return signature
  }
}
