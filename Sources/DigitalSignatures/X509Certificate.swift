// SPDX-License-Identifier: Apache-2.0
// X.509 certificates (RFC 5280), of which only the serial number and the public key are read.

/// An X.509 certificate, without its meaning: its signature, names, dates and extensions aren't
/// checked. The server that trusts it does that.
package struct X509Certificate: Sendable, Equatable {
  /// The certificate in DER, below 65,540 bytes.
  package let derRepresentation: [UInt8]

  /// The content of the serial number.
  private let serial: [UInt8]

  /// The content of the SubjectPublicKeyInfo.
  private let keyInfo: [UInt8]

  /// Reads a certificate in DER.
  package init(derRepresentation: [UInt8]) throws(DecodingError) {
    guard var certificate = DERReader(sequence: derRepresentation[...]),
      var content = certificate.sequence(), certificate.content(DER.sequence) != nil,
      certificate.bitString() != nil, certificate.isAtEnd,
      let version = Self.version(&content), let serial = content.content(DER.integer),
      Self.isShortest(serial)
    else { throw .notACertificate }
    // The signature algorithm, the issuer, the dates and the subject.
    for _ in 0..<4 where content.content(DER.sequence) == nil { throw .notACertificate }
    guard let keyInfo = content.content(DER.sequence), Self.skipRest(&content, version) else {
      throw .notACertificate
    }
    self.derRepresentation = derRepresentation
    self.serial = Array(serial)
    self.keyInfo = Array(keyInfo)
  }

  /// Version 1 is the default, so DER omits it.
  private static func version(_ content: inout DERReader) -> UInt8? {
    if !content.isAt(DER.parameters) { return 1 }
    guard let version = content.content(DER.parameters), version.count == 3,
      version.starts(with: [DER.integer, 1]), let number = version.last, number == 1 || number == 2
    else { return nil }
    return number + 1
  }

  /// Skips the unique identifiers of versions 2 and 3, and the extensions of version 3.
  private static func skipRest(_ content: inout DERReader, _ version: UInt8) -> Bool {
    for identifier in DER.uniqueIdentifiers where version > 1 && content.isAt(identifier) {
      if content.content(identifier) == nil { return false }
    }
    if version == 3 && content.isAt(DER.extensions) {
      guard let extensions = content.content(DER.extensions) else { return false }
      var inner = DERReader(extensions)
      if inner.content(DER.sequence) == nil || !inner.isAtEnd { return false }
    }
    return content.isAtEnd
  }

  private static func isShortest(_ integer: ArraySlice<UInt8>) -> Bool {
    guard let first = integer.first, let second = integer.dropFirst().first else {
      return integer.count == 1
    }
    return !(first == 0 && second < 0x80) && !(first == 0xFF && second >= 0x80)
  }

  /// The serial number in decimal digits.
  package func serialNumber() throws(DecodingError) -> String {
    let number = serial.first == 0 ? serial.dropFirst() : serial[...]
    if serial.first ?? 0x80 >= 0x80 || number.count > 20 { throw .serialNumber }
    var digits: [UInt8] = [0]  // the last one first
    for byte in number {
      var carry = UInt16(byte)
      for index in digits.indices {
        carry += UInt16(digits[index]) << 8
        digits[index] = UInt8(truncatingIfNeeded: carry % 10)
        carry /= 10
      }
      while carry > 0 {
        digits.append(UInt8(truncatingIfNeeded: carry % 10))
        carry /= 10
      }
    }
    return String(decoding: digits.reversed().map { $0 + 0x30 }, as: UTF8.self)
  }

  /// The public key, RSA or P-256.
  package func publicKey() throws(DecodingError) -> X509PublicKey {
    var reader = DERReader(keyInfo[...])
    guard let algorithm = reader.content(DER.sequence) else { throw .notACertificate }
    let encoded = DER.value(DER.sequence, keyInfo)
    if algorithm.elementsEqual(DER.rsaEncryption) {
      do throws(RSA.DecodingError) {
        return .rsa(try RSA.Signing.PublicKey(derRepresentation: encoded))
      } catch {
        throw .invalidKey("The key of the certificate", error.problem, fix: error.fix)
      }
    }
    if algorithm.elementsEqual(DER.algorithm + DER.curve) {
      do throws(P256.DecodingError) {
        return .p256(try P256.Signing.PublicKey(derRepresentation: encoded))
      } catch {
        throw .invalidKey("The key of the certificate", error.problem, fix: error.fix)
      }
    }
    throw .unsupportedKey(Self.unsupportedKeys.first { algorithm.starts(with: $0.1) }?.0)
  }

  /// Kinds of keys by their object identifiers (RFC 5480, 8410, 9881 and 4055).
  private static var unsupportedKeys: [(String, [UInt8])] {
    let curve = DER.algorithm + [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00]
    let nist: [UInt8] = [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03]
    return [
      ("a P-384 key", curve + [0x22]), ("a P-521 key", curve + [0x23]),
      ("a secp256k1 key", curve + [0x0A]), ("an Ed25519 key", [0x06, 0x03, 0x2B, 0x65, 0x70]),
      ("an Ed448 key", [0x06, 0x03, 0x2B, 0x65, 0x71]), ("an ML-DSA-44 key", nist + [0x11]),
      ("an ML-DSA-65 key", nist + [0x12]), ("an ML-DSA-87 key", nist + [0x13]),
      ("an RSASSA-PSS key", Array(DER.rsaEncryption.dropLast(3)) + [0x0A]),
    ]
  }
}

extension X509Certificate {
  /// Reads the certificates of a file: one in DER, or up to 16 CERTIFICATE blocks in PEM. Other
  /// blocks and text between blocks are ignored (RFC 7468, 2).
  package static func all(in bytes: [UInt8]) throws(DecodingError) -> [X509Certificate] {
    if isDER(bytes) { return [try X509Certificate(derRepresentation: bytes)] }
    guard let blocks = PEM.blocks(in: bytes)?.filter({ $0.isLabeled("CERTIFICATE") }),
      (1...16).contains(blocks.count)
    else { throw .notPEM }
    var certificates: [X509Certificate] = []
    for block in blocks {
      guard let content = block.content() else { throw .notPEM }
      certificates.append(try X509Certificate(derRepresentation: content))
    }
    return certificates
  }

  /// Reads this certificate's private key from a file, in PEM or DER. Other PEM blocks, such as
  /// those of certificates and parameters, are ignored.
  package func privateKey(in file: [UInt8]) throws(DecodingError) -> X509PrivateKey {
    var bytes = try Self.privateKeyDER(in: file)
    defer { PEM.erase(&bytes) }
    let publicKey = try publicKey()
    let key: X509PrivateKey
    switch publicKey {
    case .rsa:
      do throws(RSA.DecodingError) {
        key = .rsa(try RSA.Signing.PrivateKey(derRepresentation: bytes))
      } catch {
        if error.code == .invalidDER { throw .wrongPrivateKey("an RSA") }
        throw .invalidKey("The private key", error.problem, fix: error.fix)
      }
    case .p256:
      do throws(P256.DecodingError) {
        key = .p256(try P256.Signing.PrivateKey(derRepresentation: bytes))
      } catch {
        if error.code == .invalidDER { throw .wrongPrivateKey("a P-256") }
        throw .invalidKey("The private key", error.problem, fix: error.fix)
      }
    }
    if key.publicKey != publicKey { throw .differentKeyPair }
    return key
  }

  /// Whether a file is one sequence, or begins like one without blocks in PEM. Text may begin with
  /// 0, which is the same byte.
  private static func isDER(_ file: [UInt8]) -> Bool {
    file.first == DER.sequence
      && (DERReader(sequence: file[...]) != nil || PEM.blocks(in: file)?.isEmpty ?? false)
  }

  private static func privateKeyDER(in file: [UInt8]) throws(DecodingError) -> [UInt8] {
    if isDER(file) {
      // EncryptedPrivateKeyInfo (RFC 5958, 3): an algorithm, then a string. Keys have a version.
      var key = DERReader(sequence: file[...])
      if key?.content(DER.sequence) != nil, key?.content(DER.octetString) != nil {
        throw .encryptedPrivateKey
      }
      return file
    }
    let blocks = PEM.blocks(in: file)?.filter { $0.isPrivateKey } ?? []
    guard let block = blocks.first, blocks.count == 1 else { throw .notAPrivateKey }
    if block.isEncrypted { throw .encryptedPrivateKey }
    guard let content = block.content() else { throw .notAPrivateKey }
    return content
  }
}

/// The public key of a certificate.
package enum X509PublicKey: Sendable, Equatable {
  case rsa(RSA.Signing.PublicKey)
  case p256(P256.Signing.PublicKey)

  /// Returns whether a signature with SHA-256 belongs to a message: PKCS #1 v1.5, or ECDSA in DER.
  package func isValidSignature(_ signature: [UInt8], for message: [UInt8]) -> Bool {
    switch self {
    case .rsa(let key):
      return key.isValidSignature(
        RSA.Signing.RSASignature(rawRepresentation: signature), for: message,
        padding: .insecurePKCS1v1_5)
    case .p256(let key):
      guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else {
        return false
      }
      return key.isValidSignature(signature, for: message)
    }
  }
}

/// The private key of a certificate.
package enum X509PrivateKey: Sendable {
  case rsa(RSA.Signing.PrivateKey)
  case p256(P256.Signing.PrivateKey)

  package var publicKey: X509PublicKey {
    switch self {
    case .rsa(let key): .rsa(key.publicKey)
    case .p256(let key): .p256(key.publicKey)
    }
  }

  /// Signs a message with SHA-256: PKCS #1 v1.5, or ECDSA in DER.
  package func signature(for message: [UInt8]) throws(RSA.SigningError) -> [UInt8] {
    switch self {
    case .rsa(let key):
      try key.signature(for: message, padding: .insecurePKCS1v1_5).rawRepresentation
    case .p256(let key): key.signature(for: message).derRepresentation
    }
  }
}

extension X509Certificate {
  /// The reason bytes weren't accepted as a certificate or as its key.
  package struct DecodingError: Swift.Error, Sendable {
    /// What is wrong. Contains none of the bytes, which may be secret.
    package let problem: String

    /// How to fix it.
    package let fix: String
  }
}

extension X509Certificate.DecodingError {
  fileprivate static var notACertificate: Self {
    Self(
      problem: "The bytes aren't the DER encoding of an X.509 certificate.",
      fix: "Check for missing or extra bytes, or export the certificate again.")
  }

  fileprivate static var notPEM: Self {
    Self(
      problem: "The text doesn't consist of 1 to 16 CERTIFICATE blocks in PEM.",
      fix: "Pass the lines from '-----BEGIN CERTIFICATE-----' to '-----END CERTIFICATE-----'.")
  }

  fileprivate static var serialNumber: Self {
    Self(
      problem: "The serial number of the certificate is negative or longer than 20 bytes.",
      fix: "Get a certificate whose serial number follows RFC 5280.")
  }

  fileprivate static func invalidKey(_ name: String, _ problem: String, fix: String) -> Self {
    Self(problem: "\(name) can't be used. \(problem)", fix: fix)
  }

  fileprivate static func unsupportedKey(_ name: String?) -> Self {
    Self(
      problem: "The certificate has \(name ?? "an unknown kind of key"), which isn't supported.",
      fix: "Use a certificate for an RSA key of 2048, 3072 or 4096 bits, or for a P-256 key.")
  }

  fileprivate static var notAPrivateKey: Self {
    Self(
      problem: "The text doesn't contain exactly one private key in PEM.",
      fix: "Pass a PRIVATE KEY, RSA PRIVATE KEY or EC PRIVATE KEY block.")
  }

  fileprivate static var encryptedPrivateKey: Self {
    Self(
      problem: "The private key is encrypted, which isn't supported.",
      fix: "Decrypt it with 'openssl pkey -in FILE -out PLAIN', or sign with a closure.")
  }

  fileprivate static func wrongPrivateKey(_ kind: String) -> Self {
    Self(
      problem: "The certificate has \(kind) key, but the private key isn't a valid one.",
      fix: "Pass the private key that the certificate was requested with.")
  }

  fileprivate static var differentKeyPair: Self {
    Self(
      problem: "The private key doesn't belong to the certificate.",
      fix: "Pass the private key that the certificate was requested with.")
  }
}
