// SPDX-License-Identifier: Apache-2.0
// A bucket and an object as values: where they stand in URLs, and the requests for them.

// A user who writes `import S3Signing` finds `SigV4.Signer` too.
@_exported public import RequestSigning
internal import SigningSupport

extension SigV4 {
  /// A bucket at an endpoint, from which requests come.
  ///
  ///     let bucket = try SigV4.Bucket.r2("photos", account: account)
  ///     let signer = try bucket.signer(accessKeyID: accessKeyID, secretAccessKey: secret)
  ///     let signed = try signer.sign(bucket.object("été +1.jpg").getRequest(), at: now)
  ///     let url = try signer.presign(bucket.object("été +1.jpg"), at: now).url
  public struct Bucket: Hashable, Sendable {
    /// The endpoint at which the bucket is.
    public let endpoint: S3Endpoint

    /// The host of its requests, with the bucket's name where it is addressed so.
    public let host: String

    /// Whether the name stands in the path; otherwise it stands in the host.
    let isInPath: Bool

    // Bytes, since Unicode calls texts equal that name different buckets.
    private let nameBytes: [UInt8]

    /// The path of the bucket itself, as plain bytes without the '/' at its start; empty for "/".
    var plainPath: [UInt8] {
      isInPath ? endpoint.pathStart + nameBytes : endpoint.plainPath
    }

    /// What comes before a key in the path, as plain bytes: it ends with '/' unless empty.
    var pathStart: [UInt8] {
      isInPath ? plainPath + [ASCIIByte.slash] : endpoint.pathStart
    }

    /// The name of the bucket, or the alias of an access point.
    public var name: String { String(decoding: nameBytes, as: UTF8.self) }

    /// A bucket at an endpoint.
    ///
    /// Throws `invalidBucketName` when no bucket of the endpoint can have this name, and
    /// `conflictingEndpoint` when name, endpoint and addressing do not go together.
    public init(
      _ name: String, at endpoint: S3Endpoint, addressing: Addressing = .automatic
    ) throws(SigningError) {
      isInPath = try BucketName(name).isInPath(at: endpoint, addressing)
      nameBytes = Array(name.utf8)
      self.endpoint = endpoint
      host = isInPath ? endpoint.host : name + "." + endpoint.host
    }

    /// A bucket of Amazon S3.
    ///
    /// Throws what ``S3Endpoint/aws(region:variant:)`` and ``init(_:at:addressing:)`` throw.
    public static func aws(
      _ name: String, region: String, variant: S3Endpoint.Variant = .standard,
      addressing: Addressing = .automatic
    ) throws(SigningError) -> Bucket {
      try Bucket(name, at: .aws(region: region, variant: variant), addressing: addressing)
    }

    /// A bucket of Cloudflare R2.
    ///
    /// Throws what ``S3Endpoint/r2(account:jurisdiction:)`` and ``init(_:at:addressing:)`` throw.
    public static func r2(
      _ name: String, account: String, jurisdiction: S3Endpoint.Jurisdiction = .default
    ) throws(SigningError) -> Bucket {
      try Bucket(name, at: .r2(account: account, jurisdiction: jurisdiction))
    }

    /// A bucket of a MinIO server, such as `http://127.0.0.1:9000`.
    ///
    /// Throws what ``S3Endpoint/minIO(url:region:)`` and ``init(_:at:addressing:)`` throw.
    public static func minIO(
      _ name: String, url: String, region: String = "us-east-1"
    ) throws(SigningError) -> Bucket {
      try Bucket(name, at: .minIO(url: url, region: region))
    }

    /// A signer for this bucket's endpoint, in its region and for its service.
    ///
    /// Throws what ``S3Endpoint/signer(credentials:)`` throws.
    public func signer(credentials: Credentials) throws(SigningError) -> Signer {
      try endpoint.signer(credentials: credentials)
    }

    /// A signer for this bucket's endpoint.
    ///
    /// Throws `invalidAccessKeyID`, `invalidSecretAccessKey` or `invalidSessionToken`.
    public func signer(
      accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil
    ) throws(SigningError) -> Signer {
      try signer(
        credentials: Credentials(
          accessKeyID: accessKeyID, secretAccessKey: secretAccessKey, sessionToken: sessionToken))
    }

    /// The object of a key: any text, in UTF-8, which is kept byte for byte and encoded once.
    ///
    /// Look at ``Object/warnings``: some keys do not survive the way to the server.
    ///
    /// Throws `invalidPath` when the key is empty, since that would name the bucket.
    public func object(_ key: String) throws(SigningError) -> Object {
      try Object(key.bytesInUTF8, in: self)
    }

    /// The object of a key of any bytes.
    ///
    /// Throws `invalidPath` when the key is empty, since that would name the bucket.
    public func object(bytes: some Collection<UInt8>) throws(SigningError) -> Object {
      try Object(Array(bytes), in: self)
    }

    /// A request to the bucket itself, such as a PUT that creates it or `query: ["cors": nil]`.
    ///
    /// Throws what `SigV4.Request.init(_:scheme:host:path:query:headers:payload:)` throws.
    public func request(
      _ method: String, query: Query = .empty, headers: Headers = [:], payload: Payload = .empty
    ) throws(SigningError) -> Request {
      try Request(
        method, scheme: endpoint.scheme, host: host, path: .plain(plainPath), query: query,
        headers: headers, payload: payload)
    }

    /// A request for a page of up to 1,000 keys (ListObjectsV2), and for the next page with the
    /// continuation token of the answer.
    ///
    /// Throws what ``request(_:query:headers:payload:)`` throws.
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
  /// The URL of the bucket, and the region.
  public var description: String {
    let start = String(
      decoding: URIEncoding.encode(endpoint.pathStart, as: .path), as: UTF8.self)
    let path = isInPath ? "/" + start + name : endpoint.path
    return "Bucket(\(endpoint.scheme.name)://\(host)\(path), \(endpoint.region))"
  }
}

extension SigV4.Bucket {
  /// Where the name of a bucket stands.
  public struct Addressing: Hashable, Sendable {
    private enum Kind {
      case automatic
      case virtualHosted
      case path
    }

    private let kind: Kind

    /// AWS: in the host, and in the path when the name has dots, which no certificate of a store
    /// covers. Other stores: in the path.
    public static let automatic = Self(kind: .automatic)
    /// In the host: `photos.s3.eu-west-1.amazonaws.com`.
    public static let virtualHosted = Self(kind: .virtualHosted)
    /// In the path: `s3.eu-west-1.amazonaws.com/photos`. Buckets of AWS that are older than today's
    /// rules for names can be reached so only.
    public static let path = Self(kind: .path)
  }

  /// An object of a bucket, by its key.
  public struct Object: Hashable, Sendable {
    /// The bucket.
    public let bucket: SigV4.Bucket

    /// The bytes of the key, as they were given.
    public let keyBytes: [UInt8]

    /// What is known to happen to this key on its way; empty for most keys.
    ///
    /// The key is signed and sent as it was given all the same.
    public let warnings: [KeyWarning]

    private let path: SigV4.Path

    init(_ keyBytes: [UInt8], in bucket: SigV4.Bucket) throws(SigV4.SigningError) {
      let key = try SigV4.Path.key(bytes: keyBytes)
      self.bucket = bucket
      self.keyBytes = keyBytes
      warnings = KeyWarning.all(key, keyBytes)
      let start = bucket.pathStart
      path = start.isEmpty ? key : try .key(bytes: start + keyBytes)
    }

    /// The key as text; bytes that are not UTF-8 are replaced.
    public var key: String { String(decoding: keyBytes, as: UTF8.self) }

    /// A request for this object.
    ///
    /// Throws what `SigV4.Request.init(_:scheme:host:path:query:headers:payload:)` throws.
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

    /// A request that uploads the object, or with `partNumber` and `uploadId` in the query a part of it.
    ///
    /// Throws what ``request(_:query:headers:payload:)`` throws.
    public func putRequest(
      _ payload: SigV4.Payload, query: SigV4.Query = .empty, headers: SigV4.Headers = [:]
    ) throws(SigV4.SigningError) -> SigV4.Request {
      try request("PUT", query: query, headers: headers, payload: payload)
    }

    /// A request that deletes the object, or with `versionId` in the query one version of it.
    ///
    /// Throws what ``request(_:query:headers:payload:)`` throws.
    public func deleteRequest(
      query: SigV4.Query = .empty, headers: SigV4.Headers = [:]
    ) throws(SigV4.SigningError) -> SigV4.Request {
      try request("DELETE", query: query, headers: headers)
    }
  }

  /// Something that is known to happen to a key between here and the server. More may come.
  public struct KeyWarning: Hashable, Sendable, CustomStringConvertible {
    /// The name of the warning, as it is spelled here.
    public let name: String

    /// What may happen and what to do, for people.
    public let message: String

    /// The name and the message.
    public var description: String { name + ": " + message }

    /// The key has a segment "." or "..", as in `photos/../a.jpg`.
    public static let dotSegments = Self(
      name: "dotSegments",
      message: "URL types and proxies resolve '.' and '..' segments, which changes the key and "
        + "breaks the signature. Use a different key, or send the URL unchanged.")

    /// The key begins with '/' or has '//' inside.
    public static let emptySegments = Self(
      name: "emptySegments",
      message: "Some URL types, proxies and stores that save objects as files merge consecutive "
        + "slashes. Use a different key, or send the URL unchanged.")

    /// The key is longer than 1,024 bytes in UTF-8.
    public static let tooLong = Self(
      name: "tooLong",
      message: "Amazon S3 and most stores reject keys longer than 1,024 bytes. Use a shorter key.")

    fileprivate static func all(_ path: SigV4.Path, _ key: [UInt8]) -> [Self] {
      let text = key[...]
      if text.span.isNormalPath(isKey: true) && key.count <= 1_024 { return [] }
      // The path has a slash before the key.
      let isMerged = BytewiseSearch.range(of: "//", in: [ASCIIByte.slash] + key) != nil
      return (path.hasDotSegments ? [dotSegments] : []) + (isMerged ? [emptySegments] : [])
        + (key.count > 1_024 ? [tooLong] : [])
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

/// URLs of objects, of many objects at once, and forms.
extension SigV4.Signer {
  /// A presigned URL to an object, good for an hour unless you say otherwise; a GET downloads it, a
  /// PUT uploads it.
  ///
  ///     try signer.presign(bucket.object("a.jpg"), at: now).url
  ///     try signer.presign(bucket.object("a.jpg"), method: "PUT", expiresIn: .seconds(900), at: now).url
  ///
  /// Anyone who has the URL can use it until it expires: treat it as a secret. The body is not signed
  /// unless `payload` names it.
  ///
  /// Throws what presigning its request throws.
  public func presign(
    _ object: SigV4.Bucket.Object, method: String = "GET", query: SigV4.Query = .empty,
    headers: SigV4.Headers = [:], payload: SigV4.Payload = .empty,
    expiresIn lifetime: Duration = .seconds(3_600), at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> SigV4.PresignedURL {
    let request = try object.request(method, query: query, headers: headers, payload: payload)
    return try presign(request, expiresIn: lifetime, at: timestamp)
  }
}
