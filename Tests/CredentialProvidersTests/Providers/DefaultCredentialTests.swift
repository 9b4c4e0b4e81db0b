// SPDX-License-Identifier: Apache-2.0
// The sources that are tried if none is named, and the requests that a profile causes.

internal import CredentialProviders
internal import RequestSigning
internal import Testing

/// Source of the order: botocore 1.43.11, `[p.METHOD for p in resolver.providers]`: env, assume-role,
/// assume-role-with-web-identity, sso, shared-credentials-file, login, custom-process, config-file,
/// ec2-credentials-file, boto-config, container-role, iam-role.
@Suite("Default credentials")
struct DefaultCredentialTests {
  static let keysInEnvironment = [
    "AWS_ACCESS_KEY_ID": "AKIDENVIRONMENT", "AWS_SECRET_ACCESS_KEY": "secretive",
  ]
  static let webIdentity = [
    "AWS_WEB_IDENTITY_TOKEN_FILE": "/token", "AWS_ROLE_ARN": ProviderExamples.role,
  ]
  static let container = ["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/creds"]
  static let keys = "aws_access_key_id = AKIDFILE\naws_secret_access_key = secretive\n"
  static let role = "role_arn = \(ProviderExamples.role)\ncredential_source = EcsContainer\n"

  static func services(
    _ answers: [RecordedServices.Answer], _ variables: [String: String], config: String = ""
  ) throws -> RecordedServices {
    let home = ["HOME": "/home/user"]
    let services = try RecordedServices(
      variables: variables.merging(home) { given, _ in given },
      files: ["/home/user/.aws/config": config, "/token": "tokenlike"])
    for answer in answers { services.add(answer) }
    return services
  }

  static let security = RecordedServices.Answer.text(200, ProviderExamples.securityToken())
  static let identity = RecordedServices.Answer.text(
    200, ProviderExamples.securityToken("AssumeRoleWithWebIdentity"))
  static let task = RecordedServices.Answer.text(200, ProviderExamples.container())

  @Test("The environment comes before everything else, and no service is called")
  func environment() async throws {
    let everything = Self.keysInEnvironment.merging(Self.webIdentity) { given, _ in given }
      .merging(Self.container) { given, _ in given }
    let services = try Self.services([], everything, config: "[default]\n" + Self.role)
    let found = try await DefaultCredentialProvider(sources: services.sources).credentials()
    #expect("\(found)" == "AKIDENVIRONMENT from environment variables")
  }

  @Test("A role of the profile comes before a web identity of the environment")
  func roleBeforeWebIdentity() async throws {
    let variables = Self.webIdentity.merging(Self.container) { given, _ in given }
    let services = try Self.services(
      [Self.task, Self.security], variables, config: "[default]\n" + Self.role)
    let found = try await DefaultCredentialProvider(sources: services.sources).credentials()
    try ProviderExamples.expectCredentials(found)
    #expect(
      services.targets == ["GET http://169.254.170.2/creds", "POST https://sts.amazonaws.com/"])
  }

  @Test("A web identity of the environment comes before the keys of the profile")
  func webIdentityBeforeKeys() async throws {
    let services = try Self.services(
      [Self.identity], Self.webIdentity, config: "[default]\n" + Self.keys)
    let found = try await DefaultCredentialProvider(sources: services.sources).credentials()
    try ProviderExamples.expectCredentials(found)
    #expect(services.targets == ["POST https://sts.amazonaws.com/"])
  }

  // botocore 1.43.11 finds the web identity with each of these, and looks at the setting afterwards.
  @Test(
    "Other mistakes in the profile don't keep a web identity from being found",
    arguments: [
      "login_session = arn:aws:iam::1:user/x", "aws_access_key_id = AKIDFILE",
      "credential_process = tool 'a", "sso_account_id = 1", "web_identity_token_file = /other",
    ])
  func webIdentityBeforeFaults(setting: String) async throws {
    let services = try Self.services(
      [Self.identity], Self.webIdentity, config: "[default]\n\(setting)\n")
    try ProviderExamples.expectCredentials(
      await DefaultCredentialProvider(sources: services.sources).credentials())
    #expect(services.targets == ["POST https://sts.amazonaws.com/"])
  }

  @Test("An unresponsive metadata service counts as absent, and the error names every source")
  func blackHole() async throws {
    let services = try Self.services([.failure(.timedOut)], [:])
    let error = await #expect(throws: CredentialError.self) {
      try await DefaultCredentialProvider(sources: services.sources).credentials()
    }
    #expect(error?.code == .notConfigured)
    #expect(error?.message.contains("Environment variables: ") == true)
  }

  // Python's os.path.expanduser, which botocore uses: without HOME, the user database.
  @Test("Without HOME, files are in the system's home folder")
  func homeFolder() throws {
    let services = try RecordedServices(
      files: ["/home/database/.aws/config": "[profile a]\n" + Self.keys])
    var sources = services.sources
    sources.homeFolder = { "/home/database/" }
    #expect(try ProfileFiles(sources: sources).profileNames == ["a"])
    #expect(try ProfileFiles(sources: services.sources).configPath == "~/.aws/config")
  }

  @Test("The keys of the profile come before the container, which comes before the instance")
  func machine() async throws {
    let file = try Self.services([], Self.container, config: "[default]\n" + Self.keys)
    let found = try await DefaultCredentialProvider(sources: file.sources).credentials()
    #expect(found.credentials.identity.accessKeyID == "AKIDFILE")
    let container = try Self.services([Self.task], Self.container)
    try ProviderExamples.expectCredentials(
      await DefaultCredentialProvider(sources: container.sources).credentials())
    let instance = try Self.services(
      [
        InstanceMetadataTests.token(), .text(200, "demo"),
        .text(200, ProviderExamples.instance()),
      ], [:])
    try ProviderExamples.expectCredentials(
      await DefaultCredentialProvider(sources: instance.sources).credentials())
    #expect(instance.targets.first == "PUT http://169.254.169.254/latest/api/token")
  }

  @Test("A profile that's named counts more than keys and web identities of the environment")
  func namedProfile() async throws {
    let variables = Self.keysInEnvironment.merging(Self.webIdentity) { given, _ in given }
    let services = try Self.services([], variables, config: "[profile a]\n" + Self.keys)
    let found = try await DefaultCredentialProvider(profile: "a", sources: services.sources)
      .credentials()
    #expect(found.credentials.identity.accessKeyID == "AKIDFILE")
    // An empty one leaves it to the machine.
    let silent = try Self.services(
      [Self.task], variables.merging(Self.container) { given, _ in given },
      config: "[profile a]\nregion = eu-west-1\n")
    try ProviderExamples.expectCredentials(
      await DefaultCredentialProvider(profile: "a", sources: silent.sources).credentials())
  }

  @Test("A source that's there and fails ends the search")
  func failing() async throws {
    let services = try Self.services(
      [], ["AWS_PROFILE": "missing"].merging(Self.container) { given, _ in given })
    let error = await #expect(throws: CredentialError.self) {
      try await DefaultCredentialProvider(sources: services.sources).credentials()
    }
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.message.contains("missing") == true)
    #expect(services.targets.isEmpty)
  }

  @Test("Where nothing is set up, the error names every source")
  func nothing() async throws {
    let services = try Self.services([], ["AWS_EC2_METADATA_DISABLED": "true"])
    let error = await #expect(throws: CredentialError.self) {
      try await DefaultCredentialProvider(sources: services.sources).credentials()
    }
    #expect(error?.code == .notConfigured)
    for name in [
      "Environment variables: ", "Profile: ", "Web identity: ", "Container: ", "EC2 instance: ",
    ] {
      #expect(error?.message.contains(name) == true, "\(name)")
    }
  }

  @Test("In a chain of roles, each request is signed with the previous role")
  func chainOfRoles() async throws {
    let config = """
      [profile outer]
      role_arn = \(ProviderExamples.role)
      role_session_name = outer
      external_id = external
      duration_seconds = 900
      source_profile = inner
      region = eu-west-1
      [profile inner]
      role_arn = arn:aws:iam::123456789012:role/inner
      source_profile = keys
      [profile keys]
      \(Self.keys)
      """
    let services = try Self.services([Self.security, Self.security], [:], config: config)
    let found = try await ProfileCredentialProvider(profile: "outer", sources: services.sources)
      .credentials()
    try ProviderExamples.expectCredentials(found)
    let requests = services.requests
    #expect(
      requests.map(\.url) == [String](repeating: "https://sts.eu-west-1.amazonaws.com/", count: 2))
    let bodies = requests.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(bodies[0].contains("RoleArn=arn%3Aaws%3Aiam%3A%3A123456789012%3Arole%2Finner"))
    for part in [
      "RoleArn=arn%3Aaws%3Aiam%3A%3A123456789012%3Arole%2Fdemo", "RoleSessionName=outer",
      "ExternalId=external", "DurationSeconds=900",
    ] {
      #expect(bodies[1].contains(part), "\(part)")
    }
    let authorizations = requests.map { request in
      request.headers.first { $0.name.lowercased() == "authorization" }?.value ?? ""
    }
    #expect(authorizations[0].contains("Credential=AKIDFILE/20240102/eu-west-1/sts/"))
    #expect(authorizations[1].contains("Credential=ASIAIOSFODNN7EXAMPLE/20240102/eu-west-1/sts/"))
  }

  @Test("An IAM Identity Center profile calls the portal with the AWS CLI's sign-in")
  func identityCenter() async throws {
    let config = """
      [profile a]
      sso_session = s
      sso_account_id = 123456789012
      sso_role_name = demo
      [sso-session s]
      sso_region = eu-west-1
      sso_start_url = https://example.awsapps.com/start
      """
    let services = try Self.services([.text(200, ProviderExamples.sso())], [:], config: config)
    // The name of the file: printf s | sha1sum.
    services.write(
      ProviderExamples.signIn(),
      toFile: "/home/user/.aws/sso/cache/a0f1490a20d0211c997b44bc357e1972deab8ae3.json")
    let found = try await ProfileCredentialProvider(profile: "a", sources: services.sources)
      .credentials()
    try ProviderExamples.expectCredentials(found)
    #expect(
      services.targets.first?.hasPrefix(
        "GET https://portal.sso.eu-west-1.amazonaws.com/federation/")
        == true)
  }

  @Test("A profile with a web identity and an empty role has an error that names it")
  func webIdentityWithoutRole() async throws {
    let config = "[profile a]\nrole_arn =\nweb_identity_token_file = /token\nregion = eu-west-1\n"
    let services = try Self.services([Self.identity], [:], config: config)
    let error = await failure(
      of: ProfileCredentialProvider(profile: "a", sources: services.sources))
    #expect(error.code == .invalidConfiguration && error.message.contains("no role_arn"))
    #expect(services.targets.isEmpty)
  }

  @Test("A profile with its own web identity and legacy endpoints uses the global service")
  func webIdentityOfProfile() async throws {
    let config = """
      [profile a]
      role_arn = \(ProviderExamples.role)
      web_identity_token_file = /token
      region = eu-west-1
      sts_regional_endpoints = legacy
      """
    let services = try Self.services([Self.identity], [:], config: config)
    try ProviderExamples.expectCredentials(
      await ProfileCredentialProvider(profile: "a", sources: services.sources).credentials())
    #expect(services.targets == ["POST https://sts.amazonaws.com/"])
  }
}
