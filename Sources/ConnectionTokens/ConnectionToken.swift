// SPDX-License-Identifier: Apache-2.0
// Tokens with which a client proves who it is when it connects: presigned URLs in other forms.

// A user who writes `import ConnectionTokens` finds `SigV4.Credentials` too.
@_exported public import RequestSigning
internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// A token that opens connections to a database, a cache or a cluster, in place of a password.
  ///
  ///     let token = try SigV4.ConnectionToken.rds(
  ///       host: host, port: 5432, user: "app", region: region, credentials: credentials, at: now)
  ///     connect(host, user: "app", password: token.text)
  ///
  /// A connection that is open stays open when its token expires. Anyone who has the token can use it:
  /// treat it as a secret.
  public struct ConnectionToken: Sendable {
    /// The token, byte for byte as the server expects it. Secret.
    public let text: String

    /// When the token stops to work: at the end of its life or, if that is earlier, when the
    /// credentials end.
    public let expiration: Timestamp

    /// The presigned URL that the token is made of, with the steps of its signature, to be compared.
    /// Secret.
    public let presignedURL: PresignedURL

    init(_ text: String, of url: PresignedURL, until expiration: Timestamp) {
      self.text = text
      self.expiration = expiration
      presignedURL = url
    }
  }
}

extension SigV4.ConnectionToken: CustomStringConvertible {
  /// Host and scope. Never the token.
  public var description: String {
    "ConnectionToken(\(presignedURL.host), \(presignedURL.credentialScope.text))"
  }
}

extension SigV4.ConnectionToken: Redacted {}

// Databases

extension SigV4.ConnectionToken {
  /// The password of a database user of Amazon RDS or Aurora, good for 900 seconds.
  ///
  /// - Parameters:
  ///   - host: the host of the endpoint of the database or of its proxy, not an alias of your own and
  ///     not the address of a tunnel: connect to that, and sign this.
  ///   - port: the port of the endpoint, which is signed with the host.
  ///   - user: the database user, who has to be allowed to sign in with IAM.
  ///   - region: the region in which the database is.
  ///   - credentials: those of the caller; temporary ones may end before the token does.
  ///   - timestamp: when it is made.
  ///
  /// Throws `invalidHost`, `invalidUser`, `invalidRegion` or `credentialsExpired`.
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
    // The Host header drops the port of https, and the token keeps it.
    if port != 443 { return token }
    let url = token.presignedURL
    return Self(url.host + ":443" + url.target, of: url, until: token.expiration)
  }

  /// The database role that a token of Aurora DSQL signs in.
  public struct DSQLRole: Hashable, Sendable {
    fileprivate let action: String

    /// The role `admin` (`DbConnectAdmin`).
    public static let admin = Self(action: "DbConnectAdmin")
    /// Any other database role (`DbConnect`).
    public static let custom = Self(action: "DbConnect")
  }

  /// The password of a database role of Amazon Aurora DSQL, good for 1 second to 7 days.
  ///
  /// `host` is the host of the cluster's endpoint, not the address of a tunnel: connect to that, and sign
  /// this.
  ///
  /// Throws `invalidHost`, `invalidLifetime`, `invalidRegion` or `credentialsExpired`.
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
  /// A kind of cache of Amazon ElastiCache.
  public struct CacheKind: Hashable, Sendable {
    fileprivate let resourceType: String?

    /// A replication group of nodes.
    public static let nodeBased = Self(resourceType: nil)
    /// A serverless cache.
    public static let serverless = Self(resourceType: "ServerlessCache")
  }

  /// The password of a user of Amazon ElastiCache, good for 900 seconds.
  ///
  /// - Parameters:
  ///   - cache: the name of the serverless cache or the ID of the replication group, not the host of
  ///     its endpoint. It is signed in lowercase.
  ///   - kind: whether the cache is serverless.
  ///   - user: the ID of the user, which is the user name too.
  ///   - region: the region in which the cache is.
  ///   - credentials: those of the caller.
  ///   - timestamp: when it is made.
  ///
  /// Throws `invalidResourceName`, `invalidUser`, `invalidRegion` or `credentialsExpired`.
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

  /// The password of a user of Amazon MemoryDB, good for 900 seconds.
  ///
  /// - Parameters:
  ///   - cluster: the name of the cluster, not the host of its endpoint. It is signed in lowercase.
  ///   - user: the name of the user.
  ///   - region: the region in which the cluster is.
  ///   - credentials: those of the caller.
  ///   - timestamp: when it is made.
  ///
  /// Throws `invalidResourceName`, `invalidUser`, `invalidRegion` or `credentialsExpired`.
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

// Clusters: their tokens are URLs in base64.

extension SigV4.ConnectionToken {
  /// The bearer token of a Kubernetes cluster of Amazon EKS, good for 900 seconds.
  ///
  /// - Parameters:
  ///   - cluster: the name of the cluster, or the ID that its authenticator expects.
  ///   - region: the region of the endpoint of STS that the cluster asks, usually its own.
  ///   - credentials: those of the caller.
  ///   - timestamp: when it is made.
  ///
  /// Throws `invalidResourceName`, `invalidRegion` or `credentialsExpired`.
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

  /// The bearer token of a Kubernetes cluster of Amazon EKS through the global endpoint of STS, good
  /// for 900 seconds.
  ///
  /// The endpoint is in us-east-1 and knows the accounts of neither China nor GovCloud: for these,
  /// and wherever you can choose, name a region.
  ///
  /// Throws `invalidResourceName` or `credentialsExpired`.
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
        \(quoted: cluster) cannot be the name of a cluster, which goes into a signed header; give \
        the name of visible ASCII characters that it was created with, not its ARN or URL
        """)
    }
    let connection = try SigV4.Connection("sts", region: region, credentials, at: timestamp)
    let request = try SigV4.Request(
      "GET", host: host, query: ["Action": "GetCallerIdentity", "Version": "2011-06-15"],
      headers: ["x-k8s-aws-id": cluster])
    // The 60 seconds are a custom: the authenticator takes a token for 15 minutes all the same.
    let url = try connection.url(request, seconds: 60)
    return Self(
      "k8s-aws-v1." + Base64.encode(url.url.utf8, as: .urlSafeUnpadded), of: url,
      until: try connection.end(after: 900))
  }

  /// The bearer token of a Kafka cluster of Amazon MSK (SASL/OAUTHBEARER), good for 900 seconds.
  ///
  /// - Parameters:
  ///   - region: the region in which the cluster is; one token is good for all its brokers.
  ///   - userAgent: what the logs of the brokers call the client.
  ///   - credentials: those of the caller.
  ///   - timestamp: when it is made.
  ///
  /// Throws `invalidRegion` or `credentialsExpired`.
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
