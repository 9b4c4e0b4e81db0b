// SPDX-License-Identifier: Apache-2.0
// What verifies Signature Version 4a: the public key of an access key ID.

public import DigitalSignatures
public import MultiRegionSigning
@_exported public import RequestVerification
public import SecureHashing

extension SigV4 {
  /// The public key of an access key ID, with which a service verifies Signature Version 4a.
  ///
  ///     var verifier = SigV4.Verifier(region: "eu-west-1", service: .s3)
  ///     verifier.algorithms = [.ecdsaP256SHA256]
  ///     let unverified = try verifier.check(request, at: now)
  ///     let key = await key(of: unverified.accessKeyID)     // your look-up
  ///     let verified = try unverified.verify(with: key)
  ///
  /// It is good for every day, region and service. A service that keeps these needs no secret to
  /// verify with.
  public struct MultiRegionPublicKey: Sendable, CustomStringConvertible {
    /// Whose key it is: the access key ID, the session token that has to come with it, and its end.
    public let identity: Identity

    /// The key itself.
    public let key: P256.Signing.PublicKey

    private let table: P256.Signing.PreparedPublicKey?

    private init(
      _ key: P256.Signing.PublicKey, _ identity: Identity, _ table: P256.Signing.PreparedPublicKey?
    ) {
      self.key = key
      self.identity = identity
      self.table = table
    }

    /// A key that was derived elsewhere.
    public init(_ key: P256.Signing.PublicKey, identity: Identity) {
      self.init(key, identity, nil)
    }

    /// Derives the key of credentials, which takes about as long as a signature: keep it.
    public init(_ credentials: Credentials) {
      self.init(
        MultiRegionKey(credentials).privateKey.publicKey, identity: credentials.identity)
    }

    /// The same key with a table of 21 KB, which verifies in a third of the time. Making the table
    /// takes as long as about three verifications: keep it for clients that come often.
    public func prepared() -> MultiRegionPublicKey {
      Self(key, identity, table ?? P256.Signing.PreparedPublicKey(key))
    }

    /// Whether a signature in DER is one of a string to sign. In variable time: nothing of it is
    /// secret.
    func isSignature(_ bytes: [UInt8], of stringToSign: [UInt8]) -> Bool {
      guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: bytes) else {
        return false
      }
      return table?.isValidSignature(signature, for: stringToSign)
        ?? key.isValidSignature(signature, for: stringToSign)
    }

    /// The access key ID.
    public var description: String { "MultiRegionPublicKey(\(identity.accessKeyID))" }
  }
}

/// Verification with a public key.
extension SigV4.UnverifiedRequest {
  /// Proves a claim of Signature Version 4a with the public key of `accessKeyID`, and, where it is
  /// given, that the body has this digest.
  ///
  /// Throws `signatureMismatch`; `sessionTokenMismatch` when the token is not that of the key's
  /// identity, or is missing; `credentialsExpired`; `wrongKey` for a claim of another access key ID or
  /// algorithm; `bodyDigestRequired`, `bodyMismatch` and `bodyNotCovered`, as with credentials.
  public func verify(
    with key: SigV4.MultiRegionPublicKey, bodyDigest: SHA256.Digest? = nil
  ) throws(SigV4.VerificationError) -> SigV4.VerifiedRequest {
    try verify(.ecdsaP256SHA256, of: key.identity, bodyDigest: bodyDigest) {
      key.isSignature($0, of: $1)
    }
  }
}
