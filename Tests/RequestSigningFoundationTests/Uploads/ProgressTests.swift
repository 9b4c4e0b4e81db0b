// SPDX-License-Identifier: Apache-2.0
// Progress that's faster than its handler, and files that a failed download leaves.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import SigningTestSupport
internal import Testing

@testable internal import RequestSigningFoundation

@Suite struct ProgressTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Reports 1 to 1,000 while the main actor is busy, so that the handler can't run.
  @MainActor private func reports(
    _ end: () throws -> Void
  ) async throws -> [Int64] {
    let received = Guarded<[Int64]>([])
    let handler: ProgressHandler = { @MainActor step in
      received.withLock { $0.append(step.byteCount) }
    }
    do {
      try await ProgressDelivery.run(handler) { report in
        for count in 1...Int64(1_000) {
          report?(TransferProgress(byteCount: count, totalByteCount: 1_000))
        }
        try end()
      }
    } catch is CancellationError {}
    return received.withLock(\.self)
  }

  @Test("A slow handler gets the last report, and not all that it missed")
  @MainActor func slowHandler() async throws {
    let steps = try await reports {}
    #expect(steps.last == 1_000)
    #expect(steps.count <= 2)
  }

  @Test("After an error, a slow handler isn't called for all reports that it missed")
  @MainActor func failure() async throws {
    let steps = try await reports { throw CancellationError() }
    #expect(steps.count <= 2)
  }

  // 3,000,000 zeros are about 3,000 bytes in gzip.
  @Test("The total of a download that URLSession decodes is unknown")
  func decoded() async throws {
    let server = try LoopbackServer(
      .init(headers: ["Content-Encoding": "gzip"], zeros: 3_000_000))
    let file = folder.url.appendingPathComponent("film.mov")
    let steps = Guarded<[TransferProgress]>([])
    let session = SigningSession(
      credentials: try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
      region: "us-east-1", service: .s3)
    try await session.download(URLRequest(url: server.url()), to: file) { step in
      steps.withLock { $0.append(step) }
    }
    #expect(try Data(contentsOf: file) == Data(count: 3_000_000))
    #expect(steps.withLock { $0.last?.fractionCompleted } == 1)
    #expect(steps.withLock { $0.allSatisfy { $0.fractionCompleted <= 1 } })
  }

  /// A transport that holds the file of each download, as URLSession's thread may.
  private final class HoldingTransport: Transport {
    let held = Guarded<[any DownloadFile]>([])

    static func response() throws -> HTTPURLResponse {
      try #require(
        HTTPURLResponse(
          url: URL(fileURLWithPath: "/a"), statusCode: 200, httpVersion: nil, headerFields: nil))
    }
    var additionalHeaders: [SigV4.Header] { [] }

    func answer(
      to exchange: SignedExchange, upTo maximumByteCount: Int, progress: ProgressMeter?
    ) async throws -> LoadedResponse {
      if let file = exchange.download {
        try file.open()
        _ = try file.append(Data("abc".utf8), from: Self.response())
        held.withLock { $0.append(file) }
      }
      throw URLError(.cannotFindHost)
    }
  }

  @Test("A failed download removes its hidden file, even if its thread hasn't ended")
  func hiddenFile() async throws {
    let transport = HoldingTransport()
    let session = SigningSession(
      credentials: try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
      openedBy: nil, bucket: nil, regions: .one("us-east-1"), service: .s3, options: .init(),
      transport: transport, now: { .now })
    let request = try SigV4.Request("GET", url: "https://example.com/a")
    await #expect(throws: URLError.self) {
      try await session.download(request, to: folder.url.appendingPathComponent("a"))
    }
    #expect(transport.held.withLock(\.count) == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    // What still arrives is dropped.
    for file in transport.held.withLock(\.self) {
      _ = try file.append(Data("def".utf8), from: HoldingTransport.response())
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
  }
}
