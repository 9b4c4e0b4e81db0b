// SPDX-License-Identifier: Apache-2.0
// Recognizes what bytes are that aren't the expected key or certificate, as far as people confuse
// it with one.

/// What a caller passed instead of a key or a certificate.
enum KeyMaterial: Equatable {
  case privateKey(KeyAlgorithm)
  case publicKey(KeyAlgorithm)
  case encryptedKey(Encoding)
  case file(FileKind)
  /// The right thing in an unusable form.
  case form(Form)
  /// Base64 without the lines of PEM.
  indirect case base64(KeyMaterial)
  case brokenPEM(PEMFault)
  case unknown

  enum Encoding { case pem, der }

  /// A file of keys or certificates in another format.
  enum FileKind {
    case certificate, certificateRequest, pkcs12, pkcs7, openSSH, openSSHPublicKey
    case openSSHEd25519, openSSHPublicEd25519, ssh2, putty, pgp, webKey, json
  }

  /// What is wrong with the form.
  enum Form: Equatable {
    case empty, path, utf16, binaryInString, base64OfPEM, notPEM
    case several(Int)
    case cutOff(byteCount: Int, expected: Int)
  }

  /// What is wrong with the lines of PEM.
  enum PEMFault {
    case escapedLineBreaks, noLineBreaks, textBeforeBegin, hyphens, incomplete, notBase64, label
  }

  /// Whether this is a key of a pair, or may contain one.
  var isOfPair: Bool {
    switch self {
    case .privateKey, .publicKey, .encryptedKey, .brokenPEM, .form(.base64OfPEM): true
    case .file(let kind): kind != .json
    case .base64(let content): content.isOfPair
    case .form, .unknown: false
    }
  }
}

extension KeyMaterial {
  /// Recognizes DER.
  init(der bytes: ArraySlice<UInt8>) {
    guard let content = DERReader(sequence: bytes) else {
      self = Self.damaged(bytes)
      return
    }
    if content.isAt(DER.integer) {
      self.init(versioned: content)
    } else if content.isAt(DER.objectIdentifier) {
      self.init(signedData: content)
    } else {
      self.init(structure: content, bytes)
    }
  }

  /// PKCS #8 (RFC 5958, 2), the RSA keys of RFC 8017, A.1, and the EC keys of RFC 5915, OpenSSL's
  /// DSA keys, PKCS #12 (RFC 7292, 4).
  private init(versioned content: DERReader) {
    var reader = content
    let version = reader.unsignedInteger().map(Array.init) ?? []
    if version == [3] && reader.isAt(DER.sequence) {
      self = .file(.pkcs12)
    } else if reader.isAt(DER.octetString) {
      _ = reader.content(DER.octetString)
      let curve = reader.content(DER.parameters).map(DERReader.init)
      self = .privateKey(curve.map(KeyAlgorithm.init(curve:)) ?? .other(nil))
    } else if reader.isAt(DER.sequence) {
      self = reader.sequence().map { .privateKey(KeyAlgorithm($0)) } ?? .unknown
    } else {
      var count = 1
      while reader.isAt(DER.integer) && reader.content(DER.integer) != nil { count += 1 }
      let kinds: [Int: KeyMaterial] = [
        2: .publicKey(.rsa), 6: .privateKey(.other("a DSA")), 9: .privateKey(.rsa),
      ]
      self = reader.isAtEnd ? kinds[count] ?? .unknown : .unknown
    }
  }

  /// PKCS #7 (RFC 2315, 7): an identifier of its arc, then the content.
  private init(signedData content: DERReader) {
    var reader = content
    let identifier = reader.content(DER.objectIdentifier)
    let arc: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7]
    self = identifier?.dropLast().elementsEqual(arc) == true ? .file(.pkcs7) : .unknown
  }

  /// A SubjectPublicKeyInfo (RFC 5280, 4.1), an EncryptedPrivateKeyInfo (RFC 5958, 3), a
  /// certificate, or a request for one (RFC 2986, 4).
  private init(structure content: DERReader, _ bytes: ArraySlice<UInt8>) {
    var reader = content
    guard var inner = reader.sequence() else {
      self = .unknown
      return
    }
    if inner.isAt(DER.objectIdentifier) {
      let isKey = reader.isAt(DER.bitString)
      let isEncrypted = reader.isAt(DER.octetString)
      self =
        isKey
        ? .publicKey(KeyAlgorithm(inner)) : isEncrypted ? .encryptedKey(.der) : .unknown
    } else if X509Certificate(parsing: Array(bytes)) != nil {
      self = .file(.certificate)
    } else {
      // Version 0, the name and the key.
      let isRequest =
        inner.skip([DER.integer, 1, 0]) && inner.sequence() != nil && inner.sequence() != nil
      self = isRequest ? .file(.certificateRequest) : .unknown
    }
  }

  /// Bytes that aren't one structure: PKCS #12, whose length may be indefinite or long, or fewer
  /// bytes than the length announces.
  private static func damaged(_ bytes: ArraySlice<UInt8>) -> KeyMaterial {
    var rest = bytes
    guard rest.popFirst() == DER.sequence, let first = rest.popFirst() else { return .unknown }
    let lengthCount = first < 0x80 ? 0 : Int(first & 0x7F)
    let content = rest.dropFirst(lengthCount)
    if content.starts(with: [DER.integer, 1, 3, DER.sequence]) { return .file(.pkcs12) }
    if first == 0x80 || lengthCount > 2 { return .unknown }
    let length =
      first < 0x80 ? Int(first) : rest.prefix(lengthCount).reduce(0) { $0 << 8 | Int($1) }
    if content.count >= length { return .unknown }
    return .form(.cutOff(byteCount: bytes.count, expected: 2 + lengthCount + length))
  }
}
