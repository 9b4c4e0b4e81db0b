// SPDX-License-Identifier: Apache-2.0
// An authentication code as a value: a collection of 32 bytes that can be compared and printed.

internal import Foundation
@testable internal import SecureHashing
internal import Testing

@Suite("Authentication code")
struct AuthenticationCodeTests {
  /// Test case 2 of RFC 4231, section 4.3.
  static let hexadecimal = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
  let code = HMAC<SHA256>.authenticationCode(
    for: "what do ya want for nothing?".utf8, using: SymmetricKey(data: "Jefe".utf8))
  let otherCode = HMAC<SHA256>.authenticationCode(
    for: "what do ya want for nothing!".utf8, using: SymmetricKey(data: "Jefe".utf8))

  @Test("A code is a collection of 32 bytes in the order of the standard")
  func collection() {
    #expect(code.count == 32 && code.byteCount == 32)
    #expect(code.startIndex == 0 && code.endIndex == 32)
    #expect(code.first == 0x5B && code.last == 0x43)
    #expect(code[1] == 0xDC && code[31] == 0x43)
    #expect(Array(code.prefix(4)) == [0x5B, 0xDC, 0xC1, 0x46])
    #expect(code.enumerated().allSatisfy { code[$0.offset] == $0.element })
    #expect(Data(code) == Data(Array(code)))
    let contiguous = unsafe code.withContiguousStorageIfAvailable { unsafe Array($0) }
    #expect(contiguous == Array(code))
  }

  @Test("A code prints as hexadecimal digits, in every way that's common")
  func text() {
    #expect(code.hexString == Self.hexadecimal)
    #expect("\(code)" == "HMAC code: " + Self.hexadecimal)
    #expect(code.map { String(format: "%02x", $0) }.joined() == Self.hexadecimal)
  }

  @Test("A code equals itself and its bytes, and no other code, bytes or length")
  func equality() throws {
    let again = HMAC<SHA256>.authenticationCode(
      for: "what do ya want for nothing?".utf8, using: SymmetricKey(data: "Jefe".utf8))
    #expect(code == again && code == Array(again) && code == Data(again))
    #expect(code.hashValue == again.hashValue)
    #expect(code != otherCode && !(code == Array(otherCode)))
    #expect(Set([code, again, otherCode]).count == 2)
    #expect(!(code == Array(code.dropLast())) && !(code == Array(code) + [0]))
    for bit in 0..<256 {
      var bytes = Array(code)
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      let digest = try #require(SHA256.Digest(bytes: bytes))
      #expect(!(code == bytes) && code != HMAC<SHA256>.MAC(digest: digest))
    }
  }

  @Test("A code can be a key and a message, as in a chain of keys")
  func chain() {
    let key = SymmetricKey(data: code)
    #expect(key == SymmetricKey(data: Array(code)))
    #expect(SHA256.hash(data: code) == SHA256.hash(data: Array(code)))
  }

  @Test("The index after the last byte stops the program")
  func indexTooLarge() async {
    await #expect(processExitsWith: .failure) {
      _ = HMAC<SHA256>(key: SymmetricKey(data: "Jefe".utf8)).finalize()[32]
    }
  }
}
