// SPDX-License-Identifier: Apache-2.0
// The page docs/how-to/digital-signatures.md, as a program.

internal import DigitalSignatures
internal import SecureHashing
internal import SigningTestSupport
internal import TestSupport
internal import Testing

func signatures(pem: String, message: [UInt8]) throws -> Bool {
  let key = try P256.Signing.PrivateKey(pemRepresentation: pem)
  let signature = key.signature(for: message)
  print(signature.derRepresentation.count)

  let publicKey = try P256.Signing.PublicKey(derRepresentation: key.publicKey.derRepresentation)
  return publicKey.isValidSignature(signature, for: message)
}

func areValid(
  _ signatures: [(message: [UInt8], signature: P256.Signing.ECDSASignature)],
  of key: P256.Signing.PublicKey
) -> Bool {
  let prepared = P256.Signing.PreparedPublicKey(key)
  return signatures.allSatisfy { prepared.isValidSignature($0.signature, for: $0.message) }
}

func edwardsSignature(pem: String, message: [UInt8]) throws -> [UInt8] {
  let key = try Curve25519.Signing.PrivateKey(pemRepresentation: pem)
  print(key.publicKey.jwkThumbprint)
  return key.signature(for: message)
}

func isSigned(_ signature: [UInt8], message: [UInt8], publicKey: [UInt8]) throws -> Bool {
  let key = try Curve25519.Signing.PublicKey(rawRepresentation: publicKey)
  return key.isValidSignature(signature, for: message)
}

func isSigned(pem: String, message: [UInt8]) throws -> Bool {
  let key = try RSA.Signing.PrivateKey(pemRepresentation: pem)
  let signature = try key.signature(for: message, padding: .insecurePKCS1v1_5)
  return key.publicKey.isValidSignature(signature, for: message, padding: .insecurePKCS1v1_5)
}

func isSignedWithPSS(pem: String, message: [UInt8]) throws -> Bool {
  let key = try RSA.Signing.PrivateKey(pemRepresentation: pem)
  let digest = SHA512.hash(data: message)
  let signature = try key.signature(for: digest, padding: .PSS)
  return key.publicKey.isValidSignature(signature, for: digest, padding: .PSS)
}

@Suite("How to sign with P-256, Ed25519 and RSA")
struct DigitalSignaturesHowToTests {
  @Test("The code on the page compiles and works")
  func page() throws {
    let page = try HowToPage("digital-signatures.md")
    try page.expectCode(in: #filePath, count: 20)
    let vector = try #require(try VectorTable(named: "p256-keys.txt").records.last)
    #expect(try signatures(pem: vector.text("pem"), message: [1, 2, 3]))
    let key = try P256.Signing.PrivateKey(pemRepresentation: vector.text("pem"))
    let signature = key.signature(for: [1, 2, 3])
    #expect(areValid([([1, 2, 3], signature), ([1, 2, 3], signature)], of: key.publicKey))
    #expect(!areValid([([1, 2, 4], signature)], of: key.publicKey))
    let rsa = try VectorTable(named: "rsa-keys.txt").records[0]
    #expect(try isSigned(pem: rsa.text("pkcs8 pem"), message: [1, 2, 3]))
    #expect(try isSignedWithPSS(pem: rsa.text("pkcs8 pem"), message: [1, 2, 3]))
    let edwards = try VectorTable(named: "ed25519-keys.txt").record(named: "key of RFC 8410")
    let other = try edwardsSignature(pem: edwards.text("pem"), message: [1, 2, 3])
    let raw = try edwards.hexadecimal("public")
    #expect(try isSigned(other, message: [1, 2, 3], publicKey: raw))
    #expect(try !isSigned(other, message: [1, 2, 4], publicKey: raw))
  }
}
