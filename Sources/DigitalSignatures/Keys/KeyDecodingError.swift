// SPDX-License-Identifier: Apache-2.0
// Why bytes or a string weren't accepted as a key, a certificate or a signature, in words.

/// The reason bytes or a string weren't accepted as a key or a signature: P-256, Ed25519 or RSA.
public struct KeyDecodingError: Swift.Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason. New codes may be added. Include a default in a switch.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    let value: UInt8

    /// The number of bytes doesn't match the format. Check for a different format (raw, X9.63, DER
    /// or PEM), or missing bytes.
    public static var wrongLength: Code { Code(value: 1) }
    /// The bytes aren't the expected DER encoding. Check for a different format or kind of key, or
    /// missing bytes.
    public static var invalidDER: Code { Code(value: 2) }
    /// The string isn't the expected PEM. Pass the lines from '-----BEGIN' to '-----END' of one
    /// unencrypted key.
    public static var invalidPEM: Code { Code(value: 3) }
    /// The public key stored with a private key belongs to a different key pair. Export the private
    /// key again.
    public static var publicKeyMismatch: Code { Code(value: 4) }
    /// A P-256 private key is zero, or isn't below the order of the curve. Check for a key of a
    /// different curve, or bytes in the wrong order.
    public static var invalidScalar: Code { Code(value: 5) }
    /// A P-256 or Ed25519 public key isn't a point of the curve, or one of small order. Check for a
    /// key of a different curve, or changed bytes.
    public static var invalidPoint: Code { Code(value: 6) }
    /// An RSA modulus isn't an odd number of 2048, 3072 or 4096 bits. Use a key of one of these
    /// sizes.
    public static var unsupportedModulus: Code { Code(value: 7) }
    /// An RSA public exponent is even or out of range. Use a key with the exponent 65537.
    public static var unsupportedExponent: Code { Code(value: 8) }
    /// The primes of an RSA private key don't have half of the modulus's bits each. Create another
    /// key, or only verify with the public key of this one.
    public static var unsupportedPrimes: Code { Code(value: 10) }
    /// The parts of an RSA private key don't belong together. Export the key again.
    public static var inconsistentKey: Code { Code(value: 9) }

    /// The name of the code, as it's spelled here.
    public var name: String {
      switch self {
      case .wrongLength: "wrongLength"
      case .invalidDER: "invalidDER"
      case .invalidPEM: "invalidPEM"
      case .publicKeyMismatch: "publicKeyMismatch"
      case .invalidScalar: "invalidScalar"
      case .invalidPoint: "invalidPoint"
      case .unsupportedModulus: "unsupportedModulus"
      case .unsupportedExponent: "unsupportedExponent"
      case .unsupportedPrimes: "unsupportedPrimes"
      default: "inconsistentKey"
      }
    }

    /// The name of the code.
    public var description: String { name }
  }

  /// The reason, as a code.
  public let code: Code

  /// What is wrong. Contains none of the bytes, which may be secret.
  public let problem: String

  /// How to fix it.
  public let fix: String

  /// The problem and its fix.
  public var message: String { problem + " " + fix }

  /// The message.
  public var description: String { message }

  init(_ code: Code, _ problem: String, fix: String) {
    self.code = code
    self.problem = problem
    self.fix = fix
  }

  /// Compares all fields. (In Embedded Swift, `==` on strings links the Unicode tables.)
  public static func == (left: Self, right: Self) -> Bool {
    left.code == right.code && left.problem.utf8.elementsEqual(right.problem.utf8)
      && left.fix.utf8.elementsEqual(right.fix.utf8)
  }

  /// Hashes the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension KeyDecodingError {
  /// The reason a text or a file isn't accepted. A block with the right content has another label.
  init(text: [UInt8], needed: NeededKey) {
    let material = KeyMaterial(text, needed: needed.part)
    self.init(.invalidPEM, needed.includes(material) ? .brokenPEM(.label) : material, needed)
  }

  /// The reason bytes aren't accepted as DER.
  init(der bytes: [UInt8], needed: NeededKey) {
    if PEM.blocks(in: bytes)?.isEmpty == false {
      self.init(
        .invalidDER, "This is PEM, not DER.",
        fix: "Pass it as PEM, or pass the bytes of its base64.")
    } else {
      self.init(.invalidDER, KeyMaterial(der: bytes[...]), needed)
    }
  }

  /// The reason a material isn't accepted: what it is instead. Of the right kind, it's damaged.
  init(_ code: Code, _ material: KeyMaterial, _ needed: NeededKey) {
    if case .base64(let content) = material, content != .unknown, !needed.includes(content) {
      self.init(code, content, needed)
    } else if needed.includes(material) {
      self.init(code, KeyMaterial.unknown, needed)
    } else {
      let words = KeyWords(material, needed)
      self.init(code, words.problem, fix: words.fix)
    }
  }
}
