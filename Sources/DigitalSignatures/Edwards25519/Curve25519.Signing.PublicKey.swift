// SPDX-License-Identifier: Apache-2.0
// Ed25519 public keys: formats and verification.

extension Curve25519.Signing {
  /// An Ed25519 public key: a point of the curve, checked when the key is read.
  public struct PublicKey: Sendable, Equatable {
    /// The 32 bytes, as a little-endian number.
    let encoding: Words256
    private let negatedPoint: Edwards25519.Point

    init(_ point: Edwards25519.Point) {
      let form = point.publicForm
      encoding = form.encoding
      negatedPoint = form.point.negated
    }

    /// Creates a key from its encoding, 32 bytes (RFC 8032, 5.1.2).
    ///
    /// Refuses what isn't the only encoding of a point, and the eight points of small order, under
    /// which one signature would be valid for many messages.
    ///
    /// - Throws: `wrongLength` or `invalidPoint`.
    public init(rawRepresentation: some Collection<UInt8>) throws(KeyDecodingError) {
      let bytes = Array(rawRepresentation)
      if bytes.count != 32 {
        throw .wrongLength(bytes.count, of: "A raw public key", expected: "32")
      }
      encoding = Words256(bytes).reversed
      guard let point = Edwards25519.Point(encoding: encoding) else { throw .invalidEdwardsPoint }
      if point.hasSmallOrder { throw .smallOrder }
      negatedPoint = point.negated
    }

    /// Creates a key from DER: the SubjectPublicKeyInfo of RFC 8410, 4.
    ///
    /// - Throws: `invalidDER` or `invalidPoint`.
    public init(derRepresentation: some Collection<UInt8>) throws(KeyDecodingError) {
      let bytes = Array(derRepresentation)
      guard var inner = DERReader(sequence: bytes[...]), inner.skipAlgorithm([DER.ed25519]),
        let point = inner.bitString(), inner.isAtEnd, point.count == 32
      else { throw KeyDecodingError(der: bytes, needed: NeededKey(.publicKey, .ed25519)) }
      try self.init(rawRepresentation: point)
    }

    /// Creates a key from PEM: a PUBLIC KEY block. Other blocks and text between blocks are ignored
    /// (RFC 7468, 2).
    ///
    /// - Throws: `invalidPEM`, or the errors of a key in DER.
    public init(pemRepresentation: String) throws(KeyDecodingError) {
      let bytes = try PEM.key(
        in: pemRepresentation, NeededKey(.publicKey, .ed25519), labels: "PUBLIC KEY")
      try self.init(derRepresentation: bytes)
    }

    /// The encoding: 32 bytes.
    public var rawRepresentation: [UInt8] { Array(Secret.Bytes(encoding.reversed)) }

    /// The key in DER, as a SubjectPublicKeyInfo: 44 bytes.
    public var derRepresentation: [UInt8] {
      DER.value(
        DER.sequence,
        DER.value(DER.sequence, DER.ed25519) + DER.value(DER.bitString, [0] + rawRepresentation))
    }

    /// The key in PEM.
    public var pemRepresentation: String { PEM.text(of: derRepresentation, label: "PUBLIC KEY") }

    /// Returns whether a signature, 64 bytes, belongs to a message. Takes variable time, because
    /// nothing is secret.
    ///
    /// Returns false for any other number of bytes, and for the other encodings of a valid
    /// signature, so it can't be changed without the key (RFC 8032, 8.4). The equation is the one
    /// without the cofactor, as in OpenSSL, BoringSSL and Go.
    public func isValidSignature(
      _ signature: some Collection<UInt8>, for data: some Collection<UInt8>
    ) -> Bool {
      guard let numbers = EdDSA.Numbers(Array(signature)) else { return false }
      let isValid = data.withContiguousStorageIfAvailable {
        unsafe self.isValid(numbers, for: UnsafeRawBufferPointer($0))
      }
      if let isValid { return isValid }
      let copy = Array(data)
      return unsafe copy.withUnsafeBytes { unsafe self.isValid(numbers, for: $0) }
    }

    private func isValid(
      _ numbers: EdDSA.Numbers, for message: UnsafeRawBufferPointer
    ) -> Bool {
      // Safety: the caller's message outlives the call.
      unsafe EdDSA.isValid(numbers, for: message, publicKey: encoding, negated: negatedPoint)
    }

    /// Compares the encodings of two keys.
    public static func == (left: Self, right: Self) -> Bool { left.encoding == right.encoding }
  }
}

extension EdDSA.Numbers {
  /// Reads a signature (RFC 8032, 5.1.6, step 6), or returns nil unless there are 64 bytes.
  init?(_ bytes: [UInt8]) {
    if bytes.count != 64 { return nil }
    self.init(r: Words256(bytes[..<32]).reversed, s: Words256(bytes[32...]).reversed)
  }

  var bytes: [UInt8] {
    let (r, s) = (Secret.Bytes(r.reversed), Secret.Bytes(s.reversed))
    return unsafe [UInt8](unsafeUninitializedCapacity: 64) { target, count in
      for index in 0..<32 {
        unsafe target[index] = r[index]
        unsafe target[index + 32] = s[index]
      }
      count = 64
    }
  }
}
