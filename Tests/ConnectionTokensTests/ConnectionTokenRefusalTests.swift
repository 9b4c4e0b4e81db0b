// SPDX-License-Identifier: Apache-2.0
// Values that can't open a connection are rejected with advice, and without secrets.

internal import SigningTestSupport
internal import ConnectionTokens
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Connection tokens: rejections")
struct ConnectionTokenRefusalTests {
  @Test("A host with a scheme, a port, a user or a path is rejected everywhere")
  func hosts() throws {
    for host in [
      "https://db.example.com", "db.example.com:5432", "db.example.com/", "[::1]:5432",
      "user@db.example.com", "wss://a.example.com/mqtt",
    ] {
      let shown = host.split(separator: "@").last.map(String.init)
      for open in hostEntries { expectRefusal(.invalidHost, showing: shown) { try open(host) } }
    }
  }

  /// Amazon RDS, User Guide, "Connecting to your DB instance using IAM authentication", and Aurora DSQL,
  /// "Generating an authentication token": the host is the endpoint's. Names: RFC 6761, 6.3 to 6.5, RFC
  /// 6762, 3 (local), ICANN resolution 2024.07.29.06 (internal); numbers: RFC 3696, 2.
  @Test("A host that no AWS database has is rejected: an address, a local name, a trailing dot")
  func dialedHosts() {
    for host in [
      "127.0.0.1", "10.0.0.5", "0.0.0.0", "192.168.1.1", "[::1]", "[2001:db8::1]", "127.1",
      "localhost", "LOCALHOST", "db", "db.localhost", "host.docker.internal", "db.local",
      "db.invalid", "db.test", "db.123.us-east-1.rds.amazonaws.com.", "localhost.",
    ] {
      expectRefusal(.invalidHost, showing: host) { try rds(host: host) }
      expectRefusal(.invalidHost, showing: host) { try dsql(host: host) }
    }
    // Emulators with public names, and your own names.
    for host in ["localhost.localstack.cloud", "db.example.com", "1.db.example.com"] {
      #expect(throws: Never.self) { try rds(host: host) }
      #expect(throws: Never.self) { try dsql(host: host) }
    }
  }

  @Test("An invalid host is rejected")
  func malformedHosts() {
    for host in ["", "a b", "é.example.com", "a..b", "[::1"] {
      for open in hostEntries { expectRefusal(.invalidHost, showing: host) { try open(host) } }
    }
  }

  @Test("A password before the host isn't shown")
  func passwords() {
    for open in hostEntries {
      expectRefusal(.invalidHost, showing: "db.example.com", hiding: ["hush"]) {
        try open("postgres://me:hush@db.example.com")
      }
    }
  }

  @Test("A port is a number from 1 to 65535")
  func ports() {
    for port in [0, -1, 65_536, .max, .min] as [Int] {
      expectRefusal(.invalidHost, showing: String(port)) { try rds(port: port) }
      expectRefusal(.invalidHost, showing: String(port)) {
        try SigV4.WebSocketURL.transcribe(
          [:], port: port, region: region, credentials: credentials(), at: now())
      }
    }
  }

  @Test("A user has a name without control characters")
  func users() {
    for user in ["", "a\n", "\u{7F}", "a\0b"] {
      expectRefusal(.invalidUser, showing: user) { try rds(user: user) }
      expectRefusal(.invalidUser, showing: user) {
        try SigV4.ConnectionToken.elastiCache(
          cache: "c", kind: .nodeBased, user: user, region: region, credentials: credentials(),
          at: now())
      }
      expectRefusal(.invalidUser, showing: user) {
        try SigV4.ConnectionToken.memoryDB(
          cluster: "c", user: user, region: region, credentials: credentials(), at: now())
      }
    }
  }

  @Test("A cache is named by its name, not by its endpoint")
  func caches() {
    for name in [
      "", "my-cache.abc123.ng.0001.use1.cache.amazonaws.com", "my_cache", "-a", "a-", "é", "a:6379",
      String(repeating: "a", count: 64),
    ] {
      expectRefusal(.invalidResourceName, showing: name) {
        try SigV4.ConnectionToken.elastiCache(
          cache: name, kind: .serverless, user: "u", region: region, credentials: credentials(),
          at: now())
      }
      expectRefusal(.invalidResourceName, showing: name) {
        try SigV4.ConnectionToken.memoryDB(
          cluster: name, user: "u", region: region, credentials: credentials(), at: now())
      }
    }
  }

  /// An ARN: aws-iam-authenticator compares the header with the cluster's ID, and kubeconfig files of
  /// `aws eks update-kubeconfig` have the ARN as the cluster's name.
  @Test("A cluster of EKS has a name for a header, which isn't its ARN")
  func clusters() {
    for name in [
      "", " ", "a b", "a\r\nb", "é", "arn:aws:eks:eu-west-1:123456789012:cluster/example",
      "arn:aws-us-gov:eks:us-gov-west-1:123456789012:cluster/example", "arn:",
    ] {
      expectRefusal(.invalidResourceName, showing: name) {
        try SigV4.ConnectionToken.eks(
          cluster: name, region: region, credentials: credentials(), at: now())
      }
      expectRefusal(.invalidResourceName, showing: name) {
        try SigV4.ConnectionToken.eks(cluster: name, credentials: credentials(), at: now())
      }
    }
  }

  @Test("A channel is an ARN")
  func channels() {
    for channel in ["", "demo", "arn:aws:é", "arn: a", Self.longARN] {
      expectRefusal(.invalidResourceName, showing: channel) {
        try kinesisVideo(channel: channel)
      }
    }
  }

  @Test("A viewer has an ID")
  func clientIDs() {
    for clientID in ["", "a b", "aws_1", "AWS_", "a/b", String(repeating: "a", count: 257)] {
      expectRefusal(.invalidResourceName, showing: clientID) {
        try kinesisVideo(clientID: clientID)
      }
    }
  }

  @Test("The longest ID and the longest ARN of a channel are accepted")
  func longest() throws {
    let clientID = String(repeating: "a", count: 256)
    let url = try kinesisVideo(
      channel: String(Self.longARN.dropLast()), clientID: clientID)
    #expect(url.url.contains("&X-Amz-ClientId=\(clientID)&"))
  }

  @Test("A lifetime that the service doesn't allow is rejected")
  func lifetimes() {
    for seconds in [0, -1, 604_801, .max, .min] as [Int] {
      expectRefusal(.invalidLifetime, showing: String(seconds)) {
        try dsql(expiresIn: .seconds(seconds))
      }
      expectRefusal(.invalidLifetime, showing: String(seconds)) {
        try kinesisVideo(expiresIn: .seconds(seconds))
      }
      expectRefusal(.invalidLifetime, showing: String(seconds)) {
        try transcribe(expiresIn: .seconds(seconds))
      }
    }
  }

  @Test("Transcribe allows five minutes")
  func fiveMinutes() throws {
    #expect(try transcribe(expiresIn: .seconds(300)).url.contains("&X-Amz-Expires=300&"))
    expectRefusal(.invalidLifetime, showing: "301") { try transcribe(expiresIn: .seconds(301)) }
  }

  @Test("What becomes a part of a host is a region")
  func regions() {
    for region in ["", "us east", "a.b", "US-EAST-1"] {
      expectRefusal(.invalidRegion, showing: region) {
        try SigV4.ConnectionToken.eks(
          cluster: "c", region: region, credentials: credentials(), at: now())
      }
      expectRefusal(.invalidRegion, showing: region) {
        try SigV4.ConnectionToken.msk(region: region, credentials: credentials(), at: now())
      }
      expectRefusal(.invalidRegion, showing: region) {
        try SigV4.WebSocketURL.transcribe(
          [:], region: region, credentials: credentials(), at: now())
      }
    }
  }

  @Test("A region that's invalid in a scope is rejected")
  func regionsOfScopes() {
    for region in ["", "us east", "a/b"] {
      expectRefusal(.invalidRegion, showing: region) {
        try SigV4.ConnectionToken.rds(
          host: "db.example.com", port: 5432, user: "u", region: region, credentials: credentials(),
          at: now())
      }
      expectRefusal(.invalidRegion, showing: region) {
        try SigV4.WebSocketURL.iot(
          host: "a.example.com", region: region, credentials: credentials(), at: now())
      }
    }
  }

  @Test("A stream's parameters can't be a signature's parameters")
  func parameters() {
    expectRefusal(.alreadySigned) {
      try SigV4.WebSocketURL.transcribe(
        ["X-Amz-Signature": "0"], region: region, credentials: credentials(), at: now())
    }
  }

  @Test("At the end of time a token is rejected without a trap")
  func endOfTime() throws {
    let last = try SigV4.Timestamp("99991231T235959Z")
    expectRefusal(.timestampOutOfRange) {
      try SigV4.ConnectionToken.msk(region: region, credentials: credentials(), at: last)
    }
  }

  static let longARN = "arn:" + String(repeating: "a", count: 1_021)

  let region = "us-east-1"

  typealias Entry = (String) throws -> Void

  var hostEntries: [Entry] {
    [
      { _ = try rds(host: $0) }, { _ = try dsql(host: $0) },
      { _ = try kinesisVideo(host: $0) },
      {
        _ = try SigV4.WebSocketURL.transcribe(
          [:], host: $0, region: region, credentials: credentials(), at: now())
      },
      {
        _ = try SigV4.WebSocketURL.iot(
          host: $0, region: region, credentials: credentials(), at: now())
      },
    ]
  }

  func now() throws -> SigV4.Timestamp { try Example.moment() }

  func credentials() throws -> SigV4.Credentials {
    try Example.credentials(sessionToken: Example.token)
  }

  func rds(
    host: String = "db.example.com", port: Int = 5432, user: String = "u"
  ) throws -> SigV4.ConnectionToken {
    try .rds(
      host: host, port: port, user: user, region: region, credentials: credentials(), at: now())
  }

  func dsql(
    host: String = "a.example.com", expiresIn lifetime: Duration = .seconds(900)
  ) throws -> SigV4.ConnectionToken {
    try .dsql(
      host: host, role: .admin, region: region, credentials: credentials(), expiresIn: lifetime,
      at: now())
  }

  func transcribe(expiresIn lifetime: Duration) throws -> SigV4.PresignedURL {
    try SigV4.WebSocketURL.transcribe(
      [:], region: region, credentials: credentials(), expiresIn: lifetime, at: now())
  }

  func kinesisVideo(
    host: String = "a.example.com", channel: String = "arn:aws:kinesisvideo:a",
    clientID: String? = nil, expiresIn lifetime: Duration = .seconds(299)
  ) throws -> SigV4.PresignedURL {
    try SigV4.WebSocketURL.kinesisVideo(
      host: host, channelARN: channel, clientID: clientID, region: region,
      credentials: credentials(), expiresIn: lifetime, at: now())
  }
}
