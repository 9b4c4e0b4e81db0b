// SPDX-License-Identifier: Apache-2.0
// A digest as a value: a collection of 32 bytes that can be compared, printed and stored.

internal import Foundation
internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Digest")
struct DigestTests {
  /// The example of one block that NIST publishes with FIPS 180-4.
  static let hexadecimal = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
  let digest = SHA256.hash(data: "abc".utf8)

  @Test("A digest is a collection of 32 bytes in the order of the standard")
  func collection() {
    #expect(digest.count == 32)
    #expect(digest.startIndex == 0 && digest.endIndex == 32)
    #expect(digest.first == 0xBA && digest.last == 0xAD)
    #expect(digest[0] == 0xBA && digest[1] == 0x78 && digest[31] == 0xAD)
    #expect(Array(digest.prefix(4)) == [0xBA, 0x78, 0x16, 0xBF])
    #expect(Array(digest.reversed().prefix(2)) == [0xAD, 0x15])
    #expect(digest.enumerated().allSatisfy { digest[$0.offset] == $0.element })
    #expect(Data(digest) == Data(Array(digest)))
  }

  @Test("A digest prints as hexadecimal digits, in every way that's common")
  func text() {
    #expect(digest.hexString == Self.hexadecimal)
    #expect(digest.description == "SHA256 digest: " + Self.hexadecimal)
    #expect("\(digest)" == "SHA256 digest: " + Self.hexadecimal)
    #expect(digest.map { String(format: "%02x", $0) }.joined() == Self.hexadecimal)
    #expect(digest.compactMap { String(format: "%02x", $0) }.joined() == Self.hexadecimal)
  }

  @Test("A digest is compared with its 64 lowercase digits, of every byte and at every place")
  func digits() throws {
    func isSpelled(_ digest: SHA256.Digest, _ text: some Sequence<UInt8>) -> Bool {
      unsafe Array(text).withUnsafeBytes { unsafe digest.isSpelled(by: $0) }
    }
    for first in stride(from: 0, to: 256, by: 32) {
      let bytes = (first..<first + 32).map { UInt8($0) }
      let digest = try #require(SHA256.Digest(bytes: bytes))
      // The C library's digits.
      let text = bytes.map { String(format: "%02x", $0) }.joined()
      #expect(isSpelled(digest, text.utf8))
      for position in 0..<64 {
        var other = Array(text.utf8)
        for byte: UInt8 in [0x2F, 0x30, 0x61, 0x67, 0x00, 0x80, other[position] ^ 0x80] {
          let isSame = byte == other[position]
          let digit = other[position]
          other[position] = byte
          #expect(isSpelled(digest, other) == isSame)
          other[position] = digit
        }
      }
      #expect(!isSpelled(digest, text.utf8.dropLast()))
      #expect(!isSpelled(digest, (text + "0").utf8))
      #expect(isSpelled(digest, text.uppercased().utf8) == (text == text.uppercased()))
      #expect(!isSpelled(digest, []))
    }
  }

  @Test("Raw access has the 32 bytes, through a pointer or contiguous storage")
  func rawBytes() {
    let raw = unsafe digest.withUnsafeBytes { unsafe Array($0) }
    #expect(raw == Array(digest))
    let contiguous = unsafe digest.withContiguousStorageIfAvailable { unsafe Array($0) }
    #expect(contiguous == Array(digest))
    #expect(isContiguous(digest), "generic code finds it too")
  }

  private func isContiguous(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.withContiguousStorageIfAvailable { _ in } != nil
  }

  @Test("A digest equals itself, its bytes and its copy made of bytes")
  func equality() {
    #expect(digest == SHA256.hash(data: "abc".utf8))
    #expect(digest == Array(digest))
    #expect(digest == Data(digest))
    #expect(digest == SHA256.Digest(bytes: Array(digest)))
    #expect(digest.hashValue == SHA256.hash(data: "abc".utf8).hashValue)
    #expect(Set([digest, SHA256.hash(data: "abc".utf8)]).count == 1)
    #expect(Set([digest, SHA256.hash(data: "abd".utf8)]).count == 2)
  }

  @Test("A digest with one bit flipped is another digest, whichever bit it is")
  func differences() throws {
    for bit in 0..<256 {
      var bytes = Array(digest)
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      let other = try #require(SHA256.Digest(bytes: bytes))
      #expect(digest != other && !(digest == bytes))
      #expect(Set([digest, other]).count == 2)
    }
    #expect(!(digest == Array(digest.dropLast())))
    #expect(!(digest == Array(digest) + [0]))
    #expect(!(digest == [UInt8]()))
  }

  @Test("A digest is made of exactly 32 bytes", arguments: 0...70)
  func bytes(_ count: Int) {
    let bytes = (0..<count).map { UInt8($0) }
    let digest = SHA256.Digest(bytes: bytes)
    #expect((digest != nil) == (count == 32))
    #expect((SHA256.Digest(bytes: bytes.lazy.map { $0 }) != nil) == (count == 32))
    if let digest { #expect(Array(digest) == bytes) }
  }

  @Test("NIST's digests are parsed from hexadecimal digits, in upper and lower case")
  func fromText() throws {
    for vector in try VectorTable(named: "cavp-sha256-short.txt").records {
      let text = try vector.text("digest")
      let digest = try SHA256.Digest(hexString: text)
      #expect(try digest == SHA256.hash(data: vector.hexadecimal("message")))
      #expect(try digest == SHA256.Digest(hexString: text.uppercased()))
      #expect(digest.hexString == text)
    }
  }

  @Test("A string that isn't 64 characters long is rejected for its length, digits or not")
  func textOfOtherLength() {
    for count in (0...130).filter({ $0 != 64 }) {
      expect(.wrongLength, from: String(repeating: "a", count: count), about: "\(count) characters")
    }
    for count in [31, 33, 64] {
      expect(.wrongLength, from: String(repeating: "é", count: count), about: "needs 64")
    }
    expect(.wrongLength, from: Self.hexadecimal + "\n", about: "65 characters")
  }

  @Test("A character that isn't a digit is rejected, and the message names its offset")
  func textOfOtherCharacters() {
    expect(.invalidCharacter, from: "0x" + Self.hexadecimal.dropFirst(2), about: "offset 1 ")
    expect(.invalidCharacter, from: Self.hexadecimal.dropLast() + " ", about: "offset 63 ")
    expect(.invalidCharacter, from: String(repeating: "é", count: 32), about: "offset 0 ")
  }

  private func expect(
    _ code: Hexadecimal.DecodingError.Code, from text: String, about fact: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: Hexadecimal.DecodingError.self, sourceLocation: sourceLocation) {
      try SHA256.Digest(hexString: text)
    }
    #expect(error?.code == code, sourceLocation: sourceLocation)
    #expect(error?.message.contains(fact) == true, sourceLocation: sourceLocation)
  }

  @Test("The index after the last byte stops the program")
  func indexTooLarge() async {
    await #expect(processExitsWith: .failure) {
      _ = SHA256.hash(data: "abc".utf8)[32]
    }
  }

  @Test("A negative index stops the program")
  func indexTooSmall() async {
    await #expect(processExitsWith: .failure) {
      _ = SHA256.hash(data: "abc".utf8)[-1]
    }
  }
}
