// SPDX-License-Identifier: Apache-2.0
// Services that play those of AWS, and the sources of this process to ask them with.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import RequestSigningFoundation
internal import SigningTestSupport
internal import Testing

/// Played services, and the sources of this process, but for variables, waits, and other hosts than
/// this machine.
struct CredentialFixture {
  static let role = "arn:aws:iam::123456789012:role/demo"

  let server: CredentialServer
  let folder: TemporaryFolder
  var sources: CredentialSources

  init(
    _ settings: CredentialServer.Settings = .init(), folder: TemporaryFolder? = nil,
    longestWait: Double = 10, _ variables: (CredentialServer) -> [String: String] = { _ in [:] }
  ) throws {
    server = try CredentialServer(settings)
    self.folder = try folder ?? TemporaryFolder()
    let home = ["HOME": self.folder.url.path]
    let variables = variables(server).merging(home) { $1 }
    sources = .process
    sources.variable = { variables[$0] }
    // The real transport, which these tests let go nowhere else than to this machine.
    let exchange = sources.http
    sources.http = { request in
      if !request.url.hasPrefix("http://127.0.0.1:") {
        Issue.record("\(request) would leave this machine")
        throw CredentialError(
          .unreachable, "\(request) would leave this machine.", fix: "Use the test's server.")
      }
      var request = request
      request.timeout = min(request.timeout, .seconds(longestWait))
      return try await exchange(request)
    }
    sources.wait = { (_) async throws(CredentialError) in }
    sources.run = CredentialSources(now: sources.now).run
  }

  /// Whether the server takes credentials that it gave: it checks a signature with its own copy of the
  /// secret and the token (with hmac and hashlib of Python).
  func expectAccepted(
    _ provided: ResolvedCredentials, location: SourceLocation = #_sourceLocation
  ) async throws {
    let life =
      try #require(provided.credentials.identity.expiration).unixSeconds
      - sources.now().unixSeconds
    #expect((20_000...21_700).contains(life), sourceLocation: location)
    let provider = try assumeRole(as: provided.credentials)
    await #expect(throws: Never.self, sourceLocation: location) {
      try await provider.credentials()
    }
  }

  func assumeRole(
    _ role: String = role, as caller: SigV4.Credentials
  ) throws -> AssumeRoleProvider {
    try AssumeRoleProvider(
      roleARN: role, endpoint: .custom(server.url, signingRegion: "eu-west-1"),
      source: caller, sources: sources)
  }

  /// The sources of this fixture, in which every file holds the same text.
  func reading(_ text: String) -> CredentialSources {
    var sources = sources
    sources.file = { (_) throws(CredentialError) in Array(text.utf8) }
    return sources
  }

  /// The error of a provider, which must hold none of these secrets.
  func failure(
    of provider: some CredentialResolver, hiding secrets: [String] = [],
    location: SourceLocation = #_sourceLocation
  ) async -> CredentialError {
    do throws(CredentialError) {
      let provided = try await provider.credentials()
      Issue.record("no error, but \(provided)", sourceLocation: location)
      return CredentialError(.init(name: "none"), "", fix: "")
    } catch {
      for secret in secrets {
        #expect(!error.message.contains(secret), sourceLocation: location)
      }
      return error
    }
  }

  /// Makes a request for each fault of a list, in order, and expects its outcome and one request
  /// for each response. The server must have the responses of the whole list.
  func expect(
    _ faults: [CredentialFault], of provider: some CredentialResolver, at step: String,
    location: SourceLocation = #_sourceLocation
  ) async throws {
    var count = 0
    for fault in faults {
      let name = Comment(rawValue: fault.answers.joined(separator: ", "))
      if let code = fault.code {
        let error = await failure(of: provider, location: location)
        #expect(error.code == code, name, sourceLocation: location)
      } else {
        try await expectAccepted(try await provider.credentials(), location: location)
      }
      count += fault.answers.count
      #expect(try server.count(step) == count, name, sourceLocation: location)
    }
    #expect(try server.count("elsewhere") == 0, sourceLocation: location)
  }
}
