// SPDX-License-Identifier: Apache-2.0
// The checksum that follows the body of an upload.

internal import S3Signing
internal import RequestSigning
internal import SecureHashing

/// A checksum of Amazon S3 in mid-stream.
enum UploadChecksum {
  case crc32(CRC32)
  case crc32c(CRC32C)
  case crc64NVME(CRC64NVME)
  case sha1(Insecure.SHA1)
  case sha256(SHA256)

  /// An empty body, by the name of the checksum as it stands in its header.
  init(named name: String) throws(CommandError) {
    switch name {
    case "crc32": self = .crc32(CRC32())
    case "crc32c": self = .crc32c(CRC32C())
    case "crc64nvme": self = .crc64NVME(CRC64NVME())
    case "sha1": self = .sha1(Insecure.SHA1())
    case "sha256": self = .sha256(SHA256())
    default:
      throw CommandError.usage(
        "--checksum takes crc32, crc32c, crc64nvme, sha1 or sha256, not \(name)")
    }
  }

  /// The header in which it travels.
  var trailer: SigV4.ChunkTrailer {
    switch self {
    case .crc32: .checksumCRC32
    case .crc32c: .checksumCRC32C
    case .crc64NVME: .checksumCRC64NVME
    case .sha1: .checksumSHA1
    case .sha256: .checksumSHA256
    }
  }

  /// The checksum of the body so far, as it stands in the header.
  var value: String {
    switch self {
    case .crc32(let check): CRC32.base64(of: check.finalize())
    case .crc32c(let check): CRC32C.base64(of: check.finalize())
    case .crc64NVME(let check): CRC64NVME.base64(of: check.finalize())
    case .sha1(let hash): Base64.encode(hash.finalize())
    case .sha256(let hash): Base64.encode(hash.finalize())
    }
  }

  /// Appends bytes to the body.
  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    // Safety: handed on as they came.
    switch self {
    case .crc32(var check):
      unsafe check.update(bufferPointer: bytes)
      self = .crc32(check)
    case .crc32c(var check):
      unsafe check.update(bufferPointer: bytes)
      self = .crc32c(check)
    case .crc64NVME(var check):
      unsafe check.update(bufferPointer: bytes)
      self = .crc64NVME(check)
    case .sha1(var hash):
      unsafe hash.update(bufferPointer: bytes)
      self = .sha1(hash)
    case .sha256(var hash):
      unsafe hash.update(bufferPointer: bytes)
      self = .sha256(hash)
    }
  }
}
