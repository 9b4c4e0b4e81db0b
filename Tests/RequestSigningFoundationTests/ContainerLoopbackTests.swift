// SPDX-License-Identifier: Apache-2.0
// The role of a container, over real HTTP on this machine.

internal import CredentialProviders
internal import Foundation
internal import Testing

@Suite("The role of a container, from a server on this machine")
struct ContainerLoopbackTests {
  static func world(
    faults: [String] = [], longestWait: Double = 10
  ) throws -> CredentialWorld {
    let folder = try TemporaryFolder()
    let token = folder.location.appendingPathComponent("token")
    try Data("first token".utf8).write(to: token)
    return try CredentialWorld(
      .init(authorizationFile: token.path, faults: ["container": faults]), folder: folder,
      longestWait: longestWait
    ) { server in
      [
        "AWS_CONTAINER_CREDENTIALS_FULL_URI": server.url + "/container",
        "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": token.path,
      ]
    }
  }

  @Test("It is given with the token of the file, also after the file was renewed")
  func role() async throws {
    let world = try Self.world()
    let provider = ContainerProvider(sources: world.sources)
    try await world.expectAccepted(try await provider.credentials())
    let token = world.folder.location.appendingPathComponent("token")
    try Data("second token".utf8).write(to: token)
    try await world.expectAccepted(try await provider.credentials())
    let asked = try world.server.received().filter { $0.step == "container" }
    #expect(asked.map { $0.value("authorization") } == ["first token", "second token"])
    #expect(asked.map { $0.value("accept") } == ["application/json", "application/json"])
  }

  @Test("A service that refuses the token refuses, and the token is not repeated")
  func refusal() async throws {
    let world = try Self.world()
    let error = await world.failure(
      of: ContainerProvider(sources: world.reading("another token")), hiding: ["another token"])
    #expect(error.code == .refused)
    #expect(error.message.contains("status 403, \"AccessDenied\""))
  }

  @Test("Faults of the service end in errors or in a further attempt, and a redirect ends there")
  func faults() async throws {
    let faults = CredentialFault.all()
    let world = try Self.world(faults: faults.flatMap(\.answers))
    try await world.expect(
      faults, of: ContainerProvider(sources: world.sources), at: "container")
  }

  @Test("A service that is silent for longer than 2 seconds is asked once more")
  func patience() async throws {
    let world = try Self.world(faults: ["hang"])
    let start = ContinuousClock.now
    try await world.expectAccepted(
      try await ContainerProvider(sources: world.sources).credentials())
    #expect(ContinuousClock.now - start >= .seconds(2))
    #expect(try world.server.count("container") == 2)
  }

  @Test("A service that stays silent has not answered in time")
  func silence() async throws {
    let world = try Self.world(faults: ["hang", "hang", "hang"], longestWait: 0.3)
    let error = await world.failure(of: ContainerProvider(sources: world.sources))
    #expect(error.code == .timedOut)
    #expect(error.message.contains("(asked 3 times)"))
  }
}
