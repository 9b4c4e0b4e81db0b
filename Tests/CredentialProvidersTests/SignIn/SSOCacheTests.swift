// SPDX-License-Identifier: Apache-2.0
// The cached sign-in of IAM Identity Center: what is written to it, and who else may have written to it.

internal import CredentialProviders
internal import DocumentSupport
internal import RequestSigning
internal import Testing

@Suite("The cached sign-in of IAM Identity Center")
struct SSOCacheTests {
  private static let path = ProviderExamples.sessionFile
  private static let theirs = ProviderExamples.signIn().replacing(
    Secret.accessToken, with: "their-access-token")
  private static let refusal = RecordedServices.Answer.text(
    400, #"{"error":"invalid_grant","error_description":"spent"}"#)

  private static func provider(
    _ services: RecordedServices, _ sources: CredentialSources? = nil
  ) throws -> SSOProvider {
    try SSOProvider(
      startURL: "https://example.awsapps.com/start", session: "my-sso", region: "eu-west-1",
      accountID: "123456789012", roleName: "Reader", sources: sources ?? services.sources)
  }

  /// The token of the last request to the portal.
  private static func token(_ services: RecordedServices) -> String? {
    services.requests.last?.headers.values(named: "x-amz-sso_bearer_token").first
  }

  /// A refresh token is valid once, so only one of several processes succeeds.
  @Test("A token that another process renewed is used before the user must sign in again")
  func renewedElsewhere() async throws {
    for waits in 0...5 {
      let services = try SSOProviderTests.services(
        SSOProviderTests.over, Self.refusal, SSOProviderTests.credentials)
      let sources = services.sources(writing: [Self.path: Self.theirs], afterWaits: waits)
      try ProviderExamples.expectCredentials(
        try await Self.provider(services, sources).credentials())
      #expect(Self.token(services) == "their-access-token")
      #expect(services.text(ofFile: Self.path) == Self.theirs)
    }
    // While the old token is valid, there's no wait, but an existing new one is used.
    for (waits, token) in [(0, "their-access-token"), (1, Secret.accessToken)] {
      let services = try SSOProviderTests.services(
        SSOProviderTests.almostOver, Self.refusal, SSOProviderTests.credentials)
      let sources = services.sources(writing: [Self.path: Self.theirs], afterWaits: waits)
      try ProviderExamples.expectCredentials(
        try await Self.provider(services, sources).credentials())
      #expect(Self.token(services) == token)
      #expect(services.waits.isEmpty)
    }
  }

  @Test("An expired sign-in is reported within a few seconds, after one request")
  func ended() async throws {
    let services = try SSOProviderTests.services(SSOProviderTests.over, Self.refusal)
    #expect(await failure(of: try Self.provider(services)).code == .signInRequired)
    #expect(services.requests.count == 1)
    let waited = services.waits.reduce(Duration.zero, +)
    #expect(waited > .seconds(2) && waited < .seconds(5))
    for worse in ["", "{", SSOProviderTests.over.replacing(Secret.accessToken, with: "older")] {
      let services = try SSOProviderTests.services(SSOProviderTests.over, Self.refusal)
      let sources = services.sources(writing: [Self.path: worse], afterWaits: 1)
      #expect(await failure(of: try Self.provider(services, sources)).code == .signInRequired)
    }
  }

  /// The portal: IAM Identity Center Portal API Reference, GetRoleCredentials, UnauthorizedException.
  @Test("A token that the portal no longer accepts is looked for in the file again, once")
  func unauthorized() async throws {
    let refusal = RecordedServices.Answer.text(401, #"{"message":"Session token not found"}"#)
    let services = try SSOProviderTests.services(
      ProviderExamples.signIn(), refusal, SSOProviderTests.credentials)
    let sources = services.sources(writing: [Self.path: Self.theirs], afterWaits: 0)
    try ProviderExamples.expectCredentials(try await Self.provider(services, sources).credentials())
    #expect(Self.token(services) == "their-access-token")
    let twice = try SSOProviderTests.services(ProviderExamples.signIn(), refusal, refusal)
    let again = twice.sources(writing: [Self.path: Self.theirs], afterWaits: 0)
    #expect(await failure(of: try Self.provider(twice, again)).code == .signInRequired)
    #expect(twice.requests.count == 2)
    let same = try SSOProviderTests.services(ProviderExamples.signIn(), refusal)
    #expect(await failure(of: try Self.provider(same)).code == .signInRequired)
    #expect(same.requests.count == 1)
  }

  /// IAM Identity Center User Guide, "Configure the session duration": 90 days at most.
  @Test(
    "A token is valid for at most 90 days, whatever the response says",
    arguments: [
      ("1", "2024-01-02T03:04:06Z"), ("28800", "2024-01-02T11:04:05Z"),
      ("7776000", "2024-04-01T03:04:05Z"), ("7776001", "2024-04-01T03:04:05Z"),
      ("1073741824", "2024-04-01T03:04:05Z"), ("1e300", "2024-04-01T03:04:05Z"),
    ])
  func longLife(seconds: String, end: String) async throws {
    let services = try SSOProviderTests.services(
      SSOProviderTests.over, .text(200, "{\"accessToken\":\"new\",\"expiresIn\":\(seconds)}"),
      SSOProviderTests.credentials)
    _ = try await Self.provider(services).credentials()
    let text = try #require(services.text(ofFile: Self.path))
    #expect(text.contains("\"expiresAt\":\"\(end)\""))
  }

  /// RFC 6749, A.17: a refresh token is of visible ASCII and spaces.
  @Test("An unusable response doesn't overwrite a usable sign-in")
  func unusable() async throws {
    for answer in [
      #""accessToken":"","expiresIn":60"#, #""accessToken":"a\r\nb","expiresIn":60"#,
      #""accessToken":"a","expiresIn":"60""#, #""accessToken":"a","expiresIn":-60"#,
      #""accessToken":"a","expiresIn":60,"refreshToken":5"#,
      #""accessToken":"a","expiresIn":60,"refreshToken":"a\nb""#,
      #""accessToken":"a","expiresIn":60,"refreshToken":"é""#,
    ] {
      let services = try SSOProviderTests.services(
        SSOProviderTests.almostOver, .text(200, "{\(answer)}"), SSOProviderTests.credentials)
      try ProviderExamples.expectCredentials(try await Self.provider(services).credentials())
      #expect(Self.token(services) == Secret.accessToken, "\(answer)")
      #expect(services.text(ofFile: Self.path) == SSOProviderTests.almostOver, "\(answer)")
    }
  }
}
