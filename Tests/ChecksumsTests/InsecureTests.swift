// SPDX-License-Identifier: Apache-2.0
// SHA-1 and MD5 against the examples of their standards and against hashlib.

internal import Foundation
@testable internal import Checksums
internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("SHA-1 and MD5")
struct InsecureTests {
  @Test("SHA-1 has the digests of the examples that NIST publishes with FIPS 180-4")
  func examplesOfSHA1() {
    expect(SHA1.self, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d")
    expect(
      SHA1.self, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "84983e441c3bd26ebaae4aa1f95129e5e54670f1")
    let million = SHA1.hash(data: [UInt8](repeating: 0x61, count: 1_000_000))
    #expect(million.hexString == "34aa973cd4c4daa4f61eeb2bdbad27316534016f")
  }

  @Test("MD5 has the digests of the test suite of RFC 1321, appendix A.5")
  func examplesOfMD5() {
    expect(Insecure.MD5.self, "", "d41d8cd98f00b204e9800998ecf8427e")
    expect(Insecure.MD5.self, "a", "0cc175b9c0f1b6a831c399e269772661")
    expect(Insecure.MD5.self, "abc", "900150983cd24fb0d6963f7d28e17f72")
    expect(Insecure.MD5.self, "message digest", "f96b697d7cb7938d525a2f31aaf161d0")
    let letters = "abcdefghijklmnopqrstuvwxyz"
    let upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    expect(Insecure.MD5.self, letters, "c3fcd3d76192e4007dfb496cca67e13b")
    expect(
      Insecure.MD5.self, upper + letters + "0123456789", "d174ab98d277d9f5a5611c2c9f419d9f")
    expect(
      Insecure.MD5.self, String(repeating: "1234567890", count: 8),
      "57edf4a22be3c955ac49da2e2107b67a")
  }

  @Test(
    "A message has the digests, in hexadecimal and in base64, that hashlib computes",
    arguments: try VectorTable(named: "checksums.txt").records.filter {
      try $0.optionalText("repeated") != nil
    })
  func messages(_ vector: VectorRecord) throws {
    let count = try vector.integer("repeated")
    let message = try Array(repeatElement(vector.bytes("text"), count: count).joined())
    let (sha1, md5) = (SHA1.hash(data: message), Insecure.MD5.hash(data: message))
    #expect(try sha1.hexString == vector.text("sha1"))
    #expect(try md5.hexString == vector.text("md5"))
    #expect(try Base64.encode(sha1) == vector.text("sha1 in base64"))
    #expect(try Base64.encode(md5) == vector.text("md5 in base64"))
  }

  @Test("Every length of 0 to 300 bytes, at both ends of a page between forbidden ones")
  func everyLength() throws {
    try expectEveryLength(SHA1.self, "sha1")
    try expectEveryLength(Insecure.MD5.self, "md5")
  }

  @Test("Large messages, whole and in random portions")
  func large() throws {
    try expectPortions(SHA1.self, "sha1")
    try expectPortions(Insecure.MD5.self, "md5")
  }

  @Test("A message cut in two anywhere has the digest of the whole, also when copied or read there")
  func copies() throws {
    try expectCuts(SHA1.self, "sha1")
    try expectCuts(Insecure.MD5.self, "md5")
  }

  @Test("HMAC accepts them, too: test case 2 of RFC 2202, sections 2 and 3")
  func keyed() {
    let (key, message) = (SymmetricKey(data: "Jefe".utf8), "what do ya want for nothing?".utf8)
    let sha1 = HMAC<SHA1>.authenticationCode(for: message, using: key)
    let md5 = HMAC<Insecure.MD5>.authenticationCode(for: message, using: key)
    #expect(sha1.hexString == "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79")
    #expect(md5.hexString == "750c783e6ab0b503eaa86e310a5db738")
  }

  @Test("A digest is a collection of its bytes, and prints as CryptoKit's")
  func digests() {
    let (sha1, md5) = (SHA1.hash(data: "abc".utf8), Insecure.MD5.hash(data: "abc".utf8))
    #expect("\(sha1)" == "SHA1 digest: a9993e364706816aba3e25717850c26c9cd0d89d")
    #expect("\(md5)" == "MD5 digest: 900150983cd24fb0d6963f7d28e17f72")
    #expect(sha1.count == 20 && SHA1.byteCount == 20)
    #expect(md5.count == 16 && Insecure.MD5.byteCount == 16)
    #expect(sha1.first == 0xA9 && sha1.last == 0x9D)
    #expect(md5 == Array(md5))
    #expect(!(md5 == Array(md5.dropLast())))
    #expect(Set([sha1, sha1, SHA1.hash(data: "abd".utf8)]).count == 2)
    #expect(SHA1.blockByteCount == 64 && Insecure.MD5.blockByteCount == 64)
  }

  @Test("A computation doesn't show its message")
  func printing() {
    var (sha1, md5) = (SHA1(), Insecure.MD5())
    sha1.update(data: "secret".utf8)
    md5.update(data: "secret".utf8)
    #expect("\(sha1) \(md5)" == "SHA1 computation MD5 computation")
    #expect(Mirror(reflecting: sha1).children.isEmpty && Mirror(reflecting: md5).children.isEmpty)
  }

  @Test("T of MD5 holds 32 bits of the absolute values of sines (RFC 1321, 3.4)")
  func constants() {
    #expect(Insecure.MD5.table == (1...64).map { UInt32(abs(sin(Double($0))) * 4_294_967_296) })
  }

  // MARK: - Helpers

  func expect<Function: HashFunction>(
    _ function: Function.Type, _ message: String, _ digest: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let computed = Hexadecimal.encode(Function.hash(data: message.utf8))
    #expect(computed == digest, sourceLocation: sourceLocation)
  }

  func expectEveryLength<Function: HashFunction>(_ function: Function.Type, _ name: String) throws {
    let ladder = try ChecksumLadder(name, "every length")
    let pages = try #require(GuardedPages())
    try #require(ladder.messages.map(\.count) == Array(0...300))
    var wrong: [Int] = []
    for (message, digest) in zip(ladder.messages, ladder.digests) {
      // Safety: the bytes lie in the page.
      unsafe pages.forEachPlace(of: message, distances: 0...15) { bytes in
        let computed = unsafe Function.hash(bufferPointer: bytes)
        if Hexadecimal.encode(computed) != digest { wrong.append(message.count) }
      }
    }
    #expect(wrong == [], "\(name)")
  }

  func expectPortions<Function: HashFunction>(_ function: Function.Type, _ name: String) throws {
    let ladder = try ChecksumLadder(name, "large")
    var generator = Xorshift64(seed: 0xBADC_0FFE)
    for (message, digest) in zip(ladder.messages, ladder.digests) {
      #expect(Hexadecimal.encode(Function.hash(data: message)) == digest, "\(message.count)")
      for largest: UInt64 in [70, 40_000] {
        var computation = Function()
        var rest = message[...]
        while !rest.isEmpty {
          let portion = rest.prefix(generator.size(upTo: largest))
          computation.update(data: portion)
          rest = rest.dropFirst(portion.count)
        }
        #expect(Hexadecimal.encode(computation.finalize()) == digest, "up to \(largest) at once")
      }
    }
  }

  func expectCuts<Function: HashFunction>(_ function: Function.Type, _ name: String) throws {
    let ladder = try ChecksumLadder(name, "every length")
    for (message, digest) in zip(ladder.messages, ladder.digests).dropFirst(180) {
      for cut in 0...message.count {
        var beginning = Function()
        beginning.update(data: message[..<cut])
        var copy = beginning
        let before = beginning.finalize()
        copy.update(data: message[cut...])
        try #require(
          Hexadecimal.encode(copy.finalize()) == digest, "\(message.count) cut at \(cut)")
        try #require(beginning.finalize() == before)
      }
    }
  }
}
