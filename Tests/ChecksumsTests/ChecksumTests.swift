// SPDX-License-Identifier: Apache-2.0
// CRC-32, CRC-32C and CRC-64/NVME against zlib, plain polynomials and the published check values.

@testable internal import Checksums
internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Cyclic redundancy checks")
struct ChecksumTests {
  @Test("The check value of each is the published one", arguments: CRCImplementation.available)
  func checkValues(_ implementation: CRCImplementation) {
    let message = "123456789".utf8
    // The check value of ISO 3309's polynomial, and those of CRC-32C and of the NVM Command Set
    // Specification, 5.2.1.3.4, as the catalogues of checks list them.
    #expect(CRC32.hexadecimal(of: message, by: implementation) == "cbf43926")
    #expect(CRC32C.hexadecimal(of: message, by: implementation) == "e3069283")
    #expect(CRC64NVME.hexadecimal(of: message, by: implementation) == "ae8b14860a799888")
    // RFC 3720, appendix B.4, where the lowest byte comes first.
    let (zeros, ones) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0xFF, count: 32))
    #expect(CRC32C.hexadecimal(of: zeros, by: implementation) == "8a9136aa")
    #expect(CRC32C.hexadecimal(of: ones, by: implementation) == "62a8ab43")
    #expect(CRC32C.hexadecimal(of: 0...31 as ClosedRange<UInt8>, by: implementation) == "46dd794e")
  }

  @Test(
    "A message has the checksums, in bytes and in base64, that Python computes",
    arguments: try VectorTable(named: "checksums.txt").records.filter {
      try $0.optionalText("repeated") != nil
    })
  func messages(_ vector: VectorRecord) throws {
    let count = try vector.integer("repeated")
    let message = try Array(repeatElement(vector.bytes("text"), count: count).joined())
    try expect(CRC32.self, of: message, in: vector)
    try expect(CRC32C.self, of: message, in: vector)
    try expect(CRC64NVME.self, of: message, in: vector)
  }

  @Test(
    "Every length of 0 to 780 bytes, at every offset of 0 to 63 from a forbidden page on either side",
    arguments: CRCImplementation.available)
  func everyLength(_ implementation: CRCImplementation) throws {
    try expectEveryLength(CRC32(implementation: implementation))
    try expectEveryLength(CRC32C(implementation: implementation))
    try expectEveryLength(CRC64NVME(implementation: implementation))
  }

  @Test(
    "Large messages, whole and in random portions", arguments: CRCImplementation.available)
  func large(_ implementation: CRCImplementation) throws {
    try expectPortions(CRC32(implementation: implementation))
    try expectPortions(CRC32C(implementation: implementation))
    try expectPortions(CRC64NVME(implementation: implementation))
  }

  @Test(
    "A message cut in two anywhere has the checksum of the whole, also when copied or read there",
    arguments: CRCImplementation.available)
  func copies(_ implementation: CRCImplementation) throws {
    try expectCuts(CRC32(implementation: implementation))
    try expectCuts(CRC32C(implementation: implementation))
    try expectCuts(CRC64NVME(implementation: implementation))
  }

  @Test("Every kind of input has the same checksum", arguments: [0, 1, 7, 255, 256, 257, 1_000])
  func kindsOfInput(_ length: Int) throws {
    try expectKinds(CRC32.self, length)
    try expectKinds(CRC32C.self, length)
    try expectKinds(CRC64NVME.self, length)
  }

  // MARK: - Helpers

  func expect<Check: CyclicRedundancyCheck>(
    _ check: Check.Type, of message: [UInt8], in vector: VectorRecord
  ) throws {
    let checksum = try Check.checksum(Check.tableName, in: vector)
    #expect(Check.checksum(of: message) == checksum)
    #expect(try Check.bigEndianBytes(of: checksum) == vector.hexadecimal(Check.tableName))
    #expect(try Check.base64(of: checksum) == vector.text(Check.tableName + " in base64"))
    for implementation in CRCImplementation.available {
      let digits = Check.hexadecimal(of: message, by: implementation)
      #expect(try digits == vector.text(Check.tableName), "\(implementation)")
    }
  }

  func expectEveryLength<Check: CyclicRedundancyCheck>(_ empty: Check) throws {
    let ladder = try ChecksumLadder(Check.tableName, "every length")
    let pages = try #require(GuardedPages())
    try #require(ladder.messages.map(\.count) == Array(0...780))
    var wrong: [Int] = []
    for (message, digest) in zip(ladder.messages, ladder.digests) {
      // Safety: the bytes lie in the page.
      unsafe pages.forEachPlace(of: message, distances: 0...63) { bytes in
        var check = empty
        unsafe check.update(bufferPointer: bytes)
        if check.hexString != digest { wrong.append(message.count) }
      }
    }
    #expect(wrong == [], "\(Check.tableName)")
  }

  func expectPortions<Check: CyclicRedundancyCheck>(_ empty: Check) throws {
    let ladder = try ChecksumLadder(Check.tableName, "large")
    var generator = Xorshift64(seed: 0xBADC_0FFE)
    for (message, digest) in zip(ladder.messages, ladder.digests) {
      var whole = empty
      whole.update(data: message)
      #expect(whole.hexString == digest, "\(Check.tableName), \(message.count) bytes")
      for largest: UInt64 in [3, 70, 1_500, 40_000] {
        var check = empty
        var rest = message[...]
        while !rest.isEmpty {
          let portion = rest.prefix(generator.size(upTo: largest))
          check.update(data: portion)
          rest = rest.dropFirst(portion.count)
        }
        #expect(check.hexString == digest, "\(message.count) bytes, up to \(largest) at once")
      }
    }
  }

  func expectCuts<Check: CyclicRedundancyCheck>(_ empty: Check) throws {
    let ladder = try ChecksumLadder(Check.tableName, "every length")
    for (message, digest) in zip(ladder.messages, ladder.digests).dropFirst(770) {
      for cut in 0...message.count {
        var beginning = empty
        beginning.update(data: message[..<cut])
        var copy = beginning
        copy.update(data: message[cut...])
        let before = beginning.finalize()
        beginning.update(data: [UInt8]())
        try #require(copy.hexString == digest, "\(message.count) bytes cut at \(cut)")
        try #require(beginning.finalize() == before)
        let second = message.count - cut
        var end = empty
        end.update(data: message[cut...])
        let combined = Check.combine(before, end.finalize(), secondByteCount: UInt64(second))
        try #require(combined == copy.finalize(), "\(message.count) bytes combined at \(cut)")
      }
    }
  }

  func expectKinds<Check: CyclicRedundancyCheck>(
    _ check: Check.Type, _ length: Int
  ) throws {
    var generator = Xorshift64(seed: 0x0DD_B17E5)
    let bytes = generator.bytes(length)
    let expected = Check.checksum(of: bytes)
    #expect(Check.checksum(of: bytes[...]) == expected)
    #expect(Check.checksum(of: Pieces(bytes, each: 7)) == expected)
    #expect(Check.checksum(of: Pieces(bytes, each: 300)) == expected)
    #expect(Check.checksum(of: bytes.lazy.map { $0 }) == expected)
    // Safety: the buffer is used only inside the closure.
    unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe #expect(Check.checksum(of: buffer) == expected)
      unsafe #expect(Check.checksum(of: UnsafeRawBufferPointer(buffer)) == expected)
      unsafe #expect(Check.checksum(of: buffer.span) == expected)
      var check = Check()
      unsafe check.update(data: buffer.span)
      unsafe check.update(bufferPointer: UnsafeRawBufferPointer(start: nil, count: 0))
      #expect(check.finalize() == expected)
    }
  }
}
