// SPDX-License-Identifier: Apache-2.0
// What tests of uploads with a checkpoint need: a store, a file, and its checkpoint.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import SigningTestSupport
internal import Testing

@testable internal import RequestSigningFoundation

/// A store, a file of ten parts, and its checkpoint.
struct UploadSite {
  static let partByteCount = 1_000
  static let byteCount = 9_500

  let store = PartStore()
  let folder: TemporaryFolder
  let file: URL
  let checkpoint: URL
  let bytes = (0..<Self.byteCount).map { UInt8(truncatingIfNeeded: $0 / 7) }
  let progress = Guarded<[Int64]>([])

  init() throws {
    folder = try TemporaryFolder()
    file = folder.url.appendingPathComponent("film.mov")
    checkpoint = folder.url.appendingPathComponent("film.json")
    try Data(bytes).write(to: file)
  }

  func bucket(_ host: String = "store.example") throws -> SigV4.Bucket {
    try SigV4.Bucket(
      "films", at: .custom(url: "https://\(host)", region: "us-east-1"), addressing: .path)
  }

  // Where Swift 6.3.1 inlines it into a closure of a test, it crashes (release builds).
  @inline(never) func session(
    _ checksums: SigningSession.Options.Checksums = .automatic, parallel: Int = 1,
    partByteCount: Int = Self.partByteCount, attempts: Int = 1, host: String = "store.example",
    secret: String = "secret"
  ) throws -> SigningSession {
    var options = SigningSession.Options()
    options.minimumPartByteCount = 1
    options.partByteCount = partByteCount
    options.parallelPartCount = parallel
    options.checksums = checksums
    options.maximumAttempts = attempts
    options.pause = .milliseconds(1)
    return try bucket(host).session(
      credentials: SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: secret),
      options: options, http: { [store] in try await store.respond(to: $0) })
  }

  @discardableResult func upload(
    _ session: SigningSession? = nil, key: String = "film.mov", headers: SigV4.Headers = [:]
  ) async throws -> UploadedObject {
    let session = try session ?? self.session()
    let object = try #require(session.bucket).object(key)
    return try await session.upload(
      file, to: object, checkpoint: checkpoint, headers: headers
    ) { [progress] step in progress.withLock { $0.append(step.byteCount) } }
  }

  /// Uploads until something fails.
  @discardableResult func stop(
    _ session: SigningSession? = nil, headers: SigV4.Headers = [:]
  ) async -> (any Error)? {
    do {
      try await upload(session, headers: headers)
      return nil
    } catch { return error }
  }

  /// What is sent from now on.
  func operations(of call: () async throws -> Void) async rethrows -> [String] {
    let before = await store.log.count
    try await call()
    return Array(await store.log.dropFirst(before))
  }

  func expectDone(_ location: SourceLocation = #_sourceLocation) async throws {
    #expect(
      await store.objects["film.mov"]?.bytes == Array(try Data(contentsOf: file)),
      sourceLocation: location)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(left == ["film.mov"], sourceLocation: location)
  }

  func change(at offset: UInt64) throws {
    let handle = try FileHandle(forUpdating: file)
    try handle.seek(toOffset: offset)
    try handle.write(contentsOf: Data([0xFF, 0xFE, 0xFD]))
    try handle.close()
  }

  static func parts(_ range: ClosedRange<Int>) -> [String] { range.map { "part \($0)" } }
}
