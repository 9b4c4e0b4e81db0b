// SPDX-License-Identifier: Apache-2.0
// Ed25519 signatures, and what is wrong with their keys.

/// Curve25519 of RFC 7748 and RFC 8032, spelled as in CryptoKit. Only for signatures.
public enum Curve25519 {
  /// Ed25519 signatures (RFC 8032, 5.1): 64 bytes, in which the message is hashed with SHA-512.
  ///
  ///     let key = try Curve25519.Signing.PrivateKey(pemRepresentation: text)
  ///     let signature = key.signature(for: message)
  ///     key.publicKey.isValidSignature(signature, for: message)  // true
  public enum Signing {}
}

extension KeyDecodingError {
  static var invalidEdwardsPoint: Self {
    Self(
      .invalidPoint, "The 32 bytes aren't the encoding of a point of Ed25519.",
      fix: "Check for a key of a different curve, such as X25519, or changed bytes.")
  }

  static var smallOrder: Self {
    Self(
      .invalidPoint,
      "The public key has a small order, so one signature would be valid for many messages.",
      fix: "Don't trust its owner. No private key has this public key.")
  }
}
