// SPDX-License-Identifier: Apache-2.0
// Keys, each for one algorithm, so that a message can't choose another (RFC 9421, section 3.3).

public import DigitalSignatures
public import SecureHashing

extension MessageSignature {
  /// A key that signs messages, with its algorithm.
  public struct SigningKey: Sendable {
    /// The signature of a base.
    let signature: @Sendable (_ base: [UInt8]) throws(MessageSignatureError) -> [UInt8]

    /// A secret that both sides have: HMAC with SHA-256 (`hmac-sha256`, section 3.3.3).
    public static func hmac(_ key: SymmetricKey) -> Self {
      Self { base throws(MessageSignatureError) in
        if key.byteCount > 0 {
          return Array(HMAC<SHA256>.authenticationCode(for: base, using: key))
        }
        throw MessageSignatureError(.unusableKey, "The secret is empty.")
      }
    }

    /// Ed25519 (`ed25519`, section 3.3.6).
    public static func ed25519(_ key: Curve25519.Signing.PrivateKey) -> Self {
      Self { base throws(MessageSignatureError) in key.signature(for: base) }
    }

    /// ECDSA with P-256 and SHA-256 (`ecdsa-p256-sha256`, section 3.3.4).
    public static func p256(_ key: P256.Signing.PrivateKey) -> Self {
      Self { base throws(MessageSignatureError) in key.signature(for: base).rawRepresentation }
    }

    /// RSA with PKCS #1 v1.5 and SHA-256 (`rsa-v1_5-sha256`, section 3.3.2), for partners who need
    /// it.
    public static func rsaPKCS1(_ key: RSA.Signing.PrivateKey) -> Self {
      rsa { base throws(RSA.SigningError) in
        try key.signature(for: base, padding: .insecurePKCS1v1_5)
      }
    }

    /// RSASSA-PSS with SHA-512 (`rsa-pss-sha512`, section 3.3.1).
    public static func rsaPSS(_ key: RSA.Signing.PrivateKey) -> Self {
      rsa { base throws(RSA.SigningError) in
        try key.signature(for: SHA512.hash(data: base), padding: .PSS)
      }
    }

    private static func rsa(
      _ sign: @escaping @Sendable ([UInt8]) throws(RSA.SigningError) -> RSA.Signing.RSASignature
    ) -> Self {
      Self { base throws(MessageSignatureError) in
        do throws(RSA.SigningError) {
          return try sign(base).rawRepresentation
        } catch { throw MessageSignatureError(.unusableKey, error.problem) }
      }
    }
  }

  /// A key that verifies messages, with its algorithm.
  public struct VerificationKey: Sendable {
    /// The name in the registry of RFC 9421, section 6.2.
    let algorithm: String
    let isValid: @Sendable (_ signature: [UInt8], _ base: [UInt8]) -> Bool

    /// A secret that both sides have: HMAC with SHA-256 (`hmac-sha256`, section 3.3.3).
    public static func hmac(_ key: SymmetricKey) -> Self {
      Self(algorithm: "hmac-sha256") { signature, base in
        key.byteCount > 0
          && HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: base, using: key)
      }
    }

    /// Ed25519 (`ed25519`, section 3.3.6).
    public static func ed25519(_ key: Curve25519.Signing.PublicKey) -> Self {
      Self(algorithm: "ed25519") { key.isValidSignature($0, for: $1) }
    }

    /// ECDSA with P-256 and SHA-256 (`ecdsa-p256-sha256`, section 3.3.4).
    public static func p256(_ key: P256.Signing.PublicKey) -> Self {
      Self(algorithm: "ecdsa-p256-sha256") { signature, base in
        let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
        return signature.map { key.isValidSignature($0, for: base) } ?? false
      }
    }

    /// RSA with PKCS #1 v1.5 and SHA-256 (`rsa-v1_5-sha256`, section 3.3.2), for partners who need
    /// it.
    public static func rsaPKCS1(_ key: RSA.Signing.PublicKey) -> Self {
      Self(algorithm: "rsa-v1_5-sha256") { signature, base in
        key.isValidSignature(
          RSA.Signing.RSASignature(rawRepresentation: signature), for: base,
          padding: .insecurePKCS1v1_5)
      }
    }

    /// RSASSA-PSS with SHA-512 (`rsa-pss-sha512`, section 3.3.1).
    public static func rsaPSS(_ key: RSA.Signing.PublicKey) -> Self {
      Self(algorithm: "rsa-pss-sha512") { signature, base in
        key.isValidSignature(
          RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA512.hash(data: base),
          padding: .PSS)
      }
    }
  }
}
