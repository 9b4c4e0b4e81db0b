// SPDX-License-Identifier: Apache-2.0
// P-256 private keys: formats and signing.

public import SecureHashing

extension P256.Signing {
  /// A P-256 private key: a number above zero and below the order of the curve.
  ///
  /// Treat this value as a secret. Copies share one block of memory, which is wiped when the last
  /// copy is released. The key is never printed. You own the bytes and strings that it's encoded
  /// as, and they aren't wiped. Encoding it in X9.63, DER or PEM leaves other copies in freed
  /// memory.
  public struct PrivateKey: Sendable, Redacted {
    let memory: SecretMemory

    /// The corresponding public key.
    ///
    /// Computing it takes about as long as signing, in constant time except on RISC-V, so store it.
    public var publicKey: PublicKey {
      defer {
        withExtendedLifetime(memory) {}
        ConstantTime.wipeStack()
      }
      return computedPublicKey
    }

    /// A separate function, so that its stack can be wiped.
    @inline(never)
    private var computedPublicKey: PublicKey {
      var number = unsafe secrets.pointee.bytes.withBytes { unsafe Words256(bigEndian: $0) }
      var point = BasePoint.times(Scalar(reduced: number))
      defer {
        Secret.erase(&number)
        Secret.erase(&point)
      }
      return PublicKey(point.affine)
    }

    /// Creates a random key with the system's generator.
    public init() {
      // See SymmetricKey.init(size:).
      self.init { .random(in: 0 ... .max) }
    }

    /// Creates a random key with your generator, which must be cryptographically secure.
    public init(using generator: inout some RandomNumberGenerator) {
      self.init { generator.next() }
    }

    private init(_ random: () -> UInt64) {
      while true {
        var number = Words256(random(), random(), random(), random())
        defer { Secret.erase(&number) }
        if let key = Self(number: number) {
          self = key
          return
        }
      }
    }

    /// Creates a key from 32 bytes, most significant first.
    ///
    /// - Throws: `wrongLength` or `invalidScalar`.
    public init(rawRepresentation: some Collection<UInt8>) throws(KeyDecodingError) {
      var bytes = Array(rawRepresentation)
      defer { PEM.erase(&bytes) }
      if bytes.count != 32 {
        throw .wrongLength(bytes.count, of: "A raw private key", expected: "32")
      }
      guard let key = Self(number: Words256(bytes)) else { throw .invalidScalar }
      self = key
    }

    /// Creates a key from ANSI X9.63: 4, both coordinates of the public key, and the number, 97
    /// bytes.
    ///
    /// - Throws: `wrongLength`, `invalidPoint`, `invalidScalar` or `publicKeyMismatch`.
    public init(x963Representation: some Collection<UInt8>) throws(KeyDecodingError) {
      var bytes = Array(x963Representation)
      defer { PEM.erase(&bytes) }
      if bytes.count != 97 {
        throw .wrongLength(bytes.count, of: "An X9.63 private key", expected: "97")
      }
      let publicKey = try PublicKey(x963Representation: bytes[..<65])
      try self.init(rawRepresentation: bytes[65...])
      if publicKey != self.publicKey { throw .publicKeyMismatch }
    }

    /// Creates a key from DER: PKCS #8 (RFC 5958), whose attributes are ignored, or the
    /// ECPrivateKey of SEC 1 (RFC 5915).
    ///
    /// - Throws: `invalidDER`, or the errors of the keys inside.
    public init(derRepresentation: some Collection<UInt8>) throws(KeyDecodingError) {
      var bytes = Array(derRepresentation)
      defer { PEM.erase(&bytes) }
      try self.init(bytes)
    }

    /// A separate initializer, so that the bytes can be wiped afterward.
    private init(_ bytes: [UInt8]) throws(KeyDecodingError) {
      guard let fields = Fields(bytes) else {
        throw KeyDecodingError(der: bytes, needed: NeededKey(.privateKey, .p256))
      }
      try self.init(rawRepresentation: fields.number)
      if let point = fields.publicKey, try PublicKey(x963Representation: point) != publicKey {
        throw .publicKeyMismatch
      }
    }

    /// The number and the public key in DER. Secret.
    private struct Fields {
      let number: ArraySlice<UInt8>
      private(set) var publicKey: ArraySlice<UInt8>?

      /// PKCS #8 (RFC 5958, 2) around RFC 5915, 3, or only the latter: version 1, the number, the
      /// curve if it isn't known yet, and the public key.
      init?(_ bytes: [UInt8]) {
        guard var reader = DERReader(sequence: bytes[...]) else { return nil }
        let isPKCS8 = reader.skip([DER.integer, 1, 0])
        if isPKCS8 {
          guard let content = reader.privateKey([DER.algorithm + DER.curve]),
            let privateKey = DERReader(sequence: content)
          else { return nil }
          reader = privateKey
        }
        guard reader.skip([DER.integer, 1, 1]), let number = reader.content(DER.octetString),
          number.count == 32, reader.skip(DER.value(DER.parameters, DER.curve)) || isPKCS8
        else { return nil }
        self.number = number
        if reader.isAt(DER.publicKey) {
          guard var inner = reader.content(DER.publicKey).map(DERReader.init),
            let point = inner.bitString(), inner.isAtEnd
          else { return nil }
          publicKey = point
        }
        if !reader.isAtEnd { return nil }
      }
    }

    /// Creates a key from PEM: a PRIVATE KEY (PKCS #8) or EC PRIVATE KEY (SEC 1) block.
    ///
    /// Each form is accepted under either label, as in OpenSSL. Other blocks and text between
    /// blocks are ignored (RFC 7468, 2).
    ///
    /// - Throws: `invalidPEM`, or the errors of a key in DER.
    public init(pemRepresentation: String) throws(KeyDecodingError) {
      var bytes = try PEM.key(
        in: pemRepresentation, NeededKey(.privateKey, .p256),
        labels: "PRIVATE KEY", "EC PRIVATE KEY")
      defer { PEM.erase(&bytes) }
      try self.init(derRepresentation: bytes)
    }

    /// Creates a key from a random 256-bit number: the number plus one, or nil if it's above n - 2
    /// (FIPS 186-5, A.2.2).
    package init?(candidate: SHA256.Digest) {
      let (number, carry) = Words256.add(Words256(bigEndian: candidate), Words256(1, 0, 0, 0))
      if carry != 0 { return nil }
      self.init(number: number)
    }

    /// Creates a key from a number, or returns nil if it's zero or not below the order.
    init?(number: Words256) {
      // Which of the two it is isn't revealed. That there is no key is public.
      if Scalar.isReducedMask(number) & ~number.isZeroMask == 0 { return nil }
      memory = Self.memory(of: number)
      ConstantTime.wipeStack()
    }

    /// A separate function, so that its stack can be wiped.
    @inline(never)
    private static func memory(of number: Words256) -> SecretMemory { .moving(KeySecrets(number)) }

    /// The number: 32 bytes. Treat it as a secret.
    public var rawRepresentation: [UInt8] {
      defer { withExtendedLifetime(memory) {} }
      return unsafe Array(secrets.pointee.bytes)
    }

    /// 4, both coordinates of the public key, and the number: 97 bytes. Treat it as a secret.
    public var x963Representation: [UInt8] { publicKey.x963Representation + rawRepresentation }

    /// The key in DER, as PKCS #8 with the public key: 138 bytes. Treat it as a secret.
    public var derRepresentation: [UInt8] {
      let privateKey =
        [DER.integer, 1, 1] + DER.value(DER.octetString, rawRepresentation)
        + DER.value(DER.publicKey, DER.value(DER.bitString, [0] + publicKey.x963Representation))
      return DER.value(
        DER.sequence,
        [DER.integer, 1, 0] + DER.value(DER.sequence, DER.algorithm + DER.curve)
          + DER.value(DER.octetString, DER.value(DER.sequence, privateKey)))
    }

    /// The key in PEM, as PKCS #8. Treat it as a secret.
    public var pemRepresentation: String { PEM.text(of: derRepresentation, label: "PRIVATE KEY") }

    /// Signs a message, by its SHA-256 digest, in constant time except on RISC-V.
    ///
    /// Signing the same message again returns the same signature (RFC 6979). If you pass entropy
    /// (32 random bytes are best), each signature is different (RFC 6979, 3.6), so that an attacker
    /// who disturbs the processor learns less from two signatures of one message.
    public func signature(
      for data: some Collection<UInt8>, entropy: [UInt8] = []
    ) -> ECDSASignature {
      signature(for: SHA256.hash(data: data), entropy: entropy)
    }

    /// Signs a digest, like ``signature(for:entropy:)-(Collection<UInt8>,_)``.
    public func signature(for digest: SHA256.Digest, entropy: [UInt8] = []) -> ECDSASignature {
      defer {
        withExtendedLifetime(memory) {}
        ConstantTime.wipeStack()
      }
      // Safety: the memory stays alive until the signature exists.
      return unsafe entropy.withUnsafeBytes { entropy in
        unsafe ECDSASignature(ECDSA.sign(digest, secrets, entropy: entropy))
      }
    }

    /// The kind of value, never the number.
    public var description: String { "P256.Signing.PrivateKey" }

    /// The pointer is valid while the key is alive.
    private var secrets: UnsafePointer<KeySecrets> {
      // Safety: the initializer created the memory from these.
      unsafe memory.value(as: KeySecrets.self)
    }
  }
}
