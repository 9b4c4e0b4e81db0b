// SPDX-License-Identifier: Apache-2.0
// Buckets and objects, and the requests and URLs for them.

// `import S3Signing` also makes `SigV4.Signer` available.
@_exported public import RequestSigning

extension SigV4 {
  /// A bucket at an endpoint. It creates requests for itself and its objects.
  ///
  ///     let bucket = try SigV4.Bucket.r2("photos", account: account)
  ///     let signer = try bucket.signer(accessKeyID: accessKeyID, secretAccessKey: secret)
  ///     let signed = try signer.sign(bucket.object("été +1.jpg").getRequest(), at: now)
  ///     let url = try signer.presignedURL(for: bucket.object("été +1.jpg"), at: now).url
  public struct Bucket: Hashable, Sendable {
    /// A class, so that objects and copies are cheap.
    let parts: Parts

    final class Parts: Sendable {
      let endpoint: S3Endpoint
      let host: String

      /// Whether URLs contain the bucket name in the path, not in the host.
      let isInPath: Bool

      // Bytes, because strings that are equal in Unicode can name different buckets.
      let nameBytes: [UInt8]

      /// The path before a key, as plain bytes. It ends with '/' unless it's empty.
      let pathStart: [UInt8]

      init(_ endpoint: S3Endpoint, _ host: String, isInPath: Bool, _ nameBytes: [UInt8]) {
        self.endpoint = endpoint
        self.host = host
        self.isInPath = isInPath
        self.nameBytes = nameBytes
        let start = endpoint.pathStart
        pathStart = isInPath ? start + nameBytes + [ASCIIByte.slash] : start
      }
    }

    /// The endpoint of the bucket.
    public var endpoint: S3Endpoint { parts.endpoint }

    /// The host of its requests, including the bucket name with virtual-hosted addressing.
    public var host: String { parts.host }

    var isInPath: Bool { parts.isInPath }
    private var nameBytes: [UInt8] { parts.nameBytes }
    var pathStart: [UInt8] { parts.pathStart }

    /// The path of the bucket itself, as plain bytes without the leading '/'. Empty for "/".
    var plainPath: [UInt8] {
      isInPath ? endpoint.pathStart + nameBytes : endpoint.plainPath
    }

    /// The name of the bucket, or the alias of an access point.
    public var name: String { String(decoding: nameBytes, as: UTF8.self) }

    /// Creates a value for a bucket at an endpoint. It doesn't create the bucket in the store.
    ///
    /// - Throws: `invalidBucketName` if the endpoint doesn't allow the name, and
    ///   `conflictingEndpoint` if the name, endpoint and addressing don't fit together.
    public init(
      _ name: String, at endpoint: S3Endpoint, addressing: Addressing = .automatic
    ) throws(SigningError) {
      let isInPath = try BucketName(name).isInPath(at: endpoint, addressing)
      let host = isInPath ? endpoint.host : name + "." + endpoint.host
      parts = Parts(endpoint, host, isInPath: isInPath, Array(name.utf8))
    }

    /// Returns whether two buckets have the same endpoint, name and addressing.
    public static func == (left: Self, right: Self) -> Bool {
      left.endpoint == right.endpoint && left.isInPath == right.isInPath
        && left.nameBytes == right.nameBytes
    }

    /// Hashes the endpoint, name and addressing.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(endpoint)
      hasher.combine(isInPath)
      hasher.combine(nameBytes)
    }

    /// Returns the bucket with this name in Amazon S3. It doesn't create the bucket in S3.
    ///
    /// - Throws: The errors of ``S3Endpoint/aws(region:variant:)`` and ``init(_:at:addressing:)``.
    public static func aws(
      _ name: String, region: String, variant: S3Endpoint.Variant = .standard,
      addressing: Addressing = .automatic
    ) throws(SigningError) -> Bucket {
      try Bucket(name, at: .aws(region: region, variant: variant), addressing: addressing)
    }

    /// Returns the bucket with this name in Cloudflare R2.
    ///
    /// - Throws: The errors of ``S3Endpoint/r2(account:jurisdiction:)`` and
    ///   ``init(_:at:addressing:)``.
    public static func r2(
      _ name: String, account: String, jurisdiction: S3Endpoint.Jurisdiction = .default
    ) throws(SigningError) -> Bucket {
      try Bucket(name, at: .r2(account: account, jurisdiction: jurisdiction))
    }

    /// Returns the bucket with this name on a MinIO server, such as `http://127.0.0.1:9000`.
    ///
    /// - Throws: The errors of ``S3Endpoint/minIO(url:region:)`` and ``init(_:at:addressing:)``.
    public static func minIO(
      _ name: String, endpoint: String, region: String = "us-east-1"
    ) throws(SigningError) -> Bucket {
      try Bucket(name, at: .minIO(url: endpoint, region: region))
    }

    /// Creates a bucket at any other S3-compatible store. By default, URLs contain its name in the
    /// path.
    ///
    /// - Throws: The errors of ``S3Endpoint/custom(url:region:service:)`` and
    ///   ``init(_:at:addressing:)``.
    public init(
      _ name: String, endpoint: String, region: String, addressing: Addressing = .automatic
    ) throws(SigningError) {
      try self.init(
        name, at: .custom(url: endpoint, region: region), addressing: addressing)
    }

    /// Creates a signer for the region and service of this bucket's endpoint.
    ///
    /// - Throws: The errors of ``S3Endpoint/signer(credentials:)``.
    public func signer(credentials: Credentials) throws(SigningError) -> Signer {
      try endpoint.signer(credentials: credentials)
    }

    /// Creates a signer for this bucket's endpoint from an access key.
    ///
    /// - Throws: `invalidAccessKeyID`, `invalidSecretAccessKey` or `invalidSessionToken`.
    public func signer(
      accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil
    ) throws(SigningError) -> Signer {
      try signer(
        credentials: Credentials(
          accessKeyID: accessKeyID, secretAccessKey: secretAccessKey, sessionToken: sessionToken))
    }

    /// Returns the object with a key. The key can be any string, and is encoded once.
    ///
    /// Proxies change some keys in transit. See ``Object/warnings``.
    ///
    /// - Throws: `invalidPath` if the key is empty, which would address the bucket itself.
    public func object(_ key: String) throws(SigningError) -> Object {
      try Object(key.bytesInUTF8, in: self)
    }

    /// Returns the object with a key of arbitrary bytes.
    ///
    /// - Throws: `invalidPath` if the key is empty, which would address the bucket itself.
    public func object(bytes: some Collection<UInt8>) throws(SigningError) -> Object {
      try Object(Array(bytes), in: self)
    }

    /// Creates a request to the bucket itself, such as a PUT that creates it.
    ///
    /// For a subresource, pass it in the query: `["cors": nil]`.
    ///
    /// - Throws: The errors of `SigV4.Request.init(_:scheme:host:path:query:headers:payload:)`.
    public func request(
      _ method: String, query: Query = .empty, headers: Headers = [:], payload: Payload = .empty
    ) throws(SigningError) -> Request {
      try Request(
        method, scheme: endpoint.scheme, host: host, path: .plain(plainPath), query: query,
        headers: headers, payload: payload)
    }

    /// Creates a request for a page of up to 1,000 keys (ListObjectsV2).
    ///
    /// For the next page, pass the continuation token from the response.
    ///
    /// - Throws: The errors of ``request(_:query:headers:payload:)``.
    public func listRequest(
      prefix: String? = nil, delimiter: String? = nil, continuationToken: String? = nil
    ) throws(SigningError) -> Request {
      var parameters: [(String, String?)] = [("list-type", "2")]
      if let prefix { parameters.append(("prefix", prefix)) }
      if let delimiter { parameters.append(("delimiter", delimiter)) }
      if let continuationToken { parameters.append(("continuation-token", continuationToken)) }
      return try request("GET", query: Query(parameters))
    }
  }
}

extension SigV4.Bucket: CustomStringConvertible {
  /// The bucket's URL and region.
  public var description: String {
    let start = String(
      decoding: URIEncoding.encode(endpoint.pathStart, as: .path), as: UTF8.self)
    let path = isInPath ? "/" + start + name : endpoint.path
    return "Bucket(\(endpoint.scheme.name)://\(host)\(path), \(endpoint.region))"
  }
}

extension SigV4.Bucket {
  /// How URLs include the bucket name.
  public struct Addressing: Hashable, Sendable {
    private enum Kind {
      case automatic
      case virtualHosted
      case path
    }

    private let kind: Kind

    /// AWS: in the host, or in the path if the name has dots, which certificates don't cover. Other
    /// stores: in the path, or in the host if the store requires that, as Alibaba Cloud OSS,
    /// Tencent Cloud COS and Tigris do.
    public static let automatic = Self(kind: .automatic)
    /// In the host: `photos.s3.eu-west-1.amazonaws.com`.
    public static let virtualHosted = Self(kind: .virtualHosted)
    /// In the path: `s3.eu-west-1.amazonaws.com/photos`. AWS buckets with names that predate
    /// today's rules support only this.
    public static let path = Self(kind: .path)
  }

  /// An object in a bucket.
  public struct Object: Hashable, Sendable {
    /// The bucket.
    public let bucket: SigV4.Bucket

    /// The bytes of the key, unchanged.
    public let keyBytes: [UInt8]

    /// Known problems with this key between client and server. Empty for most keys.
    ///
    /// The key is signed and sent unchanged in any case.
    public var warnings: [Warning] { Warning.ofKey(keyBytes) }

    init(_ keyBytes: [UInt8], in bucket: SigV4.Bucket) throws(SigV4.SigningError) {
      if keyBytes.isEmpty { throw SigV4.Path.emptyKey() }
      self.bucket = bucket
      self.keyBytes = keyBytes
    }

    /// The key as a string. Invalid UTF-8 is replaced.
    public var key: String { String(decoding: keyBytes, as: UTF8.self) }

    /// Creates a request for this object.
    ///
    /// - Throws: The errors of `SigV4.Request.init(_:scheme:host:path:query:headers:payload:)`.
    public func request(
      _ method: String, query: SigV4.Query = .empty, headers: SigV4.Headers = [:],
      payload: SigV4.Payload = .empty
    ) throws(SigV4.SigningError) -> SigV4.Request {
      let start = bucket.pathStart
      return try SigV4.Request(
        method, scheme: bucket.parts.endpoint.scheme, host: bucket.host,
        path: .key(start.isEmpty ? keyBytes : start + keyBytes), query: query,
        headers: headers, payload: payload)
    }

    /// Creates a request that downloads the object.
    ///
    /// - Throws: The errors of ``request(_:query:headers:payload:)``.
    public func getRequest(
      query: SigV4.Query = .empty, headers: SigV4.Headers = [:]
    ) throws(SigV4.SigningError) -> SigV4.Request {
      try request("GET", query: query, headers: headers)
    }

    /// Creates a request for the object's metadata.
    ///
    /// - Throws: The errors of ``request(_:query:headers:payload:)``.
    public func headRequest(
      query: SigV4.Query = .empty, headers: SigV4.Headers = [:]
    ) throws(SigV4.SigningError) -> SigV4.Request {
      try request("HEAD", query: query, headers: headers)
    }

    /// Creates a request that uploads the object, or a part of it if the query has `partNumber` and
    /// `uploadId`.
    ///
    /// - Throws: The errors of ``request(_:query:headers:payload:)``.
    public func putRequest(
      _ payload: SigV4.Payload, query: SigV4.Query = .empty, headers: SigV4.Headers = [:]
    ) throws(SigV4.SigningError) -> SigV4.Request {
      try request("PUT", query: query, headers: headers, payload: payload)
    }

    /// Returns the value of `x-amz-copy-source` for a copy of this object: its bucket or access
    /// point and its key, percent-encoded.
    ///
    ///     let source = try photo.copySource()
    ///     try bucket.object("copy.jpg").putRequest(.empty, headers: ["x-amz-copy-source": source])
    ///
    /// For UploadPartCopy, add `x-amz-copy-source-range` and the query of a part.
    ///
    /// - Parameter versionID: the version to copy, or nil for the current one.
    ///
    /// - Throws: `conflictingEndpoint` if the object is in a Multi-Region Access Point, which S3
    ///   doesn't copy from, or in an access point of Object Lambda or Outposts, which this method
    ///   doesn't support.
    ///
    /// Source: Amazon S3, API Reference, "CopyObject" and "UploadPartCopy".
    public func copySource(versionID: String? = nil) throws(SigV4.SigningError) -> String {
      var place = "/\(bucket.name)/"
      if case .accessPoint(_, let source?) = bucket.endpoint.kind {
        place = source + "/object/"
      } else if bucket.endpoint.isAccessPoint {
        throw SigV4.SigningError(
          .conflictingEndpoint,
          """
          \(quoted: bucket.name) is an access point of several regions, Object Lambda or Outposts, \
          which isn't supported as the source of a copy.
          """,
          fix: "Use the object in the bucket behind it, or in an access point of S3 in one region.")
      }
      var source = URIEncoding.encode(Array(place.utf8) + keyBytes, as: .path)
      if let versionID {
        source += "?versionId=".utf8 + URIEncoding.encode(Array(versionID.utf8))
      }
      return String(decoding: source, as: UTF8.self)
    }

    /// Creates a request that deletes the object, or one version of it if the query has
    /// `versionId`.
    ///
    /// - Throws: The errors of ``request(_:query:headers:payload:)``.
    public func deleteRequest(
      query: SigV4.Query = .empty, headers: SigV4.Headers = [:]
    ) throws(SigV4.SigningError) -> SigV4.Request {
      try request("DELETE", query: query, headers: headers)
    }
  }
}

extension SigV4.Bucket.Object: CustomStringConvertible {
  /// The bucket, the key and the warnings.
  public var description: String {
    let object = "Object(\(UTF8Text.quoted(keyBytes)) in \(bucket)"
    return warnings.reduce(object) { $0 + ", warning: " + $1.description } + ")"
  }
}
