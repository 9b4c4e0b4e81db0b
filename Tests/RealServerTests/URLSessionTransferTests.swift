// SPDX-License-Identifier: Apache-2.0
// A server accepts uploads, downloads and presigned URLs through URLSession.

internal import SignatureDiagnosis
internal import S3Signing
internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import RequestSigningFoundation
internal import SigningTestSupport
import Testing

@Suite("Real server: URLSession", .enabled(if: RealServer.isNamed, RealServer.reason))
struct URLSessionTransferTests {
  let credentials: SigV4.Credentials
  let session: SigningSession
  private let temporary: TemporaryFolder
  private var folder: URL { temporary.url }

  init() throws {
    credentials = try RealServer.credentials()
    session = SigningSession(
      credentials: credentials, region: "us-east-1", service: .s3)
    temporary = try TemporaryFolder()
  }

  static let keys = [
    "photos/été +1.jpg", "100% ?#&=;.txt", "a//b/", "it's a \"name\"~*()!", "e\u{301}", "日本/🙂",
  ]

  @Test(
    "A file is uploaded hashed, unsigned and in signed chunks, and downloaded unchanged",
    arguments: keys)
  func files(key: String) async throws {
    let store = try Store("urlsession-files")
    let object = try store.bucket.object(key)
    let file = folder.appendingPathComponent("up")
    for (index, payload) in [
      FilePayload.hashed, .unsigned, .signedChunks(ofByteCount: 8_192),
    ].enumerated() {
      let body = pattern(ofSize: 100_001 + index)
      try Data(body).write(to: file)
      let (answer, response) = try await session.send(
        object.putRequest(.empty), body: .file(file, payload: payload))
      #expect(response.statusCode == 200, "\(String(decoding: answer, as: UTF8.self))")
      let copy = folder.appendingPathComponent("down")
      try await session.download(object.getRequest(), to: copy)
      #expect(try Data(contentsOf: copy) == Data(body))
    }
    #expect(try await session.send(object.deleteRequest()).1.statusCode == 204)
    let error = await #expect(throws: TransferError.self) {
      try await session.download(object.getRequest(), to: folder.appendingPathComponent("none"))
    }
    #expect(error?.serverCode == "NoSuchKey")
  }

  @Test(
    "The server accepts and verifies an upload's checksum, as a header and as a trailer",
    arguments: [SigV4.Checksum.Algorithm.crc32, .crc32c, .sha256])
  func checksums(algorithm: SigV4.Checksum.Algorithm) async throws {
    let store = try Store("urlsession-checksums")
    let object = try store.bucket.object("a")
    let file = folder.appendingPathComponent("up")
    try Data(pattern(ofSize: 100_003)).write(to: file)
    var options = SigningSession.Options()
    options.checksums = .always(algorithm)
    let session = store.bucket.session(credentials: credentials, options: options)
    for payload in [FilePayload.hashed, .unsigned, .signedChunks()] {
      let (answer, response) = try await session.send(
        object.putRequest(.empty), body: .file(file, payload: payload))
      #expect(response.statusCode == 200, "\(String(decoding: answer, as: UTF8.self))")
      #expect(try await session.send(object.getRequest()).0 == Data(contentsOf: file))
    }
    // The checksum of something else is rejected, which shows that the server verifies it.
    let other = SigV4.Checksum(algorithm, of: Array("abc".utf8))
    let (_, response) = try await session.send(
      object.putRequest(.empty, headers: other.headers), body: .file(file))
    #expect(response.statusCode == 400)
    _ = try await session.send(object.deleteRequest())
  }

  @Test("A file and a stream are uploaded in parts, and downloaded unchanged")
  func parts() async throws {
    let store = try Store("urlsession-parts")
    let object = try store.bucket.object("film +é.mov")
    let body = Data(pattern(ofSize: 12_000_001))
    let file = folder.appendingPathComponent("up")
    try body.write(to: file)
    var options = SigningSession.Options()
    options.partByteCount = 5_242_880
    let session = store.bucket.session(credentials: credentials, options: options)
    let pieces = AsyncStream<Data> { continuation in
      for start in stride(from: 0, to: body.count, by: 700_000) {
        continuation.yield(body[start..<min(start + 700_000, body.count)])
      }
      continuation.finish()
    }
    for isFile in [true, false] {
      let uploaded =
        try await isFile
        ? session.upload(file, to: object, headers: ["content-type": "video/quicktime"])
        : session.upload(pieces, to: object)
      #expect(uploaded.partCount == 3)
      #expect(uploaded.eTag.contains("-3"))
      let (data, response) = try await session.send(object.getRequest())
      #expect(data == body)
      var read = Data()
      for try await part in session.bytes(for: object) { read.append(part) }
      #expect(read == body)
      if isFile {
        #expect(response.value(forHTTPHeaderField: "Content-Type") == "video/quicktime")
      }
    }
    _ = try await session.send(object.deleteRequest())
  }

  @Test("Objects are uploaded, known, copied, listed and deleted by the verbs of a session")
  func verbs() async throws {
    let store = try Store("urlsession-verbs")
    let session = store.bucket.session(credentials: credentials)
    let body = Data(pattern(ofSize: 1_000))
    let objects = try Self.keys.map { try store.bucket.object("verbs/" + $0) }
    for object in objects {
      try await session.upload(body, to: object, contentType: "text/plain")
      let head = try #require(try await session.head(object))
      #expect(head.contentLength == 1_000 && head.contentType == "text/plain")
      let copy = try store.bucket.object("copies/" + object.key)
      try await session.copy(object, to: copy)
      #expect(try await session.data(for: copy) == body)
    }
    for (prefix, count) in [("verbs/", objects.count), ("copies/", objects.count)] {
      var listed: [ListedObject] = []
      for try await object in session.list(prefix: prefix) { listed.append(object) }
      #expect(listed.count == count)
      #expect(listed.allSatisfy { $0.size == 1_000 && !$0.isPrefix && $0.lastModified != nil })
    }
    var prefixes: Set<String> = []
    for try await object in session.list(delimiter: "/") where object.isPrefix {
      prefixes.insert(object.key)
    }
    #expect(prefixes == ["verbs/", "copies/"])
    try await session.delete(objects[0])
    #expect(try await session.head(objects[0]) == nil)
    var keys: [String] = []
    for try await object in session.list() { keys.append(object.key) }
    #expect(Set(keys).isSuperset(of: Self.keys.dropFirst().map { "verbs/" + $0 }))
    try await session.delete(keys: keys)
    for try await object in session.list() { Issue.record("left: \(object.key)") }
  }

  @Test("Versions and unfinished uploads are listed, and a failed upload is aborted")
  func lists() async throws {
    struct Ended: Error {}
    let store = try Store("urlsession-lists")
    var options = SigningSession.Options()
    options.partByteCount = 5_242_880
    let session = store.bucket.session(credentials: credentials, options: options)
    let object = try store.bucket.object("lists/a")
    try await session.upload(Data("abc".utf8), to: object)
    var versions: [String] = []
    for try await version in session.listVersions() { versions.append(version.key) }
    #expect(versions == ["lists/a"])

    let pieces = AsyncThrowingStream<Data, any Error> { continuation in
      continuation.yield(Data(count: 5_242_880))
      continuation.finish(throwing: Ended())
    }
    // The error isn't abortFailed.
    await #expect(throws: Ended.self) {
      try await session.upload(pieces, to: store.bucket.object("lists/b"))
    }
    for try await upload in session.listUploads() { Issue.record("left: \(upload.key)") }
    let begin = try store.bucket.object("lists/c").request("POST", query: ["uploads": nil])
    _ = try await session.send(begin)
    var uploads: [UnfinishedUpload] = []
    for try await upload in session.listUploads() { uploads.append(upload) }
    #expect(uploads.map(\.key) == ["lists/c"])
    for upload in uploads { try await session.abort(upload) }
    for try await upload in session.listUploads() { Issue.record("left: \(upload.key)") }
    // Neither is an error: it no longer exists.
    for upload in uploads { try await session.abort(upload) }
    try await session.delete(object)
  }

  // The server's max_upload_part_num is 20 here, so that the test is quick, and 1,000 by default.
  @Test("An upload has no part above OpenStack Swift's maximum, which the option sets")
  func maximumPartCount() async throws {
    let store = try Store("urlsession-limit")
    var options = SigningSession.Options()
    options.partByteCount = 100
    options.minimumPartByteCount = 1
    options.maximumAttempts = 1
    let bytes = [UInt8](repeating: 7, count: 2_001)
    let object = try store.bucket.object("limit")
    let plain = store.bucket.session(credentials: credentials, options: options)
    let error = await #expect(throws: TransferError.self) {
      try await plain.upload(bytes, to: object)
    }
    #expect(error?.status == 400 && error?.serverCode == "InvalidArgument")
    #expect(try await plain.exists(object) == false)
    for try await upload in plain.listUploads() { Issue.record("left: \(upload.key)") }
    options.maximumPartCount = 20
    let limited = store.bucket.session(credentials: credentials, options: options)
    #expect(try await limited.upload(bytes, to: object).partCount == 20)
    #expect(try await limited.head(object)?.contentLength == 2_001)
    try await limited.delete(object)
  }

  @Test("A presigned URL is got by URLSession, and a presigned request puts", arguments: keys)
  func presigned(key: String) async throws {
    let store = try Store("urlsession-presigned")
    let object = try store.bucket.object(key)
    let link = try store.server.signer.presignedURL(for: object, method: "PUT", at: .now)
    var request = URLRequest(url: link)
    request.httpMethod = "PUT"
    request.httpBody = Data("abc".utf8)
    #expect(try await Self.status(of: request) == 200)
    let url = try store.server.signer.presignedURL(for: object, at: .now)
    let (data, response) = try await URLSession.shared.data(from: url)
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    #expect(data == Data("abc".utf8))
    let changed = try #require(
      URL(string: url.absoluteString.replacing("X-Amz-Expires=3600", with: "X-Amz-Expires=3601")))
    #expect(try await Self.status(of: URLRequest(url: changed)) == 403)
  }

  @Test("A URLRequest with query, body and headers is accepted, signed in one line")
  func request() async throws {
    let store = try Store("urlsession-request")
    let endpoint = try #require(RealServer.variable("SIGV4_S3_ENDPOINT"))
    var request = URLRequest(
      url: try #require(URL(string: endpoint + "/urlsession-request/a%20b+c?x-id=PutObject")))
    request.httpMethod = "PUT"
    request.httpBody = Data("abc".utf8)
    request.setValue("text/x-test", forHTTPHeaderField: "Content-Type")
    request.setValue("  two   spaces ", forHTTPHeaderField: "x-amz-meta-note")
    request.setValue("a=b", forHTTPHeaderField: "Cookie")
    #expect(try await Self.status(of: store.server.signer.sign(request, at: .now)) == 200)
    #expect(try store.contents(of: "a b+c") == Array("abc".utf8))
    let list = try #require(
      URL(string: endpoint + "/urlsession-request?prefix=a+b%2Bc&delimiter=&list-type=2"))
    let signed = try store.server.signer.sign(URLRequest(url: list), at: .now)
    let (data, response) = try await URLSession.shared.data(for: signed)
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    #expect(String(decoding: data, as: UTF8.self).contains("<Key>a b+c</Key>"))
  }

  @Test("A clock that's an hour wrong is corrected from the server's error")
  func clock() async throws {
    let store = try Store("urlsession-clock")
    let session = SigningSession(
      credentials: credentials, region: "us-east-1", service: .s3
    ) { .now - 3_600 }
    #expect(try await session.send(store.bucket.listRequest()).1.statusCode == 200)
    #expect(abs(session.clockOffset.components.seconds - 3_600) < 60)
  }

  static func status(of request: URLRequest) async throws -> Int {
    let (_, response) = try await URLSession.shared.data(for: request)
    return try #require(response as? HTTPURLResponse).statusCode
  }
}
