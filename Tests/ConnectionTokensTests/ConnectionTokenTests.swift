// SPDX-License-Identifier: Apache-2.0
// Connection tokens and WebSocket URLs: every step, the string, the expiration, and the
// descriptions.

internal import SigningTestSupport
internal import ConnectionTokens
internal import RequestSigning
internal import TestSupport
internal import Testing

/// Source of the expected values: botocore and aws-bedrock-token-generator, by
/// `connection-tokens.py`.
@Suite("Connection tokens")
struct ConnectionTokenTests {
  static func vectors(areURLs: Bool) throws -> [VectorRecord] {
    try VectorTable(named: "connection-tokens.txt").records.filter { vector in
      try ["iot", "transcribe", "kinesisVideo"].contains(vector.text("function")) == areURLs
    }
  }

  static func tokens() throws -> [VectorRecord] { try vectors(areURLs: false) }

  static func webSockets() throws -> [VectorRecord] { try vectors(areURLs: true) }

  @Test("No vector is missing: 27 tokens, 11 URLs")
  func count() throws {
    #expect(try Set(Self.tokens().map(\.name)).count == 27)
    #expect(try Set(Self.webSockets().map(\.name)).count == 11)
  }

  @Test("A token is botocore's in every step")
  func token() throws {
    try ConnectionTokenTests.tokens().forEachCase { vector in
      let token = try vector.connectionToken()
      try expectSteps(of: token.presignedURL, vector)
      try expect("\(vector): text", token.text, is: vector.text("text"))
      // Named like the options of the command.
      let text = try vector.optionalText("lifetime") ?? vector.optionalText("expires")
      let lifetime = text.flatMap(Int64.init) ?? 900
      #expect(
        try token.expiration.unixSeconds == vector.timestamp().unixSeconds + lifetime, "\(vector)")
    }
  }

  @Test("A WebSocket URL matches botocore in every step, except the order of its parameters")
  func webSocket() throws {
    try ConnectionTokenTests.webSockets().forEachCase { vector in
      let url = try vector.webSocketURL()
      try expectSteps(of: url, vector)
      let sorted = { (url: String) in url.split { "?&".contains($0) }.sorted() }
      #expect(try sorted(url.url) == sorted(vector.text("presigned-url")), "\(vector)")
      let lifetime = try vector.optionalText("lifetime").flatMap(Int64.init)
      let expected = try lifetime.map { try vector.timestamp().unixSeconds + $0 }
      #expect(url.expiration?.unixSeconds == expected, "\(vector)")
    }
  }

  @Test("IoT's session token follows the signature")
  func unsignedToken() throws {
    let vector = try VectorTable(named: "connection-tokens.txt").record(named: "IoT, session token")
    try expect("URL", vector.webSocketURL().url, is: vector.text("presigned-url"))
  }

  @Test("A token ends with the credentials, is made until then, and not afterwards")
  func endOfCredentials() throws {
    let now = try Example.moment()
    let end = try now.advanced(bySeconds: 30)
    let credentials = try Example.credentials(sessionToken: Example.token, expiration: end)
    let region = "us-east-1"
    let tokens = [
      try SigV4.ConnectionToken.rds(
        host: "db.example.com", port: 5432, user: "u", region: region, credentials: credentials,
        at: now),
      try SigV4.ConnectionToken.dsql(
        host: "a.example.com", role: .admin, region: region, credentials: credentials,
        expiresIn: .seconds(3_600), at: now),
      try SigV4.ConnectionToken.eks(
        cluster: "c", region: region, credentials: credentials, at: now),
      try SigV4.ConnectionToken.msk(region: region, credentials: credentials, at: now),
    ]
    for token in tokens { #expect(token.expiration == end, "\(token)") }
    let stream = try SigV4.WebSocketURL.transcribe(
      [:], region: region, credentials: credentials, at: now)
    #expect(stream.expiration == end)
    expectRefusal(.credentialsExpired) {
      try SigV4.ConnectionToken.msk(region: region, credentials: credentials, at: end)
    }
    expectRefusal(.credentialsExpired) {
      try SigV4.WebSocketURL.iot(
        host: "a.example.com", region: region, credentials: credentials, at: end)
    }
  }

  @Test("Hosts, caches and clusters of databases are signed in lowercase")
  func letterCase() throws {
    let now = try Example.moment()
    let credentials = try Example.credentials()
    let database = try SigV4.ConnectionToken.rds(
      host: "DB.Example.com", port: 5432, user: "U", region: "us-east-1",
      credentials: credentials, at: now)
    #expect(database.text.hasPrefix("db.example.com:5432/?Action=connect&DBUser=U&X-Amz-"))
    let cache = try SigV4.ConnectionToken.elastiCache(
      cache: "My-Cache", kind: .serverless, user: "U", region: "us-east-1",
      credentials: credentials, at: now)
    #expect(
      cache.text.hasPrefix("my-cache/?Action=connect&ResourceType=ServerlessCache&User=U&X-Amz-"))
  }

  func expectSteps(of url: SigV4.PresignedURL, _ vector: VectorRecord) throws {
    try expect("canonical request", url.canonicalRequest.text, is: vector.text("canonical-request"))
    try expect("string to sign", url.stringToSign.text, is: vector.text("string-to-sign"))
    try expect("signature", url.signature.hexString, is: vector.text("signature"))
  }
}

extension VectorRecord {
  /// The token that the record's function gives for its inputs.
  func connectionToken() throws -> SigV4.ConnectionToken {
    let (region, credentials, now) = try (text("region"), credentials(), timestamp())
    switch try text("function") {
    case "bedrock":
      return try .bedrock(
        region: region, credentials: credentials, expiresIn: .seconds(integer("expires")), at: now)
    case "rds":
      return try .rds(
        host: text("host"), port: integer("port"), user: text("user"), region: region,
        credentials: credentials, at: now)
    case "dsql":
      return try .dsql(
        host: text("host"), role: text("role") == "admin" ? .admin : .custom, region: region,
        credentials: credentials, expiresIn: .seconds(integer("lifetime")), at: now)
    case "elastiCache":
      return try .elastiCache(
        cache: text("cache"), kind: text("kind") == "serverless" ? .serverless : .nodeBased,
        user: text("user"), region: region, credentials: credentials, at: now)
    case "memoryDB":
      return try .memoryDB(
        cluster: text("cache"), user: text("user"), region: region, credentials: credentials,
        at: now)
    case "eks":
      return try .eks(
        cluster: text("cluster"), region: region, credentials: credentials, at: now)
    case "eks, global":
      return try .eks(cluster: text("cluster"), credentials: credentials, at: now)
    case "msk":
      return try .msk(
        region: region, userAgent: text("user-agent"), credentials: credentials, at: now)
    case let name: throw UnknownFunction(name: name)
    }
  }

  /// The URL that the record's function gives for its inputs.
  func webSocketURL() throws -> SigV4.PresignedURL {
    let (region, credentials, now) = try (text("region"), credentials(), timestamp())
    switch try text("function") {
    case "iot":
      return try SigV4.WebSocketURL.iot(
        host: text("host"), region: region, credentials: credentials, at: now)
    case "transcribe":
      let kinds: [String: SigV4.WebSocketURL.TranscribeStream] = [
        "general": .general, "medical": .medical, "callAnalytics": .callAnalytics,
      ]
      let port = try optionalText("port").flatMap { Int($0) } ?? 8_443
      return try SigV4.WebSocketURL.transcribe(
        .encoded(text("parameters")), as: #require(kinds[text("kind")]),
        host: optionalText("host"), port: port, region: region, credentials: credentials,
        expiresIn: .seconds(integer("lifetime")), at: now)
    case "kinesisVideo":
      return try SigV4.WebSocketURL.kinesisVideo(
        host: text("host"), channelARN: text("channel"), clientID: optionalText("client-id"),
        region: region, credentials: credentials, expiresIn: .seconds(integer("lifetime")), at: now)
    case let name: throw UnknownFunction(name: name)
    }
  }
}

/// A record names a function that no test calls.
struct UnknownFunction: Error {
  let name: String
}
