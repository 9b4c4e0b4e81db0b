// SPDX-License-Identifier: Apache-2.0
// The algorithms of keys, by their object identifiers: those that are supported, and the names of
// others.

/// The algorithm of a key.
package enum KeyAlgorithm: Equatable {
  case rsa
  /// RSA for RSASSA-PSS only (RFC 4055, 1.2).
  case rsaPSS
  case p256
  case ed25519
  /// A curve that is described by its numbers instead of its name (RFC 5480, 2.1.1 forbids it).
  case explicitCurve
  /// Another algorithm or curve, with an article: `a P-384`. Nil if it's unknown.
  case other(String?)

  /// Reads an AlgorithmIdentifier (RFC 5280, 4.1.1.2).
  init(_ identifier: DERReader) {
    if DER.rsaPSS.contains(where: identifier.isOnly) {
      self = .rsaPSS
      return
    }
    var reader = identifier
    let algorithm = reader.content(DER.objectIdentifier).map(Array.init) ?? []
    if algorithm == Self.ellipticCurve {
      self.init(curve: reader)
    } else if let supported = Self.supported.first(where: { $0.1 == algorithm }) {
      self = supported.0
    } else {
      self = .other(Self.name(of: algorithm))
    }
  }

  /// Reads the parameters of an elliptic-curve key (RFC 5480, 2.1.1).
  init(curve: DERReader) {
    var reader = curve
    if reader.isAt(DER.sequence) {
      self = .explicitCurve
      return
    }
    let curve = reader.content(DER.objectIdentifier).map(Array.init) ?? []
    self = curve == Self.prime256v1 ? .p256 : .other(Self.name(of: curve))
  }

  /// The name with its article, before the word "key" or "private key".
  var name: String {
    switch self {
    case .rsa: "an RSA"
    case .rsaPSS: "an RSASSA-PSS"
    case .p256: "a P-256"
    case .ed25519: "an Ed25519"
    case .explicitCurve: "an elliptic-curve"
    case .other(let name): name ?? "an unknown kind of"
    }
  }

  /// RFC 8017, A.1, and RFC 8410, 3.
  private static var supported: [(KeyAlgorithm, [UInt8])] {
    [(.rsa, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1]), (.ed25519, [0x2B, 0x65, 0x70])]
  }
  private static var ellipticCurve: [UInt8] { [0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1] }
  private static var prime256v1: [UInt8] { [0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7] }

  private static func name(of identifier: [UInt8]) -> String? {
    names.first { $0.1 == identifier }?.0
  }

  /// Algorithms, parameters and curves that aren't supported: RFC 3279 (DSA, Diffie-Hellman), 4055
  /// (RSA), 5480 and 5639 (curves), 8410 (X25519, Curve448), 9881 (ML-DSA), SEC 2 (secp256k1),
  /// GB/T 32918 (SM2).
  private static var names: [(String, [UInt8])] {
    let rsa: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1]
    let secg: [UInt8] = [0x2B, 0x81, 0x04, 0x00]
    let brainpool: [UInt8] = [0x2B, 0x24, 3, 3, 2, 8, 1, 1]
    let nist: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03]
    return [
      ("an RSASSA-PSS", rsa + [10]), ("an RSAES-OAEP", rsa + [7]),
      ("a P-384", secg + [0x22]), ("a P-521", secg + [0x23]), ("a P-224", secg + [0x21]),
      ("a P-192", [0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 1]), ("a secp256k1", secg + [0x0A]),
      ("a brainpoolP256r1", brainpool + [7]), ("a brainpoolP384r1", brainpool + [11]),
      ("a brainpoolP512r1", brainpool + [13]),
      ("an SM2", [0x2A, 0x81, 0x1C, 0xCF, 0x55, 1, 0x82, 0x2D]),
      ("an Ed448", [0x2B, 0x65, 0x71]),
      ("an X25519", [0x2B, 0x65, 0x6E]), ("an X448", [0x2B, 0x65, 0x6F]),
      ("a DSA", [0x2A, 0x86, 0x48, 0xCE, 0x38, 4, 1]),
      ("a Diffie-Hellman", [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 3, 1]),
      ("an ML-DSA-44", nist + [17]), ("an ML-DSA-65", nist + [18]), ("an ML-DSA-87", nist + [19]),
    ]
  }
}
