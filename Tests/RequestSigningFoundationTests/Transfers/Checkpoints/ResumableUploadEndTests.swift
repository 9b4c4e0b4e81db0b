// SPDX-License-Identifier: Apache-2.0
// How an upload with a checkpoint ends: completed, rejected, cancelled, in conflict.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import SigningTestSupport
internal import Testing

@testable internal import RequestSigningFoundation

@Suite struct ResumableUploadEndTests {
  let site: UploadSite
  var store: PartStore { site.store }

  init() throws { site = try UploadSite() }

  static let parts = UploadSite.parts

  @Test("A condition that isn't met is thrown, the parts stay, and the upload can be aborted")
  func condition() async throws {
    await store.replace("film.mov", .init(bytes: [1], eTag: "\"other\""))
    let error = await site.stop(headers: ["If-None-Match": "*"]) as? TransferError
    #expect(error?.status == 412)
    #expect(await store.uploads["upload1"]?.parts.count == 10)
    #expect(await store.objects["film.mov"]?.bytes == [1])
    let upload = try UploadCheckpoint(contentsOf: site.checkpoint)
    #expect(upload.uploadedByteCount == 9_500)
    try await site.session().abort(upload)
    #expect(await store.uploads.isEmpty)
  }

  @Test("Somebody else's object with the same bytes isn't ours, and the upload can be aborted")
  func sameBytes() async throws {
    let headers: SigV4.Headers = ["If-None-Match": "*"]
    try await site.upload()
    for _ in 1...2 {
      #expect((await site.stop(headers: headers) as? TransferError)?.status == 412)
    }
    try await site.session().abort(UploadCheckpoint(contentsOf: site.checkpoint))
  }

  @Test("If the condition isn't met because of our own completion, the upload is done")
  func conditionMetEarlier() async throws {
    await store.set { $0.afterCompletion = .gone("NoSuchUpload") }
    let headers: SigV4.Headers = ["If-None-Match": "*"]
    await store.on("complete", .unanswered)
    let unmet = "<Error><Code>PreconditionFailed</Code></Error>"
    await store.on("complete", .response(412, unmet), at: 2)
    await site.stop(headers: headers)
    let sent = try await site.operations { try await site.upload(headers: headers) }
    #expect(sent == ["list 0", "complete", "list 0", "head"])
    try await site.expectDone()
    await store.on("complete", .unanswered)
    await site.stop()
    await store.replace("film.mov", .init(bytes: [1], eTag: "\"other\""))
    await store.on("complete", .response(412, "<Error><Code>PreconditionFailed</Code></Error>"))
    #expect((await site.stop() as? TransferError)?.status == 412)
  }

  // Amazon S3, API Reference, "CompleteMultipartUpload": ConditionalRequestConflict needs a new
  // upload, and so do other bytes than those that were signed.
  @Test(
    "After a conflict or damaged bytes, the upload is aborted, and the next call begins",
    arguments: [(409, "ConditionalRequestConflict"), (400, "BadDigest")])
  func conflict(status: Int, code: String) async throws {
    await store.on("complete", .response(status, "<Error><Code>\(code)</Code></Error>"))
    let error = await site.stop() as? TransferError
    #expect(error?.status == status)
    #expect(error?.serverCode == code)
    #expect(await store.uploads.isEmpty)
    let sent = try await site.operations { try await site.upload() }
    #expect(sent.first == "begin")
    try await site.expectDone()
  }

  // Amazon S3, API Reference, "CompleteMultipartUpload": an error after a status of 200.
  @Test(
    "A completion that fails with 200, 500 or no response is requested again with the same list")
  func repeated() async throws {
    for fault in [
      PartStore.Fault.response(200, "<Error><Code>InternalError</Code></Error>"),
      .response(503, ""), .lost,
    ] {
      await store.on("complete", fault)
      try await site.upload(site.session(attempts: 2))
      let requests = await store.requests.suffix(2)
      #expect(requests.first?.body == requests.last?.body)
      try await site.expectDone()
    }
  }

  @Test("If the store lost a part, the list is read again, once")
  func invalidPart() async throws {
    await store.on("complete", .response(400, "<Error><Code>InvalidPart</Code></Error>"))
    let sent = try await site.operations { try await site.upload() }
    #expect(sent.suffix(3) == ["complete", "list 0", "complete"])
    try await site.expectDone()
    for number in 1...2 {
      await store.on(
        "complete", .response(400, "<Error><Code>InvalidPart</Code></Error>"), at: number)
    }
    let error = await site.stop() as? TransferError
    #expect(error?.serverCode == "InvalidPart")
    try await site.upload()
    try await site.expectDone()
  }

  @Test("A part that arrived damaged is read and sent again, once")
  func damagedPart() async throws {
    let damaged = PartStore.Fault.response(400, "<Error><Code>BadDigest</Code></Error>")
    await store.on("part 3", damaged)
    let sent = try await site.operations { try await site.upload() }
    #expect(sent.filter { $0 == "part 3" }.count == 2)
    try await site.expectDone()
    await store.on("part 3", damaged, at: 1)
    await store.on("part 3", damaged, at: 2)
    #expect((await site.stop() as? TransferError)?.serverCode == "BadDigest")
    #expect(await store.uploads["upload2"]?.parts.count == 2)
    try await site.upload()
    try await site.expectDone()
  }

  @Test("A part that's rejected stops the upload, and the others stay")
  func rejectedPart() async throws {
    await store.on("part 5", .response(403, "<Error><Code>AccessDenied</Code></Error>"))
    #expect((await site.stop() as? TransferError)?.status == 403)
    #expect(await !store.log.contains("abort"))
    let sent = try await site.operations { try await site.upload() }
    #expect(sent == ["list 0"] + Self.parts(5...10) + ["complete"])
    try await site.expectDone()
  }

  @Test("If the upload disappears while parts are sent, a continued one begins again, once")
  func disappeared() async throws {
    await store.on("part 2", .lost)
    await site.stop()
    let gone = PartStore.Fault.response(404, "<Error><Code>NoSuchUpload</Code></Error>")
    await store.on("part 4", gone)
    let sent = try await site.operations { try await site.upload() }
    #expect(sent.filter { $0 == "begin" }.count == 1)
    try await site.expectDone()
  }

  @Test("Cancelling pauses: the call ends, nothing is aborted, and the rest is sent later")
  func cancelled() async throws {
    await store.on("part 4", .silence)
    let task = Task { [site] in try await site.upload() }
    while await !store.log.contains("part 4") { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(await !store.log.contains("abort"))
    let sent = try await site.operations { try await site.upload() }
    #expect(sent == ["list 0"] + Self.parts(4...10) + ["complete"])
    try await site.expectDone()
  }

  @Test("While an upload runs, its checkpoint is refused to others")
  func locked() async throws {
    await store.on("part 4", .silence)
    let task = Task { [site] in try await site.upload() }
    while await !store.log.contains("part 4") { await Task.yield() }
    let sent = await site.operations {
      #expect((await site.stop() as? TransferError)?.code == .checkpointInUse)
    }
    #expect(sent == [])
    #expect(try UploadCheckpoint(contentsOf: site.checkpoint).uploadedByteCount == 3_000)
    task.cancel()
    _ = await task.result
    try await site.upload()
    try await site.expectDone()
  }

  @Test(
    "If the first checkpoint can't be written, the upload is aborted, or its ID is in the error",
    arguments: [true, false])
  func unwritableBeginning(isAborted: Bool) async throws {
    let folder = site.folder.url
    await store.on("begin", .after { try FileManager.default.removeItem(at: folder) })
    if !isAborted { await store.on("abort", .response(403, "")) }
    let error = await site.stop() as? TransferError
    #expect(await store.log.prefix(2) == ["begin", "abort"])
    let left = await store.uploads.keys.first
    #expect((left == nil) == isAborted)
    #expect(error?.code == (isAborted ? .invalidFile : .abortFailed))
    if let left { #expect(error?.message.contains(left) == true) }
  }

  @Test("If the checkpoint can't be written, the upload stops before the next part")
  func unwritable() async throws {
    let folder = site.folder.url.path
    await store.on(
      "part 3",
      .after {
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder)
      })
    let error = await site.stop() as? TransferError
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
    // The superuser may write anywhere.
    if geteuid() == 0 { return }
    #expect(error?.code == .invalidFile)
    #expect(await store.log.last == "part 3")
    try await site.upload()
    try await site.expectDone()
  }

  @Test(
    "What fits into one part is one request, without a checkpoint", arguments: [0, 1, 1_000])
  func onePart(byteCount: Int) async throws {
    try Data(site.bytes.prefix(byteCount)).write(to: site.file)
    #expect(try await site.upload().partCount == 1)
    #expect(await store.log == ["put"])
    try await site.expectDone()
  }

  @Test("A store that requires equal parts, and loses a part before it's replaced, is served")
  func equalParts() async throws {
    await store.set { $0.requiresEqualParts = true }
    await store.on("part 4", .lost)
    await site.stop()
    await store.replace(part: 3, with: [1, 2, 3])
    await store.on("part 3", .lost)
    await site.stop(try site.session(partByteCount: 1_500))
    #expect(try UploadCheckpoint(contentsOf: site.checkpoint).uploadedByteCount == 2_000)
    try await site.upload(site.session(partByteCount: 1_500))
    try await site.expectDone()
  }
}
