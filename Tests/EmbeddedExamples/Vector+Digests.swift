// SPDX-License-Identifier: Apache-2.0
// Digests and checksums, and the beginnings of digests, of which nothing else is read.

import Checksums
import SecureHashing

extension Vector {
  /// Whether the first byte of a digest and its first eight are those that the table has in
  /// hexadecimal digits.
  func begins(_ name: StaticString, _ byte: Int, _ word: UInt64) -> Bool {
    guard let digest = try? Hexadecimal.decode(text(name)), digest.count >= 8 else { return false }
    let expected = digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    return byte == Int(digest[0]) && word == expected
  }

  /// The five checksums of a text that is repeated so often.
  func checksumsAgree() -> Bool {
    let text = bytes("text") ?? []
    let message = (0..<number("repeated")).flatMap { _ in text }
    return agrees("crc32 in base64", CRC32.base64(of: CRC32.checksum(of: message)))
      && agrees("crc32c in base64", CRC32C.base64(of: CRC32C.checksum(of: message)))
      && agrees("crc64nvme in base64", CRC64NVME.base64(of: CRC64NVME.checksum(of: message)))
      && agrees("sha1", SHA1.hash(data: message).hexString)
      && agrees("md5", Insecure.MD5.hash(data: message).hexString)
      && begins("sha1", SHA1.first(of: message), SHA1.firstWord(of: message))
      && begins("md5", Insecure.MD5.first(of: message), Insecure.MD5.firstWord(of: message))
  }
}

// Swift 6.3 forgets values written to a tuple in memory if only its beginning is read, as a
// different type. So each of these functions reads nothing else, and isn't inlined.

extension SHA256 {
  @inline(never)
  static func first(of message: [UInt8]) -> Int {
    hash(data: message).withUnsafeBytes { Int($0[0]) }
  }

  @inline(never)
  static func firstWord(of message: [UInt8]) -> UInt64 {
    hash(data: message).withUnsafeBytes { $0.load(as: UInt64.self).bigEndian }
  }
}

extension HashFunction {
  @inline(never)
  static func first(of message: [UInt8]) -> Int {
    hash(data: message).withUnsafeBytes { Int($0[0]) }
  }

  @inline(never)
  static func firstWord(of message: [UInt8]) -> UInt64 {
    hash(data: message).withUnsafeBytes { $0.load(as: UInt64.self).bigEndian }
  }
}
