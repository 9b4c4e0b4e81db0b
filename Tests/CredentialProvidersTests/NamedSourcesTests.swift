// SPDX-License-Identifier: Apache-2.0
// Sources of credentials by name, with sources of a test's own.

internal import CredentialProviders
internal import RequestSigning
internal import TestSupport
internal import Testing

/// Responses and credentials are those of AWS's documentation (`ProviderExamples`).
@Suite("Named sources")
struct NamedSourcesTests {
  private typealias Examples = ProviderExamples
  private typealias Provider = SigV4.CredentialProvider

  private struct Name: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var answers: [RecordedServices.Answer] = []
    var variables: [String: String] = [:]
    var files: [String: String] = [:]
    /// The first request.
    var target: String?
    let make: @Sendable (CredentialSources) throws -> Provider
  }

  private static let temporary = [
    "AWS_ACCESS_KEY_ID": "ASIAIOSFODNN7EXAMPLE", "AWS_SECRET_ACCESS_KEY": Secret.key,
    "AWS_SESSION_TOKEN": Secret.sessionToken, "AWS_CREDENTIAL_EXPIRATION": "2024-01-02T09:04:05Z",
    "AWS_REGION": "eu-west-1",
  ]

  private static func names() throws -> [Name] {
    try machine() + roles() + signIns()
  }

  private static func machine() -> [Name] {
    let json = """
      {"Version": 1, "AccessKeyId": "ASIAIOSFODNN7EXAMPLE", "SecretAccessKey": "\(Secret.key)",
       "SessionToken": "\(Secret.sessionToken)", "Expiration": "2024-01-02T09:04:05Z"}
      """
    let printing: @Sendable (CredentialSources) -> CredentialSources = { given in
      var sources = given
      sources.run = { $0 == ["keys", "a b"] ? Array(json.utf8) : [] }
      return sources
    }
    let container = Name(
      testDescription: "container", answers: [.text(200, Examples.container())],
      variables: ["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/a"],
      target: "GET http://169.254.170.2/a"
    ) { .container(sources: $0) }
    return [
      Name(testDescription: "environment", variables: temporary) { .environment(sources: $0) },
      Name(testDescription: "default", variables: temporary) { .default(sources: $0) },
      container,
      Name(
        testDescription: "profile",
        answers: container.answers + [.text(200, Examples.securityToken())],
        variables: ["HOME": "/h"].merging(container.variables) { $1 },
        files: [
          "/h/.aws/config": """
          [profile work]
          role_arn = \(Examples.role)
          credential_source = EcsContainer
          """
        ], target: container.target
      ) { .profile("work", sources: $0) },
      Name(
        testDescription: "chain", answers: container.answers, variables: container.variables,
        target: container.target
      ) { .chain([.environment(sources: $0), .container(sources: $0)], sources: $0) },
      Name(
        testDescription: "instanceMetadata",
        answers: [
          InstanceMetadataTests.token(), .text(200, "reader"), InstanceMetadataTests.credentials,
        ], target: InstanceMetadataTests.tokenTarget
      ) { .instanceMetadata(sources: $0) },
      Name(testDescription: "process, a line") {
        try .process("keys 'a b'", sources: printing($0))
      },
      Name(testDescription: "process, words") {
        .process(["keys", "a b"], sources: printing($0))
      },
      Name(testDescription: "refreshing") { sources in
        let end = try SigV4.Timestamp("20240102T090405Z")
        return .refreshing(sources: sources) {
          try SigV4.Credentials(
            accessKeyID: "ASIAIOSFODNN7EXAMPLE", secretAccessKey: Secret.key,
            sessionToken: Secret.sessionToken, expiration: end)
        }
      },
    ]
  }

  private static func roles() throws -> [Name] {
    let role = RecordedServices.Answer.text(200, Examples.securityToken())
    let webIdentity = RecordedServices.Answer.text(
      200, Examples.securityToken("AssumeRoleWithWebIdentity"))
    let caller = try SigV4.Credentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: "secret")
    let sts = "POST https://sts.eu-west-1.amazonaws.com/"
    let vector = try RolesAnywhereTests.first()
    let (anchor, profile) = (try vector.text("trust-anchor"), try vector.text("profile"))
    let (certificate, arn) = (try RolesAnywhereTests.certificate(vector), try vector.text("role"))
    return [
      Name(
        testDescription: "assumeRole, with the default", answers: [role], variables: temporary,
        target: sts
      ) { try .assumeRole(Examples.role, sources: $0) },
      Name(
        testDescription: "assumeRole, in the environment's region", answers: [role],
        variables: ["AWS_REGION": "eu-west-1"], target: sts
      ) { try .assumeRole(Examples.role, using: caller, sources: $0) },
      Name(
        testDescription: "assumeRole, with settings", answers: [role],
        target: "POST https://sts.us-west-2.amazonaws.com/"
      ) {
        var settings = ServiceSettings()
        settings.region = "us-west-2"
        return try .assumeRole(Examples.role, using: caller, settings: settings, sources: $0)
      },
      Name(
        testDescription: "webIdentity, of the environment", answers: [webIdentity],
        variables: [
          "AWS_WEB_IDENTITY_TOKEN_FILE": "/t", "AWS_ROLE_ARN": Examples.role,
          "AWS_REGION": "eu-west-1",
        ], files: ["/t": Secret.webIdentity], target: sts
      ) { .webIdentity(sources: $0) },
      Name(
        testDescription: "webIdentity", answers: [webIdentity],
        variables: ["AWS_REGION": "eu-west-1"], files: ["/t": Secret.webIdentity], target: sts
      ) { try .webIdentity(Examples.role, tokenFile: "/t", sources: $0) },
      Name(
        testDescription: "rolesAnywhere", answers: [.text(201, RolesAnywhereTests.session())],
        target: "POST https://rolesanywhere.us-east-1.amazonaws.com/sessions"
      ) {
        try .rolesAnywhere(
          certificate, trustAnchorARN: anchor, profileARN: profile, roleARN: arn, sources: $0)
      },
    ]
  }

  private static func signIns() throws -> [Name] {
    let (pool, target) = (Examples.pool, "POST https://cognito-identity.us-east-1.amazonaws.com/")
    let both = [CognitoProviderTests.identity, CognitoProviderTests.credentials]
    return [
      Name(testDescription: "cognito, a guest", answers: both, target: target) {
        try .cognito(identityPoolID: pool, identities: .memory(), sources: $0)
      },
      Name(testDescription: "cognito, a user", answers: both, target: target) {
        try .cognito(
          identityPoolID: pool, logins: { ["slack.com": Secret.login] }, sources: $0)
      },
      Name(
        testDescription: "cognito, a server", answers: [CognitoProviderTests.credentials],
        target: target
      ) {
        try .cognito(
          identityPoolID: pool, developer: { (Examples.identity, Secret.login) }, sources: $0)
      },
      Name(
        testDescription: "sso", answers: [SSOProviderTests.credentials],
        variables: ["HOME": "/home/user"], files: [Examples.sessionFile: Examples.signIn()],
        target: "GET https://portal.sso.eu-west-1.amazonaws.com/federation/credentials"
          + "?role_name=Reader&account_id=123456789012"
      ) {
        try .sso(
          startURL: "https://example.awsapps.com/start", session: "my-sso", region: "eu-west-1",
          accountID: "123456789012", roleName: "Reader", sources: $0)
      },
    ]
  }

  @Test("Each name returns the credentials of its source, and caches them")
  func credentials() async throws {
    for name in try Self.names() {
      let services = try RecordedServices(variables: name.variables, files: name.files)
      for answer in name.answers { services.add(answer) }
      let provider = try name.make(services.sources)
      let resolved = try await provider.credentials()
      try Examples.expectCredentials(resolved)
      #expect(services.targets.first == name.target, "\(name.testDescription)")
      let count = services.requests.count
      #expect(try await provider.credentials() == resolved)
      #expect(services.requests.count == count)
    }
  }

  @Test("A sign-in of aws login")
  func login() async throws {
    let services = try RecordedServices(
      variables: ["HOME": "/home/user"],
      files: LoginProviderTests.file(until: "2024-01-02T03:14:05Z"))
    let resolved = try await Provider.login(
      session: LoginProviderTests.session, sources: services.sources
    ).credentials()
    #expect(resolved.credentials.expiration?.text == "20240102T031405Z")
    #expect(resolved.source.contains(LoginProviderTests.session))
  }

  @Test("An instance's region")
  func region() async throws {
    let services = try RecordedServices(
      InstanceMetadataTests.token(), .text(200, "eu-central-1"))
    #expect(try await services.sources.instanceRegion() == "eu-central-1")
  }

  @Test("A provider of a provider has its source, and its own policy and cache")
  func otherPolicy() async throws {
    let services = try RecordedServices(
      .text(200, Examples.container()), .text(200, Examples.container()),
      variables: ["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/a"])
    let (sources, provider) = (services.sources, Provider.container(sources: services.sources))
    let patient = Provider(
      .container(sources: sources), policy: .init(timeout: .seconds(600)), now: sources.now)
    let other = Provider(provider, now: sources.now)
    _ = try await provider.credentials()
    _ = try await other.credentials()
    #expect(services.requests.count == 2)
    services.add(.text(200, Examples.container()))
    try Examples.expectCredentials(try await patient.credentials())
  }

  @Test(
    "A user who signs out leaves no identity and no credentials, and the next guest is a new one")
  func signOut() async throws {
    let store = CognitoIdentityStore.memory()
    let services = try RecordedServices(
      CognitoProviderTests.identity, CognitoProviderTests.credentials,
      .text(200, Examples.cognitoIdentity(CognitoProviderTests.other)),
      .text(200, Examples.cognito(identity: CognitoProviderTests.other)))
    let guest = try Provider.cognito(
      identityPoolID: Examples.pool, identities: store, sources: services.sources)
    _ = try await guest.credentials()
    #expect(try await store.identityID(inPool: Examples.pool) == Examples.identity)
    try await guest.signOut()
    #expect(try await store.identityID(inPool: Examples.pool) == nil)
    _ = try await guest.credentials()
    #expect(try await store.identityID(inPool: Examples.pool) == CognitoProviderTests.other)
  }
}
