// SPDX-License-Identifier: Apache-2.0
// Uploads in parts, to a server on this machine: what is sent, and what happens when a step fails.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import SigningTestSupport
internal import Testing

@testable internal import RequestSigningFoundation

@Suite(.serialized) struct MultipartUploadTests {
  typealias Answer = LoopbackServer.Answer

  /// The least that S3 takes.
  static let partByteCount = 5_242_880

  // Amazon S3, API Reference: CreateMultipartUpload, CompleteMultipartUpload, examples shortened.
  static let begun = Answer(
    body:
      "<InitiateMultipartUploadResult><UploadId>a/b+c==</UploadId></InitiateMultipartUploadResult>")
  static let part = Answer(headers: ["ETag": "\"part\""])
  static let completed = Answer(
    headers: ["x-amz-version-id": "v1"],
    body:
      "<CompleteMultipartUploadResult><ETag>&quot;whole-3&quot;</ETag></CompleteMultipartUploadResult>"
  )
  static let refused = Answer(status: 403, body: "<Error><Code>AccessDenied</Code></Error>")
  static let removed = Answer(status: 204)

  let folder: TemporaryFolder
  let progress = Guarded<[TransferProgress]>([])

  init() throws { folder = try TemporaryFolder() }

  func session(
    _ checksums: SigningSession.Options.Checksums = .automatic, parallel: Int = 4,
    partByteCount: Int = Self.partByteCount, attempts: Int = 1
  ) throws -> SigningSession {
    var options = SigningSession.Options()
    options.partByteCount = partByteCount
    options.parallelPartCount = parallel
    options.checksums = checksums
    options.maximumAttempts = attempts
    options.pause = .milliseconds(1)
    return SigningSession(
      credentials: try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
      region: "us-east-1", service: .s3, options: options)
  }

  func object(_ server: LoopbackServer) throws -> SigV4.Bucket.Object {
    try server.bucket().object("film.mov")
  }

  /// Two parts and 1,000 bytes.
  func film() throws -> URL { try folder.zeros(UInt64(2 * Self.partByteCount + 1_000)) }

  @Test("Parts that are too small are rejected by the name of the option, before anything is sent")
  func smallParts() async throws {
    let server = try LoopbackServer(Self.begun)
    for byteCount in [0, -1, Self.partByteCount - 1] {
      let error = await #expect(throws: TransferError.self) {
        try await session(partByteCount: byteCount).upload(film(), to: object(server))
      }
      #expect(error?.code == .invalidPartSize)
      #expect(error?.message.contains("The option partByteCount is \(byteCount)") == true)
    }
    #expect(try server.received().isEmpty)
  }

  // Checksums: awscrt 0.38.1, checksums.crc64nvme of this many zeros.
  @Test("A file is uploaded in parts, and the last request has their checksums and tags")
  func parts() async throws {
    let server = try LoopbackServer(
      Self.begun, Self.part, Self.part, Self.part, Self.completed)
    let uploaded = try await session(.always(.crc64NVME)).upload(
      film(), to: object(server), headers: ["x-amz-meta-a": "b"]
    ) { step in progress.withLock { $0.append(step) } }
    #expect(uploaded.eTag == "\"whole-3\"")
    #expect(uploaded.versionID == "v1")
    #expect(uploaded.partCount == 3)
    let received = try server.received()
    try #require(received.count == 5)
    #expect(received[0].method == "POST")
    #expect(received[0].target == "/films/film.mov?uploads")
    #expect(received[0].values("x-amz-meta-a") == ["b"])
    #expect(received[0].values("x-amz-checksum-algorithm") == ["CRC64NVME"])
    #expect(received[0].values("x-amz-checksum-type") == ["FULL_OBJECT"])
    #expect(received[0].values("content-type") == ["application/octet-stream"])
    let parts = received[1...3].sorted { $0.target < $1.target }
    #expect(
      parts.map(\.target)
        == (1...3).map { "/films/film.mov?partNumber=\($0)&uploadId=a%2Fb%2Bc%3D%3D" })
    #expect(parts.map(\.byteCount) == [Self.partByteCount, Self.partByteCount, 1_000])
    #expect(
      parts.flatMap { $0.values("x-amz-checksum-crc64nvme") } == [
        "vqf3hRLTlJw=", "vqf3hRLTlJw=", "BNG7j6Y8tIg=",
      ])
    #expect(parts.allSatisfy { $0.values("x-amz-meta-a").isEmpty })
    let last = received[4]
    #expect(last.target == "/films/film.mov?uploadId=a%2Fb%2Bc%3D%3D")
    #expect(last.values("x-amz-checksum-crc64nvme") == ["f/gHblu8+v8="])
    let tag = "<ETag>\"part\"</ETag>"
    let list = ["vqf3hRLTlJw=", "vqf3hRLTlJw=", "BNG7j6Y8tIg="].enumerated().map {
      "<Part><PartNumber>\($0 + 1)</PartNumber>\(tag)<ChecksumCRC64NVME>\($1)</ChecksumCRC64NVME></Part>"
    }
    #expect(last.start.hasSuffix(">" + list.joined() + "</CompleteMultipartUpload>"))
    let steps = progress.withLock { $0 }
    #expect(steps.last?.byteCount == Int64(2 * Self.partByteCount + 1_000))
    #expect(steps.last?.totalByteCount == steps.last?.byteCount)
    for (step, next) in zip(steps, steps.dropFirst()) { #expect(step.byteCount < next.byteCount) }
  }

  // Amazon S3, API Reference, "CompleteMultipartUpload": If-Match and If-None-Match.
  @Test("A condition is sent with the last request, which is where S3 checks it")
  func conditions() async throws {
    let server = try LoopbackServer(
      Self.begun, Self.part, Self.part, Self.part, Self.completed)
    let headers: SigV4.Headers = [
      "If-None-Match": "*", "if-match": "\"e\"", "x-amz-acl": "private",
    ]
    try await session().upload(film(), to: object(server), headers: headers)
    let received = try server.received()
    #expect(received.prefix(4).allSatisfy { $0.values("if-none-match").isEmpty })
    #expect(received.prefix(4).allSatisfy { $0.values("if-match").isEmpty })
    #expect(received[0].values("x-amz-acl") == ["private"])
    #expect(received[4].values("if-none-match") == ["*"])
    #expect(received[4].values("if-match") == ["\"e\""])
  }

  // The checksum is that of the test above, by awscrt.
  @Test("A caller's checksum of the whole object is sent with the last request, or refused")
  func callersChecksum() async throws {
    let server = try LoopbackServer(
      Self.begun, Self.part, Self.part, Self.part, Self.completed)
    let object = try object(server)
    try await session().upload(
      film(), to: object, headers: ["x-amz-checksum-crc64nvme": "f/gHblu8+v8="])
    let received = try server.received()
    #expect(received[0].values("x-amz-checksum-crc64nvme").isEmpty)
    #expect(received[0].values("x-amz-checksum-algorithm") == ["CRC64NVME"])
    #expect(received[0].values("x-amz-checksum-type") == ["FULL_OBJECT"])
    let parts = received[1...3].sorted { $0.target < $1.target }
    #expect(
      parts.flatMap { $0.values("x-amz-checksum-crc64nvme") } == [
        "vqf3hRLTlJw=", "vqf3hRLTlJw=", "BNG7j6Y8tIg=",
      ])
    #expect(received[4].values("x-amz-checksum-crc64nvme") == ["f/gHblu8+v8="])
    #expect(received[4].values("x-amz-checksum-type") == ["FULL_OBJECT"])
    let named = try LoopbackServer(
      Self.begun, Self.part, Self.part, Self.part, Self.completed)
    try await session().upload(
      film(), to: self.object(named), headers: ["x-amz-checksum-algorithm": "crc64nvme"])
    let requests = try named.received()
    #expect(requests[0].values("x-amz-checksum-algorithm") == ["CRC64NVME"])
    #expect(requests[1...3].allSatisfy { !$0.values("x-amz-checksum-crc64nvme").isEmpty })
    #expect(requests[4].values("x-amz-checksum-crc64nvme") == ["f/gHblu8+v8="])
    for name in ["x-amz-checksum-sha256", "Content-MD5"] {
      let error = await #expect(throws: TransferError.self) {
        try await session().upload(film(), to: object, headers: [name: "AAAA"])
      }
      #expect(error?.code == .conflictingHeader)
      #expect(error?.problem.contains(name.lowercased()) == true)
    }
    #expect(try server.received().count == 5)
  }

  // hashlib.sha256 of the three parts of bytes(i // 1000 % 251 for i in range(10486760)).
  @Test("Each part of a file has the bytes of its place")
  func places() async throws {
    let server = try LoopbackServer(
      Self.begun, Self.part, Self.part, Self.part, Self.completed)
    let file = try film()
    try Data((0..<2 * Self.partByteCount + 1_000).map { UInt8($0 / 1_000 % 251) }).write(to: file)
    try await session().upload(file, to: object(server))
    let parts = try server.received().dropFirst().prefix(3).sorted { $0.target < $1.target }
    let digests = [
      "2c803c00f230474a8b6f45fa296445fdfd4a6627c79c400900a9240e15d7c1b0",
      "717d7ec06caf43d31ffa81b7dfbb72a9b2014e5a30e87206f1c35a0086be67a2",
      "11b9401a71d0a85b12168d2f65b6fb0eff8792a5547f582c4c7048bb4a7bf4fa",
    ]
    #expect(parts.map(\.sha256) == digests)
    #expect(parts.flatMap { $0.values("x-amz-content-sha256") } == digests)
  }

  @Test(
    "A file that becomes shorter or longer between its parts is an error, and the parts are removed",
    arguments: [1_000, 20_000_000])
  func changed(byteCount: UInt64) async throws {
    let server = try LoopbackServer(Self.begun, Self.part, Self.part, Self.part, Self.removed)
    let handle = try FileHandle(forWritingTo: film())
    let file = folder.url.appendingPathComponent("zeros")
    let error = await #expect(throws: TransferError.self) {
      try await session(parallel: 1).upload(file, to: object(server)) { step in
        progress.withLock { $0.append(step) }
        try? handle.truncate(atOffset: byteCount)
      }
    }
    #expect(error?.code == .invalidFile)
    #expect(error?.message.contains("changed during the upload") == true)
    #expect(try server.received().contains { $0.method == "DELETE" })
  }

  @Test("What fits into one part is one request", arguments: [0, 1_000, 5_242_880])
  func onePart(byteCount: UInt64) async throws {
    let server = try LoopbackServer(Self.part)
    let uploaded = try await session().upload(
      folder.zeros(byteCount), to: object(server), headers: ["content-type": "video/mp4"])
    #expect(uploaded.eTag == "\"part\"")
    #expect(uploaded.partCount == 1)
    let received = try server.received()
    #expect(received.map(\.target) == ["/films/film.mov"])
    #expect(received.first?.values("content-type") == ["video/mp4"])
    #expect(received.first?.byteCount == Int(byteCount))
  }

  @Test("Bytes that come one piece after the other go up in parts")
  func pieces() async throws {
    let server = try LoopbackServer(Self.begun, Self.part, Self.part, Self.completed)
    let pieces = AsyncStream<[UInt8]> { continuation in
      for _ in 0..<7 { continuation.yield([UInt8](repeating: 0, count: 1_000_000)) }
      continuation.finish()
    }
    let uploaded = try await session().upload(pieces, to: object(server))
    #expect(uploaded.partCount == 2)
    let received = try server.received()
    #expect(
      Set(received[1...2].map(\.byteCount)) == [Self.partByteCount, 7_000_000 - Self.partByteCount])
    // At this machine no checksum is sent by itself.
    #expect(received.allSatisfy { $0.values("x-amz-checksum-crc64nvme").isEmpty })
  }

  @Test("When a part is rejected, all are removed")
  func refusedPart() async throws {
    let server = try LoopbackServer(Self.begun, Self.part, Self.refused, Self.removed)
    let error = await #expect(throws: TransferError.self) {
      try await session(parallel: 1).upload(film(), to: object(server))
    }
    #expect(error?.code == .unexpectedStatus)
    #expect(error?.serverCode == "AccessDenied")
    let received = try server.received()
    #expect(received.map(\.method) == ["POST", "PUT", "PUT", "DELETE", "GET"])
    #expect(received.dropLast().last?.target == "/films/film.mov?uploadId=a%2Fb%2Bc%3D%3D")
  }

  @Test("If the parts can't be removed either, the error names the upload")
  func leftBehind() async throws {
    let server = try LoopbackServer(Self.begun, Self.refused)
    let error = await #expect(throws: TransferError.self) {
      try await session(parallel: 1).upload(film(), to: object(server))
    }
    #expect(error?.code == .abortFailed)
    #expect(error?.message.contains("a/b+c==") == true)
    #expect(error?.message.contains("AccessDenied") == true)
  }

  @Test("A status of 200 with an error in the body is an error, and the parts are removed")
  func failedCompletion() async throws {
    let server = try LoopbackServer(
      Self.begun, Self.part, Self.part, Self.part,
      .init(body: "<Error><Code>InternalError</Code></Error>"), Self.removed)
    let error = await #expect(throws: TransferError.self) {
      try await session().upload(film(), to: object(server))
    }
    #expect(error?.code == .unexpectedStatus)
    #expect(error?.serverCode == "InternalError")
    #expect(try server.received().suffix(2).map(\.method) == ["DELETE", "GET"])
  }

  // Amazon S3, API Reference, CompleteMultipartUpload: whitespace keeps the connection, and an error after a
  // status of 200 is to be treated like one of 500.
  @Test("A completion that fails after its status is retried, and the parts stay")
  func completionAgain() async throws {
    let failed = Answer(
      body:
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n   \n<Error><Code>InternalError</Code></Error>"
    )
    let server = try LoopbackServer(
      Self.begun, Self.part, Self.part, Self.part, failed, failed, Self.completed)
    let uploaded = try await session(attempts: 3).upload(film(), to: object(server))
    #expect(uploaded.eTag == "\"whole-3\"")
    let received = try server.received()
    #expect(received.map(\.method) == ["POST", "PUT", "PUT", "PUT", "POST", "POST", "POST"])
    #expect(Set(received.suffix(3).map(\.sha256)).count == 1)
  }

  @Test("A completion whose response is lost is sent again, and the parts stay")
  func lostCompletion() async throws {
    let server = try LoopbackServer(
      Self.begun, Self.part, Self.part, Self.part, .init(faults: ["reset"]), Self.completed)
    let uploaded = try await session(attempts: 3).upload(film(), to: object(server))
    #expect(uploaded.eTag == "\"whole-3\"")
    let received = try server.received()
    #expect(received.map(\.method) == ["POST", "PUT", "PUT", "PUT", "POST", "POST"])
    #expect(received[4].target == received[5].target)
  }

  @Test("An upload that's cancelled while it begins is removed", arguments: 0..<3)
  func cancelledBeginning(call: Int) async throws {
    var begun = Self.begun
    begun.wait = 1
    let server = try LoopbackServer(begun, Self.removed)
    let (file, object) = (try film(), try object(server))
    let checkpoint = folder.url.appendingPathComponent("film.json")
    var options = SigningSession.Options()
    options.partByteCount = Self.partByteCount
    let session = try server.bucket().session(
      credentials: SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
      options: options)
    let task = Task {
      switch call {
      case 0: _ = try await session.upload(file, to: object)
      case 1: _ = try await session.upload(file, to: object, checkpoint: checkpoint)
      default: _ = try await session.startUpload(ofByteCount: 99_999_999, to: object)
      }
    }
    while try server.received().isEmpty { try await Task.sleep(for: .milliseconds(20)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    let received = try server.received()
    #expect(received.map(\.method) == ["POST", "DELETE", "GET"])
    #expect(received.dropLast().last?.target == "/films/film.mov?uploadId=a%2Fb%2Bc%3D%3D")
    #expect(!FileManager.default.fileExists(atPath: checkpoint.path))
  }

  @Test("The error of a failed abort contains no foreign error's text, but the error itself")
  func secrecy() async throws {
    struct Leaky: Error, CustomStringConvertible {
      var description: String { "token=hunter2" }
    }
    let server = try LoopbackServer(Self.begun, Self.part, Self.refused)
    let pieces = AsyncThrowingStream<[UInt8], any Error> { continuation in
      continuation.yield([UInt8](repeating: 0, count: Self.partByteCount))
      continuation.finish(throwing: Leaky())
    }
    let error = await #expect(throws: TransferError.self) {
      try await session(parallel: 1).upload(pieces, to: object(server))
    }
    #expect(error?.code == .abortFailed)
    #expect(error?.message.contains("hunter2") == false)
    #expect(error?.message.contains("Leaky") == true)
    #expect(error?.underlyingError is Leaky)
  }

  @Test("A call that's cancelled while it aborts a failed upload doesn't wait for the server")
  func cancelledAbort() async throws {
    let server = try LoopbackServer(Self.begun, Self.refused, .init(wait: 600))
    let (session, file, object) = (try session(parallel: 1), try film(), try object(server))
    let task = Task { try await session.upload(file, to: object) }
    while try server.received().count < 3 { try await Task.sleep(for: .milliseconds(20)) }
    let start = ContinuousClock.now
    task.cancel()
    let error = await #expect(throws: TransferError.self) { try await task.value }
    #expect(error?.serverCode == "AccessDenied")
    // URLSession would wait for 60 seconds.
    #expect(ContinuousClock.now - start < .seconds(30))
  }

  @Test("A cancelled upload removes its parts")
  func cancelled() async throws {
    let server = try LoopbackServer(Self.begun, .init(wait: 600), Self.removed)
    let (session, file, object) = (try session(parallel: 1), try film(), try object(server))
    let task = Task { try await session.upload(file, to: object) }
    while try server.received().count < 2 { try await Task.sleep(for: .milliseconds(20)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try server.received().map(\.method) == ["POST", "PUT", "DELETE", "GET"])
  }

  @Test("A cancelled upload doesn't wait for an unresponsive server")
  func cancelledSilently() async throws {
    let server = try LoopbackServer(Self.begun, .init(wait: 600), .init(wait: 600))
    let (session, file, object) = (try session(parallel: 1), try film(), try object(server))
    let task = Task { try await session.upload(file, to: object) }
    while try server.received().count < 2 { try await Task.sleep(for: .milliseconds(20)) }
    let start = ContinuousClock.now
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    // URLSession would wait for 60 seconds.
    #expect(ContinuousClock.now - start < .seconds(30))
  }

  @Test("A response without the upload ID is rejected")
  func noNumber() async throws {
    let server = try LoopbackServer(.init(body: "<a></a>"))
    let error = await #expect(throws: TransferError.self) {
      try await session().upload(film(), to: object(server))
    }
    #expect(error?.code == .invalidResponse)
  }
}
