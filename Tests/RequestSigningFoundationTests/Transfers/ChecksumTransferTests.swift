// SPDX-License-Identifier: Apache-2.0
// Checksums that are sent with uploads, and compared after downloads.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import SigningTestSupport
internal import Testing

@testable internal import RequestSigningFoundation

// Checksums: awscrt 0.38.1, checksums.crc64nvme and checksums.crc32 of "abc", of 3,000,000 zeros, of 100,000.
@Suite struct ChecksumTransferTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func session(
    _ checksums: SigningSession.Options.Checksums, service: SigV4.Service = .s3
  ) throws -> SigningSession {
    var options = SigningSession.Options()
    options.checksums = checksums
    return SigningSession(
      credentials: try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
      region: "us-east-1", service: service, options: options)
  }

  func put(_ server: LoopbackServer, headers: SigV4.Headers = [:]) throws -> SigV4.Request {
    try SigV4.Request("PUT", url: server.url("/a").absoluteString, headers: headers)
  }

  @Test("An upload carries the checksum of its body as a signed header")
  func headers() async throws {
    let server = try LoopbackServer(.init())
    _ = try await session(.always(.crc64NVME)).send(put(server), body: .data(Data("abc".utf8)))
    _ = try await session(.always(.crc32)).send(put(server), body: .file(folder.zeros(3_000_000)))
    let received = try server.received()
    #expect(received[0].values("x-amz-checksum-crc64nvme") == ["BeXKuz/B+us="])
    #expect(received[0].signedNames.contains("x-amz-checksum-crc64nvme"))
    #expect(received[1].values("x-amz-checksum-crc32") == ["TQGiZQ=="])
  }

  @Test("A body that isn't read first has it as a trailer")
  func trailers() async throws {
    let server = try LoopbackServer(.init())
    let session = try session(.always(.crc64NVME))
    for payload in [FilePayload.unsigned, .signedChunks()] {
      _ = try await session.send(
        put(server), body: .file(folder.zeros(3_000_000), payload: payload))
    }
    let received = try server.received()
    #expect(
      received.flatMap { $0.values("x-amz-content-sha256") } == [
        "STREAMING-UNSIGNED-PAYLOAD-TRAILER", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER",
      ])
    for request in received {
      #expect(request.isWhole)
      #expect(request.byteCount == 3_000_000)
      #expect(request.values("x-amz-trailer") == ["x-amz-checksum-crc64nvme"])
      #expect(request.trailers.hasPrefix("x-amz-checksum-crc64nvme:c7uggUsc+8k=\r\n"))
    }
  }

  @Test("MD5 is no trailer, and is rejected where it would be one")
  func md5() async throws {
    let server = try LoopbackServer(.init())
    await #expect(throws: SigV4.SigningError.self) {
      try await session(.always(.contentMD5)).send(
        put(server), body: .file(folder.zeros(3), payload: .unsigned))
    }
    _ = try await session(.always(.contentMD5)).send(put(server), body: .data(Data("abc".utf8)))
    // RFC 1321, A.5, in base64.
    #expect(
      try server.received().flatMap { $0.values("content-md5") } == ["kAFQmDzST7DWlj99KOF/cg=="])
  }

  @Test("Nothing is added to other stores, other services, or where there is a checksum already")
  func none() async throws {
    let server = try LoopbackServer(.init())
    let body = UploadBody.data(Data("abc".utf8))
    _ = try await session(.automatic).send(put(server), body: body)
    _ = try await session(.off).send(put(server), body: body)
    _ = try await session(.always(.crc32), service: .executeAPI).send(put(server), body: body)
    _ = try await session(.always(.crc32)).send(
      put(server, headers: ["x-amz-checksum-sha1": "qZk+NkcGgWq6PiVxeFDCbJzQ2J0="]), body: body)
    #expect(try server.received().allSatisfy { $0.values("x-amz-checksum-crc32").isEmpty })
  }

  @Test(
    "For Amazon S3, it's CRC-64/NVME, and downloads request it",
    arguments: [
      ("b.s3.eu-west-1.amazonaws.com", true), ("b.s3.cn-north-1.amazonaws.com.cn", true),
      ("b.s3.amazonaws.com.example.com", false), ("amazonaws.com", false),
      ("a.r2.cloudflarestorage.com", false),
    ])
  func automatic(host: String, isAWS: Bool) throws {
    let checksums = SigningSession.Options.Checksums.automatic
    let put = try SigV4.Request("PUT", host: host, path: .key("a"))
    #expect(try checksums.algorithm(forUpload: put, of: .s3) == (isAWS ? .crc64NVME : nil))
    let get = try SigV4.Request("GET", host: host, path: .key("a"))
    #expect(checksums.headers(forDownload: get, of: .s3).map(\.value) == (isAWS ? ["ENABLED"] : []))
    let part = try SigV4.Request(
      "GET", host: host, path: .key("a"), headers: ["range": "bytes=0-1"])
    #expect(checksums.headers(forDownload: part, of: .s3).isEmpty)
  }

  @Test(
    "What was received is compared with the server's checksum",
    arguments: [
      (["x-amz-checksum-crc64nvme": "m0nypWpUsto="], true),
      (["x-amz-checksum-crc64nvme": "m0nypWpUstk="], false),
      // A composite checksum, and a response that URLSession may have decoded.
      (["x-amz-checksum-crc32": "TQGiZQ==-2"], true),
      (["x-amz-checksum-crc32": "TQGiZQ==", "Content-Encoding": "gzip"], true),
      (["x-amz-checksum-crc32": "TQGiZQ==", "Content-Encoding": "identity"], false),
      (["x-amz-checksum-crc32": "TQGiZQ=="], false),
    ])
  func compared(headers: [String: String], isRight: Bool) async throws {
    let server = try LoopbackServer(.init(headers: headers, zeros: 100_000))
    let request = try SigV4.Request("GET", url: server.url().absoluteString)
    let file = folder.url.appendingPathComponent("a")
    try Data("old".utf8).write(to: file)
    let session = try session(.always(.crc64NVME))
    if isRight {
      #expect(try await session.send(request).0.count == 100_000)
      try await session.download(request, to: file)
      #expect(try Data(contentsOf: file).count == 100_000)
    } else {
      let error = await #expect(throws: TransferError.self) { try await session.send(request) }
      #expect(error?.code == .checksumMismatch)
      let second = await #expect(throws: TransferError.self) {
        try await session.download(request, to: file)
      }
      #expect(second?.code == .checksumMismatch)
      #expect(try Data(contentsOf: file) == Data("old".utf8))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a"])
    }
    #expect(try server.received()[0].values("x-amz-checksum-mode") == ["ENABLED"])
    _ = try await self.session(.off).send(request)
  }
}
