// SPDX-License-Identifier: Apache-2.0
// Rejects digests of other hash functions at compile time. As collections of bytes, they would be
// hashed a second time.

public import SecureHashing

extension P256.Signing.PrivateKey {
  /// Only SHA-256 digests can be signed.
  @available(*, unavailable, message: "Pass the message, or its SHA-256 digest.")
  public func signature(
    for digest: some HashDigest, entropy: [UInt8] = []
  ) -> P256.Signing.ECDSASignature {
    signature(for: SHA256.hash(data: digest), entropy: entropy)
  }
}

extension P256.Signing.PublicKey {
  /// Only signatures of SHA-256 digests can be verified.
  @available(*, unavailable, message: "Pass the message, or its SHA-256 digest.")
  public func isValidSignature(
    _ signature: P256.Signing.ECDSASignature, for digest: some HashDigest
  ) -> Bool {
    false
  }
}

extension P256.Signing.PreparedPublicKey {
  /// Only signatures of SHA-256 digests can be verified.
  @available(*, unavailable, message: "Pass the message, or its SHA-256 digest.")
  public func isValidSignature(
    _ signature: P256.Signing.ECDSASignature, for digest: some HashDigest
  ) -> Bool {
    false
  }
}

extension RSA.Signing.PrivateKey {
  /// Only SHA-256 and SHA-1 digests can be signed.
  @available(*, unavailable, message: "Pass the message, or its SHA-256 or SHA-1 digest.")
  public func signature(
    for digest: some HashDigest, padding: RSA.Signing.Padding
  ) throws(RSA.SigningError) -> RSA.Signing.RSASignature {
    try signature(for: SHA256.hash(data: digest), padding: padding)
  }
}

extension RSA.Signing.PublicKey {
  /// Only signatures of SHA-256 and SHA-1 digests can be verified.
  @available(*, unavailable, message: "Pass the message, or its SHA-256 or SHA-1 digest.")
  public func isValidSignature(
    _ signature: RSA.Signing.RSASignature, for digest: some HashDigest, padding: RSA.Signing.Padding
  ) -> Bool {
    false
  }
}
