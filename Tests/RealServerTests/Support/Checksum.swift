// SPDX-License-Identifier: Apache-2.0
// The checksums that Amazon S3 knows, as headers and as trailers.

internal import Checksums
internal import S3Signing
internal import RequestSigning
internal import SecureHashing
import Testing

/// A checksum: its header, and its value for a body.
struct Checksum: CustomTestStringConvertible, Sendable {
  let trailer: SigV4.ChunkTrailer
  let value: @Sendable ([UInt8]) -> String

  static let crc32 = Checksum(trailer: .checksumCRC32) {
    CRC32.base64(of: CRC32.checksum(of: $0))
  }
  static let crc32c = Checksum(trailer: .checksumCRC32C) {
    CRC32C.base64(of: CRC32C.checksum(of: $0))
  }
  static let crc64NVME = Checksum(trailer: .checksumCRC64NVME) {
    CRC64NVME.base64(of: CRC64NVME.checksum(of: $0))
  }
  static let sha1 = Checksum(trailer: .checksumSHA1) {
    Base64.encode(SHA1.hash(data: $0))
  }
  static let sha256 = Checksum(trailer: .checksumSHA256) {
    Base64.encode(SHA256.hash(data: $0))
  }

  static let all = [crc32, crc32c, crc64NVME, sha1, sha256]

  var testDescription: String { trailer.name }

  func value(of body: [UInt8]) -> String { value(body) }
}
