// SPDX-License-Identifier: Apache-2.0
// Presigned URLs for a part of an upload, and for a copy, with dates and from sessions.

public import Foundation
public import RequestSigning
public import S3Signing

extension SigV4.Signer {
  /// Presigns a URL that uploads one part of a multipart upload. It expires after an hour by
  /// default. Treat it as a secret.
  ///
  ///     let link: URL = try signer.presignedURL(
  ///       for: film, partNumber: 3, uploadID: uploadID, contentLength: 8_388_608)
  ///
  /// - Parameters:
  ///   - object: the destination of the upload.
  ///   - partNumber: 1 to 10,000, or to 1,000 at Scaleway.
  ///   - uploadID: the upload ID.
  ///   - contentLength: the size of the part in bytes, or nil to allow any.
  ///   - headers: headers that must be sent with the URL, such as a checksum.
  ///   - lifetime: how long the URL is valid, 1 second to 7 days.
  ///   - date: the time of the signature. The default is the current time.
  ///
  /// - Throws: `invalidPart`, the errors of presigning, and `TransferError` with
  ///   `requestWouldChange` or `headersRequired`.
  public func presignedURL(
    for object: SigV4.Bucket.Object, partNumber: Int, uploadID: String, contentLength: Int? = nil,
    headers: SigV4.Headers = [:], expiresIn lifetime: Duration = .seconds(3_600),
    at date: Date = Date()
  ) throws -> URL {
    try presignedURL(
      for: object, method: .put, contentLength: contentLength,
      query: object.queryOfPart(partNumber, uploadID), headers: headers, expiresIn: lifetime,
      at: date)
  }

  /// Presigns a URL that uploads one part of a multipart upload, with the headers to send.
  @_disfavoredOverload public func presignedURL(
    for object: SigV4.Bucket.Object, partNumber: Int, uploadID: String, contentLength: Int? = nil,
    headers: SigV4.Headers = [:], expiresIn lifetime: Duration = .seconds(3_600),
    at date: Date = Date()
  ) throws(SigV4.SigningError) -> SigV4.PresignedURL {
    try presignedURL(
      for: object, partNumber: partNumber, uploadID: uploadID, contentLength: contentLength,
      headers: headers, expiresIn: lifetime, at: SigV4.Timestamp(date))
  }

  /// Presigns a URL that copies an object within the store, with a date. The holder must send its
  /// `requiredHeaders`.
  public func presignedURL(
    for object: SigV4.Bucket.Object, copying source: SigV4.Bucket.Object,
    versionID: String? = nil, headers: SigV4.Headers = [:],
    expiresIn lifetime: Duration = .seconds(3_600), at date: Date = Date()
  ) throws(SigV4.SigningError) -> SigV4.PresignedURL {
    try presignedURL(
      for: object, copying: source, versionID: versionID, headers: headers, expiresIn: lifetime,
      at: SigV4.Timestamp(date))
  }
}

extension SigningSession {
  /// Presigns a URL that uploads one part of a multipart upload with fresh credentials. The
  /// parameters and errors are those of the signer's call.
  ///
  ///     let link: URL = try await session.presignedURL(
  ///       for: film, partNumber: 3, uploadID: uploadID, contentLength: 8_388_608)
  @concurrent public func presignedURL(
    for object: SigV4.Bucket.Object, partNumber: Int, uploadID: String, contentLength: Int? = nil,
    headers: SigV4.Headers = [:], expiresIn lifetime: Duration = .seconds(3_600)
  ) async throws -> URL {
    try await presignedURL(
      for: object, method: .put, contentLength: contentLength,
      query: object.queryOfPart(partNumber, uploadID), headers: headers, expiresIn: lifetime)
  }

  /// Presigns a URL that uploads one part of a multipart upload with fresh credentials, with the
  /// headers to send.
  @_disfavoredOverload @concurrent public func presignedURL(
    for object: SigV4.Bucket.Object, partNumber: Int, uploadID: String, contentLength: Int? = nil,
    headers: SigV4.Headers = [:], expiresIn lifetime: Duration = .seconds(3_600)
  ) async throws -> SigV4.PresignedURL {
    try await presignedURL(
      for: object, method: .put, contentLength: contentLength,
      query: object.queryOfPart(partNumber, uploadID), headers: headers, expiresIn: lifetime)
  }

  /// Presigns a URL that copies an object within the store with fresh credentials. The holder must
  /// send its `requiredHeaders`. The parameters and errors are those of the signer's call.
  ///
  ///     let link = try await session.presignedURL(for: bucket.object("b.jpg"), copying: photo)
  @concurrent public func presignedURL(
    for object: SigV4.Bucket.Object, copying source: SigV4.Bucket.Object,
    versionID: String? = nil, headers: SigV4.Headers = [:],
    expiresIn lifetime: Duration = .seconds(3_600)
  ) async throws -> SigV4.PresignedURL {
    let place = try source.copySource(versionID: versionID)
    return try await presignedURL(
      for: object, method: .put, headers: headers.requiring(service.copySourceHeader, place),
      expiresIn: lifetime)
  }
}
