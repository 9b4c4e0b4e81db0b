// SPDX-License-Identifier: Apache-2.0
// SHA-256 against the vectors of NIST's validation program, on every implementation there is.

@testable internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("SHA-256 vectors")
struct SHA256VectorTests {
  @Test(
    "A short message of the NIST CAVP has the published digest",
    arguments: try VectorTable(named: "cavp-sha256-short.txt").records)
  func shortMessage(_ vector: VectorRecord) throws {
    try expectDigest(of: vector)
  }

  @Test(
    "A long message of the NIST CAVP has the published digest",
    arguments: try VectorTable(named: "cavp-sha256-long.txt").records)
  func longMessage(_ vector: VectorRecord) throws {
    try expectDigest(of: vector)
  }

  @Test("The Monte Carlo chain of the NIST CAVP has its 100 published digests")
  func monteCarlo() throws {
    let vector = try VectorTable(named: "cavp-sha256-monte.txt").record(named: "Monte Carlo")
    let expected = try vector.texts("digest")
    try #require(expected.count == 100)

    // SHAVS, 6.4: each output is the seed of the next 1,000 hashes of the last three digests.
    var seed = try vector.hexadecimal("seed")
    for (count, digest) in expected.enumerated() {
      var lastThree = [seed, seed, seed]
      for _ in 0..<1_000 {
        let next = SHA256.hash(data: lastThree[0] + lastThree[1] + lastThree[2])
        lastThree = [lastThree[1], lastThree[2], Array(next)]
      }
      seed = lastThree[2]
      try #require(SHA256.Digest(bytes: seed)?.hexadecimal == digest, "COUNT = \(count)")
    }
  }

  @Test("The known answers that users can run at start are given")
  func selfTest() {
    #expect(SHA256.selfTest())
  }

  @Test("The sizes are those of FIPS 180-4: digests of 32 bytes, blocks of 64")
  func sizes() {
    #expect(SHA256.byteCount == 32)
    #expect(SHA256.Digest.byteCount == 32)
    #expect(SHA256.blockByteCount == 64)
  }

  @Test("The implementation in use is one of those available, and each has a name")
  func implementations() {
    let names = SHA256.Implementation.available.map(\.name)
    #expect(names.contains(SHA256.Implementation.current.name))
    #expect(names.contains("portable"))
    #expect(Set(names).count == names.count)
  }

  /// The digest through the front door, and through each compression function alone.
  func expectDigest(of vector: VectorRecord) throws {
    let message = try vector.hexadecimal("message")
    let expected = try vector.hexadecimal("digest")
    #expect(Array(SHA256.hash(data: message)) == expected)
    for implementation in SHA256.Implementation.available {
      #expect(digest(of: message, by: implementation) == expected, "\(implementation.name)")
    }
  }

  /// Padding by the test itself, so that a compression function is tested without the rest.
  func digest(of message: [UInt8], by implementation: SHA256.Implementation) -> [UInt8] {
    let initial = SHA256.initialState
    var words = [
      initial.0, initial.1, initial.2, initial.3, initial.4, initial.5, initial.6, initial.7,
    ]
    var padded = message + [0x80]
    while padded.count % 64 != 56 { padded.append(0) }
    padded += bigEndianBytes(UInt64(message.count * 8))
    // Safety: there are eight words, and padded.count is a multiple of 64.
    unsafe words.withUnsafeMutableBufferPointer { words in
      unsafe padded.withUnsafeBytes { blocks in
        guard let state = words.baseAddress, let start = blocks.baseAddress else { return }
        unsafe implementation.compress(state, start, 0)
        unsafe implementation.compress(state, start, blocks.count / 64)
      }
    }
    return words.flatMap(bigEndianBytes)
  }

  func bigEndianBytes<Word: FixedWidthInteger>(_ word: Word) -> [UInt8] {
    stride(from: Word.bitWidth - 8, through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: word >> $0)
    }
  }
}
