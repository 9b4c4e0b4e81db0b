// SPDX-License-Identifier: Apache-2.0
// Uploads whose parts are sent by others: a background session, a browser, a device without keys.

public import RequestSigning
public import S3Signing

#if canImport(FoundationNetworking)
  internal import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

extension SigningSession {
  /// Begins an upload whose parts are sent by others: by an app's background `URLSession`, or by a
  /// browser or a device that has no keys.
  ///
  ///     let upload = try await session.startUpload(ofByteCount: size, to: film)
  ///     for part in try await session.missingParts(of: upload) {
  ///       let request = try await session.presignedRequest(for: part, of: upload)
  ///       ...
  ///     }
  ///     try await session.finish(upload)
  ///
  /// Store the returned value (`Codable`) until the upload is finished or aborted. The parts of a
  /// lost upload cost money: find it with ``listUploads(_:prefix:)``, and abort it.
  ///
  /// - Parameters:
  ///   - byteCount: the size of the file in bytes, at least 1.
  ///   - object: the destination. Its bucket must be that of the session.
  ///   - partByteCount: the size of each part in bytes, or nil for ``Options/partByteCount``. It's
  ///     larger if there would be too many.
  ///   - contentType: the media type. It replaces a content type in `headers`. If both are missing,
  ///     the extension of the key determines it.
  ///   - metadata: user-defined metadata by name.
  ///   - headers: storage class, conditions and others, but no encryption key (SSE-C).
  ///
  /// - Throws: The errors of ``send(_:payload:maximumByteCount:)``, and `TransferError` with
  ///   `bucketMissing`, `invalidPartSize`, `objectTooLarge`, `conflictingHeader`,
  ///   `unexpectedStatus` or `invalidResponse`.
  ///
  /// Source: Amazon S3, API Reference, "CreateMultipartUpload".
  @concurrent public func startUpload(
    ofByteCount byteCount: Int64, to object: SigV4.Bucket.Object, partByteCount: Int? = nil,
    contentType: String? = nil, metadata: [String: String] = [:], headers: SigV4.Headers = [:]
  ) async throws -> UploadCheckpoint {
    if byteCount < 1 {
      throw TransferError(
        .invalidPartSize, "An upload of \(byteCount) bytes has no parts.",
        fix: "Use presignedURL(for:method:) with .put for an empty object.")
    }
    if headers[MultipartUpload.keyDigest] != nil {
      throw TransferError(
        .conflictingHeader,
        "Each part would need your encryption key (\(MultipartUpload.keyDigest)), so everybody who "
          + "sends one would get it.",
        fix: "Use server-side encryption with the store's keys, or upload(_:to:checkpoint:).")
    }
    // The calls that follow, also abort(_:), use the session's bucket.
    let (own, other) = (try requiredBucket(), object.bucket)
    if BucketPlace(own) != BucketPlace(other) {
      throw TransferError(
        .bucketMissing,
        "The object is in the bucket \(other.name), but the session is for \(own.name).",
        fix: "Use a session of the object's bucket.")
    }
    let headers = try headers.describing(contentType, ofFile: object.key, metadata)
    let sizes = try PartSizes(options.withParts(of: partByteCount), at: object.bucket.endpoint)
    let upload = try MultipartUpload(self, object, headers, sizes)
    // Before the upload begins: after an error, no caller could abort it.
    let size = try sizes.byteCount(forCheckpoint: byteCount)
    return try await upload.beginning { id in
      UploadCheckpoint(upload, id, byteCount: byteCount, partByteCount: size)
    }
  }

  /// Lists the upload at the store, and returns the missing parts, in order. The senders needn't
  /// report to you.
  ///
  /// - Throws: The errors of ``send(_:payload:maximumByteCount:)``, and `TransferError` with
  ///   `bucketMissing`, `invalidCheckpoint` if the upload is in a different bucket,
  ///   `unexpectedStatus` with the server code `NoSuchUpload` if it was finished or aborted, or
  ///   `invalidResponse`.
  ///
  /// Source: Amazon S3, API Reference, "ListParts".
  @concurrent public func missingParts(
    of upload: UploadCheckpoint
  ) async throws -> [UploadPart] {
    let listed = try await multipartUpload(of: upload).listParts(upload.uploadID)
    return upload.missing(from: listed)
  }

  /// Creates a request for a part, with a signature in its URL. Anyone who has it can send this
  /// part, with exactly its number of bytes, until it expires. Treat it as a secret.
  ///
  ///     let request = try await session.presignedRequest(for: part, of: upload)
  ///     background.uploadTask(with: request, fromFile: partFile).resume()
  ///
  /// It's a PUT. For other clients, send its `url` and `allHTTPHeaderFields`, and let them add the
  /// length. Sending a part again replaces it. If a request is rejected with 403 because it
  /// expired, create a new one. The upload stays.
  ///
  /// - Parameters:
  ///   - part: one of ``missingParts(of:)``.
  ///   - upload: the upload.
  ///   - checksum: the checksum of the part's bytes, so that the store rejects any others, or nil.
  ///     Its algorithm must be the upload's, if the upload has one.
  ///   - lifetime: how long the request is valid, 1 second to 7 days.
  ///
  /// - Throws: `CredentialError`, `SigV4.SigningError` with `lifetimeExceedsCredentials` if the
  ///   credentials expire before the request, and `TransferError` with `bucketMissing`,
  ///   `invalidCheckpoint` if the part isn't one of the upload, or the upload is in a different
  ///   bucket, or `conflictingHeader` if the checksum is missing or has a different algorithm.
  ///
  /// Source: Amazon S3, API Reference, "UploadPart".
  @concurrent public func presignedRequest(
    for part: UploadPart, of upload: UploadCheckpoint, checksum: SigV4.Checksum? = nil,
    expiresIn lifetime: Duration = .seconds(3_600)
  ) async throws -> URLRequest {
    let parts = try multipartUpload(of: upload)
    guard (1...upload.partCount).contains(part.number), upload.part(part.number) == part else {
      throw TransferError(
        .invalidCheckpoint,
        "Bytes \(part.range.lowerBound) to \(part.range.upperBound) aren't part \(part.number) of "
          + "this upload.",
        fix: "Use a part of missingParts(of:) with the same upload.")
    }
    if let checksum, let expected = upload.checksum, checksum.algorithm != expected {
      throw TransferError(
        .conflictingHeader,
        "The checksum of the part is \(checksum.algorithm.name), but the upload began with "
          + "\(expected.name).",
        fix: "Compute the \(expected.name) of the part.")
    }
    if checksum == nil, let expected = upload.checksum, expected != .contentMD5, !parts.isFullObject
    {
      throw TransferError(
        .conflictingHeader,
        "The upload began with \(expected.name) of each part, so the store needs that of this one.",
        fix: "Pass the \(expected.name) of the part, or start the upload with the checksums .off.")
    }
    let presigned: SigV4.PresignedURL = try await presignedURL(
      for: parts.object, partNumber: part.number, uploadID: upload.uploadID,
      // At most partByteCount.
      contentLength: Int(part.range.byteCount),
      headers: parts.partHeaders + (checksum?.headers ?? [:]), expiresIn: lifetime)
    return try URLRequest(presigned)
  }

  /// Completes an upload whose parts were sent by others. If only the response is lost, it finds
  /// the object, whose ETag or checksum must be that of the parts.
  ///
  /// - Throws: The errors of ``missingParts(of:)``, and `TransferError` with `partsMissing` if the
  ///   store doesn't have all parts, without a request to complete the upload. The server code
  ///   `NoSuchUpload` can mean that an earlier call completed it. Then the store no longer lists
  ///   the parts, so the object can't be compared with them: check with ``head(_:headers:)``.
  ///
  /// Source: Amazon S3, API Reference, "CompleteMultipartUpload".
  @concurrent @discardableResult public func finish(
    _ upload: UploadCheckpoint
  ) async throws -> UploadedObject {
    let parts = try multipartUpload(of: upload)
    let listed = try await parts.listParts(upload.uploadID)
    let missing = upload.missing(from: listed)
    if !missing.isEmpty {
      let numbers = missing.prefix(5).map { "\($0.number)" }.joined(separator: ", ")
      throw TransferError(
        .partsMissing,
        "The store doesn't have \(missing.count) of \(upload.partCount) parts, or they have other "
          + "sizes: \(numbers)\(missing.count > 5 ? " and others" : "").",
        fix: "Send the parts of missingParts(of:), then finish the upload.")
    }
    return try await parts.completeOnce(
      upload.allParts.compactMap { listed[$0.number] }, upload)
  }

  private func multipartUpload(of upload: UploadCheckpoint) throws -> MultipartUpload {
    try MultipartUpload(self, requiredBucket().object(upload.key), upload, [:])
  }
}

extension SigningSession.Options {
  /// The same options with a different size of parts, unless it's nil.
  fileprivate func withParts(of byteCount: Int?) -> Self {
    var options = self
    options.partByteCount = byteCount ?? partByteCount
    return options
  }
}
