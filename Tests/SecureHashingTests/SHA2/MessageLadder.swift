// SPDX-License-Identifier: Apache-2.0
// A message of every length from 0 to 300 bytes, with the digest and the code that Python computes.

@testable internal import SecureHashing
internal import TestSupport
internal import Testing

/// Two of them exist, so that the messages of a pair never agree.
struct MessageLadder {
  static let key = SymmetricKey(data: "key of both ladders".utf8)
  static let longest = 300

  let messages: [[UInt8]]
  let digests: [SHA256.Digest]
  let codes: [HMAC<SHA256>.MAC]

  static func left() throws -> MessageLadder { try leftLadder.get() }

  static func right() throws -> MessageLadder { try rightLadder.get() }

  /// Computed by the portable kernel for each message, and trusted only if a digest over all
  /// results matches Python's hashlib and hmac.
  init(named name: String) throws {
    let vector = try VectorTable(named: "accumulated-digests.txt").record(named: name)
    var generator = try Xorshift64(seed: vector.seed)
    let messages = (0...Self.longest).map { generator.bytes($0) }
    digests = messages.map { SHA256.hash($0, by: .portable) }
    codes = messages.map { HMAC.code(for: $0, using: Self.key, by: .portable) }
    self.messages = messages
    var accumulated = SHA256(implementation: .portable)
    for (digest, code) in zip(digests, codes) {
      accumulated.update(data: digest)
      accumulated.update(data: code)
    }
    try #require(try vector.integer("count") == digests.count + codes.count)
    try #require(try Array(accumulated.finalize()) == vector.hexadecimal("digest"))
  }

  /// Computed once for all tests.
  private static let leftLadder = Result { try MessageLadder(named: "left ladder") }
  private static let rightLadder = Result { try MessageLadder(named: "right ladder") }
}
