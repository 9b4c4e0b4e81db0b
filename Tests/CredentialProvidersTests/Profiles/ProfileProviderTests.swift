// SPDX-License-Identifier: Apache-2.0
// The provider of a profile: its requests, its rejections and its messages.

internal import CredentialProviders
internal import RequestSigning
internal import Testing

@Suite("Profile provider")
struct ProfileProviderTests {
  private static func fixture(_ config: String) -> ProfileFixture {
    var fixture = ProfileFixture()
    fixture.files[ProfileFixture.home + "/.aws/config"] = config
    return fixture
  }

  private static func refusal(_ config: String) async throws -> CredentialError? {
    let provider = ProfileCredentialProvider(profile: "a", sources: try fixture(config).sources)
    return await #expect(throws: CredentialError.self) { try await provider.credentials() }
  }

  private static let role = "[profile a]\nrole_arn = r\n"
  private static let keys = "aws_access_key_id = AKIDEXAMPLE\naws_secret_access_key = secretive\n"

  @Test("Keys of a file and of a program come with a word of where they're from")
  func origins() async throws {
    var fixture = Self.fixture(
      "[profile a b]\n[profile 'a b']\ncredential_process = tool\n[default]\n")
    fixture.files["/c"] = "[default]\n" + Self.keys
    fixture.variables["AWS_SHARED_CREDENTIALS_FILE"] = "/c"
    fixture.output = Array(
      #"{"Version": 1, "AccessKeyId": "AKIDTOOL", "SecretAccessKey": "secretive"}"#.utf8)
    let keys = try await ProfileCredentialProvider(sources: fixture.sources).credentials()
    #expect("\(keys)" == #"AKIDEXAMPLE from profile "default" of /c"#)
    let process = try await ProfileCredentialProvider(profile: "a b", sources: fixture.sources)
      .credentials()
    #expect("\(process)" == #"AKIDTOOL from credential_process of the profile "a b""#)
  }

  @Test("Without a default profile, or with an empty one, the chain continues")
  func nothing() async throws {
    for config in ["", "[default]\nregion = eu-west-1\n"] {
      let provider = ProfileCredentialProvider(sources: try Self.fixture(config).sources)
      let error = await #expect(throws: CredentialError.self) { try await provider.credentials() }
      #expect(error?.code == .notConfigured)
    }
  }

  /// AWS CLI User Guide, "Using an IAM role in the AWS CLI", "Using multi-factor authentication".
  @Test("A role with MFA requests its code each time, if the environment can")
  func device() async throws {
    let config = """
      [profile a]
      role_arn = \(ProviderExamples.role)
      mfa_serial = arn:aws:iam::123456789012:mfa/me
      source_profile = b
      [profile b]
      \(Self.keys)
      """
    let services = try RecordedServices(
      .text(200, ProviderExamples.securityToken()), .text(200, ProviderExamples.securityToken()),
      variables: ["HOME": "/h"], files: ["/h/.aws/config": config])
    var sources = services.sources
    let asked = Guarded(0)
    sources.mfaCode = { (serial) async throws(CredentialError) in
      #expect(serial == "arn:aws:iam::123456789012:mfa/me")
      return asked.withLock { count in
        count += 1
        return "00000\(count)"
      }
    }
    let provider = ProfileCredentialProvider(profile: "a", sources: sources)
    _ = try await provider.credentials()
    _ = try await provider.credentials()
    let bodies = services.requests.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(bodies.map { $0.suffix(17) } == ["&TokenCode=000001", "&TokenCode=000002"])

    let silent = ProfileCredentialProvider(profile: "a", sources: services.sources)
    let error = await failure(of: silent)
    #expect(error.code == .invalidConfiguration)
    #expect(error.message.contains("mfa_serial"))
    for code in ["", "98765", "9876543", "98765a", "９８７６５４"] {
      sources.mfaCode = { (_) async throws(CredentialError) in code }
      let error = await failure(of: ProfileCredentialProvider(profile: "a", sources: sources))
      #expect(error.code == .invalidConfiguration)
      #expect(code.isEmpty || !error.message.contains(code))
    }
    #expect(services.requests.count == 2)
  }

  @Test("An empty role is rejected by name")
  func refused() async throws {
    for (config, word) in [
      ("[profile a]\nrole_arn =\ncredential_source = Environment", "role_arn")
    ] {
      let error = try await Self.refusal(config)
      #expect(error?.code == .invalidConfiguration, "\(config)")
      #expect(error?.message.contains(word) == true, "\(config)")
      #expect(error?.description.contains("secretive") == false)
    }
  }

  @Test("A comment after a key is reported with its line, without the key")
  func trailingComment() async throws {
    let error = try await Self.refusal(
      "[profile a]\n\naws_access_key_id = AKIDEXAMPLE # secretive\naws_secret_access_key = s\n")
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.message.contains("on line 3. A comment needs its own line.") == true)
    #expect(error?.description.contains("secretive") == false)
    for comment in [" # mine", "\t; mine"] {
      let error = try await Self.refusal(
        "[profile a]\naws_access_key_id = AKID\naws_secret_access_key = \(Secret.key)\(comment)\n")
      #expect(error?.code == .invalidConfiguration)
      let place = "aws_secret_access_key (/home/someone/.aws/config, line 3)"
      #expect(error?.message.contains(place) == true)
      expectNoSecret(in: "\(error, default: "")")
    }
    // A secret for your own store.
    let services = try RecordedServices(
      variables: ["HOME": "/h"],
      files: [
        "/h/.aws/config":
          "[profile a]\naws_access_key_id = A\naws_secret_access_key = correct #horse\n"
      ])
    let own = ProfileCredentialProvider(profile: "a", sources: services.sources)
    #expect(try await own.credentials().credentials.accessKeyID == "A")
  }

  @Test("Nested settings where a value is expected are rejected, with their line")
  func nestedText() async throws {
    let error = try await Self.refusal(
      "[profile a]\naws_access_key_id = A\naws_secret_access_key =\n  secretive = 1\n")
    let place = "aws_secret_access_key (/home/someone/.aws/config, line 3)"
    #expect(error?.message.contains(place) == true)
    #expect(error?.description.contains("secretive") == false)
  }

  @Test("An endless chain is rejected after about thirty profiles, and one of thirty is accepted")
  func longChain() throws {
    func chain(_ count: Int) -> String {
      (0..<count).map { "[profile \($0)]\nrole_arn = r\nsource_profile = \($0 + 1)\n" }.joined()
        + "[profile \(count)]\n" + Self.keys
    }
    func resolved(_ count: Int) throws -> ProfileCredentials {
      let sources = try Self.fixture(chain(count)).sources
      return try ProfileCredentials(
        profile: "0", in: ProfileFiles(sources: sources), sources: sources)
    }
    #expect(throws: Never.self) { try resolved(30) }
    let error = #expect(throws: CredentialError.self) { try resolved(10_000) }
    #expect(error?.code == .invalidConfiguration)
  }

  @Test("Settings of STS come from the requested profile, and variables override them")
  func stsSettings() throws {
    var fixture = Self.fixture(
      "[profile a]\nrole_arn = r\nsource_profile = b\nregion = eu-west-1\n"
        + "sts_regional_endpoints = Legacy\n"
        + "[profile b]\nrole_arn = q\ncredential_source = EcsContainer\nregion = us-east-1\n")
    func found() throws -> ProfileCredentials {
      try ProfileCredentials(
        profile: "a", in: ProfileFiles(sources: fixture.sources), sources: fixture.sources)
    }
    func settings() throws -> ServiceSettings {
      try ServiceSettings(
        profile: "a", in: ProfileFiles(sources: fixture.sources), sources: fixture.sources)
    }
    #expect(try found().roles.map(\.roleARN) == ["r", "q"])
    #expect(try found().source.kind == .container)
    #expect(try found().region == "eu-west-1")
    #expect(try settings().usesLegacySTSEndpoints)
    fixture.variables["AWS_DEFAULT_REGION"] = "eu-west-2"
    fixture.variables["AWS_STS_REGIONAL_ENDPOINTS"] = "regional"
    #expect(try found().region == "eu-west-2")
    #expect(try !settings().usesLegacySTSEndpoints)
    fixture.variables["AWS_REGION"] = "eu-west-3"
    #expect(try found().region == "eu-west-3")
    fixture.variables["AWS_STS_REGIONAL_ENDPOINTS"] = "local"
    #expect(throws: CredentialError.self) { try settings() }
  }

  /// Python 3.11: os.path.expanduser.
  @Test("Trailing slashes of the home folder are removed, and paths without it are unchanged")
  func home() throws {
    for (home, path) in [
      ("/home/x//", "/home/x/.aws/config"), ("/", "/.aws/config"), ("", "/.aws/config"),
      (nil, "~/.aws/config"),
    ] as [(String?, String)] {
      var fixture = ProfileFixture()
      fixture.variables["HOME"] = home
      #expect(try ProfileFiles(sources: fixture.sources).configPath == path)
    }
  }

  @Test("Services, sessions and names of profiles can be looked up, and nothing prints a secret")
  func lookups() throws {
    let fixture = Self.fixture(
      "[services s]\ns3 =\n  endpoint_url = http://h:1\n[sso-session t]\nsso_region = e\n"
        + "[profile b]\n[default]\n[profile a]\n[x]\n" + Self.keys)
    let files = try ProfileFiles(sources: fixture.sources)
    #expect(files.profileNames == ["a", "b", "default"])
    #expect(files.ssoSession(named: "t")?["sso_region"] == "e")
    let settings = try #require(files.services(named: "s")?.setting("s3")?.settings)
    #expect(settings.map { $0.name + "=" + ($0.text ?? "") } == ["endpoint_url=http://h:1"])
    #expect(files.profile(named: "x")?.name == nil)
    var dumped = "\(files)"
    dump(files, to: &dumped)
    #expect(!dumped.contains("secretive"))
  }
}
