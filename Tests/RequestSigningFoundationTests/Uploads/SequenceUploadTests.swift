// SPDX-License-Identifier: Apache-2.0
// Sequences that pause, or fail, while their parts are uploaded.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import SigningTestSupport
internal import Testing

@testable internal import RequestSigningFoundation

@Suite struct SequenceUploadTests {
  /// Uploads one part, and then what the source yields. Returns the error and the sent methods.
  private func upload(
    _ answers: (LoopbackServer.Answer, LoopbackServer.Answer),
    then next: @escaping @Sendable () async throws -> [UInt8]?
  ) async throws -> (any Error, [String]) {
    let server = try LoopbackServer(MultipartUploadTests.begun, answers.0, answers.1)
    let object = try server.bucket().object("film.mov")
    var options = SigningSession.Options()
    options.partByteCount = MultipartUploadTests.partByteCount
    options.maximumAttempts = 1
    let session = object.bucket.session(
      credentials: try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
      options: options)
    let first = [UInt8](repeating: 0, count: MultipartUploadTests.partByteCount)
    let pieces = AsyncThrowingStream<[UInt8], any Error> { continuation in
      continuation.yield(first)
      Task {
        do {
          while let piece = try await next() { continuation.yield(piece) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
    }
    let error = try #require(
      await #expect(throws: (any Error).self) { try await session.upload(pieces, to: object) })
    return (error, try server.received().map(\.method))
  }

  // It would wait forever for the source.
  @Test("A rejected part ends an upload whose source pauses", .endsIfItHangs)
  func pausedSource() async throws {
    let (error, methods) = try await upload(
      (MultipartUploadTests.refused, MultipartUploadTests.removed)
    ) {
      try await Task.sleep(for: .seconds(86_400))
      return nil
    }
    #expect((error as? TransferError)?.serverCode == "AccessDenied")
    #expect(methods == ["POST", "PUT", "DELETE", "GET"])
  }

  @Test("An error of the source is thrown, and the parts are removed")
  func failedSource() async throws {
    struct Broken: Error {}
    let (error, methods) = try await upload(
      (MultipartUploadTests.part, MultipartUploadTests.removed)
    ) { throw Broken() }
    #expect(error is Broken)
    #expect(methods.first == "POST" && methods.suffix(2) == ["DELETE", "GET"])
  }
}
