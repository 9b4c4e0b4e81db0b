// SPDX-License-Identifier: Apache-2.0
// Tokens for clusters: Kubernetes (EKS) and Kafka (MSK), both a URL in base64.

public import RequestSigning
internal import SecureHashing
internal import SigningSupport

extension SigV4.ConnectionToken {
  /// The bearer token of a Kubernetes cluster of Amazon EKS, good for 900 seconds.
  ///
  /// - Parameters:
  ///   - cluster: the name of the cluster, or the ID that its authenticator expects.
  ///   - region: the region of the endpoint of STS that the cluster asks, usually its own.
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
  /// and wherever one can choose, name a region.
  ///
  /// Throws `invalidResourceName` or `credentialsExpired`.
  public static func eks(
    cluster: String, credentials: SigV4.Credentials, at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> Self {
    try eks(
      cluster: cluster, host: "sts.amazonaws.com", region: "us-east-1", credentials: credentials,
      at: timestamp)
  }

  /// The bearer token of a Kafka cluster of Amazon MSK (SASL/OAUTHBEARER), good for 900 seconds.
  ///
  /// - Parameters:
  ///   - region: the region in which the cluster is; one token is good for all its brokers.
  ///   - userAgent: what the logs of the brokers call the client.
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
        query: ["Action": "kafka-cluster:Connect"]), validFor: 900)
    let unsigned = "&User-Agent=".bytesInUTF8 + URIEncoding.encode(userAgent.bytesInUTF8)
    return Self(
      Base64.encode(Array(url.url.utf8) + unsigned, as: .urlSafeUnpadded), of: url,
      until: try connection.end(after: 900))
  }
}

extension SigV4.ConnectionToken {
  static func eks(
    cluster: String, host: String, region: String, credentials: SigV4.Credentials,
    at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> Self {
    let isVisible = cluster.utf8.allSatisfy(ASCIIByte.isVisible)
    if cluster.utf8.isEmpty || !isVisible {
      throw SigV4.SigningError(
        .invalidResourceName,
        """
        \(UTF8Text.quoted(cluster)) is no name of a cluster, which goes into a signed header; give \
        the name of visible ASCII characters that it was created with, not its ARN or URL
        """)
    }
    let connection = try SigV4.Connection("sts", region: region, credentials, at: timestamp)
    let request = try SigV4.Request(
      "GET", host: host, query: ["Action": "GetCallerIdentity", "Version": "2011-06-15"],
      headers: ["x-k8s-aws-id": cluster])
    // The 60 seconds are a custom: the authenticator takes a token for 15 minutes whatever they say.
    let url = try connection.url(request, validFor: 60)
    return Self(
      "k8s-aws-v1." + Base64.encode(url.url.utf8, as: .urlSafeUnpadded), of: url,
      until: try connection.end(after: 900))
  }
}
