// SPDX-License-Identifier: Apache-2.0
// The pages of SecureHashing: their code compiles and works.

internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Pages: SecureHashing")
struct SecureHashingPagesTests {
  /// FIPS 180-4, one-block example.
  static let published = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

  @Test("A digest and a code are printed")
  func landing() {
    let digest = SHA256.hash(data: "abc".utf8)
    let key = SymmetricKey(data: Array("your secret key".utf8))
    let code = HMAC<SHA256>.authenticationCode(for: "abc".utf8, using: key)
    print(digest.hexString, code.hexString)
    #expect(digest.hexString == Self.published)
    #expect(HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: "abc".utf8, using: key))
  }
}
