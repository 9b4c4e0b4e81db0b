// SPDX-License-Identifier: Apache-2.0
// The role of a container, over real HTTP on this machine.

internal import CredentialProviders
internal import Foundation
internal import SigningTestSupport
internal import Testing

@Suite("The role of a container, from a server on this machine")
struct ContainerLoopbackTests {
  static func fixture(
    faults: [String] = [], longestWait: Double = 10
  ) throws -> CredentialFixture {
    let folder = try TemporaryFolder()
    let token = folder.url.appendingPathComponent("token")
    try Data("first token".utf8).write(to: token)
    return try CredentialFixture(
      .init(authorizationFile: token.path, faults: ["container": faults]), folder: folder,
      longestWait: longestWait
    ) { server in
      [
        "AWS_CONTAINER_CREDENTIALS_FULL_URI": server.url + "/container",
        "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": token.path,
      ]
    }
  }

  @Test("It's returned for the file's token, even after the file is renewed")
  func role() async throws {
    let fixture = try Self.fixture()
    let provider = ContainerProvider(sources: fixture.sources)
    try await fixture.expectAccepted(try await provider.credentials())
    let token = fixture.folder.url.appendingPathComponent("token")
    try Data("second token".utf8).write(to: token)
    try await fixture.expectAccepted(try await provider.credentials())
    let asked = try fixture.server.received().filter { $0.step == "container" }
    #expect(asked.map { $0.value("authorization") } == ["first token", "second token"])
    #expect(asked.map { $0.value("accept") } == ["application/json", "application/json"])
  }

  @Test("A rejected token is reported, and the error doesn't contain the token")
  func refusal() async throws {
    let fixture = try Self.fixture()
    let error = await fixture.failure(
      of: ContainerProvider(sources: fixture.reading("another token")), hiding: ["another token"])
    #expect(error.code == .accessDenied)
    #expect(error.message.contains("status 403, \"AccessDenied\""))
  }

  @Test("Faults of the service end in errors or in a further attempt, and a redirect ends there")
  func faults() async throws {
    let faults = CredentialFault.all()
    let fixture = try Self.fixture(faults: faults.flatMap(\.answers))
    try await fixture.expect(
      faults, of: ContainerProvider(sources: fixture.sources), at: "container")
  }

  @Test("A service that's silent for longer than 2 seconds is called again")
  func patience() async throws {
    let fixture = try Self.fixture(faults: ["hang"])
    let start = ContinuousClock.now
    try await fixture.expectAccepted(
      try await ContainerProvider(sources: fixture.sources).credentials())
    #expect(ContinuousClock.now - start >= .seconds(2))
    #expect(try fixture.server.count("container") == 2)
  }

  @Test("A silent service times out")
  func silence() async throws {
    let fixture = try Self.fixture(faults: ["hang", "hang", "hang"], longestWait: 0.3)
    let error = await fixture.failure(of: ContainerProvider(sources: fixture.sources))
    #expect(error.code == .timedOut)
    #expect(error.message.contains("(3 attempts)"))
  }
}
