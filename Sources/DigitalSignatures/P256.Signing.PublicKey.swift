// SPDX-License-Identifier: Apache-2.0
// A public key: the forms it is written in, and what it verifies.

public import SecureHashing

extension P256.Signing {
  /// A public key: a point of the curve, checked when the key is read.
  ///
  /// For many signatures under one key make a ``PreparedPublicKey``.
  public struct PublicKey: Sendable, Equatable {
    let point: AffinePoint

    init(_ point: AffinePoint) {
      self.point = point
    }

    /// A key of 64 bytes: both coordinates, the highest byte first.
    ///
    /// Throws `wrongLength` and `invalidPoint`.
    public init(rawRepresentation: some Collection<UInt8>) throws(P256.DecodingError) {
      let bytes = Array(rawRepresentation)
      if bytes.count != 64 {
        throw .wrongLength(bytes.count, of: "a raw public key", expected: "64")
      }
      let (x, y) = (Words256(bytes[..<32]), Words256(bytes[32...]))
      if !FieldElement.isReduced(x) || !FieldElement.isReduced(y) { throw .invalidPoint }
      point = AffinePoint(x: FieldElement(x), y: FieldElement(y))
      if !point.isOnCurve { throw .invalidPoint }
    }

    /// A key of 33 bytes: 2 or 3, then x (SEC 1, 2.3.4).
    ///
    /// Throws `wrongLength` and `invalidPoint`.
    public init(compressedRepresentation: some Collection<UInt8>) throws(P256.DecodingError) {
      let bytes = Array(compressedRepresentation)
      if bytes.count != 33 {
        throw .wrongLength(bytes.count, of: "a compressed public key", expected: "33")
      }
      let x = Words256(bytes[1...])
      if bytes[0] & 0xFE != 2 || !FieldElement.isReduced(x) { throw .invalidPoint }
      let element = FieldElement(x)
      var y = AffinePoint.squareOfY(at: element).squareRootCandidate()
      if UInt8(truncatingIfNeeded: y.number.w0 & 1) != bytes[0] & 1 { y = -y }
      point = AffinePoint(x: element, y: y)
      if !point.isOnCurve { throw .invalidPoint }
    }

    /// A key as ANSI X9.63 has it: 65 bytes, 4 and both coordinates, or 33 bytes, compressed.
    ///
    /// Throws `wrongLength` and `invalidPoint`.
    public init(x963Representation: some Collection<UInt8>) throws(P256.DecodingError) {
      let bytes = Array(x963Representation)
      switch bytes.count {
      case 33: try self.init(compressedRepresentation: bytes)
      case 65 where bytes[0] == 4: try self.init(rawRepresentation: bytes[1...])
      case 65: throw .invalidPoint
      default: throw .wrongLength(bytes.count, of: "a public key in X9.63", expected: "65 or 33")
      }
    }

    /// A key in DER: the SubjectPublicKeyInfo of RFC 5480.
    ///
    /// Throws `invalidDER` and `invalidPoint`.
    public init(derRepresentation: some Collection<UInt8>) throws(P256.DecodingError) {
      var reader = DERReader(Array(derRepresentation)[...])
      guard var inner = reader.sequence(), reader.isAtEnd,
        inner.skip(DER.value(DER.sequence, DER.algorithm + DER.curve)),
        let point = inner.bitString(), inner.isAtEnd, point.count == 65 || point.count == 33
      else { throw .invalidDER("a public key of P-256 (SubjectPublicKeyInfo)") }
      try self.init(x963Representation: point)
    }

    /// A key in PEM: a block PUBLIC KEY.
    ///
    /// Throws `invalidPEM`, and what the key in DER throws.
    public init(pemRepresentation: String) throws(P256.DecodingError) {
      guard let bytes = PEM.content(of: pemRepresentation, label: "PUBLIC KEY") else {
        throw .invalidPEM("PUBLIC KEY")
      }
      try self.init(derRepresentation: bytes)
    }

    /// Both coordinates: 64 bytes.
    public var rawRepresentation: [UInt8] {
      Array(Secret.Bytes(point.x.number)) + Array(Secret.Bytes(point.y.number))
    }

    /// 2 or 3, and x: 33 bytes.
    public var compressedRepresentation: [UInt8] {
      let sign = UInt8(truncatingIfNeeded: point.y.number.w0 & 1)
      return [2 | sign] + Array(Secret.Bytes(point.x.number))
    }

    /// 4, and both coordinates: 65 bytes.
    public var x963Representation: [UInt8] { [4] + rawRepresentation }

    /// The key in DER, a SubjectPublicKeyInfo: 91 bytes.
    public var derRepresentation: [UInt8] {
      DER.value(
        DER.sequence,
        DER.value(DER.sequence, DER.algorithm + DER.curve)
          + DER.value(DER.bitString, [0] + x963Representation))
    }

    /// The key in PEM.
    public var pemRepresentation: String { PEM.text(of: derRepresentation, label: "PUBLIC KEY") }

    /// Whether a signature belongs to a message, by its SHA-256 digest. In variable time: nothing
    /// of it is secret.
    public func isValidSignature(
      _ signature: ECDSASignature, for data: some Collection<UInt8>
    ) -> Bool {
      isValidSignature(signature, for: SHA256.hash(data: data))
    }

    /// Whether a signature belongs to a digest. In variable time: nothing of it is secret.
    public func isValidSignature(_ signature: ECDSASignature, for digest: SHA256.Digest) -> Bool {
      ECDSA.isValid(signature.numbers, for: digest) { VerificationProduct.sum($0, $1, point) }
    }

    /// Whether two keys are the same point.
    public static func == (left: Self, right: Self) -> Bool {
      left.point.x.words == right.point.x.words && left.point.y.words == right.point.y.words
    }
  }

  /// A public key with a table of 21 KB, which verifies in a third of the time.
  ///
  /// Making the table takes as long as about three verifications without it. Copies share it.
  public struct PreparedPublicKey: Sendable {
    /// The key that was prepared.
    public let publicKey: PublicKey
    let table: [UInt64]

    /// Prepares a key.
    public init(_ publicKey: PublicKey) {
      self.publicKey = publicKey
      table = Comb.table(of: publicKey.point)
    }

    /// Whether a signature belongs to a message, by its SHA-256 digest. In variable time.
    public func isValidSignature(
      _ signature: ECDSASignature, for data: some Collection<UInt8>
    ) -> Bool {
      isValidSignature(signature, for: SHA256.hash(data: data))
    }

    /// Whether a signature belongs to a digest. In variable time.
    public func isValidSignature(_ signature: ECDSASignature, for digest: SHA256.Digest) -> Bool {
      ECDSA.isValid(signature.numbers, for: digest) {
        VerificationProduct.sum($0, $1, comb: table)
      }
    }
  }
}

extension FieldElement {
  /// The square root, if there is one: the power (p + 1) / 4, which is
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
