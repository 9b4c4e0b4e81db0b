// SPDX-License-Identifier: Apache-2.0
// P-256 signatures as values, and what is wrong with keys and signatures.

internal import SecureHashing

/// The curve P-256 of SP 800-186, also called secp256r1 and prime256v1, spelled as in CryptoKit.
public enum P256 {
  /// P-256 signatures: ECDSA with SHA-256 (FIPS 186-5).
  ///
  ///     let key = try P256.Signing.PrivateKey(pemRepresentation: text)
  ///     let signature = key.signature(for: message)
  ///     key.publicKey.isValidSignature(signature, for: message)  // true
  public enum Signing {}
}

extension KeyDecodingError {
  static func wrongLength(_ count: Int, of form: String, expected: String) -> Self {
    Self(
      .wrongLength, "\(form) must be \(expected) bytes long, not \(count).",
      fix: "Check for another format (raw, X9.63, DER, PEM) or missing bytes.")
  }

  static var invalidScalar: Self {
    Self(
      .invalidScalar, "The private key is zero, or isn't below the order of P-256.",
      fix: "Check for a key of a different curve, or bytes in the wrong order.")
  }

  static var invalidPoint: Self {
    Self(
      .invalidPoint, "The coordinates aren't a point of P-256.",
      fix: "Check for a key of a different curve, or changed bytes.")
  }

  static func unsupportedForm(_ firstByte: UInt8) -> Self {
    Self(
      .invalidPoint,
      "The public key begins with \(firstByte), which isn't a supported form of a point.",
      fix: "Use the uncompressed form, which begins with 4, or the compressed one with 2 or 3.")
  }

  static var invalidSignature: Self {
    Self(
      .invalidDER,
      """
      The bytes aren't the DER encoding of a signature (a sequence of two numbers of up to 256 \
      bits).
      """,
      fix: "Check for another format, or missing or extra bytes.")
  }

  static var publicKeyMismatch: Self {
    Self(
      .publicKeyMismatch, "The private key contains the public key of a different key pair.",
      fix: "Check which key pair you need, and export its private key again.")
  }
}

extension P256.Signing {
  /// An ECDSA signature: two numbers, r and s.
  ///
  /// Creating one doesn't check that the numbers are possible. Verification does.
  public struct ECDSASignature: Sendable, Equatable {
    let numbers: ECDSA.Numbers

    init(_ numbers: ECDSA.Numbers) {
      self.numbers = numbers
    }

    /// Creates a signature from 64 bytes: r and s, 32 bytes each, most significant byte first (IEEE
    /// P1363, JOSE).
    ///
    /// - Throws: `wrongLength` for any other count.
    public init(rawRepresentation: some Collection<UInt8>) throws(KeyDecodingError) {
      let bytes = Array(rawRepresentation)
      if bytes.count != 64 {
        throw .wrongLength(bytes.count, of: "A raw signature", expected: "64")
      }
      numbers = ECDSA.Numbers(r: Words256(bytes[..<32]), s: Words256(bytes[32...]))
    }

    /// Creates a signature from DER: a sequence of two integers (RFC 3279, 2.2.3), as in SigV4a and
    /// X.509.
    ///
    /// - Throws: `invalidDER` unless it's the only valid encoding of two numbers of up to 256 bits.
    public init(derRepresentation: some Collection<UInt8>) throws(KeyDecodingError) {
      guard var inner = DERReader(sequence: Array(derRepresentation)[...]),
        let r = inner.number(), let s = inner.number(), inner.isAtEnd
      else { throw .invalidSignature }
      numbers = ECDSA.Numbers(r: r, s: s)
    }

    /// r and s, 32 bytes each.
    public var rawRepresentation: [UInt8] {
      Array(Secret.Bytes(numbers.r)) + Array(Secret.Bytes(numbers.s))
    }

    /// The signature in DER: 8 to 72 bytes, usually 70 to 72.
    public var derRepresentation: [UInt8] {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(72)
      appendDERRepresentation(to: &bytes)
      return bytes
    }

    /// Appends the signature in DER.
    public func appendDERRepresentation(to bytes: inout [UInt8]) {
      let start = bytes.count
      bytes.append(DER.sequence)
      bytes.append(0)
      DER.append(numbers.r, to: &bytes)
      DER.append(numbers.s, to: &bytes)
      // At most 70 bytes follow.
      bytes[start + 1] = UInt8(truncatingIfNeeded: bytes.count - start - 2)
    }

    /// Compares the numbers of two signatures. (A message has many signatures.)
    public static func == (left: Self, right: Self) -> Bool {
      left.numbers.r == right.numbers.r && left.numbers.s == right.numbers.s
    }
  }
}
