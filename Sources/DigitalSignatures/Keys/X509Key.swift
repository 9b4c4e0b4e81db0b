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
    if try KeyAlgorithm(ofPEM: text, NeededKey(.publicKey)) == .p256 {
      self = .p256(try P256.Signing.PublicKey(pemRepresentation: text))
    } else {
      self = .rsa(try RSA.Signing.PublicKey(pemRepresentation: text))
    }
  }
}

extension X509PrivateKey {
  /// Reads a private key in PEM. It isn't for RSASSA-PSS, with which nothing here is signed.
  package init(pemRepresentation text: String) throws(KeyDecodingError) {
    if try KeyAlgorithm(ofPEM: text, NeededKey(.privateKey)) == .p256 {
      self = .p256(try P256.Signing.PrivateKey(pemRepresentation: text))
    } else {
      self = .rsa(try RSA.Signing.PrivateKey(pemRepresentation: text))
    }
  }
}

extension KeyAlgorithm {
  /// Reads the algorithm of a private key in PEM, for all that can sign.
  package init(ofPrivateKey text: String) throws(KeyDecodingError) {
    try self.init(ofPEM: text, NeededKey(.privateKey, .any))
  }

  /// Reads the algorithm of a public key in PEM, for all that can verify.
  package init(ofPublicKey text: String) throws(KeyDecodingError) {
    try self.init(ofPEM: text, NeededKey(.publicKey, .any))
  }

  /// Reads the algorithm of a key that may be damaged. Another kind of key is an error.
  fileprivate init(ofPEM text: String, _ needed: NeededKey) throws(KeyDecodingError) {
    var bytes = Array(text.utf8)
    defer { PEM.erase(&bytes) }
    let material = KeyMaterial(bytes, needed: needed.part)
    switch material {
    case .privateKey(let algorithm) where needed.includes(material): self = algorithm
    case .publicKey(let algorithm) where needed.includes(material): self = algorithm
    default: throw KeyDecodingError(.invalidPEM, material, needed)
    }
  }

  /// Whether bytes are or contain a key of a pair, a certificate or a file of them, in any known
  /// form. They can't be a shared secret: everybody who has the public key could sign then.
  package static func isOfPair(_ bytes: [UInt8]) -> Bool {
    KeyMaterial(bytes, needed: .publicKey).isOfPair
  }
}
