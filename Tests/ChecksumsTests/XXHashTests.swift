// SPDX-License-Identifier: Apache-2.0
// XXH64 and XXH3 of 64 and of 128 bits against the package xxhash and the published values.

@testable internal import Checksums
internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("XXH64 and XXH3")
struct XXHashTests {
  @Test(
    "The published values, whole and byte by byte",
    arguments: try VectorTable(named: "xxhash-checksums.txt").records.filter {
      try $0.optionalText("function") != nil
    })
  func published(_ vector: VectorRecord) throws {
    let (message, digest) = try (vector.hexadecimal("message"), vector.text("digest"))
    let function = try vector.text("function")
    for computation in XXHashComputation.all where computation.name == function {
      #expect(computation.digest(of: message) == digest, "\(computation)")
      #expect(computation.digest(of: message, portion: 1) == digest, "\(computation)")
    }
  }

  @Test(
    "Every length of 0 to 300 bytes, at every offset of 0 to 63 from a forbidden page on either side",
    arguments: XXHashComputation.all)
  func everyLength(_ computation: XXHashComputation) throws {
    let ladder = try XXHashLadder(computation.name)
    let pages = try #require(GuardedPages())
    try #require(ladder.digests.count == 301)
    var wrong: Set<Int> = []
    for (length, digest) in ladder.digests.enumerated() {
      // Safety: the bytes lie in the page.
      unsafe pages.forEachPlace(of: Array(ladder.whole[..<length]), distances: 0...63) { bytes in
        if unsafe computation.whole(bytes) != digest { wrong.insert(length) }
        if unsafe computation.digest(of: bytes, portions: [length]) != digest {
          wrong.insert(length)
        }
      }
    }
    #expect(wrong == [])
  }

  @Test(
    "Every length of 0 to 3,000 bytes, whole and in portions", arguments: XXHashComputation.all)
  func toThreeThousand(_ computation: XXHashComputation) throws {
    let ladder = try XXHashLadder(computation.name)
    var generator = Xorshift64(seed: 0x5EED_0F_C075)
    let sizes: [UInt64] = [65, 257, 1_100]
    var (whole, hashes) = (SHA256(), [SHA256](repeating: SHA256(), count: sizes.count))
    for length in 0...3_000 {
      let message = ladder.whole[..<length]
      try whole.update(data: Hexadecimal.decode(computation.digest(of: message)))
      for (index, largest) in sizes.enumerated() {
        let digest = computation.digest(of: message, inPortionsUpTo: largest, &generator)
        try hashes[index].update(data: Hexadecimal.decode(digest))
      }
    }
    #expect(whole.finalize().hexString == ladder.accumulated)
    for (hash, largest) in zip(hashes, sizes) {
      #expect(hash.finalize().hexString == ladder.accumulated, "up to \(largest) at once")
    }
  }

  @Test("Large messages, whole and in random portions", arguments: XXHashComputation.all)
  func large(_ computation: XXHashComputation) throws {
    let ladder = try XXHashLadder(computation.name)
    var generator = Xorshift64(seed: 0xBADC_0FFE)
    for (length, digest) in ladder.large {
      let message = ladder.whole[..<length]
      #expect(computation.digest(of: message) == digest, "\(length) bytes")
      for largest: UInt64 in [70, 1_500, 40_000] {
        let found = computation.digest(of: message, inPortionsUpTo: largest, &generator)
        #expect(found == digest, "\(length) bytes, up to \(largest) at once")
      }
    }
  }

  @Test(
    "A message cut in two anywhere has the checksum of the whole, also when copied or read there",
    arguments: XXHashComputation.all)
  func cuts(_ computation: XXHashComputation) throws {
    let ladder = try XXHashLadder(computation.name)
    for length in [240, 241, 255, 256, 257, 320, 1_024, 1_025, 1_290] {
      let message = ladder.whole[..<length]
      let digest = computation.digest(of: message)
      for cut in 0...length {
        unsafe message.withUnsafeBytes { bytes in
          let found = unsafe computation.digest(of: bytes, portions: [cut, length], reading: true)
          #expect(found == digest, "\(length) bytes cut at \(cut)")
        }
      }
    }
  }

  @Test("Every kind of input has the same checksum", arguments: [0, 1, 7, 255, 256, 257, 1_000])
  func kindsOfInput(_ length: Int) throws {
    try expectKinds(XXHash64Checksum.self, length)
    try expectKinds(XXHash3Checksum.self, length)
    try expectKinds(XXHash128Checksum.self, length)
  }

  @Test("Checksums are big-endian bytes and base64, as S3 writes them")
  func base64() {
    // Of the empty message, as above; base64 by Python.
    #expect(XXHash64Checksum.base64(of: XXHash64Checksum.checksum(of: [])) == "70bbN1HY6Zk=")
    #expect(XXHash3Checksum.base64(of: XXHash3Checksum.checksum(of: [])) == "LQaABTjTlMI=")
    let wide = XXHash128Checksum.checksum(of: [])
    #expect(XXHash128Checksum.base64(of: wide) == "maoG0wFHmNhgAcMkRo1Jfw==")
    #expect((wide.high, wide.low) == (0x99aa_06d3_0147_98d8, 0x6001_c324_468d_497f))
  }

  @Test("The description of a computation is its name, and the implementations have names")
  func descriptions() {
    #expect("\(XXHash64Checksum())" == "XXH64 computation")
    #expect("\(XXHash3Checksum())" == "XXH3 computation")
    #expect("\(XXHash128Checksum())" == "XXH3 computation")
    let implementations = XXHash3Implementation.available
    #expect(implementations.first == .current)
    #expect(implementations.contains(.portable))
    #expect(Set(implementations.map(\.name)).count == implementations.count)
    #expect(implementations.map(\.description) == implementations.map(\.name))
  }

  func expectKinds<Check: ChecksumFunction>(_ check: Check.Type, _ length: Int) throws {
    var generator = Xorshift64(seed: 0x0DD_B17E5)
    let bytes = generator.bytes(length)
    let expected = Check.checksum(of: bytes)
    #expect(Check.checksum(of: bytes[...]) == expected)
    #expect(Check.checksum(of: Pieces(bytes, each: 7)) == expected)
    #expect(Check.checksum(of: Pieces(bytes, each: 300)) == expected)
    #expect(Check.checksum(of: bytes.lazy.map { $0 }) == expected)
    // Safety: the buffer is used only inside the closure.
    unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe #expect(Check.checksum(of: buffer.span) == expected)
      unsafe #expect(Check.checksum(bufferPointer: UnsafeRawBufferPointer(buffer)) == expected)
      var check = Check()
      unsafe check.update(data: buffer.span)
      unsafe check.update(bufferPointer: UnsafeRawBufferPointer(start: nil, count: 0))
      #expect(check.finalize() == expected)
      let none = Check.checksum(of: [])
      unsafe #expect(
        Check.checksum(bufferPointer: UnsafeRawBufferPointer(start: nil, count: 0)) == none)
    }
  }
}
