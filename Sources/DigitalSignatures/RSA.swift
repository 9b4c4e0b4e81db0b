// SPDX-License-Identifier: Apache-2.0
// RSA signatures as values: padding, signatures, and what is wrong with a key.

internal import SecureHashing

/// RSA of RFC 8017 with keys of 2048, 3072 and 4096 bits, spelled as in swift-crypto.
public enum RSA {
  /// Signatures: PKCS #1 v1.5 with SHA-256, or with SHA-1 for services that accept nothing else.
  ///
  ///     let key = try RSA.Signing.PrivateKey(pemRepresentation: text)
  ///     let signature = try key.signature(for: policy, padding: .insecurePKCS1v1_5)
  ///     key.publicKey.isValidSignature(signature, for: policy, padding: .insecurePKCS1v1_5)  // true
  public enum Signing {}

  /// Why bytes or a text are not accepted as a key.
  public struct DecodingError: Swift.Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong. New codes may be added. Include a default in a switch.
    public struct Code: Hashable, Sendable {
      let value: UInt8

      /// The bytes are not DER of an RSA key. Check for another form, another kind of key, or lost bytes.
      public static var invalidDER: Code { Code(value: 1) }
      /// The text is not PEM of an RSA key. Pass the lines from '-----BEGIN' to '-----END', unencrypted.
      public static var invalidPEM: Code { Code(value: 2) }
      /// The modulus isn't an odd number of 2048, 3072 or 4096 bits. Use a key of such a size.
      public static var unsupportedModulus: Code { Code(value: 3) }
      /// The public exponent is even or out of range. Use a key with the exponent 65537.
      public static var unsupportedExponent: Code { Code(value: 4) }
      /// The parts of a private key don't belong together. Export the key again.
      public static var inconsistentKey: Code { Code(value: 5) }
    }

    /// What is wrong.
    public let code: Code

    /// What is wrong. It contains nothing of the bytes, which may be secret.
    public let problem: String

    /// How to fix it.
    public let fix: String

    /// The problem and its fix.
    public var message: String { problem + " " + fix }

    /// The message.
    public var description: String { message }

    /// Whether all fields are the same. (In Embedded Swift, `==` of strings links Unicode's tables.)
    public static func == (left: Self, right: Self) -> Bool {
      left.code == right.code && left.problem.utf8.elementsEqual(right.problem.utf8)
        && left.fix.utf8.elementsEqual(right.fix.utf8)
    }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
  }

  /// Why a message was not signed.
  public struct SigningError: Swift.Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong. New codes may be added. Include a default in a switch.
    public struct Code: Hashable, Sendable {
      let value: UInt8

      /// The signature was computed and did not verify. Don't sign again with this key on this machine: its memory or
      /// its processor is faulty, or the key's factors aren't primes.
      public static var faultDetected: Code { Code(value: 1) }
    }

    /// What is wrong.
    public let code: Code

    /// What is wrong.
    public var problem: String {
      "The RSA signature didn't verify under its own key, so it was discarded."
    }

    /// How to fix it.
    public var fix: String { "Check the machine's memory, and export the key again." }

    /// The problem and its fix.
    public var message: String { problem + " " + fix }

    /// The message.
    public var description: String { message }
  }
}

extension RSA.DecodingError {
  static func invalidDER(_ what: String) -> Self {
    Self(
      code: .invalidDER,
      problem: "The bytes aren't the DER encoding of \(what).",
      fix: "Check for PEM, another kind of key, or missing bytes.")
  }

  static func invalidPEM(_ labels: String) -> Self {
    Self(
      code: .invalidPEM,
      problem: "The text isn't one PEM block of \(labels).",
      fix: "Pass the lines from '-----BEGIN' to '-----END' and nothing else, of an unencrypted key."
    )
  }

  static func unsupportedModulus(bitCount: Int) -> Self {
    Self(
      code: .unsupportedModulus,
      problem: "The modulus has \(bitCount) bits or is even.",
      fix: "Use an RSA key of 2048, 3072 or 4096 bits.")
  }

  static func unsupportedExponent(_ range: String) -> Self {
    Self(
      code: .unsupportedExponent,
      problem: "The public exponent isn't an odd number \(range).",
      fix: "Use a key with the exponent 65537.")
  }

  static var inconsistentKey: Self {
    Self(
      code: .inconsistentKey,
      problem:
        "The parts of the private key don't belong together: two different odd primes of half the "
        + "modulus's bits, their product, and the values derived from them.",
      fix: "Export the key again.")
  }
}

extension RSA.Signing {
  /// How a digest becomes a number.
  public struct Padding: Hashable, Sendable {
    /// EMSA-PKCS1-v1_5 of RFC 8017, 9.2, by swift-crypto's name. It's what CloudFront and IAM Roles Anywhere
    /// accept; there is no known attack on signatures with it.
    public static let insecurePKCS1v1_5 = Padding()
  }

  /// A signature: as many bytes as the modulus has.
  ///
  /// Whether it can be one is found out when it is verified.
  public struct RSASignature: Hashable, Sendable {
    /// The bytes, the highest first.
    public let rawRepresentation: [UInt8]

    /// A signature of any bytes.
    public init(rawRepresentation: some Collection<UInt8>) {
      self.rawRepresentation = Array(rawRepresentation)
    }
  }
}

/// EMSA-PKCS1-v1_5.
enum RSAPadding {
  /// DigestInfo up to the digest (RFC 8017, 9.2, note 1).
  static var sha256: [UInt8] {
    [
      0x30, 0x31, 0x30, 0x0D, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01,
      0x05, 0x00, 0x04, 0x20,
    ]
  }

  static var sha1: [UInt8] {
    [0x30, 0x21, 0x30, 0x09, 0x06, 0x05, 0x2B, 0x0E, 0x03, 0x02, 0x1A, 0x05, 0x00, 0x04, 0x14]
  }

  /// RFC 8017, 9.2: as many bytes as the modulus has.
  static func encoded(
    _ digest: some Collection<UInt8>, _ prefix: [UInt8], byteCount: Int
  ) -> [UInt8] {
    let info = prefix + digest
    // The smallest modulus has 256 bytes, and the longest DigestInfo 51.
    return [0x00, 0x01] + [UInt8](repeating: 0xFF, count: byteCount - 3 - info.count) + [0x00]
      + info
  }
}
