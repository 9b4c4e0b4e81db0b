// SPDX-License-Identifier: Apache-2.0
// Presigned URLs of objects: one, or many.

public import RequestSigning

extension SigV4.Signer {
  /// Presigns a URL for an object. A GET downloads it, and a PUT uploads it. The URL expires after
  /// an hour by default.
  ///
  ///     let link = try signer.presignedURL(for: bucket.object("a.jpg"), at: now).url
  ///     let slot = try signer.presignedURL(
  ///       for: bucket.object("a.jpg"), method: .put, contentType: "image/jpeg",
  ///       expiresIn: .seconds(900), at: now)
  ///
  /// Anyone who has the URL can use it until it expires. Treat it as a secret. The holder must also
  /// send its `requiredHeaders`: the type, the length and the
  /// headers that you pass.
  ///
  /// - Parameters:
  ///   - object: the object to share.
  ///   - method: `.get` for a download, `.put` for an upload.
  ///   - contentType: the `Content-Type` that an upload must send, or nil to allow any. It replaces
  ///     one in `headers`.
  ///   - contentLength: the size that an upload must have, in bytes, or nil to allow any.
  ///   - query: additional parameters.
  ///   - headers: headers that must be sent with the URL.
  ///   - payload: the payload, which object storage doesn't sign by default.
  ///   - lifetime: how long the URL is valid, 1 second to 7 days.
  ///   - timestamp: the time of the signature.
  ///
  /// - Throws: `invalidHeaderValue` for a negative content length, `conflictingHeader` if the
  ///   headers have a different one, and the errors of presigning the object's request.
  @_disfavoredOverload public func presignedURL(
    for object: SigV4.Bucket.Object, method: SigV4.HTTPMethod = .get, contentType: String? = nil,
    contentLength: Int? = nil, query: SigV4.Query = .empty, headers: SigV4.Headers = [:],
    payload: SigV4.Payload = .empty, expiresIn lifetime: Duration = .seconds(3_600),
    at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> SigV4.PresignedURL {
    let headers = try headers.describing(contentType, contentLength)
    let request = try object.request(
      method.rawValue, query: query, headers: headers, payload: payload)
    return try presignedURL(for: request, expiresIn: lifetime, at: timestamp)
  }

  /// Presigns the URLs of many objects in a bucket. Up to sixteen are hashed in parallel (SIMD).
  /// They expire after an hour by default.
  ///
  ///     let urls = try signer.presignedURLs(for: ["1.jpg", "2.jpg"], in: bucket, at: now)
  ///
  /// Each URL is the same as from `presignedURL(for:)`. Signature Version 4a signs them one by one.
  ///
  /// - Parameters:
  ///   - keys: the keys of the objects.
  ///   - bucket: their bucket.
  ///   - method: `.get` for downloads, `.put` for uploads.
  ///   - contentType: the `Content-Type` that an upload must send, or nil to allow any. It replaces
  ///     one in `headers`.
  ///   - contentLength: the size that an upload must have, in bytes, or nil to allow any.
  ///   - query: additional parameters.
  ///   - headers: headers that must be sent with each URL.
  ///   - payload: the payload, which object storage doesn't sign by default.
  ///   - lifetime: how long the URLs are valid, 1 second to 7 days.
  ///   - timestamp: the time of the signatures.
  ///
  /// - Throws: `invalidPath` for an empty key, and the errors of `presignedURL(for:)`.
  @_disfavoredOverload public func presignedURLs(
    for keys: some Sequence<String>, in bucket: SigV4.Bucket, method: SigV4.HTTPMethod = .get,
    contentType: String? = nil, contentLength: Int? = nil, query: SigV4.Query = .empty,
    headers: SigV4.Headers = [:], payload: SigV4.Payload = .empty,
    expiresIn lifetime: Duration = .seconds(3_600), at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> [String] {
    let headers = try headers.describing(contentType, contentLength)
    if !hasDailyKeys {
      return try keys.map { key throws(SigV4.SigningError) in
        try presignedURL(
          for: bucket.object(key), method: method, query: query, headers: headers,
          payload: payload, expiresIn: lifetime, at: timestamp
        ).url
      }
    }
    let request = try SigV4.Request(
      method.rawValue, scheme: bucket.endpoint.scheme, host: bucket.host,
      path: .plain(bucket.pathStart), query: query, headers: headers, payload: payload)
    var batch = try BatchPresigner(request, expiresIn: lifetime, at: timestamp, by: self)
    return try batch.urls(of: Array(keys))
  }

  /// Presigns the URLs of objects, which may be in different buckets. For many in one bucket, pass
  /// their keys instead, which is faster.
  ///
  /// Parameters and errors are the same as for one object, except for the payload, which isn't
  /// signed.
  @_disfavoredOverload public func presignedURLs(
    for objects: some Sequence<SigV4.Bucket.Object>, method: SigV4.HTTPMethod = .get,
    contentType: String? = nil, contentLength: Int? = nil, query: SigV4.Query = .empty,
    headers: SigV4.Headers = [:], expiresIn lifetime: Duration = .seconds(3_600),
    at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> [String] {
    try objects.map { object throws(SigV4.SigningError) in
      try presignedURL(
        for: object, method: method, contentType: contentType, contentLength: contentLength,
        query: query, headers: headers, expiresIn: lifetime, at: timestamp
      ).url
    }
  }
}

extension SigV4.Headers {
  /// The headers with the type and the size of an upload. A negative size is `invalidHeaderValue`,
  /// and a different one in the headers is `conflictingHeader`.
  package func describing(
    _ contentType: String?, _ contentLength: Int?
  ) throws(SigV4.SigningError) -> Self {
    if let contentLength, contentLength < 0 {
      throw SigV4.SigningError(
        .invalidHeaderValue,
        "The content length is \(contentLength) bytes, but it can't be negative.",
        fix: "Pass 0 or more bytes, or nil to allow any size.")
    }
    var headers = self
    if let contentType { headers["content-type"] = contentType }
    guard let contentLength else { return headers }
    return try headers.requiring("content-length", String(contentLength))
  }

  /// Adds a header that the call determines. A different value is `conflictingHeader`.
  package func requiring(_ name: String, _ value: String) throws(SigV4.SigningError) -> Self {
    for given in values(named: name) where given != value {
      throw SigV4.SigningError(
        .conflictingHeader,
        "The header \(name) is \(quoted: given), but this call sets it to \(quoted: value).",
        fix: "Remove the header.")
    }
    var headers = self
    headers[name] = value
    return headers
  }
}
