// SPDX-License-Identifier: Apache-2.0
// Operations on one object: metadata, deletion and presigned URLs.

public import Foundation
public import RequestSigning
public import S3Signing

/// The metadata of an object.
public struct ObjectHead: Hashable, Sendable {
  /// The size of the object in bytes, or nil if the server doesn't send it.
  public let contentLength: Int64?

  /// The entity tag of the object, with its quotation marks.
  public let eTag: String?

  /// The media type, such as `image/jpeg`.
  public let contentType: String?

  /// The time of the last modification.
  public let lastModified: Date?

  /// The version ID, if the bucket has versioning enabled.
  public let versionID: String?

  /// The user-defined metadata. Names are lowercase and don't include the prefix `x-amz-meta-`.
  public let metadata: [String: String]

  init(_ response: HTTPURLResponse) {
    func value(_ name: String) -> String? { response.value(forHTTPHeaderField: name) }
    contentLength = value("Content-Length").flatMap { Int64($0) }
    eTag = value("ETag")
    contentType = value("Content-Type")
    lastModified = value("Last-Modified").flatMap { try? SigV4.Timestamp(httpDate: $0) }
      .map { Date($0) }
    versionID = value("x-amz-version-id")
    let prefix = "x-amz-meta-"
    let fields = response.allHeaderFields.compactMap { field -> (String, String)? in
      guard let name = (field.key as? String)?.lowercased(), name.hasPrefix(prefix) else {
        return nil
      }
      return (String(name.dropFirst(prefix.count)), "\(field.value)")
    }
    metadata = Dictionary(fields) { first, _ in first }
  }
}

extension SigningSession {
  /// Requests the metadata of an object. Returns nil if the object doesn't exist.
  ///
  ///     if let head = try await session.head(photo) { print(head.contentLength ?? 0) }
  ///
  /// - Throws: The errors of ``send(_:payload:maximumByteCount:)``, and `TransferError` with
  ///   `unexpectedStatus` unless the status is 200 to 299 or 404. Without permission to list the
  ///   bucket, S3 responds with 403 if the object doesn't exist.
  @concurrent public func head(
    _ object: SigV4.Bucket.Object, headers: SigV4.Headers = [:]
  ) async throws -> ObjectHead? {
    let answer = try await answer(
      to: Exchange(request: object.headRequest(headers: headers), direction: .plain(nil)))
    if answer.response.statusCode == 404 { return nil }
    try answer.expectSuccess("the object's metadata")
    return ObjectHead(answer.response)
  }

  /// Returns whether an object exists.
  ///
  ///     if try await session.exists(photo) { ... }
  ///
  /// - Throws: The errors of ``head(_:headers:)``. Without permission to list the bucket, S3
  ///   responds with 403 if the object doesn't exist.
  @concurrent public func exists(_ object: SigV4.Bucket.Object) async throws -> Bool {
    try await head(object) != nil
  }

  /// Deletes an object. S3 doesn't report an error if it doesn't exist.
  ///
  /// - Throws: The errors of ``send(_:payload:maximumByteCount:)``, and `TransferError` with
  ///   `unexpectedStatus`, or `invalidResponse` for a page instead of S3's empty response.
  @concurrent public func delete(_ object: SigV4.Bucket.Object) async throws {
    let answer = try await answer(
      to: Exchange(request: object.deleteRequest(), direction: .plain(nil), expected: .nothing))
    try answer.expectSuccess("a confirmation of the deletion")
  }

  /// Creates a presigned URL for an object with fresh credentials. It expires after an hour by
  /// default. Treat it as a secret.
  ///
  ///     let link = try await session.presignedURL(for: photo, expiresIn: .seconds(600))
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
  ///
  /// - Throws: `CredentialError`, and the errors of `SigV4.Signer.presignedURL(for:)`, such as
  ///   `lifetimeExceedsCredentials` if the credentials expire before the URL.
  @concurrent public func presignedURL(
    for object: SigV4.Bucket.Object, method: SigV4.HTTPMethod = .get, contentType: String? = nil,
    contentLength: Int? = nil, query: SigV4.Query = .empty, headers: SigV4.Headers = [:],
    expiresIn lifetime: Duration = .seconds(3_600)
  ) async throws -> URL {
    try await signer(forLinkTo: object, method, query, headers).presignedURL(
      for: object, method: method, contentType: contentType, contentLength: contentLength,
      query: query, headers: headers, expiresIn: lifetime, at: clock.timestamp())
  }

  /// Creates a presigned URL for an object with fresh credentials, with the headers to send and the
  /// expiration. The parameters and errors are the same as for a `URL`.
  ///
  ///     let slot: SigV4.PresignedURL = try await session.presignedURL(
  ///       for: photo, method: .put, contentType: "image/jpeg")
  @_disfavoredOverload @concurrent public func presignedURL(
    for object: SigV4.Bucket.Object, method: SigV4.HTTPMethod = .get, contentType: String? = nil,
    contentLength: Int? = nil, query: SigV4.Query = .empty, headers: SigV4.Headers = [:],
    expiresIn lifetime: Duration = .seconds(3_600)
  ) async throws -> SigV4.PresignedURL {
    try await signer(forLinkTo: object, method, query, headers).presignedURL(
      for: object, method: method, contentType: contentType, contentLength: contentLength,
      query: query, headers: headers, expiresIn: lifetime, at: clock.timestamp())
  }

  /// Creates presigned URLs for many objects of the session's bucket with fresh credentials, up to
  /// sixteen in parallel. The other parameters and the errors are the same as for one object.
  ///
  ///     let links = try await session.presignedURLs(for: ["1.jpg", "2.jpg"])
  ///
  /// - Throws: `TransferError` with `bucketMissing` if the session has no bucket.
  @concurrent public func presignedURLs(
    for keys: [String], method: SigV4.HTTPMethod = .get, contentType: String? = nil,
    contentLength: Int? = nil, query: SigV4.Query = .empty, headers: SigV4.Headers = [:],
    expiresIn lifetime: Duration = .seconds(3_600)
  ) async throws -> [URL] {
    let bucket = try requiredBucket()
    guard let key = keys.first else { return [] }
    let signer = try await signer(forLinkTo: bucket.object(key), method, query, headers)
    return try signer.presignedURLs(
      for: keys, in: bucket, method: method, contentType: contentType,
      contentLength: contentLength, query: query, headers: headers, expiresIn: lifetime,
      at: clock.timestamp())
  }

  /// Creates a signer with fresh credentials for a presigned URL.
  private func signer(
    forLinkTo object: SigV4.Bucket.Object, _ method: SigV4.HTTPMethod, _ query: SigV4.Query,
    _ headers: SigV4.Headers
  ) async throws -> SigV4.Signer {
    let request = try object.request(method.rawValue, query: query, headers: headers)
    return try await signer(for: Exchange(request: request, direction: .plain(nil)))
  }
}
