// SPDX-License-Identifier: Apache-2.0
// SHA-256 against the vectors of NIST's validation program, on every implementation there is.

@testable internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("SHA-256 vectors")
struct SHA256VectorTests {
  @Test(
    "A short message of the NIST CAVP has the published digest",
    arguments: SHA256.Implementation.available,
    try VectorTable(named: "cavp-sha256-short.txt").records)
  func shortMessage(_ implementation: SHA256.Implementation, _ vector: VectorRecord) throws {
    try expectDigest(of: vector, by: implementation)
  }

  @Test(
    "A long message of the NIST CAVP has the published digest",
    arguments: SHA256.Implementation.available,
    try VectorTable(named: "cavp-sha256-long.txt").records)
  func longMessage(_ implementation: SHA256.Implementation, _ vector: VectorRecord) throws {
    try expectDigest(of: vector, by: implementation)
  }

  @Test(
    "The Monte Carlo chain of the NIST CAVP has its 100 published digests",
    arguments: SHA256.Implementation.available)
  func monteCarlo(_ implementation: SHA256.Implementation) throws {
    let vector = try VectorTable(named: "cavp-sha256-monte.txt").record(named: "Monte Carlo")
    let expected = try vector.texts("digest")
    try #require(expected.count == 100)

    // SHAVS, 6.4: each output is the seed of the next 1,000 hashes of the last three digests.
    var seed = try vector.hexadecimal("seed")
    for (count, digest) in expected.enumerated() {
      var lastThree = [seed, seed, seed]
      for _ in 0..<1_000 {
        let next = SHA256.hash(lastThree[0] + lastThree[1] + lastThree[2], by: implementation)
        lastThree = [lastThree[1], lastThree[2], Array(next)]
      }
      seed = lastThree[2]
      try #require(SHA256.Digest(bytes: seed)?.hexString == digest, "COUNT = \(count)")
    }
  }

  @Test("The self-tests that users can run at start pass")
  func selfTest() {
    #expect(SHA256.selfTest())
  }

  @Test("The sizes match FIPS 180-4: digests of 32 bytes, blocks of 64")
  func sizes() {
    #expect(SHA256.byteCount == 32)
    #expect(SHA256.Digest.byteCount == 32)
    #expect(SHA256.blockByteCount == 64)
  }

  /// The digest through the public functions, and through the compression functions alone.
  func expectDigest(
    of vector: VectorRecord, by implementation: SHA256.Implementation
  ) throws {
    let message = try vector.hexadecimal("message")
    let expected = try vector.hexadecimal("digest")
    #expect(Array(SHA256.hash(data: message)) == expected)
    #expect(Array(SHA256.hash(message, by: implementation)) == expected)
    let empty = SHA256(implementation: implementation)
    let pair = SHA256.finalizePair(empty, appending: message, empty, appending: message)
    #expect(Array(pair.0) == expected && Array(pair.1) == expected)
    #expect(compressed(message, by: implementation) == [expected, expected, expected])
  }

  /// Three times the digest: of one message alone, and of a pair.
  ///
  /// Padding by the test itself, so that the compression functions are tested without the rest.
  func compressed(_ message: [UInt8], by implementation: SHA256.Implementation) -> [[UInt8]] {
    let initial = SHA256.initialState
    let start = [
      initial.0, initial.1, initial.2, initial.3, initial.4, initial.5, initial.6, initial.7,
    ]
    var (alone, left, right) = (start, start, start)
    var padded = message + [0x80]
    while padded.count % 64 != 56 { padded.append(0) }
    padded += bigEndianBytes(UInt64(message.count * 8))
    // Safety: there are eight words, and padded.count is a multiple of 64.
    unsafe padded.withUnsafeBytes { blocks in
      guard let start = blocks.baseAddress else { return }
      for count in [0, blocks.count / 64] {
        unsafe implementation.compress(&alone, start, count)
        unsafe implementation.compressPair(&left, start, &right, start, count)
      }
    }
    return [alone, left, right].map { $0.flatMap(bigEndianBytes) }
  }

  func bigEndianBytes<Word: FixedWidthInteger>(_ word: Word) -> [UInt8] {
    stride(from: Word.bitWidth - 8, through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: word >> $0)
    }
  }
}
