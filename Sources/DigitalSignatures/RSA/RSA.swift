// SPDX-License-Identifier: Apache-2.0
// RSA signatures as values: padding, signatures and errors.

internal import SecureHashing

/// RSA of RFC 8017 with 2048-bit, 3072-bit and 4096-bit keys, spelled as in swift-crypto.
public enum RSA {
  /// RSA signatures: PKCS #1 v1.5 with SHA-256, and PSS with SHA-256 or SHA-512.
  ///
  ///     let key = try RSA.Signing.PrivateKey(pemRepresentation: text)
  ///     let signature = try key.signature(for: policy, padding: .insecurePKCS1v1_5)
  ///     key.publicKey.isValidSignature(  // true
  ///       signature, for: policy, padding: .insecurePKCS1v1_5)
  public enum Signing {}

  /// The reason a message wasn't signed.
  public struct SigningError: Swift.Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason. New codes may be added. Include a default in a switch.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
      let value: UInt8

      /// The signature was computed but didn't verify. Don't sign again with this key on this
      /// machine. Its memory or processor is faulty, or the key's factors aren't primes.
      public static var faultDetected: Code { Code(value: 1) }
      /// The digest's hash function isn't supported with this padding. Sign the message, its
      /// SHA-256 digest, or with PSS its SHA-512 digest.
      public static var unsupportedDigest: Code { Code(value: 2) }

      /// The name of the code, as it's spelled here.
      public var name: String {
        switch self {
        case .faultDetected: "faultDetected"
        default: "unsupportedDigest"
        }
      }

      /// The name of the code.
      public var description: String { name }
    }

    /// The reason, as a code.
    public let code: Code

    /// What is wrong.
    public var problem: String {
      code == .unsupportedDigest
        ? "RSA keys sign only SHA-256 digests, or SHA-512 digests with PSS."
        : "The RSA signature didn't verify with its own key, so it was discarded."
    }

    /// How to fix it.
    public var fix: String {
      code == .unsupportedDigest
        ? "Pass the message, or one of these digests. For a SHA-512 digest, pass '.PSS'."
        : "Check the machine's memory, and export the key again."
    }

    /// The problem and its fix.
    public var message: String { problem + " " + fix }

    /// The message.
    public var description: String { message }
  }
}

extension KeyDecodingError {
  static func unsupportedModulus(bitCount: Int) -> Self {
    Self(
      .unsupportedModulus, "The modulus is even or has an unsupported size: \(bitCount) bits.",
      fix: "Use an RSA key of 2048, 3072 or 4096 bits.")
  }

  static func unsupportedExponent(_ range: String) -> Self {
    Self(
      .unsupportedExponent, "The public exponent isn't an odd number \(range).",
      fix: "Use a key with the exponent 65537.")
  }

  static func unsupportedPrimes(_ p: Int, _ q: Int) -> Self {
    Self(
      .unsupportedPrimes,
      """
      The primes of the private key have \(p) and \(q) bits. Only primes that have half of the \
      modulus's bits each are supported.
      """,
      fix: "Create a key with 'openssl genpkey'. The public key of this one can verify signatures.")
  }

  static var inconsistentKey: Self {
    Self(
      .inconsistentKey,
      """
      The parts of the private key don't belong together. They must be two different odd primes of \
      half the modulus size, their product, and the values derived from them.
      """,
      fix: "Check for lost or changed bytes, or export the key again.")
  }
}

extension RSA.Signing {
  /// How a digest is padded to a number.
  public struct Padding: Hashable, Sendable {
    enum Scheme { case pkcs1v1_5, pss }

    let scheme: Scheme

    /// EMSA-PKCS1-v1_5 of RFC 8017, 9.2, by swift-crypto's name. CloudFront and IAM Roles Anywhere
    /// accept it. There is no known attack on signatures with it.
    public static let insecurePKCS1v1_5 = Padding(scheme: .pkcs1v1_5)

    /// EMSA-PSS of RFC 8017, 9.1, by swift-crypto's name: MGF1 with the hash function of the
    /// digest, and a random salt of as many bytes. With a SHA-512 digest, it's the `rsa-pss-sha512`
    /// of HTTP Message Signatures (RFC 9421) and the PS512 of JOSE.
    public static let PSS = Padding(scheme: .pss)
  }

  /// An RSA signature, as many bytes long as the modulus.
  ///
  /// Creating one doesn't check it. Verification does.
  public struct RSASignature: Hashable, Sendable {
    /// The bytes, most significant first.
    public let rawRepresentation: [UInt8]

    /// Creates a signature from any bytes.
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

  /// RFC 8017, 9.2: encodes a digest in as many bytes as the modulus has.
  static func encoded(
    _ digest: some Collection<UInt8>, _ prefix: [UInt8], byteCount: Int
  ) -> [UInt8] {
    let info = prefix + digest
    // The smallest modulus is 256 bytes long, and the longest DigestInfo 51.
    return [0x00, 0x01] + [UInt8](repeating: 0xFF, count: byteCount - 3 - info.count) + [0x00]
      + info
  }
}
