// SPDX-License-Identifier: Apache-2.0
// A role of IAM Identity Center, over real HTTP on this machine, from a sign-in in a real file.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import SigningTestSupport
internal import Testing

@Suite("A role of IAM Identity Center, from a server on this machine")
struct IdentityCenterLoopbackTests {
  static let signIn = [
    "accessToken": "SsOaCcEsSToKeN", "refreshToken": "SsOrEfReShToKeN", "clientId": "client",
    "clientSecret": "SsOcLiEnTsEcReT",
  ]
  static let secrets = ["SsOaCcEsSToKeN", "SsOrEfReShToKeN", "SsOcLiEnTsEcReT"]

  /// The name of the file: `printf my-sso | sha1sum`.
  static let fileName = "0ad374308c5a4e22f723adf10145eafad7c4031c.json"

  /// A fixture with a sign-in that expires after this many seconds.
  static func fixture(
    secondsLeft: Int64 = 28_800, token: String? = nil, _ faults: [String: [String]] = [:],
    longestWait: Double = 10
  ) throws -> CredentialFixture {
    let fixture = try CredentialFixture(
      .init(signIn: signIn, faults: faults), longestWait: longestWait)
    let format = ISO8601DateFormatter()
    func text(_ seconds: Int64) -> String {
      format.string(from: Date(timeIntervalSinceNow: Double(seconds)))
    }
    var file = signIn
    if let token { file["accessToken"] = token }
    file["expiresAt"] = text(secondsLeft)
    file["registrationExpiresAt"] = text(5_000_000)
    try JSONEncoder().encode(file).write(
      to: fixture.folder.url.appendingPathComponent(fileName))
    return fixture
  }

  static func provider(
    _ fixture: CredentialFixture, role: String = "read & write"
  ) throws -> SSOProvider {
    var settings = ServiceSettings()
    settings.setEndpointURL(fixture.server.url, of: .sso)
    settings.setEndpointURL(fixture.server.url + "/", of: .ssoOIDC)
    return try SSOProvider(
      startURL: "https://example.awsapps.com/start", session: "my-sso", region: "eu-west-1",
      accountID: "123456789012", roleName: role, cacheFolder: fixture.folder.url.path,
      settings: settings, sources: fixture.sources)
  }

  static func kept(_ fixture: CredentialFixture) throws -> [String: String] {
    let file = fixture.folder.url.appendingPathComponent(fileName)
    return try JSONDecoder().decode([String: String].self, from: Data(contentsOf: file))
  }

  @Test("Credentials are returned for the sign-in in the file, which is unchanged while it's valid")
  func role() async throws {
    let fixture = try Self.fixture()
    let before = try Self.kept(fixture)
    let provided = try await Self.provider(fixture).credentials()
    try await fixture.expectAccepted(provided)
    #expect(try Self.kept(fixture) == before)
    #expect(try fixture.server.received().map(\.step) == ["portal", "AssumeRole"])
  }

  @Test("A sign-in that's about to end is renewed and written back, and serves the next question")
  func renewal() async throws {
    for secondsLeft in [600, -600] as [Int64] {
      let fixture = try Self.fixture(secondsLeft: secondsLeft)
      let provider = try Self.provider(fixture)
      try await fixture.expectAccepted(try await provider.credentials())
      let kept = try Self.kept(fixture)
      #expect(kept["accessToken"] != "SsOaCcEsSToKeN")
      #expect(kept["refreshToken"] != "SsOrEfReShToKeN")
      #expect(kept["clientSecret"] == "SsOcLiEnTsEcReT")
      let file = fixture.folder.url.appendingPathComponent(Self.fileName)
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
      try await fixture.expectAccepted(try await provider.credentials())
      let steps = try fixture.server.received().map(\.step).filter { $0 != "AssumeRole" }
      #expect(steps == ["renewal", "portal", "portal"])
    }
  }

  @Test("A sign-in that can't be renewed is used until it expires")
  func failedRenewal() async throws {
    for fault in ["500", "garbage", "redirect", "close", "cut", "404"] {
      let answers = [String](repeating: fault, count: 3)
      let living = try Self.fixture(secondsLeft: 600, ["renewal": answers])
      try await living.expectAccepted(try await Self.provider(living).credentials())
      #expect(try living.server.count("elsewhere") == 0)
    }
    let ended = try Self.fixture(
      secondsLeft: -600, ["renewal": ["garbage", "redirect", "404", "500", "503", "500"]])
    let provider = try Self.provider(ended)
    for code: CredentialError.Code in [
      .signInRequired, .signInRequired, .signInRequired, .unreachable,
    ] {
      let error = await ended.failure(of: provider, hiding: Self.secrets)
      #expect(error.code == code)
    }
    #expect(try ended.server.count("elsewhere") == 0)
    try await ended.expectAccepted(try await provider.credentials())
  }

  @Test("A rejected sign-in requires a new one, and another account's role is rejected")
  func refusals() async throws {
    let fixture = try Self.fixture(token: "withdrawn-token")
    let withdrawn = await fixture.failure(
      of: try Self.provider(fixture), hiding: ["withdrawn-token"])
    #expect(withdrawn.code == .signInRequired)
    #expect(withdrawn.message.contains("aws sso login"))
    let foreign = try Self.fixture()
    let error = await foreign.failure(
      of: try Self.provider(foreign, role: "administrator"), hiding: Self.secrets)
    #expect(error.code == .accessDenied)
    #expect(error.message.contains("status 403, \"ForbiddenException\""))
  }

  @Test("Faults of the portal end in errors or in a further attempt, and a redirect ends there")
  func faults() async throws {
    let faults = CredentialFault.all()
    let fixture = try Self.fixture(["portal": faults.flatMap(\.answers)])
    try await fixture.expect(faults, of: try Self.provider(fixture), at: "portal")
  }

  @Test("A silent portal times out")
  func silence() async throws {
    let fixture = try Self.fixture(["portal": ["hang", "hang", "hang"]], longestWait: 0.3)
    let error = await fixture.failure(of: try Self.provider(fixture), hiding: Self.secrets)
    #expect(error.code == .timedOut)
    #expect(error.message.contains("(3 attempts)"))
  }
}
