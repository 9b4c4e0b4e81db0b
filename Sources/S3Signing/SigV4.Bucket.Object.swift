// SPDX-License-Identifier: Apache-2.0
// An object as a value: a bucket and a key, what may happen to the key, and requests.

public import RequestSigning
internal import SigningSupport

extension SigV4.Bucket {
  /// An object of a bucket, by its key.
  public struct Object: Sendable {
    /// The bucket.
    public let bucket: SigV4.Bucket

    /// The bytes of the key, as they were given.
    public let keyBytes: [UInt8]

    /// What is known to happen to this key on its way; empty for most keys.
    ///
    /// The key is signed and sent as it was given all the same.
    public let warnings: [KeyWarning]

    let path: SigV4.Path

    init(bytes: [UInt8], in bucket: SigV4.Bucket) throws(SigV4.SigningError) {
      let key = try SigV4.Path.key(bytes: bytes)
      self.bucket = bucket
      keyBytes = bytes
      warnings = KeyWarning.all(key, bytes)
      path =
        bucket.isInPath
        ? try .key(bytes: Array(bucket.name.utf8) + [ASCIIByte.slash] + bytes) : key
    }

    /// The key as text; bytes that are no UTF-8 are replaced.
    public var key: String { String(decoding: keyBytes, as: UTF8.self) }

    /// A request for this object.
    ///
    /// Throws what ``SigV4/Request/init(_:scheme:host:path:query:headers:payload:)`` throws.
    public func request(
      _ method: String, query: SigV4.Query = .empty, headers: SigV4.Headers = [:],
      payload: SigV4.Payload = .empty
    ) throws(SigV4.SigningError) -> SigV4.Request {
      try SigV4.Request(
        method, scheme: bucket.endpoint.scheme, host: bucket.host, path: path, query: query,
        headers: headers, payload: payload)
    }

    /// A request that downloads the object.
    ///
    /// Throws what ``request(_:query:headers:payload:)`` throws.
    public func getRequest(
      query: SigV4.Query = .empty, headers: SigV4.Headers = [:]
    ) throws(SigV4.SigningError) -> SigV4.Request {
      try request("GET", query: query, headers: headers)
    }

    /// A request for what is known of the object.
    ///
    /// Throws what ``request(_:query:headers:payload:)`` throws.
    public func headRequest(
      query: SigV4.Query = .empty, headers: SigV4.Headers = [:]
    ) throws(SigV4.SigningError) -> SigV4.Request {
      try request("HEAD", query: query, headers: headers)
    }

    /// A request that uploads the object.
    ///
    /// Throws what ``request(_:query:headers:payload:)`` throws.
    public func putRequest(
      _ payload: SigV4.Payload, headers: SigV4.Headers = [:]
    ) throws(SigV4.SigningError) -> SigV4.Request {
      try request("PUT", headers: headers, payload: payload)
    }

    /// A request that deletes the object, or with `versionId` one version of it.
    ///
    /// Throws what ``request(_:query:headers:payload:)`` throws.
    public func deleteRequest(
      query: SigV4.Query = .empty, headers: SigV4.Headers = [:]
    ) throws(SigV4.SigningError) -> SigV4.Request {
      try request("DELETE", query: query, headers: headers)
    }
  }
}

extension SigV4.Bucket.Object: CustomStringConvertible {
  /// Bucket and key, and the warnings.
  public var description: String {
    let object = "Object(\(UTF8Text.quoted(keyBytes)) in \(bucket)"
    return warnings.reduce(object) { $0 + ", warning: " + $1.description } + ")"
  }
}
