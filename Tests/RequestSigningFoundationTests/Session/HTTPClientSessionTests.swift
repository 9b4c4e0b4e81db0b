// SPDX-License-Identifier: Apache-2.0
// A session over an HTTP client of the caller's: the same verbs, sent without URLSession.

internal import CredentialProviders
internal import Foundation
internal import POSIXCredentialSources
internal import RequestSigning
internal import S3Signing
internal import SigningTestSupport
internal import Testing

@testable internal import RequestSigningFoundation

/// The client is the library's plain socket, and the server computes each signature itself.
@Suite struct HTTPClientSessionTests {
  typealias Answer = LoopbackServer.Answer
  typealias Client = @Sendable (SigV4.HTTPRequest) async throws -> SigV4.HTTPResponse

  static let partByteCount = 5_242_880
  static let socket: Client = { try await CredentialSources.posix.http($0) }

  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func session(
    _ server: LoopbackServer, attempts: Int = 1, http client: @escaping Client = Self.socket
  ) throws -> SigningSession {
    var options = SigningSession.Options()
    options.maximumAttempts = attempts
    options.partByteCount = Self.partByteCount
    options.pause = .milliseconds(1)
    return try server.bucket().session(
      credentials: SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
      options: options, http: client)
  }

  @Test("The verbs of an object and of its bucket")
  func verbs() async throws {
    let list =
      "<ListBucketResult><Contents><Key>a</Key><Size>5</Size></Contents></ListBucketResult>"
    let server = try LoopbackServer(
      Answer(headers: ["ETag": "\"t\""]), Answer(body: "hello"),
      Answer(headers: ["ETag": "\"t\"", "Content-Type": "text/plain"]), Answer(status: 404),
      Answer(body: "<CopyObjectResult><ETag>\"c\"</ETag></CopyObjectResult>"), Answer(body: list),
      Answer(status: 204), Answer(body: "<DeleteResult/>"))
    let session = try session(server)
    let object = try server.bucket().object("é b.txt")
    #expect(try await session.upload(Data("hello".utf8), to: object).eTag == "\"t\"")
    #expect(try await session.data(for: object) == Data("hello".utf8))
    #expect(try await session.head(object)?.contentType == "text/plain")
    #expect(try await session.head(object) == nil)
    #expect(try await session.copy(object, to: server.bucket().object("c")).eTag == "\"c\"")
    var keys: [String] = []
    for try await listed in session.list(prefix: "a") { keys.append(listed.key) }
    #expect(keys == ["a"])
    try await session.delete(object)
    try await session.delete(keys: ["a", "b"])
    let received = try server.received()
    let path = "/films/%C3%A9%20b.txt"
    #expect(
      received.map { $0.method + $0.target } == [
        "PUT" + path, "GET" + path, "HEAD" + path, "HEAD" + path, "PUT/films/c",
        "GET/films?list-type=2&prefix=a&encoding-type=url", "DELETE" + path, "POST/films?delete",
      ])
    #expect(received.allSatisfy { $0.isSignatureRight && $0.isWhole })
    #expect(received.allSatisfy { $0.values("host").count == 1 })
    #expect(received[0].values("content-length") == ["5"])
    // hashlib.sha256(b"hello")
    let hello = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
    #expect(received[0].sha256 == hello)
  }

  @Test("A file is uploaded in parts, and downloaded into a file")
  func files() async throws {
    let server = try LoopbackServer(
      MultipartUploadTests.begun, MultipartUploadTests.part, MultipartUploadTests.part,
      MultipartUploadTests.completed, Answer(zeros: 300_000), Answer(status: 403))
    let session = try session(server)
    let object = try server.bucket().object("film.mov")
    let progress = Guarded<[Int64]>([])
    let film = try folder.zeros(UInt64(Self.partByteCount + 1_000))
    let uploaded = try await session.upload(film, to: object) { step in
      progress.withLock { $0.append(step.byteCount) }
    }
    #expect(uploaded.partCount == 2)
    #expect(progress.withLock(\.last) == Int64(Self.partByteCount + 1_000))
    let parts = try server.received()[1...2].sorted { $0.target < $1.target }
    // hashlib.sha256(bytes(5_242_880)), hashlib.sha256(bytes(1_000))
    #expect(
      parts.map(\.sha256) == [
        "c036cbb7553a909f8b8877d4461924307f27ecb66cff928eeeafd569c3887e29",
        "541b3e9daa09b20bf85fa273e5cbd3e80185aa4ec298e765db87742b70138a53",
      ])
    #expect(try server.received().allSatisfy { $0.isSignatureRight })

    let target = folder.url.appendingPathComponent("down.mov")
    let response = try await session.download(object, to: target) { step in
      progress.withLock { $0.append(step.byteCount) }
    }
    #expect(response.statusCode == 200)
    #expect(try Data(contentsOf: target) == Data(count: 300_000))
    #expect(progress.withLock(\.last) == 300_000)
    let error = await #expect(throws: TransferError.self) {
      try await session.download(object, to: target)
    }
    #expect(error?.code == .unexpectedStatus && error?.status == 403)
    #expect(try Data(contentsOf: target).count == 300_000)
  }

  @Test("A body that's still arriving is written, read or limited as it comes")
  func sequences() async throws {
    let server = try LoopbackServer(Answer())
    let session = try session(server) { request in
      let buffers = AsyncStream<ArraySlice<UInt8>> { continuation in
        for byte in UInt8(0)..<10 { continuation.yield([UInt8](repeating: byte, count: 100)[...]) }
        continuation.finish()
      }
      return SigV4.HTTPResponse(status: 200, body: buffers)
    }
    let object = try server.bucket().object("a")
    let expected = (UInt8(0)..<10).map { Data(repeating: $0, count: 100) }.reduce(Data(), +)
    let target = folder.url.appendingPathComponent("a")
    try await session.download(object, to: target)
    #expect(try Data(contentsOf: target) == expected)
    #expect(try await session.data(for: object, maximumByteCount: 1_000) == expected)
    let error = await #expect(throws: TransferError.self) {
      try await session.data(for: object, maximumByteCount: 999)
    }
    #expect(error?.code == .invalidResponse)
    #expect(error?.message.contains("999") == true)
  }

  @Test("Of a failed download, only the start of the response is read, even if it never ends")
  func endlessFailure() async throws {
    let server = try LoopbackServer(Answer())
    let session = try session(server) { _ in
      let buffers = AsyncStream<[UInt8]> { [UInt8](repeating: 0x20, count: 100_000) }
      return SigV4.HTTPResponse(status: 403, body: buffers)
    }
    let target = folder.url.appendingPathComponent("endless")
    let error = await #expect(throws: TransferError.self) {
      try await session.download(server.bucket().object("a"), to: target)
    }
    #expect(error?.code == .unexpectedStatus && error?.status == 403)
    #expect(!FileManager.default.fileExists(atPath: target.path))
  }

  @Test("A shorter body than announced is an error, unless the client decodes it")
  func shortBody() async throws {
    let server = try LoopbackServer(Answer())
    let target = folder.url.appendingPathComponent("short")
    for (headers, isRight) in [
      (["Content-Length": "10"], false), (["Content-Length": "4"], true),
      (["Content-Length": "10", "Content-Encoding": "gzip"], true),
    ] as [(SigV4.Headers, Bool)] {
      let session = try session(server) { _ in
        SigV4.HTTPResponse(status: 200, headers: headers, body: Array("abcd".utf8))
      }
      try? FileManager.default.removeItem(at: target)
      do {
        try await session.download(server.bucket().object("a"), to: target)
        #expect(isRight)
      } catch let error as TransferError {
        #expect(!isRight && error.code == .invalidResponse)
      }
      #expect(FileManager.default.fileExists(atPath: target.path) == isRight)
      let get = try server.bucket().object("a").getRequest()
      do {
        let (body, _) = try await session.send(get)
        #expect(isRight && body == Data("abcd".utf8))
      } catch let error as TransferError {
        #expect(!isRight && error.code == .invalidResponse)
      }
    }
  }

  @Test("The length that a response without a body announces isn't compared")
  func noBody() async throws {
    let server = try LoopbackServer(Answer())
    for (method, status) in [("HEAD", 200), ("GET", 204), ("GET", 304), ("GET", 404)] {
      let session = try session(server) { _ in
        SigV4.HTTPResponse(status: status, headers: ["Content-Length": "10"], body: [])
      }
      let request = try SigV4.Request(method, url: server.url().absoluteString)
      #expect(try await session.send(request).1.statusCode == status)
    }
  }

  @Test("A client that fails is called again, except for a POST, and its error is the cause")
  func failures() async throws {
    struct Lost: Error {}
    let server = try LoopbackServer(Answer())
    let count = Guarded(0)
    let session = try session(server, attempts: 3) { _ in
      count.withLock { $0 += 1 }
      throw Lost()
    }
    let object = try server.bucket().object("a")
    let error = await #expect(throws: TransferError.self) { try await session.data(for: object) }
    #expect(error?.code == .clientFailed)
    #expect(error?.underlyingError is Lost)
    #expect(count.withLock(\.self) == 3)
    await #expect(throws: TransferError.self) {
      try await session.send(object.request("POST", query: ["select": nil]))
    }
    #expect(count.withLock(\.self) == 4)
    let closed = try self.session(server) { _ in throw CancellationError() }
    let closing = await #expect(throws: TransferError.self) { try await closed.data(for: object) }
    #expect(closing?.code == .clientFailed && closing?.underlyingError is CancellationError)
    let caller = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await closed.data(for: object)
    }
    caller.cancel()
    await #expect(throws: CancellationError.self) { try await caller.value }
  }

  @Test("A caller that's cancelled while the client works is cancelled, whatever the client throws")
  func cancelledCaller() async throws {
    struct Stopped: Error {}
    let server = try LoopbackServer(Answer())
    let session = try session(server) { _ in
      while !Task.isCancelled { await Task.yield() }
      throw Stopped()
    }
    let object = try server.bucket().object("a")
    let caller = Task { try await session.data(for: object) }
    caller.cancel()
    await #expect(throws: CancellationError.self) { try await caller.value }
  }

  // The error of a session token is longer than many responses.
  @Test("A limit for the response doesn't hide an error")
  func limitedErrors() async throws {
    let expired = Answer(
      status: 400,
      body: "<Error><Code>ExpiredToken</Code><Token>\(String(repeating: "t", count: 1_200))"
        + "</Token></Error>")
    let huge = Answer(status: 400, zeros: 1_048_577)
    let server = try LoopbackServer(expired, Answer(body: "fine"), huge)
    let session = try session(server)
    let object = try server.bucket().object("a")
    let fine = try await session.data(for: object, maximumByteCount: 1_000)
    #expect(fine == Data("fine".utf8))
    #expect(try server.received().count == 2)
    let error = await #expect(throws: TransferError.self) {
      try await session.data(for: object, maximumByteCount: 1_000)
    }
    #expect(error?.code == .clientFailed)
  }

  @Test("The total of a download that the client decodes is unknown")
  func decoded() async throws {
    let server = try LoopbackServer(Answer())
    let steps = Guarded<[TransferProgress]>([])
    let session = try session(server) { _ in
      SigV4.HTTPResponse(
        status: 200, headers: ["Content-Length": "10", "Content-Encoding": "gzip"],
        body: [UInt8](repeating: 0, count: 5_000))
    }
    try await session.download(
      server.bucket().object("a"), to: folder.url.appendingPathComponent("decoded")
    ) { step in steps.withLock { $0.append(step) } }
    #expect(steps.withLock { $0.last?.fractionCompleted } == 1)
    #expect(steps.withLock { $0.allSatisfy { $0.fractionCompleted <= 1 } })
  }

  @Test("A client gets neither Host nor Content-Length, and no stream")
  func headers() async throws {
    let server = try LoopbackServer(Answer())
    let sent = Guarded<[SigV4.HTTPRequest]>([])
    let session = try session(server) { request in
      sent.withLock { $0.append(request) }
      return SigV4.HTTPResponse(status: 200, body: [])
    }
    var request = URLRequest(url: try server.url("/films/a?x=1"))
    request.httpMethod = "PUT"
    request.setValue("3", forHTTPHeaderField: "Content-Length")
    request.setValue("a=b", forHTTPHeaderField: "Cookie")
    request.httpBody = Data("abc".utf8)
    _ = try await session.send(request)
    let requests = sent.withLock(\.self)
    let first = try #require(requests.first)
    #expect(first.url == request.url?.absoluteString && first.body == Array("abc".utf8))
    let names = first.headers.map { $0.name.lowercased() }
    #expect(Set(names).isDisjoint(with: ["host", "content-length"]))
    #expect(names.contains("authorization"))
    #expect(first.headers.values(named: "cookie") == ["a=b"])

    let core = try SigV4.Request(
      "PUT", url: server.url("/films/a").absoluteString,
      headers: ["Content-Length": "3", "x-amz-acl": "private"])
    _ = try await session.send(core, body: .data(Data("abc".utf8)))
    let second = try #require(sent.withLock(\.self).last)
    #expect(second.headers["content-length"] == nil && second.headers["x-amz-acl"] == "private")
    let conflict = await #expect(throws: TransferError.self) {
      try await session.send(core, body: .data(Data("abcd".utf8)))
    }
    #expect(conflict?.code == .conflictingHeader)

    request.httpBody = nil
    request.httpBodyStream = InputStream(data: Data("abc".utf8))
    let error = await #expect(throws: TransferError.self) {
      try await session.send(request, payload: .unsigned)
    }
    #expect(error?.code == .bodyMissing)
    #expect(sent.withLock(\.count) == 2)
  }
}
