// SPDX-License-Identifier: Apache-2.0
// What a caller needs, and its names in messages and PEM.

/// The key or the certificate that a caller needs.
struct NeededKey {
  enum Part { case privateKey, publicKey, certificate }
  enum Algorithms { case rsa, p256, ed25519, rsaOrP256, any }

  let part: Part
  let algorithms: Algorithms

  init(_ part: Part, _ algorithms: Algorithms = .rsaOrP256) {
    self.part = part
    self.algorithms = algorithms
  }

  /// The name with its article.
  var name: String {
    switch part {
    case .privateKey: algorithms.name + " private key"
    case .publicKey: algorithms.name + " public key"
    case .certificate: "a certificate"
    }
  }

  /// Whether this is the right kind of key, or a certificate.
  func includes(_ material: KeyMaterial) -> Bool {
    let isRight: [KeyAlgorithm] =
      switch algorithms {
      case .rsa: [.rsa, .rsaPSS]
      case .p256: [.p256]
      case .ed25519: [.ed25519]
      case .rsaOrP256: [.rsa, .p256]
      case .any: [.ed25519, .p256, .rsa, .rsaPSS]
      }
    return switch part {
    case .privateKey: isRight.contains { material == .privateKey($0) }
    case .publicKey: isRight.contains { material == .publicKey($0) }
    case .certificate: material == .file(.certificate)
    }
  }
}

extension NeededKey.Algorithms {
  /// The name with its article, before the word "key" or "private key".
  var name: String {
    switch self {
    case .rsa: "an RSA"
    case .p256: "a P-256"
    case .ed25519: "an Ed25519"
    case .rsaOrP256: "an RSA or P-256"
    case .any: "an Ed25519, P-256 or RSA"
    }
  }
}

extension NeededKey.Part {
  /// The end of the labels in PEM.
  var label: StaticString {
    switch self {
    case .privateKey: "PRIVATE KEY"
    case .publicKey: "PUBLIC KEY"
    case .certificate: "CERTIFICATE"
    }
  }

  /// How many of them a text may contain.
  var maximumCount: Int {
    switch self {
    case .privateKey, .publicKey: 1
    case .certificate: 16
    }
  }
}
