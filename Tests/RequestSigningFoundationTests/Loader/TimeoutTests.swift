// SPDX-License-Identifier: Apache-2.0
// The time limits of requests and configurations.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import SigningTestSupport
internal import Testing

@testable internal import RequestSigningFoundation

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

  /// Where a limit of a second comes from.
  enum Source: String, CaseIterable {
    case configuration, fraction, request, requestFraction, requestInitializer, resource
    case requestDespiteConfiguration, resourceDespiteData
  }

  // The limit is a second, and without it URLSession waits for a minute (or a week for a resource).
  @Test(
    "A server that doesn't respond ends a request at its limit", .endsIfItHangs,
    arguments: Source.allCases)
  func silence(source: Source) async throws {
    // Half of the body arrives.
    let server = try LoopbackServer(
      source == .resourceDespiteData ? .init(zeros: 100, pause: 600) : .init(wait: 600))
    let configuration = URLSessionConfiguration.ephemeral
    var request = URLRequest(url: try server.url())
    switch source {
    case .configuration: configuration.timeoutIntervalForRequest = 1
    case .fraction: configuration.timeoutIntervalForRequest = 0.25
    case .request: request.timeoutInterval = 1
    case .requestFraction: request.timeoutInterval = 0.25
    case .requestInitializer: request = URLRequest(url: try server.url(), timeoutInterval: 1)
    case .requestDespiteConfiguration:
      configuration.timeoutIntervalForRequest = 600
      request.timeoutInterval = 1
    case .resource, .resourceDespiteData:
      configuration.timeoutIntervalForRequest = 600
      configuration.timeoutIntervalForResource = 1
    }
    var options = SigningSession.Options()
    options.maximumAttempts = 1
    let session = SigningSession(
      credentials: try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
      region: "us-east-1", service: .s3, options: options, configuration: configuration)
    let start = ContinuousClock.now
    let error = await #expect(throws: URLError.self) { try await session.data(for: request) }
    #expect(error?.code == .timedOut)
    #expect(.now - start < .seconds(30))
  }

  // FoundationNetworking, URLRequest.swift: a request's timeout is 60 seconds unless it's set.
  @Test(
    "A configuration may wait longer than a minute", .endsIfItHangs,
    .enabled(if: ProcessInfo.processInfo.environment["SIGV4_EXHAUSTIVE"] == "1"))
  func patience() async throws {
    let server = try LoopbackServer(.init(body: "late", wait: 65))
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 300
    let data = try await session(configuration).data(for: URLRequest(url: server.url()))
    #expect(data == Data("late".utf8))
    #expect(try server.received().count == 1)
  }

  @Test("An object and an upload have the configuration's limit", .endsIfItHangs)
  func otherRequests() async throws {
    let server = try LoopbackServer(.init(wait: 600))
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 1
    let (object, folder) = (try server.bucket().object("film.mov"), try TemporaryFolder())
    let file = try folder.zeros(1_000)
    var options = SigningSession.Options()
    options.maximumAttempts = 1
    let session = object.bucket.session(
      credentials: try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
      options: options, configuration: configuration)
    let start = ContinuousClock.now
    for call in [
      { _ = try await session.head(object) }, { try await session.upload(file, to: object) },
      { try await session.download(object, to: file) },
      { for try await _ in session.bytes(for: object) {} },
      { for try await _ in session.list() {} },
    ] as [@Sendable () async throws -> Void] {
      let error = await #expect(throws: URLError.self) { try await call() }
      #expect(error?.code == .timedOut)
    }
    #expect(.now - start < .seconds(50))
  }
}
