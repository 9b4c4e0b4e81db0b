// SPDX-License-Identifier: Apache-2.0
// Copies of objects that are too large for one request.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import Testing

@testable internal import RequestSigningFoundation

/// Names of headers, and what each request takes: Amazon S3, API Reference, "CopyObject",
/// "HeadObject", "GetObjectTagging", "CreateMultipartUpload", "UploadPartCopy" and
/// "CompleteMultipartUpload". The responses are its examples, shortened.
@Suite struct PartCopyTests {
  /// A store that rejects copies of its object in one request.
  private final class Store: Sendable {
    let received = Guarded<[SigV4.HTTPRequest]>([])
    let byteCount: Int64
    let partStatus: Int
    let headers: SigV4.Headers
    let tagStatus: Int

    init(
      byteCount: Int64, partStatus: Int = 200, headers: SigV4.Headers = [:], tagStatus: Int = 200
    ) {
      self.byteCount = byteCount
      self.partStatus = partStatus
      self.headers = headers
      self.tagStatus = tagStatus
    }

    @Sendable func answer(_ request: SigV4.HTTPRequest) -> SigV4.HTTPResponse {
      received.withLock { $0.append(request) }
      let query = request.url.split(separator: "?").dropFirst().first ?? ""
      func answer(
        status: Int = 200, _ body: String, _ headers: SigV4.Headers = [:]
      ) -> SigV4.HTTPResponse {
        SigV4.HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
      }
      if request.method == "HEAD" {
        return answer("", ["Content-Length": "\(byteCount)", "ETag": "\"e\""] + headers)
      }
      if query == "uploads" {
        return answer(
          "<InitiateMultipartUploadResult><UploadId>u/1</UploadId></InitiateMultipartUploadResult>")
      }
      if query.hasPrefix("tagging") {
        let tags = [("a b", "c&amp;d"), ("é", "")].map {
          "<Tag><Key>\($0)</Key><Value>\($1)</Value></Tag>"
        }
        return answer(
          status: tagStatus, "<Tagging><TagSet>\(tags.joined())</TagSet></Tagging>")
      }
      if query.hasPrefix("partNumber") {
        let number = query.dropFirst("partNumber=".count).prefix { $0 != "&" }
        return answer(
          status: partStatus,
          "<CopyPartResult><ETag>\"p\(number)\"</ETag><ChecksumSHA256>\(PartCopyTests.checksum)"
            + "</ChecksumSHA256></CopyPartResult>")
      }
      if request.method == "POST" {
        return answer(
          "<CompleteMultipartUploadResult><ETag>\"w-3\"</ETag></CompleteMultipartUploadResult>",
          ["x-amz-version-id": "v2"])
      }
      if request.method == "DELETE" { return answer(status: 204, "") }
      return answer(
        status: 400, "<Error><Code>InvalidRequest</Code><Message>too large</Message></Error>")
    }

    func requests() -> [SigV4.HTTPRequest] { received.withLock { $0 } }

    func part(_ number: Int) throws -> SigV4.HTTPRequest {
      try #require(requests().first { $0.url.contains("partNumber=\(number)&") })
    }
  }

  // base64 of hashlib.sha256(b"").digest()
  static let checksum = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
  static let limit: Int64 = 5_368_709_120

  private func session(_ store: Store) throws -> SigningSession {
    var options = SigningSession.Options()
    options.maximumAttempts = 1
    return try bucket().session(
      credentials: SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
      options: options, http: { store.answer($0) })
  }

  func bucket() throws -> SigV4.Bucket { try .aws("films", region: "eu-west-1") }

  // Scaleway, "Managing multipart uploads": 1,000 parts. 300 GiB in 1,000 parts, rounded up.
  @Test("The parts of a copy get larger if the store allows fewer than 256 MiB need")
  func fewerParts() async throws {
    let store = Store(byteCount: 300 << 30)
    let bucket = try SigV4.Bucket.scaleway("films", region: "fr-par")
    let session = bucket.session(
      credentials: try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
      http: { store.answer($0) })
    let copied = try await session.copy(bucket.object("a"), to: bucket.object("b"))
    #expect(copied.partCount == 1_000)
    #expect(try store.part(1).headers["x-amz-copy-source-range"] == "bytes=0-322122547")
  }

  @Test("A header that names another source is rejected before anything is sent")
  func otherSource() async throws {
    let store = Store(byteCount: 1)
    let error = await #expect(throws: SigV4.SigningError.self) {
      try await session(store).copy(
        bucket().object("a"), to: bucket().object("b"),
        headers: ["X-Amz-Copy-Source": "/other/a"])
    }
    #expect(error?.code == .conflictingHeader)
    #expect(store.requests().isEmpty)
  }

  @Test("A source above 5 GiB is copied in parts of 256 MiB, with its metadata and its tags")
  func copy() async throws {
    let store = Store(
      byteCount: Self.limit + 1,
      headers: [
        "Content-Type": "video/quicktime", "Cache-Control": "no-cache", "x-amz-meta-place": "here",
        "x-amz-tagging-count": "2", "x-amz-storage-class": "GLACIER", "Server": "AmazonS3",
      ])
    let copied = try await session(store).copy(
      bucket().object("é/a"), versionID: "v+1", to: bucket().object("b"),
      headers: [
        "x-amz-storage-class": "STANDARD_IA", "x-amz-request-payer": "requester",
        "x-amz-meta-place": "ignored, as by S3", "If-None-Match": "*",
        "x-amz-copy-source-if-unmodified-since": "Fri, 27 Nov 2026 00:00:00 GMT",
        "x-amz-source-expected-bucket-owner": "111122223333",
      ])
    #expect(copied.eTag == "\"w-3\"" && copied.versionID == "v2" && copied.partCount == 21)
    let requests = store.requests()
    try #require(requests.count == 26)
    #expect(requests[0].method == "PUT" && requests[0].url.hasSuffix("/b"))
    #expect(requests[0].headers["x-amz-copy-source"] == "/films/%C3%A9/a?versionId=v%2B1")

    let head = requests[1]
    #expect(head.method == "HEAD" && head.url.hasSuffix("/%C3%A9/a?versionId=v%2B1"))
    #expect(head.headers["if-unmodified-since"] == "Fri, 27 Nov 2026 00:00:00 GMT")
    #expect(head.headers["x-amz-expected-bucket-owner"] == "111122223333")
    #expect(head.headers["x-amz-request-payer"] == "requester")
    #expect(head.headers["if-none-match"] == nil)

    #expect(requests[2].method == "GET")
    #expect(requests[2].url.hasSuffix("/%C3%A9/a?tagging&versionId=v%2B1"))
    #expect(requests[2].headers["if-unmodified-since"] == nil)

    let begin = requests[3]
    #expect(begin.method == "POST" && begin.url.hasSuffix("/b?uploads"))
    #expect(begin.headers["content-type"] == "video/quicktime")
    #expect(begin.headers["cache-control"] == "no-cache")
    #expect(begin.headers["x-amz-meta-place"] == "here")
    #expect(begin.headers["x-amz-storage-class"] == "STANDARD_IA")
    // urllib.parse.urlencode([("a b", "c&d"), ("é", "")], quote_via=urllib.parse.quote)
    #expect(begin.headers["x-amz-tagging"] == "a%20b=c%26d&%C3%A9=")
    for name in [
      "if-none-match", "server", "x-amz-copy-source-if-unmodified-since", "content-length",
      "x-amz-source-expected-bucket-owner", "x-amz-tagging-count",
    ] {
      #expect(begin.headers[name] == nil, "\(name)")
    }

    let mebibyte: Int64 = 1 << 20
    for number in 1...21 {
      let part = try store.part(number)
      let start = Int64(number - 1) * 256 * mebibyte
      let end = min(start + 256 * mebibyte, Self.limit + 1) - 1
      #expect(part.method == "PUT" && part.body.isEmpty)
      #expect(part.url.hasSuffix("/b?partNumber=\(number)&uploadId=u%2F1"))
      #expect(part.headers["x-amz-copy-source-range"] == "bytes=\(start)-\(end)")
      #expect(part.headers["x-amz-copy-source"] == "/films/%C3%A9/a?versionId=v%2B1")
      #expect(part.headers["x-amz-copy-source-if-match"] == "\"e\"")
      #expect(part.headers["x-amz-source-expected-bucket-owner"] == "111122223333")
      #expect(part.headers["x-amz-copy-source-if-unmodified-since"] == nil)
      #expect(part.headers["x-amz-meta-place"] == nil)
    }

    let end = try #require(requests.last)
    #expect(end.method == "POST" && end.url.hasSuffix("/b?uploadId=u%2F1"))
    #expect(end.headers["if-none-match"] == "*")
    let list = String(decoding: end.body, as: UTF8.self)
    #expect(
      list.contains("<Part><PartNumber>21</PartNumber><ETag>\"p21\"</ETag></Part>"))
  }

  @Test("Replaced metadata and tags are the caller's, and S3 computes the named checksum")
  func replaced() async throws {
    let store = Store(
      byteCount: 6 << 30, headers: ["Content-Type": "video/quicktime", "x-amz-tagging-count": "2"])
    try await session(store).copy(
      bucket().object("a"), to: bucket().object("b"),
      headers: [
        "x-amz-metadata-directive": "REPLACE", "content-type": "text/plain",
        "x-amz-tagging-directive": "REPLACE", "x-amz-tagging": "x=y",
        "x-amz-checksum-algorithm": "SHA256",
        "x-amz-copy-source-server-side-encryption-customer-algorithm": "AES256",
      ])
    let requests = store.requests()
    #expect(requests.map(\.method).prefix(3) == ["PUT", "HEAD", "POST"])
    #expect(requests[1].headers["x-amz-server-side-encryption-customer-algorithm"] == "AES256")
    let begin = requests[2].headers
    #expect(begin["content-type"] == "text/plain" && begin["x-amz-tagging"] == "x=y")
    #expect(begin.values(named: "x-amz-checksum-algorithm") == ["SHA256"])
    #expect(begin["x-amz-checksum-type"] == "COMPOSITE")
    #expect(begin["x-amz-metadata-directive"] == nil && begin["x-amz-tagging-directive"] == nil)
    let name = "x-amz-copy-source-server-side-encryption-customer-algorithm"
    #expect(begin[name] == nil)
    #expect(try store.part(24).headers[name] == "AES256")
    let list = String(decoding: try #require(requests.last).body, as: UTF8.self)
    #expect(list.contains("<ChecksumSHA256>\(Self.checksum)</ChecksumSHA256></Part>"))
  }

  // Amazon S3 API Reference, HeadObject: x-amz-tagging-count is sent "only if you have permission".
  // 501: Cloudflare R2 and others without tags.
  @Test(
    "Without a count, the tags are read, and a store may have none",
    arguments: [(200, "a%20b=c%26d&%C3%A9="), (501, nil), (405, nil), (404, nil)]
      as [(Int, String?)])
  func tags(status: Int, expected: String?) async throws {
    let store = Store(byteCount: 6 << 30, tagStatus: status)
    try await session(store).copy(bucket().object("a"), to: bucket().object("b"))
    #expect(store.requests()[3].headers["x-amz-tagging"] == expected)
  }

  @Test("Tags that can't be read are an error, before anything is copied", arguments: [nil, "2"])
  func hiddenTags(count: String?) async throws {
    let headers = count.map { ["x-amz-tagging-count": $0] as SigV4.Headers } ?? [:]
    for status in count == nil ? [403] : [403, 404, 501] {
      let store = Store(byteCount: 6 << 30, headers: headers, tagStatus: status)
      let error = await #expect(throws: TransferError.self) {
        try await session(store).copy(bucket().object("a"), to: bucket().object("b"))
      }
      #expect(error?.status == status)
      #expect(store.requests().map(\.method) == ["PUT", "HEAD", "GET"])
    }
  }

  // Amazon S3 API Reference, CopyObject: x-amz-website-redirect-location isn't copied.
  @Test("A redirect of a website is the caller's")
  func redirect() async throws {
    let store = Store(
      byteCount: 6 << 30,
      headers: ["x-amz-website-redirect-location": "/old", "x-amz-tagging-count": "0"])
    let session = try session(store)
    try await session.copy(bucket().object("a"), to: bucket().object("b"))
    #expect(store.requests()[2].headers["x-amz-website-redirect-location"] == nil)
    let count = store.requests().count
    try await session.copy(
      bucket().object("a"), to: bucket().object("b"),
      headers: ["x-amz-website-redirect-location": "/new"])
    #expect(
      store.requests()[count + 2].headers.values(named: "x-amz-website-redirect-location")
        == ["/new"])
  }

  @Test("Up to 5 GiB, a rejected copy is an error", arguments: [5_368_709_120, 0] as [Int64])
  func small(byteCount: Int64) async throws {
    let store = Store(byteCount: byteCount)
    let error = await #expect(throws: TransferError.self) {
      try await session(store).copy(bucket().object("a"), to: bucket().object("b"))
    }
    #expect(error?.code == .unexpectedStatus && error?.serverCode == "InvalidRequest")
    #expect(store.requests().map(\.method) == ["PUT", "HEAD"])
  }

  @Test("If a part fails, the upload is aborted")
  func aborted() async throws {
    let store = Store(byteCount: 6 << 30, partStatus: 412)
    let error = await #expect(throws: TransferError.self) {
      try await session(store).copy(bucket().object("a"), to: bucket().object("b"))
    }
    #expect(error?.code == .unexpectedStatus && error?.status == 412)
    let last = try #require(store.requests().dropLast().last)
    #expect(last.method == "DELETE" && last.url.hasSuffix("/b?uploadId=u%2F1"))
  }
}
