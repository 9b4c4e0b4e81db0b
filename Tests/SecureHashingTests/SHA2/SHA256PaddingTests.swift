// SPDX-License-Identifier: Apache-2.0
// The length at the end of messages that are too long to be hashed in a test.

@testable internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("SHA-256 padding")
struct SHA256PaddingTests {
  @Test(
    "A message of up to 2^61 - 1 bytes ends with its length in bits",
    arguments: SHA256.Implementation.available, try VectorTable(named: "huge-messages.txt").records)
  func hugeMessage(_ implementation: SHA256.Implementation, _ vector: VectorRecord) throws {
    let state = try Self.state(vector.hexadecimal("state"))
    let before = try vector.integer("before")
    let tail = try (0..<vector.integer("tail")).map { UInt8($0) }
    let expected = try vector.hexadecimal("digest")

    let start = SHA256(
      resuming: state, afterByteCount: UInt64(before), implementation: implementation)
    #expect(Array(start.finalize(appending: tail)) == expected)
    let pair = SHA256.finalizePair(start, appending: tail, start, appending: tail)
    #expect(Array(pair.0) == expected && Array(pair.1) == expected)

    var computation = start
    computation.update(data: tail)
    #expect(Array(computation.finalize()) == expected)

    var byBytes = start
    for byte in tail { byBytes.update(data: [byte]) }
    #expect(Array(byBytes.finalize()) == expected)
  }

  static func state(_ bytes: [UInt8]) throws -> SHA256.State {
    let words = stride(from: 0, to: bytes.count, by: 4).map { start in
      bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    try #require(words.count == 8)
    return (words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7])
  }
}
