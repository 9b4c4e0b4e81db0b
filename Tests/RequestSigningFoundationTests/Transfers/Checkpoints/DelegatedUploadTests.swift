// SPDX-License-Identifier: Apache-2.0
// Uploads whose parts are sent by others: started, presigned part by part, listed, finished, aborted.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import RequestVerification
internal import S3Signing
internal import SigningTestSupport
internal import Testing

@testable internal import RequestSigningFoundation

@Suite struct DelegatedUploadTests {
  let site: UploadSite
  var store: PartStore { site.store }

  init() throws { site = try UploadSite() }

  func film() throws -> SigV4.Bucket.Object { try site.bucket().object("film.mov") }

  /// Sends a part as a client without keys does.
  func send(_ part: UploadPart, _ upload: UploadCheckpoint) async throws {
    let file = site.folder.url.appendingPathComponent("part")
    try part.write(from: site.file, to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let request = try await site.session().presignedRequest(for: part, of: upload)
    let url = try #require(request.url)
    _ = try await store.respond(
      to: SigV4.HTTPRequest(
        request.httpMethod ?? "", url.absoluteString, headers: [:],
        body: Array(try Data(contentsOf: file)), timeout: .seconds(1), maximumByteCount: 1_000))
  }

  @Test("Somebody else sends the parts, whatever is missing is listed, and the upload is finished")
  func flow() async throws {
    for checksums in [SigningSession.Options.Checksums.off, .always(.crc64NVME)] {
      let session = try site.session(checksums)
      let started = try await session.startUpload(
        ofByteCount: 9_500, to: film(), metadata: ["owner": "me"])
      #expect(await store.requests.last?.headers["x-amz-meta-owner"] == "me")
      #expect(await store.requests.last?.headers["content-type"] == "video/quicktime")
      // A server stores it between two requests.
      let upload = try JSONDecoder().decode(
        UploadCheckpoint.self, from: JSONEncoder().encode(started))
      #expect(upload == started)
      let missing = try await session.missingParts(of: upload)
      #expect(missing.map(\.number) == Array(1...10))
      #expect(missing.map(\.range).first == 0..<1_000)
      #expect(missing.map(\.range).last == 9_000..<9_500)
      for part in missing where ![3, 10].contains(part.number) { try await send(part, upload) }
      let left = try await session.missingParts(of: upload)
      #expect(left.map(\.number) == [3, 10])
      let error = await #expect(throws: TransferError.self) { try await session.finish(upload) }
      #expect(error?.code == .partsMissing)
      #expect(error?.problem.contains("2 of 10 parts, or they have other sizes: 3, 10.") == true)
      #expect(await !store.log.contains("complete"))
      let decoded = try JSONDecoder().decode([UploadPart].self, from: JSONEncoder().encode(left))
      for part in decoded { try await send(part, upload) }
      #expect(try await session.finish(upload).partCount == 10)
      #expect(
        await store.requests.last?.headers["x-amz-checksum-crc64nvme"]
          == (checksums == .off ? nil : SigV4.Checksum(.crc64NVME, of: site.bytes).text))
      try await site.expectDone()
      await store.forget()
    }
  }

  @Test("A store that doesn't list checksums gets none of the whole object")
  func withoutListedChecksums() async throws {
    await store.set { $0.listsChecksums = false }
    let session = try site.session(.always(.crc64NVME))
    let upload = try await session.startUpload(ofByteCount: 9_500, to: film())
    for part in try await session.missingParts(of: upload) { try await send(part, upload) }
    try await session.finish(upload)
    #expect(await store.requests.last?.headers["x-amz-checksum-crc64nvme"] == nil)
    try await site.expectDone()
  }

  /// Starts an upload, sends its parts, and finishes it. Returns the object or the error, and what
  /// `finish` sent.
  func finish(
    _ session: SigningSession, headers: SigV4.Headers = [:]
  ) async throws -> (uploaded: UploadedObject?, error: TransferError?, sent: [String]) {
    let upload = try await session.startUpload(ofByteCount: 9_500, to: film(), headers: headers)
    for part in try await session.missingParts(of: upload) { try await send(part, upload) }
    var (uploaded, failure): (UploadedObject?, TransferError?) = (nil, nil)
    let sent = try await site.operations {
      do { uploaded = try await session.finish(upload) } catch let error as TransferError {
        failure = error
      }
    }
    return (uploaded, failure, sent)
  }

  // Amazon S3 and MinIO respond with NoSuchUpload, the Ceph Object Gateway with NoSuchKey.
  @Test(
    "A completion whose response was lost is found by the object's ETag or checksum",
    arguments: [
      ("NoSuchUpload", true, SigningSession.Options.Checksums.off), ("NoSuchKey", true, .off),
      ("NoSuchUpload", false, .always(.crc64NVME)),
    ])
  func lostResponse(
    code: String, eTagIsMD5: Bool, checksums: SigningSession.Options.Checksums
  ) async throws {
    await store.set {
      $0.eTagIsMD5 = eTagIsMD5
      $0.afterCompletion = .gone(code)
    }
    await store.on("complete", .processed(500, ""))
    let (uploaded, error, sent) = try await finish(site.session(checksums, attempts: 2))
    #expect(error == nil)
    #expect(sent == ["list 0", "complete", "complete", "head"])
    #expect(uploaded?.eTag == (await store.objects["film.mov"]?.eTag))
    #expect(uploaded?.partCount == 10)
    try await site.expectDone()
  }

  @Test("If our own completion no longer meets its condition, the upload is finished")
  func lostResponseOfCondition() async throws {
    await store.on("complete", .processed(412, "<Error><Code>PreconditionFailed</Code></Error>"))
    let (uploaded, error, sent) = try await finish(
      site.session(), headers: ["if-none-match": "*"])
    #expect(error == nil)
    #expect(sent == ["list 0", "complete", "list 0", "head"])
    #expect(uploaded?.partCount == 10)
  }

  @Test("After a lost response, another object isn't ours, and none is an error")
  func lostResponseAndObject() async throws {
    let session = try site.session()
    for object in [nil, PartStore.Object(bytes: [1], eTag: "\"other\"")] {
      await store.replace("film.mov", object)
      await store.on("complete", .response(404, "<Error><Code>NoSuchUpload</Code></Error>"))
      let (uploaded, error, sent) = try await finish(session)
      #expect(uploaded == nil)
      #expect(sent == ["list 0", "complete", "head"])
      #expect(error?.code == .unexpectedStatus && error?.status == 404)
      #expect(error?.serverCode == (object == nil ? "NoSuchUpload" : nil))
      #expect(
        error?.problem.contains("Somebody else may have replaced it") == (object != nil))
      await store.forget()
    }
  }

  // botocore 1.43.11, S3SigV4QueryAuth of a PUT with these headers, at 2026-11-28T08:00:00Z.
  @Test(
    "A presigned part has the signature of botocore, with its length and its checksum",
    arguments: [
      (
        nil, "content-length%3Bhost",
        "6c0b2157de72f6b8faea8142d713ae1296107835199f7fa794d6e9d69fb940fe"
      ),
      (
        "AAAAAA==", "content-length%3Bhost%3Bx-amz-checksum-crc32",
        "1ee88fc3b90b3cf5e3e2c56d42ddc5cdb79a8e3a0706969d155d6e0be1d86928"
      ),
    ])
  func presigned(checksum: String?, names: String, signature: String) async throws {
    let upload = try await site.session().startUpload(ofByteCount: 9_500, to: film())
    let now = Date(timeIntervalSince1970: 1_795_852_800)
    let session = SigningSession(
      credentials: try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
      openedBy: nil, bucket: try site.bucket(), regions: .one("us-east-1"), service: .s3,
      options: .init(), transport: HTTPTransport { [store] in try await store.respond(to: $0) },
      now: { now })
    let request = try await session.presignedRequest(
      for: upload.part(2), of: upload,
      checksum: checksum.map { try SigV4.Checksum(.crc32, base64: $0) }, expiresIn: .seconds(600))
    let url = try #require(request.url?.absoluteString)
    #expect(url.hasPrefix("https://store.example/films/film.mov?"))
    #expect(url.contains("partNumber=2"))
    #expect(url.contains("uploadId=upload1"))
    #expect(url.contains("X-Amz-SignedHeaders=\(names)&"))
    #expect(url.hasSuffix("X-Amz-Signature=" + signature))
    #expect(request.httpMethod == "PUT")
    // URLSession writes the length of the file itself.
    #expect(request.allHTTPHeaderFields?["Content-Length"] == nil)
    #expect(request.value(forHTTPHeaderField: "x-amz-checksum-crc32") == checksum)
  }

  @Test("With another length, an empty body or another number, a presigned part isn't valid")
  func otherPart() async throws {
    let session = try site.session()
    let upload = try await session.startUpload(ofByteCount: 9_500, to: film())
    let request = try await session.presignedRequest(for: upload.part(2), of: upload)
    let url = try #require(request.url?.absoluteString)
    let target = String(url.dropFirst("https://store.example".count))
    func verify(_ target: String, _ length: String) async throws {
      let received = SigV4.ReceivedRequest(
        "PUT", target: target, scheme: .https,
        headers: ["host": "store.example", "content-length": length])
      var verifier = SigV4.Verifier(region: "us-east-1", service: .s3)
      verifier.unsignedPayloads = .allowed
      _ = try await verifier.verify(received, body: [], at: Date()) { _ in
        try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret")
      }
    }
    try await verify(target, "1000")
    let other = target.replacingOccurrences(of: "partNumber=2", with: "partNumber=3")
    for (target, length) in [(target, "0"), (target, "999"), (target, "1001"), (other, "1000")] {
      await #expect(throws: SigV4.VerificationError.self) { try await verify(target, length) }
    }
  }

  @Test("What can't work is refused before any request")
  func refused() async throws {
    let session = try site.session(.always(.crc64NVME))
    let upload = try await session.startUpload(ofByteCount: 9_500, to: film())
    await store.forget()
    func code(_ call: () async throws -> Void) async -> TransferError.Code? {
      (await #expect(throws: TransferError.self) { try await call() })?.code
    }
    for byteCount in [0, -1] as [Int64] {
      #expect(
        await code { _ = try await session.startUpload(ofByteCount: byteCount, to: film()) }
          == .invalidPartSize)
    }
    let key = "x-amz-server-side-encryption-customer-key-MD5"
    #expect(
      await code {
        _ = try await session.startUpload(ofByteCount: 1, to: film(), headers: [key: "ZGln"])
      } == .conflictingHeader)
    let wrongParts = [
      UploadPart(number: 0, range: 0..<1_000), UploadPart(number: 11, range: 0..<1_000),
      UploadPart(number: 2, range: 0..<1_000), UploadPart(number: 2, range: 1_000..<1_999),
      UploadPart(number: .max, range: 0..<1_000),
    ]
    for part in wrongParts {
      #expect(
        await code { _ = try await session.presignedRequest(for: part, of: upload) }
          == .invalidCheckpoint)
    }
    #expect(
      await code {
        _ = try await session.presignedRequest(
          for: upload.part(1), of: upload, checksum: SigV4.Checksum(.crc32, of: []))
      } == .conflictingHeader)
    let other = try site.session(host: "other.example")
    #expect(await code { _ = try await other.missingParts(of: upload) } == .invalidCheckpoint)
    #expect(await code { try await other.finish(upload) } == .invalidCheckpoint)
    let unbound = SigningSession(
      credentials: try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
      region: "us-east-1", service: .s3,
      http: { [store] in try await store.respond(to: $0) })
    #expect(await code { _ = try await unbound.missingParts(of: upload) } == .bucketMissing)
    #expect(await store.log == [])
  }

  @Test("A request that would outlive the credentials isn't signed")
  func shortCredentials() async throws {
    let credentials = try SigV4.Credentials(
      accessKeyID: "KEY", secretAccessKey: "secret", sessionToken: "token",
      expiration: SigV4.Timestamp(Date(timeIntervalSinceNow: 600)))
    let session = try site.bucket().session(
      credentials: credentials, http: { [store] in try await store.respond(to: $0) })
    let upload = try await session.startUpload(ofByteCount: 9_500, to: film())
    let error = await #expect(throws: SigV4.SigningError.self) {
      try await session.presignedRequest(for: upload.part(1), of: upload)
    }
    #expect(error?.code == .lifetimeExceedsCredentials)
    _ = try await session.presignedRequest(
      for: upload.part(1), of: upload, expiresIn: .seconds(300))
  }

  @Test("The size of the parts can be chosen, and an upload can be aborted until no part is left")
  func aborted() async throws {
    let session = try site.session()
    let upload = try await session.startUpload(
      ofByteCount: 9_500, to: film(), partByteCount: 4_000)
    let parts = try await session.missingParts(of: upload)
    #expect(parts.map(\.range) == [0..<4_000, 4_000..<8_000, 8_000..<9_500])
    for part in parts { try await send(part, upload) }
    await store.on("abort", .response(204, ""))
    try await session.abort(upload)
    #expect(await store.uploads.isEmpty)
    try await session.abort(upload)
    await #expect(throws: TransferError.self) { try await session.missingParts(of: upload) }
  }

  @Test("A part of a file is written once, whole, and only from a file that has it")
  func partFiles() throws {
    let part = UploadPart(number: 10, range: 9_000..<9_500)
    let target = site.folder.url.appendingPathComponent("part")
    try part.write(from: site.file, to: target)
    #expect(Array(try Data(contentsOf: target)) == Array(site.bytes[9_000...]))
    let again = #expect(throws: TransferError.self) { try part.write(from: site.file, to: target) }
    #expect(again?.problem == "\(target.path) exists already.")
    try FileManager.default.removeItem(at: target)
    try Data(site.bytes.dropLast()).write(to: site.file)
    for range in [9_000..<9_500, -5..<5, 0..<Int64.max] as [Range<Int64>] {
      let error = #expect(throws: TransferError.self) {
        try UploadPart(number: 10, range: range).write(from: site.file, to: target)
      }
      #expect(error?.code == .invalidFile)
      #expect(error?.problem.contains("has 9499 bytes") == true)
    }
    #expect(!FileManager.default.fileExists(atPath: target.path))
  }
}
