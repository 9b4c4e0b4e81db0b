// SPDX-License-Identifier: Apache-2.0
// An identity pool of Cognito, over real HTTP on this machine.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import RequestSigningFoundation
internal import SigningTestSupport
internal import Testing

@Suite("Credentials of a Cognito identity pool, from a server on this machine")
struct CognitoLoopbackTests {
  static let pool = "us-east-1:01234567-89ab-cdef-0123-456789abcdef"
  static let login = CognitoLogin(provider: "slack.com", token: "xoxp \"é\" \\ 1")

  static func fixture(
    _ faults: [String: [String]] = [:], longestWait: Double = 10
  ) throws -> CredentialFixture {
    try CredentialFixture(
      .init(pool: pool, logins: [login.provider: login.token], faults: faults),
      longestWait: longestWait)
  }

  static func provider(
    _ fixture: CredentialFixture, _ visitor: CognitoProvider.Visitor = .guest,
    pool: String = pool, identities: CognitoIdentityStore = .memory()
  ) throws -> CognitoProvider {
    CognitoProvider(
      pool: try CognitoIdentityPool(pool, endpoint: fixture.server.url), visitor: visitor,
      identities: identities, sources: fixture.sources)
  }

  @Test("A guest is made once, and stays the same over launches")
  func guest() async throws {
    let fixture = try Self.fixture()
    let path = fixture.folder.url.appendingPathComponent("identity.json").path
    for _ in 0..<2 {
      let store = CognitoIdentityStore.file(path, sources: fixture.sources)
      let provider = try Self.provider(fixture, identities: store)
      try await fixture.expectAccepted(try await provider.credentials())
    }
    let steps = try fixture.server.received().map(\.step).filter { $0 != "AssumeRole" }
    #expect(steps == ["GetId", "GetCredentialsForIdentity", "GetCredentialsForIdentity"])
  }

  @Test("A login gets its own credentials, with any characters in its token")
  func login() async throws {
    let fixture = try Self.fixture()
    let provider = try Self.provider(
      fixture, .logins({ () async throws(CredentialError) in [Self.login] }))
    let provided = try await provider.credentials()
    #expect(provided.source.contains("slack.com"))
    try await fixture.expectAccepted(provided)
  }

  @Test("A wrong token and another pool are rejected, and the error doesn't contain the token")
  func refusals() async throws {
    let fixture = try Self.fixture()
    let login = CognitoLogin(provider: "slack.com", token: "StOlEnToKeN")
    let error = await fixture.failure(
      of: try Self.provider(fixture, .logins({ () async throws(CredentialError) in [login] })),
      hiding: [login.token])
    #expect(error.code == .accessDenied)
    #expect(error.message.contains("status 400, \"NotAuthorizedException\""))
    let foreign = await fixture.failure(of: try Self.provider(fixture, pool: "us-east-1:other"))
    #expect(foreign.code == .accessDenied)
    #expect(foreign.message.contains("\"ResourceNotFoundException\""))
  }

  @Test("An identity that the pool no longer recognizes is replaced, once")
  func forgottenIdentity() async throws {
    let fixture = try Self.fixture()
    let store = CognitoIdentityStore.memory([Self.pool: "us-east-1:deleted"])
    try await fixture.expectAccepted(
      try await Self.provider(fixture, identities: store).credentials())
    #expect(try await store.identityID(inPool: Self.pool) != "us-east-1:deleted")
    let steps = try fixture.server.received().map(\.step).filter { $0 != "AssumeRole" }
    #expect(steps == ["GetCredentialsForIdentity", "GetId", "GetCredentialsForIdentity"])
  }

  @Test("Faults of the service end in errors or in a further attempt, and a redirect ends there")
  func faults() async throws {
    let faults = CredentialFault.all()
    let answers = faults.flatMap(\.answers)
    let fixture = try Self.fixture(["GetCredentialsForIdentity": answers])
    try await fixture.expect(faults, of: Self.provider(fixture), at: "GetCredentialsForIdentity")
    #expect(try fixture.server.count("GetId") == 1)
    // A failed GetId returns no identity, and the next call tries again.
    let errors = faults.filter { $0.code != nil && $0.code != .expired }
    let other = try Self.fixture(["GetId": errors.flatMap(\.answers)])
    let provider = try Self.provider(other)
    try await other.expect(errors, of: provider, at: "GetId")
    #expect(try other.server.count("GetCredentialsForIdentity") == 0)
    try await other.expectAccepted(try await provider.credentials())
  }

  @Test("A silent service times out")
  func silence() async throws {
    for step in ["GetId", "GetCredentialsForIdentity"] {
      let fixture = try Self.fixture([step: ["hang", "hang", "hang"]], longestWait: 0.3)
      let identity = ["GetId": [:], "GetCredentialsForIdentity": [Self.pool: "us-east-1:kept"]]
      let store = CognitoIdentityStore.memory(identity[step] ?? [:])
      let error = await fixture.failure(of: try Self.provider(fixture, identities: store))
      #expect(error.code == .timedOut)
      #expect(error.message.contains("(3 attempts)"))
    }
  }
}
