// SPDX-License-Identifier: Apache-2.0
// The checksum that a caller's headers name, in one request and in parts.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import SigningTestSupport
internal import Testing

@testable internal import RequestSigningFoundation

@Suite struct UploadChecksumTests {
  static let partByteCount = MultipartUploadTests.partByteCount

  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Uploads zeros. Returns the requests of a successful upload.
  private func requests(
    of byteCount: Int, headers: SigV4.Headers,
    _ checksums: SigningSession.Options.Checksums = .always(.crc64NVME)
  ) async throws -> [LoopbackServer.Received] {
    let tests = MultipartUploadTests.self
    let server =
      byteCount > Self.partByteCount
      ? try LoopbackServer(tests.begun, tests.part, tests.part, tests.completed)
      : try LoopbackServer(tests.part)
    let object = try server.bucket().object("film.mov")
    var options = SigningSession.Options()
    options.partByteCount = Self.partByteCount
    options.checksums = checksums
    options.maximumAttempts = 1
    let session = SigningSession(
      credentials: try SigV4.Credentials(accessKeyID: "KEY", secretAccessKey: "secret"),
      region: "us-east-1", service: .s3, options: options)
    do {
      try await session.upload(folder.zeros(UInt64(byteCount)), to: object, headers: headers)
    } catch {
      #expect(try server.received().isEmpty)
      throw error
    }
    return try server.received()
  }

  // Amazon S3 API Reference, CreateMultipartUpload and CompleteMultipartUpload.
  @Test("The caller's checksum type is sent once", arguments: ["FULL_OBJECT", "composite"])
  func type(value: String) async throws {
    let received = try await requests(
      of: Self.partByteCount + 1_000,
      headers: ["x-amz-checksum-algorithm": "CRC32", "x-amz-checksum-type": value])
    try #require(received.count == 4)
    #expect(received[0].values("x-amz-checksum-algorithm") == ["CRC32"])
    #expect(received[0].values("x-amz-checksum-type") == [value])
    #expect(received[1...2].allSatisfy { $0.values("x-amz-checksum-crc32").count == 1 })
    let isFull = value == "FULL_OBJECT"
    #expect(received[3].values("x-amz-checksum-type") == (isFull ? [value] : []))
    // zlib.crc32(bytes(5_243_880)) in Python, in base64.
    #expect(received[3].values("x-amz-checksum-crc32") == (isFull ? ["iaUTvw=="] : []))
    #expect(received[3].start.contains("<ChecksumCRC32>"))
  }

  @Test("A checksum of parts that the caller computed is sent with the last request")
  func composite() async throws {
    let received = try await requests(
      of: Self.partByteCount + 1_000,
      headers: ["x-amz-checksum-crc32c": "AAAAAA==-2", "x-amz-checksum-type": "COMPOSITE"])
    #expect(received.first?.values("x-amz-checksum-crc32c") == [])
    #expect(received.last?.values("x-amz-checksum-crc32c") == ["AAAAAA==-2"])
  }

  // hashlib.sha256(bytes(10)) in base64.
  @Test(
    "A small upload sends the named checksum, too",
    arguments: [SigningSession.Options.Checksums.always(.crc64NVME), .automatic, .off])
  func small(checksums: SigningSession.Options.Checksums) async throws {
    let received = try await requests(
      of: 10, headers: ["x-amz-checksum-algorithm": "sha256"], checksums)
    #expect(received.count == 1)
    #expect(
      received[0].values("x-amz-checksum-sha256")
        == ["AdRIr9koBlRYz2cLYPWllNc1rwFyyNZ/IqgWgBMmgco="])
    #expect(received[0].values("x-amz-checksum-crc64nvme") == [])
  }

  @Test(
    "An unknown algorithm is an error before anything is sent", arguments: [10, 5_243_880])
  func unknown(byteCount: Int) async throws {
    let error = await #expect(throws: TransferError.self) {
      try await requests(of: byteCount, headers: ["x-amz-checksum-algorithm": "BLAKE3"])
    }
    #expect(error?.code == .conflictingHeader)
    #expect(error?.problem.contains("\"BLAKE3\"") == true)
    #expect(error?.fix.contains("CRC64NVME") == true)
  }
}
