// SPDX-License-Identifier: Apache-2.0
// The metadata service of EC2: token first, version 1 never, and what happens when AWS is down.

internal import CredentialProviders
internal import RequestSigning
internal import Testing

@Suite("The role of an instance")
struct InstanceMetadataTests {
  static let tokenTarget = "PUT http://169.254.169.254/latest/api/token"
  static let roleTarget = "GET http://169.254.169.254/latest/meta-data/iam/security-credentials/"

  static func token(lifetime: String? = "21600", _ text: String = Secret.metadataToken)
    -> RecordedServices.Answer
  {
    let name = "X-Aws-Ec2-Metadata-Token-Ttl-Seconds"
    return .text(200, text, headers: lifetime.map { [name: $0] } ?? [:])
  }

  static let credentials = RecordedServices.Answer.text(200, ProviderExamples.instance())

  static func error(
    _ answers: [RecordedServices.Answer], _ variables: [String: String] = [:]
  ) async throws -> CredentialError {
    let services = try RecordedServices(variables: variables)
    for answer in answers { services.add(answer) }
    let error = await failure(of: InstanceMetadataProvider(sources: services.sources))
    #expect(services.requests.count == answers.count)
    let unsigned = services.requests.filter { request in
      request.method == "GET"
        && !request.headers.contains { $0.name == "x-aws-ec2-metadata-token" }
    }
    #expect(unsigned.isEmpty)
    return error
  }

  @Test("The role's credentials are requested with a token, within a second each")
  func role() async throws {
    let services = try RecordedServices(Self.token(), .text(200, "my-role\n"), Self.credentials)
    let provided = try await InstanceMetadataProvider(sources: services.sources).credentials()
    try ProviderExamples.expectCredentials(provided)
    #expect(
      provided.source
        == "the role my-role of the instance metadata service (http://169.254.169.254)")
    #expect(services.targets == [Self.tokenTarget, Self.roleTarget, Self.roleTarget + "my-role"])
    #expect(services.requests.map(\.timeout) == [.seconds(1), .seconds(1), .seconds(1)])
  }

  @Test("A token is reused until it expires, for as long as the service allows, and then renewed")
  func tokenLife() async throws {
    for (lifetime, seconds) in [("60", 60), ("21600", 21_600), (nil, 21_600), ("x", 21_600)]
      as [(String?, Int64)]
    {
      let services = try RecordedServices(
        Self.token(lifetime: lifetime), .text(200, "r"), Self.credentials)
      let provider = InstanceMetadataProvider(sources: services.sources)
      _ = try await provider.credentials()
      services.add(.text(200, "r"), Self.credentials)
      try services.advance(seconds: seconds - 1)
      _ = try await provider.credentials()
      #expect(services.requests.count { $0.method == "PUT" } == 1)
      services.add(Self.token(), .text(200, "r"), Self.credentials)
      try services.advance(seconds: 1)
      _ = try await provider.credentials()
      #expect(services.requests.count { $0.method == "PUT" } == 2)
    }
  }

  @Test("A token that's no longer accepted (401) is renewed once")
  func renewal() async throws {
    let services = try RecordedServices(
      Self.token(), .text(401, ""), Self.token(lifetime: "60", "second"), .text(200, "r"),
      Self.credentials)
    _ = try await InstanceMetadataProvider(sources: services.sources).credentials()
    #expect(
      services.requests.map { $0.headers[0].value } == [
        "21600", Secret.metadataToken, "21600", "second", "second",
      ])
    let error = try await Self.error([Self.token(), .text(401, ""), Self.token(), .text(401, "")])
    #expect(error.code == .accessDenied)
  }

  @Test("Version 1 is never used, whatever the response to the token request is")
  func noFallback() async throws {
    for status in [404, 405] {
      let error = try await Self.error([.text(status, "")])
      #expect(error.code == .notConfigured)
      #expect(error.message.contains("version 1"))
    }
    for status in [401, 403] {
      let error = try await Self.error([.text(status, "")])
      #expect(error.code == .accessDenied)
      #expect(error.message.contains("hop limit"))
    }
    let silent = try await Self.error([.failure(.timedOut)])
    #expect(silent.code == .notConfigured)
    #expect(silent.message.contains("hop limit"))
    #expect(try await Self.error([.failure(.unreachable)]).code == .notConfigured)
    #expect(try await Self.error([.failure(.cancelled)]).code == .cancelled)
    #expect(try await Self.error([.text(400, "")]).code == .accessDenied)
    #expect(try await Self.error([.text(500, "")]).code == .accessDenied)
    #expect(try await Self.error([.redirect]).code == .accessDenied)
    for text in ["", "a\nb", "a b", "\u{0}"] {
      #expect(try await Self.error([.text(200, text)]).code == .invalidResponse)
    }
  }

  @Test("AWS_METADATA_SERVICE_NUM_ATTEMPTS and _TIMEOUT are respected")
  func patience() async throws {
    let variables = [
      "AWS_METADATA_SERVICE_NUM_ATTEMPTS": "3", "AWS_METADATA_SERVICE_TIMEOUT": "2.5",
    ]
    let services = try RecordedServices(
      .failure(.timedOut), .text(500, ""), Self.token(), .text(503, ""), .text(200, "r"),
      Self.credentials, variables: variables)
    _ = try await InstanceMetadataProvider(sources: services.sources).credentials()
    #expect(services.requests.allSatisfy { $0.timeout == .seconds(2.5) })
    for wrong in ["0", "-1", "many", "nan", "1e9"] {
      let changed = ["AWS_METADATA_SERVICE_NUM_ATTEMPTS": wrong]
      #expect(try await Self.error([], changed).code == .invalidConfiguration)
    }
  }

  // botocore, botocore/retries/standard.py: the pauses of ExponentialBackoff end at 20 seconds.
  @Test("No pause is longer than 20 seconds, for any number of attempts")
  func pauses() async throws {
    let services = try RecordedServices(variables: ["AWS_METADATA_SERVICE_NUM_ATTEMPTS": "9"])
    for _ in 0..<9 { services.add(.text(500, "")) }
    _ = await failure(of: InstanceMetadataProvider(sources: services.sources))
    #expect(services.waits == [0.5, 1, 2, 4, 8, 16, 20, 20].map { .seconds($0) })
  }

  @Test("The environment sets the endpoint, or turns the service off")
  func variables() async throws {
    let name = "AWS_EC2_METADATA_SERVICE_ENDPOINT"
    #expect(try await Self.error([], ["AWS_EC2_METADATA_DISABLED": "TRUE"]).code == .notConfigured)
    #expect(try await Self.error([], [name + "_MODE": "ipv5"]).code == .invalidConfiguration)
    // botocore 1.43.11, `resolve_imds_endpoint_mode`: the mode has priority.
    for (variables, host) in [
      (["AWS_IMDS_USE_IPV6": "true"], "http://[fd00:ec2::254]/"),
      (["AWS_IMDS_USE_IPV6": "true", name + "_MODE": "IPv4"], "http://169.254.169.254/"),
      (["AWS_IMDS_USE_IPV6": "false"], "http://169.254.169.254/"),
    ] {
      let services = try RecordedServices(.failure(.unreachable), variables: variables)
      _ = await failure(of: InstanceMetadataProvider(sources: services.sources))
      #expect(services.requests.allSatisfy { $0.url.hasPrefix(host) }, "\(variables)")
      #expect(!services.requests.isEmpty)
    }
    #expect(try await Self.error([], [name: "169.254.169.254"]).code == .invalidConfiguration)
    #expect(try await Self.error([], [name: "http://a@b/"]).code == .invalidConfiguration)
  }

  /// botocore 1.43.11 asks http://h:1/x three times at most within 2 seconds with this profile, and
  /// http://e:2 with the variable.
  @Test("Settings without a variable come from the profile")
  func profile() async throws {
    let config = """
      [profile a]
      ec2_metadata_service_endpoint = http://h:1/x
      ec2_metadata_service_endpoint_mode = ipv6
      metadata_service_timeout = 2
      metadata_service_num_attempts = 3
      [profile b]
      metadata_service_num_attempts = many
      """
    func services(
      _ profile: String, _ variables: [String: String] = [:]
    ) async throws -> (RecordedServices, CredentialError) {
      let home = ["HOME": "/h"].merging(variables) { $1 }
      let services = try RecordedServices(
        .text(500, ""), .text(500, ""), .text(500, ""), variables: home,
        files: ["/h/.aws/config": config])
      let provider = DefaultCredentialProvider(profile: profile, sources: services.sources)
      return (services, await failure(of: provider))
    }
    let found = try await services("a").0
    #expect(
      found.targets == [String](repeating: "PUT http://h:1/x/latest/api/token", count: 3))
    #expect(found.requests.map(\.timeout) == [.seconds(2), .seconds(2), .seconds(2)])
    let other = try await services("a", ["AWS_EC2_METADATA_SERVICE_ENDPOINT": "http://e:2"]).0
    #expect(other.targets.first == "PUT http://e:2/latest/api/token")
    // botocore 1.43.11, `IMDSFetcher._construct_url`.
    for (end, path) in [("/", ""), ("/a/", "/a"), ("/a//", "/a/")] {
      let slash = try await services("a", ["AWS_EC2_METADATA_SERVICE_ENDPOINT": "http://e" + end]).0
      #expect(slash.targets.first == "PUT http://e\(path)/latest/api/token")
    }
    #expect(try await services("b").1.code == .invalidConfiguration)
  }

  // Amazon EC2 User Guide, "Instance metadata categories": placement/region.
  @Test("The instance returns its region, and an invalid one is rejected")
  func region() async throws {
    let services = try RecordedServices(Self.token(), .text(200, "eu-central-1"))
    let provider = InstanceMetadataProvider(sources: services.sources)
    #expect(try await provider.region() == "eu-central-1")
    let target = "GET http://169.254.169.254/latest/meta-data/placement/region"
    #expect(services.targets == [Self.tokenTarget, target])
    for (answer, code) in [
      (.text(200, "a/b"), .invalidResponse), (.text(200, ""), .invalidResponse),
      (.text(404, ""), .notConfigured), (.failure(.timedOut), .timedOut),
    ] as [(RecordedServices.Answer, CredentialError.Code)] {
      services.add(answer)
      await #expect {
        try await provider.region()
      } throws: { error in
        (error as? CredentialError)?.code == code
      }
    }
  }

  @Test("An instance without a role isn't configured")
  func roleless() async throws {
    #expect(try await Self.error([Self.token(), .text(404, "")]).code == .notConfigured)
    #expect(
      try await Self.error([Self.token(), .text(200, "r"), .text(404, "")]).code == .notConfigured)
  }

  @Test("A string that isn't a role name doesn't become a path")
  func roleNames() async throws {
    for name in [
      "", "\n", "../../user-data", "a b", "a?b", "a/b", "é", String(repeating: "a", count: 65),
    ] {
      #expect(
        try await Self.error([Self.token(), .text(200, name)]).code == .invalidResponse, "\(name)")
    }
  }

  @Test("An incomplete response is rejected")
  func broken() async throws {
    for (answer, code) in [
      ("", CredentialError.Code.invalidResponse), ("{", .invalidResponse), ("[]", .invalidResponse),
      (ProviderExamples.instance().replacing("SecretAccessKey", with: "Other"), .invalidResponse),
      (ProviderExamples.instance().replacing("\"Token\"", with: "\"Other\""), .invalidResponse),
      (ProviderExamples.instance(expiration: "soon"), .invalidResponse),
      (
        "{\"Code\":\"AssumeRoleUnauthorizedAccess\",\"Message\":\"EC2 cannot assume\"}",
        .accessDenied
      ),
      (ProviderExamples.instance(code: "Failed"), .accessDenied),
    ] as [(String, CredentialError.Code)] {
      let error = try await Self.error([Self.token(), .text(200, "r"), .text(200, answer)])
      #expect(error.code == code, "\(answer)")
    }
  }

  @Test("Rejected requests are reported, and a redirect isn't followed")
  func refusals() async throws {
    for status in [400, 403, 500] {
      #expect(try await Self.error([Self.token(), .text(status, "<x>")]).code == .accessDenied)
    }
    let error = try await Self.error([Self.token(), .text(200, "r"), .redirect])
    #expect(error.message.contains("redirect"))
    #expect(try await Self.error([Self.token(), .failure(.timedOut)]).code == .timedOut)
  }

  // AWS SDKs and Tools Reference Guide, "IMDS credential provider": expired credentials are used on.
  @Test("Credentials that have expired are used on for 5 to 15 minutes, with a warning")
  func staticStability() async throws {
    let services = try RecordedServices(
      Self.token(), .text(200, "r"),
      .text(200, ProviderExamples.instance(expiration: "2024-01-02T03:04:05Z")))
    let provided = try await InstanceMetadataProvider(sources: services.sources).credentials()
    let end = try #require(provided.credentials.identity.expiration)
    #expect(try end == SigV4.Timestamp("20240102T031905Z"))
    #expect(
      provided.warning
        == "No newer credentials are available from the instance metadata service "
        + "(http://169.254.169.254). The earlier credentials stay in use. They expired at "
        + "20240102T030405Z, so AWS may reject them.")
    expectNoSecret(in: provided.warning ?? "")
  }

  // aws-sdk-go-v2, credentials/ec2rolecreds, HandleFailToRefresh: what came before is used on, with an
  // end 5 to 15 minutes later where it has ended.
  @Test("When the service is down, what it gave before is used on, with a warning and for a while")
  func outage() async throws {
    let end = "2024-01-02T04:04:05Z"
    let down: [[RecordedServices.Answer]] = [
      [.failure(.timedOut)], [.failure(.unreachable)], [.text(500, "")], [.text(404, "")],
      [.text(200, "r"), .text(200, "{")], [.text(200, "r"), .text(429, "")],
    ]
    for answers in down {
      let services = try RecordedServices(
        Self.token(), .text(200, "r"), .text(200, ProviderExamples.instance(expiration: end)))
      let provider = DefaultCredentialProvider(sources: services.sources)
      #expect(try await provider.credentials().warning == nil)
      for (seconds, expected) in [
        (3_599, "20240102T040405Z"), (1, "20240102T041905Z"), (3_600, "20240102T051905Z"),
      ] as [(Int64, String)] {
        try services.advance(seconds: seconds)
        answers.forEach { services.add($0) }
        let provided = try await provider.credentials()
        #expect(try provided.credentials.identity.expiration == SigV4.Timestamp(expected))
        let warning = try #require(provided.warning)
        let state = seconds == 3_599 ? "haven't expired" : "expired at 20240102T040405Z"
        #expect(warning.contains("stay in use. They " + state))
        expectNoSecret(in: warning + provided.source)
      }
      services.add(.text(200, "r"), Self.credentials)
      #expect(try await provider.credentials().warning == nil)
    }
  }

  @Test("Credentials from one address aren't reused for another")
  func otherAddress() async throws {
    let services = try RecordedServices(Self.token(), .text(200, "r"), Self.credentials)
    let address = Guarded("http://169.254.169.254")
    var sources = services.sources
    sources.variable = { name in
      name == "AWS_EC2_METADATA_SERVICE_ENDPOINT" ? address.withLock(\.self) : nil
    }
    let provider = InstanceMetadataProvider(sources: sources)
    _ = try await provider.credentials()
    address.withLock { $0 = "http://169.254.169.253" }
    services.add(.text(500, ""))
    #expect(await failure(of: provider).code == .accessDenied)
    address.withLock { $0 = "http://169.254.169.254" }
    services.add(.text(500, ""))
    #expect(try await provider.credentials().warning != nil)
  }

  @Test("Neither a caller that's cancelled nor a service that's switched off uses them on")
  func noOutage() async throws {
    let services = try RecordedServices(Self.token(), .text(200, "r"), Self.credentials)
    let provider = InstanceMetadataProvider(sources: services.sources)
    _ = try await provider.credentials()
    services.add(.failure(.cancelled))
    #expect(await failure(of: provider).code == .cancelled)
  }

  @Test("A role that's assumed with credentials kept during an outage has their warning")
  func warningOfRole() async throws {
    let services = try RecordedServices(
      .text(200, ProviderExamples.securityToken()))
    let caller = ResolvedCredentials(
      try SigV4.Credentials(accessKeyID: "AKID", secretAccessKey: "secret"), source: "a test",
      warning: "they may be refused")
    let role = try AssumeRoleProvider(
      roleARN: "arn:aws:iam::123456789012:role/r", endpoint: .global, source: caller,
      sources: services.sources)
    let kept = SigV4.CredentialProvider(role, now: services.sources.now)
    #expect(try await kept.credentials().warning == "they may be refused")
  }
}
