// SPDX-License-Identifier: Apache-2.0
// Files that go up and come down, their progress, and what stops them.

internal import S3Signing
internal import CredentialProviders
internal import Dispatch
internal import Foundation
internal import RequestSigning
internal import SigningTestSupport
internal import Testing

@testable internal import RequestSigningFoundation

@Suite(.serialized) struct TransferTests {
  static let byteCount = 3_000_000

  // head -c 3000000 /dev/zero | sha256sum
  static let digest = "35bce4eae54ec8e6cc2868baa8d157914d6ae2858811b4cc0c078c94460fa26f"

  let folder: TemporaryFolder
  let progress = Guarded<[TransferProgress]>([])

  init() throws { folder = try TemporaryFolder() }

  func session(_ options: SigningSession.Options = .init()) throws -> SigningSession {
    SigningSession(
      credentials: try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
      region: "us-east-1", service: .s3, options: options)
  }

  func put(_ server: LoopbackServer) throws -> SigV4.Request {
    try SigV4.Request("PUT", url: server.url("/film.mov").absoluteString)
  }

  func note(_ step: TransferProgress) { progress.withLock { $0.append(step) } }

  /// Progress grows, and ends at its total.
  func expectProgress(to total: Int) {
    let steps = progress.withLock { $0 }
    #expect(steps.last?.byteCount == Int64(total))
    #expect(steps.last?.totalByteCount == Int64(total))
    for (step, next) in zip(steps, steps.dropFirst()) { #expect(step.byteCount < next.byteCount) }
  }

  @Test("Reports from many threads grow, one after the other")
  func reports() {
    let meter = ProgressMeter { step in
      if step.byteCount.isMultiple(of: 2) { Thread.sleep(forTimeInterval: 0.001) }
      note(step)
    }
    DispatchQueue.concurrentPerform(iterations: 200) { meter.advance(to: Int64($0), of: nil) }
    let counts = progress.withLock { $0.map(\.byteCount) }
    #expect(counts == counts.sorted())
    #expect(counts.last == 199)
  }

  @Test("A file is uploaded as its digest says")
  func hashed() async throws {
    let server = try LoopbackServer(.init())
    let file = try folder.zeros(UInt64(Self.byteCount))
    let (_, response) = try await session().send(put(server), body: .file(file), progress: note)
    #expect(response.statusCode == 200)
    let received = try #require(try server.received().first)
    #expect(received.values("x-amz-content-sha256") == [Self.digest])
    #expect(received.sha256 == Self.digest)
    #expect(received.values("content-length") == ["\(Self.byteCount)"])
    #expect(received.values("content-type") == ["application/octet-stream"])
    expectProgress(to: Self.byteCount)
  }

  @Test("A file is uploaded unsigned to this machine, and nowhere else without TLS")
  func unsigned() async throws {
    let server = try LoopbackServer(.init())
    let file = try folder.zeros(UInt64(Self.byteCount))
    _ = try await session().send(put(server), body: .file(file, payload: .unsigned))
    let received = try #require(try server.received().first)
    #expect(received.values("x-amz-content-sha256") == ["UNSIGNED-PAYLOAD"])
    #expect(received.sha256 == Self.digest)
    let error = await #expect(throws: TransferError.self) {
      try await session().send(
        SigV4.Request("PUT", url: "http://example.com/a"), body: .file(file, payload: .unsigned))
    }
    #expect(error?.code == .tlsRequired)
  }

  @Test("A file is uploaded in signed chunks, and nothing of them stays behind")
  func chunks() async throws {
    let server = try LoopbackServer(.init())
    let file = try folder.zeros(UInt64(Self.byteCount))
    let upload = try SigV4.ChunkedUpload.signed(
      decodedByteCount: Self.byteCount, chunkByteCount: 8_192)
    let before = try Self.temporaryChunks()
    _ = try await session().send(
      put(server), body: .file(file, payload: .signedChunks(ofByteCount: 8_192)), progress: note)
    let received = try #require(try server.received().first)
    #expect(received.isWhole)
    #expect(received.sha256 == Self.digest)
    // 3,000,000 / 8,192 is 366.2, and the last chunk is empty.
    #expect(received.chunkCount == 368)
    #expect(received.values("x-amz-decoded-content-length") == ["\(Self.byteCount)"])
    #expect(received.values("transfer-encoding") == [])
    expectProgress(to: upload.encodedByteCount)
    #expect(try Self.temporaryChunks().subtracting(before).isEmpty)
  }

  static func temporaryChunks() throws -> Set<String> {
    let folder = FileManager.default.temporaryDirectory.path
    return Set(
      try FileManager.default.contentsOfDirectory(atPath: folder).filter {
        $0.hasPrefix("upload-")
      })
  }

  @Test("Data, an empty file and the httpBody of a URLRequest are uploaded")
  func small() async throws {
    let server = try LoopbackServer(.init())
    _ = try await session().send(put(server), body: .data(Data("abc".utf8)), progress: note)
    expectProgress(to: 3)
    _ = try await session().send(put(server), body: .file(folder.zeros(0)))
    var request = URLRequest(url: try server.url())
    request.httpMethod = "POST"
    request.httpBody = Data("abc".utf8)
    _ = try await session().send(request)
    #expect(try server.received().map(\.byteCount) == [3, 0, 3])
  }

  @Test("A file is sent again after a rejection, and its progress never decreases")
  func again() async throws {
    let server = try LoopbackServer(
      .init(status: 400, body: "<Error><Code>ExpiredToken</Code></Error>"), .init())
    let file = try folder.zeros(UInt64(Self.byteCount))
    for payload in [FilePayload.hashed, .signedChunks()] {
      _ = try await session().send(put(server), body: .file(file, payload: payload), progress: note)
    }
    #expect(try server.received().map(\.sha256) == [Self.digest, Self.digest, Self.digest])
  }

  @Test(
    "A server that closes, resets, stalls or responds early ends an upload, not the program",
    arguments: [FilePayload.unsigned, .signedChunks()])
  func faults(payload: FilePayload) async throws {
    let server = try LoopbackServer(.init(faults: ["close", "reset", "stall", "early"]))
    let body = UploadBody.file(try folder.zeros(20_000_000), payload: payload)
    let session = try session(oneAttempt)
    let request = try put(server)
    let statuses = await withTaskGroup(of: Int?.self) { group in
      for _ in 0..<20 { group.addTask { await Self.status(of: body, request, session) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses.allSatisfy { $0 == nil || $0 == 403 })
    #expect(try server.received().count == 20)
  }

  var oneAttempt: SigningSession.Options {
    var options = SigningSession.Options()
    options.maximumAttempts = 1
    return options
  }

  static func status(
    of body: UploadBody, _ request: SigV4.Request, _ session: SigningSession
  ) async -> Int? {
    do { return try await session.send(request, body: body).1.statusCode } catch { return nil }
  }

  @Test("A file that becomes shorter while it's sent is an error, at once")
  func changedFile() async throws {
    let server = try LoopbackServer(.init(slowness: 0.05))
    let file = try folder.zeros(400_000_000)
    let session = try session()
    let request = try put(server)
    for payload in [FilePayload.unsigned, .signedChunks()] {
      let handle = try FileHandle(forWritingTo: file)
      try handle.truncate(atOffset: 400_000_000)
      progress.withLock { $0 = [] }
      let task = Task {
        try await session.send(request, body: .file(file, payload: payload), progress: note)
      }
      while (progress.withLock { $0.last?.byteCount ?? 0 }) < 1_000_000 {
        try await Task.sleep(for: .milliseconds(10))
      }
      try handle.truncate(atOffset: 1_000)
      let error = await #expect(throws: (any Error).self) { try await task.value }
      if payload == .unsigned {
        #expect((error as? TransferError)?.code == .invalidFile)
        #expect("\(error, default: "")".contains("changed during the upload"))
      } else {
        #expect((error as? SigV4.SigningError)?.code == .bodyLengthMismatch)
      }
    }
  }

  @Test("A cancelled upload stops")
  func cancelledUpload() async throws {
    let server = try LoopbackServer(.init(slowness: 0.01))
    let byteCount = 4_000_000_000
    let file = try folder.zeros(UInt64(byteCount))
    let body = UploadBody.file(file, payload: .unsigned)
    let session = try session()
    let request = try put(server)
    let task = Task { try await session.send(request, body: body, progress: note) }
    while (progress.withLock { $0.last?.byteCount ?? 0 }) < 1_000_000 {
      try await Task.sleep(for: .milliseconds(10))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    while try server.received().isEmpty { try await Task.sleep(for: .milliseconds(10)) }
    let received = try #require(try server.received().first)
    #expect(!received.isWhole)
    #expect(received.byteCount < byteCount)
    let count = progress.withLock { $0.count }
    try await Task.sleep(for: .milliseconds(300))
    #expect(progress.withLock { $0.count } == count)
  }

  @Test("A cancelled upload stops before it's sent, while its file is hashed")
  func cancelledHashing() async throws {
    let server = try LoopbackServer(.init())
    let file = try folder.zeros(200_000_000_000)
    let session = try session()
    let request = try put(server)
    let task = Task { try await session.send(request, body: .file(file)) }
    try await Task.sleep(for: .milliseconds(100))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try server.received().isEmpty)
  }

  @Test("A file that's missing, or a folder, is rejected before anything is sent")
  func unreadable() async throws {
    let server = try LoopbackServer(.init())
    for file in [folder.url.appendingPathComponent("missing"), folder.url] {
      for payload in [FilePayload.hashed, .unsigned, .signedChunks()] {
        let error = await #expect(throws: TransferError.self) {
          try await session().send(put(server), body: .file(file, payload: payload))
        }
        #expect(error?.code == .invalidFile)
      }
    }
    let folderError = await #expect(throws: TransferError.self) {
      try await session().send(put(server), body: .file(folder.url))
    }
    #expect(folderError?.message.contains("is a directory") == true)
    #expect(try server.received().isEmpty)
  }

  @Test("localizedDescription, which apps show, is the message")
  func localizedDescriptions() throws {
    let refusal = #expect(throws: SigV4.SigningError.self) {
      try SigV4.Bucket.aws("Bad_Bucket", region: "eu-west-1")
    }
    let refused = try #require(refusal)
    #expect((refused as any Error).localizedDescription == "\(refused)")
    #expect("\(refused)".hasPrefix("invalidBucketName: The bucket name "))
    let error = CredentialError(.accessDenied, "Why.", fix: "Check it.") as any Error
    #expect(error.localizedDescription == "accessDenied: Why. Check it.")
    let response = SigV4.ServiceError("<Error><Code>NoSuchKey</Code></Error>".utf8) as any Error
    #expect(response.localizedDescription == #"ServiceError("NoSuchKey")"#)
    let missing = folder.url.appendingPathComponent("missing")
    let unread = #expect(throws: (any Error).self) { try SigV4.Payload.file(missing) }
    #expect(
      unread?.localizedDescription.hasPrefix("invalidFile: \(missing.path) can't be read") == true)
  }

  @Test("The URL of the network is no file, whatever its path names on this machine")
  func networkURL() async throws {
    let server = try LoopbackServer(.init(body: "abc"))
    let file = folder.url.appendingPathComponent("secret")
    try Data("secret".utf8).write(to: file)
    for text in ["https://example.com" + file.path, file.path] {
      let url = try #require(URL(string: text))
      for payload in [FilePayload.hashed, .unsigned, .signedChunks()] {
        let error = await #expect(throws: TransferError.self) {
          try await session().send(put(server), body: .file(url, payload: payload))
        }
        #expect(error?.code == .invalidFile)
      }
      #expect(throws: TransferError.self) { try SigV4.Payload.file(url) }
    }
    #expect(try server.received().isEmpty)
    let get = try SigV4.Request("GET", url: server.url().absoluteString)
    for target in ["https://example.com" + file.path + "2", folder.url.absoluteString] {
      let url = try #require(URL(string: target))
      let error = await #expect(throws: TransferError.self) {
        try await session().download(get, to: url)
      }
      #expect(error?.code == .invalidFile)
    }
    #expect(!FileManager.default.fileExists(atPath: file.path + "2"))
  }

  @Test("A download replaces an existing file, and reports its progress")
  func download() async throws {
    // The second half is sent after the first report.
    let gate = folder.url.appendingPathComponent("gate")
    let server = try LoopbackServer(.init(zeros: Self.byteCount, gate: gate.path))
    let file = folder.url.appendingPathComponent("film.mov")
    try Data("old".utf8).write(to: file)
    let get = try SigV4.Request("GET", url: server.url("/film.mov").absoluteString)
    try await session().download(get, to: file) { step in
      note(step)
      try? Data().write(to: gate)
    }
    let first = try #require(progress.withLock { $0.first })
    #expect(first.byteCount <= Self.byteCount / 2)
    #expect(try Data(contentsOf: file) == Data(count: Self.byteCount))
    expectProgress(to: Self.byteCount)
  }

  @Test("A rejected download doesn't change the file, and throws the reason")
  func refusedDownload() async throws {
    let server = try LoopbackServer(
      .init(status: 404, body: "<Error><Code>NoSuchKey</Code></Error>"))
    let file = folder.url.appendingPathComponent("film.mov")
    try Data("old".utf8).write(to: file)
    let get = try SigV4.Request("GET", url: server.url("/film.mov").absoluteString)
    let error = await #expect(throws: TransferError.self) {
      try await session().download(get, to: file, progress: note)
    }
    #expect(error?.code == .unexpectedStatus)
    #expect(error?.status == 404)
    #expect(error?.serverCode == "NoSuchKey")
    #expect(try Data(contentsOf: file) == Data("old".utf8))
    #expect(progress.withLock { $0 } == [])
  }

  @Test("A rejected download leaves no file")
  func nothingStays() async throws {
    let body = UUID().uuidString
    let server = try LoopbackServer(.init(status: 404, body: body))
    let get = try SigV4.Request("GET", url: server.url().absoluteString)
    await #expect(throws: TransferError.self) {
      try await session().download(get, to: folder.url.appendingPathComponent("film.mov"))
    }
    let temporary = FileManager.default.temporaryDirectory
    let left = try FileManager.default.contentsOfDirectory(atPath: temporary.path).filter { name in
      let file = temporary.appendingPathComponent(name)
      return name.hasSuffix(".tmp") && (try? Data(contentsOf: file)) == Data(body.utf8)
    }
    #expect(left == [])
  }

  @Test(
    "A server's error code is shown only if it's a name",
    arguments: [
      ("<Error><Code>AbC/+==</Code></Error>", [:], nil),
      ("<Error><Code>\(String(repeating: "A", count: 65))</Code></Error>", [:], nil),
      ("{}", ["x-amzn-ErrorType": "com.amazon#NoSuchThing:http://a/b"], "NoSuchThing"),
    ] as [(String, [String: String], String?)])
  func serverCode(body: String, headers: [String: String], code: String?) async throws {
    let server = try LoopbackServer(.init(status: 404, headers: headers, body: body))
    let get = try SigV4.Request("GET", url: server.url().absoluteString)
    let error = await #expect(throws: TransferError.self) {
      try await session().download(get, to: folder.url.appendingPathComponent("film.mov"))
    }
    #expect(error?.serverCode == code)
    #expect(error?.message.contains("AbC/") == false)
  }

  @Test("A body that's signed and missing is rejected before anything is sent")
  func missingBody() async throws {
    let server = try LoopbackServer(.init())
    let request = try SigV4.Request(
      "PUT", url: server.url().absoluteString, payload: .text("hello"))
    let error = await #expect(throws: TransferError.self) {
      try await session().send(request)
    }
    #expect(error?.code == .bodyMissing)
    #expect(try server.received().isEmpty)
    _ = try await session().send(request, body: .data(Data("hello".utf8)))
    #expect(try server.received().map(\.byteCount) == [5])
  }

  @Test("A pipe is rejected as a file, without a wait")
  func pipe() async throws {
    let server = try LoopbackServer(.init())
    let pipe = folder.url.appendingPathComponent("pipe")
    try #require(unsafe mkfifo(pipe.path, 0o600) == 0)
    let error = await #expect(throws: TransferError.self) {
      try await session().send(put(server), body: .file(pipe))
    }
    #expect(error?.code == .invalidFile)
  }

  @Test("A download into a missing folder is rejected")
  func unwritable() async throws {
    let server = try LoopbackServer(.init(body: "abc"))
    let get = try SigV4.Request("GET", url: server.url().absoluteString)
    let error = await #expect(throws: TransferError.self) {
      try await session().download(
        get, to: folder.url.appendingPathComponent("missing/film.mov"))
    }
    #expect(error?.code == .invalidFile)
  }
}
