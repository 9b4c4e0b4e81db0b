// SPDX-License-Identifier: Apache-2.0
// S3 Express: directory buckets, the request that creates a session, and its credentials.

public import RequestSigning

/// Directory buckets of S3 Express One Zone.
extension SigV4.Bucket {
  /// Creates a value for a directory bucket, `name--zone--x-s3`, or an access point of one,
  /// `name--zone--xa-s3`.
  ///
  /// Requests for its objects use the credentials of a session, which expire after five minutes.
  /// `SigningSession` and `ExpressSessions` create sessions. To create one yourself:
  ///
  ///     let bucket = try SigV4.Bucket.directory("photos--use1-az4--x-s3", region: "us-east-1")
  ///     let opener = try bucket.signer(credentials: credentials)
  ///     let opening = try opener.sign(bucket.createSessionRequest(), at: now)
  ///     // ... send it, and read the credentials from the response ...
  ///     let signer = try bucket.signer(session: session)
  ///     let signed = try signer.sign(bucket.object("a.jpg").getRequest(), at: now)
  ///
  /// - Throws: `invalidBucketName`, `invalidRegion`, and `conflictingEndpoint` for a variant that
  ///   S3 Express doesn't support.
  ///
  /// Source: Amazon S3, User Guide, "Authorizing Zonal endpoint API operations with CreateSession".
  public static func directory(
    _ name: String, region: String, variant: SigV4.S3Endpoint.Variant = .standard
  ) throws(SigV4.SigningError) -> SigV4.Bucket {
    let zoneID = try SigV4.BucketName(name).zoneID()
    return try SigV4.Bucket(
      name, at: .s3ExpressZone(zoneID, region: region, variant: variant))
  }

  /// Whether this is a directory bucket.
  package var isDirectory: Bool {
    if case .s3ExpressZone = endpoint.kind { return true }
    return false
  }

  /// Creates the request that opens a session of a directory bucket: `GET /?session`. Sign it with
  /// ``signer(credentials:)``, which also signs HeadBucket and CopyObject.
  ///
  /// By default, the session can read and write. For one that can only read, pass the header
  /// `x-amz-create-session-mode: ReadOnly`. The response contains the AccessKeyId, SecretAccessKey,
  /// SessionToken and Expiration of the session.
  ///
  /// - Throws: `conflictingEndpoint` unless this is a directory bucket, and the errors of
  ///   ``request(_:query:headers:payload:)``.
  public func createSessionRequest(
    headers: SigV4.Headers = [:]
  ) throws(SigV4.SigningError) -> SigV4.Request {
    try checkDirectory()
    return try request("GET", query: ["session": nil], headers: headers)
  }

  /// Creates a signer for a directory bucket with the credentials of a session. Their token is sent
  /// as `x-amz-s3session-token`.
  ///
  /// - Throws: `conflictingEndpoint` unless this is a directory bucket, `invalidSessionToken` for
  ///   credentials without a token, and the errors of
  ///   `SigV4.Signer.init(credentials:region:service:)`.
  public func signer(
    session credentials: SigV4.Credentials
  ) throws(SigV4.SigningError) -> SigV4.Signer {
    try checkDirectory()
    if credentials.identity.sessionToken == nil {
      throw SigV4.SigningError(
        .invalidSessionToken,
        """
        The credentials \(credentials.identity.shownAccessKeyID) aren't those of a session: they \
        have no token.
        """,
        fix: "Send createSessionRequest(headers:), and use the four strings of its response.")
    }
    return try SigV4.Signer(
      credentials: credentials, region: endpoint.region, service: .s3Express)
  }

  private func checkDirectory() throws(SigV4.SigningError) {
    if isDirectory { return }
    throw SigV4.SigningError(
      .conflictingEndpoint,
      "\(quoted: name) isn't a directory bucket of S3 Express, so it has no sessions.",
      fix: "Use SigV4.Bucket.directory.")
  }
}

extension SigV4.Credentials {
  /// Creates temporary credentials from the four strings in the response of a service, such as
  /// CreateSession or AssumeRole.
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
  ) throws(SigV4.SigningError) {
    guard let end = SigV4.Timestamp(extended: expiration) else {
      throw SigV4.SigningError(
        .invalidTimestamp,
        "\(quoted: expiration) isn't a valid expiration.",
        fix: "Pass the Expiration from the response unchanged, such as 2024-01-29T18:53:01Z.")
    }
    try self.init(
      accessKeyID: accessKeyID, secretAccessKey: secretAccessKey, sessionToken: sessionToken,
      expiration: end)
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
