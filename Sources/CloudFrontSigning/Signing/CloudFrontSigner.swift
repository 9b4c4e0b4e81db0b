// SPDX-License-Identifier: Apache-2.0
// Signs URLs and cookies for Amazon CloudFront with a private key.

public import DigitalSignatures
// `import CloudFrontSigning` also imports `SigV4.Timestamp`.
@_exported public import RequestSigning
internal import SecureHashing

/// Signs URLs and cookies that give access to private content on Amazon CloudFront.
///
///     let signer = try CloudFrontSigner(keyPairID: "K2JCJMDEHXQW5F", privateKeyPEM: pem)
///     let link = try signer.signedURL(
///       "https://d111111abcdef8.cloudfront.net/film.mp4", expiresIn: .seconds(600), at: now)
///     print(link.url)
///
/// A canned policy gives access to one URL until an expiration. A ``CloudFrontPolicy`` can also
/// contain wildcards, a start and a range of addresses.
///
/// Sources: Amazon CloudFront, Developer Guide, "Use signed URLs" and "Use signed cookies"; API
/// Reference, PublicKey: RSA 2048 or ECDSA P-256.
public struct CloudFrontSigner: Sendable {
  /// The ID of the public key in a key group that the distribution trusts.
  public let keyPairID: String

  /// The hash function of the signatures.
  public let hashAlgorithm: HashAlgorithm

  private let key: X509PrivateKey

  /// Creates a signer with an RSA key.
  ///
  /// - Parameters:
  ///   - keyPairID: the ID of the public key, such as `K2JCJMDEHXQW5F`.
  ///   - privateKey: a 2048-bit key, the only size that CloudFront accepts.
  ///   - hashAlgorithm: the hash function of the signatures.
  ///
  /// - Throws: `invalidKeyPairID`, or `unsupportedKey` for any other key size.
  public init(
    keyPairID: String, privateKey: RSA.Signing.PrivateKey, hashAlgorithm: HashAlgorithm = .sha256
  ) throws(SigV4.SigningError) {
    if privateKey.keySizeInBits != 2_048 {
      throw .unsupportedKeySize(
        "CloudFront requires RSA keys of 2048 bits, but this one has \(privateKey.keySizeInBits).")
    }
    try self.init(keyPairID, .rsa(privateKey), hashAlgorithm)
  }

  /// Creates a signer with a P-256 key. Its signatures use SHA-256 and are shorter than RSA's.
  ///
  /// - Throws: `invalidKeyPairID`.
  public init(
    keyPairID: String, privateKey: P256.Signing.PrivateKey
  ) throws(SigV4.SigningError) {
    try self.init(keyPairID, .p256(privateKey), .sha256)
  }

  /// Creates a signer with an RSA or P-256 key in PEM: a PRIVATE KEY, RSA PRIVATE KEY or EC PRIVATE
  /// KEY block.
  ///
  /// - Throws: `invalidKeyPairID`, `invalidKey` if the string isn't a key, and `unsupportedKey` for
  ///   an RSA key of any other size than 2048 bits or with an unsupported exponent, and for a P-256
  ///   key with SHA-1.
  public init(
    keyPairID: String, privateKeyPEM: String, hashAlgorithm: HashAlgorithm = .sha256
  ) throws(SigV4.SigningError) {
    let key: X509PrivateKey
    do throws(KeyDecodingError) {
      key = try X509PrivateKey(pemRepresentation: privateKeyPEM)
    } catch { throw .invalidKey(error) }
    switch key {
    case .rsa(let key):
      try self.init(keyPairID: keyPairID, privateKey: key, hashAlgorithm: hashAlgorithm)
    case .p256(let key):
      if hashAlgorithm == .sha1 { throw .sha1WithP256 }
      try self.init(keyPairID: keyPairID, privateKey: key)
    }
  }

  private init(
    _ keyPairID: String, _ key: X509PrivateKey, _ hashAlgorithm: HashAlgorithm
  ) throws(SigV4.SigningError) {
    if !Self.isKeyPairID(keyPairID) {
      throw SigV4.SigningError(
        .invalidKeyPairID,
        "\(quoted: keyPairID) isn't a key pair ID: 1 to 128 letters, digits, '-' and '_'.",
        fix: "Use the ID of the public key in CloudFront, such as K2JCJMDEHXQW5F.")
    }
    self.keyPairID = keyPairID
    self.key = key
    self.hashAlgorithm = hashAlgorithm
  }

  private static func isKeyPairID(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        ASCIIByte.isLetter($0) || ASCIIByte.isDigit($0) || $0 == 0x2D || $0 == 0x5F
      }
  }
}

extension CloudFrontSigner {
  /// The hash function of a signature.
  public struct HashAlgorithm: Hashable, Sendable {
    private let isSHA256: Bool

    /// SHA-256, which URLs and cookies announce with `Hash-Algorithm=SHA256`.
    public static let sha256 = Self(isSHA256: true)
    /// SHA-1, for RSA keys and verifiers that support nothing else. Forgeries of SHA-1 are known,
    /// so don't sign resources that somebody else chose.
    public static let sha1 = Self(isSHA256: false)
  }
}

extension CloudFrontSigner: CustomStringConvertible {
  /// The key pair ID, never the key.
  public var description: String { "CloudFrontSigner(\(keyPairID))" }
}

extension CloudFrontSigner: Redacted {}

// Signed URLs

extension CloudFrontSigner {
  /// Signs a URL with a canned policy: access to this URL for a lifetime.
  ///
  /// - Parameters:
  ///   - url: the absolute URL, percent-encoded, as clients request it. Its query is signed too.
  ///   - lifetime: how long the URL is valid, in whole seconds.
  ///   - now: the current time.
  ///
  /// - Throws: `invalidURL`, `alreadySigned`, `wildcardsNotSupported`, `invalidLifetime`,
  ///   `timestampOutOfRange`, `invalidPolicyDates` or `signingFault`.
  public func signedURL(
    _ url: String, expiresIn lifetime: Duration, at now: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> CloudFrontURL {
    try signedURL(url, expiresAt: CloudFrontPolicy.expiration(after: lifetime, now))
  }

  /// Signs a URL with a canned policy: access to this URL until an expiration.
  ///
  /// - Throws: `invalidURL`, `alreadySigned`, `wildcardsNotSupported`, `invalidPolicyDates` or
  ///   `signingFault`.
  public func signedURL(
    _ url: String, expiresAt expiration: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> CloudFrontURL {
    let base = try CloudFrontBaseURL(url)
    let policy = try CloudFrontPolicy(canned: base, expiration)
    return try signed(base, policy, (.expires, policy.expirationText))
  }

  /// Signs a URL with a custom policy.
  ///
  /// - Parameters:
  ///   - url: the absolute URL, percent-encoded, as clients request it.
  ///   - policy: the policy, whose resource must match the URL.
  ///
  /// - Throws: `invalidURL`, `alreadySigned`, `urlNotInPolicy` or `signingFault`.
  public func signedURL(
    _ url: String, policy: CloudFrontPolicy
  ) throws(SigV4.SigningError) -> CloudFrontURL {
    let base = try CloudFrontBaseURL(url)
    if !CloudFrontPolicy.Wildcards.match(policy.resource.bytesInUTF8, base.bytes) {
      throw SigV4.SigningError(
        .urlNotInPolicy,
        "The policy's resource \(quoted: policy.resource) doesn't match the URL \(quoted: url).",
        fix: "Use a URL of this resource, or add wildcards to the resource.")
    }
    return try signed(base, policy, (.policy, policy.base64))
  }

  private func signed(
    _ base: CloudFrontBaseURL, _ policy: CloudFrontPolicy,
    _ statement: (field: CloudFrontField, value: String)
  ) throws(SigV4.SigningError) -> CloudFrontURL {
    let parameters = try fields(policy, statement).map { $0.field.rawValue + "=" + $0.value }
    let url =
      base.bytes.textInUTF8 + (base.hasQuery ? "&" : "?") + parameters.joined(separator: "&")
    // Amazon CloudFront, Developer Guide, "Quotas": maximum length of a URL.
    if url.utf8.count > CloudFrontBaseURL.maximumByteCount {
      throw SigV4.SigningError(
        .invalidURL,
        "The signed URL is \(url.utf8.count) bytes long, but CloudFront's limit is 8192.",
        fix: "Shorten the URL or the policy's resource, or use signed cookies.")
    }
    return CloudFrontURL(url: url, policy: policy)
  }
}

// Signed cookies

extension CloudFrontSigner {
  /// Signs cookies with a canned policy: access to one URL for a lifetime.
  ///
  /// - Throws: `invalidURL`, `alreadySigned`, `wildcardsNotSupported`, `invalidLifetime`,
  ///   `timestampOutOfRange`, `invalidPolicyDates` or `signingFault`.
  public func signedCookies(
    for url: String, expiresIn lifetime: Duration, at now: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> CloudFrontCookies {
    try signedCookies(for: url, expiresAt: CloudFrontPolicy.expiration(after: lifetime, now))
  }

  /// Signs cookies with a canned policy: access to one URL until an expiration.
  ///
  /// - Throws: `invalidURL`, `alreadySigned`, `wildcardsNotSupported`, `invalidPolicyDates` or
  ///   `signingFault`.
  public func signedCookies(
    for url: String, expiresAt expiration: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> CloudFrontCookies {
    let policy = try CloudFrontPolicy(canned: CloudFrontBaseURL(url), expiration)
    return CloudFrontCookies(try fields(policy, (.expires, policy.expirationText)), policy)
  }

  /// Signs cookies with a custom policy: access to all URLs that match its resource.
  ///
  /// - Throws: `signingFault`.
  public func signedCookies(
    policy: CloudFrontPolicy
  ) throws(SigV4.SigningError) -> CloudFrontCookies {
    CloudFrontCookies(try fields(policy, (.policy, policy.base64)), policy)
  }
}

extension CloudFrontSigner {
  /// The parts of a signature, in the order of the Developer Guide.
  private func fields(
    _ policy: CloudFrontPolicy, _ statement: (field: CloudFrontField, value: String)
  ) throws(SigV4.SigningError) -> [(field: CloudFrontField, value: String)] {
    let signature = CloudFrontBase64.encode(try signature(of: policy.json.bytesInUTF8))
    var fields = [statement, (.signature, signature), (.keyPairID, keyPairID)]
    // "If you don't include this parameter, CloudFront defaults to SHA1."
    if hashAlgorithm == .sha256 { fields.append((.hashAlgorithm, "SHA256")) }
    return fields
  }

  private func signature(of message: [UInt8]) throws(SigV4.SigningError) -> [UInt8] {
    switch key {
    case .p256(let key): return key.signature(for: message).derRepresentation
    case .rsa(let key):
      do {
        return hashAlgorithm == .sha256
          ? try key.signature(for: message, padding: .insecurePKCS1v1_5).rawRepresentation
          : try key.signature(
            for: SHA1.hash(data: message), padding: .insecurePKCS1v1_5
          ).rawRepresentation
      } catch {
        throw SigV4.SigningError(
          .signingFault, "\(error.problem)",
          fix: "Check the machine's memory, and export the key again.")
      }
    }
  }
}
