// SPDX-License-Identifier: Apache-2.0
// Ed25519 private keys: formats and signing.

public import SecureHashing

extension Curve25519.Signing {
  /// An Ed25519 private key: 32 random bytes, called the seed.
  ///
  /// Treat this value as a secret. Copies share one block of memory, which is wiped when the last
  /// copy is released. The key is never printed. You own the bytes and strings that it's encoded
  /// as, and they aren't wiped. Encoding it in DER or PEM leaves other copies in freed memory.
  public struct PrivateKey: Sendable, Redacted {
    let memory: SecretMemory

    /// The corresponding public key.
    public let publicKey: PublicKey

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
      var seed = Words256(random(), random(), random(), random())
      defer { Secret.erase(&seed) }
      self.init(seed: seed)
    }

    /// Creates a key from its seed, 32 bytes.
    ///
    /// Some programs store the public key after the seed, 64 bytes. Pass the first half of them.
    ///
    /// - Throws: `wrongLength`.
    public init(rawRepresentation: some Collection<UInt8>) throws(KeyDecodingError) {
      var bytes = Array(rawRepresentation)
      defer { PEM.erase(&bytes) }
      if bytes.count == 64 {
        throw KeyDecodingError(
          .wrongLength, "A raw private key must be 32 bytes long, not 64.",
          fix: "Pass the first 32 bytes, which are the seed, if the public key follows it.")
      }
      if bytes.count != 32 {
        throw .wrongLength(bytes.count, of: "A raw private key", expected: "32")
      }
      self.init(seed: Words256(bytes))
    }

    /// Creates a key from the big-endian number of its seed.
    private init(seed: Words256) {
      let (memory, publicKey) = Self.created(seed)
      self.memory = memory
      self.publicKey = publicKey
      ConstantTime.wipeLargeStack()
    }

    /// A separate function, so that its stack can be wiped.
    @inline(never)
    private static func created(_ seed: Words256) -> (SecretMemory, PublicKey) {
      var secrets = EdDSA.KeySecrets(seed: Secret.Bytes(seed))
      defer { Secret.erase(&secrets) }
      return (.moving(secrets), PublicKey(secrets.point))
    }

    /// Creates a key from DER: PKCS #8 (RFC 5958, RFC 8410), whose attributes are ignored.
    ///
    /// - Throws: `invalidDER`, or `publicKeyMismatch` if it contains a different public key.
    public init(derRepresentation: some Collection<UInt8>) throws(KeyDecodingError) {
      var bytes = Array(derRepresentation)
      defer { PEM.erase(&bytes) }
      try self.init(bytes)
    }

    /// A separate initializer, so that the bytes can be wiped afterward.
    private init(_ bytes: [UInt8]) throws(KeyDecodingError) {
      guard let fields = Fields(bytes) else {
        throw KeyDecodingError(der: bytes, needed: NeededKey(.privateKey, .ed25519))
      }
      try self.init(rawRepresentation: fields.seed)
      if let point = fields.publicKey, !publicKey.rawRepresentation.elementsEqual(point) {
        throw .publicKeyMismatch
      }
    }

    /// The seed and the public key in DER. Secret.
    private struct Fields {
      let seed: ArraySlice<UInt8>
      private(set) var publicKey: ArraySlice<UInt8>?

      /// Version 0, or version 1 with the public key (RFC 5958, 2; RFC 8410, 7).
      init?(_ bytes: [UInt8]) {
        guard var reader = DERReader(sequence: bytes[...]) else { return nil }
        let hasPublicKey = reader.skip([DER.integer, 1, 1])
        guard hasPublicKey || reader.skip([DER.integer, 1, 0]),
          reader.skipAlgorithm([DER.ed25519]),
          var content = reader.content(DER.octetString).map(DERReader.init),
          let seed = content.content(DER.octetString), content.isAtEnd, seed.count == 32
        else { return nil }
        self.seed = seed
        if reader.isAt(DER.attributes) && reader.content(DER.attributes) == nil { return nil }
        if hasPublicKey {
          // Bits that fill the last byte: none.
          guard let content = reader.content(DER.implicitPublicKey), content.first == 0 else {
            return nil
          }
          publicKey = content.dropFirst()
        }
        if !reader.isAtEnd { return nil }
      }
    }

    /// Creates a key from PEM: a PRIVATE KEY block (PKCS #8). Other blocks and text between blocks
    /// are ignored (RFC 7468, 2).
    ///
    /// - Throws: `invalidPEM`, or the errors of a key in DER.
    public init(pemRepresentation: String) throws(KeyDecodingError) {
      var bytes = try PEM.key(
        in: pemRepresentation, NeededKey(.privateKey, .ed25519), labels: "PRIVATE KEY")
      defer { PEM.erase(&bytes) }
      try self.init(derRepresentation: bytes)
    }

    /// The seed: 32 bytes. Treat it as a secret.
    public var rawRepresentation: [UInt8] {
      defer { withExtendedLifetime(memory) {} }
      return unsafe Array(secrets.pointee.seed)
    }

    /// The key in DER, as PKCS #8 without the public key: 48 bytes, as OpenSSL writes it. Treat it
    /// as a secret.
    public var derRepresentation: [UInt8] {
      DER.value(
        DER.sequence,
        [DER.integer, 1, 0] + DER.value(DER.sequence, DER.ed25519)
          + DER.value(DER.octetString, DER.value(DER.octetString, rawRepresentation)))
    }

    /// The key in PEM, as PKCS #8. Treat it as a secret.
    public var pemRepresentation: String { PEM.text(of: derRepresentation, label: "PRIVATE KEY") }

    /// Signs a message, in constant time except on RISC-V. Returns 64 bytes.
    ///
    /// Signing the same message again returns the same signature. If you pass entropy (32 random
    /// bytes are best), each signature is different, so that an attacker who disturbs the processor
    /// learns less from two signatures of one message (draft-irtf-cfrg-det-sigs-with-noise).
    ///
    /// The message is hashed twice. Its bytes must not change between the two, as in a mapped file
    /// that another process writes: the signature could reveal the key. Pass a copy of such memory.
    public func signature(
      for data: some Collection<UInt8>, entropy: [UInt8] = []
    ) -> [UInt8] {
      let signature = data.withContiguousStorageIfAvailable {
        unsafe self.signature(for: UnsafeRawBufferPointer($0), entropy)
      }
      if let signature { return signature }
      // The message is hashed twice. If it changed in between, the signature would reveal the key.
      let copy = Array(data)
      return unsafe copy.withUnsafeBytes { unsafe self.signature(for: $0, entropy) }
    }

    private func signature(
      for message: UnsafeRawBufferPointer, _ entropy: [UInt8]
    ) -> [UInt8] {
      defer {
        withExtendedLifetime(memory) {}
        ConstantTime.wipeLargeStack()
      }
      // Safety: the memory stays alive until the signature exists.
      let numbers = unsafe entropy.withUnsafeBytes { entropy in
        unsafe EdDSA.sign(message, secrets, publicKey: publicKey.encoding, entropy: entropy)
      }
      return numbers.bytes
    }

    /// The kind of value, never the seed.
    public var description: String { "Curve25519.Signing.PrivateKey" }

    /// The pointer is valid while the key is alive.
    private var secrets: UnsafePointer<EdDSA.KeySecrets> {
      // Safety: the initializer created the memory from these.
      unsafe memory.value(as: EdDSA.KeySecrets.self)
    }
  }
}
