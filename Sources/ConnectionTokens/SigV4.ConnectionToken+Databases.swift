// SPDX-License-Identifier: Apache-2.0
// Tokens for databases: RDS and Aurora, Aurora DSQL.

public import RequestSigning
internal import SigningSupport

extension SigV4.ConnectionToken {
  /// The password of a database user of Amazon RDS or Aurora, good for 900 seconds.
  ///
  /// - Parameters:
  ///   - host: the endpoint of the database or of its proxy, not an alias of one's own.
  ///   - port: the port of the endpoint, which is signed with the host.
  ///   - user: the database user, who has to be allowed to sign in with IAM.
  ///   - region: the region in which the database is.
  ///
  /// Throws `invalidHost`, `invalidUser`, `invalidRegion` or `credentialsExpired`.
  ///
  /// Source: Amazon RDS, User Guide, "Connecting to your DB instance using IAM authentication".
  public static func rds(
    host: String, port: Int, user: String, region: String, credentials: SigV4.Credentials,
    at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> Self {
    try SigV4.Connection.checkHost(host)
    try SigV4.Connection.checkPort(port)
    try SigV4.Connection.checkUser(user)
    let connection = try SigV4.Connection("rds-db", region: region, credentials, at: timestamp)
    let token = try connection.token(
      host: host + ":" + String(port), query: ["Action": "connect", "DBUser": user])
    // The Host header drops the port of https, and the token keeps it.
    if port != SigV4.Scheme.https.defaultPort { return token }
    let url = token.presignedURL
    return Self(url.host + ":443" + url.target, of: url, until: token.expiration)
  }

  /// Whom a token of Aurora DSQL signs in.
  public enum DSQLRole: Sendable {
    /// The role `admin` (`DbConnectAdmin`).
    case admin
    /// Any other database role (`DbConnect`).
    case custom

    var action: String {
      switch self {
      case .admin: "DbConnectAdmin"
      case .custom: "DbConnect"
      }
    }
  }

  /// The password of a database role of Amazon Aurora DSQL, good for 1 to 604,800 seconds.
  ///
  /// Throws `invalidHost`, `invalidLifetime`, `invalidRegion` or `credentialsExpired`.
  ///
  /// Source: Amazon Aurora DSQL, User Guide, "Generating an authentication token".
  public static func dsql(
    host: String, role: DSQLRole, region: String, credentials: SigV4.Credentials,
    validFor seconds: Int = 900, at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> Self {
    try SigV4.Connection.checkHost(host)
    try SigV4.Connection.checkLifetime(seconds)
    let connection = try SigV4.Connection("dsql", region: region, credentials, at: timestamp)
    return try connection.token(
      host: host, query: ["Action": role.action], validFor: seconds)
  }
}
