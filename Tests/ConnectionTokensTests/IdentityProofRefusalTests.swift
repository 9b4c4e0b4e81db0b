// SPDX-License-Identifier: Apache-2.0
// Proofs and passwords: inputs that are rejected, expirations, and descriptions without secrets.

internal import SigningTestSupport
internal import ConnectionTokens
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("Identity proofs: rejected inputs")
struct IdentityProofRefusalTests {
  /// MongoDB, "Authentication" specification, MONGODB-AWS: the server's nonce is 64 bytes, and begins
  /// with the client's 32. Otherwise a driver must end the connection.
  @Test("A server's nonce that doesn't contain the client's is rejected")
  func nonces() {
    let nonce = [UInt8](repeating: 1, count: 32)
    let other = [UInt8](repeating: 2, count: 32)
    for (client, server) in [
      (nonce, nonce), (nonce, nonce + nonce + [1]), (nonce, other + nonce), ([], other + nonce),
      (nonce + [2], nonce + other), (Array(nonce.dropLast()), nonce + other),
    ] {
      expectRefusal(.invalidNonce, showing: "\(server.count)") {
        try mongoDB(clientNonce: client, serverNonce: server)
      }
    }
    #expect(throws: Never.self) { try mongoDB(clientNonce: nonce, serverNonce: nonce + other) }
  }

  /// MongoDB, "Authentication" specification, MONGODB-AWS, "Region Calculation": 1 to 255 characters, and
  /// no empty label.
  @Test("A host that isn't one of AWS STS is rejected")
  func hosts() {
    let long = String(repeating: "a.", count: 127) + "ab"
    for host in ["", ".", "a..b", ".a.b", "a.b.", long] {
      expectRefusal(.invalidHost, showing: String(host.prefix(60))) {
        try mongoDB(host: host)
      }
      expectRefusal(.invalidHost, showing: String(host.prefix(60))) { try vault(host: host) }
    }
    for host in ["https://sts.amazonaws.com", "sts.amazonaws.com/", "a@b.c", "sts.a.b:443"] {
      expectRefusal(.invalidHost) { try mongoDB(host: host) }
      expectRefusal(.invalidHost) { try vault(host: host) }
    }
    for host in ["me:hush@sts.amazonaws.com.", "me:hush@a.sts.us-east-1.vpce.amazonaws.com"] {
      expectRefusal(.invalidHost, hiding: ["hush"]) { try mongoDB(host: host) }
      expectRefusal(.invalidHost, hiding: ["hush"]) { try vault(host: host) }
    }
    expectRefusal(.invalidHost, showing: "a b") { try vault(host: "sts.a b.example") }
    #expect(throws: Never.self) { try mongoDB(host: String(long.dropLast())) }
  }

  @Test("A challenge without a nonce of 32 characters is rejected")
  func challenges() {
    let digits = "0123456789abcdef0123456789abcdef"
    for challenge in ["", digits, "nonce=", "nonce=" + digits.dropLast(), "Nonce=" + digits] {
      expectRefusal(.invalidNonce, showing: challenge) { try keyspaces(challenge) }
    }
  }

  /// MongoDB, "Authentication" specification, MONGODB-AWS, "Region Calculation"; RFC 4343 for letter case.
  @Test("The region is the host's, in upper or lower case, or the one that's passed for Vault")
  func regions() throws {
    for (host, region) in [
      ("STS.amazonaws.com", "us-east-1"), ("sts.EU-WEST-1.amazonaws.com", "eu-west-1"),
    ] {
      #expect(try vault(host: host).credentialScope.region == region)
      #expect(try mongoDB(host: host).credentialScope.region == region)
    }
    let host = "vpce-0.sts.us-east-1.vpce.amazonaws.com"
    #expect(try vault(host: host, region: "us-east-1").credentialScope.region == "us-east-1")
    expectRefusal(.invalidRegion, showing: "a/b") { try vault(host: host, region: "a/b") }
    // AWS PrivateLink Guide, "Access AWS services through AWS PrivateLink": names of endpoints.
    for host in [
      host, "VPCE-0.STS.US-EAST-1.VPCE.AMAZONAWS.COM",
      "vpce-0-us-east-1a.sts.us-east-1.vpce.amazonaws.com",
      "vpce-0.sts.cn-north-1.vpce.amazonaws.com.cn",
    ] {
      expectRefusal(.invalidRegion, showing: host) { try vault(host: host) }
    }
  }

  @Test("A server ID that no header can contain is rejected")
  func serverIDs() {
    expectRefusal(.invalidHeaderValue) { try vault(serverID: "a\nb") }
    expectRefusal(.nonASCIIHeader) { try vault(serverID: "\u{E9}") }
    expectRefusal(.nonASCIIHeader) { try vault(serverID: "é") }
  }

  @Test("An audience is the full name of a provider")
  func audiences() {
    for audience in [
      "", "providers/q", "//sts.googleapis.com/projects/1", "http://iam.googleapis.com/projects/1",
      "//iam.googleapis.com/a b", "//iam.googleapis.com/é", "https:https://iam.googleapis.com/",
    ] {
      expectRefusal(.invalidResourceName, showing: audience) { try google(audience) }
    }
    expectRefusal(.invalidRegion, showing: "a.b") { try google(region: "a.b") }
  }

  @Test("AppSync's host is the one for HTTP")
  func realtimeHosts() {
    let host = "abc.appsync-realtime-api.us-east-1.amazonaws.com"
    expectRefusal(.invalidHost, showing: host) { try appSync(host: host) }
    expectRefusal(.invalidHost) { try appSync(host: "wss://a.example.com/event") }
    expectRefusal(.invalidHost, showing: host) {
      try SigV4.IdentityProof.appSyncMessage(
        "{}", to: .graphQL, host: host, region: "us-east-1", credentials: credentials(), at: now())
    }
  }

  @Test("The body of an AppSync message is a JSON object")
  func bodies() throws {
    for (body, count) in [("", 0), (" ", 1), ("null", 4), ("[{}]", 4), (#""{}""#, 4)] {
      expectRefusal(.invalidPayload, showing: "(\(count) bytes, not shown)") { try message(body) }
    }
    for body in ["{}", " \n\t{}"] { #expect(throws: Never.self) { try message(body) } }
  }

  func message(_ body: String) throws -> SigV4.IdentityProof {
    try .appSyncMessage(
      body, to: .events, host: "a.example.com", region: "us-east-1", credentials: credentials(),
      at: now())
  }

  @Test("Temporary credentials have no SMTP password")
  func temporary() {
    expectRefusal(.invalidSessionToken) {
      try SigV4.SMTPPassword.ses(region: "us-east-1", credentials: credentials())
    }
    expectRefusal(.invalidRegion, showing: "a/b") {
      try SigV4.SMTPPassword.ses(region: "a/b", credentials: Example.credentials())
    }
  }

  @Test("A proof ends with the credentials, and isn't created afterward")
  func endOfCredentials() throws {
    let end = try now().advanced(bySeconds: 30)
    let proofs: [(SigV4.Credentials, SigV4.Timestamp) throws -> SigV4.IdentityProof] = [
      { try .vault(credentials: $0, at: $1) },
      { try .keyspaces(challenge: challenge.utf8, region: "us-east-1", credentials: $0, at: $1) },
      {
        try .appSyncConnection(
          to: .events, host: "a.example.com", region: "us-east-1", credentials: $0, at: $1)
      },
      { try .google(audience: provider, region: "us-east-1", credentials: $0, at: $1) },
      {
        try .mongoDB(
          clientNonce: nonce, serverNonce: nonce + nonce, host: "a", credentials: $0, at: $1)
      },
    ]
    let credentials = try Example.credentials(sessionToken: Example.token, expiration: end)
    for create in proofs {
      #expect(try create(credentials, now()).expiration == end)
      expectRefusal(.credentialsExpired) { try create(credentials, end) }
    }
  }

  @Test("Descriptions show the host and the end, not the proof")
  func descriptions() throws {
    let proof = try vault()
    let description =
      "IdentityProof(sts.amazonaws.com, 20240102/us-east-1/sts/aws4_request, "
      + "replayable until 20240102T031905Z)"
    #expect("\(proof)" == description)
    let password = try SigV4.SMTPPassword.ses(
      region: "us-east-1", credentials: Example.credentials())
    #expect("\(password)" == "SMTPPassword(AKIDEXAMPLE, us-east-1)")
    for text in [dumped(proof), dumped(password)] {
      #expect(!text.contains(proof.text) && !text.contains(password.text))
      #expect(!text.contains(Example.token))
    }
  }

  func dumped(_ value: some Any) -> String {
    var text = ""
    dump(value, to: &text)
    return text
  }

  let nonce = [UInt8](repeating: 1, count: 32)
  let challenge = "nonce=0123456789abcdef0123456789abcdef"
  let provider = "//iam.googleapis.com/projects/1"

  func now() throws -> SigV4.Timestamp { try SigV4.Timestamp("20240102T030405Z") }

  func credentials() throws -> SigV4.Credentials {
    try Example.credentials(sessionToken: Example.token)
  }

  func mongoDB(
    clientNonce: [UInt8]? = nil, serverNonce: [UInt8]? = nil, host: String = "sts.amazonaws.com"
  ) throws -> SigV4.IdentityProof {
    try .mongoDB(
      clientNonce: clientNonce ?? nonce, serverNonce: serverNonce ?? nonce + nonce, host: host,
      credentials: credentials(), at: now())
  }

  func vault(
    serverID: String? = nil, host: String = "sts.amazonaws.com", region: String? = nil
  ) throws -> SigV4.IdentityProof {
    try .vault(
      serverID: serverID, host: host, region: region, credentials: credentials(), at: now())
  }

  func keyspaces(_ challenge: String) throws -> SigV4.IdentityProof {
    try .keyspaces(
      challenge: challenge.utf8, region: "us-east-1", credentials: credentials(), at: now())
  }

  func google(
    _ audience: String = "//iam.googleapis.com/projects/1", region: String = "us-east-1"
  ) throws -> SigV4.IdentityProof {
    try .google(audience: audience, region: region, credentials: credentials(), at: now())
  }

  func appSync(host: String) throws -> SigV4.IdentityProof {
    try .appSyncConnection(
      to: .events, host: host, region: "us-east-1", credentials: credentials(), at: now())
  }
}
