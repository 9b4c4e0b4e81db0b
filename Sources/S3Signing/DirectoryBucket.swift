// SPDX-License-Identifier: Apache-2.0
// S3 Express: a directory bucket, the request that opens a session, and the session's credentials.

public import RequestSigning
internal import SigningSupport

extension SigV4 {
  /// A directory bucket of S3 Express One Zone.
  ///
  /// Its objects are requested with the credentials of a session, which live for five minutes:
  ///
  ///     let bucket = try SigV4.DirectoryBucket("photos--use1-az4--x-s3", region: "us-east-1")
  ///     let opener = try bucket.signer(credentials: credentials)
  ///     let opening = try opener.sign(bucket.createSessionRequest(), at: now)
  ///     // ... send it, and take the credentials from the answer ...
  ///     let signer = try bucket.signer(session: session)
  ///     let signed = try signer.sign(bucket.object("a.jpg").getRequest(), at: now)
  ///
  /// Source: Amazon S3, User Guide, "Authorizing Zonal endpoint API operations with CreateSession".
  public struct DirectoryBucket: Hashable, Sendable, CustomStringConvertible {
    /// The bucket at the endpoint of its zone.
    public let bucket: Bucket

    /// The ID of its zone, which is a part of its name: "use1-az4".
    public let zoneID: String

    /// A directory bucket, `name--zone--x-s3`, or an access point of one, `name--zone--xa-s3`.
    ///
    /// Throws `invalidBucketName`, `invalidRegion`, and `conflictingEndpoint` for a variant that S3
    /// Express does not have.
    public init(
      _ name: String, region: String, variant: S3Endpoint.Variant = .standard
    ) throws(SigningError) {
      zoneID = try BucketName(name).zoneID()
      bucket = try Bucket(
        name, at: .s3ExpressZone(zoneID, region: region, variant: variant))
    }

    /// The request that opens a session: `GET /?session`. Sign it with ``signer(credentials:)``.
    ///
    /// The answer holds the AccessKeyId, SecretAccessKey, SessionToken and Expiration of a
    /// ``Session``.
    ///
    /// Throws what ``Bucket/request(_:query:headers:payload:)`` throws.
    public func createSessionRequest(
      _ mode: SessionMode = .widest, headers: Headers = [:]
    ) throws(SigningError) -> Request {
      try bucket.request("GET", query: ["session": nil], headers: mode.headers + headers)
    }

    /// A request for a page of keys; S3 Express takes only prefixes that end with the delimiter.
    ///
    /// Throws what ``Bucket/request(_:query:headers:payload:)`` throws.
    public func listRequest(
      prefix: String? = nil, delimiter: String? = nil, continuationToken: String? = nil
    ) throws(SigningError) -> Request {
      try bucket.listRequest(
        prefix: prefix, delimiter: delimiter, continuationToken: continuationToken)
    }

    /// A signer with ordinary credentials: for ``createSessionRequest(_:headers:)``, HeadBucket and
    /// CopyObject.
    ///
    /// Throws what ``Bucket/signer(credentials:)`` throws.
    public func signer(credentials: Credentials) throws(SigningError) -> Signer {
      try bucket.signer(credentials: credentials)
    }

    /// A signer with the credentials of a session, for all other requests.
    ///
    /// Throws what `SigV4.Signer.init(credentials:region:service:)` throws.
    public func signer(session: Session) throws(SigningError) -> Signer {
      try Signer(
        credentials: session.credentials, region: bucket.endpoint.region, service: .s3Express)
    }

    /// The object of a key: any text, which is kept byte for byte.
    ///
    /// Throws `invalidPath` when the key is empty.
    public func object(_ key: String) throws(SigningError) -> Bucket.Object {
      try bucket.object(key)
    }

    /// The object of a key of any bytes.
    ///
    /// Throws `invalidPath` when the key is empty.
    public func object(bytes: some Collection<UInt8>) throws(SigningError) -> Bucket.Object {
      try bucket.object(bytes: bytes)
    }

    /// A request to the bucket itself.
    ///
    /// Throws what ``Bucket/request(_:query:headers:payload:)`` throws.
    public func request(
      _ method: String, query: Query = .empty, headers: Headers = [:], payload: Payload = .empty
    ) throws(SigningError) -> Request {
      try bucket.request(method, query: query, headers: headers, payload: payload)
    }

    /// The name of the bucket and its region.
    public var description: String { "Directory" + bucket.description }

    /// What a session may do.
    public struct SessionMode: Hashable, Sendable {
      private let name: String?

      /// Read and write, or only read when that is all the credentials allow.
      public static let widest = Self(name: nil)
      /// Read and write.
      public static let readWrite = Self(name: "ReadWrite")
      /// Only read.
      public static let readOnly = Self(name: "ReadOnly")

      fileprivate var headers: Headers {
        name.map { ["x-amz-create-session-mode": $0] } ?? [:]
      }
    }

    /// The credentials of a session, as the answer to CreateSession has them.
    public struct Session: Sendable, CustomStringConvertible {
      /// The credentials, whose token travels as `x-amz-s3session-token`.
      public let credentials: Credentials

      /// The credentials of a session that a provider has opened (`ExpressSessions`).
      public init(_ credentials: Credentials) { self.credentials = credentials }

      /// The credentials of a session: the four texts of the answer.
      ///
      /// - Parameters:
      ///   - accessKeyID: AccessKeyId.
      ///   - secretAccessKey: SecretAccessKey.
      ///   - sessionToken: SessionToken.
      ///   - expiration: Expiration, in the form `2024-01-29T18:53:01Z`; a fraction of the second is
      ///     dropped.
      ///
      /// Throws `invalidAccessKeyID`, `invalidSecretAccessKey`, `invalidSessionToken` or
      /// `invalidTimestamp`.
      public init(
        accessKeyID: String, secretAccessKey: String, sessionToken: String, expiration: String
      ) throws(SigningError) {
        guard let end = Timestamp(extended: expiration) else {
          throw SigningError(
            .invalidTimestamp,
            "\(quoted: expiration) isn't a valid session expiration.",
            fix: "Pass the Expiration from the response unchanged, such as 2024-01-29T18:53:01Z.")
        }
        credentials = try Credentials(
          accessKeyID: accessKeyID, secretAccessKey: secretAccessKey, sessionToken: sessionToken,
          expiration: end)
      }

      /// The access key ID. Never the secret or the token.
      public var description: String { "Session(\(credentials))" }
    }
  }
}

extension SigV4.Service {
  /// The preset for a request to S3 Express: `s3ExpressControl` for one with ordinary credentials,
  /// `s3Express` for one with the credentials of a session.
  ///
  /// Ordinary credentials sign CreateSession, HeadBucket, CopyObject, UploadPartCopy and requests to
  /// the control plane (`s3express-control`). Sessions sign all others.
  ///
  /// Source: Amazon S3, User Guide, "Authenticating and authorizing requests"; botocore's model of S3
  /// for UploadPartCopy.
  public static func s3Express(for request: SigV4.Request) -> Self {
    let query = request.query
    let opensSession =
      request.method == "GET" && query.parameters.contains { $0.name.spells("session") }
    let asksForBucket = request.method == "HEAD" && request.path.strict.spells("/")
    let copies =
      request.method == "PUT" && !request.headers.values(named: "x-amz-copy-source").isEmpty
    let label = Array(request.host.utf8).prefix { $0 != ASCIIByte.dot }
    let isControlPlane = label.spells("s3express-control") || label.spells("s3express-control-fips")
    return isControlPlane || opensSession || asksForBucket || copies
      ? .s3ExpressControl : .s3Express
  }
}
