// SPDX-License-Identifier: Apache-2.0
// S3 Express: directory buckets, the request that creates a session, and its credentials.

public import RequestSigning
internal import SigningSupport

extension SigV4 {
  /// A directory bucket in S3 Express One Zone.
  ///
  /// Requests for its objects use the credentials of a session, which expire after five minutes:
  ///
  ///     let bucket = try SigV4.DirectoryBucket("photos--use1-az4--x-s3", region: "us-east-1")
  ///     let opener = try bucket.signer(credentials: credentials)
  ///     let opening = try opener.sign(bucket.createSessionRequest(), at: now)
  ///     // ... send it, and read the credentials from the response ...
  ///     let signer = try bucket.signer(session: session)
  ///     let signed = try signer.sign(bucket.object("a.jpg").getRequest(), at: now)
  ///
  /// Source: Amazon S3, User Guide, "Authorizing Zonal endpoint API operations with CreateSession".
  public struct DirectoryBucket: Hashable, Sendable, CustomStringConvertible {
    /// The bucket at the endpoint of its zone.
    public let bucket: Bucket

    /// The ID of its zone, from its name: "use1-az4".
    public let zoneID: String

    /// Creates a value for a directory bucket, `name--zone--x-s3`, or an access point of one,
    /// `name--zone--xa-s3`.
    ///
    /// - Throws: `invalidBucketName`, `invalidRegion`, and `conflictingEndpoint` for a variant that
    ///   S3 Express doesn't support.
    public init(
      _ name: String, region: String, variant: S3Endpoint.Variant = .standard
    ) throws(SigningError) {
      zoneID = try BucketName(name).zoneID()
      bucket = try Bucket(
        name, at: .s3ExpressZone(zoneID, region: region, variant: variant))
    }

    /// Creates the request that opens a session: `GET /?session`. Sign it with
    /// ``signer(credentials:)``.
    ///
    /// The response contains the AccessKeyId, SecretAccessKey, SessionToken and Expiration of a
    /// ``Session``.
    ///
    /// - Throws: The errors of ``Bucket/request(_:query:headers:payload:)``.
    public func createSessionRequest(
      _ mode: SessionMode = .widest, headers: Headers = [:]
    ) throws(SigningError) -> Request {
      try bucket.request("GET", query: ["session": nil], headers: mode.headers + headers)
    }

    /// Creates a request for a page of keys. The prefix must end with the delimiter.
    ///
    /// - Throws: The errors of ``Bucket/request(_:query:headers:payload:)``.
    public func listRequest(
      prefix: String? = nil, delimiter: String? = nil, continuationToken: String? = nil
    ) throws(SigningError) -> Request {
      try bucket.listRequest(
        prefix: prefix, delimiter: delimiter, continuationToken: continuationToken)
    }

    /// Creates a signer with ordinary credentials, for ``createSessionRequest(_:headers:)``,
    /// HeadBucket and CopyObject.
    ///
    /// - Throws: The errors of ``Bucket/signer(credentials:)``.
    public func signer(credentials: Credentials) throws(SigningError) -> Signer {
      try bucket.signer(credentials: credentials)
    }

    /// Creates a signer with the credentials of a session, for all other requests.
    ///
    /// - Throws: The errors of `SigV4.Signer.init(credentials:region:service:)`.
    public func signer(session: Session) throws(SigningError) -> Signer {
      try Signer(
        credentials: session.credentials, region: bucket.endpoint.region, service: .s3Express)
    }

    /// Returns the object with a key, which can be any string.
    ///
    /// - Throws: `invalidPath` if the key is empty.
    public func object(_ key: String) throws(SigningError) -> Bucket.Object {
      try bucket.object(key)
    }

    /// Returns the object with a key of arbitrary bytes.
    ///
    /// - Throws: `invalidPath` if the key is empty.
    public func object(bytes: some Collection<UInt8>) throws(SigningError) -> Bucket.Object {
      try bucket.object(bytes: bytes)
    }

    /// Creates a request to the bucket itself.
    ///
    /// - Throws: The errors of ``Bucket/request(_:query:headers:payload:)``.
    public func request(
      _ method: String, query: Query = .empty, headers: Headers = [:], payload: Payload = .empty
    ) throws(SigningError) -> Request {
      try bucket.request(method, query: query, headers: headers, payload: payload)
    }

    /// The bucket's URL and region.
    public var description: String { "Directory" + bucket.description }

    /// The permissions of a session.
    public struct SessionMode: Hashable, Sendable {
      private let name: String?

      /// Read and write, or read only if the credentials don't allow more.
      public static let widest = Self(name: nil)
      /// Read and write.
      public static let readWrite = Self(name: "ReadWrite")
      /// Read only.
      public static let readOnly = Self(name: "ReadOnly")

      fileprivate var headers: Headers {
        name.map { ["x-amz-create-session-mode": $0] } ?? [:]
      }
    }

    /// The credentials of a session, from the CreateSession response.
    public struct Session: Sendable, CustomStringConvertible {
      /// The credentials. Their token is sent as `x-amz-s3session-token`.
      public let credentials: Credentials

      /// Creates a session from the credentials of a provider (`ExpressSessions`).
      public init(_ credentials: Credentials) { self.credentials = credentials }

      /// Creates a session from the four strings in the response.
      ///
      /// - Parameters:
      ///   - accessKeyID: AccessKeyId.
      ///   - secretAccessKey: SecretAccessKey.
      ///   - sessionToken: SessionToken.
      ///   - expiration: Expiration, in the form `2024-01-29T18:53:01Z`. Fractions of a second are
      ///     dropped.
      ///
      /// - Throws: `invalidAccessKeyID`, `invalidSecretAccessKey`, `invalidSessionToken` or
      ///   `invalidTimestamp`.
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

      /// The access key ID, without the secret or token.
      public var description: String { "Session(\(credentials))" }
    }
  }
}

extension SigV4.Service {
  /// Returns the preset for a request to S3 Express: `s3ExpressControl` with ordinary credentials,
  /// `s3Express` with the credentials of a session.
  ///
  /// Ordinary credentials sign CreateSession, HeadBucket, CopyObject, UploadPartCopy and requests
  /// to the control plane (`s3express-control`). Sessions sign all other requests.
  ///
  /// Source: Amazon S3, User Guide, "Authenticating and authorizing requests"; botocore's model of
  /// S3 for UploadPartCopy.
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
