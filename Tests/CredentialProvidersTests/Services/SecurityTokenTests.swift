// SPDX-License-Identifier: Apache-2.0
// Roles of AWS STS: valid responses, broken ones, and values rejected before a request.

internal import CredentialProviders
internal import RequestSigning
internal import Testing

@Suite("Roles of the Security Token Service")
struct SecurityTokenTests {
  static func assumeRole(
    _ services: RecordedServices, session: String? = "TestAR", duration: Duration? = nil,
    externalID: String? = Secret.externalID, endpoint: STSEndpoint = .global,
    role: String = ProviderExamples.role
  ) throws -> AssumeRoleProvider {
    let caller = try SigV4.Credentials(
      accessKeyID: "AKIDEXAMPLE", secretAccessKey: Secret.callerKey,
      sessionToken: Secret.callerToken)
    return try AssumeRoleProvider(
      roleARN: role, sessionName: session, externalID: externalID, duration: duration,
      endpoint: endpoint, source: caller, sources: services.sources)
  }

  /// A role with managed policies and tags, which must be rejected before anything is sent.
  static func expectRefused(
    location: SourceLocation = #_sourceLocation,
    _ body: (([String], [SessionTag]) throws -> AssumeRoleProvider) throws -> AssumeRoleProvider
  ) throws {
    let services = try RecordedServices()
    let caller = try SigV4.Credentials(accessKeyID: "A", secretAccessKey: "b")
    let error = #expect(throws: CredentialError.self, sourceLocation: location) {
      try body {
        try AssumeRoleProvider(
          roleARN: ProviderExamples.role, policyARNs: $0, tags: $1, endpoint: .global,
          source: caller, sources: services.sources)
      }
    }
    #expect(error?.code == .invalidConfiguration, sourceLocation: location)
  }

  static let tokenVariables = [
    "AWS_WEB_IDENTITY_TOKEN_FILE": "/var/run/token", "AWS_ROLE_ARN": ProviderExamples.role,
    "AWS_ROLE_SESSION_NAME": "pod", "AWS_DEFAULT_REGION": "eu-west-1",
  ]
  static let tokenFile = ["/var/run/token": Secret.webIdentity + "\n"]

  @Test("AssumeRole returns the response's credentials and their owner")
  func assumed() async throws {
    let services = try RecordedServices(.text(200, ProviderExamples.securityToken()))
    let provided = try await Self.assumeRole(services).credentials()
    try ProviderExamples.expectCredentials(provided)
    #expect(
      provided.source == "the role arn:aws:iam::123456789012:role/demo, assumed by the program")
  }

  @Test("A session without a name is named after the time of the injected clock")
  func sessionName() async throws {
    let services = try RecordedServices(.text(200, ProviderExamples.securityToken()))
    _ = try await Self.assumeRole(services, session: nil).credentials()
    let body = String(decoding: services.requests[0].body, as: UTF8.self)
    // date -u -d 2024-01-02T03:04:05Z +%s
    #expect(body.contains("&RoleSessionName=sigv4-1704164645&"))
  }

  @Test("An error contains the service's code and message")
  func refused() async throws {
    let services = try RecordedServices(
      .text(
        403,
        ProviderExamples.securityTokenError(
          "AccessDenied", "User: arn:aws:iam::1:user/a is not authorized")))
    let error = await failure(of: try Self.assumeRole(services))
    #expect(error.code == .accessDenied)
    #expect(error.message.contains("403, \"AccessDenied\": \"User: arn:aws:iam::1:user/a is not"))
    #expect(error.message.contains("trust policy"))

    // AWS STS API Reference, Common Errors: ExpiredToken.
    let expired = try RecordedServices(
      .text(403, ProviderExamples.securityTokenError("ExpiredToken", "The token is expired")))
    let end = await failure(of: try Self.assumeRole(expired))
    #expect(end.code == .expired && end.fix == "Get new credentials that assume the role.")
  }

  @Test("Throttling, status 500 and time-outs are retried, with three attempts in all")
  func patience() async throws {
    let services = try RecordedServices(
      .text(400, ProviderExamples.securityTokenError("Throttling", "Rate exceeded")),
      .text(500, "oh"), .text(200, ProviderExamples.securityToken()))
    try ProviderExamples.expectCredentials(try await Self.assumeRole(services).credentials())
    #expect(services.waits == [.seconds(0.5), .seconds(1)])

    let silent = try RecordedServices(
      .failure(.timedOut), .failure(.unreachable), .failure(.timedOut))
    let error = await failure(of: try Self.assumeRole(silent))
    #expect(error.code == .timedOut)
    #expect(error.message.contains("(3 attempts)"))

    let down = try RecordedServices(.text(503, ""), .text(502, "<html>"), .text(500, "{"))
    #expect(await failure(of: try Self.assumeRole(down)).code == .accessDenied)
    #expect(down.requests.count == 3)

    let cancelled = try RecordedServices(.failure(.cancelled))
    #expect(await failure(of: try Self.assumeRole(cancelled)).code == .cancelled)
  }

  @Test("An incomplete response is rejected")
  func broken() async throws {
    for (answer, code) in [
      ("", CredentialError.Code.invalidResponse),
      ("not XML", .invalidResponse),
      ("<AssumeRoleResponse><Credentials>", .invalidResponse),
      (
        ProviderExamples.securityToken().replacing("SecretAccessKey", with: "Other"),
        .invalidResponse
      ),
      (ProviderExamples.securityToken().replacing("AccessKeyId", with: "Other"), .invalidResponse),
      (ProviderExamples.securityToken().replacing("SessionToken", with: "Other"), .invalidResponse),
      (ProviderExamples.securityToken(expiration: "tomorrow"), .invalidResponse),
      (ProviderExamples.securityToken(expiration: "2024-01-02T03:04:05Z"), .expired),
      (ProviderExamples.securityToken().replacing("ASIA", with: "AS,A"), .invalidResponse),
    ] as [(String, CredentialError.Code)] {
      #expect(
        await failure(of: try Self.assumeRole(RecordedServices(.text(200, answer)))).code == code)
    }
  }

  // botocore 1.43.11, botocore.retries.standard: _TRANSIENT_ERROR_CODES, _THROTTLED_ERROR_CODES.
  @Test(
    "Codes of throttling and temporary faults are retried",
    arguments: [
      "RequestTimeout", "RequestTimeoutException", "PriorRequestNotComplete", "Throttling",
      "ThrottlingException", "ThrottledException", "RequestThrottledException",
      "TooManyRequestsException", "ProvisionedThroughputExceededException",
      "TransactionInProgressException", "RequestLimitExceeded", "BandwidthLimitExceeded",
      "LimitExceededException", "RequestThrottled", "SlowDown", "EC2ThrottledException",
    ])
  func passingFaults(code: String) async throws {
    let services = try RecordedServices(
      .text(400, ProviderExamples.securityTokenError(code, "later")),
      .text(200, ProviderExamples.securityToken()))
    try ProviderExamples.expectCredentials(try await Self.assumeRole(services).credentials())
    #expect(services.waits.count == 1)
  }

  @Test("A pause is a random part of its length, and never more")
  func jitter() async throws {
    for (random, pauses) in [
      (0.25, [0.125, 0.25]), (0, [0, 0]), (7, [0.5, 1]), (-1, [0, 0]),
    ] {
      let services = try RecordedServices(
        .text(500, ""), .text(500, ""), .text(200, ProviderExamples.securityToken()))
      var sources = services.sources
      sources.random = { random }
      let caller = try SigV4.Credentials(
        accessKeyID: "AKIDEXAMPLE", secretAccessKey: Secret.callerKey)
      _ = try await AssumeRoleProvider(
        roleARN: ProviderExamples.role, endpoint: .global, source: caller, sources: sources
      ).credentials()
      #expect(services.waits == pauses.map { .seconds($0) })
    }
  }

  // 2024-01-02T03:04:05Z here.
  @Test("A wrong clock is corrected once, from the service's, if it rejects the time")
  func clock() async throws {
    func refusal(_ code: String, _ date: String) -> RecordedServices.Answer {
      .text(
        403, ProviderExamples.securityTokenError(code, "Signature expired"),
        headers: ["Date": date])
    }
    let late = "Tue, 02 Jan 2024 04:04:05 GMT"
    let services = try RecordedServices(
      refusal("SignatureDoesNotMatch", late), .text(200, ProviderExamples.securityToken()))
    try ProviderExamples.expectCredentials(try await Self.assumeRole(services).credentials())
    let dates = services.requests.map { $0.headers.values(named: "x-amz-date").first }
    #expect(dates == ["20240102T030405Z", "20240102T040405Z"])

    let stubborn = try RecordedServices(
      refusal("RequestExpired", late), refusal("RequestExpired", late))
    #expect(await failure(of: try Self.assumeRole(stubborn)).code == .accessDenied)
    for (code, date) in [
      ("SignatureDoesNotMatch", "Tue, 02 Jan 2024 03:08:05 GMT"), ("AccessDenied", late),
      ("RequestExpired", "now"),
    ] {
      let services = try RecordedServices(refusal(code, date))
      #expect(await failure(of: try Self.assumeRole(services)).code == .accessDenied)
      #expect(services.requests.count == 1)
    }
  }

  @Test("A redirect isn't followed")
  func redirect() async throws {
    let services = try RecordedServices(.redirect)
    let error = await failure(of: try Self.assumeRole(services))
    #expect(error.code == .accessDenied)
    #expect(error.message.contains("redirect"))
    #expect(services.requests.count == 1)
  }

  @Test("A role whose caller has no credentials is a mistake, and no reason for a chain to go on")
  func callerless() async throws {
    let services = try RecordedServices()
    let provider = try AssumeRoleProvider(
      roleARN: ProviderExamples.role, endpoint: .global,
      source: WebIdentityProvider(sources: services.sources), sources: services.sources)
    #expect(await failure(of: provider).code == .invalidConfiguration)

    let late = try SigV4.Credentials(
      accessKeyID: "AKIDEXAMPLE", secretAccessKey: Secret.callerKey,
      expiration: SigV4.Timestamp("20240102T030405Z"))
    let expired = try AssumeRoleProvider(
      roleARN: ProviderExamples.role, endpoint: .global, source: late,
      sources: services.sources)
    #expect(await failure(of: expired).code == .expired)
  }

  // botocore 1.43.11 also creates its own name for `role_session_name =`.
  @Test("An empty session name counts as not set")
  func emptySessionName() async throws {
    let services = try RecordedServices(.text(200, ProviderExamples.securityToken()))
    _ = try await Self.assumeRole(services, session: "").credentials()
    let body = String(decoding: services.requests[0].body, as: UTF8.self)
    #expect(body.contains("&RoleSessionName=sigv4-1704164645&"))
  }

  // AWS STS API Reference, AssumeRole; Python's urllib.parse.urlencode.
  @Test("Tags are sent in the order of their keys, to the region or to one's own URL")
  func tags() async throws {
    let caller = try SigV4.Credentials(accessKeyID: "A", secretAccessKey: "b")
    let services = try RecordedServices(
      .text(200, ProviderExamples.securityToken("AssumeRole")),
      .text(200, ProviderExamples.securityToken("AssumeRole")))
    for url in [nil, "https://sts.example.com/a"] {
      var settings = ServiceSettings()
      settings.region = "eu-west-1"
      if let url { settings.setEndpointURL(url, of: .sts) }
      _ = try await SigV4.CredentialProvider.assumeRole(
        ProviderExamples.role, using: caller,
        options: .init(
          tags: ["team": "blue sky", "center": "1"], transitiveTagKeys: ["team"]),
        settings: settings, sources: services.sources
      ).credentials()
    }
    let body = String(decoding: services.requests[0].body, as: UTF8.self)
    #expect(
      body.contains(
        "&Tags.member.1.Key=center&Tags.member.1.Value=1&Tags.member.2.Key=team"
          + "&Tags.member.2.Value=blue+sky&TransitiveTagKeys.member.1=team"))
    #expect(
      services.requests.map(\.url)
        == ["https://sts.eu-west-1.amazonaws.com/", "https://sts.example.com/a"])
    #expect(
      services.requests.allSatisfy {
        $0.headers["authorization"]?.contains("/eu-west-1/sts/aws4_request") == true
      })
  }

  // AWS STS API Reference, AssumeRole, Request Parameters.
  @Test("Values that AWS would reject are rejected before they're sent")
  func configuration() async throws {
    let services = try RecordedServices()
    for duration: Duration in [
      .seconds(899), .milliseconds(899_999), .zero, .seconds(-1), .seconds(43_201),
      .seconds(Int64.max), .seconds(Int64.min), .seconds(9.3e18) * 4, .seconds(-9.3e18) * 4,
    ] {
      #expect(throws: CredentialError.self) { try Self.assumeRole(services, duration: duration) }
    }
    for duration: Duration in [.seconds(900), .milliseconds(43_200_999)] {
      _ = try Self.assumeRole(services, duration: duration)
    }
    for name in ["a", "a b", "é-name", String(repeating: "a", count: 65), "a\nb"] {
      #expect(throws: CredentialError.self) { try Self.assumeRole(services, session: name) }
    }
    for id in ["a", "a b", String(repeating: "a", count: 1225)] {
      #expect(throws: CredentialError.self) { try Self.assumeRole(services, externalID: id) }
    }
    for role in ["", "demo", "arn:aws:iam::123456789012:user/demo"] {
      #expect(throws: CredentialError.self) { try Self.assumeRole(services, role: role) }
    }
    try Self.expectRefused { try $0(Array(repeating: "arn:aws:iam::aws:policy/a", count: 11), []) }
    for arn in ["", "ReadOnlyAccess", "arn:aws:iam::aws:policy/a b"] {
      try Self.expectRefused { try $0([arn], []) }
    }
    let long = String(repeating: "é", count: 129)
    for tag in [SessionTag("", "a"), SessionTag(long, "a"), SessionTag("a", long + long)] {
      try Self.expectRefused { try $0([], [tag]) }
    }
    for character in ["*", "\n", ";", "\""] {
      try Self.expectRefused { try $0([], [SessionTag("a" + character, "b")]) }
    }
    try Self.expectRefused { try $0([], [SessionTag("Team", "a"), .transitive("team", "b")]) }
    try Self.expectRefused { try $0([], (0...50).map { SessionTag("\($0)", "") }) }
    let caller = try SigV4.Credentials(accessKeyID: "A", secretAccessKey: "b")
    let error = #expect(throws: CredentialError.self) {
      try SigV4.CredentialProvider.assumeRole(
        ProviderExamples.role, using: caller,
        options: .init(tags: ["team": "a"], transitiveTagKeys: ["Team"]),
        sources: RecordedServices().sources)
    }
    #expect(error?.problem.contains("Team") == true)
    _ = try AssumeRoleProvider(
      roleARN: ProviderExamples.role,
      policyARNs: Array(repeating: "arn:aws:iam::aws:policy/a", count: 10),
      tags: (1...50).map { SessionTag("\($0)", "") }, endpoint: .global, source: caller,
      sources: RecordedServices().sources)
    #expect(throws: CredentialError.self) { try STSEndpoint.regional("eu west/1") }
    #expect(throws: CredentialError.self) {
      try AssumeRoleProvider(
        roleARN: ProviderExamples.role, endpoint: .custom("https://sts.example.com"),
        source: caller, sources: RecordedServices().sources)
    }
    for url in [
      "http://sts.example.com", "sts.amazonaws.com", "https://a@example.com", "ftp://a",
      "https://a/?b", "https://a/#b", "https://a\\b", "https://a/\\b",
    ] {
      #expect(throws: CredentialError.self) { try STSEndpoint.custom(url, signingRegion: "r") }
    }
    for url in ["http://127.0.0.1:8080", "http://[::1]:1", "http://localhost", "https://a.example"]
    {
      for url in [url, url + "/", url + "/a/"] {
        #expect(try STSEndpoint.custom(url, signingRegion: "us-east-1").url == url)
      }
    }
  }

  @Test("A web identity is configured by environment variables, and reads its token each time")
  func webIdentity() async throws {
    let answer = ProviderExamples.securityToken("AssumeRoleWithWebIdentity")
    let services = try RecordedServices(
      .text(200, answer), .text(200, answer), variables: Self.tokenVariables,
      files: Self.tokenFile)
    let provider = WebIdentityProvider(sources: services.sources)
    try ProviderExamples.expectCredentials(try await provider.credentials())
    services.write("another.token", toFile: "/var/run/token")
    _ = try await provider.credentials()
    let bodies = services.requests.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(bodies[0].hasSuffix("&WebIdentityToken=\(Secret.webIdentity)"))
    #expect(bodies[1].hasSuffix("&WebIdentityToken=another.token"))
    #expect(services.targets[0] == "POST https://sts.eu-west-1.amazonaws.com/")
    #expect(services.requests[0].headers.map(\.name) == ["Content-Type"])
  }

  @Test("A web identity without variables isn't configured, and with half of them it's an error")
  func webIdentityConfiguration() async throws {
    func code(_ changes: [String: String], _ files: [String: String]) async throws
      -> CredentialError.Code
    {
      let variables = Self.tokenVariables.merging(changes) { $1 }
      let services = try RecordedServices(variables: variables, files: files)
      return await failure(of: WebIdentityProvider(sources: services.sources)).code
    }
    #expect(
      try await code(["AWS_WEB_IDENTITY_TOKEN_FILE": ""], Self.tokenFile) == .notConfigured)
    #expect(try await code(["AWS_ROLE_ARN": ""], Self.tokenFile) == .invalidConfiguration)
    let empty = try RecordedServices(
      variables: Self.tokenVariables.merging(["AWS_ROLE_ARN": "", "HOME": "/home"]) { $1 },
      files: ["/home/.aws/config": "[default]\nrole_arn =\n", "/var/run/token": "t"])
    let error = await failure(of: WebIdentityProvider(sources: empty.sources))
    #expect(error.code == .invalidConfiguration && error.problem.contains("but neither"))
    #expect(try await code([:], [:]) == .invalidFile)
    #expect(try await code([:], ["/var/run/token": " \n"]) == .invalidFile)
    #expect(try await code([:], ["/var/run/token": "two words"]) == .invalidFile)
    #expect(
      try await code(["AWS_DEFAULT_REGION": "a/b"], Self.tokenFile) == .invalidConfiguration)
  }

  // AWS STS API Reference, AssumeRoleWithWebIdentity, Errors.
  @Test("An unreachable identity provider is retried, and an expired token is reported as such")
  func webIdentityRefusals() async throws {
    let services = try RecordedServices(
      .text(400, ProviderExamples.securityTokenError("IDPCommunicationError", "later")),
      .text(
        400, ProviderExamples.securityTokenError("ExpiredTokenException", Secret.webIdentity)),
      variables: Self.tokenVariables, files: Self.tokenFile)
    let error = await failure(of: WebIdentityProvider(sources: services.sources))
    #expect(error.code == .expired)
    #expect(error.message.contains("\"ExpiredTokenException\": \"(not shown)\""))
  }
}
