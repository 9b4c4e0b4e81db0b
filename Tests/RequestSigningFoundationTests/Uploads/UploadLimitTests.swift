// SPDX-License-Identifier: Apache-2.0
// Uploads to stores with other limits than Amazon S3: numbers and sizes of parts, and checksums.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import SigningTestSupport
internal import Testing

@testable internal import RequestSigningFoundation

@Suite struct UploadLimitTests {
  /// A store that rejects parts above its number.
  final class Store: Sendable {
    let received = Guarded<[SigV4.HTTPRequest]>([])
    let maximumPartCount: Int

    init(maximumPartCount: Int = 10_000) { self.maximumPartCount = maximumPartCount }

    @Sendable func answer(_ request: SigV4.HTTPRequest) -> SigV4.HTTPResponse {
      received.withLock { $0.append(request) }
      func answer(
        status: Int = 200, _ body: String, _ headers: SigV4.Headers = [:]
      ) -> SigV4.HTTPResponse {
        SigV4.HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
      }
      let query = request.url.split(separator: "?").dropFirst().first ?? ""
      switch request.method {
      case "DELETE": return answer(status: 204, "")
      case "POST" where query == "uploads":
        return answer(
          "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>")
      case "POST":
        return answer(
          "<CompleteMultipartUploadResult><ETag>\"w\"</ETag></CompleteMultipartUploadResult>")
      default:
        let number = Int(query.dropFirst("partNumber=".count).prefix { $0 != "&" }) ?? 0
        // The response of OpenStack Swift 2.38.3 to part 1,001.
        return number > maximumPartCount
          ? answer(status: 400, "<Error><Code>InvalidArgument</Code></Error>")
          : answer("", ["ETag": "\"p\(number)\""])
      }
    }
  }

  private func session(
    _ bucket: SigV4.Bucket, _ store: Store, _ options: SigningSession.Options = .init()
  ) throws -> SigningSession {
    bucket.session(
      credentials: try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
      options: options, http: { store.answer($0) })
  }

  /// Options with parts of a kilobyte, so that a thousand of them are quick.
  private static func kilobytes(maximumPartCount: Int? = nil) -> SigningSession.Options {
    var options = SigningSession.Options()
    options.minimumPartByteCount = 1_000
    options.partByteCount = 1_000
    options.maximumPartCount = maximumPartCount
    options.maximumAttempts = 1
    return options
  }

  private static func pieces(_ byteCount: Int) -> AsyncStream<[UInt8]> {
    AsyncStream { continuation in
      for start in stride(from: 0, to: byteCount, by: 700) {
        continuation.yield([UInt8](repeating: 0, count: min(700, byteCount - start)))
      }
      continuation.finish()
    }
  }

  // Scaleway, "Managing multipart uploads": 1 to 1000 parts per object.
  @Test("A file at a store of 1,000 parts has no part 1,001, by the store's name or the option")
  func thousandParts() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.zeros(1_000_001)
    for (bucket, maximum) in [
      (try SigV4.Bucket.scaleway("films", region: "fr-par"), nil),
      (try SigV4.Bucket("films", endpoint: "https://swift.example", region: "r"), 1_000),
    ] {
      let store = Store(maximumPartCount: 1_000)
      let session = try session(bucket, store, Self.kilobytes(maximumPartCount: maximum))
      let uploaded = try await session.upload(file, to: bucket.object("film"))
      #expect(uploaded.partCount == 1_000)
      let parts = store.received.withLock { $0.filter { $0.method == "PUT" } }
      // 999 parts of 1,001 bytes, and the rest.
      #expect(parts.map(\.body.count).sorted() == [2] + [Int](repeating: 1_001, count: 999))
    }
  }

  @Test("A sequence at a store of 1,000 parts needs its length, or is told what to set")
  func sequence() async throws {
    let bucket = try SigV4.Bucket.scaleway("films", region: "fr-par")
    let known = Store(maximumPartCount: 1_000)
    let uploaded = try await session(bucket, known, Self.kilobytes()).upload(
      Self.pieces(1_000_001), to: bucket.object("film"), contentLength: 1_000_001)
    #expect(uploaded.partCount == 1_000)
    for (maximum, source) in [(nil, "Scaleway"), (999, "the option maximumPartCount")] {
      let unknown = Store(maximumPartCount: 1_000)
      let error = await #expect(throws: TransferError.self) {
        try await session(bucket, unknown, Self.kilobytes(maximumPartCount: maximum)).upload(
          Self.pieces(1_000_001), to: bucket.object("film"))
      }
      #expect(error?.code == .invalidPartSize)
      #expect(
        error?.problem
          == "The body is larger than \(maximum ?? 1_000) parts of 1000 bytes, the maximum of \(source)."
      )
      #expect(error?.fix.contains("contentLength") == true)
      #expect(error?.fix.contains("partByteCount") == true)
      let methods = unknown.received.withLock { $0.map(\.method) }
      #expect(methods.filter { $0 == "PUT" }.count <= maximum ?? 1_000)
      #expect(methods.contains("DELETE"))
    }
  }

  @Test(
    "A sequence of another length than the announced one is an error, and nothing is completed",
    arguments: [0, 999, 1_000, 2_000, 2_999, 3_001, 4_000, -1])
  func wrongLength(contentLength: Int64) async throws {
    let bucket = try SigV4.Bucket("films", endpoint: "https://store.example", region: "r")
    let store = Store()
    let error = await #expect(throws: TransferError.self) {
      try await session(bucket, store, Self.kilobytes()).upload(
        Self.pieces(3_000), to: bucket.object("film"), contentLength: contentLength)
    }
    #expect(error?.code == .invalidFile)
    #expect(error?.problem.contains("its contentLength is \(contentLength)") == true)
    let requests = store.received.withLock { $0 }
    #expect(!requests.contains { $0.method == "POST" && $0.url.contains("uploadId") })
    #expect(requests.allSatisfy { $0.method != "PUT" || $0.url.contains("partNumber") })
    #expect(requests.isEmpty || requests.contains { $0.method == "DELETE" })
  }

  @Test("A sequence of the announced length is uploaded", arguments: [0, 999, 1_000, 1_001, 2_000])
  func rightLength(byteCount: Int) async throws {
    let bucket = try SigV4.Bucket("films", endpoint: "https://store.example", region: "r")
    let uploaded = try await session(bucket, Store(), Self.kilobytes()).upload(
      Self.pieces(byteCount), to: bucket.object("film"), contentLength: Int64(byteCount))
    #expect(uploaded.partCount == max(1, (byteCount + 999) / 1_000))
  }

  // Sizes: ceil(byteCount / 10,000) and ceil(byteCount / 1,000).
  @Test("Parts get larger if the store's number of them isn't enough")
  func sizes() throws {
    var options = SigningSession.Options()
    let (aws, scaleway) = try (
      SigV4.S3Endpoint.aws(region: "eu-west-1"), SigV4.S3Endpoint.scaleway(region: "fr-par")
    )
    let mebibytes: Int64 = 8_388_608
    for (endpoint, byteCount, expected) in [
      (aws, 0, 8_388_608), (aws, 10_000 * mebibytes, 8_388_608),
      (aws, 10_000 * mebibytes + 1, 8_388_609), (aws, 10_001 * mebibytes, 8_389_447),
      (aws, 53_687_091_200_000, 5_368_709_120), (scaleway, 1_000 * mebibytes, 8_388_608),
      (scaleway, 1_000 * mebibytes + 1, 8_388_609), (scaleway, 5_000_000_000_000, 5_000_000_000),
    ] {
      #expect(try PartSizes(options, at: endpoint).byteCount(for: byteCount) == expected)
    }
    #expect(try PartSizes(options, at: scaleway).byteCount(for: nil) == 8_388_608)
    options.maximumPartCount = 20_000
    let size = try PartSizes(options, at: scaleway).byteCount(for: 20_000 * mebibytes)
    #expect(size == 8_388_608)
  }

  // Amazon S3, "Multipart upload limits"; Cloudflare R2, "Limits" (5 TiB less 5 GiB); Google,
  // "Quotas and limits" (5 TiB); Scaleway, "Managing multipart uploads" (5 TB); Backblaze, "Create
  // Large Files with the Native API" (10 TB).
  @Test("An object that's larger than the store's maximum is an error before anything is sent")
  func tooLarge() throws {
    for (endpoint, store, maximum) in [
      (try SigV4.S3Endpoint.aws(region: "eu-west-1"), "Amazon S3", 53_687_091_200_000),
      (
        try .r2(account: "0123456789abcdef0123456789abcdef"), "Cloudflare R2",
        5 * (1 << 40) - 5 * (1 << 30)
      ),
      (.googleCloudStorage, "Google Cloud Storage", 5 * (1 << 40)),
      (try .scaleway(region: "fr-par"), "Scaleway", 5_000_000_000_000),
      (try .backblazeB2(region: "us-west-004"), "Backblaze B2", 10_000_000_000_000),
    ] as [(SigV4.S3Endpoint, String, Int64)] {
      let sizes = try PartSizes(.init(), at: endpoint)
      _ = try sizes.byteCount(for: maximum)
      let error = #expect(throws: TransferError.self) { try sizes.byteCount(for: maximum + 1) }
      #expect(error?.code == .objectTooLarge)
      #expect(
        error?.problem
          == "The object is \(maximum + 1) bytes, but the maximum of \(store) is \(maximum).")
      #expect(throws: TransferError.self) { try sizes.byteCount(for: .max) }
    }
    var options = SigningSession.Options()
    options.maximumPartCount = 100
    let error = #expect(throws: TransferError.self) {
      try PartSizes(options, at: .aws(region: "eu-west-1")).byteCount(for: 536_870_912_001)
    }
    #expect(error?.message.contains("100 parts of 5368709120") == true)
    #expect(error?.fix.contains("maximumPartCount") == true)
  }

  // Backblaze, "Create Large Files with the Native API": 5,000,000 bytes to 5 GB.
  @Test("Options that the store doesn't accept are rejected by their names")
  func options() throws {
    let b2 = try SigV4.S3Endpoint.backblazeB2(region: "us-west-004")
    let aws = try SigV4.S3Endpoint.aws(region: "eu-west-1")
    typealias Change = (inout SigningSession.Options) -> Void
    let cases: [(SigV4.S3Endpoint, String, Change)] = [
      (b2, "Backblaze B2 requires parts of at least 5000000", { $0.partByteCount = 4_999_999 }),
      (b2, "the maximum of Backblaze B2 is 5000000000", { $0.partByteCount = 5_000_000_001 }),
      (aws, "Amazon S3 requires parts of at least 5242880", { $0.partByteCount = 5_242_879 }),
      (aws, "the option minimumPartByteCount", { $0.minimumPartByteCount = 8_388_609 }),
      (
        aws, "The option partByteCount is 0",
        { ($0.minimumPartByteCount, $0.partByteCount) = (0, 0) }
      ),
      (aws, "The option maximumPartCount is 0", { $0.maximumPartCount = 0 }),
      (aws, "The option maximumPartCount is -1", { $0.maximumPartCount = -1 }),
    ]
    for (endpoint, text, change) in cases {
      var options = SigningSession.Options()
      change(&options)
      let error = #expect(throws: TransferError.self) { try PartSizes(options, at: endpoint) }
      #expect(error?.code == .invalidPartSize)
      #expect(error?.problem.contains(text) == true, "\(error?.problem ?? "")")
    }
    var options = SigningSession.Options()
    options.partByteCount = 5_000_000
    #expect(try PartSizes(options, at: b2).byteCount(for: nil) == 5_000_000)
  }

  // Cloudflare, "S3 API compatibility": CRC-32 and CRC-32C are COMPOSITE only, CRC-64/NVME is
  // FULL_OBJECT.
  @Test(
    "R2 gets checksums of the type that it accepts",
    arguments: [("CRC32", "COMPOSITE"), ("CRC32C", "COMPOSITE"), ("CRC64NVME", "FULL_OBJECT")])
  func checksumTypes(name: String, type: String) async throws {
    let algorithm = try #require(SigV4.Checksum.Algorithm.named.first { $0.name == name })
    for (bucket, expected) in [
      (try SigV4.Bucket.r2("films", account: "0123456789abcdef0123456789abcdef"), type),
      (try SigV4.Bucket.aws("films", region: "eu-west-1"), "FULL_OBJECT"),
    ] {
      let store = Store()
      var options = Self.kilobytes()
      options.checksums = .always(algorithm)
      let folder = try TemporaryFolder()
      _ = try await session(bucket, store, options).upload(
        folder.zeros(2_500), to: bucket.object("film"))
      let requests = store.received.withLock { $0 }
      let (first, last) = (try #require(requests.first), try #require(requests.last))
      #expect(first.headers["x-amz-checksum-algorithm"] == name)
      #expect(first.headers["x-amz-checksum-type"] == expected)
      let isWhole = expected == "FULL_OBJECT"
      #expect((last.headers[algorithm.headerName] != nil) == isWhole)
      #expect(String(decoding: last.body, as: UTF8.self).contains("<Checksum\(name)>"))
    }
  }
}
