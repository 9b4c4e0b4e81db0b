// SPDX-License-Identifier: Apache-2.0
// Credentials that expire by the server's clock, on a machine whose clock is wrong.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import Testing

@testable internal import RequestSigningFoundation

/// Credentials of one hour by the server's clock, which is two hours ahead of this machine's.
private final class HourlyProvider: CredentialResolver {
  // 2013-05-24T00:00:00Z, by `date -u +%s`.
  let time = Guarded(Date(timeIntervalSince1970: 1_369_353_600))
  private let count = Guarded(0)

  func credentials() async throws(CredentialError) -> ResolvedCredentials {
    let number = count.withLock { count in
      count += 1
      return count
    }
    do {
      return ResolvedCredentials(
        try SigV4.Credentials(
          accessKeyID: "KEY\(number)", secretAccessKey: "secret", sessionToken: "token",
          expiration: time.withLock { $0 + 3 * 3_600 }),
        source: "the test")
    } catch {
      throw CredentialError(.invalidConfiguration, error.problem, fix: error.fix)
    }
  }
}

@Suite("Expiration by a corrected clock")
struct ClockAndExpirationTests {
  private let source = HourlyProvider()

  private func session(_ provider: some CredentialResolver) -> SigningSession {
    SigningSession(credentials: provider, region: "us-east-1", service: .s3) { [source] in
      source.time.withLock { $0 }
    }
  }

  // Amazon S3 API Reference, "Error Responses".
  private static let behind = LoopbackServer.Answer(
    status: 403,
    body: "<Error><Code>RequestTimeTooSkewed</Code><RequestTime>20130524T000000Z</RequestTime>"
      + "<ServerTime>2013-05-24T02:00:00Z</ServerTime></Error>")

  @Test("Credentials that have expired by the server's clock are replaced before they're used")
  func replaced() async throws {
    let server = try LoopbackServer(Self.behind, .init())
    let session = session(source)
    let request = URLRequest(url: try server.url())
    _ = try await session.send(request)
    // 61 minutes of their lifetime have passed, but only by the server's clock.
    source.time.withLock { $0 += 61 * 60 }
    for _ in 0..<2 { _ = try await session.send(request) }
    let keys = try server.received().compactMap { $0.values("authorization").first }
    #expect(keys.map { $0.contains("Credential=KEY1/") } == [true, true, false, false])
    #expect(keys.map { $0.contains("Credential=KEY2/") } == [false, false, true, true])
  }

  @Test("Fixed credentials that have expired are an error, and nothing is sent")
  func fixed() async throws {
    let server = try LoopbackServer(.init())
    let expired = try SigV4.Credentials(
      accessKeyID: "KEY", secretAccessKey: "secret",
      expiration: source.time.withLock { $0 })
    let error = await #expect(throws: SigV4.SigningError.self) {
      try await session(expired).send(URLRequest(url: server.url()))
    }
    #expect(error?.code == .credentialsExpired)
    #expect(try server.received().isEmpty)
  }
}
