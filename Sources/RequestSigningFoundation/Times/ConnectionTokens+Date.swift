// SPDX-License-Identifier: Apache-2.0
// Connection tokens, identity proofs and WebSocket URLs as of a `Date`, or now.

public import ConnectionTokens
public import Foundation
public import RequestSigning

/// As of a date, or now. Parameters and errors are the same as with a timestamp.
extension SigV4.ConnectionToken {
  /// Creates a token to use as the password of an Amazon RDS or Aurora database user, valid for 900
  /// seconds.
  public static func rds(
    host: String, port: Int, user: String, region: String, credentials: SigV4.Credentials,
    at date: Date = Date()
  ) throws(SigV4.SigningError) -> Self {
    try rds(
      host: host, port: port, user: user, region: region, credentials: credentials,
      at: SigV4.Timestamp(date))
  }

  /// Creates a token to use as the password of an Amazon Aurora DSQL database role, valid for 1
  /// second to 7 days.
  public static func dsql(
    host: String, role: DSQLRole, region: String, credentials: SigV4.Credentials,
    expiresIn lifetime: Duration = .seconds(900), at date: Date = Date()
  ) throws(SigV4.SigningError) -> Self {
    try dsql(
      host: host, role: role, region: region, credentials: credentials, expiresIn: lifetime,
      at: SigV4.Timestamp(date))
  }

  /// Creates a token to use as the password of an Amazon ElastiCache user, valid for 900 seconds.
  public static func elastiCache(
    cache: String, kind: CacheKind, user: String, region: String, credentials: SigV4.Credentials,
    at date: Date = Date()
  ) throws(SigV4.SigningError) -> Self {
    try elastiCache(
      cache: cache, kind: kind, user: user, region: region, credentials: credentials,
      at: SigV4.Timestamp(date))
  }

  /// Creates a token to use as the password of an Amazon MemoryDB user, valid for 900 seconds.
  public static func memoryDB(
    cluster: String, user: String, region: String, credentials: SigV4.Credentials,
    at date: Date = Date()
  ) throws(SigV4.SigningError) -> Self {
    try memoryDB(
      cluster: cluster, user: user, region: region, credentials: credentials,
      at: SigV4.Timestamp(date))
  }

  /// Creates the bearer token for an Amazon EKS cluster, valid for 900 seconds.
  public static func eks(
    cluster: String, region: String, credentials: SigV4.Credentials, at date: Date = Date()
  ) throws(SigV4.SigningError) -> Self {
    try eks(cluster: cluster, region: region, credentials: credentials, at: SigV4.Timestamp(date))
  }

  /// Creates the bearer token for an Amazon EKS cluster that uses the global STS endpoint, valid
  /// for 900 seconds.
  public static func eks(cluster: String, credentials: SigV4.Credentials, at date: Date = Date())
    throws(SigV4.SigningError) -> Self
  {
    try eks(cluster: cluster, credentials: credentials, at: SigV4.Timestamp(date))
  }

  /// Creates the bearer token for an Amazon MSK cluster (SASL/OAUTHBEARER), valid for 900 seconds.
  public static func msk(
    region: String, userAgent: String = "swift-sigv4", credentials: SigV4.Credentials,
    at date: Date = Date()
  ) throws(SigV4.SigningError) -> Self {
    try msk(
      region: region, userAgent: userAgent, credentials: credentials, at: SigV4.Timestamp(date))
  }

  /// Creates a short-term API key for Amazon Bedrock, valid for 1 second to 12 hours.
  public static func bedrock(
    region: String, credentials: SigV4.Credentials, expiresIn lifetime: Duration = .seconds(43_200),
    at date: Date = Date()
  ) throws(SigV4.SigningError) -> Self {
    try bedrock(
      region: region, credentials: credentials, expiresIn: lifetime, at: SigV4.Timestamp(date))
  }
}

/// As of a date, or now. Parameters and errors are the same as with a timestamp.
extension SigV4.WebSocketURL {
  /// Presigns a URL for MQTT with AWS IoT.
  public static func iot(
    host: String, region: String, credentials: SigV4.Credentials, at date: Date = Date()
  ) throws(SigV4.SigningError) -> SigV4.PresignedURL {
    try iot(host: host, region: region, credentials: credentials, at: SigV4.Timestamp(date))
  }

  /// Presigns a URL that opens an Amazon Transcribe stream, valid for 1 to 300 seconds.
  public static func transcribe(
    _ parameters: SigV4.Query, as kind: SigV4.WebSocketURL.TranscribeStream = .general,
    host: String? = nil, port: Int = 8_443, region: String, credentials: SigV4.Credentials,
    expiresIn lifetime: Duration = .seconds(300), at date: Date = Date()
  ) throws(SigV4.SigningError) -> SigV4.PresignedURL {
    try transcribe(
      parameters, as: kind, host: host, port: port, region: region, credentials: credentials,
      expiresIn: lifetime, at: SigV4.Timestamp(date))
  }

  /// Presigns a URL that opens a Kinesis Video Streams signaling channel, valid for 1 second to 7
  /// days.
  public static func kinesisVideo(
    host: String, channelARN: String, clientID: String?, region: String,
    credentials: SigV4.Credentials, expiresIn lifetime: Duration = .seconds(299),
    at date: Date = Date()
  ) throws(SigV4.SigningError) -> SigV4.PresignedURL {
    try kinesisVideo(
      host: host, channelARN: channelARN, clientID: clientID, region: region,
      credentials: credentials, expiresIn: lifetime, at: SigV4.Timestamp(date))
  }
}

/// As of a date, or now. Parameters and errors are the same as with a timestamp.
extension SigV4.IdentityProof {
  /// Creates the subprotocol that opens a WebSocket of AWS AppSync.
  public static func appSyncConnection(
    to api: AppSyncAPI, host: String, region: String, credentials: SigV4.Credentials,
    at date: Date = Date()
  ) throws(SigV4.SigningError) -> Self {
    try appSyncConnection(
      to: api, host: host, region: region, credentials: credentials, at: SigV4.Timestamp(date))
  }

  /// Creates the authorization of a message on an open WebSocket of AWS AppSync.
  public static func appSyncMessage(
    _ body: String, to api: AppSyncAPI, host: String, region: String,
    credentials: SigV4.Credentials, at date: Date = Date()
  ) throws(SigV4.SigningError) -> Self {
    try appSyncMessage(
      body, to: api, host: host, region: region, credentials: credentials, at: SigV4.Timestamp(date)
    )
  }

  /// Creates the body of a login to HashiCorp Vault (or OpenBao) with its AWS auth method.
  public static func vault(
    role: String? = nil, serverID: String? = nil, host: String = "sts.amazonaws.com",
    region: String? = nil, credentials: SigV4.Credentials, at date: Date = Date()
  ) throws(SigV4.SigningError) -> Self {
    try vault(
      role: role, serverID: serverID, host: host, region: region, credentials: credentials,
      at: SigV4.Timestamp(date))
  }

  /// Creates the second message of a sign-in to MongoDB with MONGODB-AWS.
  public static func mongoDB(
    clientNonce: some Collection<UInt8>, serverNonce: some Collection<UInt8>, host: String,
    credentials: SigV4.Credentials, at date: Date = Date()
  ) throws(SigV4.SigningError) -> Self {
    try mongoDB(
      clientNonce: clientNonce, serverNonce: serverNonce, host: host, credentials: credentials,
      at: SigV4.Timestamp(date))
  }

  /// Creates the subject token for Google Cloud's workload identity federation.
  public static func google(
    audience: String, region: String, credentials: SigV4.Credentials, at date: Date = Date()
  ) throws(SigV4.SigningError) -> Self {
    try google(
      audience: audience, region: region, credentials: credentials, at: SigV4.Timestamp(date))
  }

  /// Creates the response to the SASL challenge of Amazon Keyspaces (for Apache Cassandra).
  public static func keyspaces(
    challenge: some Collection<UInt8>, region: String, credentials: SigV4.Credentials,
    at date: Date = Date()
  ) throws(SigV4.SigningError) -> Self {
    try keyspaces(
      challenge: challenge, region: region, credentials: credentials, at: SigV4.Timestamp(date))
  }
}
