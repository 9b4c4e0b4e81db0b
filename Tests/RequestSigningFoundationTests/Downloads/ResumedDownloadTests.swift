// SPDX-License-Identifier: Apache-2.0
// Downloads with a checkpoint that are interrupted and continued: the bytes, and what's requested.

internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import Testing

@testable internal import RequestSigningFoundation

// The SHA-256 of an object comes from its server, which computes it with Python's hashlib.
@Suite struct ResumedDownloadTests {
  let folder: DownloadFolder
  let progress = Guarded<[Int64]>([])

  init() throws { folder = try DownloadFolder() }

  /// Throws an error unless the file is the object's newest version, and nothing else is left.
  func expectDone(_ server: ObjectServer) throws {
    let digest = try #require(try server.received().last).sha256
    #expect(try folder.sha256(of: folder.file) == digest)
    #expect(try folder.names() == ["film.mov"])
  }

  @Test("The object is downloaded in ranges, each once, and replaces the file")
  func whole() async throws {
    let server = try ObjectServer(.init(checksum: true))
    try Data("old".utf8).write(to: folder.file)
    try await folder.session(partByteCount: 65_536, parallelPartCount: 4).download(
      server.object(), to: folder.file, checkpoint: folder.checkpoint)
    try expectDone(server)
    let received = try server.received()
    #expect(received.first?.method == "HEAD")
    let ranges = received.dropFirst().compactMap(\.bytes).sorted { $0.lowerBound < $1.lowerBound }
    // 1,000,000 / 65,536 is 15.3.
    #expect(ranges.count == 16)
    #expect(ranges.map(\.lowerBound) == (0..<16).map { $0 * 65_536 })
  }

  /// Expects requests for bytes that the checkpoint didn't have.
  func expectMissing(_ requests: ArraySlice<ObjectServer.Received>, _ there: ByteRanges) {
    for bytes in requests.compactMap(\.bytes) {
      #expect(!there.ranges.contains { $0.overlaps(bytes) }, "\(bytes) was there")
    }
  }

  /// Downloads until it's done, each call as far as `interrupt` lets it. No call requests bytes that
  /// the checkpoint had, and its progress begins with them.
  func resume(
    _ server: ObjectServer, by call: (_ object: SigV4.Bucket.Object) async throws -> Void
  ) async throws -> Int {
    let object = try server.object()
    for count in 1...1_000 {
      let there = try folder.finished()
      let earlier = try server.received().count
      progress.withLock { $0 = [] }
      var isDone = true
      do { try await call(object) } catch { isDone = false }
      try expectMissing(server.received().dropFirst(earlier), there)
      let steps = progress.withLock(\.self)
      #expect(steps.allSatisfy { $0 >= there.byteCount })
      #expect(steps == steps.sorted())
      if isDone { return count }
      #expect(try folder.finished().byteCount >= there.byteCount)
      #expect(!FileManager.default.fileExists(atPath: folder.file.path))
    }
    return .max
  }

  @Test("A cancelled download continues where it was, after each cancellation")
  func cancelled() async throws {
    let server = try ObjectServer(.init(pause: 0.001, checksum: true))
    let (file, checkpoint) = (folder.file, folder.checkpoint)
    let session = try folder.session(partByteCount: 100_000, parallelPartCount: 3)
    var limit: Int64 = 0
    let count = try await resume(server) { object in
      limit += 150_000
      let task = Guarded<Task<Void, any Error>?>(nil)
      let download = Task { [progress, limit] in
        try await session.download(object, to: file, checkpoint: checkpoint) { step in
          progress.withLock { $0.append(step.byteCount) }
          if step.byteCount > limit { task.withLock { $0?.cancel() } }
        }
      }
      task.withLock { $0 = download }
      try await download.value
    }
    #expect((2...20).contains(count))
    try expectDone(server)
  }

  @Test("A download whose connections are cut continues, in the same call and in the next one")
  func cut() async throws {
    for attempts in [1, 3] {
      let server = try ObjectServer(.init(cuts: 0.4))
      let session = try folder.session(
        partByteCount: 50_000, parallelPartCount: 4, attempts: attempts)
      let count = try await resume(server) { [folder, progress] object in
        try await session.download(object, to: folder.file, checkpoint: folder.checkpoint) { step in
          progress.withLock { $0.append(step.byteCount) }
        }
      }
      #expect(count < 1_000)
      // Of 20 ranges, 40 % are cut.
      if attempts == 1 { #expect(count > 1) }
      try expectDone(server)
      try FileManager.default.removeItem(at: folder.file)
    }
  }

  @Test("An object that's replaced is downloaded from the beginning", arguments: [2, 3, 9, 17])
  func replaced(request: Int) async throws {
    let server = try ObjectServer(.init(replaced: request, checksum: true))
    try await folder.session(partByteCount: 65_536, parallelPartCount: 4).download(
      server.object(), to: folder.file, checkpoint: folder.checkpoint)
    try expectDone(server)
    #expect(try server.received().contains { $0.status == 412 })
  }

  @Test("Options of a later call may differ: finished bytes are bytes, not parts")
  func otherOptions() async throws {
    let server = try ObjectServer(.init(pause: 0.02))
    let (file, checkpoint) = (folder.file, folder.checkpoint)
    for size in [70_000, 1, 130_000, 999_999_999] {
      let session = try folder.session(partByteCount: size, parallelPartCount: 2)
      let there = try folder.finished()
      let earlier = try server.received().count
      let object = try server.object()
      let task = Guarded<Task<Void, any Error>?>(nil)
      // A step waits until there's a task to cancel.
      let download = task.withLock {
        $0 = Task {
          try await session.download(object, to: file, checkpoint: checkpoint) { step in
            if size < 999_999_999, step.byteCount > there.byteCount + Int64(size) {
              task.withLock { $0?.cancel() }
            }
          }
        }
        return $0
      }
      _ = await download?.result
      try expectMissing(server.received().dropFirst(earlier), there)
      if size == 70_000 { #expect((1..<1_000_000).contains(try folder.finished().byteCount)) }
    }
    try expectDone(server)
  }

  @Test("With a caller's own HTTP client, it's the same")
  func ownClient() async throws {
    let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let left = Guarded(3)
    var options = SigningSession.Options()
    options.partByteCount = 100
    options.maximumAttempts = 1
    let bucket = try SigV4.Bucket.aws("films", region: "eu-west-1")
    let session = bucket.session(
      credentials: try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
      options: options
    ) { request in
      if request.method == "HEAD" {
        return SigV4.HTTPResponse(
          status: 200, headers: ["ETag": "\"t\"", "Content-Length": "1000"], body: [])
      }
      let isLost = left.withLock { left in
        left -= 1
        return left == 0
      }
      if isLost { throw URLError(.networkConnectionLost) }
      let numbers = (request.headers["range"] ?? "").dropFirst(6).split(separator: "-")
        .compactMap { Int($0) }
      return SigV4.HTTPResponse(
        status: 206,
        headers: ["ETag": "\"t\"", "Content-Range": "bytes \(numbers[0])-\(numbers[1])/1000"],
        body: Array(bytes[numbers[0]...numbers[1]]))
    }
    await #expect(throws: TransferError.self) {
      try await session.download(
        bucket.object("a"), to: folder.file, checkpoint: folder.checkpoint)
    }
    #expect(try folder.finished().byteCount > 0)
    try await session.download(bucket.object("a"), to: folder.file, checkpoint: folder.checkpoint)
    #expect(try Data(contentsOf: folder.file) == Data(bytes))
    #expect(try folder.names() == ["film.mov"])
  }
}
