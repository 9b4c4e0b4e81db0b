// SPDX-License-Identifier: Apache-2.0
// The key of Signature Version 4a: an ECDSA key derived from the secret access key.

public import DigitalSignatures
public import RequestSigning
internal import SecureHashing

extension SigV4 {
  /// The Signature Version 4a key of an access key ID, valid for every day, region and service.
  ///
  /// Deriving it is much faster than signing. Deriving its public key takes about as long as
  /// signing, and a service needs only the public key to verify. Secret: the key is wiped when the
  /// last copy is released, and never printed.
  public struct MultiRegionKey: Sendable, CustomStringConvertible {
    /// The access key ID of the key.
    public let accessKeyID: String

    /// The private key. Secret.
    public let privateKey: P256.Signing.PrivateKey

    /// Derives the key from credentials.
    public init(_ credentials: Credentials) {
      accessKeyID = credentials.accessKeyID
      privateKey = Self.derive(Self.derivationKey(credentials), accessKeyID)
    }

    /// SP 800-108, 4.1: a counter, a label, a zero, the context, the number of bits. AWS's context
    /// is the access key ID and a second counter. One candidate in 2^32 isn't a valid key, and the
    /// next one is used.
    private static func derive(_ key: SymmetricKey, _ accessKeyID: String)
      -> P256.Signing.PrivateKey
    {
      let label = SignatureAlgorithm.ecdsaP256SHA256.name.description
      var counter: UInt8 = 1
      while true {
        let message: [UInt8] =
          [0, 0, 0, 1] + label.utf8 + [0] + accessKeyID.utf8 + [counter, 0, 0, 1, 0]
        let candidate = HMAC<SHA256>.authenticationCode(for: message, using: key).digest
        if let key = P256.Signing.PrivateKey(candidate: candidate) { return key }
        counter &+= 1
      }
    }

    /// Creates a key that was derived elsewhere.
    ///
    /// - Throws: `invalidAccessKeyID`.
    public init(
      privateKey: P256.Signing.PrivateKey, accessKeyID: String
    ) throws(SigningError) {
      try Identity.checkAccessKeyID(accessKeyID)
      self.accessKeyID = accessKeyID
      self.privateKey = privateKey
    }

    /// Returns the signature of a string to sign: ECDSA in DER.
    public func signature(of stringToSign: StringToSign) -> Signature {
      signature(of: stringToSign.bytes)
    }

    func signature(of stringToSign: [UInt8]) -> Signature {
      Signature(privateKey.signature(for: stringToSign))
    }

    /// "AWS4A" and the secret access key. Secret.
    private static func derivationKey(_ credentials: Credentials) -> SymmetricKey {
      // Safety: the bytes are copied before the closure returns, and the copy is wiped.
      unsafe credentials.derivationSecret.withUnsafeBytes { secret in
        var marked = unsafe [UInt8]("AWS4A".utf8) + secret.dropFirst("AWS4".utf8.count)
        defer { unsafe marked.withUnsafeMutableBytes { unsafe ConstantTime.wipe($0) } }
        return SymmetricKey(data: marked)
      }
    }

    /// The access key ID, without the key.
    public var description: String { "MultiRegionKey(\(AccessKeyID.shown(accessKeyID)))" }
  }
}

extension SigV4.MultiRegionKey: Redacted {}

extension SigV4.Signature {
  /// Creates a signature from one made outside the library, for `PendingSignature.signed(with:)`.
  /// It's 8 to 72 bytes of DER (SEC 1, section C.5).
  public init(_ signature: P256.Signing.ECDSASignature) {
    self.init(bytes: signature.derRepresentation)
  }
}
