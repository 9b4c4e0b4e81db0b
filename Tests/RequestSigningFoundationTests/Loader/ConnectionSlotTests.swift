// SPDX-License-Identifier: Apache-2.0
// How many exchanges run at the same time, what waits, and what never waits forever.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import SigningTestSupport
internal import Testing

@testable internal import RequestSigningFoundation

@Suite(.serialized) struct ConnectionSlotTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A session with a number of connections for each host.
  func session(
    _ connectionCount: Int?, attempts: Int = 1,
    before: @escaping @Sendable () async throws -> Void = {},
    now: @escaping @Sendable () -> Date = { .now }
  ) -> SigningSession {
    var options = SigningSession.Options()
    options.partByteCount = MultipartUploadTests.partByteCount
    options.maximumAttempts = attempts
    let configuration = URLSessionConfiguration.ephemeral
    if let connectionCount { configuration.httpMaximumConnectionsPerHost = connectionCount }
    return SigningSession(
      credentials: Provider(before: before), region: "us-east-1", service: .s3,
      options: options, configuration: configuration, now: now)
  }

  /// Waits for a number of requests.
  func wait(for count: Int, at server: LoopbackServer) async throws {
    while try server.received().count < count { try await Task.sleep(for: .milliseconds(10)) }
  }

  /// Ends when nothing more starts for a while.
  func settle() async throws { try await Task.sleep(for: .milliseconds(300)) }

  /// The files of this test that this process has open.
  var openFileCount: Int {
    #if os(Linux)
      let links = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
      return links.count { link in
        let target = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/self/fd/" + link)
        return target?.hasPrefix(folder.url.path) == true
      }
    #else
      return 0
    #endif
  }

  /// Runs 30 transfers of one kind at the same time.
  func transfers(_ kind: String, by session: SigningSession, _ server: LoopbackServer) async throws
  {
    let bucket = try server.bucket()
    let file = try folder.zeros(1_000)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<30 {
        let object = try bucket.object("film-\(number).mov")
        let copy = folder.url.appendingPathComponent("copy-\(number)")
        group.addTask {
          switch kind {
          case "download": try await session.download(object, to: copy)
          case "data": _ = try await session.data(for: object)
          case "bytes":
            _ = try await session.send(object.putRequest(.empty), body: .data(Data([1])))
          case "head": _ = try await session.head(object)
          default: _ = try await session.send(object.putRequest(.empty), body: .file(file))
          }
        }
      }
      try await group.waitForAll()
    }
  }

  #if canImport(FoundationNetworking)
    // Apple, URLSessionConfiguration, httpMaximumConnectionsPerHost: the default is 6 in macOS;
    // FoundationNetworking, URLSessionConfiguration.swift: 6.
    @Test(
      "No more exchanges run at the same time than the configuration has connections",
      .endsIfItHangs,
      arguments: ["download", "data", "bytes", "head", "file"], [nil, 1, 3, 0, -1])
    func limit(kind: String, connectionCount: Int?) async throws {
      let server = try LoopbackServer(.init(headers: ["ETag": "\"e\""], body: "x", wait: 0.02))
      try await transfers(kind, by: session(connectionCount), server)
      let counts = try server.received().map(\.parallelCount)
      #expect(counts.count == 30)
      let limit = max(connectionCount ?? 6, 1)
      #expect(counts.allSatisfy { $0 <= limit }, "\(counts)")
      if limit > 1 { #expect(counts.contains { $0 > 1 }, "\(counts)") }
    }

    @Test("Each host has its own connections", .endsIfItHangs)
    func hosts() async throws {
      let (silent, server) = (try LoopbackServer(.init(wait: 600)), try LoopbackServer(.init()))
      let session = session(1)
      let object = try silent.bucket().object("a")
      let waiting = Task { try await session.data(for: object) }
      try await wait(for: 1, at: silent)
      _ = try await session.data(for: server.bucket().object("a"))
      waiting.cancel()
    }
  #endif

  @Test("Files are opened when their turn comes", .endsIfItHangs)
  func openFiles() async throws {
    let gate = folder.url.appendingPathComponent("gate")
    let server = try LoopbackServer(.init(body: "xy", gate: gate.path))
    let (session, bucket, file) = (session(2), try server.bucket(), try folder.zeros(300_000))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        let object = try bucket.object("film-\(number)")
        let copy = folder.url.appendingPathComponent("copy-\(number)")
        group.addTask { try await session.download(object, to: copy) }
        group.addTask { _ = try await session.send(object.putRequest(.empty), body: .file(file)) }
      }
      try await wait(for: 2, at: server)
      try await settle()
      #expect(openFileCount <= 2)
      #expect(try server.received().count == 2)
      try Data().write(to: gate)
      try await group.waitForAll()
    }
    #expect(try server.received().count == 40)
    // The last ones are still being closed.
    while openFileCount > 0 { try await Task.sleep(for: .milliseconds(10)) }
  }

  @Test(
    "A waiting transfer that's cancelled throws at once, and a different one takes its place",
    .endsIfItHangs)
  func cancelledWhileWaiting() async throws {
    let gate = folder.url.appendingPathComponent("gate")
    let server = try LoopbackServer(.init(body: "xy", gate: gate.path))
    let (session, object) = (session(1), try server.bucket().object("film.mov"))
    let (file, folder) = (try folder.zeros(300_000), folder)
    let first = Task {
      try await session.send(object.putRequest(.empty), body: .file(file)).1.statusCode
    }
    try await wait(for: 1, at: server)
    let waiting = (0..<20).map { number in
      Task {
        let copy = folder.url.appendingPathComponent("copy-\(number)")
        try await session.download(object, to: copy)
      }
    }
    let last = Task {
      let copy = folder.url.appendingPathComponent("copy")
      return try await session.download(object, to: copy).statusCode
    }
    try await settle()
    for task in waiting { task.cancel() }
    // The first transfer is still waiting for its response.
    for task in waiting {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(try server.received().count == 1)
    try Data().write(to: gate)
    #expect(try await first.value == 200)
    #expect(try await last.value == 200)
    #expect(try server.received().count == 2)
  }

  #if canImport(FoundationNetworking)
    @Test("The time limit and the signed time of a request begin with its turn", .endsIfItHangs)
    func turn() async throws {
      let server = try LoopbackServer(.init(wait: 8), .init(body: "fine"))
      let readings = Guarded(0)
      let session = session(1, before: {}) {
        readings.withLock { $0 += 1 }
        return .now
      }
      var (long, short) = (URLRequest(url: try server.url()), URLRequest(url: try server.url()))
      long.timeoutInterval = 600
      short.timeoutInterval = 5
      let (longRequest, shortRequest) = (long, short)
      let first = Task { try await session.send(longRequest).1.statusCode }
      try await wait(for: 1, at: server)
      let readingCount = readings.withLock(\.self)
      let second = Task { try await session.data(for: shortRequest) }
      try await settle()
      #expect(readings.withLock(\.self) == readingCount)
      #expect(try await first.value == 200)
      #expect(try await second.value == Data("fine".utf8))
      #expect(readings.withLock(\.self) > readingCount)
    }

    @Test("Connections come back after a cancellation, a timeout and a failure", .endsIfItHangs)
    func returned() async throws {
      let server = try LoopbackServer(.init(body: "xy", wait: 0.002))
      let (session, bucket, file) = (session(2), try server.bucket(), try folder.zeros(100_000))
      for number in 0..<300 {
        let object = try bucket.object("film-\(number)")
        let copy = folder.url.appendingPathComponent("copy")
        let task = Task {
          switch number % 3 {
          case 0: try await session.download(object, to: copy)
          case 1: _ = try await session.data(for: object, maximumByteCount: 1)
          default: _ = try await session.send(object.putRequest(.empty), body: .file(file))
          }
        }
        try await Task.sleep(for: .microseconds(.random(in: 0...8_000)))
        task.cancel()
        _ = await task.result
      }
      _ = await #expect(throws: (any Error).self) {
        try await session.download(bucket.object("a"), to: file.appendingPathComponent("b"))
      }
      let silent = try LoopbackServer(.init(wait: 600))
      var request = URLRequest(url: try silent.url())
      request.timeoutInterval = 1
      _ = await #expect(throws: (any Error).self) { try await session.data(for: request) }
      try await transfers("file", by: session, server)
    }
  #endif

  @Test("A pause before a retry holds no connection", .endsIfItHangs)
  func pause() async throws {
    let server = try LoopbackServer(
      .init(status: 503, headers: ["Retry-After": "60"]), .init(body: "fine"))
    let session = session(1, attempts: 2)
    let bucket = try server.bucket()
    let (first, second) = (try bucket.object("a"), try bucket.object("b"))
    let pausing = Task { try await session.data(for: first) }
    try await wait(for: 1, at: server)
    #expect(try await session.data(for: second) == Data("fine".utf8))
    #expect(try server.received().map(\.target) == ["/films/a", "/films/b"])
    pausing.cancel()
    await #expect(throws: CancellationError.self) { try await pausing.value }
  }

  @Test("A pause before a retry leaves no file open", .endsIfItHangs)
  func closedFiles() async throws {
    let server = try LoopbackServer(.init(status: 503, headers: ["Retry-After": "60"], body: "x"))
    let (session, bucket, file) = (
      session(2, attempts: 2), try server.bucket(), try folder.zeros(300_000)
    )
    var tasks: [Task<Void, any Error>] = []
    for number in 0..<20 {
      let object = try bucket.object("film-\(number)")
      let copy = folder.url.appendingPathComponent("copy-\(number)")
      tasks.append(Task { try await session.download(object, to: copy) })
      tasks.append(
        Task { _ = try await session.send(object.putRequest(.empty), body: .file(file)) })
    }
    try await wait(for: 40, at: server)
    // The last ones are still being closed.
    while openFileCount > 0 { try await Task.sleep(for: .milliseconds(10)) }
    for task in tasks { task.cancel() }
    for task in tasks {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  // Waiting for each other.

  @Test("An upload may read what the same session downloads", .endsIfItHangs, arguments: [1, 2])
  func fedByDownload(connectionCount: Int) async throws {
    let part = MultipartUploadTests.partByteCount
    let server = try LoopbackServer(
      .init(
        headers: ["ETag": "\"e\""],
        body: "<CompleteMultipartUploadResult><ETag>e</ETag></CompleteMultipartUploadResult>",
        bodies: [
          "?uploads": "<InitiateMultipartUploadResult><UploadId>u</UploadId>"
            + "</InitiateMultipartUploadResult>",
          "?partNumber": "",
        ]))
    let source = try LoopbackServer(.init(headers: ["ETag": "\"e\""], zeros: part + 1))
    // One host for both: the loopback server ignores ranges, and sends everything.
    let session = session(connectionCount)
    let bytes = session.bytes(for: try source.bucket().object("source"))
    let others = [try server.bucket().object("a"), try source.bucket().object("a")]
    let pieces = AsyncThrowingStream<Data, any Error> { continuation in
      Task {
        do {
          for try await piece in bytes {
            // A paused reader holds no connection.
            for object in others { _ = try await session.head(object) }
            continuation.yield(piece)
          }
          continuation.finish()
        } catch { continuation.finish(throwing: error) }
      }
    }
    let uploaded = try await session.upload(pieces, to: server.bucket().object("target"))
    #expect(uploaded.partCount == 2)
  }

  @Test("Credentials that come from the same host don't wait for their session", .endsIfItHangs)
  func credentialExchange() async throws {
    let server = try LoopbackServer(.init(body: "fine"))
    let exchange = URLSessionExchange()
    let url = try server.url("/token").absoluteString
    let session = session(
      1, before: { _ = try await exchange.response(to: .init("GET", url, timeout: .seconds(60))) })
    try await transfers("file", by: session, server)
    #expect(try server.received().contains { $0.target == "/token" })
  }

  @Test("Uploads in parts share one connection", .endsIfItHangs)
  func parts() async throws {
    let server = try LoopbackServer(
      .init(
        headers: ["ETag": "\"e\""],
        body: "<CompleteMultipartUploadResult><ETag>e</ETag></CompleteMultipartUploadResult>",
        bodies: [
          "?uploads": "<InitiateMultipartUploadResult><UploadId>u</UploadId>"
            + "</InitiateMultipartUploadResult>",
          "?partNumber": "",
        ]))
    let (session, bucket) = (session(1), try server.bucket())
    let file = try folder.zeros(UInt64(MultipartUploadTests.partByteCount) * 2)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<8 {
        let object = try bucket.object("film-\(number)")
        group.addTask { try await session.upload(file, to: object).partCount }
      }
      for try await count in group { #expect(count == 2) }
    }
    #expect(try server.received().allSatisfy { $0.parallelCount == 1 })
  }

  #if os(Linux)
    /// In a separate process, because other tests need more files.
    @Test("1,000 transfers succeed with 256 file descriptors", .endsIfItHangs)
    func manyTransfers() async {
      await #expect(processExitsWith: .success) {
        var limit = rlimit(rlim_cur: 256, rlim_max: 256)
        let isSet = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        try #require(isSet == 0)
        let tests = try ConnectionSlotTests()
        let server = try LoopbackServer(.init(body: String(repeating: "x", count: 20_000)))
        let (session, bucket) = (tests.session(nil), try server.bucket())
        let (file, folder) = (try tests.folder.zeros(20_000), tests.folder)
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 0..<500 {
            let object = try bucket.object("film-\(number)")
            let copy = folder.url.appendingPathComponent("copy-\(number)")
            group.addTask {
              let put = try object.putRequest(.empty)
              let (_, response) = try await session.send(put, body: .file(file))
              #expect(response.statusCode == 200)
            }
            group.addTask { try await session.download(object, to: copy) }
          }
          try await group.waitForAll()
        }
        let received = try server.received()
        #expect(received.count == 1_000 && received.allSatisfy { $0.parallelCount <= 6 })
      }
    }
  #endif
}

/// Credentials after something else.
private struct Provider: CredentialResolver {
  let before: @Sendable () async throws -> Void

  func credentials() async throws(CredentialError) -> ResolvedCredentials {
    do {
      try await before()
      return ResolvedCredentials(
        try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"), source: "a test")
    } catch { throw CredentialError(.unreachable, "\(error)", fix: "Check the server.") }
  }
}
