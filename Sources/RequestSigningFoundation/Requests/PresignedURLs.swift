// SPDX-License-Identifier: Apache-2.0
// Presigned URLs as `URL`. The `PresignedURL` with its headers comes from the same calls.

public import Foundation
public import RequestSigning
public import S3Signing

/// Presigned URLs as `URL`.
///
///     let link = try signer.presignedURL(for: photo, expiresIn: .seconds(600))
///
/// To also get the headers to send with the URL and its expiration, let the same call return a
/// `SigV4.PresignedURL`:
///
///     let slot: SigV4.PresignedURL = try signer.presignedURL(
///       for: photo, method: .put, contentType: "image/jpeg")
///     print(slot.url, slot.requiredHeaders.map(\.name))
extension SigV4.Signer {
  /// Creates a presigned URL for an object. It expires after an hour by default. Treat it as a
  /// secret.
  ///
  ///     let link = try signer.presignedURL(for: bucket.object("été.jpg"))
  ///
  /// - Parameters:
  ///   - object: the object to share.
  ///   - method: `.get` for a download, `.put` for an upload.
  ///   - contentType: the `Content-Type` that an upload must send, or nil to allow any. It replaces
  ///     one in `headers`.
  ///   - contentLength: the size that an upload must have, in bytes, or nil to allow any.
  ///   - query: additional parameters.
  ///   - headers: headers that must be sent with the URL.
  ///   - lifetime: how long the URL is valid, 1 second to 7 days.
  ///   - date: the time of the signature. The default is the current time.
  ///
  /// - Throws: The errors of presigning, and `TransferError` with `requestWouldChange`, or
  ///   `headersRequired` if the service requires other headers with the URL.
  public func presignedURL(
    for object: SigV4.Bucket.Object, method: SigV4.HTTPMethod = .get, contentType: String? = nil,
    contentLength: Int? = nil, query: SigV4.Query = .empty, headers: SigV4.Headers = [:],
    expiresIn lifetime: Duration = .seconds(3_600), at date: Date = Date()
  ) throws -> URL {
    try presignedURL(
      for: object, method: method, contentType: contentType, contentLength: contentLength,
      query: query, headers: headers, expiresIn: lifetime, at: SigV4.Timestamp(date))
  }

  /// Creates a presigned URL for an object with a timestamp. See the same function with a date.
  public func presignedURL(
    for object: SigV4.Bucket.Object, method: SigV4.HTTPMethod = .get, contentType: String? = nil,
    contentLength: Int? = nil, query: SigV4.Query = .empty, headers: SigV4.Headers = [:],
    expiresIn lifetime: Duration = .seconds(3_600), at timestamp: SigV4.Timestamp
  ) throws -> URL {
    let headers = try headers.describing(contentType, contentLength)
    return try presignedURL(
      for: object.request(method.rawValue, query: query, headers: headers), expiresIn: lifetime,
      at: timestamp, sentWith: headers)
  }

  /// Creates a presigned URL. It expires after an hour by default. Treat it as a secret.
  ///
  ///     let link = try signer.presignedURL(for: url)
  ///
  /// - Parameters:
  ///   - url: the URL to presign.
  ///   - method: the HTTP method.
  ///   - contentType: the `Content-Type` that an upload must send, or nil to allow any. It replaces
  ///     one in `headers`.
  ///   - contentLength: the size that an upload must have, in bytes, or nil to allow any.
  ///   - headers: headers that must be sent with the URL.
  ///   - plus: the meaning of a '+' in the query. Foundation doesn't encode plus signs.
  ///   - lifetime: how long the URL is valid, 1 second to 7 days.
  ///   - date: the time of the signature. The default is the current time.
  ///
  /// - Throws: The errors of presigning, and `TransferError` with `requestWouldChange`, or
  ///   `headersRequired` if the service requires other headers with the URL.
  public func presignedURL(
    for url: URL, method: SigV4.HTTPMethod = .get, contentType: String? = nil,
    contentLength: Int? = nil, headers: SigV4.Headers = [:], plus: SigV4.Query.PlusSign = .space,
    expiresIn lifetime: Duration? = .seconds(3_600), at date: Date = Date()
  ) throws -> URL {
    try presignedURL(
      for: url, method: method, contentType: contentType, contentLength: contentLength,
      headers: headers, plus: plus, expiresIn: lifetime, at: SigV4.Timestamp(date))
  }

  /// Creates a presigned URL with a timestamp. See the same function with a date.
  public func presignedURL(
    for url: URL, method: SigV4.HTTPMethod = .get, contentType: String? = nil,
    contentLength: Int? = nil, headers: SigV4.Headers = [:], plus: SigV4.Query.PlusSign = .space,
    expiresIn lifetime: Duration? = .seconds(3_600), at timestamp: SigV4.Timestamp
  ) throws -> URL {
    let headers = try headers.describing(contentType, contentLength)
    return try presignedURL(
      for: SigV4.Request(
        method.rawValue, url: url.absoluteURL.absoluteString, plus: plus, headers: headers),
      expiresIn: lifetime, at: timestamp, sentWith: headers)
  }

  /// Creates a presigned URL for any request, such as a bucket's list. It expires after an hour by
  /// default. Treat it as a secret.
  ///
  ///     let link = try signer.presignedURL(for: bucket.listRequest(prefix: "a/"))
  ///
  /// - Throws: The errors of presigning, and `TransferError` with `requestWouldChange`, or
  ///   `headersRequired` if the URL requires headers.
  public func presignedURL(
    for request: SigV4.Request, expiresIn lifetime: Duration? = .seconds(3_600),
    at date: Date = Date()
  ) throws -> URL {
    try presignedURL(for: request, expiresIn: lifetime, at: SigV4.Timestamp(date))
  }

  /// Creates a presigned URL for any request with a timestamp. See the same function with a date.
  public func presignedURL(
    for request: SigV4.Request, expiresIn lifetime: Duration? = .seconds(3_600),
    at timestamp: SigV4.Timestamp
  ) throws -> URL {
    try presignedURL(for: request, expiresIn: lifetime, at: timestamp, sentWith: [:])
  }

  /// Creates a presigned URL for use with headers that the caller already knows.
  private func presignedURL(
    for request: SigV4.Request, expiresIn lifetime: Duration?, at timestamp: SigV4.Timestamp,
    sentWith known: SigV4.Headers
  ) throws -> URL {
    let signed: SigV4.PresignedURL = try presignedURL(
      for: request, expiresIn: lifetime, at: timestamp)
    let unknown = signed.requiredHeaders.first { known[$0.name] == nil }
    if let header = unknown {
      throw TransferError(
        .headersRequired,
        "This URL requires the header \(header.name).",
        fix: "Use sign(_:expiresIn:) with a URLRequest, which gets the URL and its headers.")
    }
    return try URL(signed)
  }

  /// Presigns the URLs of many objects in a bucket, up to sixteen in parallel. They expire after an
  /// hour by default. Treat them as secrets.
  ///
  ///     let links = try signer.presignedURLs(for: ["1.jpg", "2.jpg"], in: bucket)
  ///
  /// Parameters are the same as for one object.
  ///
  /// - Throws: `invalidPath` for an empty key, and the errors of presigning one object.
  public func presignedURLs(
    for keys: some Sequence<String>, in bucket: SigV4.Bucket, method: SigV4.HTTPMethod = .get,
    contentType: String? = nil, contentLength: Int? = nil, query: SigV4.Query = .empty,
    headers: SigV4.Headers = [:], expiresIn lifetime: Duration = .seconds(3_600),
    at date: Date = Date()
  ) throws -> [URL] {
    try presignedURLs(
      for: keys, in: bucket, method: method, contentType: contentType,
      contentLength: contentLength, query: query, headers: headers, expiresIn: lifetime,
      at: SigV4.Timestamp(date))
  }

  /// Presigns the URLs of many objects with a timestamp. See the same function with a date.
  public func presignedURLs(
    for keys: some Sequence<String>, in bucket: SigV4.Bucket, method: SigV4.HTTPMethod = .get,
    contentType: String? = nil, contentLength: Int? = nil, query: SigV4.Query = .empty,
    headers: SigV4.Headers = [:], expiresIn lifetime: Duration = .seconds(3_600),
    at timestamp: SigV4.Timestamp
  ) throws -> [URL] {
    let texts: [String] = try presignedURLs(
      for: keys, in: bucket, method: method, contentType: contentType,
      contentLength: contentLength, query: query, headers: headers, expiresIn: lifetime,
      at: timestamp)
    let origin = bucket.endpoint.scheme.name + "://" + bucket.host
    return try texts.map { text in
      let target = String(decoding: text.utf8.dropFirst(origin.utf8.count), as: UTF8.self)
      return try URL(loadable: text, target: target, service)
    }
  }

  /// Presigns the URLs of objects, which may be in different buckets. For many in one bucket, pass
  /// their keys instead, which is faster.
  ///
  /// Parameters and errors are the same as for one object.
  public func presignedURLs(
    for objects: some Sequence<SigV4.Bucket.Object>, method: SigV4.HTTPMethod = .get,
    contentType: String? = nil, contentLength: Int? = nil, query: SigV4.Query = .empty,
    headers: SigV4.Headers = [:], expiresIn lifetime: Duration = .seconds(3_600),
    at date: Date = Date()
  ) throws -> [URL] {
    try presignedURLs(
      for: objects, method: method, contentType: contentType, contentLength: contentLength,
      query: query, headers: headers, expiresIn: lifetime, at: SigV4.Timestamp(date))
  }

  /// Presigns the URLs of objects with a timestamp. See the same function with a date.
  public func presignedURLs(
    for objects: some Sequence<SigV4.Bucket.Object>, method: SigV4.HTTPMethod = .get,
    contentType: String? = nil, contentLength: Int? = nil, query: SigV4.Query = .empty,
    headers: SigV4.Headers = [:], expiresIn lifetime: Duration = .seconds(3_600),
    at timestamp: SigV4.Timestamp
  ) throws -> [URL] {
    try objects.map {
      try presignedURL(
        for: $0, method: method, contentType: contentType, contentLength: contentLength,
        query: query, headers: headers, expiresIn: lifetime, at: timestamp)
    }
  }
}

extension URL {
  /// Creates the URL of a presigned URL.
  ///
  /// - Throws: `TransferError` with `requestWouldChange` if Foundation or a URL loader would change
  ///   it.
  public init(_ presigned: SigV4.PresignedURL) throws {
    try self.init(
      loadable: presigned.url, target: presigned.target, presigned.preparer.service)
  }
}
