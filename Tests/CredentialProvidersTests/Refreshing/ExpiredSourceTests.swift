// SPDX-License-Identifier: Apache-2.0
// Credentials that their source doesn't know to be expired: roles and S3 Express sessions drop them,
// and ask once more.

internal import CredentialProviders
internal import RequestSigning
internal import Testing

/// A file of keys without an expiration, which another program replaces: KEY1, then KEY2, and so on.
private actor ReplacedKeys: CredentialResolver {
  private let count: Int
  private var asked = 0

  /// - Parameter count: the number of keys. The last one stays.
  init(count: Int) { self.count = count }

  func credentials() async throws(CredentialError) -> ResolvedCredentials {
    asked += 1
    do {
      return ResolvedCredentials(
        try SigV4.Credentials(
          accessKeyID: "KEY\(min(asked, count))", secretAccessKey: Secret.callerKey,
          sessionToken: Secret.callerToken),
        source: "a file")
    } catch {
      throw CredentialError(.invalidConfiguration, error.problem, fix: error.fix)
    }
  }
}

@Suite("Expired credentials of a cached source")
struct ExpiredSourceTests {
  /// The keys in the order of the requests.
  private func keys(_ services: RecordedServices) -> [String] {
    services.requests.flatMap { $0.headers.values(named: "authorization") }.map {
      String(
        $0.drop { $0 != "=" }.dropFirst().prefix { $0 != "/" })
    }
  }

  private func cached(_ count: Int, _ services: RecordedServices) -> SigV4.CredentialProvider {
    SigV4.CredentialProvider(ReplacedKeys(count: count), now: services.sources.now)
  }

  // AWS STS API Reference, Common Errors: ExpiredTokenException. botocore 1.44: ExpiredToken.
  @Test(
    "A role is assumed with the new ones", arguments: ["ExpiredToken", "ExpiredTokenException"])
  func role(code: String) async throws {
    let services = try RecordedServices(
      .text(403, ProviderExamples.securityTokenError(code, "The token is expired")),
      .text(200, ProviderExamples.securityToken()))
    let role = try AssumeRoleProvider(
      roleARN: ProviderExamples.role, endpoint: .regional("us-east-1"), source: cached(2, services),
      sources: services.sources)
    try ProviderExamples.expectCredentials(try await role.credentials())
    #expect(keys(services) == ["KEY1", "KEY2"])
  }

  // 2024-01-02T03:04:05Z here, and two hours later at the service.
  @Test("A role is assumed with new ones if the old ones have expired by the service's clock")
  func wrongClock() async throws {
    let late = RecordedServices.Answer.text(
      403, ProviderExamples.securityTokenError("RequestExpired", "Signature expired"),
      headers: ["Date": "Tue, 02 Jan 2024 05:04:05 GMT"])
    let services = try RecordedServices(late, late, .text(200, ProviderExamples.securityToken()))
    let source = try GatedSource([issued("KEY1", until: 6_000), issued("KEY2", until: 11_000)])
    let role = try AssumeRoleProvider(
      roleARN: ProviderExamples.role, endpoint: .regional("us-east-1"),
      source: SigV4.CredentialProvider(source, now: services.sources.now),
      sources: services.sources)
    try ProviderExamples.expectCredentials(try await role.credentials())
    #expect(keys(services) == ["KEY1", "KEY2", "KEY2"])
  }

  @Test("A role whose source has no others isn't requested again")
  func same() async throws {
    let services = try RecordedServices(
      .text(403, ProviderExamples.securityTokenError("ExpiredToken", "The token is expired")))
    let role = try AssumeRoleProvider(
      roleARN: ProviderExamples.role, endpoint: .regional("us-east-1"), source: cached(1, services),
      sources: services.sources)
    #expect(await failure(of: role).code == .expired)
    #expect(keys(services) == ["KEY1"])
  }

  @Test("A second rejection is an error, after two requests")
  func twice() async throws {
    let expired = RecordedServices.Answer.text(
      403, ProviderExamples.securityTokenError("ExpiredToken", "The token is expired"))
    let services = try RecordedServices(expired, expired)
    let role = try AssumeRoleProvider(
      roleARN: ProviderExamples.role, endpoint: .regional("us-east-1"), source: cached(3, services),
      sources: services.sources)
    #expect(await failure(of: role).code == .expired)
    #expect(keys(services) == ["KEY1", "KEY2"])
  }

  // Amazon S3 API Reference, "Error responses": ExpiredToken.
  @Test("A session of S3 Express is opened with the new ones, also of a chain")
  func session() async throws {
    let services = try RecordedServices(
      .text(400, "<Error><Code>ExpiredToken</Code></Error>"),
      .text(200, ProviderExamples.expressSession()))
    let chain = CredentialProviderChain([ProviderChainTests.empty, cached(2, services)])
    let provided = try await ExpressSessionProvider(
      ExpressSessionTests.bucket(), source: chain, sources: services.sources
    ).credentials()
    #expect(provided.source.hasSuffix("opened by a file"))
    #expect(keys(services) == ["KEY1", "KEY2"])
  }

  @Test("A chain passes a rejection on to all of its providers")
  func chain() async throws {
    let services = try RecordedServices()
    let chain = CredentialProviderChain([ProviderChainTests.empty, cached(2, services)])
    let first = try await chain.credentials()
    #expect(first.credentials.identity.accessKeyID == "KEY1")
    await chain.invalidate(first)
    #expect(try await chain.credentials().credentials.identity.accessKeyID == "KEY2")
  }
}
