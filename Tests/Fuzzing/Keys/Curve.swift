// SPDX-License-Identifier: Apache-2.0
// P-256 keys and signatures: a value has one encoding, and signatures are valid.

internal import DigitalSignatures
internal import SecureHashing

enum CurveTargets {
  typealias Signature = P256.Signing.ECDSASignature
  typealias PublicKey = P256.Signing.PublicKey
  typealias PrivateKey = P256.Signing.PrivateKey

  /// The kind of value to parse, and bytes.
  static func curve(_ input: FuzzInput) {
    var input = input
    let kind = input.number() % 8
    let bytes = input.bytes
    switch kind {
    case 0: check(try? Signature(derRepresentation: bytes), bytes) { $0.derRepresentation }
    case 1:
      let key = try? PublicKey(derRepresentation: bytes)
      // A compressed point in it is read, too, but not written.
      if bytes.count == 91 { check(key, bytes) { $0.derRepresentation } }
      key.map(comesBack)
    case 2:
      check(try? PublicKey(compressedRepresentation: bytes), bytes) {
        $0.compressedRepresentation
      }
    case 3:
      check(try? PublicKey(x963Representation: bytes), bytes) {
        bytes.count == 33 ? $0.compressedRepresentation : $0.x963Representation
      }
    case 4: _ = (try? PublicKey(pemRepresentation: bytes.text)).map(comesBack)
    case 5: (try? PrivateKey(derRepresentation: bytes)).map { signs(bytes, $0) }
    case 6: (try? PrivateKey(pemRepresentation: bytes.text)).map { signs(bytes, $0) }
    default: (try? PrivateKey(rawRepresentation: bytes.prefix(32))).map { signs(bytes, $0) }
    }
  }

  /// A parsed value is written in the same bytes.
  private static func check<Value>(
    _ value: Value?, _ bytes: [UInt8], _ representation: (Value) -> [UInt8]
  ) {
    if let value { expect(representation(value) == bytes, "\(Value.self) has one encoding") }
    (value as? PublicKey).map(comesBack)
  }

  private static func comesBack(_ key: PublicKey) {
    expect((try? PublicKey(derRepresentation: key.derRepresentation)) == key, "in DER")
    expect((try? PublicKey(pemRepresentation: key.pemRepresentation)) == key, "in PEM")
    expect((try? PublicKey(x963Representation: key.x963Representation)) == key, "in X9.63")
    let compressed = key.compressedRepresentation
    expect((try? PublicKey(compressedRepresentation: compressed)) == key, "compressed")
  }

  private static func signs(_ message: [UInt8], _ key: PrivateKey) {
    let (public_, signature) = (key.publicKey, key.signature(for: message))
    comesBack(public_)
    expect(public_.isValidSignature(signature, for: message), "what is signed is valid")
    expect(!public_.isValidSignature(signature, for: message + [0]), "for this message only")
    let again = try? Signature(derRepresentation: signature.derRepresentation)
    expect(again == signature, "a signature comes back")
    let read = try? PrivateKey(derRepresentation: key.derRepresentation)
    expect(read?.rawRepresentation == key.rawRepresentation, "a key comes back")
  }
}
