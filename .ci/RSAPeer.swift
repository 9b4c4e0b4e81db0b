// SPDX-License-Identifier: Apache-2.0
// RSA as a filter, for `.ci/check-rsa`: a line in, a line out.

import DigitalSignatures
import Foundation
import SecureHashing

/// sign KEY MESSAGE: the signature. verify KEY MESSAGE SIGNATURE, private KEY, public KEY: yes or no. All in hexadecimal.
func answer(_ words: [String]) throws -> String {
  let bytes = try words.dropFirst().map { try Hexadecimal.decode($0 == "-" ? "" : $0) }
  switch words[0] {
  case "sign":
    let key = try RSA.Signing.PrivateKey(derRepresentation: bytes[0])
    let signature = try key.signature(for: bytes[1], padding: .insecurePKCS1v1_5)
    return Hexadecimal.encode(signature.rawRepresentation)
  case "verify":
    let key = try RSA.Signing.PublicKey(derRepresentation: bytes[0])
    let signature = RSA.Signing.RSASignature(rawRepresentation: bytes[2])
    return key.isValidSignature(signature, for: bytes[1], padding: .insecurePKCS1v1_5)
      ? "yes" : "no"
  case "private": return try yes(RSA.Signing.PrivateKey(derRepresentation: bytes[0]))
  default: return try yes(RSA.Signing.PublicKey(derRepresentation: bytes[0]))
  }
}

func yes(_: some Any) -> String { "yes" }

while let line = readLine() {
  let words = line.split(separator: " ").map(String.init)
  print((try? answer(words)) ?? "no")
}
