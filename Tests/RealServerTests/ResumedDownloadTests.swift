// SPDX-License-Identifier: Apache-2.0
// A server sends an object in parallel ranges, and the rest of it after a cancellation.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import RequestSigningFoundation
internal import S3Signing
internal import SigningTestSupport
import Testing

@Suite("Real server: resumed downloads", .enabled(if: RealServer.isNamed, RealServer.reason))
struct ResumedDownloadTests {
  let credentials: SigV4.Credentials
  private let temporary: TemporaryFolder
  private var folder: URL { temporary.url }
  var file: URL { folder.appendingPathComponent("film.mov") }
  var checkpoint: URL { folder.appendingPathComponent("film.json") }

  init() throws {
    credentials = try RealServer.credentials()
    temporary = try TemporaryFolder()
  }

  /// Cancels its own download once there's progress.
  private actor Interruption {
    var task: Task<Void, any Error>?

    func start(_ download: @escaping @Sendable () async throws -> Void) async {
      let task = Task { try await download() }
      self.task = task
      _ = await task.result
    }

    func cancel() { task?.cancel() }
  }

  @Test("A cancelled download continues, and one whose object was replaced starts over")
  func resumed() async throws {
    let store = try Store("resumed-downloads")
    let object = try store.bucket.object("film +é.mov")
    var options = SigningSession.Options()
    options.partByteCount = 5_242_880
    let uploading = store.bucket.session(credentials: credentials, options: options)
    let bodies = [12_000_001, 11_999_999].map { Data(pattern(ofSize: $0)) }
    try await uploading.upload(bodies[0], to: object)
    options.partByteCount = 262_144
    let session = store.bucket.session(credentials: credentials, options: options)
    let (file, checkpoint) = (file, checkpoint)
    for replacement in [nil, bodies[1]] {
      let interruption = Interruption()
      await interruption.start {
        try await session.download(object, to: file, checkpoint: checkpoint) { progress in
          if progress.byteCount > 2_000_000 { Task { await interruption.cancel() } }
        }
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
      if let replacement { try await uploading.upload(replacement, to: object) }
      try await session.download(object, to: file, checkpoint: checkpoint)
      #expect(try Data(contentsOf: file) == replacement ?? bodies[0])
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["film.mov"])
      try FileManager.default.removeItem(at: file)
    }
    try await session.delete(object)
  }
}
