// SPDX-License-Identifier: Apache-2.0
// Timeouts that URLSession of FoundationNetworking can't convert to milliseconds.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import Testing

@testable internal import RequestSigningFoundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

@Suite struct TimeoutTests {
  #if canImport(FoundationNetworking)
    static let timeouts = [TimeInterval.infinity, 1e17, .nan]
  #else
    static let timeouts = [TimeInterval.infinity, 1e17]
  #endif

  func session(_ configuration: URLSessionConfiguration = .ephemeral) throws -> SigningSession {
    SigningSession(
      credentials: try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
      region: "us-east-1", service: .s3, configuration: configuration)
  }

  @Test("A request may have any timeout", arguments: timeouts)
  func request(timeout: TimeInterval) async throws {
    let server = try LoopbackServer(.init(body: "fine"))
    var request = URLRequest(url: try server.url())
    request.timeoutInterval = timeout
    #expect(try await session().data(for: request) == Data("fine".utf8))
    // Whether it times out before the response depends on the machine.
    request.timeoutInterval = -timeout
    _ = try? await session().data(for: request)
  }

  @Test("A configuration may have any timeout, and stays unchanged", arguments: timeouts)
  func configuration(timeout: TimeInterval) async throws {
    let server = try LoopbackServer(.init(body: "fine"))
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = timeout
    configuration.timeoutIntervalForResource = timeout
    let session = try session(configuration)
    let request = try SigV4.Request("GET", url: server.url().absoluteString)
    #expect(try await session.data(for: request) == Data("fine".utf8))
    #expect(configuration.timeoutIntervalForRequest.bitPattern == timeout.bitPattern)
  }
}
