// SPDX-License-Identifier: Apache-2.0
// Uploads that are stopped anywhere, and continued: what is sent again, and what the object is.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import Testing

@testable internal import RequestSigningFoundation

@Suite struct ResumableUploadTests {
  typealias Fault = PartStore.Fault

  let site: UploadSite
  var store: PartStore { site.store }

  init() throws { site = try UploadSite() }

  static let parts = UploadSite.parts

  @Test("A file is uploaded at once, in parallel, with its checksum, and nothing is left")
  func atOnce() async throws {
    let uploaded = try await site.upload(site.session(.always(.crc64NVME), parallel: 4))
    #expect(uploaded.partCount == 10)
    try await site.expectDone()
    #expect(await store.log.count == 12)
    #expect(site.progress.withLock { $0 }.last == 9_500)
    let last = await store.requests.last
    let whole = SigV4.Checksum(.crc64NVME, of: site.bytes)
    #expect(last?.headers["x-amz-checksum-crc64nvme"] == whole.text)
  }

  @Test("An upload that stops after it began continues with the same ID")
  func afterBegin() async throws {
    await store.on("part 1", .lost)
    await site.stop()
    let sent = try await site.operations { try await site.upload() }
    #expect(sent == ["list 0"] + Self.parts(1...10) + ["complete"])
    #expect(await store.uploads.keys.sorted() == ["upload1"])
    try await site.expectDone()
  }

  @Test("The file to upload isn't its own checkpoint")
  func oneFile() async throws {
    let error = await #expect(throws: TransferError.self) {
      try await site.session().upload(
        site.file, to: site.bucket().object("film.mov"), checkpoint: site.file)
    }
    #expect(error?.code == .invalidFile)
    #expect(await store.log == [])
    #expect(try Data(contentsOf: site.file) == Data(site.bytes))
  }

  @Test(
    "After three of ten parts, seven are sent, and the progress begins where it was",
    arguments: [
      SigningSession.Options.Checksums.off, .always(.crc64NVME), .always(.sha256),
      .always(.contentMD5), .always(.crc32),
    ])
  func afterThreeParts(checksums: SigningSession.Options.Checksums) async throws {
    await store.on("part 4", .lost)
    await site.stop(try site.session(checksums))
    let stored = try UploadCheckpoint(contentsOf: site.checkpoint)
    #expect(stored.uploadedByteCount == 3_000)
    #expect(stored.byteCount == 9_500)
    #expect(stored.partByteCount == 1_000)
    #expect(stored.key == "film.mov")
    #expect(stored.uploadID == "upload1")
    site.progress.withLock { $0 = [] }
    let sent = try await site.operations { try await site.upload(site.session(checksums)) }
    #expect(sent == ["list 0"] + Self.parts(4...10) + ["complete"])
    let steps = site.progress.withLock { $0 }
    #expect(steps.first ?? 0 >= 3_000)
    #expect(steps == steps.sorted())
    #expect(steps.last == 9_500)
    try await site.expectDone()
  }

  @Test(
    "A part whose response was lost is adopted if the store lists its checksum or MD5, else sent again",
    arguments: [
      (SigningSession.Options.Checksums.off, true, 0), (.always(.crc64NVME), false, 0),
      (.off, false, 1),
    ])
  func unanswered(
    checksums: SigningSession.Options.Checksums, eTagIsMD5: Bool, count: Int
  ) async throws {
    await store.set { $0.eTagIsMD5 = eTagIsMD5 }
    await store.on("part 4", .unanswered)
    await site.stop(try site.session(checksums))
    let sent = try await site.operations { try await site.upload(site.session(checksums)) }
    #expect(sent.filter { $0 == "part 4" }.count == count)
    #expect(!sent.contains("part 3"))
    try await site.expectDone()
  }

  @Test(
    "A part of the store with other bytes is sent again, stored in the checkpoint or not",
    arguments: [SigningSession.Options.Checksums.off, .always(.crc64NVME)])
  func otherBytes(checksums: SigningSession.Options.Checksums) async throws {
    for fault in [Fault.unanswered, .lost] {
      await store.on("part 4", fault)
      await site.stop(try site.session(checksums))
      await store.replace(part: 3, with: Array(repeating: 1, count: 1_000))
      await store.replace(part: 4, with: Array(repeating: 1, count: 1_000))
      let sent = try await site.operations { try await site.upload(site.session(checksums)) }
      #expect(sent == ["list 0"] + Self.parts(3...10) + ["complete"])
      try await site.expectDone()
    }
  }

  @Test("After the last part, only the completion is sent")
  func afterLastPart() async throws {
    await store.on("complete", .lost)
    await site.stop()
    let sent = try await site.operations { try await site.upload() }
    #expect(sent == ["list 0", "complete"])
    try await site.expectDone()
  }

  // Amazon S3 and MinIO respond with NoSuchUpload, the Ceph Object Gateway
  // with NoSuchKey. OpenStack Swift completes it again.
  @Test(
    "A completion whose response was lost is found by the object's ETag or checksum",
    arguments: [
      ("NoSuchUpload", true, SigningSession.Options.Checksums.off),
      ("NoSuchKey", true, .off), ("NoSuchUpload", false, .always(.crc64NVME)),
      ("NoSuchKey", false, .always(.sha256)),
    ])
  func completedEarlier(
    code: String, eTagIsMD5: Bool, checksums: SigningSession.Options.Checksums
  ) async throws {
    await store.set {
      $0.eTagIsMD5 = eTagIsMD5
      $0.afterCompletion = .gone(code)
    }
    await store.on("complete", .unanswered)
    await site.stop(try site.session(checksums))
    var uploaded: UploadedObject?
    let sent = try await site.operations {
      uploaded = try await site.upload(site.session(checksums))
    }
    #expect(sent == ["list 0", "complete", "head"])
    #expect(uploaded?.eTag == (await store.objects["film.mov"]?.eTag))
    #expect(uploaded?.partCount == 10)
    try await site.expectDone()
  }

  @Test("A store that keeps a completed upload completes it again")
  func completedTwice() async throws {
    await store.set { $0.afterCompletion = .stays }
    await store.on("complete", .unanswered)
    await site.stop()
    let sent = try await site.operations { try await site.upload() }
    #expect(sent == ["list 0", "complete"])
    try await site.expectDone()
  }

  @Test("If another object took the place of a completed one, nothing is sent")
  func replaced() async throws {
    await store.on("complete", .unanswered)
    await site.stop()
    await store.replace("film.mov", .init(bytes: [1], eTag: "\"other\""))
    let before = try Data(contentsOf: site.checkpoint)
    for _ in 1...2 {
      let sent = await site.operations {
        let error = await site.stop() as? TransferError
        #expect(error?.code == .unexpectedStatus)
        #expect(error?.problem.contains("Somebody else may have replaced it") == true)
        #expect(error?.fix.contains("without this checkpoint") == true)
      }
      #expect(sent == ["list 0", "complete", "head"])
    }
    #expect(await store.objects["film.mov"]?.bytes == [1])
    #expect(try Data(contentsOf: site.checkpoint) == before)
  }

  @Test("If a completed upload left no object, the file is uploaded again")
  func noObject() async throws {
    await store.on("complete", .unanswered)
    await site.stop()
    await store.replace("film.mov", nil)
    let sent = try await site.operations { try await site.upload() }
    #expect(sent == ["list 0", "complete", "head", "begin"] + Self.parts(1...10) + ["complete"])
    try await site.expectDone()
  }

  @Test("An upload that was removed meanwhile begins again, but not without a bucket")
  func removed() async throws {
    await store.on("part 4", .lost)
    await site.stop()
    await store.remove("upload1")
    await store.on("list 0", .response(404, "<Error><Code>NoSuchBucket</Code></Error>"))
    await store.on("list 0", .response(404, "<html>Not found</html>"), at: 2)
    for code in ["NoSuchBucket", nil] {
      let error = await site.stop() as? TransferError
      #expect(error?.status == 404)
      #expect(error?.serverCode == code)
    }
    let sent = try await site.operations { try await site.upload() }
    #expect(sent == ["list 0", "begin"] + Self.parts(1...10) + ["complete"])
    try await site.expectDone()
  }
}
