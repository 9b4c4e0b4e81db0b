// SPDX-License-Identifier: Apache-2.0
// Keys, each for one algorithm, so that a message can't choose another (RFC 9421, section 3.3).

public import DigitalSignatures
public import SecureHashing

extension MessageSignature {
  /// A key that signs messages, with its algorithm.
  public struct SigningKey: Sendable {
    private let kind: Kind

    private enum Kind: Sendable {
      case hmac(SymmetricKey)
      case ed25519(Curve25519.Signing.PrivateKey)
      case p256(P256.Signing.PrivateKey)
      case rsaPKCS1(RSA.Signing.PrivateKey)
      case rsaPSS(RSA.Signing.PrivateKey)
    }

    /// A secret that both sides have: HMAC with SHA-256 (`hmac-sha256`, section 3.3.3).
    public static func hmac(_ key: SymmetricKey) -> Self { Self(kind: .hmac(key)) }

    /// Ed25519 (`ed25519`, section 3.3.6).
    public static func ed25519(_ key: Curve25519.Signing.PrivateKey) -> Self {
      Self(kind: .ed25519(key))
    }

    /// ECDSA with P-256 and SHA-256 (`ecdsa-p256-sha256`, section 3.3.4).
    public static func p256(_ key: P256.Signing.PrivateKey) -> Self { Self(kind: .p256(key)) }

    /// RSA with PKCS #1 v1.5 and SHA-256 (`rsa-v1_5-sha256`, section 3.3.2), for partners who need
    /// it.
    public static func rsaPKCS1(_ key: RSA.Signing.PrivateKey) -> Self {
      Self(kind: .rsaPKCS1(key))
    }

    /// RSASSA-PSS with SHA-512 (`rsa-pss-sha512`, section 3.3.1).
    public static func rsaPSS(_ key: RSA.Signing.PrivateKey) -> Self { Self(kind: .rsaPSS(key)) }

    func signature(of base: [UInt8]) throws(MessageSignatureError) -> [UInt8] {
      switch kind {
      case .hmac(let key):
        if key.byteCount == 0 {
          throw MessageSignatureError(.unusableKey, "The secret is empty.")
        }
        return Array(HMAC<SHA256>.authenticationCode(for: base, using: key))
      case .ed25519(let key): return key.signature(for: base)
      case .p256(let key): return key.signature(for: base).rawRepresentation
      case .rsaPKCS1(let key):
        return try Self.checked { () throws(RSA.SigningError) in
          try key.signature(for: base, padding: .insecurePKCS1v1_5)
        }
      case .rsaPSS(let key):
        return try Self.checked { () throws(RSA.SigningError) in
          try key.signature(for: SHA512.hash(data: base), padding: .PSS)
        }
      }
    }

    private static func checked(
      _ sign: () throws(RSA.SigningError) -> RSA.Signing.RSASignature
    ) throws(MessageSignatureError) -> [UInt8] {
      do throws(RSA.SigningError) {
        return try sign().rawRepresentation
      } catch { throw MessageSignatureError(.unusableKey, error.problem) }
    }
  }

  /// A key that verifies messages, with its algorithm.
  public struct VerificationKey: Sendable {
    private let kind: Kind

    private enum Kind: Sendable {
      case hmac(SymmetricKey)
      case ed25519(Curve25519.Signing.PublicKey)
      case p256(P256.Signing.PublicKey)
      case rsaPKCS1(RSA.Signing.PublicKey)
      case rsaPSS(RSA.Signing.PublicKey)
    }

    /// A secret that both sides have: HMAC with SHA-256 (`hmac-sha256`, section 3.3.3).
    public static func hmac(_ key: SymmetricKey) -> Self { Self(kind: .hmac(key)) }

    /// Ed25519 (`ed25519`, section 3.3.6).
    public static func ed25519(_ key: Curve25519.Signing.PublicKey) -> Self {
      Self(kind: .ed25519(key))
    }

    /// ECDSA with P-256 and SHA-256 (`ecdsa-p256-sha256`, section 3.3.4).
    public static func p256(_ key: P256.Signing.PublicKey) -> Self { Self(kind: .p256(key)) }

    /// RSA with PKCS #1 v1.5 and SHA-256 (`rsa-v1_5-sha256`, section 3.3.2), for partners who need
    /// it.
    public static func rsaPKCS1(_ key: RSA.Signing.PublicKey) -> Self { Self(kind: .rsaPKCS1(key)) }

    /// RSASSA-PSS with SHA-512 (`rsa-pss-sha512`, section 3.3.1).
    public static func rsaPSS(_ key: RSA.Signing.PublicKey) -> Self { Self(kind: .rsaPSS(key)) }

    /// The name of the algorithm in the registry of RFC 9421, section 6.2.
    var algorithm: String {
      switch kind {
      case .hmac: "hmac-sha256"
      case .ed25519: "ed25519"
      case .p256: "ecdsa-p256-sha256"
      case .rsaPKCS1: "rsa-v1_5-sha256"
      case .rsaPSS: "rsa-pss-sha512"
      }
    }

    /// Returns whether a signature matches a base. False for an empty secret.
    func isValid(_ signature: [UInt8], of base: [UInt8]) -> Bool {
      switch kind {
      case .hmac(let key):
        return key.byteCount > 0
          && HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: base, using: key)
      case .ed25519(let key): return key.isValidSignature(signature, for: base)
      case .p256(let key):
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
        else { return false }
        return key.isValidSignature(signature, for: base)
      case .rsaPKCS1(let key):
        return key.isValidSignature(
          RSA.Signing.RSASignature(rawRepresentation: signature), for: base,
          padding: .insecurePKCS1v1_5)
      case .rsaPSS(let key):
        return key.isValidSignature(
          RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA512.hash(data: base),
          padding: .PSS)
      }
    }
  }
}
