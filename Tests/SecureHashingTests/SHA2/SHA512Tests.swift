// SPDX-License-Identifier: Apache-2.0
// SHA-384 and SHA-512, and HMAC over them, against the vectors of NIST, of RFC 4231 and of hashlib.

@testable internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("SHA-384 and SHA-512")
struct SHA512Tests {
  @Test(
    "A message of the NIST CAVP has the published digest",
    arguments: try VectorTable(named: "cavp-sha512.txt").records.filter {
      try $0.optionalText("function") != nil
    })
  func published(_ vector: VectorRecord) throws {
    let (message, digest) = try (vector.hexadecimal("message"), vector.text("digest"))
    switch try vector.text("function") {
    case "SHA384": #expect(SHA384.hash(data: message).hexString == digest)
    default: #expect(SHA512.hash(data: message).hexString == digest)
    }
  }

  @Test("The Monte Carlo chains of the NIST CAVP have their 100 published digests each")
  func monteCarlo() throws {
    try expectChain(SHA384.self)
    try expectChain(SHA512.self)
  }

  @Test(
    "HMAC has the codes of RFC 4231",
    arguments: try VectorTable(named: "cavp-sha512.txt").records.filter {
      try $0.optionalText("keyed function") != nil
    })
  func publishedCodes(_ vector: VectorRecord) throws {
    let (key, message) = try (vector.hexadecimal("key"), vector.hexadecimal("message"))
    let code = try vector.text("code")
    switch try vector.text("keyed function") {
    case "SHA384": try expectCode(SHA384.self, key, message, code)
    default: try expectCode(SHA512.self, key, message, code)
    }
  }

  @Test("HMAC under keys around the size of a block has the codes of Python's hmac")
  func keySizes() throws {
    try expectKeySizes(SHA384.self)
    try expectKeySizes(SHA512.self)
  }

  @Test("Every length of 0 to 300 bytes, at every offset of 0 to 63 from a forbidden page")
  func everyLength() throws {
    try expectEveryLength(SHA384.self)
    try expectEveryLength(SHA512.self)
  }

  @Test("Every length of 0 to 2,200 bytes, whole and in portions")
  func manyLengths() throws {
    try expectManyLengths(SHA384.self)
    try expectManyLengths(SHA512.self)
  }

  @Test(
    "Every length up to 2,200 bytes next to a forbidden page, also in two parts, by each implementation",
    arguments: SHA512Implementation.available)
  func implementations(_ implementation: SHA512Implementation) throws {
    try expectDigests(by: implementation)
  }

  @Test("Large messages, whole and in random portions")
  func large() throws {
    try expectLarge(SHA384.self)
    try expectLarge(SHA512.self)
  }

  @Test("A message cut in two anywhere has the digest of the whole, also when copied or read there")
  func cuts() throws {
    try expectCuts(SHA384.self)
    try expectCuts(SHA512.self)
  }

  @Test("5 GiB of zeros, whose bits are counted in more than 32 bits")
  func fiveGibibytes() throws {
    // The whole takes 20 seconds.
    let count = sampleSize(0, of: 5 << 10)
    if count == 0 { return }
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    var computation = SHA512()
    for _ in 0..<count { computation.update(data: zeros) }
    let vector = try VectorTable(named: "sha512-messages.txt").record(named: "5 GiB of zeros")
    #expect(try computation.finalize().hexString == vector.text("digest of zeros"))
  }

  @Test(
    "Messages of up to 2^64 - 1 bytes end as in FIPS 180-4, with a length of 128 bits",
    arguments: try VectorTable(named: "sha512-messages.txt").records.filter {
      try $0.optionalText("huge digest") != nil
    })
  func huge(_ vector: VectorRecord) throws {
    let state = try words(vector.hexadecimal("state"))
    let before = try words(vector.hexadecimal("before"))[0]
    var function = SHA512()
    function.computation = SHA512Computation(
      (state[0], state[1], state[2], state[3], state[4], state[5], state[6], state[7]),
      afterByteCount: before)
    let tail = try vector.integer("tail")
    function.update(data: (0..<tail).map { UInt8(truncatingIfNeeded: $0) })
    #expect(try function.finalize().hexString == vector.text("huge digest"))
  }

  @Test("A digest is a collection of its bytes, can be read again, and prints as CryptoKit's")
  func digests() throws {
    let (short, long) = (SHA384.hash(data: "abc".utf8), SHA512.hash(data: "abc".utf8))
    #expect((short.count, SHA384.byteCount, SHA384.blockByteCount) == (48, 48, 128))
    #expect((long.count, SHA512.byteCount, SHA512.blockByteCount) == (64, 64, 128))
    // The examples of one block that NIST publishes with FIPS 180-4.
    #expect(short.hexString.hasPrefix("cb00753f45a35e8bb5a03d699ac65007272c32ab0eded163"))
    #expect("\(long)".hasPrefix("SHA512 digest: ddaf35a193617abacc417349ae20413112e6fa4e89a97ea2"))
    #expect("\(short)" == "SHA384 digest: \(short.hexString)")
    #expect((long.first, long.last) == (0xDD, 0x9F))
    #expect(short == Array(short) && long == Array(long))
    #expect(!(long == Array(long.dropLast())))
    #expect(SHA384.Digest(bytes: Array(short)) == short)
    #expect(SHA512.Digest(bytes: Array(long)) == long)
    #expect(SHA512.Digest(bytes: short) == nil && SHA384.Digest(bytes: long) == nil)
    #expect(try SHA384.Digest(hexString: short.hexString.uppercased()) == short)
    #expect(try SHA512.Digest(hexString: long.hexString) == long)
    #expect(Set([long, long, SHA512.hash(data: "abd".utf8)]).count == 2)
    let count = unsafe long.withContiguousStorageIfAvailable { $0.count }
    #expect(count == 64)
  }

  @Test("A string that isn't a digest is rejected, and the error names the valid form")
  func wrongTexts() {
    let error = #expect(throws: Hexadecimal.DecodingError.self) {
      try SHA512.Digest(hexString: String(repeating: "0", count: 96))
    }
    #expect(error?.message.contains("a SHA-512 digest") == true)
    #expect(error?.message.contains("128") == true)
    #expect(throws: Hexadecimal.DecodingError.self) {
      try SHA384.Digest(hexString: String(repeating: "g", count: 96))
    }
  }

  @Test("A computation doesn't show its message")
  func printing() {
    var (short, long) = (SHA384(), SHA512())
    short.update(data: "secret".utf8)
    long.update(data: "secret".utf8)
    #expect("\(short) \(long)" == "SHA384 computation SHA512 computation")
    #expect(Mirror(reflecting: short).children.isEmpty && Mirror(reflecting: long).children.isEmpty)
  }
}
