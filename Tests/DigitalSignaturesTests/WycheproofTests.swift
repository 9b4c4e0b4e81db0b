// SPDX-License-Identifier: Apache-2.0
// Signatures that are easily accepted or rejected by mistake.

internal import DigitalSignatures
internal import TestSupport
internal import Testing

@Suite("Signatures of Project Wycheproof")
struct WycheproofTests {
  /// Source: Project Wycheproof, `ecdsa_secp256r1_sha256_test.json` and the same for P1363
  /// (`wycheproof-p256.py`). No test there is a matter of choice: BER that is not DER is invalid.
  @Test("Valid signatures are accepted and invalid ones rejected, in both forms")
  func signatures() throws {
    let vectors = try VectorTable(named: "wycheproof-p256.txt").records
    let valid = try vectors.filter { try $0.text("valid") == "yes" }
    #expect(vectors.count == 746 && valid.count == 347)
    for vector in vectors {
      let key = try P256.Signing.PublicKey(x963Representation: vector.hexadecimal("key"))
      let (message, bytes) = try (vector.hexadecimal("message"), vector.hexadecimal("signature"))
      let read = try signature(bytes, form: vector.text("form"))
      let accepted = read.map { key.isValidSignature($0, for: message) } ?? false
      #expect(accepted == (try vector.text("valid") == "yes"), "\(vector)")
      let prepared = P256.Signing.PreparedPublicKey(key)
      #expect(accepted == (read.map { prepared.isValidSignature($0, for: message) } ?? false))
    }
  }

  /// Nil if the bytes are rejected.
  private func signature(_ bytes: [UInt8], form: String) -> P256.Signing.ECDSASignature? {
    form == "DER"
      ? try? P256.Signing.ECDSASignature(derRepresentation: bytes)
      : try? P256.Signing.ECDSASignature(rawRepresentation: bytes)
  }
}
