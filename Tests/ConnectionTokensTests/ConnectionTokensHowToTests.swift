// SPDX-License-Identifier: Apache-2.0
// The how-to page on connection tokens: its code compiles and works.

internal import SigningTestSupport
internal import ConnectionTokens
internal import RequestSigning
internal import Testing

/// The lines of the page are here, and a test compares the two.
@Suite("How-to: connection tokens")
struct ConnectionTokensHowToTests {
  let now: SigV4.Timestamp
  let credentials: SigV4.Credentials

  init() throws {
    now = try SigV4.Timestamp("20240102T030405Z")
    credentials = try Example.credentials()
  }

  @Test("The password of a database")
  func password() throws {
    let now = try SigV4.Timestamp("20240102T030405Z")  // or a Date, see below
    let database = try SigV4.ConnectionToken.rds(
      host: "db.123.us-east-1.rds.amazonaws.com", port: 5432, user: "app", region: "us-east-1",
      credentials: credentials, at: now)
    let password = database.text
    let end = database.expiration  // or earlier, with the credentials

    #expect(
      password.hasPrefix("db.123.us-east-1.rds.amazonaws.com:5432/?Action=connect&DBUser=app"))
    #expect(end.unixSeconds == now.unixSeconds + 900)
    #expect(database.presignedURL.canonicalRequest.text.hasPrefix("GET\n/\nAction=connect"))
  }

  @Test("The password of a database that's reached through a tunnel")
  func tunnel() throws {
    // ssh -N -L 6543:db.123.us-east-1.rds.amazonaws.com:5432 bastion
    let tunneled = try SigV4.ConnectionToken.rds(
      host: "db.123.us-east-1.rds.amazonaws.com", port: 5432, user: "app", region: "us-east-1",
      credentials: credentials, at: now)
    connect(to: "localhost", port: 6543, password: tunneled.text)
  }

  func connect(to host: String, port: Int, password: String) {
    #expect(password.hasPrefix("db.123.us-east-1.rds.amazonaws.com:5432/?"))
  }

  @Test("Databases and caches")
  func databasesAndCaches() throws {
    let admin = try SigV4.ConnectionToken.dsql(
      host: "abc.dsql.us-east-1.on.aws", role: .admin, region: "us-east-1",
      credentials: credentials, at: now)
    let role = try SigV4.ConnectionToken.dsql(
      host: "abc.dsql.us-east-1.on.aws", role: .custom, region: "us-east-1",
      credentials: credentials, expiresIn: .seconds(3_600), at: now)
    let cache = try SigV4.ConnectionToken.elastiCache(
      cache: "my-cache", kind: .serverless, user: "app", region: "us-east-1",
      credentials: credentials, at: now)
    let memory = try SigV4.ConnectionToken.memoryDB(
      cluster: "my-cluster", user: "app", region: "us-east-1", credentials: credentials, at: now)

    #expect(
      [admin, role, cache, memory].map { String($0.text.prefix { $0 != "&" }) } == [
        "abc.dsql.us-east-1.on.aws/?Action=DbConnectAdmin",
        "abc.dsql.us-east-1.on.aws/?Action=DbConnect", "my-cache/?Action=connect",
        "my-cluster/?Action=connect",
      ])
  }

  @Test("Kubernetes and Kafka")
  func clusters() throws {
    let kubernetes = try SigV4.ConnectionToken.eks(
      cluster: "my-cluster", region: "eu-central-1", credentials: credentials, at: now)
    let kafka = try SigV4.ConnectionToken.msk(
      region: "eu-central-1", userAgent: "orders/1.0", credentials: credentials, at: now)

    #expect(kubernetes.text.hasPrefix("k8s-aws-v1.aHR0cHM6Ly9zdHMu"))
    #expect(kafka.presignedURL.host == "kafka.eu-central-1.amazonaws.com")
  }

  @Test("Amazon Bedrock")
  func bedrock() throws {
    let key = try SigV4.ConnectionToken.bedrock(
      region: "us-west-2", credentials: credentials, expiresIn: .seconds(3_600), at: now)
    let authorization = "Bearer " + key.text

    #expect(authorization.hasPrefix("Bearer bedrock-api-key-YmVkcm9jay5hbWF6b25hd3Mu"))
    #expect(key.expiration.unixSeconds == now.unixSeconds + 3_600)
  }

  @Test("Proofs for others")
  func proofs() throws {
    let nonce = [UInt8](repeating: 1, count: 32)
    let serverNonce = nonce + [UInt8](repeating: 2, count: 32)
    let challenge = "nonce=0123456789abcdef0123456789abcdef".utf8
    let provider =
      "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q"
    let login = try SigV4.IdentityProof.vault(
      role: "app", serverID: "vault.example.com", credentials: credentials, at: now)
    let subjectToken = try SigV4.IdentityProof.google(
      audience: provider, region: "eu-west-1", credentials: credentials, at: now)
    let mongo = try SigV4.IdentityProof.mongoDB(
      clientNonce: nonce, serverNonce: serverNonce, host: "sts.eu-west-1.amazonaws.com",
      credentials: credentials, at: now)
    let cassandra = try SigV4.IdentityProof.keyspaces(
      challenge: challenge, region: "eu-west-1", credentials: credentials, at: now)

    #expect(login.text.hasPrefix(#"{"iam_http_request_method":"POST","iam_request_url":""#))
    #expect(login.canonicalRequest.signedHeaders.hasSuffix(";x-vault-aws-iam-server-id"))
    #expect(subjectToken.text.hasPrefix("%7B%22headers%22%3A%5B%7B%22key%22"))
    #expect(mongo.fields.map(\.name) == ["a", "d"])
    #expect(cassandra.text.hasPrefix("signature="))
    for proof in [login, subjectToken, mongo, cassandra] {
      #expect(proof.expiration.unixSeconds == now.unixSeconds + 900)
      #expect("\(proof)".contains("replayable until 20240102T031905Z"))
    }
  }

  @Test("AppSync")
  func appSync() throws {
    let opening = try SigV4.IdentityProof.appSyncConnection(
      to: .events, host: "abc.appsync-api.us-east-1.amazonaws.com", region: "us-east-1",
      credentials: credentials, at: now)
    let subprotocols = ["aws-appsync-event-ws", opening.text]
    let subscription = try SigV4.IdentityProof.appSyncMessage(
      #"{"channel":"/default/films"}"#, to: .events,
      host: "abc.appsync-api.us-east-1.amazonaws.com",
      region: "us-east-1", credentials: credentials, at: now)
    let message =
      #"{"type":"subscribe","id":"1","channel":"/default/films","authorization":\#(subscription.text)}"#

    #expect(subprotocols[1].hasPrefix("header-eyJob3N0Ijoi"))
    #expect(message.hasSuffix(#""}}"#))
    #expect(opening.expiration.unixSeconds == now.unixSeconds + 300)
  }

  @Test("SMTP passwords of Amazon SES")
  func smtp() throws {
    let smtp = try SigV4.SMTPPassword.ses(region: "eu-west-1", credentials: credentials)
    send(to: "email-smtp.eu-west-1.amazonaws.com", user: smtp.userName, password: smtp.text)
  }

  func send(to host: String, user: String, password: String) {
    #expect(user == Example.accessKeyID && password.utf8.count == 44)
  }

  @Test("WebSockets")
  func webSockets() throws {
    let channelARN = "arn:aws:kinesisvideo:us-west-2:123456789012:channel/demo/1700000000000"
    let mqtt = try SigV4.WebSocketURL.iot(
      host: "abc-ats.iot.us-east-1.amazonaws.com", region: "us-east-1", credentials: credentials,
      at: now)
    let stream = try SigV4.WebSocketURL.transcribe(
      ["language-code": "en-US", "media-encoding": "pcm", "sample-rate": "16000"],
      region: "us-east-1", credentials: credentials, at: now)
    let signaling = try SigV4.WebSocketURL.kinesisVideo(
      host: "v-1a2b3c4d.kinesisvideo.us-west-2.amazonaws.com", channelARN: channelARN,
      clientID: "viewer-1", region: "us-west-2", credentials: credentials, at: now)
    connect(to: [mqtt.url, stream.url, signaling.url])
  }

  @Test("Every line of code on the page is in this file, except the request to Bedrock")
  func page() throws {
    try HowToPage("connection-tokens.md").expectCode(in: #filePath, count: 40, skipping: [4])
  }

  func connect(to urls: [String]) {
    #expect(
      urls.map { String($0.prefix { $0 != "?" }) } == [
        "wss://abc-ats.iot.us-east-1.amazonaws.com/mqtt",
        "wss://transcribestreaming.us-east-1.amazonaws.com:8443/stream-transcription-websocket",
        "wss://v-1a2b3c4d.kinesisvideo.us-west-2.amazonaws.com/",
      ])
  }
}
