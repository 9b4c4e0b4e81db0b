// SPDX-License-Identifier: Apache-2.0
// Code written for CryptoKit, changed only in its import, and in `unsafe`, which this package
// requires.

internal import Foundation
internal import SecureHashing
internal import Testing

/// Expected values: the one-block example of FIPS 180-4, and test case 2 of RFC 4231.
@Suite("CryptoKit's spelling")
struct CryptoKitSpellingTests {
  let message = Data("what do ya want for nothing?".utf8)
  let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
  let jefe = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"

  @Test("A digest in one call")
  func hash() {
    let digest = SHA256.hash(data: Data("abc".utf8))
    let text = digest.compactMap { String(format: "%02x", $0) }.joined()
    #expect(text == abc)
    #expect(digest.description == "SHA256 digest: " + abc)
    #expect(digest == Data(digest))
    let data = unsafe digest.withUnsafeBytes { unsafe Data($0) }
    #expect(data == Data(digest))
  }

  @Test("A digest in portions")
  func hashInPortions() {
    var hasher = SHA256()
    hasher.update(data: Data("a".utf8))
    hasher.update(data: [UInt8]("b".utf8))
    unsafe "c".utf8.withContiguousStorageIfAvailable {
      unsafe hasher.update(bufferPointer: UnsafeRawBufferPointer($0))
    }
    let digest: SHA256.Digest = hasher.finalize()
    #expect(digest == SHA256.hash(data: Data("abc".utf8)))
    #expect(Array(digest).count == SHA256.byteCount && SHA256.Digest.byteCount == 32)
    #expect(SHA256.blockByteCount == 64)
  }

  @Test("Code that's generic over the hash function")
  func generic() {
    func digestText<H: HashFunction>(of data: Data, by function: H.Type) -> String {
      var hasher = H()
      hasher.update(data: data)
      return hasher.finalize().map { String(format: "%02x", $0) }.joined()
    }
    #expect(digestText(of: Data("abc".utf8), by: SHA256.self) == abc)
  }

  @Test("An authentication code in one call, and its check")
  func authenticationCode() {
    let key = SymmetricKey(data: Data("Jefe".utf8))
    let code: HMAC<SHA256>.MAC = HMAC<SHA256>.authenticationCode(for: message, using: key)
    #expect(code.map { String(format: "%02x", $0) }.joined() == jefe)
    #expect(Data(code).count == code.byteCount)
    #expect(
      HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: message, using: key))
    #expect(
      HMAC<SHA256>.isValidAuthenticationCode(Data(code), authenticating: message, using: key))
    #expect(
      !HMAC<SHA256>.isValidAuthenticationCode(Data(code), authenticating: Data(), using: key))
  }

  @Test("An authentication code in portions")
  func authenticationCodeInPortions() {
    let key: HMAC<SHA256>.Key = SymmetricKey(data: Data("Jefe".utf8))
    var hmac = HMAC<SHA256>(key: key)
    hmac.update(data: message.prefix(10))
    hmac.update(data: message.dropFirst(10))
    #expect(hmac.finalize().map { String(format: "%02x", $0) }.joined() == jefe)
  }

  @Test("The chain of keys of Signature Version 4, as blog posts write it")
  func keyChain() {
    func sign(_ text: String, _ key: SymmetricKey) -> SymmetricKey {
      SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key))
    }
    // The example of "Deriving the signing key" in the AWS General Reference.
    let secret = SymmetricKey(data: Data("AWS4wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY".utf8))
    let key = sign("aws4_request", sign("iam", sign("us-east-1", sign("20150830", secret))))
    let text = unsafe key.withUnsafeBytes { bytes in
      unsafe bytes.map { String(format: "%02x", $0) }.joined()
    }
    #expect(text == "c4afb1cc5771d871763a393e44b703571b55cc28424d1a5e86da6ed3c154a4b9")
  }

  @Test("Keys")
  func keys() {
    let key = SymmetricKey(size: .bits256)
    #expect(key.bitCount == 256)
    let data = unsafe key.withUnsafeBytes { unsafe Data($0) }
    #expect(data.count == 32)
    #expect(SymmetricKey(size: .bits128).bitCount == 128)
    #expect(SymmetricKey(size: .bits192).bitCount == 192)
    #expect(key == SymmetricKey(data: data))
    #expect(key != SymmetricKey(size: .bits256))
  }
}
