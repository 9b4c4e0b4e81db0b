// SPDX-License-Identifier: Apache-2.0
// Many messages in one call have the same digests as each alone, for any number and length.

@testable internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Batches of messages")
struct BatchTests {
  typealias Code = HMAC<SHA256>

  @Test(
    "Generated batches of 0 to 40 messages: the digests and codes of hashlib and hmac",
    arguments: SHA256.Implementation.runnable)
  func generatedBatches(_ implementation: SHA256.Implementation) throws {
    let name = sampleSize(0, of: 1) == 1 ? "many batches" : "batches"
    let vector = try VectorTable(named: "accumulated-digests.txt").record(named: name)
    let expectedCount = try vector.integer("count")
    var generator = try Xorshift64(seed: vector.seed)
    let pool = generator.bytes(4096)
    var accumulated = SHA256(implementation: .portable)
    var count = 0
    while count < expectedCount {
      let slices = (0..<generator.size(upTo: 40)).map { _ in Self.slice(&generator) }
      let keyed = slices.map { slice in
        let key = SymmetricKey(data: pool[slice.lowerBound - 32..<slice.lowerBound])
        return (
          message: pool[slice], key: Code.PreparedKey(key, implementation: implementation)
        )
      }
      let digests = SHA256.hashBatch(keyed.map(\.message), implementation: implementation)
      let codes = Code.authenticationCodeBatch(for: keyed)
      for (digest, code) in zip(digests, codes) {
        accumulated.update(data: digest)
        accumulated.update(data: code)
      }
      count += 2 * slices.count
    }
    #expect(try Array(accumulated.finalize()) == vector.hexadecimal("digest"))
  }

  /// As Tests/Vectors/accumulated-digests.py draws it.
  static func slice(_ generator: inout Xorshift64) -> Range<Int> {
    let draw = generator.next()
    let length = Int(draw % (generator.next() % 8 == 0 ? 2001 : 201))
    let start = 32 + generator.size(upTo: UInt64(4096 - 32 - length))
    return start..<start + length
  }

  @Test(
    "Up to 20 messages, each at the end of a page between two unreadable ones",
    arguments: SHA256.Implementation.runnable)
  func pages(_ implementation: SHA256.Implementation) throws {
    let ladder = try MessageLadder.left()
    let key = Code.PreparedKey(MessageLadder.key, implementation: implementation)
    let pages = try (0..<20).map { _ in try #require(GuardedPages()) }
    var wrong: [String] = []
    for count in 0...20 {
      for shortest in [0, 55, 56, 63, 64, 100, 119, 120, 127, 128, 190, 256, 280] {
        for step in [0, 1] {
          let lengths = (0..<count).map { shortest + step * $0 }
          for isAtEnd in [true, false] {
            // Safety: the bytes lie in their pages.
            let messages = unsafe zip(lengths, pages).map { length, pages in
              let message = ladder.messages[length]
              return unsafe isAtEnd
                ? pages.place(message, beforeEnd: 0) : pages.place(message, afterStart: 0)
            }
            let digests = unsafe SHA256.hashBatch(messages, implementation: implementation)
            let codes = unsafe Code.authenticationCodeBatch(for: messages, using: key)
            if digests != lengths.map({ ladder.digests[$0] })
              || codes != lengths.map({ ladder.codes[$0] })
            {
              wrong.append("\(count) messages from \(shortest) bytes on")
            }
          }
        }
      }
    }
    #expect(wrong == [])
  }

  @Test("The calls without an implementation have the same result")
  func publicForms() throws {
    let ladder = try MessageLadder.right()
    #expect(SHA256.hashBatch(ladder.messages) == ladder.digests)
    let key = Code.PreparedKey(MessageLadder.key)
    #expect(Code.authenticationCodeBatch(for: ladder.messages, using: key) == ladder.codes)
    #expect(SHA256.hashBatch([[UInt8]]()) == [])
    #expect(Code.authenticationCodeBatch(for: [[UInt8]](), using: key) == [])
  }

  @Test(
    "Messages that aren't contiguous are copied first",
    arguments: SHA256.Implementation.runnable)
  func piecemeal(_ implementation: SHA256.Implementation) throws {
    let ladder = try MessageLadder.left()
    let messages = ladder.messages.map { $0.reversed().lazy.map { $0 }.reversed() }
    #expect(SHA256.hashBatch(messages, implementation: implementation) == ladder.digests)
  }

  @Test(
    "Keys in the middle of a block are computed alone, among others that aren't",
    arguments: SHA256.Implementation.runnable)
  func keysWithBytes(_ implementation: SHA256.Implementation) throws {
    let ladder = try MessageLadder.left()
    let items = ladder.messages.enumerated().map { length, message in
      var start = Code(key: MessageLadder.key, implementation: implementation)
      let cut = length % 3 == 0 ? length / 2 : 0
      start.update(data: message[..<cut])
      return (message: message[cut...], key: Code.PreparedKey(continuing: start))
    }
    #expect(Code.authenticationCodeBatch(for: items) == ladder.codes)
  }

  @Test("Keys that are created during iteration, and not stored elsewhere")
  func temporaryKeys() throws {
    let ladder = try MessageLadder.left()
    let items = ladder.messages.lazy.map { message in
      (message: message, key: Code.PreparedKey(MessageLadder.key))
    }
    #expect(Code.authenticationCodeBatch(for: items) == ladder.codes)
  }

  @Test("The preferred batch size is a multiple of the lanes")
  func counts() {
    let current = SHA256.Implementation.current
    #expect(SHA256.preferredBatchCount == 4 * current.laneCount)
    for implementation in SHA256.Implementation.available {
      #expect([1, 2, 4, 8, 16].contains(implementation.laneCount))
    }
    #expect(SHA256.Implementation.portable.laneCount == 1)
  }
}
