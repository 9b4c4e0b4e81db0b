// SPDX-License-Identifier: Apache-2.0
// The functions that sigv4 hash supports, with the names of Amazon S3's checksums.

internal import Checksums
internal import SecureHashing

/// A hash function or a checksum.
struct HashAlgorithm: Sendable {
  /// The name, as in `x-amz-checksum-NAME`.
  let name: String

  /// Hashes a file of any size and returns hexadecimal digits.
  let digest: @Sendable (_ path: String) throws -> String

  static let all = [
    digest(SHA256.self, "sha256"), digest(SHA384.self, "sha384"), digest(SHA512.self, "sha512"),
    digest(SHA1.self, "sha1"), digest(Insecure.MD5.self, "md5"),
    checksum(CRC32.self, "crc32"), checksum(CRC32C.self, "crc32c"),
    checksum(CRC64NVME.self, "crc64nvme"), checksum(XXHash64Checksum.self, "xxhash64"),
    checksum(XXHash3Checksum.self, "xxhash3"), checksum(XXHash128Checksum.self, "xxhash128"),
  ]

  static func named(_ name: String) throws -> HashAlgorithm {
    if let algorithm = all.first(where: { $0.name == name }) { return algorithm }
    let names = all.map(\.name)
    throw CommandError(
      .usage, "--algorithm doesn't support \(name).",
      fix: "Use \(names.joined(separator: ", ")). " + Suggestion.text(for: name, among: names))
  }

  private static func digest<Function: HashFunction>(
    _: Function.Type, _ name: String
  ) -> HashAlgorithm {
    HashAlgorithm(name: name) { path in
      var function = Function()
      try System.readPortions(of: path) { function.update(data: $0) }
      return Hexadecimal.encode(function.finalize())
    }
  }

  private static func checksum<Check: ChecksumFunction>(
    _: Check.Type, _ name: String
  ) -> HashAlgorithm {
    HashAlgorithm(name: name) { path in
      var check = Check()
      try System.readPortions(of: path) { check.update(data: $0) }
      return Hexadecimal.encode(Check.bigEndianBytes(of: check.finalize()))
    }
  }
}
