// SPDX-License-Identifier: Apache-2.0
// P-256 public keys: formats and verification.

public import SecureHashing

extension P256.Signing {
  /// A P-256 public key: a point of the curve, checked when the key is read.
  ///
  /// For many signatures under one key, create a ``PreparedPublicKey``.
  public struct PublicKey: Sendable, Equatable {
    let point: AffinePoint

    init(_ point: AffinePoint) {
      self.point = point
    }

    /// Creates a key from 64 bytes: both coordinates, most significant byte first.
    ///
    /// - Throws: `wrongLength` or `invalidPoint`.
    public init(rawRepresentation: some Collection<UInt8>) throws(KeyDecodingError) {
      let bytes = Array(rawRepresentation)
      if bytes.count != 64 {
        throw .wrongLength(bytes.count, of: "A raw public key", expected: "64")
      }
      let (x, y) = (Words256(bytes[..<32]), Words256(bytes[32...]))
      if !FieldElement.isReduced(x) || !FieldElement.isReduced(y) { throw .invalidPoint }
      point = AffinePoint(x: FieldElement(x), y: FieldElement(y))
      if !point.isOnCurve { throw .invalidPoint }
    }

    /// Creates a key from 33 bytes: 2 or 3, then x (SEC 1, 2.3.4).
    ///
    /// - Throws: `wrongLength` or `invalidPoint`.
    public init(compressedRepresentation: some Collection<UInt8>) throws(KeyDecodingError) {
      let bytes = Array(compressedRepresentation)
      if bytes.count != 33 {
        throw .wrongLength(bytes.count, of: "A compressed public key", expected: "33")
      }
      let x = Words256(bytes[1...])
      if bytes[0] == 4 {
        throw .wrongLength(33, of: "A public key that begins with 4", expected: "65")
      }
      if bytes[0] & 0xFE != 2 { throw .unsupportedForm(bytes[0]) }
      if !FieldElement.isReduced(x) { throw .invalidPoint }
      let element = FieldElement(x)
      var y = AffinePoint.squareOfY(at: element).squareRootCandidate()
      if UInt8(truncatingIfNeeded: y.number.w0 & 1) != bytes[0] & 1 { y = -y }
      point = AffinePoint(x: element, y: y)
      if !point.isOnCurve { throw .invalidPoint }
    }

    /// Creates a key from ANSI X9.63: 65 bytes (4 and both coordinates) or 33 bytes (compressed).
    ///
    /// - Throws: `wrongLength` or `invalidPoint`.
    public init(x963Representation: some Collection<UInt8>) throws(KeyDecodingError) {
      let bytes = Array(x963Representation)
      switch bytes.count {
      case 33: try self.init(compressedRepresentation: bytes)
      case 65 where bytes[0] == 4: try self.init(rawRepresentation: bytes[1...])
      case 65 where bytes[0] & 0xFE == 2:
        throw .wrongLength(65, of: "A public key that begins with \(bytes[0])", expected: "33")
      case 65: throw .unsupportedForm(bytes[0])
      default: throw .wrongLength(bytes.count, of: "An X9.63 public key", expected: "65 or 33")
      }
    }

    /// Creates a key from DER: the SubjectPublicKeyInfo of RFC 5480.
    ///
    /// - Throws: `invalidDER` or `invalidPoint`.
    public init(derRepresentation: some Collection<UInt8>) throws(KeyDecodingError) {
      let bytes = Array(derRepresentation)
      guard var inner = DERReader(sequence: bytes[...]),
        inner.skip(DER.value(DER.sequence, DER.algorithm + DER.curve)),
        let point = inner.bitString(), inner.isAtEnd, point.count == 65 || point.count == 33
      else { throw KeyDecodingError(der: bytes, needed: NeededKey(.publicKey, .p256)) }
      try self.init(x963Representation: point)
    }

    /// Creates a key from PEM: a PUBLIC KEY block. Other blocks and text between blocks are ignored
    /// (RFC 7468, 2).
    ///
    /// - Throws: `invalidPEM`, or the errors of a key in DER.
    public init(pemRepresentation: String) throws(KeyDecodingError) {
      let bytes = try PEM.key(
        in: pemRepresentation, NeededKey(.publicKey, .p256), labels: "PUBLIC KEY")
      try self.init(derRepresentation: bytes)
    }

    /// Both coordinates: 64 bytes.
    public var rawRepresentation: [UInt8] {
      Array(Secret.Bytes(point.x.number)) + Array(Secret.Bytes(point.y.number))
    }

    /// 2 or 3, then x: 33 bytes.
    public var compressedRepresentation: [UInt8] {
      let sign = UInt8(truncatingIfNeeded: point.y.number.w0 & 1)
      return [2 | sign] + Array(Secret.Bytes(point.x.number))
    }

    /// 4, then both coordinates: 65 bytes.
    public var x963Representation: [UInt8] { [4] + rawRepresentation }

    /// The key in DER, as a SubjectPublicKeyInfo: 91 bytes.
    public var derRepresentation: [UInt8] {
      DER.value(
        DER.sequence,
        DER.value(DER.sequence, DER.algorithm + DER.curve)
          + DER.value(DER.bitString, [0] + x963Representation))
    }

    /// The key in PEM.
    public var pemRepresentation: String { PEM.text(of: derRepresentation, label: "PUBLIC KEY") }

    /// Returns whether a signature belongs to a message, by its SHA-256 digest. Takes variable
    /// time, because nothing is secret.
    public func isValidSignature(
      _ signature: ECDSASignature, for data: some Collection<UInt8>
    ) -> Bool {
      isValidSignature(signature, for: SHA256.hash(data: data))
    }

    /// Returns whether a signature belongs to a digest. Takes variable time, because nothing is
    /// secret.
    public func isValidSignature(_ signature: ECDSASignature, for digest: SHA256.Digest) -> Bool {
      ECDSA.isValid(signature.numbers, for: digest) { VerificationProduct.sum($0, $1, point) }
    }

    /// Compares the points of two keys.
    public static func == (left: Self, right: Self) -> Bool {
      left.point.x.words == right.point.x.words && left.point.y.words == right.point.y.words
    }
  }

  /// A public key with a 21 KB table, which verifies in a third of the time.
  ///
  /// Creating the table takes about as long as three verifications without it. Copies share it.
  public struct PreparedPublicKey: Sendable {
    /// The key that was prepared.
    public let publicKey: PublicKey
    let table: [UInt64]

    /// Prepares a key.
    public init(_ publicKey: PublicKey) {
      self.publicKey = publicKey
      table = Comb.table(of: publicKey.point)
    }

    /// Returns whether a signature belongs to a message, by its SHA-256 digest. Takes variable
    /// time.
    public func isValidSignature(
      _ signature: ECDSASignature, for data: some Collection<UInt8>
    ) -> Bool {
      isValidSignature(signature, for: SHA256.hash(data: data))
    }

    /// Returns whether a signature belongs to a digest. Takes variable time.
    public func isValidSignature(_ signature: ECDSASignature, for digest: SHA256.Digest) -> Bool {
      ECDSA.isValid(signature.numbers, for: digest) {
        VerificationProduct.sum($0, $1, comb: table)
      }
    }
  }
}

extension FieldElement {
  /// Returns the square root, if there is one: the power (p + 1) / 4, which is
  /// ((2^32 - 1) * 2^32 + 1) * 2^190 + 2^94.
  func squareRootCandidate() -> FieldElement {
    var power = self
    for width in [1, 2, 4, 8, 16] { power = power.squared(width) * power }
    power = power.squared(32) * self
    power = power.squared(96) * self
    return power.squared(94)
  }

  private func squared(_ count: Int) -> FieldElement {
    var result = self
    for _ in 0..<count { result = result.squared() }
    return result
  }
}
