// SPDX-License-Identifier: Apache-2.0
// Digests of other hash functions. As mere collections of bytes, they would be hashed again.

public import SecureHashing

extension P256.Signing.PrivateKey {
  /// Signs a digest of any hash function, as its leftmost 256 bits (FIPS 186-5, 6.4.1). Otherwise
  /// like ``signature(for:entropy:)-(Collection<UInt8>,_)``.
  ///
  /// The nonce always comes from HMAC-SHA-256. For a different hash function, RFC 6979 computes it
  /// with that function's HMAC, so its examples have different signatures, which are also valid.
  public func signature(
    for digest: some HashDigest, entropy: [UInt8] = []
  ) -> P256.Signing.ECDSASignature {
    signature(for: SHA256.Digest(leftmostBitsOf: digest), entropy: entropy)
  }
}

extension P256.Signing.PublicKey {
  /// Returns whether a signature belongs to a digest of any hash function, as its leftmost 256 bits
  /// (FIPS 186-5, 6.4.2). Takes variable time, because nothing is secret.
  public func isValidSignature(
    _ signature: P256.Signing.ECDSASignature, for digest: some HashDigest
  ) -> Bool {
    isValidSignature(signature, for: SHA256.Digest(leftmostBitsOf: digest))
  }
}

extension P256.Signing.PreparedPublicKey {
  /// Returns whether a signature belongs to a digest of any hash function, as its leftmost 256 bits
  /// (FIPS 186-5, 6.4.2). Takes variable time.
  public func isValidSignature(
    _ signature: P256.Signing.ECDSASignature, for digest: some HashDigest
  ) -> Bool {
    isValidSignature(signature, for: SHA256.Digest(leftmostBitsOf: digest))
  }
}

// These two aren't unavailable, because the compiler would choose the functions for messages
// instead. Generic code calls them also with SHA-256 digests.

extension RSA.Signing.PrivateKey {
  /// Only SHA-256 digests can be signed, or SHA-512 digests with PSS, because a signature depends
  /// on its hash function.
  ///
  /// - Throws: `unsupportedDigest`.
  @available(*, deprecated, message: "Pass the message, or a SHA-256 or SHA-512 digest.")
  public func signature(
    for digest: some HashDigest, padding: RSA.Signing.Padding
  ) throws(RSA.SigningError) -> RSA.Signing.RSASignature {
    if let digest = digest as? SHA256.Digest { return try signature(for: digest, padding: padding) }
    if let digest = digest as? SHA512.Digest { return try signature(for: digest, padding: padding) }
    throw RSA.SigningError(code: .unsupportedDigest)
  }
}

extension RSA.Signing.PublicKey {
  /// Only signatures of SHA-256 digests, or SHA-512 digests with PSS, can be verified. Returns
  /// false for others.
  @available(*, deprecated, message: "Pass the message, or a SHA-256 or SHA-512 digest.")
  public func isValidSignature(
    _ signature: RSA.Signing.RSASignature, for digest: some HashDigest, padding: RSA.Signing.Padding
  ) -> Bool {
    if let digest = digest as? SHA256.Digest {
      return isValidSignature(signature, for: digest, padding: padding)
    }
    if let digest = digest as? SHA512.Digest {
      return isValidSignature(signature, for: digest, padding: padding)
    }
    return false
  }
}
