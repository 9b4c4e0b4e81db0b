// SPDX-License-Identifier: Apache-2.0
// Presigned URLs for a part of an upload, and for a copy.

public import RequestSigning

extension SigV4.Signer {
  /// Presigns a URL that uploads one part of a multipart upload (UploadPart). The holder sends a
  /// PUT, and needs the ETag in the response.
  ///
  ///     let part = try signer.presignedURL(
  ///       for: bucket.object("film.mov"), partNumber: 3, uploadID: uploadID,
  ///       contentLength: 8_388_608, at: now)
  ///
  /// The number and the upload ID are signed, and so is the length, so the URL works for no other
  /// part. It can be used again until it expires, or until the upload is completed or aborted.
  ///
  /// - Parameters:
  ///   - object: the destination of the upload.
  ///   - partNumber: 1 to 10,000, or to 1,000 at Scaleway.
  ///   - uploadID: the upload ID.
  ///   - contentLength: the size of the part in bytes, or nil to allow any.
  ///   - headers: headers that must be sent with the URL, such as a checksum.
  ///   - lifetime: how long the URL is valid, 1 second to 7 days.
  ///   - timestamp: the time of the signature.
  ///
  /// - Throws: `invalidPart`, and the errors of `presignedURL(for:)`.
  ///
  /// Source: Amazon S3, API Reference, "UploadPart".
  @_disfavoredOverload public func presignedURL(
    for object: SigV4.Bucket.Object, partNumber: Int, uploadID: String, contentLength: Int? = nil,
    headers: SigV4.Headers = [:], expiresIn lifetime: Duration = .seconds(3_600),
    at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> SigV4.PresignedURL {
    try presignedURL(
      for: object, method: .put, contentLength: contentLength,
      query: object.queryOfPart(partNumber, uploadID), headers: headers, expiresIn: lifetime,
      at: timestamp)
  }

  /// Presigns a URL that copies an object within the store (CopyObject). The holder sends a PUT
  /// without a body, with the `requiredHeaders`: `x-amz-copy-source` (of Google and TOS with their
  /// prefix) and those that you pass.
  ///
  ///     let copy = try signer.presignedURL(
  ///       for: bucket.object("b.jpg"), copying: bucket.object("a.jpg"), at: now)
  ///
  /// S3 copies up to 5 GiB in one request. A status of 200 can have an error in its body.
  ///
  /// - Parameters:
  ///   - object: the destination of the copy.
  ///   - source: the object to copy.
  ///   - versionID: the version to copy, or nil for the current one.
  ///   - headers: headers that must be sent with the URL, such as `x-amz-metadata-directive`.
  ///   - lifetime: how long the URL is valid, 1 second to 7 days.
  ///   - timestamp: the time of the signature.
  ///
  /// - Throws: `conflictingHeader` if the headers name a different source, and the errors of
  ///   ``SigV4/Bucket/Object/copySource(versionID:)`` and `presignedURL(for:)`.
  ///
  /// Source: Amazon S3, API Reference, "CopyObject".
  public func presignedURL(
    for object: SigV4.Bucket.Object, copying source: SigV4.Bucket.Object,
    versionID: String? = nil, headers: SigV4.Headers = [:],
    expiresIn lifetime: Duration = .seconds(3_600), at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> SigV4.PresignedURL {
    let place = try source.copySource(versionID: versionID)
    return try presignedURL(
      for: object, method: .put, headers: headers.requiring(service.copySourceHeader, place),
      expiresIn: lifetime, at: timestamp)
  }
}

extension SigV4.Service {
  /// The header with the source of a copy, such as `x-amz-copy-source`.
  package var copySourceHeader: String { names.headerPrefix.description + "copy-source" }
}

extension SigV4.Bucket.Object {
  /// Returns the query of a request for a part.
  ///
  /// - Throws: `invalidPart` for a number that the store doesn't accept, and an empty upload ID.
  package func queryOfPart(
    _ number: Int, _ uploadID: String
  ) throws(SigV4.SigningError) -> SigV4.Query {
    let host = bucket.endpoint.host
    let store = SigV4.NamedStore.at(host)?.store
    let maximum = (store?.limits ?? SigV4.UploadLimits()).maximumPartCount
    if number < 1 || Int64(number) > maximum {
      throw SigV4.SigningError(
        .invalidPart,
        "The part number is \(number), but \(store?.name ?? host) accepts 1 to \(maximum).",
        fix: "Use larger parts if there are more.")
    }
    if uploadID.isEmpty {
      throw SigV4.SigningError(
        .invalidPart,
        "The upload ID is empty.",
        fix: "Use the UploadId in the response to CreateMultipartUpload.")
    }
    return ["partNumber": String(number), "uploadId": uploadID]
  }
}
