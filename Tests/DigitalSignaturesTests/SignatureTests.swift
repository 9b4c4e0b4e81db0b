// SPDX-License-Identifier: Apache-2.0
// Signatures that are published, and signatures that Python computed.

@testable internal import DigitalSignatures
internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Signatures of P-256")
struct SignatureTests {
  /// Source: RFC 6979, A.2.5, and `p256-signatures.py`, an implementation of it in Python.
  @Test("Signatures match RFC 6979's, with and without entropy, in both forms")
  func deterministic() throws {
    let vectors = try VectorTable(named: "p256-signatures.txt").records.dropLast()
    #expect(vectors.count == 19)
    for vector in vectors {
      let key = try P256.Signing.PrivateKey(rawRepresentation: vector.hexadecimal("key"))
      #expect(try key.publicKey.rawRepresentation == vector.hexadecimal("public-key"), "\(vector)")
      let message = try vector.hexadecimal("message")
      let signature = key.signature(for: message, entropy: try vector.hexadecimal("entropy"))
      #expect(try signature.rawRepresentation == vector.hexadecimal("signature"), "\(vector)")
      #expect(try signature.derRepresentation == vector.hexadecimal("der"), "\(vector)")
      let read = try P256.Signing.ECDSASignature(derRepresentation: vector.hexadecimal("der"))
      #expect(read == signature)
      #expect(isValid(read, message, key.publicKey))
      #expect(!isValid(read, message + [0], key.publicKey))
    }
  }

  /// Source: RFC 6979, A.2.5, the message "sample" with SHA-1, SHA-384 and SHA-512. cryptography 48
  /// verifies them, too. Their nonces are of HMACs with these functions, so ours differ.
  @Test("Digests of other hash functions are signed and verified as their leftmost 256 bits")
  func otherDigests() throws {
    let key = try P256.Signing.PrivateKey(
      rawRepresentation: Hexadecimal.decode(
        "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721"))
    func expectValid(_ digest: some HashDigest, _ hexadecimal: String) throws {
      let signature = try P256.Signing.ECDSASignature(
        rawRepresentation: Hexadecimal.decode(hexadecimal))
      for signature in [signature, key.signature(for: digest)] {
        #expect(key.publicKey.isValidSignature(signature, for: digest))
        #expect(
          P256.Signing.PreparedPublicKey(key.publicKey).isValidSignature(signature, for: digest))
        #expect(!key.publicKey.isValidSignature(signature, for: Array(digest)))
        #expect(!key.publicKey.isValidSignature(signature, for: "sample".utf8))
      }
    }
    try expectValid(
      SHA1.hash(data: "sample".utf8),
      "61340c88c3aaebeb4f6d667f672ca9759a6ccaa9fa8811313039ee4a35471d32"
        + "6d7f147dac089441bb2e2fe8f7a3fa264b9c475098fdcf6e00d7c996e1b8b7eb")
    try expectValid(
      SHA384.hash(data: "sample".utf8),
      "0eafea039b20e9b42309fb1d89e213057cbf973dc0cfc8f129edddc800ef7719"
        + "4861f0491e6998b9455193e34e7b0d284ddd7149a74b95b9261f13abde940954")
    try expectValid(
      SHA512.hash(data: "sample".utf8),
      "8496a60b5e9b47c825488827e0495b0e3fa109ec4568fd3f8d1097678eb97f00"
        + "2362ab1adbe2b8adf9cb9edab740ea6049c028114f2460f96554f61fae3302fe")
    // In generic code, a SHA-256 digest isn't hashed again.
    func signature<H: HashFunction>(_: H.Type) -> P256.Signing.ECDSASignature {
      key.signature(for: H.hash(data: "sample".utf8))
    }
    #expect(signature(SHA256.self) == key.signature(for: "sample".utf8))
    #expect(
      key.publicKey.isValidSignature(signature(SHA512.self), for: SHA512.hash(data: "sample".utf8)))
  }

  /// Source: RFC 6979, A.2.5, has the first one of each message; `p256-signatures.py` the next ones.
  @Test("If a nonce can't be used, the next ones match RFC 6979's")
  func nonces() throws {
    for vector in try VectorTable(named: "p256-signatures.txt").records.prefix(2) {
      var key = KeySecrets(Words256(try vector.hexadecimal("key")))
      let digest = SHA256.hash(data: try vector.hexadecimal("message"))
      let none = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
      var nonces = unsafe Nonces(
        Scalar(reducing: Words256(bigEndian: digest)), &key, entropy: none)
      let expected = try vector.texts("nonce").map { Words256(try Hexadecimal.decode($0)) }
      #expect(expected.count == 4)
      for nonce in expected { #expect(nonces.next() == nonce) }
    }
  }

  /// Source: FIPS 186-5, A.2.2: the key is the candidate and one, for candidates of 0 to n - 2.
  @Test("A random number plus one is the key, and n - 1 or more is rejected")
  func candidates() throws {
    let order = Scalar.order
    for (number, key) in [
      (Words256.zero, Words256(1, 0, 0, 0)),
      (difference(order, 2), difference(order, 1)), (difference(order, 1), nil), (order, nil),
      (Words256(.max, .max, .max, .max), nil),
    ] {
      let digest = try #require(SHA256.Digest(bytes: Secret.Bytes(number)))
      let made = P256.Signing.PrivateKey(candidate: digest)
      #expect(made?.rawRepresentation == key.map { Array(Secret.Bytes($0)) })
    }
  }

  private func difference(_ number: Words256, _ small: UInt64) -> Words256 {
    Words256.subtract(number, Words256(small, 0, 0, 0)).difference
  }

  @Test("Generated messages under generated keys have the signatures that Python computed")
  func generated() throws {
    let vector = try VectorTable(named: "p256-signatures.txt").record(named: "generated")
    var generator = Xorshift64(seed: UInt64(try vector.integer("seed")))
    var results = SHA256()
    for _ in 0..<(try vector.integer("count")) {
      let bytes = generator.bytes(32)
      let message = generator.bytes(64)
      guard let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes) else { continue }
      let signature = key.signature(for: message)
      results.update(data: signature.derRepresentation)
      #expect(isValid(signature, message, key.publicKey))
    }
    #expect(try Array(results.finalize()) == vector.hexadecimal("digest"))
  }

  /// Source: NIST's validation program, FIPS 186-3 (`cavp-p256.py`).
  @Test("NIST's tests pass: signatures, key pairs and public keys, good ones and bad ones")
  func validationProgram() throws {
    let vectors = try VectorTable(named: "cavp-p256.txt").records
    #expect(vectors.count == 52)
    for vector in vectors {
      switch try vector.text("kind") {
      case "sign": try checkSigning(vector)
      case "verify": try checkVerification(vector)
      case "key pair":
        let key = try P256.Signing.PrivateKey(rawRepresentation: vector.hexadecimal("key"))
        #expect(key.publicKey.rawRepresentation == (try point(vector)), "\(vector)")
      default:
        let key = try? P256.Signing.PublicKey(rawRepresentation: point(vector))
        #expect((key != nil) == (try vector.text("valid") == "yes"), "\(vector)")
      }
    }
  }

  /// With the vector's nonce.
  private func checkSigning(_ vector: VectorRecord) throws {
    let number = try Words256(vector.hexadecimal("key"))
    let digest = SHA256.hash(data: try vector.hexadecimal("message"))
    let numbers = ECDSA.sign(
      Scalar(reducing: Words256(bigEndian: digest)), Scalar(reduced: number).inMontgomeryForm,
      nonce: Words256(try vector.hexadecimal("nonce")))
    let signature = P256.Signing.ECDSASignature(numbers)
    let expected = try vector.hexadecimal("r") + vector.hexadecimal("s")
    #expect(signature.rawRepresentation == expected, "\(vector)")
    let key = try P256.Signing.PublicKey(rawRepresentation: point(vector))
    #expect(isValid(signature, try vector.hexadecimal("message"), key), "\(vector)")
  }

  private func checkVerification(_ vector: VectorRecord) throws {
    let key = try P256.Signing.PublicKey(rawRepresentation: point(vector))
    let signature = try P256.Signing.ECDSASignature(
      rawRepresentation: vector.hexadecimal("r") + vector.hexadecimal("s"))
    let result = isValid(signature, try vector.hexadecimal("message"), key)
    #expect(result == (try vector.text("valid") == "yes"), "\(vector)")
  }

  private func point(_ vector: VectorRecord) throws -> [UInt8] {
    try vector.hexadecimal("x") + vector.hexadecimal("y")
  }

  @Test("A random key signs what its public key verifies, and no other key does")
  func randomKeys() throws {
    let (first, second) = (P256.Signing.PrivateKey(), P256.Signing.PrivateKey())
    #expect(first.publicKey != second.publicKey)
    let signature = first.signature(for: "message".utf8)
    #expect(isValid(signature, Array("message".utf8), first.publicKey))
    #expect(!isValid(signature, Array("message".utf8), second.publicKey))
    #expect(first.signature(for: SHA256.hash(data: "message".utf8)) == signature)
    #expect("\(first)" == "P256.Signing.PrivateKey")
    #expect(Mirror(reflecting: first).children.isEmpty)
  }

  @Test("An x of the order and more is found: r is x modulo the order")
  func largeX() throws {
    // The first x above n with a point on the curve. Python's integers show that it's n + 3:
    // pow(x**3 - 3*x + b, (p - 1) // 2, p) is 1 there, but not at n + 1 or n + 2.
    var x = Words256.add(Scalar.order, Words256(1, 0, 0, 0)).sum
    var r = Words256(1, 0, 0, 0)
    var root = AffinePoint.squareOfY(at: FieldElement(x)).squareRootCandidate()
    while !AffinePoint(x: FieldElement(x), y: root).isOnCurve {
      x = Words256.add(x, Words256(1, 0, 0, 0)).sum
      r = Words256.add(r, Words256(1, 0, 0, 0)).sum
      root = AffinePoint.squareOfY(at: FieldElement(x)).squareRootCandidate()
    }
    #expect(r == Words256(3, 0, 0, 0))
    var point = JacobianPoint(AffinePoint(x: FieldElement(x), y: root))
    point.double()
    let doubled = ProjectivePoint(point).affine
    #expect(JacobianPoint(AffinePoint(x: FieldElement(x), y: root)).hasX(r))
    #expect(!JacobianPoint(doubled).hasX(r))
    #expect(!JacobianPoint.infinity.hasX(r))
  }

  /// By the key, and by the key prepared.
  private func isValid(
    _ signature: P256.Signing.ECDSASignature, _ message: [UInt8], _ key: P256.Signing.PublicKey
  ) -> Bool {
    let result = key.isValidSignature(signature, for: message)
    let prepared = P256.Signing.PreparedPublicKey(key).isValidSignature(signature, for: message)
    #expect(prepared == result)
    return result
  }
}
