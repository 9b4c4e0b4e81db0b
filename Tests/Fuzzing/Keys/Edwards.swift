// SPDX-License-Identifier: Apache-2.0
// Ed25519 keys and signatures: a value has one encoding, and signatures are valid.

internal import DigitalSignatures

enum EdwardsTargets {
  typealias PublicKey = Curve25519.Signing.PublicKey
  typealias PrivateKey = Curve25519.Signing.PrivateKey

  /// The kind of value to parse, and bytes.
  static func edwards(_ input: FuzzInput) {
    var input = input
    let kind = input.number() % 6
    let bytes = input.bytes
    switch kind {
    case 0: check(try? PublicKey(rawRepresentation: bytes), bytes) { $0.rawRepresentation }
    case 1: check(try? PublicKey(derRepresentation: bytes), bytes) { $0.derRepresentation }
    case 2: (try? PublicKey(pemRepresentation: bytes.text)).map(comesBack)
    case 3: (try? PrivateKey(derRepresentation: bytes)).map { signs(bytes, $0) }
    case 4: (try? PrivateKey(pemRepresentation: bytes.text)).map { signs(bytes, $0) }
    default: (try? PrivateKey(rawRepresentation: bytes.prefix(32))).map { signs(bytes, $0) }
    }
  }

  /// A parsed key is written in the same bytes, and finds no signature in them.
  private static func check(
    _ key: PublicKey?, _ bytes: [UInt8], _ representation: (PublicKey) -> [UInt8]
  ) {
    guard let key else { return }
    expect(representation(key) == bytes, "a public key has one encoding")
    comesBack(key)
    expect(!key.isValidSignature(bytes + bytes, for: bytes), "these bytes aren't a signature")
  }

  private static func comesBack(_ key: PublicKey) {
    expect((try? PublicKey(rawRepresentation: key.rawRepresentation)) == key, "raw")
    expect((try? PublicKey(derRepresentation: key.derRepresentation)) == key, "in DER")
    expect((try? PublicKey(pemRepresentation: key.pemRepresentation)) == key, "in PEM")
  }

  private static func signs(_ message: [UInt8], _ key: PrivateKey) {
    let (public_, signature) = (key.publicKey, key.signature(for: message))
    comesBack(public_)
    let again = try? PrivateKey(derRepresentation: key.derRepresentation)
    expect(again?.rawRepresentation == key.rawRepresentation, "a private key comes back")
    expect(public_.isValidSignature(signature, for: message), "what is signed is valid")
    expect(!public_.isValidSignature(signature, for: message + [0]), "for this message only")
    let noisy = key.signature(for: message, entropy: message)
    expect(public_.isValidSignature(noisy, for: message), "with entropy, too")
  }
}
