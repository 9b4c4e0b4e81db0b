// SPDX-License-Identifier: Apache-2.0
// The generated messages of checksums.txt, and the three checks as the tests use them.

@testable internal import Checksums
internal import SecureHashing
internal import TestSupport
internal import Testing

/// Generated messages of several lengths, and what Python computed of each.
struct ChecksumLadder {
  let messages: [[UInt8]]
  /// In hexadecimal digits.
  let digests: [String]

  /// The record "crc32, every length" has the name `crc32` and the selection `every length`.
  init(_ name: String, _ selection: String) throws {
    let vector = try VectorTable(named: "checksums.txt").record(named: "\(name), \(selection)")
    var generator = try Xorshift64(seed: vector.seed)
    messages = try vector.texts("length").map { generator.bytes(try #require(Int($0))) }
    digests = try vector.texts("digest")
    try #require(messages.count == digests.count)
  }
}

extension CyclicRedundancyCheck {
  /// The name in the table.
  static var tableName: String {
    switch algorithm {
    case .crc32: "crc32"
    case .crc32c: "crc32c"
    case .crc64NVME: "crc64nvme"
    }
  }

  /// The checksum of a whole message by a certain implementation, in hexadecimal digits.
  static func hexadecimal(
    of message: some Collection<UInt8>, by implementation: CRCImplementation
  ) -> String {
    var check = Self(implementation: implementation)
    check.update(data: message)
    return check.hexString
  }

  /// The checksum of the message so far in hexadecimal digits.
  var hexString: String { Hexadecimal.encode(Self.bigEndianBytes(of: finalize())) }

  /// The number that a table spells in hexadecimal digits.
  static func checksum(_ name: String, in vector: VectorRecord) throws -> Checksum {
    try vector.hexadecimal(name).reduce(0) { $0 << 8 | Checksum($1) }
  }
}
