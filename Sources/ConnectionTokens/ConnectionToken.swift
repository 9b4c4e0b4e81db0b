// SPDX-License-Identifier: Apache-2.0
// Tokens that authenticate a client when it connects: presigned URLs in other formats.

// `import ConnectionTokens` also imports `SigV4.Credentials`.
@_exported public import RequestSigning
internal import SecureHashing

extension SigV4 {
  /// A token that opens connections to a database, cache or cluster, instead of a password.
  ///
  ///     let token = try SigV4.ConnectionToken.rds(
  ///       host: host, port: 5432, user: "app", region: region, credentials: credentials, at: now)
  ///     connect(host, user: "app", password: token.text)
  ///
  /// An open connection stays open after its token expires. Anyone with the token can use it, so
  /// treat it as a secret.
  public struct ConnectionToken: Sendable {
    /// The token, byte for byte as the server expects it.
    public let text: String

    /// When the token expires: after its lifetime, or with the credentials if that's earlier.
    public let expiration: Timestamp

    /// The presigned URL that the token contains, with the steps of its signature for debugging.
    /// Treat it as a secret.
    public let presignedURL: PresignedURL

    init(_ text: String, of url: PresignedURL, until expiration: Timestamp) {
      self.text = text
      self.expiration = expiration
      presignedURL = url
    }
  }
}

extension SigV4.ConnectionToken: CustomStringConvertible {
  /// The host and the scope, without the token.
  public var description: String {
    "ConnectionToken(\(presignedURL.host), \(presignedURL.credentialScope.text))"
  }
}

extension SigV4.ConnectionToken: Redacted {}

// Databases

extension SigV4.ConnectionToken {
  /// Creates a token to use as the password of an Amazon RDS or Aurora database user, valid for 900
  /// seconds.
  ///
  /// - Parameters:
  ///   - host: the host of the database's or proxy's endpoint, even if you connect to an alias or
  ///     a tunnel.
  ///   - port: the endpoint's port, which is signed with the host.
  ///   - user: the database user, which must be allowed to sign in with IAM.
  ///   - region: the database's region.
  ///   - credentials: the caller's credentials. Temporary ones may expire before the token does.
  ///   - timestamp: the current time.
  ///
  /// - Throws: `invalidHost`, `invalidUser`, `invalidRegion` or `credentialsExpired`.
  ///
  /// Source: Amazon RDS, User Guide, "Connecting to your DB instance using IAM authentication".
  public static func rds(
    host: String, port: Int, user: String, region: String, credentials: SigV4.Credentials,
    at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> Self {
    try SigV4.Connection.checkDatabaseHost(host)
    try SigV4.Connection.checkPort(port)
    try SigV4.Connection.checkUser(user)
    let connection = try SigV4.Connection("rds-db", region: region, credentials, at: timestamp)
    let token = try connection.token(
      host: host + ":" + String(port), query: ["Action": "connect", "DBUser": user])
    // The Host header omits port 443, but the token needs it.
    if port != 443 { return token }
    let url = token.presignedURL
    return Self(url.host + ":443" + url.target, of: url, until: token.expiration)
  }

  /// The database role that an Aurora DSQL token signs in.
  public struct DSQLRole: Hashable, Sendable {
    fileprivate let action: String

    /// The role `admin` (`DbConnectAdmin`).
    public static let admin = Self(action: "DbConnectAdmin")
    /// Any other database role (`DbConnect`).
    public static let custom = Self(action: "DbConnect")
  }

  /// Creates a token to use as the password of an Amazon Aurora DSQL database role, valid for 1
  /// second to 7 days.
  ///
  /// `host` is the host of the cluster's endpoint, even if you connect to a tunnel.
  ///
  /// - Throws: `invalidHost`, `invalidLifetime`, `invalidRegion` or `credentialsExpired`.
  ///
  /// Source: Amazon Aurora DSQL, User Guide, "Generating an authentication token".
  public static func dsql(
    host: String, role: DSQLRole, region: String, credentials: SigV4.Credentials,
    expiresIn lifetime: Duration = .seconds(900), at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> Self {
    let seconds = lifetime.wholeSeconds
    try SigV4.Connection.checkDatabaseHost(host)
    try SigV4.Connection.checkLifetime(seconds)
    let connection = try SigV4.Connection("dsql", region: region, credentials, at: timestamp)
    return try connection.token(
      host: host, query: ["Action": role.action], seconds: seconds)
  }
}

// Caches

extension SigV4.ConnectionToken {
  /// A kind of Amazon ElastiCache cache.
  public struct CacheKind: Hashable, Sendable {
    fileprivate let resourceType: String?

    /// A replication group of nodes.
    public static let nodeBased = Self(resourceType: nil)
    /// A serverless cache.
    public static let serverless = Self(resourceType: "ServerlessCache")
  }

  /// Creates a token to use as the password of an Amazon ElastiCache user, valid for 900 seconds.
  ///
  /// - Parameters:
  ///   - cache: the name of the serverless cache or the ID of the replication group, not the host
  ///     of its endpoint. It's signed in lowercase.
  ///   - kind: whether the cache is serverless.
  ///   - user: the user ID, which is also the user name.
  ///   - region: the cache's region.
  ///   - credentials: the caller's credentials.
  ///   - timestamp: the current time.
  ///
  /// - Throws: `invalidResourceName`, `invalidUser`, `invalidRegion` or `credentialsExpired`.
  ///
  /// Source: Amazon ElastiCache, User Guide, "Authenticating with IAM".
  public static func elastiCache(
    cache: String, kind: CacheKind, user: String, region: String, credentials: SigV4.Credentials,
    at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> Self {
    try SigV4.Connection.checkCacheName(cache)
    try SigV4.Connection.checkUser(user)
    var query: [(String, String?)] = [("Action", "connect")]
    if let type = kind.resourceType { query.append(("ResourceType", type)) }
    query.append(("User", user))
    let connection = try SigV4.Connection("elasticache", region: region, credentials, at: timestamp)
    return try connection.token(host: cache, query: SigV4.Query(query))
  }

  /// Creates a token to use as the password of an Amazon MemoryDB user, valid for 900 seconds.
  ///
  /// - Parameters:
  ///   - cluster: the cluster's name, not the host of its endpoint. It's signed in lowercase.
  ///   - user: the user name.
  ///   - region: the cluster's region.
  ///   - credentials: the caller's credentials.
  ///   - timestamp: the current time.
  ///
  /// - Throws: `invalidResourceName`, `invalidUser`, `invalidRegion` or `credentialsExpired`.
  ///
  /// Source: Amazon MemoryDB, Developer Guide, "Authenticating with IAM".
  public static func memoryDB(
    cluster: String, user: String, region: String, credentials: SigV4.Credentials,
    at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> Self {
    try SigV4.Connection.checkCacheName(cluster)
    try SigV4.Connection.checkUser(user)
    let connection = try SigV4.Connection("memorydb", region: region, credentials, at: timestamp)
    return try connection.token(host: cluster, query: ["Action": "connect", "User": user])
  }
}

// Clusters, with tokens that are base64-encoded URLs

extension SigV4.ConnectionToken {
  /// Creates the bearer token for an Amazon EKS cluster, valid for 900 seconds.
  ///
  /// - Parameters:
  ///   - cluster: the cluster's name, or the ID that its authenticator expects.
  ///   - region: the region of the STS endpoint that the cluster uses, usually the cluster's
  ///     region.
  ///   - credentials: the caller's credentials.
  ///   - timestamp: the current time.
  ///
  /// - Throws: `invalidResourceName`, `invalidRegion` or `credentialsExpired`.
  ///
  /// Source: aws-iam-authenticator, README, "API Authorization from Outside a Cluster".
  public static func eks(
    cluster: String, region: String, credentials: SigV4.Credentials,
    at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> Self {
    let partition = try SigV4.AWSPartition(region: region)
    return try eks(
      cluster: cluster, host: "sts." + region + "." + partition.domain, region: region,
      credentials: credentials, at: timestamp)
  }

  /// Creates the bearer token for an Amazon EKS cluster that uses the global STS endpoint, valid
  /// for 900 seconds.
  ///
  /// The endpoint is in us-east-1 and supports neither China nor GovCloud accounts. If possible,
  /// use ``eks(cluster:region:credentials:at:)`` instead.
  ///
  /// - Throws: `invalidResourceName` or `credentialsExpired`.
  public static func eks(
    cluster: String, credentials: SigV4.Credentials, at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> Self {
    try eks(
      cluster: cluster, host: "sts.amazonaws.com", region: "us-east-1", credentials: credentials,
      at: timestamp)
  }

  private static func eks(
    cluster: String, host: String, region: String, credentials: SigV4.Credentials,
    at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> Self {
    if cluster.isEmpty || !cluster.utf8.allSatisfy(ASCIIByte.isVisible) {
      throw SigV4.SigningError(
        .invalidResourceName,
        """
        \(quoted: cluster) isn't a valid cluster name: only visible ASCII characters are allowed, \
        at least one.
        """, fix: "Use the name it was created with, not its ARN or URL.")
    }
    // The authenticator compares the name, so the token of an ARN is for no cluster.
    if cluster.utf8.starts(with: "arn:".utf8) {
      throw SigV4.SigningError(
        .invalidResourceName, "\(quoted: cluster) is an ARN, not the name of a cluster.",
        fix: "Use the cluster's name, which is the last part of its ARN.")
    }
    let connection = try SigV4.Connection("sts", region: region, credentials, at: timestamp)
    let request = try SigV4.Request(
      "GET", host: host, query: ["Action": "GetCallerIdentity", "Version": "2011-06-15"],
      headers: ["x-k8s-aws-id": cluster])
    // 60 seconds is a convention. The authenticator accepts the token for 15 minutes.
    let url = try connection.url(request, seconds: 60)
    return Self(
      "k8s-aws-v1." + Base64.encode(url.url.utf8, as: .urlSafeUnpadded), of: url,
      until: try connection.end(after: 900))
  }

  /// Creates the bearer token for an Amazon MSK cluster (SASL/OAUTHBEARER), valid for 900 seconds.
  ///
  /// - Parameters:
  ///   - region: the cluster's region. One token works with all its brokers.
  ///   - userAgent: the client's name in broker logs.
  ///   - credentials: the caller's credentials.
  ///   - timestamp: the current time.
  ///
  /// - Throws: `invalidRegion` or `credentialsExpired`.
  ///
  /// Source: AWS's aws-msk-iam-sasl-signer libraries, which sign this host in every partition.
  public static func msk(
    region: String, userAgent: String = "swift-sigv4", credentials: SigV4.Credentials,
    at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> Self {
    _ = try SigV4.AWSPartition(region: region)
    let connection = try SigV4.Connection(
      "kafka-cluster", region: region, credentials, at: timestamp)
    let url = try connection.url(
      SigV4.Request(
        "GET", host: "kafka." + region + ".amazonaws.com",
        query: ["Action": "kafka-cluster:Connect"]), seconds: 900)
    let unsigned = Array("&User-Agent=".utf8) + URIEncoding.encode(Array(userAgent.utf8))
    return Self(
      Base64.encode(url.url.utf8 + unsigned, as: .urlSafeUnpadded), of: url,
      until: try connection.end(after: 900))
  }
}

// Bearer tokens

extension SigV4.ConnectionToken {
  /// Creates a short-term API key for Amazon Bedrock, valid for 1 second to 12 hours.
  ///
  /// Send it as `Authorization: Bearer KEY`. AWS's SDKs read it from the environment variable
  /// `AWS_BEARER_TOKEN_BEDROCK`. Until it expires, anyone who has it can call Bedrock as you in
  /// this region, so choose a short lifetime if you pass it to another program.
  ///
  /// - Parameters:
  ///   - region: The region of the Bedrock endpoint that you call.
  ///   - credentials: The caller's credentials, which may call `bedrock:CallWithBearerToken`. The
  ///     key expires with them.
  ///   - lifetime: How long the key is valid.
  ///   - timestamp: The current time.
  ///
  /// - Throws: `invalidLifetime`, `invalidRegion` or `credentialsExpired`.
  ///
  /// Source: AWS's aws-bedrock-token-generator libraries.
  public static func bedrock(
    region: String, credentials: SigV4.Credentials,
    expiresIn lifetime: Duration = .seconds(43_200), at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> Self {
    let seconds = lifetime.wholeSeconds
    try SigV4.Connection.checkLifetime(seconds, atMost: 43_200)
    let connection = try SigV4.Connection("bedrock", region: region, credentials, at: timestamp)
    let url = try connection.url(
      SigV4.Request(
        "POST", host: "bedrock.amazonaws.com", query: ["Action": "CallWithBearerToken"]),
      seconds: seconds)
    return Self(
      "bedrock-api-key-" + Base64.encode((url.host + url.target + "&Version=1").utf8), of: url,
      until: try connection.end(after: seconds))
  }
}
