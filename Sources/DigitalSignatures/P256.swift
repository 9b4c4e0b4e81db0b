// SPDX-License-Identifier: Apache-2.0
// Signatures of the curve P-256 as values: keys, signatures, and what is wrong with an encoding.

internal import SecureHashing

/// The curve P-256 of SP 800-186, also known as secp256r1 and prime256v1, spelled as in CryptoKit.
public enum P256 {
  /// Signatures: ECDSA with SHA-256 (FIPS 186-5).
  ///
  ///     let key = try P256.Signing.PrivateKey(pemRepresentation: text)
  ///     let signature = key.signature(for: message)
  ///     key.publicKey.isValidSignature(signature, for: message)  // true
  public enum Signing {}

  /// Why bytes or a text are not accepted as a key or a signature.
  public struct DecodingError: Swift.Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong; more codes may come.
    public struct Code: Hashable, Sendable {
      let value: UInt8

      /// The number of bytes is not that of the form. Look for another form (raw, X9.63, DER, PEM),
      /// or bytes that were lost.
      public static var wrongLength: Code { Code(value: 1) }
      /// The number of a private key is zero, or not below the order of the curve. Look for the key
      /// of another curve, or bytes in the wrong order.
      public static var invalidScalar: Code { Code(value: 2) }
      /// The coordinates are not those of a point of the curve. Look for the key of another curve,
      /// or bytes that were changed.
      public static var invalidPoint: Code { Code(value: 3) }
      /// The bytes are not DER of what is expected. Look for another form, or bytes that were lost.
      public static var invalidDER: Code { Code(value: 4) }
      /// The text is not PEM of what is expected. Give the lines from '-----BEGIN' to '-----END'
      /// and nothing else, of a key that is not encrypted.
      public static var invalidPEM: Code { Code(value: 5) }
      /// The public key that a private key brings with it belongs to another one. Write the private
      /// key again with the program that made it.
      public static var publicKeyMismatch: Code { Code(value: 6) }
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
}

extension P256.DecodingError {
  static func wrongLength(_ count: Int, of form: String, expected: String) -> Self {
    Self(
      code: .wrongLength,
      problem: "\(form) needs \(expected) bytes, not \(count).",
      fix: "Check for another format (raw, X9.63, DER, PEM) or missing bytes.")
  }

  static var invalidScalar: Self {
    Self(
      code: .invalidScalar,
      problem: "The private key's number is zero, or not below the order of P-256.",
      fix: "Check for a key of another curve, or bytes in the wrong order.")
  }

  static var invalidPoint: Self {
    Self(
      code: .invalidPoint,
      problem: "The coordinates aren't a point of P-256, so the key can't verify a signature.",
      fix: "Check for a key of another curve, or changed bytes.")
  }

  static func invalidDER(_ what: String) -> Self {
    Self(
      code: .invalidDER,
      problem: "The bytes aren't the DER encoding of \(what).",
      fix: "Check for PEM, BER, or missing or extra bytes.")
  }

  static func invalidPEM(_ labels: String) -> Self {
    Self(
      code: .invalidPEM,
      problem: "The text isn't one PEM block of \(labels).",
      fix: "Pass the lines from '-----BEGIN' to '-----END' and nothing else, of an unencrypted key."
    )
  }

  static var publicKeyMismatch: Self {
    Self(
      code: .publicKeyMismatch,
      problem: "The private key contains the public key of a different key pair.",
      fix: "Export the private key again.")
  }
}

extension P256.Signing {
  /// A signature: two numbers, r and s.
  ///
  /// Whether they can be those of a signature is found out when it is verified.
  public struct ECDSASignature: Sendable, Equatable {
    let numbers: ECDSA.Numbers

    init(_ numbers: ECDSA.Numbers) {
      self.numbers = numbers
    }

    /// A signature of 64 bytes: r and s, 32 bytes each, the highest first (IEEE P1363, JOSE).
    ///
    /// Throws `wrongLength` for another count.
    public init(rawRepresentation: some Collection<UInt8>) throws(P256.DecodingError) {
      let bytes = Array(rawRepresentation)
      if bytes.count != 64 {
        throw .wrongLength(bytes.count, of: "a raw signature", expected: "64")
      }
      numbers = ECDSA.Numbers(r: Words256(bytes[..<32]), s: Words256(bytes[32...]))
    }

    /// A signature in DER: a sequence of two integers (RFC 3279, 2.2.3), as SigV4a and X.509 have
    /// it.
    ///
    /// Throws `invalidDER` unless it is the one encoding of two numbers of up to 256 bits.
    public init(derRepresentation: some Collection<UInt8>) throws(P256.DecodingError) {
      var reader = DERReader(Array(derRepresentation)[...])
      guard var inner = reader.sequence(), reader.isAtEnd, let r = inner.number(),
        let s = inner.number(), inner.isAtEnd
      else { throw .invalidDER("a signature, a sequence of two numbers of up to 256 bits") }
      numbers = ECDSA.Numbers(r: r, s: s)
    }

    /// r and s, 32 bytes each.
    public var rawRepresentation: [UInt8] {
      Array(Secret.Bytes(numbers.r)) + Array(Secret.Bytes(numbers.s))
    }

    /// The signature in DER: 8 to 72 bytes, mostly 70 to 72.
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
      // 70 bytes at most follow.
      bytes[start + 1] = UInt8(truncatingIfNeeded: bytes.count - start - 2)
    }

    /// Whether two signatures are the same numbers. (One message has many signatures.)
    public static func == (left: Self, right: Self) -> Bool {
      left.numbers.r == right.numbers.r && left.numbers.s == right.numbers.s
    }
  }
}
