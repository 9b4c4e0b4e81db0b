// SPDX-License-Identifier: Apache-2.0
// The tests that SHA-384 and SHA-512 share, and the messages of sha512-messages.txt.

@testable internal import SecureHashing
internal import TestSupport
internal import Testing

/// Beginnings of a generated message, and what hashlib computed of each.
struct SHA512Ladder<Function: HashFunction> {
  let vector: VectorRecord
  let whole: [UInt8]

  /// Of 0 to 300 bytes.
  let digests: [String]
  let large: [(Int, String)]

  init() throws {
    vector = try VectorTable(named: "sha512-messages.txt").record(
      named: "\(Function.self), every length")
    digests = try vector.texts("digest")
    try #require(digests.count == 301)
    let lengths = try vector.texts("large").map { try #require(Int($0)) }
    large = try Array(zip(lengths, vector.texts("large digest")))
    var generator = try Xorshift64(seed: vector.seed)
    whole = generator.bytes(lengths.last ?? 0)
  }
}

extension SHA512Tests {
  func expectChain<Function: HashFunction>(_ function: Function.Type) throws {
    let vector = try VectorTable(named: "cavp-sha512.txt").record(
      named: "\(function), Monte Carlo")
    let expected = try vector.texts("digest")
    try #require(expected.count == 100)
    // SHAVS, 6.4: each output is the seed of the next 1,000 hashes of the last three digests.
    var seed = try vector.hexadecimal("seed")
    for (count, digest) in expected.enumerated() {
      var lastThree = [seed, seed, seed]
      for _ in 0..<1_000 {
        let next = Function.hash(data: lastThree[0] + lastThree[1] + lastThree[2])
        lastThree = [lastThree[1], lastThree[2], Array(next)]
      }
      seed = lastThree[2]
      try #require(Hexadecimal.encode(seed) == digest, "COUNT = \(count)")
    }
  }

  func expectCode<Function: HashFunction>(
    _ function: Function.Type, _ key: [UInt8], _ message: [UInt8], _ code: String
  ) throws {
    let key = SymmetricKey(data: key)
    let prepared = HMAC<Function>.PreparedKey(key)
    #expect(
      HMAC<Function>.authenticationCode(for: message, using: key).hexString == code)
    #expect(
      HMAC<Function>.authenticationCode(for: message, using: prepared).hexString == code)
    var computation = HMAC<Function>(key: key)
    for byte in message { computation.update(data: [byte]) }
    #expect(computation.finalize().hexString == code)
    let bytes = try Hexadecimal.decode(code)
    #expect(
      HMAC<Function>.isValidAuthenticationCode(bytes, authenticating: message, using: key))
    #expect(
      !HMAC<Function>.isValidAuthenticationCode(
        bytes.dropLast() + [bytes[bytes.count - 1] ^ 1], authenticating: message, using: key))
  }

  func expectKeySizes<Function: HashFunction>(_ function: Function.Type) throws {
    let ladder = try SHA512Ladder<Function>()
    let sizes = try ladder.vector.texts("key size").map { try #require(Int($0)) }
    for (size, code) in zip(sizes, try ladder.vector.texts("code")) {
      let (key, message) = (ladder.whole[..<size], ladder.whole[size..<3 * size])
      try expectCode(function, Array(key), Array(message), code)
    }
  }

  func expectEveryLength<Function: HashFunction>(_ function: Function.Type) throws {
    let ladder = try SHA512Ladder<Function>()
    let pages = try #require(GuardedPages())
    var wrong: Set<Int> = []
    for (length, digest) in ladder.digests.enumerated() {
      // Safety: the bytes lie in the page.
      unsafe pages.forEachPlace(of: Array(ladder.whole[..<length]), distances: 0...63) { bytes in
        let computed = unsafe Function.hash(bufferPointer: bytes)
        if Hexadecimal.encode(computed) != digest { wrong.insert(length) }
      }
    }
    #expect(wrong == [], "\(function)")
  }

  func expectManyLengths<Function: HashFunction>(_ function: Function.Type) throws {
    let ladder = try SHA512Ladder<Function>()
    var generator = Xorshift64(seed: 0x5EED)
    let expected = try ladder.vector.text("sha256 of the digests of 0 to 2200 bytes")
    for largest: UInt64 in [2_201, 1_000, 150] {
      var accumulated = SHA256()
      for length in 0...2_200 {
        var computation = Function()
        var position = 0
        while position < length {
          let end = min(
            largest > 2_200 ? length : position + generator.size(upTo: largest), length)
          computation.update(data: ladder.whole[position..<end])
          position = end
        }
        accumulated.update(data: computation.finalize())
      }
      #expect(accumulated.finalize().hexString == expected, "up to \(largest) at once")
    }
  }

  func expectLarge<Function: HashFunction>(_ function: Function.Type) throws {
    let ladder = try SHA512Ladder<Function>()
    var generator = Xorshift64(seed: 0xBADC_0FFE)
    for (length, digest) in ladder.large {
      #expect(Hexadecimal.encode(Function.hash(data: ladder.whole[..<length])) == digest)
      for largest: UInt64 in [70, 40_000] {
        var computation = Function()
        var position = 0
        while position < length {
          let end = min(position + generator.size(upTo: largest), length)
          computation.update(data: ladder.whole[position..<end])
          position = end
        }
        #expect(Hexadecimal.encode(computation.finalize()) == digest, "\(length) bytes")
      }
    }
  }

  func expectCuts<Function: HashFunction>(_ function: Function.Type) throws {
    let ladder = try SHA512Ladder<Function>()
    for length in [111, 112, 127, 128, 129, 239, 240, 255, 256, 257, 300] {
      for cut in 0...length {
        var beginning = Function()
        beginning.update(data: ladder.whole[..<cut])
        var copy = beginning
        let before = beginning.finalize()
        copy.update(data: ladder.whole[cut..<length])
        try #require(
          Hexadecimal.encode(copy.finalize()) == ladder.digests[length], "\(length) cut at \(cut)")
        try #require(beginning.finalize() == before)
      }
    }
  }

  /// Every length, at every offset, by the computation with a certain implementation; and cut in two.
  func expectDigests(by implementation: SHA512Implementation) throws {
    let ladder = try SHA512Ladder<SHA512>()
    let pages = try #require(GuardedPages())
    let initial = SHA512Computation.initialStateOfSHA512
    let empty = SHA512Computation(initial, implementation: implementation)
    var accumulated = SHA256()
    for length in 0...2_200 {
      var computation = empty
      // Safety: the bytes lie in the page.
      let message = Array(ladder.whole[..<length])
      unsafe computation.update(pages.place(message, beforeEnd: length % 3))
      let digest = SHA512.Digest(storage: computation.finish())
      if length <= 300 { #expect(digest.hexString == ladder.digests[length], "\(length) bytes") }
      accumulated.update(data: digest)
      // Five blocks: four in one step, and one alone.
      for cut in [1, 128, 512, 640] where cut <= length {
        var parts = empty
        unsafe parts.update(pages.place(Array(message[..<cut]), afterStart: 0))
        unsafe parts.update(pages.place(Array(message[cut...]), beforeEnd: 0))
        try #require(SHA512.Digest(storage: parts.finish()) == digest, "\(length) cut at \(cut)")
      }
    }
    let expected = try ladder.vector.text("sha256 of the digests of 0 to 2200 bytes")
    #expect(accumulated.finalize().hexString == expected)
  }

  /// Bytes as big-endian words of 64 bits.
  func words(_ bytes: [UInt8]) -> [UInt64] {
    stride(from: 0, to: bytes.count, by: 8).map { start in
      bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
  }
}
