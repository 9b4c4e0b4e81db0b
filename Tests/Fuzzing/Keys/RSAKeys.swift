// SPDX-License-Identifier: Apache-2.0
// RSA keys: a key has one encoding of each kind, and signatures are valid.

internal import DigitalSignatures

enum RSATargets {
  typealias PublicKey = RSA.Signing.PublicKey
  typealias PrivateKey = RSA.Signing.PrivateKey

  /// The kind of value to parse, and bytes.
  static func rsa(_ input: FuzzInput) {
    var input = input
    let kind = input.number() % 4
    let bytes = input.bytes
    switch kind {
    case 0:
      guard let key = try? PublicKey(derRepresentation: bytes) else { return }
      let encodings = [key.derRepresentation, key.pkcs1DERRepresentation]
      expect((encodings + [withoutNull(encodings[0])]).contains(bytes), "one encoding each")
      comesBack(key)
    case 1: (try? PublicKey(pemRepresentation: bytes.text)).map(comesBack)
    case 2:
      guard let key = try? PrivateKey(derRepresentation: bytes) else { return }
      let encodings = [key.derRepresentation, key.pkcs8DERRepresentation]
      expect((encodings + [withoutNull(encodings[1])]).contains(bytes), "one encoding each")
      signs(bytes, key)
    default: (try? PrivateKey(pemRepresentation: bytes.text)).map { signs(bytes, $0) }
    }
  }

  /// The encoding without the NULL after rsaEncryption (RFC 8017, A.1), which is read, too.
  private static func withoutNull(_ key: [UInt8]) -> [UInt8] {
    let identifier: [UInt8] = [
      0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
    ]
    guard let place = (0..<16).first(where: { key.dropFirst($0).starts(with: identifier) })
    else { return key }
    var key = key
    key.removeSubrange(place + 13..<place + 15)
    key[place + 1] -= 2
    // Keys of 2048 bits or more need two bytes for the length of the outer sequence.
    let byteCount = (Int(key[2]) << 8) + Int(key[3]) - 2
    (key[2], key[3]) = (UInt8(byteCount >> 8), UInt8(byteCount & 255))
    return key
  }

  private static func comesBack(_ key: PublicKey) {
    expect((try? PublicKey(derRepresentation: key.derRepresentation)) == key, "in DER")
    expect((try? PublicKey(derRepresentation: key.pkcs1DERRepresentation)) == key, "in PKCS #1")
    expect((try? PublicKey(pemRepresentation: key.pemRepresentation)) == key, "in PEM")
    let nothing = RSA.Signing.RSASignature(rawRepresentation: [UInt8](repeating: 0, count: 256))
    expect(
      !key.isValidSignature(nothing, for: [], padding: .insecurePKCS1v1_5), "zero is no signature")
  }

  /// A key whose factors aren't prime may be unable to sign.
  private static func signs(_ message: [UInt8], _ key: PrivateKey) {
    comesBack(key.publicKey)
    guard let signature = try? key.signature(for: message, padding: .insecurePKCS1v1_5) else {
      return
    }
    expect(
      key.publicKey.isValidSignature(signature, for: message, padding: .insecurePKCS1v1_5),
      "what is signed is valid")
  }
}
