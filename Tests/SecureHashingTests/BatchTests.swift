// SPDX-License-Identifier: Apache-2.0
// Lists of messages: the digests and codes that Python computes, each in its place.

internal import Foundation
@testable internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Batches of messages")
struct BatchTests {
  @Test(
    "Each message of a batch has the digest and the code that Python computes, in order",
    arguments: SHA256.Implementation.available, try VectorTable(named: "batches.txt").records)
  func batch(_ implementation: SHA256.Implementation, _ vector: VectorRecord) throws {
    let batch = try BatchVector(vector)
    expect(batch, of: batch.messages, by: implementation)
    expect(batch, of: batch.messages.map { Data($0) }, by: implementation)
    expect(batch, of: batch.messages.map { ([1] + $0 + [2])[1..<$0.count + 1] }, by: implementation)
    expect(batch, of: batch.messages.map { ContiguousArray($0) }, by: implementation)
    expect(batch, of: batch.messages.map { Pieces($0, each: 1_000) }, by: implementation)
    let mixed = batch.messages.enumerated().map { MaybeContiguous($1, $0 % 3 != 1) }
    expect(batch, of: mixed, by: implementation)
  }

  @Test(
    "Text of a batch has the digests and codes of its UTF-8 bytes",
    arguments: SHA256.Implementation.available,
    try VectorTable(named: "batches.txt").records.filter { try $0.integer("mask") == 0x7F })
  func text(_ implementation: SHA256.Implementation, _ vector: VectorRecord) throws {
    let batch = try BatchVector(vector)
    let texts = batch.messages.map { String(decoding: $0, as: UTF8.self) }
    try #require(texts.contains { $0.utf8.count > 1_000 || $0.utf8.count == 130 })
    expect(batch, of: texts.map(\.utf8), by: implementation)
    expect(batch, of: texts.map { ("-" + $0).dropFirst().utf8 }, by: implementation)
  }

  @Test(
    "A batch of one buffer many times over has its digest many times",
    arguments: SHA256.Implementation.available)
  func sameBuffer(_ implementation: SHA256.Implementation) throws {
    let left = try MessageLadder.left()
    for length in [0, 64, 130, 300] {
      let messages = Array(repeating: left.messages[length], count: 7)
      let digests = SHA256.finalizeBatch(
        SHA256(implementation: implementation), appending: messages, outer: nil)
      #expect(digests == Array(repeating: left.digests[length], count: 7))
    }
  }

  @Test(
    "Batches of generated lengths give what each message gives alone",
    arguments: SHA256.Implementation.available)
  func generated(_ implementation: SHA256.Implementation) throws {
    let (left, right) = try (MessageLadder.left(), MessageLadder.right())
    let key = HMAC<SHA256>.PreparedKey(MessageLadder.key, implementation: implementation)
    var generator = Xorshift64(seed: 0xBA7C4)
    for _ in 0..<300 {
      let choices = (0..<generator.size(upTo: 12)).map { _ in
        (ladder: generator.size(upTo: 1) == 0 ? left : right, length: generator.size(upTo: 300))
      }
      let messages = choices.map { $0.ladder.messages[$0.length] }
      let digests = SHA256.finalizeBatch(
        SHA256(implementation: implementation), appending: messages, outer: nil)
      try #require(digests == choices.map { $0.ladder.digests[$0.length] })
      let codes = HMAC<SHA256>.authenticationCodeBatch(for: messages, using: key)
      try #require(codes == choices.map { $0.ladder.codes[$0.length] })
    }
  }

  func expect<Message: Collection<UInt8>>(
    _ batch: BatchVector, of messages: [Message], by implementation: SHA256.Implementation,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let empty = SHA256(implementation: implementation)
    let digests = SHA256.finalizeBatch(empty, appending: messages, outer: nil)
    #expect(digests.map(\.hexadecimal) == batch.digests, sourceLocation: sourceLocation)
    let key = HMAC<SHA256>.PreparedKey(batch.key, implementation: implementation)
    let codes = HMAC<SHA256>.authenticationCodeBatch(for: messages, using: key)
    #expect(codes.map(\.hexadecimal) == batch.codes, sourceLocation: sourceLocation)
    // The doors that take no implementation.
    #expect(SHA256.hashBatch(messages) == digests, sourceLocation: sourceLocation)
    let currentKey = HMAC<SHA256>.PreparedKey(batch.key)
    let current = HMAC<SHA256>.authenticationCodeBatch(for: messages, using: currentKey)
    #expect(current == codes, sourceLocation: sourceLocation)
  }
}

/// A record of batches.txt, with the inputs that its seed stands for.
struct BatchVector {
  let key: SymmetricKey
  let messages: [[UInt8]]
  let digests: [String]
  let codes: [String]

  init(_ vector: VectorRecord) throws {
    var generator = try Xorshift64(seed: vector.seed)
    let mask = try UInt8(vector.integer("mask"))
    key = SymmetricKey(data: generator.bytes(32))
    var messages: [[UInt8]] = []
    for length in try vector.texts("length") {
      messages.append(generator.bytes(try #require(Int(length))).map { $0 & mask })
    }
    self.messages = messages
    digests = try vector.texts("digest")
    codes = try vector.texts("code")
    try #require(digests.count == messages.count && codes.count == messages.count)
  }
}
