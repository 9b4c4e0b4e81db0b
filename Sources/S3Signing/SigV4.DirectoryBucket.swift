// SPDX-License-Identifier: Apache-2.0
// S3 Express: a directory bucket, the request that opens a session, and the session's credentials.

public import RequestSigning
internal import SigningSupport

extension SigV4 {
  /// A directory bucket of S3 Express One Zone.
  ///
  /// Objects are asked for with the credentials of a session, which live for five minutes:
  ///
  ///     let bucket = try SigV4.DirectoryBucket("photos--use1-az4--x-s3", region: "us-east-1")
  ///     let opening = try bucket.signer(credentials: credentials).sign(bucket.createSessionRequest(), at: now)
  ///     // ... send it, and take the credentials from the answer ...
  ///     let signer = try bucket.signer(session: session)
  ///     let signed = try signer.sign(bucket.object("a.jpg").getRequest(), at: now)
  ///
  /// Source: Amazon S3, User Guide, "Authorizing Zonal endpoint API operations with CreateSession".
  public struct DirectoryBucket: Sendable, CustomStringConvertible {
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

    /// A signer with ordinary credentials: for ``createSessionRequest(_:headers:)``, HeadBucket and
    /// CopyObject.
    ///
    /// Throws what ``Bucket/signer(credentials:)`` throws.
    public func signer(credentials: Credentials) throws(SigningError) -> Signer {
      try bucket.signer(credentials: credentials)
    }

    /// A signer with the credentials of a session, for all other requests.
    ///
    /// Throws what ``SigV4/Signer/init(credentials:region:service:)`` throws.
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

    /// The name of the bucket and its region.
    public var description: String { "Directory" + bucket.description }
  }
}

extension SigV4.DirectoryBucket {
  /// What a session may do.
  public enum SessionMode: Sendable {
    /// Read and write, or only read when that is all the credentials allow.
    case widest
    /// Read and write.
    case readWrite
    /// Only read.
    case readOnly

    var headers: SigV4.Headers {
      switch self {
      case .widest: [:]
      case .readWrite: ["x-amz-create-session-mode": "ReadWrite"]
      case .readOnly: ["x-amz-create-session-mode": "ReadOnly"]
      }
    }
  }

  /// The credentials of a session, as the answer to CreateSession has them.
  public struct Session: Sendable, CustomStringConvertible {
    /// The credentials, whose token travels as `x-amz-s3session-token`.
    public let credentials: SigV4.Credentials

    /// The credentials of a session: the four texts of the answer.
    ///
    /// - Parameters:
    ///   - accessKeyID: AccessKeyId.
    ///   - secretAccessKey: SecretAccessKey.
    ///   - sessionToken: SessionToken.
    ///   - expiration: Expiration, in the form `2024-01-29T18:53:01Z`.
    ///
    /// Throws `invalidAccessKeyID`, `invalidSecretAccessKey`, `invalidSessionToken` or
    /// `invalidTimestamp`.
    public init(
      accessKeyID: String, secretAccessKey: String, sessionToken: String, expiration: String
    ) throws(SigV4.SigningError) {
      credentials = try SigV4.Credentials(
        accessKeyID: accessKeyID, secretAccessKey: secretAccessKey, sessionToken: sessionToken,
        expiration: Self.timestamp(expiration))
    }

    /// The access key ID. Never the secret or the token.
    public var description: String { "Session(\(credentials))" }

    /// A time in the extended form of ISO 8601; a fraction of the second is dropped.
    static func timestamp(_ text: String) throws(SigV4.SigningError) -> SigV4.Timestamp {
      guard let timestamp = SigV4.Timestamp(extended: text) else {
        throw SigV4.SigningError(
          .invalidTimestamp,
          """
          \(UTF8Text.quoted(text)) is no time at which a session expires; give the text of Expiration \
          as it stands in the answer, such as 2024-01-29T18:53:01Z
          """)
      }
      return timestamp
    }
  }
}
