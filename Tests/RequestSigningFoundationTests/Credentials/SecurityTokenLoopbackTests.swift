// SPDX-License-Identifier: Apache-2.0
// Roles of the Security Token Service, over real HTTP on this machine, which checks signatures.

internal import RequestVerification
internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import SecureHashing
internal import SigningTestSupport
internal import Testing

/// The server computes each signature itself, with hmac and hashlib of Python.
@Suite("A role that's assumed, from a server on this machine")
struct SecurityTokenLoopbackTests {
  /// The keys of AWS's examples.
  static let secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
  static let keys = ["AKIAIOSFODNN7EXAMPLE": secret]

  static func caller(
    secret: String = secret, token: String? = nil
  ) throws -> SigV4.Credentials {
    try SigV4.Credentials(
      accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: secret, sessionToken: token)
  }

  @Test("It's returned for the right signature, and its credentials assume another role")
  func role() async throws {
    let fixture = try CredentialFixture(.init(keys: Self.keys))
    let first = try await fixture.assumeRole(as: Self.caller()).credentials()
    try await fixture.expectAccepted(first)
    let second = try await fixture.assumeRole(as: first.credentials).credentials()
    try await fixture.expectAccepted(second)
    #expect(first.source.contains(CredentialFixture.role))
    #expect(try fixture.server.received().map(\.status) == [200, 200, 200, 200])
  }

  @Test("This package's verifier accepts the received request, including its body")
  func verifier() async throws {
    let fixture = try CredentialFixture(.init(keys: Self.keys))
    let caller = try Self.caller()
    _ = try await fixture.assumeRole(as: caller).credentials()
    let received = try #require(try fixture.server.received().first)
    #expect(received.value("user-agent") == "swift-sigv4/0.1.0")
    var request = SigV4.ReceivedRequest(received.method, target: received.target.utf8)
    for header in received.headers { request.append(header[0].utf8, header[1].utf8) }
    let policy = try SigV4.Verifier(services: [.standard("sts")], regions: ["eu-west-1"])
    let date = try #require(received.headers.first { $0[0].lowercased() == "x-amz-date" })
    let unverified = try policy.check(request, at: SigV4.Timestamp(date[1]))
    #expect(unverified.accessKeyID == "AKIAIOSFODNN7EXAMPLE")
    let verified = try unverified.verify(
      with: caller, bodyDigest: SHA256.hash(data: received.body.utf8))
    #expect(verified.signedHeaders == "content-type;host;x-amz-date")
    #expect(received.body.hasPrefix("Action=AssumeRole&"))
  }

  @Test("A wrong secret, a wrong token, an unknown key and a foreign role are rejected")
  func refusals() async throws {
    let fixture = try CredentialFixture(.init(keys: Self.keys))
    let unknown = try SigV4.Credentials(
      accessKeyID: "AKIAUNKNOWN", secretAccessKey: Self.secret)
    for (provider, code) in [
      (try fixture.assumeRole(as: Self.caller(secret: "another")), "SignatureDoesNotMatch"),
      (try fixture.assumeRole(as: Self.caller(token: "ToKeN")), "InvalidClientTokenId"),
      (try fixture.assumeRole(as: unknown), "InvalidClientTokenId"),
      (
        try fixture.assumeRole("arn:aws:iam::123456789012:role/other", as: Self.caller()),
        "AccessDenied"
      ),
    ] {
      let error = await fixture.failure(of: provider, hiding: [Self.secret, "ToKeN"])
      #expect(error.code == .accessDenied)
      #expect(error.message.contains("status 403, \"\(code)\""))
    }
  }

  @Test("Faults of the service end in errors or in a further attempt, and a redirect ends there")
  func faults() async throws {
    // Not at AssumeRole, which all of these tests check credentials with.
    let faults = CredentialFault.all()
    let fixture = try Self.webIdentity(faults.flatMap(\.answers))
    try await fixture.expect(
      faults, of: try Self.webIdentityProvider(fixture), at: "AssumeRoleWithWebIdentity")
  }

  @Test("Errors of AssumeRole are reported, too")
  func roleFaults() async throws {
    let faults = CredentialFault.all().filter { $0.code != nil }
    let fixture = try CredentialFixture(
      .init(keys: Self.keys, faults: ["AssumeRole": faults.flatMap(\.answers)]))
    try await fixture.expect(faults, of: fixture.assumeRole(as: Self.caller()), at: "AssumeRole")
  }

  @Test("A silent service times out")
  func silence() async throws {
    let hang = ["hang", "hang", "hang"]
    let fixture = try CredentialFixture(
      .init(keys: Self.keys, faults: ["AssumeRole": hang]), longestWait: 0.3)
    let error = await fixture.failure(of: try fixture.assumeRole(as: Self.caller()))
    #expect(error.code == .timedOut)
    #expect(error.message.contains("(3 attempts)"))
  }

  @Test("A web identity gets its role unsigned, with the file's current token")
  func webIdentity() async throws {
    let fixture = try Self.webIdentity([])
    let provider = try Self.webIdentityProvider(fixture)
    try await fixture.expectAccepted(try await provider.credentials())
    let file = fixture.folder.url.appendingPathComponent("jwt")
    try Data("eyJ.Second\n".utf8).write(to: file)
    try await fixture.expectAccepted(try await provider.credentials())
    let other = try WebIdentityProvider(
      roleARN: CredentialFixture.role, tokenFile: "/other",
      endpoint: .custom(fixture.server.url, signingRegion: "eu-west-1"),
      sources: fixture.reading("eyJ.Other"))
    let error = await fixture.failure(of: other, hiding: ["eyJ.Other"])
    #expect(error.code == .accessDenied)
    #expect(error.message.contains("\"InvalidIdentityToken\""))
  }

  static func webIdentity(_ faults: [String]) throws -> CredentialFixture {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("jwt")
    try Data("eyJ.First\n".utf8).write(to: file)
    return try CredentialFixture(
      .init(webIdentityFile: file.path, faults: ["AssumeRoleWithWebIdentity": faults]),
      folder: folder)
  }

  static func webIdentityProvider(_ fixture: CredentialFixture) throws -> WebIdentityProvider {
    try WebIdentityProvider(
      roleARN: CredentialFixture.role,
      tokenFile: fixture.folder.url.appendingPathComponent("jwt").path,
      endpoint: .custom(fixture.server.url, signingRegion: "eu-west-1"), sources: fixture.sources)
  }
}
