// SPDX-License-Identifier: Apache-2.0
// Why bytes or a text weren't accepted as a key or a certificate, in words.

/// The key or the certificate that a caller needs.
struct NeededKey {
  enum Part { case privateKey, publicKey, certificate }
  enum Algorithms { case rsa, p256, rsaOrP256 }

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
      case .rsa: [.rsa]
      case .p256: [.p256]
      case .rsaOrP256: [.rsa, .p256]
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
    case .rsaOrP256: "an RSA or P-256"
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

/// The reason bytes or a text weren't accepted as a key or a certificate: what they are instead.
package struct KeyProblem: Error, Sendable {
  /// What is wrong. Contains none of the bytes, which may be secret.
  package let problem: String

  /// How to fix it.
  package let fix: String

  package enum Kind: Sendable { case invalid, unsupportedSize, unsupportedExponent }

  /// Whether the key is invalid, or only unsupported.
  package let kind: Kind

  init(problem: String, fix: String, kind: Kind = .invalid) {
    self.problem = problem
    self.fix = fix
    self.kind = kind
  }

  /// The reason a text or a file isn't accepted. A block with the right content has another label.
  init(text: [UInt8], needed: NeededKey) {
    let material = KeyMaterial(text, needed: needed.part)
    self.init(needed.includes(material) ? .brokenPEM(.label) : material, needed)
  }

  /// The reason a string isn't accepted as PEM.
  init(pem text: String, needed: NeededKey) {
    var bytes = Array(text.utf8)
    defer { PEM.erase(&bytes) }
    self.init(text: bytes, needed: needed)
  }

  /// The reason bytes aren't accepted as DER.
  init(der bytes: [UInt8], needed: NeededKey) {
    if PEM.blocks(in: bytes)?.isEmpty == false {
      self.init(
        problem: "This is PEM, not DER.", fix: "Pass it as PEM, or pass the bytes of its base64.")
    } else {
      self.init(KeyMaterial(der: bytes[...]), needed)
    }
  }

  /// The reason a material isn't accepted. Of the right kind, it's damaged.
  init(_ material: KeyMaterial, _ needed: NeededKey) {
    if case .base64(let content) = material, content != .unknown, !needed.includes(content) {
      self.init(content, needed)
    } else if needed.includes(material) {
      self.init(KeyMaterial.unknown, needed)
    } else {
      let words = KeyWords(material, needed)
      self.init(problem: words.problem, fix: words.fix)
    }
  }
}
