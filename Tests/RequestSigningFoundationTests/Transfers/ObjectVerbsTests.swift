// SPDX-License-Identifier: Apache-2.0
// A session's calls for objects and their bucket: the requests, and the results of responses.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import SignatureDiagnosis
internal import SigningTestSupport
internal import TestSupport
internal import Testing

@testable internal import RequestSigningFoundation

/// The responses are the examples of Amazon S3's API Reference, shortened.
@Suite struct ObjectVerbsTests {
  typealias Answer = LoopbackServer.Answer

  static let now = Date(timeIntervalSince1970: 1_440_938_160)  // 20150830T123600Z
  static let refused = Answer(status: 403, body: "<Error><Code>AccessDenied</Code></Error>")

  func session(_ server: LoopbackServer) throws -> SigningSession {
    var options = SigningSession.Options()
    options.maximumAttempts = 1
    return try server.bucket().session(credentials: credentials(), options: options)
  }

  func credentials() throws -> SigV4.Credentials {
    try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret")
  }

  /// Expects a call to throw for a 403.
  func expectRefused(
    _ call: (SigningSession, SigV4.Bucket.Object) async throws -> Void,
    location: SourceLocation = #_sourceLocation
  ) async throws {
    let server = try LoopbackServer(Self.refused)
    let session = try session(server)
    let object = try server.bucket().object("a")
    let error = await #expect(throws: TransferError.self, sourceLocation: location) {
      try await call(session, object)
    }
    #expect(error?.code == .unexpectedStatus, sourceLocation: location)
    #expect(error?.status == 403 && error?.serverCode == "AccessDenied", sourceLocation: location)
    #expect(error?.diagnosis?.cause.code == .unknownCause, sourceLocation: location)
    #expect(try server.received().allSatisfy { $0.isSignatureRight }, sourceLocation: location)
  }

  @Test("The bytes of an object, and send for every status")
  func bytesOfAnObject() async throws {
    let server = try LoopbackServer(Answer(body: "hello"), Self.refused)
    let object = try server.bucket().object("a b")
    #expect(try await session(server).data(for: object) == Data("hello".utf8))
    #expect(try await session(server).send(object).1.statusCode == 403)
    #expect(try server.received().map(\.target) == ["/films/a%20b", "/films/a%20b"])
    try await expectRefused { _ = try await $0.data(for: $1) }
    try await expectRefused { _ = try await $0.data(for: $1.getRequest()) }
  }

  @Test("An object's properties, and nil if it doesn't exist")
  func head() async throws {
    let server = try LoopbackServer(
      Answer(headers: [
        "Content-Type": "image/jpeg", "ETag": "\"fba9dede5f27731c9771645a39863328\"",
        "Last-Modified": "Sun, 01 Jan 2006 12:00:00 GMT",
        "x-amz-version-id": "v1", "x-amz-meta-Place": "here",
      ]), Answer(status: 404), Answer(status: 403))
    let session = try session(server)
    let object = try server.bucket().object("my-image.jpg")
    let head = try #require(try await session.head(object))
    #expect(head.contentLength == 0)
    #expect(head.contentType == "image/jpeg")
    #expect(head.eTag == "\"fba9dede5f27731c9771645a39863328\"")
    #expect(head.lastModified == Date(timeIntervalSince1970: 1_136_116_800))
    #expect(head.versionID == "v1")
    #expect(head.metadata == ["place": "here"])
    #expect(try await session.head(object) == nil)
    let error = await #expect(throws: TransferError.self) { try await session.head(object) }
    #expect(error?.status == 403)
    #expect(try server.received().map(\.method) == ["HEAD", "HEAD", "HEAD"])
  }

  @Test("A copy names its source percent-encoded, and an error after a status of 200 is one")
  func copy() async throws {
    let server = try LoopbackServer(
      Answer(
        headers: ["x-amz-version-id": "v2"],
        body:
          "<CopyObjectResult><ETag>\"9b2cf535f27731c974343645a3985328\"</ETag></CopyObjectResult>"
      ), Answer(body: "<Error><Code>InternalError</Code></Error>"), Answer())
    let session = try session(server)
    let source = try server.bucket().object("é +&?/a")
    let target = try server.bucket().object("b")
    let copied = try await session.copy(source, to: target, headers: ["x-amz-acl": "private"])
    #expect(copied.eTag == "\"9b2cf535f27731c974343645a3985328\"")
    #expect(copied.versionID == "v2" && copied.partCount == 1)
    let error = await #expect(throws: TransferError.self) {
      try await session.copy(source, to: target)
    }
    #expect(error?.code == .unexpectedStatus && error?.serverCode == "InternalError")
    let empty = await #expect(throws: TransferError.self) {
      try await session.copy(source, to: target)
    }
    #expect(empty?.code == .invalidResponse)
    let received = try server.received()
    #expect(received[0].method == "PUT" && received[0].target == "/films/b")
    // urllib.parse.quote("/films/é +&?/a")
    #expect(received[0].values("x-amz-copy-source") == ["/films/%C3%A9%20%2B%26%3F/a"])
    #expect(received[0].values("x-amz-acl") == ["private"])
    #expect(received.allSatisfy { $0.isSignatureRight })
    try await expectRefused { try await $0.copy($1, to: $1) }
  }

  @Test("An object is deleted")
  func delete() async throws {
    let server = try LoopbackServer(Answer(status: 204))
    try await session(server).delete(server.bucket().object("a"))
    #expect(try server.received().map { $0.method + $0.target } == ["DELETE/films/a"])
    try await expectRefused { try await $0.delete($1) }
  }

  @Test("Keys are deleted by the thousand, and the remaining ones are reported")
  func deleteMany() async throws {
    let server = try LoopbackServer(
      Answer(
        body: """
          <DeleteResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">\
          <Error><Key>sample2.txt</Key><Code>AccessDenied</Code><Message>Access Denied</Message>\
          </Error></DeleteResult>
          """),
      Answer(body: "<DeleteResult/>"), Self.refused, Answer(body: "no XML"))
    let session = try session(server)
    let keys = (0..<1_001).map { "k\($0)<&\r" }
    let error = await #expect(throws: DeletionError.self) { try await session.delete(keys: keys) }
    #expect(error?.failures.map(\.key) == ["sample2.txt"])
    #expect(error?.failures.map(\.serverCode) == ["AccessDenied"])
    #expect(error?.failures.map(\.serverMessage) == ["Access Denied"])
    #expect(error?.localizedDescription.contains("sample2.txt") == true)
    let refused = await #expect(throws: TransferError.self) {
      try await session.delete(keys: ["a"])
    }
    #expect(refused?.serverCode == "AccessDenied")
    let garbled = await #expect(throws: TransferError.self) {
      try await session.delete(keys: ["a"])
    }
    #expect(garbled?.code == .invalidResponse)
    await #expect(throws: SigV4.SigningError.self) { try await session.delete(keys: ["a", ""]) }
    try await session.delete(keys: [])
    try await session.delete([] as [SigV4.Bucket.Object])
    let received = try server.received()
    try #require(received.count == 4)
    #expect(received.allSatisfy { $0.method == "POST" && $0.target == "/films?delete" })
    #expect(
      received[0].start.hasPrefix(
        "<Delete xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Object><Key>k0&lt;&amp;&#13;</Key>"
      ))
    #expect(
      received[1].start.hasSuffix(
        "<Object><Key>k1000&lt;&amp;&#13;</Key></Object><Quiet>true</Quiet></Delete>"))
    // hashlib: md5 of the body with the key "a", in base64.
    #expect(received[2].values("content-md5") == ["2++WDsPA3AtReghCSdnUYA=="])
  }

  @Test("A key that XML can't contain is deleted alone, and no other is")
  func deleteOddKeys() async throws {
    let server = try LoopbackServer(Answer(body: "<DeleteResult/>"), Answer(status: 204))
    let bucket = try server.bucket()
    try await session(server).delete([
      bucket.object("a\u{1}"), bucket.object("b"), bucket.object(bytes: [0x63, 0xFF]),
    ])
    let received = try server.received()
    #expect(
      received.map { $0.method + $0.target }
        == ["POST/films?delete", "DELETE/films/a%01", "DELETE/films/c%FF"])
    #expect(received[0].start.contains("<Object><Key>b</Key></Object><Quiet>"))
  }

  @Test("The fraction of a transfer")
  func fraction() {
    #expect(TransferProgress(byteCount: 1, totalByteCount: 4).fractionCompleted == 0.25)
    #expect(TransferProgress(byteCount: 0, totalByteCount: 0).fractionCompleted == 1)
    #expect(TransferProgress(byteCount: 5, totalByteCount: nil).fractionCompleted == 0)
  }

  @Test("A session without a bucket reports that")
  func bucketMissing() async throws {
    let session = SigningSession(
      credentials: try credentials(), region: "us-east-1", service: .s3)
    let deleted = await #expect(throws: TransferError.self) {
      try await session.delete(keys: ["a"])
    }
    #expect(deleted?.code == .bucketMissing)
    let listed = await #expect(throws: TransferError.self) {
      for try await _ in session.list() {}
    }
    #expect(listed?.code == .bucketMissing)
    let linked = await #expect(throws: TransferError.self) {
      try await session.presignedURLs(for: ["a"])
    }
    #expect(linked?.code == .bucketMissing)
  }

  @Test("A list may name its bucket, so a session needs none")
  func listOfBucket() async throws {
    let server = try LoopbackServer(
      Answer(body: "<ListBucketResult><Contents><Key>a</Key></Contents></ListBucketResult>"),
      Answer(body: "<ListVersionsResult/>"), Answer(body: "<ListMultipartUploadsResult/>"))
    let session = SigningSession(
      credentials: try credentials(), region: "us-east-1", service: .s3)
    for try await object in session.list(try server.bucket(), prefix: "a") {
      #expect(object.key == "a")
    }
    for try await _ in session.listVersions(try server.bucket()) {}
    for try await _ in session.listUploads(try server.bucket(), prefix: "b") {}
    #expect(
      try server.received().map(\.target) == [
        "/films?list-type=2&prefix=a&encoding-type=url", "/films?versions&encoding-type=url",
        "/films?uploads&prefix=b&encoding-type=url",
      ])
  }

  // urllib.parse.quote("é +/a.txt")
  @Test("An object has a URL, unless loaders would change it")
  func url() throws {
    let bucket = try SigV4.Bucket.aws("films", region: "us-east-1")
    let object = try bucket.object("é +/a.txt")
    let url = "https://films.s3.us-east-1.amazonaws.com/%C3%A9%20%2B/a.txt"
    #expect(try object.url.absoluteString == url)
    let signer = try bucket.signer(credentials: credentials())
    #expect(
      try signer.sign(URLRequest(url: object.url), at: Self.now)
        == URLRequest(signer.sign(object.getRequest(), at: Self.now)))
    let error = #expect(throws: TransferError.self) { try bucket.object("a/../b").url }
    #expect(error?.code == .requestWouldChange)
  }

  @Test("A link has the session's credentials, and is the signer's")
  func presignedURL() async throws {
    let bucket = try SigV4.Bucket.aws("films", region: "us-east-1")
    let session = SigningSession(
      credentials: try credentials(), region: "us-east-1", service: .s3, now: { Self.now })
    let object = try bucket.object("é.mov")
    let signer = try bucket.signer(credentials: credentials())
    #expect(
      try await session.presignedURL(for: object, method: "PUT", expiresIn: .seconds(60))
        == signer.presignedURL(
          for: object, method: "PUT", expiresIn: .seconds(60), at: Self.now))
    let put = try await session.presignedURL(
      for: object, method: "PUT", contentType: "image/png", expiresIn: .seconds(60))
    #expect(put.absoluteString.contains("&X-Amz-SignedHeaders=content-type%3Bhost&"))
    let key = try SigV4.SigningKey(
      credentials: credentials(), date: Self.now, region: "us-east-1", service: "s3")
    #expect(key.scope.text == "20150830/us-east-1/s3/aws4_request")
    #expect(try key.key == signer.signingKey(at: SigV4.Timestamp(Self.now)).key)
    #expect(
      try await session.presignedURL(for: object) == signer.presignedURL(for: object, at: Self.now))
  }

  @Test("Links for many keys of the session's bucket are the signer's")
  func presignedURLs() async throws {
    let bucket = try SigV4.Bucket.aws("films", region: "us-east-1")
    let links = try await bucket.session(credentials: credentials()).presignedURLs(
      for: ["é.mov", "b"], method: .put, expiresIn: .seconds(60))
    let time = try #require(links.last?.absoluteString.firstMatch(of: /X-Amz-Date=(\w+)/)?.1)
    let expected: [URL] = try bucket.signer(credentials: credentials()).presignedURLs(
      for: ["é.mov", "b"], in: bucket, method: .put, expiresIn: .seconds(60),
      at: SigV4.Timestamp(String(time)))
    #expect(links == expected && links.count == 2)
  }

  @Test("A rejected signature is explained with the sent request")
  func diagnosis() async throws {
    // The server received another host: a proxy changed it.
    let credentials = try credentials()
    let signer = try SigV4.Signer(credentials: credentials, region: "us-east-1", service: .s3)
    func answer(_ url: String) throws -> Answer {
      let signed = try signer.sign(SigV4.Request("GET", url: url), at: Self.now)
      return Answer(
        status: 403,
        body: """
          <Error><Code>SignatureDoesNotMatch</Code>\
          <StringToSign>\(signed.stringToSign.text)</StringToSign>\
          <CanonicalRequest>\(signed.canonicalRequest.text)</CanonicalRequest></Error>
          """)
    }
    let server = try LoopbackServer(answer("http://inner.example.com/films/a"))
    let session = SigningSession(
      credentials: credentials, region: "us-east-1", service: .s3, now: { Self.now })
    let error = await #expect(throws: TransferError.self) {
      try await session.data(for: server.bucket().object("a"))
    }
    #expect(error?.diagnosis?.cause.code == .host)
    #expect(error?.diagnosis?.difference != nil)
    #expect(error?.message.contains("Host") == true, "\(error?.message ?? "")")
    let bare = try LoopbackServer(
      Answer(status: 403, body: "<Error><Code>SignatureDoesNotMatch</Code></Error>"))
    let unexplained = await #expect(throws: TransferError.self) {
      try await session.upload(Data("a".utf8), to: bare.bucket().object("a"))
    }
    #expect(unexplained?.diagnosis?.cause.code == .unknownCause)
    let invalid = try LoopbackServer(
      Answer(status: 400, body: "<Error><Code>InvalidArgument</Code></Error>"))
    let argument = await #expect(throws: TransferError.self) {
      try await session.data(for: invalid.bucket().object("a"))
    }
    #expect(argument?.serverCode == "InvalidArgument" && argument?.diagnosis == nil)
  }

  @Test("An upload's content type comes from the file's name or the key, unless it's set")
  func contentTypes() async throws {
    let server = try LoopbackServer(Answer(headers: ["ETag": "\"t\""]))
    let session = try session(server)
    let folder = try TemporaryFolder()
    let file = try folder.zeros(3, "film.MP4")
    let object = try server.bucket().object("photos/a.jpg")
    try await session.upload(file, to: object)
    try await session.upload(Data("abc".utf8), to: object)
    try await session.upload([1, 2, 3] as [UInt8], to: object, contentType: "text/plain")
    try await session.upload("abc".utf8, to: object, headers: ["Content-Type": "text/html"])
    let pieces = AsyncStream<[UInt8]> { $0.finish() }
    try await session.upload(pieces, to: server.bucket().object("a.unknown"))
    let received = try server.received()
    #expect(
      received.flatMap { $0.values("content-type") } == [
        "video/mp4", "image/jpeg", "text/plain", "text/html", "application/octet-stream",
      ])
    #expect(received.map(\.byteCount) == [3, 3, 3, 3, 0])
    #expect(received.allSatisfy { $0.isSignatureRight })
  }

  /// What a view of an app does: its closure may touch what is on the main actor.
  @MainActor final class Model {
    var fractions: [Double] = []

    func upload(_ data: Data, to object: SigV4.Bucket.Object, by session: SigningSession)
      async throws
    {
      try await session.upload(data, to: object) { progress in
        MainActor.assertIsolated()
        self.fractions.append(progress.fractionCompleted)
      }
    }
  }

  @Test("Progress may touch the main actor, and its last report is there when the upload returns")
  func progressOnMainActor() async throws {
    let server = try LoopbackServer(Answer(headers: ["ETag": "\"t\""]))
    let (session, object) = (try session(server), try server.bucket().object("a.bin"))
    let model = Model()
    try await model.upload(Data(repeating: 1, count: 300_000), to: object, by: session)
    let fractions = await model.fractions
    #expect(fractions.last == 1 && fractions == fractions.sorted())

    let refusing = try LoopbackServer(Answer(status: 403))
    let other = try self.session(refusing)
    await #expect(throws: TransferError.self) {
      try await model.upload(
        Data("a".utf8), to: refusing.bucket().object("a.bin"), by: other)
    }
  }

  @Test("A link is for a method, by name or as a string")
  func methodOfLink() async throws {
    let server = try LoopbackServer(Answer())
    let object = try server.bucket().object("a.bin")
    let session = SigningSession(
      credentials: try credentials(), region: "us-east-1", service: .s3, now: { Self.now })
    let signer = try SigV4.Signer(credentials: credentials(), region: "us-east-1", service: .s3)
    let now = Self.now
    func expected(_ method: String) throws -> String {
      try signer.presignedURL(for: object.request(method), expiresIn: .seconds(60), at: now).url
    }
    for (method, name) in [
      (SigV4.HTTPMethod.get, "GET"), (.put, "PUT"), (.head, "HEAD"), (.post, "POST"),
      (.delete, "DELETE"), (.patch, "PATCH"), ("OPTIONS", "OPTIONS"),
    ] {
      let url = try await session.presignedURL(
        for: object, method: method, expiresIn: .seconds(60))
      #expect(try url.absoluteString == expected(name))
      let signed = try signer.presignedURL(
        for: object, method: method, expiresIn: .seconds(60), at: now)
      #expect(try signed.absoluteString == expected(name))
    }
  }

  @Test("The types of extensions")
  func types() throws {
    let rows = try VectorTable(named: "content-types.txt").records
    #expect(rows.count > 50)
    for row in rows {
      #expect(try ContentType.ofFile(named: "a." + row.text("name")) == row.text("type"))
    }
    #expect(ContentType.ofFile(named: "Makefile") == "application/octet-stream")
    #expect(ContentType.ofFile(named: "") == "application/octet-stream")
  }
}
