// SPDX-License-Identifier: Apache-2.0
// Roles of IAM Identity Center: valid sign-ins, renewable ones, and others.

internal import CredentialProviders
internal import RequestSigning
internal import Testing

@Suite("A role of IAM Identity Center")
struct SSOProviderTests {
  static func provider(
    _ services: RecordedServices, session: String? = "my-sso", account: String = "123456789012"
  ) throws -> SSOProvider {
    try SSOProvider(
      startURL: "https://example.awsapps.com/start", session: session, region: "eu-west-1",
      accountID: account, roleName: "Reader", sources: services.sources)
  }

  static func services(_ file: String?, _ answers: RecordedServices.Answer...) throws
    -> RecordedServices
  {
    let files = file.map {
      [ProviderExamples.sessionFile: $0, ProviderExamples.startFile: $0]
    }
    let services = try RecordedServices(variables: ["HOME": "/home/user"], files: files ?? [:])
    for answer in answers { services.add(answer) }
    return services
  }

  static let credentials = RecordedServices.Answer.text(200, ProviderExamples.sso())
  static let renewed = RecordedServices.Answer.text(
    200, "{\"accessToken\":\"renewed\",\"expiresIn\":28800,\"tokenType\":\"Bearer\"}")
  static let almostOver = ProviderExamples.signIn(expiresAt: "2024-01-02T03:19:04Z")
  static let over = ProviderExamples.signIn(expiresAt: "2024-01-02T03:04:05Z")

  @Test("A valid sign-in returns the role, whose expiration is in milliseconds")
  func role() async throws {
    for session in ["my-sso", nil] {
      let services = try Self.services(ProviderExamples.signIn(), Self.credentials)
      let provided = try await Self.provider(services, session: session).credentials()
      try ProviderExamples.expectCredentials(provided)
      #expect(
        provided.source == "the role \"Reader\" in the account 123456789012 of IAM Identity Center "
          + "(https://portal.sso.eu-west-1.amazonaws.com)")
      #expect(services.requests.map { $0.headers[0].value } == [Secret.accessToken])
    }
  }

  @Test("A sign-in with 15 minutes left is used. With less, it's renewed and saved")
  func renewal() async throws {
    let enough = try Self.services(
      ProviderExamples.signIn(expiresAt: "2024-01-02T03:19:05Z"), Self.credentials)
    _ = try await Self.provider(enough).credentials()
    #expect(enough.requests.count == 1)

    for file in [Self.almostOver, Self.over] {
      let services = try Self.services(file, Self.renewed, Self.credentials)
      _ = try await Self.provider(services).credentials()
      #expect(services.targets[0] == "POST https://oidc.eu-west-1.amazonaws.com/token")
      #expect(services.requests[1].headers[0].value == "renewed")
      let written = try #require(services.text(ofFile: ProviderExamples.sessionFile))
      #expect(written.contains("\"expiresAt\":\"2024-01-02T11:04:05Z\""))
    }
  }

  @Test("A failed renewal keeps a valid sign-in, and an expired one needs a new sign-in")
  func failedRenewal() async throws {
    let refusal = RecordedServices.Answer.text(
      400, "{\"error\":\"invalid_grant\",\"error_description\":\"\(Secret.refreshToken)\"}")
    let living = try Self.services(Self.almostOver, refusal, Self.credentials)
    try ProviderExamples.expectCredentials(try await Self.provider(living).credentials())
    #expect(living.requests[1].headers[0].value == Secret.accessToken)
    #expect(living.text(ofFile: ProviderExamples.sessionFile) == Self.almostOver)

    let ended = try Self.services(Self.over, refusal)
    let error = await failure(of: try Self.provider(ended))
    #expect(error.code == .signInRequired)
    #expect(error.message.contains("\"invalid_grant\": \"(not shown)\""))
    #expect(error.fix == "Sign in with 'aws sso login --sso-session \"my-sso\"'.")
    for answer in [
      "", "{}", "{\"accessToken\":\"a b\",\"expiresIn\":1}",
      "{\"accessToken\":\"a\",\"expiresIn\":0}",
    ] {
      let services = try Self.services(Self.over, .text(200, answer))
      #expect(await failure(of: try Self.provider(services)).code == .signInRequired)
    }
  }

  @Test("An outage doesn't require a new sign-in")
  func down() async throws {
    let fails: [(RecordedServices.Answer, CredentialError.Code)] = [
      (.failure(.timedOut), .timedOut), (.failure(.unreachable), .unreachable),
      (.text(503, ""), .unreachable), (.text(429, ""), .unreachable),
    ]
    for (answer, code) in fails {
      let services = try Self.services(Self.over, answer, answer, answer)
      #expect(await failure(of: try Self.provider(services)).code == code)
      let living = try Self.services(Self.almostOver, answer, answer, answer, Self.credentials)
      try ProviderExamples.expectCredentials(try await Self.provider(living).credentials())
    }
  }

  @Test("A client without TLS doesn't require a new sign-in")
  func noTLS() async throws {
    let services = try Self.services(Self.over, .failure(.invalidConfiguration))
    #expect(await failure(of: try Self.provider(services)).code == .invalidConfiguration)
  }

  @Test("A sign-in without session, without registration or with an old one isn't renewed")
  func noRenewal() async throws {
    let oldRegistration = ProviderExamples.signIn(
      expiresAt: "2024-01-02T03:04:05Z", registration: "2024-01-02T03:04:05Z")
    for (file, session) in [
      (Self.over, nil), (oldRegistration, "my-sso"),
      (Self.over.replacing("clientSecret", with: "other"), "my-sso"),
    ] {
      let services = try Self.services(file)
      #expect(
        await failure(of: try Self.provider(services, session: session)).code == .signInRequired)
    }
  }

  @Test("A renewed sign-in that can't be saved is reported, because the old one is used up")
  func unwritable() async throws {
    let services = try Self.services(Self.almostOver, Self.renewed)
    var sources = services.sources
    sources.replaceFile = { (_, _) throws(CredentialError) in
      throw CredentialError(.invalidFile, "No space is left.", fix: "Remove files.")
    }
    let provider = try SSOProvider(
      startURL: "https://example.awsapps.com/start", session: "my-sso", region: "eu-west-1",
      accountID: "123456789012", roleName: "Reader", sources: sources)
    #expect(await failure(of: provider).code == .invalidFile)
  }

  @Test("A cached file that can't be read is an error, and without a file there is no sign-in")
  func files() async throws {
    for file in [
      "", "{", "[]", "{}", "{\"accessToken\":\"\(Secret.accessToken)\"}",
      ProviderExamples.signIn(expiresAt: "tomorrow"),
      ProviderExamples.signIn().replacing(Secret.accessToken, with: "a\\nb"),
    ] {
      let services = try Self.services(file)
      #expect(await failure(of: try Self.provider(services)).code == .invalidFile)
    }
    let error = await failure(of: try Self.provider(try Self.services(nil)))
    #expect(error.code == .signInRequired)
    #expect(error.message.contains("aws sso login"))
    let homeless = try RecordedServices()
    #expect(await failure(of: try Self.provider(homeless)).code == .invalidConfiguration)
  }

  @Test("The times of version 1 of the AWS CLI are read")
  func oldTime() async throws {
    let services = try Self.services(
      ProviderExamples.signIn(expiresAt: "2024-01-02T09:04:05UTC"), Self.credentials)
    _ = try await Self.provider(services, session: nil).credentials()
  }

  @Test("The portal's errors: 401 needs a new sign-in, 403 an assignment, 500 another attempt")
  func refusals() async throws {
    // IAM Identity Center Portal API Reference, GetRoleCredentials, Errors.
    let unauthorized = RecordedServices.Answer.text(
      401, "{\"message\":\"Session token not found or invalid\"}",
      headers: ["x-amzn-ErrorType": "UnauthorizedException:http://internal"])
    let first = await failure(
      of: try Self.provider(try Self.services(ProviderExamples.signIn(), unauthorized)))
    #expect(first.code == .signInRequired)
    #expect(
      first.message.contains(#"401, "UnauthorizedException": "Session token not found or invalid""#)
    )

    let forbidden = RecordedServices.Answer.text(
      403, "{\"message\":\"No access\",\"__type\":\"com.amazonaws.sso#ForbiddenException\"}")
    let second = await failure(
      of: try Self.provider(try Self.services(ProviderExamples.signIn(), forbidden)))
    #expect(second.code == .accessDenied)
    #expect(second.message.contains("\"ForbiddenException\": \"No access\""))

    let services = try Self.services(
      ProviderExamples.signIn(), .text(500, ""), .text(429, ""), Self.credentials)
    _ = try await Self.provider(services).credentials()
    #expect(services.requests.count == 3)
    let redirected = try Self.services(ProviderExamples.signIn(), .redirect)
    #expect(await failure(of: try Self.provider(redirected)).code == .accessDenied)
  }

  @Test("An incomplete response is rejected")
  func broken() async throws {
    for (answer, code) in [
      ("", CredentialError.Code.invalidResponse), ("{}", .invalidResponse),
      ("{\"roleCredentials\":null}", .invalidResponse),
      (ProviderExamples.sso(expiration: "\"1704186245000\""), .invalidResponse),
      (ProviderExamples.sso(expiration: "1e300"), .invalidResponse),
      (ProviderExamples.sso(expiration: "1704164645000"), .expired),
      (ProviderExamples.sso(expiration: "0"), .expired),
      (ProviderExamples.sso().replacing("sessionToken", with: "other"), .invalidResponse),
    ] as [(String, CredentialError.Code)] {
      let services = try Self.services(ProviderExamples.signIn(), .text(200, answer))
      #expect(await failure(of: try Self.provider(services)).code == code, "\(answer)")
    }
  }

  @Test("Settings that can only be wrong are rejected at once")
  func settings() throws {
    let services = try RecordedServices()
    for account in ["", "12345678901", "1234567890123", "12345678901a", "１23456789012"] {
      #expect(throws: CredentialError.self) { try Self.provider(services, account: account) }
    }
    #expect(throws: CredentialError.self) {
      try SSOProvider(
        startURL: "", region: "eu/west", accountID: "123456789012", roleName: "r",
        sources: services.sources)
    }
    var settings = ServiceSettings()
    settings.setEndpointURL("http://example.com", of: .sso)
    #expect(throws: CredentialError.self) {
      try SSOProvider(
        startURL: "", region: "eu-west-1", accountID: "123456789012", roleName: "r",
        settings: settings, sources: services.sources)
    }
  }
}
