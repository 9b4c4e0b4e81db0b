// SPDX-License-Identifier: Apache-2.0
// Identity pools of Cognito: guests, logins, developers' identities, and identities that are gone.

internal import CredentialProviders
internal import RequestSigning
internal import Testing

@Suite("The identity pools of Cognito")
struct CognitoProviderTests {
  static let pool = ProviderExamples.pool
  static let other = "us-east-1:00000000-0000-0000-0000-000000000000"
  static let identity = RecordedServices.Answer.text(200, ProviderExamples.cognitoIdentity())
  static let credentials = RecordedServices.Answer.text(200, ProviderExamples.cognito())
  static let logins = CognitoProvider.Visitor.logins {
    () async throws(CredentialError) in
    [CognitoLogin(provider: "slack.com", token: Secret.login)]
  }

  /// Amazon Cognito Federated Identities API Reference, Common Error Types, as it answers in JSON.
  static func refusal(_ code: String, _ message: String = "no") -> RecordedServices.Answer {
    .text(400, "{\"__type\":\"\(code)\",\"message\":\"\(message)\"}")
  }

  static func provider(
    _ services: RecordedServices, _ visitor: CognitoProvider.Visitor = .guest,
    store: CognitoIdentityStore = .memory()
  ) throws -> CognitoProvider {
    CognitoProvider(
      pool: try CognitoIdentityPool(pool), visitor: visitor, identities: store,
      sources: services.sources)
  }

  static func operations(_ services: RecordedServices) -> [String] {
    services.requests.map { $0.headers[0].value.replacing("AWSCognitoIdentityService.", with: "") }
  }

  @Test("A guest gets an identity and credentials, and stays the same guest")
  func guest() async throws {
    let services = try RecordedServices(Self.identity, Self.credentials, Self.credentials)
    let store = CognitoIdentityStore.memory()
    let first = try await Self.provider(services, store: store).credentials()
    try ProviderExamples.expectCredentials(first)
    #expect(first.source == "the Cognito identity pool \(Self.pool) (a guest)")
    #expect(try await store.identityID(inPool: Self.pool) == ProviderExamples.identity)
    _ = try await Self.provider(services, store: store).credentials()
    #expect(
      Self.operations(services) == [
        "GetId", "GetCredentialsForIdentity", "GetCredentialsForIdentity",
      ])
  }

  @Test("Logins are requested each time, sent with both requests, and named in the source")
  func withLogins() async throws {
    let services = try RecordedServices(Self.identity, Self.credentials)
    let provided = try await Self.provider(services, Self.logins).credentials()
    #expect(provided.source == "the Cognito identity pool \(Self.pool) (\"slack.com\")")
    for request in services.requests {
      #expect(
        String(decoding: request.body, as: UTF8.self)
          .hasSuffix("\"Logins\":{\"slack.com\":\"\(Secret.login)\"}}"))
    }
  }

  @Test("A developer-authenticated identity needs no GetId, and isn't cached")
  func developer() async throws {
    let services = try RecordedServices(Self.credentials)
    let store = CognitoIdentityStore.memory()
    let visitor = CognitoProvider.Visitor.developer { () async throws(CredentialError) in
      (identityID: Self.other, token: Secret.login)
    }
    _ = try await Self.provider(services, visitor, store: store).credentials()
    let expected =
      "{\"IdentityId\":\"\(Self.other)\",\"Logins\":{\"cognito-identity.amazonaws.com\":"
      + "\"\(Secret.login)\"}}"
    #expect(services.requests.map { String(decoding: $0.body, as: UTF8.self) } == [expected])
    #expect(try await store.identityID(inPool: Self.pool) == nil)
  }

  @Test("A cached guest that Cognito no longer recognizes becomes a new one, once")
  func forgotten() async throws {
    for code in ["NotAuthorizedException", "ResourceNotFoundException"] {
      let store = CognitoIdentityStore.memory([Self.pool: Self.other])
      let services = try RecordedServices(Self.refusal(code), Self.identity, Self.credentials)
      _ = try await Self.provider(services, store: store).credentials()
      #expect(try await store.identityID(inPool: Self.pool) == ProviderExamples.identity)

      let again = try RecordedServices(Self.refusal(code), Self.identity, Self.refusal(code))
      let stubborn = CognitoIdentityStore.memory([Self.pool: Self.other])
      #expect(await failure(of: try Self.provider(again, store: stubborn)).code == .accessDenied)
      #expect(again.requests.count == 3)
    }
  }

  @Test("A rejected login keeps the identity, but a deleted identity is discarded")
  func refusedLogin() async throws {
    let store = CognitoIdentityStore.memory([Self.pool: Self.other])
    let refused = try RecordedServices(Self.refusal("NotAuthorizedException", "Token expired"))
    let error = await failure(of: try Self.provider(refused, Self.logins, store: store))
    #expect(error.code == .accessDenied)
    #expect(error.message.contains("400, \"NotAuthorizedException\": \"Token expired\""))
    #expect(try await store.identityID(inPool: Self.pool) == Self.other)

    let gone = try RecordedServices(
      Self.refusal("ResourceNotFoundException"), Self.identity, Self.credentials)
    _ = try await Self.provider(gone, Self.logins, store: store).credentials()
    #expect(try await store.identityID(inPool: Self.pool) == ProviderExamples.identity)
  }

  @Test("A guest that the pool no longer allows is kept, in case it does again")
  func guestsSwitchedOff() async throws {
    let store = CognitoIdentityStore.memory([Self.pool: Self.other])
    let refusal = Self.refusal("NotAuthorizedException", "Unauthenticated access is not supported")
    let services = try RecordedServices(refusal, refusal)
    let error = await failure(of: try Self.provider(services, store: store))
    #expect(error.message.contains("Check whether the pool allows guests"))
    #expect(Self.operations(services) == ["GetCredentialsForIdentity", "GetId"])
    #expect(try await store.identityID(inPool: Self.pool) == Self.other)
  }

  @Test("A different error doesn't change the guest")
  func otherRefusal() async throws {
    let store = CognitoIdentityStore.memory([Self.pool: Self.other])
    let services = try RecordedServices(Self.refusal("InvalidIdentityPoolConfigurationException"))
    let error = await failure(of: try Self.provider(services, store: store))
    #expect(error.message.contains("trust policies"))
    #expect(try await store.identityID(inPool: Self.pool) == Self.other)
  }

  @Test("A guest that Cognito merges with a user is kept as that user")
  func merged() async throws {
    let store = CognitoIdentityStore.memory([Self.pool: Self.other])
    let services = try RecordedServices(Self.credentials)
    _ = try await Self.provider(services, Self.logins, store: store).credentials()
    #expect(try await store.identityID(inPool: Self.pool) == ProviderExamples.identity)
  }

  @Test("Signing out forgets the identity")
  func signOut() async throws {
    let store = CognitoIdentityStore.memory([Self.pool: Self.other, Self.other: "kept"])
    let services = try RecordedServices(Self.identity, Self.credentials)
    let provider = try Self.provider(services, store: store)
    try await provider.signOut()
    #expect(try await store.identityID(inPool: Self.pool) == nil)
    #expect(try await store.identityID(inPool: Self.other) == "kept")
    _ = try await provider.credentials()
    #expect(Self.operations(services) == ["GetId", "GetCredentialsForIdentity"])
  }

  @Test("A file stores the identity of its pool, and a damaged file is ignored")
  func fileStore() async throws {
    let services = try RecordedServices()
    let store = CognitoIdentityStore.file("/identity", sources: services.sources)
    #expect(try await store.identityID(inPool: Self.pool) == nil)
    try await store.keep(Self.other, inPool: Self.pool)
    #expect(
      services.text(ofFile: "/identity")
        == "{\"poolId\":\"\(Self.pool)\",\"identityId\":\"\(Self.other)\"}")
    #expect(try await store.identityID(inPool: Self.pool) == Self.other)
    #expect(try await store.identityID(inPool: Self.other) == nil)
    try await store.keep(nil, inPool: Self.pool)
    #expect(try await store.identityID(inPool: Self.pool) == nil)
    services.write("{\"poolId\":\"\(Self.pool)\",\"identityId\":\"a\\nb\"}", toFile: "/identity")
    #expect(try await store.identityID(inPool: Self.pool) == nil)
  }

  @Test("The end is a number of seconds, however it's written")
  func expiration() async throws {
    for number in [
      "1704186245", "1704186245.0", "1704186245.999", "1.704186245E9", "170418624.5e1",
    ] {
      let services = try RecordedServices(
        Self.identity, .text(200, ProviderExamples.cognito(expiration: number)))
      try ProviderExamples.expectCredentials(try await Self.provider(services).credentials())
    }
  }

  @Test("An incomplete response is rejected")
  func broken() async throws {
    for (answer, code) in [
      ("", CredentialError.Code.invalidResponse), ("{}", .invalidResponse), ("{", .invalidResponse),
      (ProviderExamples.cognito(expiration: "\"1704186245\""), .invalidResponse),
      (ProviderExamples.cognito(expiration: "1e400"), .invalidResponse),
      (ProviderExamples.cognito(expiration: "-1e300"), .invalidResponse),
      (ProviderExamples.cognito(expiration: "1704164645"), .expired),
      (ProviderExamples.cognito().replacing("SecretKey", with: "Other"), .invalidResponse),
      (ProviderExamples.cognito(identity: "no identity"), .invalidResponse),
    ] as [(String, CredentialError.Code)] {
      let services = try RecordedServices(Self.identity, .text(200, answer))
      #expect(await failure(of: try Self.provider(services)).code == code, "\(answer)")
    }
  }

  @Test("Throttling and status 500 are retried, and a redirect isn't followed")
  func patience() async throws {
    let services = try RecordedServices(
      Self.refusal("TooManyRequestsException"), .text(500, ""), Self.identity,
      .failure(.timedOut), Self.credentials)
    try ProviderExamples.expectCredentials(try await Self.provider(services).credentials())
    let redirected = try RecordedServices(.redirect)
    #expect(await failure(of: try Self.provider(redirected)).code == .accessDenied)
    for answer in ["", "{}", "[1]", "{\"IdentityId\":\"nothing\"}"] {
      let wrong = try RecordedServices(.text(200, answer))
      #expect(await failure(of: try Self.provider(wrong)).code == .invalidResponse)
    }
  }

  /// botocore 1.43.11 asks for GetId at these URLs.
  @Test(
    "The path of an endpoint is unchanged",
    arguments: [
      ("https://h.example", "https://h.example/"), ("https://h.example/", "https://h.example/"),
      ("https://h.example/a", "https://h.example/a"),
      ("https://h.example/a/", "https://h.example/a/"),
      ("https://h.example/a//", "https://h.example/a//"),
    ])
  func endpoints(endpoint: String, url: String) throws {
    #expect(
      try CognitoIdentityPool(Self.pool, endpoint: endpoint).identityRequest().url == url)
  }

  @Test("A string that isn't a pool ID is rejected")
  func pools() {
    for id in ["", "pool", "us-east-1", ":a", "us-east-1:", "us/east:a", "us-east-1:a:b", "r:a b"] {
      #expect(throws: CredentialError.self) { try CognitoIdentityPool(id) }
    }
    // Cognito's own IDs have at most 55 bytes (API Reference, GetId), and the limit is 128.
    let longest = "us-east-1:" + String(repeating: "a", count: 118)
    #expect(throws: Never.self) { try CognitoIdentityPool(longest) }
    #expect(throws: CredentialError.self) { try CognitoIdentityPool(longest + "a") }
    #expect(throws: CredentialError.self) {
      try CognitoIdentityPool(Self.pool, endpoint: "http://example.com")
    }
  }

  @Test("Logins don't print their tokens")
  func printed() {
    let login = CognitoLogin(provider: "slack.com", token: Secret.login)
    var dumped = ""
    dump([login], to: &dumped)
    expectNoSecret(in: "\(login) \(dumped)")
    #expect(CognitoLogin.developer(token: "t").provider == "cognito-identity.amazonaws.com")
  }
}
