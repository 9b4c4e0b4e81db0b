// SPDX-License-Identifier: Apache-2.0
// Keys: where their bytes come from, which sizes there are, and when two are equal.

internal import Foundation
internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Symmetric key")
struct SymmetricKeyTests {
  @Test("A key has the bytes it was made of", arguments: [0, 1, 31, 32, 33, 64, 65, 300])
  func bytes(_ count: Int) {
    var generator = Xorshift64(seed: 0x5EC)
    let bytes = generator.bytes(count)
    expect(bytes, in: SymmetricKey(data: bytes))
    expect(bytes, in: SymmetricKey(data: bytes[...]))
    expect(bytes, in: SymmetricKey(data: Data(bytes)))
    expect(bytes, in: SymmetricKey(data: Pieces(bytes, each: 7)))
    // Safety: the span ends before the array does.
    unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe expect(bytes, in: SymmetricKey(data: buffer.span))
    }
  }

  @Test("A key has a collection's bytes, even if its count is wrong")
  func wrongCount() {
    for count in [0, 3, 8, 1_000] {
      let bytes = [UInt8](1...5)
      expect(bytes, in: SymmetricKey(data: Miscounted(bytes: bytes, count: count)))
    }
  }

  @Test("A key can be made of a digest and of an authentication code")
  func values() {
    let digest = SHA256.hash(data: "abc".utf8)
    let key = SymmetricKey(data: digest)
    expect(Array(digest), in: key)
    let code = HMAC<SHA256>.authenticationCode(for: "abc".utf8, using: key)
    expect(Array(code), in: SymmetricKey(data: code))
  }

  @Test("Keys are equal when they have the same bytes")
  func equality() {
    let bytes = Array(SHA256.hash(data: "abc".utf8))
    let key = SymmetricKey(data: bytes)
    #expect(key == key && key == SymmetricKey(data: bytes))
    for bit in 0..<256 {
      var other = bytes
      other[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(key != SymmetricKey(data: other))
    }
    #expect(key != SymmetricKey(data: bytes.dropLast()))
    #expect(key != SymmetricKey(data: bytes + [0]))
    #expect(key != SymmetricKey(data: []))
    #expect(SymmetricKey(data: []) == SymmetricKey(data: EmptyCollection()))
  }

  @Test("A copy is the same key, and outlives the original")
  func copies() {
    func makeCopy() -> SymmetricKey {
      let original = SymmetricKey(data: "original".utf8)
      let copy = original
      return copy
    }
    expect(Array("original".utf8), in: makeCopy())
  }

  @Test("An error of the closure that reads the bytes is passed on")
  func error() {
    let key = SymmetricKey(data: "key".utf8)
    #expect(throws: CancellationError.self) {
      try unsafe key.withUnsafeBytes { _ in throw CancellationError() }
    }
  }

  @Test(
    "A random key has the requested size",
    arguments: [(SymmetricKey.Size.bits128, 128), (.bits192, 192), (.bits256, 256)])
  func randomSize(_ size: SymmetricKey.Size, _ bitCount: Int) {
    #expect(SymmetricKey(size: size).bitCount == bitCount)
    #expect(SymmetricKey(size: size).byteCount == bitCount / 8)
  }

  @Test("The common sizes have names")
  func namedSizes() {
    #expect(SymmetricKey.Size.bits128.bitCount == 128)
    #expect(SymmetricKey.Size.bits192.bitCount == 192)
    #expect(SymmetricKey.Size.bits256.bitCount == 256)
  }

  @Test("A passed generator is used, once for every byte")
  func generator() throws {
    var generator = CountingGenerator()
    expect(Array(1...16), in: SymmetricKey(size: .bits128, using: &generator))
    expect(Array(17...40), in: SymmetricKey(size: .bits192, using: &generator))
    #expect(generator.count == 40)
  }

  @Test("The system's generator never returns the same key twice")
  func systemGenerator() {
    let keys = (0..<100).map { _ in SymmetricKey(size: .bits256) }
    for (index, key) in keys.enumerated() {
      #expect(keys.lastIndex(of: key) == index)
      #expect(key != SymmetricKey(data: [UInt8](repeating: 0, count: 32)))
    }
  }

  func expect(
    _ bytes: [UInt8], in key: SymmetricKey, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let found = unsafe key.withUnsafeBytes { unsafe Array($0) }
    #expect(found == bytes, sourceLocation: sourceLocation)
    #expect(key.byteCount == bytes.count, sourceLocation: sourceLocation)
    #expect(key.bitCount == 8 * bytes.count, sourceLocation: sourceLocation)
  }
}

/// A generator of words that end in 1, 2, 3 and so on.
struct CountingGenerator: RandomNumberGenerator {
  var count: UInt64 = 0

  mutating func next() -> UInt64 {
    count += 1
    return 0xABCD_0000 | count
  }
}
