// SPDX-License-Identifier: Apache-2.0
// RSA public keys: formats and verification.

public import SecureHashing

extension RSA.Signing {
  /// An RSA public key: a modulus of 2048, 3072 or 4096 bits and an odd exponent from 3 to
  /// 2^33 - 1.
  public struct PublicKey: Sendable, Equatable {
    /// The modulus, and R * R modulo it.
    let words: [UInt64]
    let exponent: UInt64

    /// Creates a key from a big-endian modulus and exponent, without leading zeros.
    init(
      modulus: some Collection<UInt8>, exponent: some Collection<UInt8>,
      leastExponent: UInt64 = 3
    ) throws(KeyDecodingError) {
      let modulus = Array(modulus)
      self.exponent = try RSA.exponent(exponent, least: leastExponent)
      try RSA.checkModulus(modulus)
      let count = modulus.count / 8
      var words = [UInt64](repeating: 0, count: 2 * count)
      var scratch = words
      // Safety: both have twice as many limbs as the modulus.
      unsafe words.withUnsafeMutableBufferPointer { words in
        unsafe scratch.withUnsafeMutableBufferPointer { scratch in
          guard let n = words.baseAddress, let scratch = scratch.baseAddress else { return }
          unsafe Limbs.read(n, modulus, count)
          unsafe MontgomeryModulus.writeSquareOfR(n + count, n, count, scratch)
        }
      }
      self.words = words
    }

    /// Creates a key from DER: the SubjectPublicKeyInfo of RFC 5280, or the RSAPublicKey of PKCS #1
    /// (RFC 8017, A.1.1).
    ///
    /// A SubjectPublicKeyInfo for RSASSA-PSS is also read, without parameters or with those for
    /// SHA-512 and a salt of 64 bytes or the default. It becomes an ordinary RSA key, which isn't
    /// limited to PSS.
    ///
    /// - Throws: `invalidDER`, `unsupportedModulus` or `unsupportedExponent`.
    public init(derRepresentation: some Collection<UInt8>) throws(KeyDecodingError) {
      let bytes = Array(derRepresentation)
      guard var inner = DERReader(sequence: bytes[...]) else {
        throw KeyDecodingError(der: bytes, needed: NeededKey(.publicKey, .rsa))
      }
      if inner.skipAlgorithm(DER.rsaEncryptions + DER.rsaPSS) {
        guard let content = inner.bitString(), inner.isAtEnd,
          let key = DERReader(sequence: content)
        else { throw KeyDecodingError(der: bytes, needed: NeededKey(.publicKey, .rsa)) }
        inner = key
      }
      guard let modulus = inner.unsignedInteger(), let exponent = inner.unsignedInteger(),
        inner.isAtEnd
      else { throw KeyDecodingError(der: bytes, needed: NeededKey(.publicKey, .rsa)) }
      try self.init(modulus: modulus, exponent: exponent)
    }

    /// Creates a key from PEM: a PUBLIC KEY or RSA PUBLIC KEY (PKCS #1) block.
    ///
    /// Each form is accepted under either label, as in OpenSSL. Other blocks and text between
    /// blocks are ignored (RFC 7468, 2).
    ///
    /// - Throws: `invalidPEM`, or the errors of a key in DER.
    public init(pemRepresentation: String) throws(KeyDecodingError) {
      let bytes = try PEM.key(
        in: pemRepresentation, NeededKey(.publicKey, .rsa), labels: "PUBLIC KEY", "RSA PUBLIC KEY")
      try self.init(derRepresentation: bytes)
    }

    /// The modulus size in bits: 2048, 3072 or 4096.
    public var keySizeInBits: Int { words.count * 32 }

    /// The signature size in bytes.
    var byteCount: Int { words.count * 4 }

    /// The key in DER, as a SubjectPublicKeyInfo.
    public var derRepresentation: [UInt8] {
      DER.value(
        DER.sequence,
        DER.value(DER.sequence, DER.rsaEncryption)
          + DER.value(DER.bitString, [0] + pkcs1DERRepresentation))
    }

    /// The key in DER, as an RSAPublicKey of PKCS #1.
    public var pkcs1DERRepresentation: [UInt8] {
      DER.value(
        DER.sequence, DER.unsignedInteger(modulusBytes) + DER.unsignedInteger(exponentBytes))
    }

    /// The modulus, most significant byte first, without leading zeros.
    var modulusBytes: [UInt8] {
      unsafe words.withUnsafeBufferPointer { words in
        unsafe words.baseAddress.map { unsafe Limbs.bytes($0, words.count / 2) } ?? []
      }
    }

    /// The exponent, most significant byte first, without leading zeros.
    var exponentBytes: [UInt8] {
      let bytes = (0..<8).map { UInt8(truncatingIfNeeded: exponent >> (56 - 8 * $0)) }
      return Array(bytes.drop { $0 == 0 })
    }

    /// The key in PEM, as a PUBLIC KEY block.
    public var pemRepresentation: String { PEM.text(of: derRepresentation, label: "PUBLIC KEY") }

    /// Returns whether a signature belongs to a message, by its SHA-256 digest. Takes variable
    /// time, because nothing is secret.
    public func isValidSignature(
      _ signature: RSASignature, for data: some Collection<UInt8>, padding: Padding
    ) -> Bool {
      isValidSignature(signature, for: SHA256.hash(data: data), padding: padding)
    }

    /// Returns whether a signature belongs to a SHA-256 digest. Takes variable time, because
    /// nothing is secret.
    public func isValidSignature(
      _ signature: RSASignature, for digest: SHA256.Digest, padding: Padding
    ) -> Bool {
      isValid(signature, SHA256.self, digest, RSAPadding.sha256, padding)
    }

    /// Returns whether a signature with PSS belongs to a SHA-512 digest, and false with another
    /// padding. Takes variable time, because nothing is secret.
    ///
    /// The salt must be 64 bytes long.
    public func isValidSignature(
      _ signature: RSASignature, for digest: SHA512.Digest, padding: Padding
    ) -> Bool {
      isValid(signature, SHA512.self, digest, nil, padding)
    }

    /// Returns whether a signature belongs to a SHA-1 digest. Takes variable time, because nothing
    /// is secret.
    ///
    /// Forgeries of SHA-1 are known. Use this only for what is already signed this way.
    package func isValidSignature(
      _ signature: RSASignature, for digest: SHA1.Digest, padding: Padding
    ) -> Bool {
      isValid(signature, SHA1.self, digest, RSAPadding.sha1, padding)
    }

    /// Without the prefix of PKCS #1 v1.5, only signatures with PSS are valid.
    private func isValid<Hash: HashFunction>(
      _ signature: RSASignature, _ function: Hash.Type, _ digest: Hash.Digest, _ prefix: [UInt8]?,
      _ padding: Padding
    ) -> Bool {
      switch padding.scheme {
      case .pkcs1v1_5:
        guard let prefix else { return false }
        return isValid(signature, RSAPadding.encoded(digest, prefix, byteCount: byteCount))
      case .pss:
        // RFC 8017, 8.1.2
        return unsafe isValid(signature, RSAImplementation.current) { power, _, count in
          // Safety: it has as many limbs as the modulus.
          unsafe PSSPadding<Hash>.isValid(Limbs.bytes(power, count), for: digest)
        }
      }
    }

    /// RFC 8017, 8.2.2: compares all bytes, and parses nothing.
    func isValid(
      _ signature: RSASignature, _ encoded: [UInt8],
      implementation: RSAImplementation = .current
    ) -> Bool {
      unsafe isValid(signature, implementation) { power, spare, count in
        // Safety: both have as many limbs as the modulus.
        unsafe Limbs.read(spare, encoded, count)
        return unsafe Limbs.equalMask(power, spare, count) != 0
      }
    }

    /// RFC 8017, 5.2.2: returns false unless the signature is below the modulus. Otherwise calls
    /// `isRight` with its public power, as much spare memory, and the number of limbs.
    private func isValid(
      _ signature: RSASignature, _ implementation: RSAImplementation,
      _ isRight: (_ power: Limbs.Words, _ spare: Limbs.Words, _ count: Int) -> Bool
    ) -> Bool {
      if signature.rawRepresentation.count != byteCount { return false }
      let count = words.count / 2
      // Safety: the memory has the limbs that the numbers below use.
      return unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 5 * count) { memory in
        unsafe words.withUnsafeBufferPointer { words in
          guard let s = memory.baseAddress, let n = words.baseAddress else { return false }
          let (power, scratch, spare) = unsafe (s + count, s + 2 * count, s + 4 * count)
          unsafe Limbs.read(s, signature.rawRepresentation, count)
          // RFC 8017, 5.2.2, step 1
          if unsafe Limbs.subtract(scratch, s, n, count) == 0 { return false }
          let modulus = unsafe MontgomeryModulus(n, count, squareOfR: n + count)
          unsafe implementation.publicPower(power, s, exponent, modulus, scratch)
          return unsafe isRight(power, spare, count)
        }
      }
    }
  }
}

extension MontgomeryModulus {
  /// `result = base^exponent`, neither in Montgomery form. `base` is converted to its Montgomery
  /// form.
  func publicPower(
    _ result: Limbs.Words, _ base: Limbs.Words, _ exponent: UInt64, _ scratch: Limbs.Words
  ) {
    // Safety: guaranteed by the caller.
    unsafe enter(base, base, scratch)
    unsafe power(result, base, publicExponent: exponent, scratch)
    unsafe leave(result, result, scratch)
  }
}

extension RSA {
  /// Reads an exponent, which must be odd and below 2^33, as in BoringSSL. Larger ones only waste a
  /// verifier's time.
  static func exponent(
    _ bytes: some Collection<UInt8>, least: UInt64
  ) throws(KeyDecodingError) -> UInt64 {
    let number = bytes.prefix(6).reduce(0) { $0 << 8 | UInt64($1) }
    if number < least || number >= 1 << 33 || number & 1 == 0 {
      throw .unsupportedExponent("from \(least) to 8589934591")
    }
    return number
  }

  static func checkModulus(_ bytes: [UInt8]) throws(KeyDecodingError) {
    let bitCount = bytes.count * 8 - (bytes.first?.leadingZeroBitCount ?? 0)
    if ![2_048, 3_072, 4_096].contains(bitCount) || (bytes.last ?? 0) & 1 == 0 {
      throw .unsupportedModulus(bitCount: bitCount)
    }
  }
}
