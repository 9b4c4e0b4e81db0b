// SPDX-License-Identifier: Apache-2.0
// A cancelled call throws a CancellationError, whatever the HTTP client throws.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import SigningTestSupport
internal import Testing

@testable internal import RequestSigningFoundation

@Suite struct CancellationTests {
  /// Cancels the task that sends a request, and then fails as a client may.
  private struct CancellingTransport: Transport {
    let error: any Error
    var additionalHeaders: [SigV4.Header] { [] }

    func answer(
      to exchange: SignedExchange, upTo maximumByteCount: Int, progress: ProgressMeter?
    ) async throws -> LoadedResponse {
      // Safety: the task isn't used outside of the closure.
      unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
      throw error
    }
  }

  func session(failingWith error: any Error) throws -> SigningSession {
    var options = SigningSession.Options()
    options.pause = .zero
    let credentials = try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret")
    return SigningSession(
      credentials: credentials, openedBy: nil, bucket: nil, regions: .one("us-east-1"),
      service: .s3, options: options, transport: CancellingTransport(error: error), now: { .now })
  }

  // URLSession: a task that's cancelled just before it starts fails with URLError -999. A client of
  // the caller's may report a body that's too short.
  @Test("Whatever a cancelled transfer throws, the call throws a CancellationError")
  func everyCall() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.zeros(1_000)
    let bucket = try SigV4.Bucket.aws("films", region: "us-east-1")
    let object = try bucket.object("a")
    let failures: [any Error] = [
      URLError(.cancelled), URLError(.networkConnectionLost), URLError(.unknown),
      TransferError(.invalidResponse, "short", fix: "."), CancellationError(),
    ]
    for failure in failures {
      let calls: [@Sendable (SigningSession) async throws -> Void] = [
        { try await $0.upload(file, to: object) },
        { try await $0.upload(Data("abc".utf8), to: object) },
        { try await $0.download(object, to: folder.url.appendingPathComponent("b")) },
        { _ = try await $0.data(for: object) },
        { _ = try await $0.send(object) },
        { _ = try await $0.send(object.putRequest(.empty), body: .file(file)) },
        { _ = try await $0.head(object) },
        { try await $0.delete(object) },
        { try await $0.delete([object]) },
        { try await $0.copy(object, to: object) },
        { for try await _ in $0.list(bucket) {} },
        { for try await _ in $0.bytes(for: object) {} },
      ]
      for call in calls {
        let session = try session(failingWith: failure)
        let task = Task { try await call(session) }
        await #expect(throws: CancellationError.self, "\(failure)") { try await task.value }
      }
    }
  }
}
