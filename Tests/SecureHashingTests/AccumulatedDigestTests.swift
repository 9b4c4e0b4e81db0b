// SPDX-License-Identifier: Apache-2.0
// 100,000 generated inputs, checked by one digest over all outputs that Python computed.

@testable internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Accumulated digests")
struct AccumulatedDigestTests {
  @Test(
    "SHA-256 of 100,000 generated messages is what hashlib computes",
    arguments: SHA256.Implementation.available)
  func messages(_ implementation: SHA256.Implementation) throws {
    let vector = try VectorTable(named: "accumulated-digests.txt").record(named: "messages")
    var generator = try Xorshift64(seed: vector.seed)
    var accumulated = SHA256(implementation: implementation)
    for _ in 0..<(try vector.integer("count")) {
      let message = generator.bytes(generator.size(upTo: 300))
      accumulated.update(data: SHA256.hash(message, by: implementation))
    }
    #expect(try Array(accumulated.finalize()) == vector.hexadecimal("digest"))
  }

  @Test(
    "HMAC of 100,000 generated messages under generated keys is what Python's hmac computes",
    arguments: SHA256.Implementation.available)
  func keyedMessages(_ implementation: SHA256.Implementation) throws {
    let vector = try VectorTable(named: "accumulated-digests.txt").record(named: "keyed messages")
    var generator = try Xorshift64(seed: vector.seed)
    var accumulated = SHA256(implementation: implementation)
    for _ in 0..<(try vector.integer("count")) {
      let key = SymmetricKey(data: generator.bytes(generator.size(upTo: 200)))
      let message = generator.bytes(generator.size(upTo: 300))
      accumulated.update(data: HMAC.code(for: message, using: key, by: implementation))
    }
    #expect(try Array(accumulated.finalize()) == vector.hexadecimal("digest"))
  }
}
