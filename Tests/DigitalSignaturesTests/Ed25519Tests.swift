// SPDX-License-Identifier: Apache-2.0
// Ed25519: published signatures, those of an independent implementation, and the ones to reject.

@testable internal import DigitalSignatures
internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Ed25519 signatures and keys")
struct Ed25519Tests {
  typealias PrivateKey = Curve25519.Signing.PrivateKey
  typealias PublicKey = Curve25519.Signing.PublicKey

  /// Source: speccheck (Chalkias and others, 2020), Project Wycheproof, and RFC 8032, 7.1
  /// (`ed25519-verdicts.txt`). The verdicts are OpenSSL's, except under keys of small order.
  @Test("Published signatures are accepted, and those designed to be accepted by mistake rejected")
  func verdicts() throws {
    let vectors = try VectorTable(named: "ed25519-verdicts.txt").records
    #expect(vectors.count == 12 + 151 + 4)
    #expect(try vectors.count { try $0.text("valid") == "yes" } == 2 + 88 + 4)
    for vector in vectors {
      let key = try? PublicKey(rawRepresentation: vector.hexadecimal("public"))
      let (message, signature) = try (
        vector.hexadecimal("message"), vector.hexadecimal("signature")
      )
      let isValid = key?.isValidSignature(signature, for: message) ?? false
      #expect(isValid == (try vector.text("valid") == "yes"), "\(vector)")
      if try vector.optionalText("seed") != nil {
        let key = try PrivateKey(rawRepresentation: vector.hexadecimal("seed"))
        #expect(key.publicKey.rawRepresentation == (try vector.hexadecimal("public")))
        #expect(key.signature(for: message) == signature)
      }
    }
  }

  /// Source: the package cryptography, and Python's integers (`ed25519-signatures.py`).
  @Test("Signatures are those of cryptography, and changed ones are rejected")
  func signatures() throws {
    for vector in try VectorTable(named: "ed25519-signatures.txt").records {
      let key = try PrivateKey(rawRepresentation: vector.hexadecimal("seed"))
      let message = try vector.hexadecimal("message")
      let signature = key.signature(for: message)
      #expect(signature == (try vector.hexadecimal("signature")), "\(vector)")
      #expect(key.publicKey.rawRepresentation == (try vector.hexadecimal("public")))
      #expect(key.publicKey.isValidSignature(signature, for: message))
      #expect(!key.publicKey.isValidSignature(signature, for: message + [0]))
      let noisy = try key.signature(for: message, entropy: vector.hexadecimal("entropy"))
      #expect(noisy == (try vector.hexadecimal("signature with entropy")), "\(vector)")
      #expect(key.publicKey.isValidSignature(noisy, for: message))
      for changed in try vector.texts("invalid").map({ try Hexadecimal.decode($0) }) {
        #expect(!key.publicKey.isValidSignature(changed, for: message), "\(vector)")
      }
    }
  }

  /// Source: Python's integers (`ed25519-keys.py`).
  @Test("A public key is the only encoding of a point, and not of one of small order")
  func publicKeys() throws {
    let vectors = try VectorTable(named: "ed25519-keys.txt").records
      .filter { try $0.optionalText("valid") != nil }
    #expect(vectors.count == 93)
    for vector in vectors {
      let bytes = try vector.hexadecimal("public")
      var code: KeyDecodingError.Code?
      do throws(KeyDecodingError) {
        #expect(try PublicKey(rawRepresentation: bytes).rawRepresentation == bytes)
      } catch { code = error.code }
      let reason = try vector.text("reason")
      let expected: KeyDecodingError.Code? =
        reason.isEmpty ? nil : bytes.count == 32 ? .invalidPoint : .wrongLength
      #expect(code == expected, "\(vector)")
    }
  }

  /// Source: RFC 8410, 10, and the package cryptography (`ed25519-keys.py`).
  @Test("Keys are read in every form, and written as cryptography writes them")
  func forms() throws {
    for vector in try VectorTable(named: "ed25519-keys.txt").records.suffix(4) {
      let seed = try vector.hexadecimal("seed")
      let key = try PrivateKey(rawRepresentation: seed)
      #expect(key.rawRepresentation == seed)
      #expect(key.publicKey.rawRepresentation == (try vector.hexadecimal("public")))
      #expect(key.pemRepresentation == (try vector.text("pem")))
      #expect(key.publicKey.pemRepresentation == (try vector.text("public-pem")))
      for name in ["pem", "pem-with-both"] {
        guard let text = try vector.optionalText(name) else { continue }
        #expect(try PrivateKey(pemRepresentation: text).rawRepresentation == seed, "\(name)")
      }
      #expect(try PublicKey(pemRepresentation: vector.text("public-pem")) == key.publicKey)
      if try vector.optionalText("der") == nil { continue }
      for name in ["der", "der-with-attributes", "der-with-public-key", "der-with-both"] {
        let read = try PrivateKey(derRepresentation: vector.hexadecimal(name))
        #expect(read.rawRepresentation == seed, "\(name)")
      }
      #expect(key.derRepresentation == (try vector.hexadecimal("der")))
      #expect(key.publicKey.derRepresentation == (try vector.hexadecimal("public-der")))
      let read = try PublicKey(derRepresentation: vector.hexadecimal("public-der"))
      #expect(read == key.publicKey)
      let error = #expect(throws: KeyDecodingError.self) {
        try PrivateKey(derRepresentation: vector.hexadecimal("der-with-other-public-key"))
      }
      #expect(error?.code == .publicKeyMismatch)
    }
  }

  @Test("A key that is cut off, longer or changed in its structure is rejected")
  func damagedKeys() throws {
    let key = PrivateKey()
    let (der, publicDER) = (key.derRepresentation, key.publicKey.derRepresentation)
    for count in 0..<der.count {
      #expect(throws: KeyDecodingError.self) {
        try PrivateKey(derRepresentation: der.prefix(count))
      }
    }
    for count in 0..<publicDER.count {
      #expect(throws: KeyDecodingError.self) {
        try PublicKey(derRepresentation: publicDER.prefix(count))
      }
    }
    #expect(throws: KeyDecodingError.self) { try PrivateKey(derRepresentation: der + [0]) }
    #expect(throws: KeyDecodingError.self) { try PublicKey(derRepresentation: publicDER + [0]) }
    // All bytes before the 32 of the key.
    for index in 0..<16 {
      var changed = der
      changed[index] ^= 1
      #expect(throws: KeyDecodingError.self, "\(index)") {
        try PrivateKey(derRepresentation: changed)
      }
    }
    for index in 0..<12 {
      var changed = publicDER
      changed[index] ^= 1
      #expect(throws: KeyDecodingError.self, "\(index)") {
        try PublicKey(derRepresentation: changed)
      }
    }
  }

  @Test("A message says which other key it is, or what is wrong with the bytes")
  func messages() throws {
    let rsa = try VectorTable(named: "rsa-keys.txt").records[0].text("pkcs8 pem")
    let p256 = P256.Signing.PrivateKey()
    func message(_ read: () throws -> Void) -> String {
      do { try read() } catch { return "\(error)" }
      return "read"
    }
    #expect(
      message { _ = try PrivateKey(pemRepresentation: rsa) }
        == "This is an RSA private key, not an Ed25519 private key. Use an Ed25519 key.")
    #expect(
      message { _ = try PublicKey(pemRepresentation: p256.publicKey.pemRepresentation) }
        == "This is a P-256 public key, not an Ed25519 public key. Use an Ed25519 key.")
    #expect(
      message { _ = try P256.Signing.PrivateKey(pemRepresentation: PrivateKey().pemRepresentation) }
        == "This is an Ed25519 private key, not a P-256 private key. Use a P-256 key.")
    #expect(
      message { _ = try PrivateKey(rawRepresentation: [UInt8](repeating: 1, count: 64)) }
        .hasPrefix("A raw private key must be 32 bytes long, not 64."))
  }

  @Test("A random key signs what its public key verifies, and shows nothing of itself")
  func randomKeys() {
    let (key, other) = (PrivateKey(), PrivateKey())
    let signature = key.signature(for: [1, 2, 3])
    #expect(signature.count == 64)
    #expect(key.publicKey.isValidSignature(signature, for: [1, 2, 3]))
    #expect(!other.publicKey.isValidSignature(signature, for: [1, 2, 3]))
    #expect(key.publicKey != other.publicKey)
    #expect("\(key)" == "Curve25519.Signing.PrivateKey")
    #expect(Mirror(reflecting: key).children.isEmpty)
    var generator = Xorshift64(seed: 7)
    var same = Xorshift64(seed: 7)
    let drawn = PrivateKey(using: &generator).rawRepresentation
    #expect(drawn == PrivateKey(using: &same).rawRepresentation && drawn != key.rawRepresentation)
  }

  /// The message is hashed twice. Two signatures with one nonce and different messages reveal the
  /// key.
  @Test("A message that changes while it's read is signed as it was read first")
  func unstableMessage() {
    let key = PrivateKey()
    let message = Unstable()
    let signature = key.signature(for: message)
    #expect(message.passes == 1)
    #expect(signature == key.signature(for: [1, 1, 1]))
  }

  /// A collection whose bytes differ each time.
  private final class Unstable: Collection {
    private(set) var passes = 0
    var startIndex: Int { 0 }
    var endIndex: Int { 3 }
    subscript(position: Int) -> UInt8 { UInt8(truncatingIfNeeded: passes) }
    func index(after position: Int) -> Int { position + 1 }
    func makeIterator() -> AnyIterator<UInt8> {
      passes += 1
      var rest = [UInt8](repeating: UInt8(truncatingIfNeeded: passes), count: 3).makeIterator()
      return AnyIterator { rest.next() }
    }
  }

  /// Source: RFC 8037, A.3, and RFC 7638, 3.1. The value for P-256 was computed with Python's
  /// hashlib from the key of RFC 7515, A.3.1.
  @Test("JWK thumbprints are those of the RFCs")
  func thumbprints() throws {
    let ed25519 = try PublicKey(
      rawRepresentation: Base64.decode(
        "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", as: .urlSafeUnpadded))
    #expect(ed25519.jwkThumbprint == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
    let p256 = try P256.Signing.PublicKey(
      rawRepresentation: Base64.decode(
        "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", as: .urlSafeUnpadded)
        + Base64.decode("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0", as: .urlSafeUnpadded))
    #expect(p256.jwkThumbprint == "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U")
    let modulus = """
      0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWK\
      RXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMic\
      AtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3\
      XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw
      """
    let rsa = try RSA.Signing.PublicKey(
      derRepresentation: DER.value(
        DER.sequence,
        DER.unsignedInteger(Base64.decode(modulus, as: .urlSafeUnpadded))
          + DER.unsignedInteger([1, 0, 1])))
    #expect(rsa.jwkThumbprint == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
  }

  /// A table is a sum of teeth with all signs (`Comb`), or odd multiples.
  @Test("The tables match repeated additions")
  func tables() {
    typealias Point = Edwards25519.Point
    typealias Summand = Edwards25519.Summand
    #expect(Edwards25519.BasePoint.comb.count == 12 * Comb.pointCount)
    var power = Point(
      encoding: Words256(
        0x6666_6666_6666_6658, 0x6666_6666_6666_6666, 0x6666_6666_6666_6666, 0x6666_6666_6666_6666))
    var multiple = power ?? .neutral
    let step = Summand(multiple.doubled())
    for index in 0..<64 {
      #expect(
        words(of: multiple)
          == Array(Edwards25519.BasePoint.oddMultiples[(12 * index)...].prefix(12)))
      multiple = multiple + step
    }
    var start = 0
    for block in 0..<Comb.blockCount {
      var teeth: [Point] = []
      for _ in 0..<Comb.teeth(block) {
        teeth.append(power ?? .neutral)
        for _ in 0..<Comb.spacing { power = power?.doubled() }
      }
      let last = teeth.removeLast()
      for index in 0..<(1 << teeth.count) {
        var sum = last
        for (position, tooth) in teeth.enumerated() {
          let summand = Summand(tooth)
          sum = sum + (index >> position & 1 == 1 ? summand : summand.negated)
        }
        #expect(words(of: sum) == Array(Edwards25519.BasePoint.comb[start...].prefix(12)))
        start += 12
      }
    }
  }

  private func words(of point: Edwards25519.Point) -> [UInt64] {
    let inverse = point.z.inverted()
    let (x, y) = (point.x * inverse, point.y * inverse)
    return [y + x, y - x, x * y * .doubleD].flatMap { element in
      let number = element.number
      return [number.w0, number.w1, number.w2, number.w3]
    }
  }
}
