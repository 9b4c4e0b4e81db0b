// SPDX-License-Identifier: Apache-2.0
// A bucket as a value: its name, its endpoint, and how the one stands in the URL of the other.

public import RequestSigning
internal import SigningSupport

extension SigV4 {
  /// A bucket at an endpoint, from which requests come.
  ///
  ///     let bucket = try SigV4.Bucket.r2("photos", account: account)
  ///     let signer = try bucket.signer(accessKeyID: accessKeyID, secretAccessKey: secret)
  ///     let signed = try signer.sign(bucket.object("été +1.jpg").getRequest(), at: now)
  ///     let url = try signer.presign(bucket.object("été +1.jpg"), at: now).url
  public struct Bucket: Sendable {
    /// The name of the bucket, or the alias of an access point.
    public let name: String

    /// Where it lives.
    public let endpoint: S3Endpoint

    /// The host of its requests, with the bucket's name where it is addressed so.
    public let host: String

    /// Whether the name stands in the path; otherwise it stands in the host.
    let isInPath: Bool

    /// Where the name of a bucket stands.
    public enum Addressing: Sendable {
      /// AWS: in the host, and in the path when the name has dots, which no certificate of a store
      /// covers. Other stores: in the path.
      case automatic
      /// In the host: `photos.s3.eu-west-1.amazonaws.com`.
      case virtualHosted
      /// In the path: `s3.eu-west-1.amazonaws.com/photos`. Buckets of AWS that are older than
      /// today's rules for names can be reached so only.
      case path
    }

    /// A bucket at an endpoint.
    ///
    /// Throws `invalidBucketName` when no bucket of the endpoint can have this name, and
    /// `conflictingEndpoint` when name, endpoint and addressing do not go together.
    public init(
      _ name: String, at endpoint: S3Endpoint, addressing: Addressing = .automatic
    ) throws(SigningError) {
      isInPath = try BucketName(name).isInPath(at: endpoint, addressing)
      self.name = name
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
    /// Throws what ``SigV4/Signer/init(credentials:region:service:)`` throws.
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
      try Object(bytes: Array(key.utf8), in: self)
    }

    /// The object of a key of any bytes.
    ///
    /// Throws `invalidPath` when the key is empty, since that would name the bucket.
    public func object(bytes: some Collection<UInt8>) throws(SigningError) -> Object {
      try Object(bytes: Array(bytes), in: self)
    }

    /// A request to the bucket itself, such as a PUT that creates it or `query: ["cors": nil]`.
    ///
    /// Throws what ``SigV4/Request/init(_:scheme:host:path:query:headers:payload:)`` throws.
    public func request(
      _ method: String, query: Query = .empty, headers: Headers = [:], payload: Payload = .empty
    ) throws(SigningError) -> Request {
      try Request(
        method, scheme: endpoint.scheme, host: host, path: isInPath ? .key(name) : .root,
        query: query, headers: headers, payload: payload)
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
    let url = endpoint.scheme.name + "://" + host + (isInPath ? "/" + name : "")
    return "Bucket(\(url), \(endpoint.region))"
  }
}
