// SPDX-License-Identifier: Apache-2.0
// Tokens for caches: ElastiCache, MemoryDB.

public import RequestSigning
internal import SigningSupport

extension SigV4.ConnectionToken {
  /// Which kind of cache of Amazon ElastiCache it is.
  public enum CacheKind: Sendable {
    /// A replication group of nodes.
    case nodeBased
    /// A serverless cache.
    case serverless
  }

  /// The password of a user of Amazon ElastiCache, good for 900 seconds.
  ///
  /// - Parameters:
  ///   - cache: the name of the serverless cache or the ID of the replication group, not the host of
  ///     its endpoint. It is signed in lowercase.
  ///   - user: the ID of the user, which is the user name too.
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
    let query: SigV4.Query =
      switch kind {
      case .nodeBased: ["Action": "connect", "User": user]
      case .serverless: ["Action": "connect", "ResourceType": "ServerlessCache", "User": user]
      }
    let connection = try SigV4.Connection("elasticache", region: region, credentials, at: timestamp)
    return try connection.token(host: cache, query: query)
  }

  /// The password of a user of Amazon MemoryDB, good for 900 seconds.
  ///
  /// - Parameters:
  ///   - cluster: the name of the cluster, not the host of its endpoint. It is signed in lowercase.
  ///   - user: the name of the user.
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
