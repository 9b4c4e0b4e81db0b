// SPDX-License-Identifier: Apache-2.0
// An object as a value: a bucket and a key, what may happen to the key, and requests.

nonisolated extension SigV4.Bucket {
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
        ? try .key(bytes: Array(bucket.name.utf8) + [SigV4.ASCII.slash] + bytes) : key
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
    public func get(
      query: SigV4.Query = .empty, headers: SigV4.Headers = [:]
    ) throws(SigV4.SigningError) -> SigV4.Request {
      try request("GET", query: query, headers: headers)
    }

    /// A request for what is known of the object.
    public func head(
      query: SigV4.Query = .empty, headers: SigV4.Headers = [:]
    ) throws(SigV4.SigningError) -> SigV4.Request {
      try request("HEAD", query: query, headers: headers)
    }

    /// A request that uploads the object.
    public func put(
      _ payload: SigV4.Payload, headers: SigV4.Headers = [:]
    ) throws(SigV4.SigningError) -> SigV4.Request {
      try request("PUT", headers: headers, payload: payload)
    }

    /// A request that deletes the object, or with `versionId` one version of it.
    public func delete(
      query: SigV4.Query = .empty, headers: SigV4.Headers = [:]
    ) throws(SigV4.SigningError) -> SigV4.Request {
      try request("DELETE", query: query, headers: headers)
    }
  }
}

nonisolated extension SigV4.Bucket.Object: CustomStringConvertible {
  /// Bucket and key, and the warnings.
  public var description: String {
    let object = "Object(\(SigV4.quoted(keyBytes)) in \(bucket)"
    return warnings.reduce(object) { $0 + ", warning: " + $1.description } + ")"
  }
}

nonisolated extension SigV4.Bucket {
  /// Something that is known to happen to a key between here and the server. More may come.
  public struct KeyWarning: Hashable, Sendable, CustomStringConvertible {
    /// The name of the warning, as it is spelled here.
    public let name: String

    /// What may happen and what to do, for people.
    public let message: String

    /// The name and the message.
    public var description: String { name + ": " + message }

    /// Whether two warnings have the same name.
    public static func == (left: Self, right: Self) -> Bool {
      left.name.utf8.elementsEqual(right.name.utf8)
    }

    /// Feeds the name to a hasher.
    public func hash(into hasher: inout Hasher) {
      for byte in name.utf8 { hasher.combine(byte) }
    }

    /// The key has a segment "." or "..", as in `photos/../a.jpg`.
    public static var dotSegments: Self {
      Self(
        name: "dotSegments",
        message: "URL types and proxies collapse '.' and '..' between slashes, and then another "
          + "object is meant and the signature does not match; give the object another key, or send "
          + "the URL byte for byte")
    }

    /// The key begins with '/' or has '//' inside.
    public static var emptySegments: Self {
      Self(
        name: "emptySegments",
        message: "some URL types and proxies merge slashes that follow each other, as do stores "
          + "that keep objects as files; give the object another key, or send the URL byte for byte"
      )
    }

    /// The key is longer than 1,024 bytes in UTF-8.
    public static var tooLong: Self {
      Self(
        name: "tooLong",
        message: "Amazon S3 and most stores refuse keys of more than 1,024 bytes; use a shorter key"
      )
    }

    static func all(_ path: SigV4.Path, _ key: [UInt8]) -> [Self] {
      let isMerged =
        key.first == SigV4.ASCII.slash
        || zip(key, key.dropFirst()).contains { $0 == SigV4.ASCII.slash && $1 == SigV4.ASCII.slash }
      return (path.hasDotSegments ? [dotSegments] : []) + (isMerged ? [emptySegments] : [])
        + (key.count > 1_024 ? [tooLong] : [])
    }
  }
}
