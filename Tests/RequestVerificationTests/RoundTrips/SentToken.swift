// SPDX-License-Identifier: Apache-2.0
// Connection tokens and WebSocket URLs, as their service receives them.

internal import SigningTestSupport
internal import RequestVerification
internal import ConnectionTokens
internal import RequestSigning
internal import SecureHashing
internal import Testing

/// A connection token, turned back into its request.
struct SentToken {
  enum Kind: CaseIterable {
    case rds, dsql, elastiCache, memoryDB, eks, msk, iot, transcribe, kinesisVideo

    /// The signing name, as `presign-and-token-vectors.json` and AWS's pages have it.
    var service: String {
      switch self {
      case .rds: "rds-db"
      case .dsql: "dsql"
      case .elastiCache: "elasticache"
      case .memoryDB: "memorydb"
      case .eks: "sts"
      case .msk: "kafka-cluster"
      case .iot: "iotdevicegateway"
      case .transcribe: "transcribe"
      case .kinesisVideo: "kinesisvideo"
      }
    }
  }

  let request: WireRequest
  let credentials: SigV4.Credentials
  private let verifier: SigV4.Verifier
  private let now: SigV4.Timestamp

  init(_ kind: Kind, _ draw: inout Draw) throws {
    verifier = try SigV4.Verifier(region: "us-east-1", service: .named(kind.service))
    now = try Example.moment()
    credentials = try Example.credentials(sessionToken: draw.chance(2) ? "t/+=" : nil)
    request = try Self.request(kind, "n\(draw.size(9_999))", credentials, &draw)
  }

  /// Verifies a request that may have been changed in transit.
  func verify(_ request: WireRequest) throws(SigV4.VerificationError) {
    let unverified = try verifier.check(request.received(), at: now)
    _ = try unverified.verify(with: credentials, bodyDigest: SHA256.hash(data: "".utf8)).body([])
  }

  private static func request(
    _ kind: Kind, _ name: String, _ credentials: SigV4.Credentials, _ draw: inout Draw
  ) throws -> WireRequest {
    let region = "us-east-1"
    let host = name + ".example.com"
    let user = "u" + draw.text(9)
    let now = try Example.moment()
    switch kind {
    case .rds:
      // Not 443, which a Host header omits.
      return try WireRequest(
        url: "https://"
          + SigV4.ConnectionToken.rds(
            host: host, port: 1_024 + draw.size(60_000), user: user, region: region,
            credentials: credentials, at: now
          ).text)
    case .dsql:
      return try WireRequest(
        url: "https://"
          + SigV4.ConnectionToken.dsql(
            host: host, role: draw.chance(2) ? .admin : .custom, region: region,
            credentials: credentials, expiresIn: .seconds(1 + draw.size(604_799)), at: now
          ).text)
    case .elastiCache:
      return try WireRequest(
        url: "http://"
          + SigV4.ConnectionToken.elastiCache(
            cache: name, kind: draw.chance(2) ? .serverless : .nodeBased, user: user,
            region: region, credentials: credentials, at: now
          ).text)
    case .memoryDB:
      return try WireRequest(
        url: "http://"
          + SigV4.ConnectionToken.memoryDB(
            cluster: name, user: user, region: region, credentials: credentials, at: now
          ).text)
    case .eks:
      let token = try SigV4.ConnectionToken.eks(
        cluster: name, region: region, credentials: credentials, at: now)
      let url = try Base64.decode(
        String(token.text.dropFirst("k8s-aws-v1.".count)), as: .urlSafeUnpadded)
      return try WireRequest(url: String(decoding: url, as: UTF8.self))
        .replacing("x-k8s-aws-id", with: [name])
    case .msk:
      let token = try SigV4.ConnectionToken.msk(
        region: region, userAgent: name, credentials: credentials, at: now)
      let url = String(
        decoding: try Base64.decode(token.text, as: .urlSafeUnpadded), as: UTF8.self)
      // The parameters that the broker reads without a signature.
      try #require(url.hasSuffix("&User-Agent=" + name))
      return try WireRequest(url: String(url.dropLast("&User-Agent=".count + name.count)))
    case .iot:
      return try WireRequest(
        url: SigV4.WebSocketURL.iot(
          host: host, region: region, credentials: credentials, at: now
        ).url)
    case .transcribe:
      return try WireRequest(
        url: SigV4.WebSocketURL.transcribe(
          ["language-code": "en-US", "vocabulary-name": user], region: region,
          credentials: credentials, expiresIn: .seconds(1 + draw.size(299)), at: now
        ).url)
    case .kinesisVideo:
      return try WireRequest(
        url: SigV4.WebSocketURL.kinesisVideo(
          host: host, channelARN: "arn:aws:kinesisvideo:us-east-1:1:channel/\(name)/1",
          clientID: draw.chance(2) ? nil : name, region: region,
          credentials: credentials, expiresIn: .seconds(1 + draw.size(299)), at: now
        ).url)
    }
  }
}

extension WireRequest {
  /// The GET request of an absolute URL, with no header but the host.
  init(url: String) throws {
    let start = try #require(url.firstRange(of: "://")).upperBound
    let rest = url[start...]
    let host = rest.prefix { $0 != "/" }
    self.init("GET", String(rest[host.endIndex...]), [("Host", String(host))])
  }
}
