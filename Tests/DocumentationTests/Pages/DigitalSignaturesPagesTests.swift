// SPDX-License-Identifier: Apache-2.0
// The page of DigitalSignatures: its code compiles and works.

internal import DigitalSignatures
internal import Testing

@Suite("Pages: DigitalSignatures")
struct DigitalSignaturesPagesTests {
  func signAndVerify(
    _ message: [UInt8], with key: P256.Signing.PrivateKey
  ) -> Bool {
    let signature = key.signature(for: message)
    return key.publicKey.isValidSignature(signature, for: message)
  }

  @Test("A signature is valid")
  func landing() throws {
    let key = try P256.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 7, count: 32))
    #expect(signAndVerify([1, 2, 3], with: key))
  }
}
