// SPDX-License-Identifier: Apache-2.0
// The public key of an access key ID, which verifies Signature Version 4a.

public import DigitalSignatures
public import MultiRegionSigning
@_exported public import RequestVerification
public import SecureHashing

extension SigV4 {
  /// The public key of an access key ID, which verifies Signature Version 4a.
  ///
  ///     var verifier = SigV4.Verifier(region: "eu-west-1", service: .s3)
  ///     verifier.algorithms = [.ecdsaP256SHA256]
  ///     let unverified = try verifier.check(request, at: now)
  ///     let key = await key(of: unverified.accessKeyID)     // your lookup
  ///     let verified = try unverified.verify(with: key)
  ///
  /// It's valid for every day, region and service. A service that stores public keys can verify
  /// without secrets.
  public struct MultiRegionPublicKey: Sendable, CustomStringConvertible {
    /// The key's access key ID, required session token and expiration.
    public let identity: Identity

    /// The public key.
    public let key: P256.Signing.PublicKey

    private let table: P256.Signing.PreparedPublicKey?

    private init(
      _ key: P256.Signing.PublicKey, _ identity: Identity, _ table: P256.Signing.PreparedPublicKey?
    ) {
      self.key = key
      self.identity = identity
      self.table = table
    }

    /// Creates a key that was derived elsewhere.
    public init(_ key: P256.Signing.PublicKey, identity: Identity) {
      self.init(key, identity, nil)
    }

    /// Derives the key from credentials. This takes about as long as signing, so cache the key.
    public init(_ credentials: Credentials) {
      self.init(
        MultiRegionKey(credentials).privateKey.publicKey, identity: credentials.identity)
    }

    /// Returns the key with a table of 21 KB, with which verification takes a third of the time.
    ///
    /// Creating the table takes about as long as three verifications. Cache the key for frequent
    /// clients.
    public func prepared() -> MultiRegionPublicKey {
      Self(key, identity, table ?? P256.Signing.PreparedPublicKey(key))
    }

    /// Whether a DER signature is valid for a string to sign. It takes variable time, because
    /// nothing here is secret.
    func isSignature(_ bytes: [UInt8], of stringToSign: [UInt8]) -> Bool {
      guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: bytes) else {
        return false
      }
      return table?.isValidSignature(signature, for: stringToSign)
        ?? key.isValidSignature(signature, for: stringToSign)
    }

    /// The access key ID.
    public var description: String { "MultiRegionPublicKey(\(identity.shownAccessKeyID))" }
  }
}

/// Verification with a public key.
extension SigV4.UnverifiedRequest {
  /// Verifies a Signature Version 4a request with the public key of `accessKeyID`. If you pass a
  /// digest, checks that the body has it.
  ///
  /// - Throws: `signatureMismatch`, `sessionTokenMismatch` if the token is missing or isn't the one
  ///   in the key's identity, `credentialsExpired`, `wrongKey` if the request has a different
  ///   access key ID or algorithm, and `bodyDigestRequired`, `bodyMismatch` and `bodyNotCovered`,
  ///   as with credentials.
  public func verify(
    with key: SigV4.MultiRegionPublicKey, bodyDigest: SHA256.Digest? = nil
  ) throws(SigV4.VerificationError) -> SigV4.VerifiedRequest {
    try verify(.ecdsaP256SHA256, of: key.identity, bodyDigest: bodyDigest) {
      key.isSignature($0, of: $1)
    }
  }
}
