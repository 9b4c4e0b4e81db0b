// SPDX-License-Identifier: Apache-2.0
// Two messages hashed in parallel have the same digests as alone, for all lengths and beginnings.

@testable internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Pairs of messages")
struct PairTests {
  static let fewLengths = [0, 1, 55, 56, 63, 64, 65, 119, 120, 127, 128, 129, 200]

  @Test(
    "Two messages of 0 to 130 bytes, in all combinations, have the same digests as each alone",
    arguments: SHA256.Implementation.available)
  func digests(_ implementation: SHA256.Implementation) throws {
    let (left, right) = try (MessageLadder.left(), MessageLadder.right())
    let empty = SHA256(implementation: implementation)
    var wrong: [String] = []
    for first in 0...130 {
      for second in 0...130 {
        let (digest, other) = SHA256.finalizePair(
          empty, appending: left.messages[first], empty, appending: right.messages[second])
        if digest != left.digests[first] || other != right.digests[second] {
          wrong.append("\(first) and \(second) bytes")
        }
      }
    }
    #expect(wrong == [])
  }

  @Test("The call without an implementation has the same result, in all combinations of lengths")
  func publicFunction() throws {
    let (left, right) = try (MessageLadder.left(), MessageLadder.right())
    var wrong: [String] = []
    for first in 0...130 {
      for second in 0...130 {
        let (digest, other) = SHA256.hashPair(left.messages[first], right.messages[second])
        if digest != left.digests[first] || other != right.digests[second] {
          wrong.append("\(first) and \(second) bytes")
        }
      }
    }
    #expect(wrong == [])
  }

  @Test(
    "Two messages of 0 to 130 bytes, in all combinations, have the same codes as each alone",
    arguments: SHA256.Implementation.available)
  func codes(_ implementation: SHA256.Implementation) throws {
    let (left, right) = try (MessageLadder.left(), MessageLadder.right())
    let key = HMAC<SHA256>.PreparedKey(MessageLadder.key, implementation: implementation)
    var wrong: [String] = []
    for first in 0...130 {
      for second in 0...130 {
        let (code, other) = HMAC<SHA256>.authenticationCodePair(
          for: left.messages[first], right.messages[second], using: key)
        if code != left.codes[first] || other != right.codes[second] {
          wrong.append("\(first) and \(second) bytes")
        }
      }
    }
    #expect(wrong == [])
  }

  @Test(
    "Long messages of unequal lengths have the same digests as each alone",
    arguments: SHA256.Implementation.available)
  func longMessages(_ implementation: SHA256.Implementation) throws {
    // The vectors check each message alone, with the same implementation.
    var generator = Xorshift64(seed: 0x1E47)
    let lengths = [0, 63, 64, 119, 120, 1_000, 4_096, 65_537, 300_000]
    let messages = lengths.map { generator.bytes($0) }
    let others = lengths.map { generator.bytes($0) }
    let key = HMAC<SHA256>.PreparedKey(MessageLadder.key, implementation: implementation)
    let empty = SHA256(implementation: implementation)
    for message in messages {
      for other in others {
        let digests = SHA256.finalizePair(empty, appending: message, empty, appending: other)
        try #require(digests.0 == empty.finalize(appending: message))
        try #require(digests.1 == empty.finalize(appending: other))
        let codes = HMAC<SHA256>.authenticationCodePair(for: message, other, using: key)
        try #require(codes.0 == HMAC(key: key).finalize(appending: message))
        try #require(codes.1 == HMAC(key: key).finalize(appending: other))
      }
    }
  }

  @Test(
    "Two computations end as each would alone, in any state and by any implementation",
    arguments: SHA256.Implementation.available, SHA256.Implementation.available)
  func beginnings(_ one: SHA256.Implementation, _ other: SHA256.Implementation) throws {
    let (left, right) = try (MessageLadder.left(), MessageLadder.right())
    var wrong: [String] = []
    for first in Self.fewLengths {
      for second in Self.fewLengths {
        for (firstCut, secondCut) in Self.cuts(first, second) {
          var (start, otherStart) = (SHA256(implementation: one), SHA256(implementation: other))
          let (message, otherMessage) = (left.messages[first], right.messages[second])
          start.update(data: message[..<firstCut])
          otherStart.update(data: otherMessage[..<secondCut])
          let digests = SHA256.finalizePair(
            start, appending: message[firstCut...], otherStart,
            appending: otherMessage[secondCut...])
          if digests.0 != left.digests[first] || digests.1 != right.digests[second] {
            wrong.append("\(first) bytes cut at \(firstCut), \(second) at \(secondCut)")
          }
        }
      }
    }
    #expect(wrong == [])
  }

  @Test(
    "The states of a pair are unchanged, and can be continued",
    arguments: SHA256.Implementation.available)
  func statesStay(_ implementation: SHA256.Implementation) throws {
    let (left, right) = try (MessageLadder.left(), MessageLadder.right())
    var (one, other) = (
      SHA256(implementation: implementation), SHA256(implementation: implementation)
    )
    one.update(data: left.messages[128].prefix(64))
    other.update(data: right.messages[300].prefix(128))
    for _ in 0..<2 {
      let digests = SHA256.finalizePair(
        one, appending: left.messages[128].dropFirst(64),
        other, appending: right.messages[300].dropFirst(128))
      #expect(digests.0 == left.digests[128] && digests.1 == right.digests[300])
    }
    one.update(data: left.messages[128].dropFirst(64))
    other.update(data: right.messages[300].dropFirst(128))
    #expect(one.finalize() == left.digests[128] && other.finalize() == right.digests[300])
  }

  @Test(
    "The same bytes twice, and bytes that overlap, are no trouble",
    arguments: SHA256.Implementation.available)
  func sameBuffer(_ implementation: SHA256.Implementation) throws {
    let left = try MessageLadder.left()
    let key = HMAC<SHA256>.PreparedKey(MessageLadder.key, implementation: implementation)
    let empty = SHA256(implementation: implementation)
    for length in 0...MessageLadder.longest {
      let message = left.messages[length]
      let digests = SHA256.finalizePair(empty, appending: message, empty, appending: message)
      #expect(digests.0 == left.digests[length] && digests.1 == left.digests[length])
      let codes = HMAC<SHA256>.authenticationCodePair(for: message, message, using: key)
      #expect(codes.0 == left.codes[length] && codes.1 == left.codes[length])
      let rest = message.dropFirst(length / 3)
      let overlapping = SHA256.finalizePair(empty, appending: message, empty, appending: rest)
      #expect(overlapping.0 == left.digests[length])
      #expect(overlapping.1 == SHA256.hash(Array(rest), by: .portable))
    }
  }

  @Test(
    "Either message may be of any kind of collection, and the two of different kinds",
    arguments: SHA256.Implementation.available, fewLengths)
  func kinds(_ implementation: SHA256.Implementation, _ length: Int) throws {
    let (left, right) = try (MessageLadder.left(), MessageLadder.right())
    let (message, other) = (left.messages[length], right.messages[300 - length])
    let empty = SHA256(implementation: implementation)
    func expectDigests(
      _ one: some Collection<UInt8>, _ two: some Collection<UInt8>,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      let pair = SHA256.finalizePair(empty, appending: one, empty, appending: two)
      #expect(pair.0 == left.digests[length], sourceLocation: sourceLocation)
      #expect(pair.1 == right.digests[300 - length], sourceLocation: sourceLocation)
      let front = SHA256.hashPair(one, two)
      #expect(front == pair, sourceLocation: sourceLocation)
    }
    expectDigests(message[...], ContiguousArray(other))
    expectDigests(Pieces(message, each: 7), other)
    expectDigests(message, Pieces(other, each: 7))
    expectDigests(Pieces(message, each: 70), Pieces(other, each: 300))
    expectDigests(MaybeContiguous(message, true), MaybeContiguous(other, false))
    // Safety: the buffers end before the arrays do.
    unsafe message.withUnsafeBytes { one in
      unsafe other.withUnsafeBytes { unsafe expectDigests(one, $0) }
    }
  }

  @Test(
    "Buffers without a base address are empty messages",
    arguments: SHA256.Implementation.available)
  func noBaseAddress(_ implementation: SHA256.Implementation) throws {
    let (left, right) = try (MessageLadder.left(), MessageLadder.right())
    let empty = SHA256(implementation: implementation)
    // Safety: a buffer without a base address holds nothing that could be read.
    let nothing = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    let digests = unsafe SHA256.finalizePair(empty, appending: nothing, empty, appending: nothing)
    #expect(digests.0 == left.digests[0] && digests.1 == left.digests[0])
    for length in Self.fewLengths {
      unsafe right.messages[length].withUnsafeBytes { bytes in
        let after = unsafe SHA256.finalizePair(empty, appending: nothing, empty, appending: bytes)
        #expect(after.0 == left.digests[0] && after.1 == right.digests[length])
        let before = unsafe SHA256.finalizePair(empty, appending: bytes, empty, appending: nothing)
        #expect(before.0 == right.digests[length] && before.1 == left.digests[0])
      }
    }
  }

  /// The cuts of two messages: at the ends of blocks and next to them, also in unlike pairs.
  static func cuts(_ first: Int, _ second: Int) -> [(Int, Int)] {
    let places = [(0, 64), (64, 64), (128, 64), (1, 0), (0, 1), (63, 65), (64, 127), (100, 64)]
    return places.map { (min($0, first), min($1, second)) }
  }
}
