// SPDX-License-Identifier: Apache-2.0
// Keys of either algorithm, as in certificates and for CloudFront.

/// The public key of a certificate.
package enum X509PublicKey: Sendable, Equatable {
  case rsa(RSA.Signing.PublicKey)
  case p256(P256.Signing.PublicKey)

  /// Returns whether a signature with SHA-256 belongs to a message: PKCS #1 v1.5, or ECDSA in DER.
  package func isValidSignature(_ signature: [UInt8], for message: [UInt8]) -> Bool {
    switch self {
    case .rsa(let key):
      return key.isValidSignature(
        RSA.Signing.RSASignature(rawRepresentation: signature), for: message,
        padding: .insecurePKCS1v1_5)
    case .p256(let key):
      guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else {
        return false
      }
      return key.isValidSignature(signature, for: message)
    }
  }
}

/// The private key of a certificate.
package enum X509PrivateKey: Sendable {
  case rsa(RSA.Signing.PrivateKey)
  case p256(P256.Signing.PrivateKey)

  package var publicKey: X509PublicKey {
    switch self {
    case .rsa(let key): .rsa(key.publicKey)
    case .p256(let key): .p256(key.publicKey)
    }
  }

  /// Signs a message with SHA-256: PKCS #1 v1.5, or ECDSA in DER.
  package func signature(for message: [UInt8]) throws(RSA.SigningError) -> [UInt8] {
    switch self {
    case .rsa(let key):
      try key.signature(for: message, padding: .insecurePKCS1v1_5).rawRepresentation
    case .p256(let key): key.signature(for: message).derRepresentation
    }
  }
}

extension X509PublicKey {
  var algorithms: NeededKey.Algorithms {
    switch self {
    case .rsa: .rsa
    case .p256: .p256
    }
  }

  /// Reads a public key in PEM. It isn't for RSASSA-PSS, with which nothing here is signed.
  package init(pemRepresentation text: String) throws(KeyDecodingError) {
    try KeyDecodingError.rejectPSS(text, .publicKey)
    let reason: KeyDecodingError
    do throws(KeyDecodingError) {
      self = .p256(try P256.Signing.PublicKey(pemRepresentation: text))
      return
    } catch { reason = error }
    do throws(KeyDecodingError) {
      self = .rsa(try RSA.Signing.PublicKey(pemRepresentation: text))
    } catch { throw KeyDecodingError(text, .publicKey, p256: reason, rsa: error) }
  }
}

extension X509PrivateKey {
  /// Reads a private key in PEM. It isn't for RSASSA-PSS, with which nothing here is signed.
  package init(pemRepresentation text: String) throws(KeyDecodingError) {
    try KeyDecodingError.rejectPSS(text, .privateKey)
    let reason: KeyDecodingError
    do throws(KeyDecodingError) {
      self = .p256(try P256.Signing.PrivateKey(pemRepresentation: text))
      return
    } catch { reason = error }
    do throws(KeyDecodingError) {
      self = .rsa(try RSA.Signing.PrivateKey(pemRepresentation: text))
    } catch { throw KeyDecodingError(text, .privateKey, p256: reason, rsa: error) }
  }
}

extension KeyDecodingError {
  fileprivate static func rejectPSS(
    _ text: String, _ part: NeededKey.Part
  ) throws(KeyDecodingError) {
    var bytes = Array(text.utf8)
    defer { PEM.erase(&bytes) }
    let material = KeyMaterial(bytes, needed: part)
    if material == .privateKey(.rsaPSS) || material == .publicKey(.rsaPSS) {
      throw KeyDecodingError(.invalidPEM, material, NeededKey(part))
    }
  }

  /// The reason a text is neither kind of key: what is wrong with the kind that it is.
  fileprivate init(_ text: String, _ part: NeededKey.Part, p256: Self, rsa: Self) {
    var bytes = Array(text.utf8)
    defer { PEM.erase(&bytes) }
    let material = KeyMaterial(bytes, needed: part)
    if NeededKey(part, .rsa).includes(material) {
      self = rsa
    } else if NeededKey(part, .p256).includes(material) {
      self = p256
    } else {
      self.init(.invalidPEM, material, NeededKey(part))
    }
  }
}
