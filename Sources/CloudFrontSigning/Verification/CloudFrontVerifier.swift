// SPDX-License-Identifier: Apache-2.0
// Verifies signed URLs and signed cookies, as CloudFront does.

public import DigitalSignatures
public import RequestSigning
internal import SecureHashing

/// Verifies signed URLs and signed cookies, for a local stand-in of CloudFront in tests.
///
///     let verifier = CloudFrontVerifier(publicKeys: ["K2JCJMDEHXQW5F": .rsa(publicKey)])
///     let access = try verifier.verify(
///       url: "https://cdn.example.com" + request.target, cookies: request.headers["cookie"],
///       from: request.peerAddress, at: now)
///
/// Source: Amazon CloudFront, Developer Guide, "How signed URLs work", "How signed cookies work".
public struct CloudFrontVerifier: Sendable {
  /// The public keys by key pair ID.
  public let publicKeys: [String: PublicKey]

  /// Creates a verifier.
  public init(publicKeys: [String: PublicKey]) {
    self.publicKeys = publicKeys
  }

  /// A public key of a key group.
  public struct PublicKey: Sendable {
    fileprivate let kind: X509PublicKey

    /// An RSA key.
    public static func rsa(_ key: RSA.Signing.PublicKey) -> Self { Self(kind: .rsa(key)) }
    /// A P-256 key.
    public static func p256(_ key: P256.Signing.PublicKey) -> Self { Self(kind: .p256(key)) }

    /// Creates a key from a PUBLIC KEY block in PEM, as uploaded to CloudFront.
    ///
    /// - Throws: `invalidKey` if it isn't an RSA or P-256 key, and `unsupportedKey` for an RSA key
    ///   whose size or exponent isn't supported.
    public init(pemRepresentation: String) throws(SigV4.SigningError) {
      do throws(KeyDecodingError) {
        kind = try X509PublicKey(pemRepresentation: pemRepresentation)
      } catch { throw .invalidKey(error) }
    }

    fileprivate init(kind: X509PublicKey) { self.kind = kind }
  }

  /// The access that a verified signature gives.
  public struct Access: Sendable {
    /// The URL without CloudFront's parameters, which the origin receives.
    public let url: String

    /// The key that signed the policy.
    public let keyPairID: String

    /// When access ends.
    public let expiration: SigV4.Timestamp
  }

  /// Verifies a request with the parameters of a signed URL, or otherwise with signed cookies.
  ///
  /// - Parameters:
  ///   - url: the whole URL as the client requested it.
  ///   - cookies: the value of the `Cookie` header. A signed URL takes precedence over it.
  ///   - address: the client's address, such as `192.0.2.7`. A policy may limit it.
  ///   - now: the current time.
  ///
  /// - Throws: The first reason, in this order: malformed or missing parts, an unknown key, the
  ///   signature, the resource, the start, the expiration, the address.
  public func verify(
    url: String, cookies: String? = nil, from address: String, at now: SigV4.Timestamp
  ) throws(CloudFrontVerificationError) -> Access {
    let request = try ReceivedURL(url)
    let fields = request.fields.isEmpty ? ReceivedFields(cookies: cookies ?? "") : request.fields
    let signature = try ReceivedSignature(fields, of: request.base)
    guard let key = publicKeys[signature.keyPairID] else { throw .init(.unknownKeyPairID) }
    try key.verify(signature)
    let policy = try ReceivedPolicy(signature.statement)
    try policy.check(request.base, address.bytesInUTF8, now)
    return Access(
      url: request.base.textInUTF8, keyPairID: signature.keyPairID, expiration: policy.expiration)
  }
}

extension CloudFrontVerifier.PublicKey {
  fileprivate func verify(
    _ received: CloudFrontVerifier.ReceivedSignature
  ) throws(CloudFrontVerificationError) {
    let (statement, isSHA256) = (received.statement, received.hashAlgorithm == .sha256)
    let isValid: Bool
    switch kind {
    case .p256(let key):
      let signature = try? P256.Signing.ECDSASignature(derRepresentation: received.signature)
      guard let signature else { throw .init(.invalidSignature) }
      isValid =
        isSHA256
        ? key.isValidSignature(signature, for: statement)
        : key.isValidSignature(signature, for: SHA1.hash(data: statement))
    case .rsa(let key):
      let signature = RSA.Signing.RSASignature(rawRepresentation: received.signature)
      isValid =
        isSHA256
        ? key.isValidSignature(signature, for: statement, padding: .insecurePKCS1v1_5)
        : key.isValidSignature(
          signature, for: SHA1.hash(data: statement), padding: .insecurePKCS1v1_5)
    }
    if !isValid { throw .init(.invalidSignature) }
  }
}
