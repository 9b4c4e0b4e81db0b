// SPDX-License-Identifier: Apache-2.0
// An object or a common prefix in a list, which can be downloaded and deleted like an object.

internal import DocumentSupport
public import RequestSigning
public import S3Signing

#if canImport(FoundationNetworking)
  public import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// A listed object, or a common prefix of several keys.
public struct ListedObject: Hashable, Sendable {
  /// The key, or the common prefix.
  public let key: String

  /// The size in bytes, or 0 for a common prefix.
  public let size: Int64

  /// The time of the last modification, or nil for a common prefix.
  public let lastModified: Date?

  /// The entity tag with its quotation marks, or nil for a common prefix.
  public let eTag: String?

  /// The storage class, such as `STANDARD`.
  public let storageClass: String?

  /// Whether this is a common prefix.
  public let isPrefix: Bool

  private let bucket: SigV4.Bucket

  /// `Contents` or `CommonPrefixes`.
  init?(_ entry: BucketListEntry, in bucket: SigV4.Bucket) {
    switch entry.name {
    case "Contents":
      guard let key = entry.text("Key") else { return nil }
      self.key = key
      isPrefix = false
    case "CommonPrefixes":
      guard let key = entry.text("Prefix") else { return nil }
      self.key = key
      isPrefix = true
    default: return nil
    }
    size = entry.text("Size").flatMap { Int64($0) } ?? 0
    lastModified = entry.date("LastModified")
    eTag = entry.text("ETag")
    storageClass = entry.text("StorageClass")
    self.bucket = bucket
  }

  /// The object in its bucket, for calls that take an object.
  ///
  /// - Throws: `TransferError` with `commonPrefix` for a common prefix, or the errors of
  ///   `SigV4.Bucket.object(_:)`.
  public var object: SigV4.Bucket.Object {
    get throws {
      if isPrefix {
        throw TransferError(
          .commonPrefix,
          "\(UTF8Text.quoted(key)) is a common prefix of several keys, not an object.",
          fix: "Skip common prefixes (isPrefix), or list without a delimiter.")
      }
      return try bucket.object(key)
    }
  }
}

/// A listed object to download.
extension ListedObject: SignableRequest {
  /// Returns a GET request for the object.
  public func signable(
    payload: SigV4.Payload?, headerEncoding: SigV4.HeaderEncoding
  ) throws -> SigV4.Request {
    try object.signable(payload: payload, headerEncoding: headerEncoding)
  }

  /// Always nil.
  public var urlRequest: URLRequest? { nil }
}

extension SigningSession {
  /// Deletes a listed object.
  ///
  /// - Throws: The errors of ``ListedObject/object`` and of `delete(_:)` for an object.
  @concurrent public func delete(_ listed: ListedObject) async throws {
    try await delete(listed.object)
  }

  /// Deletes listed objects, up to 1,000 per request. Nothing is deleted if one of them is a common
  /// prefix.
  ///
  /// - Throws: The errors of ``ListedObject/object`` and ``delete(keys:)``.
  @concurrent public func delete(_ listed: [ListedObject]) async throws {
    try await delete(listed.map { try $0.object })
  }
}
