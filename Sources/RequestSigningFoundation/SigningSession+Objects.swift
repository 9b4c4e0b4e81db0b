// SPDX-License-Identifier: Apache-2.0
// What a session does with one object: its bytes, what is known of it, a copy, a link, its end.

public import Foundation
public import RequestSigning
public import S3Signing
internal import DocumentSupport
internal import SigningSupport

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// What a server tells of an object.
public struct ObjectHead: Hashable, Sendable {
  /// The size of the object in bytes; nil when the server does not tell.
  public let contentLength: Int64?

  /// The tag of this version of the object, in quotes.
  public let eTag: String?

  /// The media type of its bytes, such as `image/jpeg`.
  public let contentType: String?

  /// When it was stored.
  public let lastModified: Date?

  /// The version, where the bucket keeps versions.
  public let versionID: String?

  /// What was stored with it as `x-amz-meta-*`, by the names without that prefix, in lowercase.
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
  /// What the server tells of an object; nil when there is none.
  ///
  ///     if let head = try await session.head(photo) { print(head.contentLength ?? 0) }
  ///
  /// Throws what ``send(_:payload:maximumByteCount:)`` throws, and `TransferError` with
  /// `unexpectedStatus` for any status but 200 to 299 and 404. A bucket that you may not list answers 403
  /// for a missing object.
  @concurrent public func head(
    _ object: SigV4.Bucket.Object, headers: SigV4.Headers = [:]
  ) async throws -> ObjectHead? {
    let answer = try await answer(
      to: Exchange(request: object.headRequest(headers: headers), direction: .plain(nil)))
    if answer.response.statusCode == 404 { return nil }
    try answer.expectSuccess("what is known of the object")
    return ObjectHead(answer.response)
  }

  /// Copies an object within the store, without downloading it.
  ///
  ///     try await session.copy(photo, to: bucket.object("copy.jpg"))
  ///
  /// Metadata is copied too, unless `headers` has `x-amz-metadata-directive: REPLACE`. S3 copies up to
  /// 5 GiB so. Both buckets belong to one store, and the session is for the bucket of `target`.
  ///
  /// Throws what ``send(_:payload:maximumByteCount:)`` throws, and `TransferError` with
  /// `unexpectedStatus` unless the server copied.
  ///
  /// Source: Amazon S3, API Reference, "CopyObject".
  @concurrent @discardableResult public func copy(
    _ source: SigV4.Bucket.Object, to target: SigV4.Bucket.Object, headers: SigV4.Headers = [:]
  ) async throws -> UploadedObject {
    let path = URIEncoding.encode(
      Array("/\(source.bucket.name)/".utf8) + source.keyBytes, as: .path)
    let request = try target.putRequest(
      .empty, headers: headers + ["x-amz-copy-source": String(decoding: path, as: UTF8.self)])
    let answer = try await answer(to: Exchange(request: request, direction: .plain(nil)))
    try answer.expectSuccess("the copy")
    guard let eTag = try? XMLFieldReader(answer.body).text(named: "ETag") else {
      throw TransferError(
        .invalidAnswer,
        "the server's answer has no ETag of the copy, so it may not be there; look at what answers at "
          + target.bucket.endpoint.host, status: answer.response.statusCode)
    }
    return UploadedObject(
      eTag: eTag, versionID: answer.response.value(forHTTPHeaderField: "x-amz-version-id"),
      partCount: 1)
  }

  /// Deletes an object. S3 says nothing different when there is none.
  ///
  /// Throws what ``send(_:payload:maximumByteCount:)`` throws, and `TransferError` with
  /// `unexpectedStatus`.
  @concurrent public func delete(_ object: SigV4.Bucket.Object) async throws {
    let answer = try await answer(
      to: Exchange(request: object.deleteRequest(), direction: .plain(nil)))
    try answer.expectSuccess("the end of the object")
  }

  /// A presigned URL to an object, with the credentials and the time of the server of now; valid for an
  /// hour unless you say otherwise. Treat it as a secret.
  ///
  ///     let link = try await session.presignedURL(for: photo, expiresIn: .seconds(600))
  ///
  /// - Parameters:
  ///   - object: what the link leads to.
  ///   - method: what the link may be used for: `GET`, or `PUT` for an upload.
  ///   - contentType: of an upload, the type that has to be sent with it as `Content-Type`; nil for any type.
  ///   - query: further parameters.
  ///   - lifetime: how long the link may be used, 1 second to 7 days.
  ///
  /// Throws `CredentialError`, and what `SigV4.Signer.presignedURL(for:method:query:expiresIn:at:)` throws:
  /// `outlivesCredentials` when the credentials end before the link.
  @concurrent public func presignedURL(
    for object: SigV4.Bucket.Object, method: String = "GET", contentType: String? = nil,
    query: SigV4.Query = .empty, expiresIn lifetime: Duration = .seconds(3_600)
  ) async throws -> URL {
    var headers: SigV4.Headers = [:]
    headers["content-type"] = contentType
    let request = try object.request(method, query: query, headers: headers)
    let (_, signer) = try await signer(for: Exchange(request: request, direction: .plain(nil)))
    return try signer.presignedURL(
      for: request, expiresIn: lifetime, at: clock.timestamp(), sentWith: headers)
  }
}
