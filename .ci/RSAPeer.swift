// SPDX-License-Identifier: Apache-2.0
// RSA for `.ci/check-rsa`.

import DigitalSignatures
import SecureHashing

/// sign KEY MESSAGE: the signature in hexadecimal. verify KEY MESSAGE SIGNATURE, private KEY, public KEY: yes, no, or an
/// error.
func answer(_ words: Words) throws -> String {
  switch words.text(0) {
  case "sign":
    let key = try RSA.Signing.PrivateKey(derRepresentation: words.bytes(1))
    let signature = try key.signature(for: words.bytes(2), padding: .insecurePKCS1v1_5)
    return Hexadecimal.encode(signature.rawRepresentation)
  case "verify":
    let key = try RSA.Signing.PublicKey(derRepresentation: words.bytes(1))
    let signature = RSA.Signing.RSASignature(rawRepresentation: words.bytes(3))
    let isValid = key.isValidSignature(
      signature, for: words.bytes(2), padding: .insecurePKCS1v1_5)
    return isValid ? "yes" : "no"
  case "private": return try yes(RSA.Signing.PrivateKey(derRepresentation: words.bytes(1)))
  default: return try yes(RSA.Signing.PublicKey(derRepresentation: words.bytes(1)))
  }
}

func yes(_: some Any) -> String { "yes" }

try await Words.answerAll(answer)
