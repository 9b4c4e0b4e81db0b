// SPDX-License-Identifier: Apache-2.0
// RSA private keys: formats and signing.

public import SecureHashing

extension RSA.Signing {
  /// An RSA private key: two primes of half the modulus size, and values derived from them.
  ///
  /// Treat this value as a secret. Copies share one block of memory, which is wiped when the last
  /// copy is released. The key is never printed. You own the bytes and strings that it's encoded
  /// as, and they aren't wiped. Encoding it in PKCS #8 or PEM leaves other copies in freed memory.
  ///
  /// To create a key, run `openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048`.
  public struct PrivateKey: Sendable, Redacted {
    /// The corresponding public key.
    public let publicKey: PublicKey

    /// The numbers, in the order of `RSAKeyLayout`.
    let memory: SecretMemory

    /// The key in PKCS #1.
    let encoded: SecretMemory

    /// Creates a key from DER: PKCS #8 (RFC 5958), whose attributes are ignored, or the
    /// RSAPrivateKey of PKCS #1 (RFC 8017, A.1.2).
    ///
    /// A PKCS #8 key for RSASSA-PSS is also read, without parameters or with those for
    /// SHA-512 and a salt of 64 bytes or the default. It becomes an ordinary RSA key, which isn't
    /// limited to PSS.
    ///
    /// The numbers are checked against each other, which takes about as long as signing. The
    /// factors aren't checked to be primes. A signature made with a wrong factor is never returned.
    ///
    /// - Throws: `invalidDER`, `unsupportedModulus`, `unsupportedExponent`, `unsupportedPrimes` or
    ///   `inconsistentKey`.
    public init(derRepresentation: some Collection<UInt8>) throws(KeyDecodingError) {
      var bytes = Array(derRepresentation)
      defer { PEM.erase(&bytes) }
      var key = bytes[...]
      guard var inner = DERReader(sequence: key) else {
        throw KeyDecodingError(der: bytes, needed: NeededKey(.privateKey, .rsa))
      }
      // Both have version 0, followed by a sequence or a number.
      var content = inner
      if content.skip([DER.integer, 1, 0]), content.isAt(DER.sequence) {
        guard let privateKey = content.privateKey(DER.rsaEncryptions + DER.rsaPSS),
          let numbers = DERReader(sequence: privateKey)
        else { throw KeyDecodingError(der: bytes, needed: NeededKey(.privateKey, .rsa)) }
        (key, inner) = (privateKey, numbers)
      }
      guard let numbers = RSAPrivateNumbers(&inner) else {
        throw KeyDecodingError(der: bytes, needed: NeededKey(.privateKey, .rsa))
      }
      publicKey = try PublicKey(
        modulus: numbers.modulus, exponent: numbers.exponent, leastExponent: 65_537)
      if numbers.hasUnequalPrimes {
        throw .unsupportedPrimes(numbers.p.bitCount, numbers.q.bitCount)
      }
      let memory = numbers.secrets(publicKey.exponent)
      ConstantTime.wipeStack()
      guard let memory else { throw .inconsistentKey }
      self.memory = memory
      encoded = unsafe key.withUnsafeBytes { unsafe SecretMemory(copying: $0) }
    }

    /// Creates a key from PEM: a PRIVATE KEY (PKCS #8) or RSA PRIVATE KEY (PKCS #1) block.
    ///
    /// Each form is accepted under either label, as in OpenSSL. Other blocks and text between
    /// blocks are ignored (RFC 7468, 2).
    ///
    /// - Throws: `invalidPEM`, or the errors of a key in DER.
    public init(pemRepresentation: String) throws(KeyDecodingError) {
      var bytes = try PEM.key(
        in: pemRepresentation, NeededKey(.privateKey, .rsa),
        labels: "PRIVATE KEY", "RSA PRIVATE KEY")
      defer { PEM.erase(&bytes) }
      try self.init(derRepresentation: bytes)
    }

    /// The modulus size in bits: 2048, 3072 or 4096.
    public var keySizeInBits: Int { publicKey.keySizeInBits }

    /// The key in DER, as PKCS #1. Treat it as a secret.
    public var derRepresentation: [UInt8] {
      defer { withExtendedLifetime(encoded) {} }
      // Safety: the memory stays alive until it's copied.
      return unsafe Array(UnsafeRawBufferPointer(start: encoded.start, count: encoded.byteCount))
    }

    /// The key in DER, as PKCS #8. Treat it as a secret.
    public var pkcs8DERRepresentation: [UInt8] {
      DER.value(
        DER.sequence,
        [DER.integer, 1, 0] + DER.value(DER.sequence, DER.rsaEncryption)
          + DER.value(DER.octetString, derRepresentation))
    }

    /// The key in PEM, as PKCS #1. Treat it as a secret.
    public var pemRepresentation: String {
      PEM.text(of: derRepresentation, label: "RSA PRIVATE KEY")
    }

    /// The key in PEM, as PKCS #8. Treat it as a secret.
    public var pkcs8PEMRepresentation: String {
      PEM.text(of: pkcs8DERRepresentation, label: "PRIVATE KEY")
    }

    /// Signs a message, by its SHA-256 digest, in constant time except on RISC-V.
    ///
    /// Signing the same message again returns the same signature with PKCS #1 v1.5, and a different
    /// one with PSS. For PSS with SHA-512, pass the SHA-512 digest of the message.
    ///
    /// - Throws: `faultDetected` instead of returning a wrong signature.
    public func signature(
      for data: some Collection<UInt8>, padding: Padding
    ) throws(RSA.SigningError) -> RSASignature {
      try signature(for: SHA256.hash(data: data), padding: padding)
    }

    /// Signs a SHA-256 digest, like ``signature(for:padding:)-(Collection<UInt8>,_)``.
    public func signature(
      for digest: SHA256.Digest, padding: Padding
    ) throws(RSA.SigningError) -> RSASignature {
      try signature(SHA256.self, digest, RSAPadding.sha256, padding)
    }

    /// Signs a SHA-512 digest with PSS, the `rsa-pss-sha512` of RFC 9421 and the PS512 of JOSE.
    /// Otherwise like ``signature(for:padding:)-(Collection<UInt8>,_)``.
    ///
    /// - Throws: `unsupportedDigest` with another padding, or `faultDetected`.
    public func signature(
      for digest: SHA512.Digest, padding: Padding
    ) throws(RSA.SigningError) -> RSASignature {
      try signature(SHA512.self, digest, nil, padding)
    }

    /// Signs a digest. Without the prefix of PKCS #1 v1.5, only with PSS.
    private func signature<Hash: HashFunction>(
      _ function: Hash.Type, _ digest: Hash.Digest, _ prefix: [UInt8]?, _ padding: Padding
    ) throws(RSA.SigningError) -> RSASignature {
      switch padding.scheme {
      case .pkcs1v1_5:
        guard let prefix else { throw RSA.SigningError(code: .unsupportedDigest) }
        return try signature(
          of: RSAPadding.encoded(digest, prefix, byteCount: publicKey.byteCount))
      case .pss:
        // See SymmetricKey.init(size:).
        let salt = PSSPadding<Hash>.salt { .random(in: 0 ... .max) }
        return try pssSignature(function, digest, salt: salt)
      }
    }

    /// Signs a digest with PSS and a salt as long as the digest.
    package func pssSignature<Hash: HashFunction>(
      _ function: Hash.Type, _ digest: Hash.Digest, salt: [UInt8]
    ) throws(RSA.SigningError) -> RSASignature {
      try signature(
        of: PSSPadding<Hash>.encoded(digest, salt: salt, byteCount: publicKey.byteCount))
    }

    /// Signs a SHA-1 digest, for services that accept nothing else, such as CloudFront. Forgeries
    /// of SHA-1 are known.
    package func signature(
      for digest: SHA1.Digest, padding: Padding
    ) throws(RSA.SigningError) -> RSASignature {
      try signature(SHA1.self, digest, RSAPadding.sha1, padding)
    }

    /// Signs a number below the modulus, encoded in as many bytes as the modulus.
    func signature(of encoded: [UInt8]) throws(RSA.SigningError) -> RSASignature {
      defer { ConstantTime.wipeStack() }
      // See SymmetricKey.init(size:).
      return try signature(of: encoded) { .random(in: 0 ... .max) }
    }

    /// A separate function, so that its stack can be wiped.
    @inline(never)
    func signature(
      of encoded: [UInt8], implementation: RSAImplementation = .current,
      _ random: () -> UInt64
    ) throws(RSA.SigningError) -> RSASignature {
      defer { withExtendedLifetime(memory) {} }
      let count = publicKey.byteCount / 8
      var number = [UInt64](repeating: 0, count: count)
      // Safety: the numbers have that many limbs, and the memory stays alive until the signature
      // exists.
      unsafe number.withUnsafeMutableBufferPointer { words in
        if let start = words.baseAddress { unsafe Limbs.read(start, encoded, count) }
      }
      let signing = unsafe RSASigning(
        words: memory.value(as: UInt64.self), layout: RSAKeyLayout(half: count / 2),
        exponent: publicKey.exponent, implementation: implementation)
      guard let words = signing.signature(of: number, random) else {
        throw RSA.SigningError(code: .faultDetected)
      }
      let bytes = unsafe words.withUnsafeBufferPointer { words in
        unsafe words.baseAddress.map { unsafe Limbs.bytes($0, count) } ?? []
      }
      return RSASignature(rawRepresentation: bytes)
    }

    /// The kind of value, never the numbers.
    public var description: String { "RSA.Signing.PrivateKey" }
  }
}
