// SPDX-License-Identifier: Apache-2.0
// Uploads that continue after something changed: the file, the options, the checkpoint, the list.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import Testing

@testable internal import RequestSigningFoundation

@Suite struct ChangedUploadTests {
  let site: UploadSite
  var store: PartStore { site.store }

  init() throws { site = try UploadSite() }

  static let parts = UploadSite.parts

  @Test("A file with another size is a new upload, and the old one is aborted first")
  func otherSize() async throws {
    await store.on("part 4", .lost)
    await site.stop()
    try Data(site.bytes + [1, 2, 3]).write(to: site.file)
    let sent = try await site.operations { try await site.upload() }
    #expect(sent == ["abort", "list 0", "begin"] + Self.parts(1...10) + ["complete"])
    #expect(await store.uploads.keys.sorted() == ["upload1"])
    try await site.expectDone()
  }

  @Test("If the abort of the old upload fails, the next call aborts it first")
  func abortLater() async throws {
    await store.on("part 4", .lost)
    await site.stop()
    try Data(site.bytes + [1]).write(to: site.file)
    await store.on("abort", .lost)
    #expect(await site.stop() != nil)
    try Data(site.bytes).write(to: site.file)
    let sent = try await site.operations { try await site.upload() }
    #expect(sent.prefix(3) == ["abort", "list 0", "begin"])
    try await site.expectDone()
  }

  @Test(
    "A touched file continues, and a part that was edited is sent again",
    arguments: [SigningSession.Options.Checksums.off, .always(.crc64NVME)])
  func edited(checksums: SigningSession.Options.Checksums) async throws {
    await store.on("part 6", .lost)
    await site.stop(try site.session(checksums))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: site.file.path)
    try site.change(at: 2_500)
    let sent = try await site.operations { try await site.upload(site.session(checksums)) }
    #expect(sent == ["list 0", "part 3"] + Self.parts(6...10) + ["complete"])
    try await site.expectDone()
  }

  @Test("A file that's edited while it's sent isn't completed, and the next call sends that part")
  func editedMeanwhile() async throws {
    await store.on("part 9", .after { [site] in try site.change(at: 2_500) })
    let error = await site.stop() as? TransferError
    #expect(error?.code == .invalidFile)
    #expect(error?.problem.contains("changed during the upload") == true)
    #expect(await !store.log.contains("complete"))
    let sent = try await site.operations { try await site.upload() }
    #expect(sent == ["list 0", "part 3", "complete"])
    try await site.expectDone()
  }

  @Test("The checkpoint of another key, bucket or endpoint is refused before any request")
  func otherObject() async throws {
    await store.on("part 4", .lost)
    await site.stop()
    let before = try Data(contentsOf: site.checkpoint)
    await store.forget()
    for (session, key) in [
      (try site.session(), "other.mov"), (try site.session(host: "other.example"), "film.mov"),
    ] {
      let error = await #expect(throws: TransferError.self) {
        try await site.upload(session, key: key)
      }
      #expect(error?.code == .invalidCheckpoint)
      #expect(error?.problem.contains("store.example") == true)
      await #expect(throws: TransferError.self) {
        try await site.session(host: "other.example").abort(
          UploadCheckpoint(contentsOf: site.checkpoint))
      }
    }
    #expect(await store.log == [])
    #expect(try Data(contentsOf: site.checkpoint) == before)
  }

  @Test("A checkpoint that's cut, empty or newer is refused before any request, and stays")
  func damaged() async throws {
    await store.on("part 4", .lost)
    await site.stop()
    let whole = String(decoding: try Data(contentsOf: site.checkpoint), as: UTF8.self)
    let contents = [
      "", String(whole.dropLast(9)),
      whole.replacingOccurrences(of: "\"version\":1", with: "\"version\":2"),
      whole.replacingOccurrences(of: "\"partByteCount\":1000", with: "\"partByteCount\":0"),
      whole.replacingOccurrences(of: "\"partByteCount\":1000", with: "\"partByteCount\":-1"),
      whole.replacingOccurrences(of: "\"byteCount\":9500", with: "\"byteCount\":95000000000"),
      whole.replacingOccurrences(of: "\"3\":", with: "\"11\":"),
    ]
    await store.forget()
    for content in contents {
      try Data(content.utf8).write(to: site.checkpoint)
      let error = await site.stop() as? TransferError
      #expect(error?.code == .invalidCheckpoint)
      #expect(try Data(contentsOf: site.checkpoint) == Data(content.utf8))
    }
    #expect(await store.log == [])
  }

  @Test("Options that changed meanwhile don't count: the size of parts, the checksums, the key")
  func otherOptions() async throws {
    await store.on("part 4", .lost)
    await site.stop(try site.session(.always(.crc32)))
    let changed = try site.session(
      .always(.crc64NVME), parallel: 3, partByteCount: 2_000, secret: "other")
    let sent = try await site.operations { try await site.upload(changed) }
    #expect(sent.sorted() == (["list 0"] + Self.parts(4...10) + ["complete"]).sorted())
    let last = await store.requests.last
    #expect(last?.headers["x-amz-checksum-crc32"] == SigV4.Checksum(.crc32, of: site.bytes).text)
    try await site.expectDone()
  }

  @Test("All pages of the list are read")
  func pages() async throws {
    await store.set { $0.pageLength = 3 }
    await store.on("complete", .lost)
    await site.stop()
    let sent = try await site.operations { try await site.upload() }
    #expect(sent == ["list 0", "list 3", "list 6", "list 9", "complete"])
    try await site.expectDone()
  }

  @Test("A list that lies is told, and the upload stays")
  func lies() async throws {
    await store.on("part 4", .lost)
    await site.stop()
    let before = try Data(contentsOf: site.checkpoint)
    func list(_ fields: String) -> String { "<ListPartsResult>\(fields)</ListPartsResult>" }
    func part(_ number: String, _ size: String = "1000", _ eTag: String = "e") -> String {
      list(
        "<Part><PartNumber>\(number)</PartNumber><Size>\(size)</Size><ETag>\(eTag)</ETag></Part>")
    }
    let lies = [
      (part("0"), "PartNumber is \"0\""), (part("10001"), "PartNumber is \"10001\""),
      (part("-1"), "PartNumber"), (part("x"), "PartNumber"), (part("1", "-5"), "Size is \"-5\""),
      (part("1", ""), "Size"), (part("1", "99999999999999999999"), "Size"),
      (part("1", "1000", ""), "Part 1 has no ETag"),
      (list("<UploadId>other</UploadId>"), "the upload \"other\""),
      (list("<IsTruncated>maybe</IsTruncated>"), "IsTruncated"),
      (list("<IsTruncated>true</IsTruncated>"), "doesn't say where"),
      (
        list(
          "<IsTruncated>true</IsTruncated><NextPartNumberMarker>0</NextPartNumberMarker>"),
        "doesn't say where"
      ), ("<ListBucketResult/>", "ListBucketResult"),
    ]
    for (body, problem) in lies {
      await store.on("list 0", .response(200, body))
      let error = await site.stop() as? TransferError
      #expect(error?.code == .invalidResponse)
      #expect(error?.problem.contains(problem) == true, "\(error?.problem ?? "")")
      #expect(try Data(contentsOf: site.checkpoint) == before)
    }
    await store.set {
      $0.pageLength = 2
      $0.ignoresMarker = true
    }
    let sent = await site.operations {
      #expect((await site.stop() as? TransferError)?.code == .invalidResponse)
    }
    #expect(sent == ["list 0", "list 2"])
    await store.set { $0 = .init() }
    try await site.upload()
    try await site.expectDone()
  }

  @Test("A part that's listed with another size is sent again")
  func listedSize() async throws {
    await store.on("part 4", .lost)
    await site.stop()
    await store.replace(part: 2, with: [1, 2, 3])
    let sent = try await site.operations { try await site.upload() }
    #expect(sent == ["list 0", "part 2"] + Self.parts(4...10) + ["complete"])
    try await site.expectDone()
  }

  @Test("Parts that are listed with the ETags of other parts are sent again")
  func swappedETags() async throws {
    await store.on("part 4", .lost)
    await site.stop()
    let tags = try #require(await store.uploads["upload1"]).eTags
    let parts = [(1, 1), (2, 3), (3, 2)].map { number, other in
      "<Part><PartNumber>\(number)</PartNumber><Size>1000</Size><ETag>\(tags[other] ?? "")</ETag></Part>"
    }
    await store.on(
      "list 0", .response(200, "<ListPartsResult>\(parts.joined())</ListPartsResult>"))
    let sent = try await site.operations { try await site.upload() }
    #expect(sent == ["list 0"] + Self.parts(2...10) + ["complete"])
    try await site.expectDone()
  }

  @Test("ETags are equal with and without quotation marks, and needn't be MD5s")
  func eTags() async throws {
    for isMD5 in [true, false] {
      await store.set {
        $0 = .init()
        $0.eTagIsMD5 = isMD5
      }
      await store.on("part 4", .lost)
      await site.stop()
      let content = String(decoding: try Data(contentsOf: site.checkpoint), as: UTF8.self)
      try Data(content.replacingOccurrences(of: "\\\"", with: "").utf8).write(to: site.checkpoint)
      let sent = try await site.operations { try await site.upload() }
      #expect(sent == ["list 0"] + Self.parts(4...10) + ["complete"])
      try await site.expectDone()
    }
  }

  // Amazon S3, User Guide, "Specifying server-side encryption with customer-provided keys".
  @Test("A key of the caller's is passed each time, never stored, and compared by its digest")
  func customerKey() async throws {
    let prefix = "x-amz-server-side-encryption-customer-"
    let headers: SigV4.Headers = [
      prefix + "algorithm": "AES256", prefix + "key": "c2VjcmV0", prefix + "key-MD5": "ZGlnZXN0",
    ]
    await store.on("part 4", .lost)
    await site.stop(headers: headers)
    let stored = String(decoding: try Data(contentsOf: site.checkpoint), as: UTF8.self)
    #expect(!stored.contains("c2VjcmV0"))
    #expect(stored.contains("ZGlnZXN0"))
    await store.forget()
    let other = SigV4.Headers(
      headers.map { $0.name.hasSuffix("MD5") ? SigV4.Header($0.name, "b3RoZXI=") : $0 })
    for wrong in [[:], other] {
      let error = await site.stop(headers: wrong) as? TransferError
      #expect(error?.code == .invalidCheckpoint)
      #expect(error?.fix.contains("encryption key") == true)
    }
    #expect(await store.log == [])
    try await site.upload(headers: headers)
    #expect(
      await store.requests.dropLast().allSatisfy { $0.headers[prefix + "key"] == "c2VjcmV0" })
    try await site.expectDone()
  }

  @Test("Conditions, the owner and who pays are those with which the upload began")
  func keptHeaders() async throws {
    await store.on("part 4", .lost)
    let headers: SigV4.Headers = [
      "If-None-Match": "*", "x-amz-expected-bucket-owner": "123456789012",
      "x-amz-request-payer": "requester", "x-amz-acl": "private",
    ]
    await site.stop(headers: headers)
    await store.forget()
    try await site.upload(headers: ["If-None-Match": "\"x\"", "x-amz-acl": "public-read"])
    let requests = await store.requests
    #expect(requests.allSatisfy { $0.headers["x-amz-expected-bucket-owner"] == "123456789012" })
    #expect(requests.allSatisfy { $0.headers["x-amz-request-payer"] == "requester" })
    #expect(requests.allSatisfy { $0.headers["x-amz-acl"] == nil })
    #expect(requests.map { $0.headers["if-none-match"] } == Array(repeating: nil, count: 8) + ["*"])
  }
}
