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
  package init(derRepresentation: [UInt8]) throws(KeyDecodingError) {
    guard let certificate = Self(parsing: derRepresentation) else {
      throw .notACertificate(derRepresentation)
    }
    self = certificate
  }

  /// Reads a certificate in DER, or returns nil if it isn't one.
  init?(parsing derRepresentation: [UInt8]) {
    guard var certificate = DERReader(sequence: derRepresentation[...]),
      var content = certificate.sequence(), certificate.content(DER.sequence) != nil,
      certificate.bitString() != nil, certificate.isAtEnd,
      let version = Self.version(&content), let serial = content.content(DER.integer),
      Self.isShortest(serial)
    else { return nil }
    // The signature algorithm, the issuer, the dates and the subject.
    for _ in 0..<4 where content.content(DER.sequence) == nil { return nil }
    guard let keyInfo = content.content(DER.sequence), Self.skipRest(&content, version) else {
      return nil
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
  package func serialNumber() throws(KeyDecodingError) -> String {
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
  package func publicKey() throws(KeyDecodingError) -> X509PublicKey {
    var reader = DERReader(keyInfo[...])
    guard let algorithm = reader.sequence().map({ KeyAlgorithm($0) }) else {
      throw .notACertificate(derRepresentation)
    }
    let encoded = DER.value(DER.sequence, keyInfo)
    do throws(KeyDecodingError) {
      switch algorithm {
      case .rsa: return .rsa(try RSA.Signing.PublicKey(derRepresentation: encoded))
      case .p256: return .p256(try P256.Signing.PublicKey(derRepresentation: encoded))
      case .rsaPSS, .ed25519, .explicitCurve, .other: break
      }
    } catch {
      throw .invalidKey("The key of the certificate", error)
    }
    throw .unsupportedKey(algorithm)
  }
}

extension X509Certificate {
  /// Reads the certificates of a file: one in DER, or up to 16 CERTIFICATE blocks in PEM. Other
  /// blocks and text between blocks are ignored (RFC 7468, 2).
  package static func all(in bytes: [UInt8]) throws(KeyDecodingError) -> [X509Certificate] {
    if isDER(bytes) { return [try X509Certificate(derRepresentation: bytes)] }
    guard let blocks = PEM.blocks(in: bytes)?.filter({ $0.isLabeled("CERTIFICATE") }),
      (1...NeededKey.Part.certificate.maximumCount).contains(blocks.count)
    else { throw KeyDecodingError(text: bytes, needed: NeededKey(.certificate)) }
    var certificates: [X509Certificate] = []
    for block in blocks {
      guard let content = block.content() else {
        throw KeyDecodingError(.invalidPEM, KeyMaterial(block), NeededKey(.certificate))
      }
      certificates.append(try X509Certificate(derRepresentation: content))
    }
    return certificates
  }

  /// Reads this certificate's private key from a file, in PEM or DER. Other PEM blocks, such as
  /// those of certificates and parameters, are ignored.
  package func privateKey(in file: [UInt8]) throws(KeyDecodingError) -> X509PrivateKey {
    let publicKey = try publicKey()
    let needed = NeededKey(.privateKey, publicKey.algorithms)
    guard var bytes = Self.privateKeyDER(in: file) else {
      throw KeyDecodingError(text: file, needed: needed)
    }
    defer { PEM.erase(&bytes) }
    let key: X509PrivateKey
    do throws(KeyDecodingError) {
      switch publicKey {
      case .rsa: key = .rsa(try RSA.Signing.PrivateKey(derRepresentation: bytes))
      case .p256: key = .p256(try P256.Signing.PrivateKey(derRepresentation: bytes))
      }
    } catch {
      throw Self.invalidKey(file, needed, error)
    }
    if key.publicKey != publicKey { throw .differentKeyPair() }
    return key
  }

  /// The error for a private key that isn't valid, or not of the certificate's kind.
  private static func invalidKey(
    _ file: [UInt8], _ needed: NeededKey, _ reason: KeyDecodingError
  ) -> KeyDecodingError {
    let material = KeyMaterial(file, needed: .privateKey)
    guard case .privateKey(let algorithm) = material else {
      return KeyDecodingError(.invalidPEM, material, needed)
    }
    let isExplicitCurve = algorithm == .explicitCurve && needed.algorithms == .p256
    if needed.includes(material) || isExplicitCurve {
      return .invalidKey("The private key", reason)
    }
    return .differentKeyPair(
      ": it's \(algorithm.name) key, and the certificate has \(needed.algorithms.name) key")
  }

  /// Whether a file is one sequence, or begins like one without blocks in PEM. Text may begin with
  /// 0, which is the same byte.
  private static func isDER(_ file: [UInt8]) -> Bool {
    file.first == DER.sequence
      && (DERReader(sequence: file[...]) != nil || PEM.blocks(in: file)?.isEmpty ?? false)
  }

  /// Returns the DER of a file's private key, or nil unless the file has one key, unencrypted.
  private static func privateKeyDER(in file: [UInt8]) -> [UInt8]? {
    if isDER(file) { return file }
    let blocks = PEM.blocks(in: file)?.filter { $0.isLabeled(endingIn: "PRIVATE KEY") } ?? []
    guard let block = blocks.first, blocks.count == 1, !block.isEncrypted else { return nil }
    return block.content()
  }
}

extension KeyDecodingError {
  fileprivate static func notACertificate(_ bytes: [UInt8]) -> Self {
    Self(der: bytes, needed: NeededKey(.certificate))
  }

  fileprivate static var serialNumber: Self {
    Self(
      .invalidDER, "The serial number of the certificate is negative or longer than 20 bytes.",
      fix: "Get a certificate whose serial number follows RFC 5280.")
  }

  fileprivate static func invalidKey(_ name: String, _ reason: Self) -> Self {
    Self(reason.code, "\(name) can't be used. \(reason.problem)", fix: reason.fix)
  }

  fileprivate static func unsupportedKey(_ algorithm: KeyAlgorithm) -> Self {
    Self(
      .invalidDER, "The certificate has \(algorithm.name) key, which isn't supported.",
      fix: "Use a certificate for an RSA key of 2048, 3072 or 4096 bits, or for a P-256 key.")
  }

  fileprivate static func differentKeyPair(_ reason: String = "") -> Self {
    Self(
      .publicKeyMismatch, "The private key doesn't belong to the certificate\(reason).",
      fix: "Pass the private key that the certificate was requested with.")
  }
}
