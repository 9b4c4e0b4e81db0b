// SPDX-License-Identifier: Apache-2.0
// Ed25519 of this package, compared with OpenSSL's: EVP_DigestSign(3) and EVP_DigestVerify(3).

internal import BenchmarkSupport
internal import DigitalSignatures

enum EdwardsTrials {
  /// RFC 8032, 7.1, test 3: the seed, and its message of two bytes.
  private static let seed: [UInt8] = [
    0xC5, 0xAA, 0x8D, 0xF4, 0x3F, 0x9F, 0x83, 0x7B, 0xED, 0xB7, 0x44, 0x2F, 0x31, 0xDC, 0xB7, 0xB1,
    0x66, 0xD3, 0x85, 0x35, 0x07, 0x6F, 0x09, 0x4B, 0x85, 0xCE, 0x3A, 0x2E, 0x0B, 0x44, 0x58, 0xF7,
  ]
  private static let message: [UInt8] = [0xAF, 0x82]

  /// Signing, verification, and making a key of a seed.
  static func trials(_ library: OpenSSLLibrary) throws -> [Trial] {
    let key = try Curve25519.Signing.PrivateKey(rawRepresentation: seed)
    let peer = try OpenSSLKey(library, ed25519: key.derRepresentation)
    return [signing(key, peer), verifying(key, peer), making(peer)]
  }

  private static func signing(_ key: Curve25519.Signing.PrivateKey, _ peer: OpenSSLKey) -> Trial {
    let memory = SignatureMemory()
    let ours = Contender(
      name: "swift-sigv4",
      run: { for _ in 0..<$0 { memory.bytes = key.signature(for: message) } },
      output: { memory.bytes })
    let theirs = Contender(
      name: "openssl", run: { for _ in 0..<$0 { peer.sign(message) } },
      output: { peer.signature })
    return Trial(
      operation: "ed25519-sign", bytes: 2, messages: 1, baseline: "openssl",
      contenders: [ours, theirs], expected: key.signature(for: message), figures: .operations,
      remark: "of two bytes")
  }

  private static func verifying(
    _ key: Curve25519.Signing.PrivateKey, _ peer: OpenSSLKey
  ) -> Trial {
    let (publicKey, signature) = (key.publicKey, key.signature(for: message))
    return trial(
      "ed25519-verify", remark: "of two bytes",
      { publicKey.isValidSignature(signature, for: message) },
      { peer.verify(signature, message) })
  }

  private static func making(_ peer: OpenSSLKey) -> Trial {
    trial(
      "ed25519-key", remark: "the key pair of a seed",
      { (try? Curve25519.Signing.PrivateKey(rawRepresentation: seed)) != nil },
      { peer.makeKey(seed) })
  }

  /// A trial of two ways to do something that succeeds.
  static func trial(
    _ operation: String, bytes: Int = 2, remark: String, _ ours: @escaping () -> Bool,
    _ theirs: @escaping () -> Bool
  ) -> Trial {
    let result = SignatureMemory()
    func contender(_ name: String, _ succeeds: @escaping () -> Bool) -> Contender {
      Contender(
        name: name, run: { for _ in 0..<$0 { result.bytes = [succeeds() ? 1 : 0] } },
        output: { result.bytes })
    }
    return Trial(
      operation: operation, bytes: bytes, messages: 1, baseline: "openssl",
      contenders: [contender("swift-sigv4", ours), contender("openssl", theirs)], expected: [1],
      figures: .operations, remark: remark)
  }
}
