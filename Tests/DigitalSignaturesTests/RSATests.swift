// SPDX-License-Identifier: Apache-2.0
// RSA: signatures and keys of NIST, Project Wycheproof and OpenSSL, and rejected ones.

@testable internal import DigitalSignatures
internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("RSA with PKCS #1 v1.5")
struct RSATests {
  typealias PrivateKey = RSA.Signing.PrivateKey
  typealias PublicKey = RSA.Signing.PublicKey
  typealias Signature = RSA.Signing.RSASignature

  /// Source: NIST's CAVP, SigVer15 of FIPS 186-3 (`cavp-rsa.py`).
  @Test(
    "NIST's signatures are valid or not as published, and the private keys make the valid ones",
    arguments: try VectorTable(named: "cavp-rsa.txt").records)
  func published(_ vector: VectorRecord) throws {
    let key = try PublicKey(derRepresentation: vector.hexadecimal("key"))
    let (message, bytes) = try (vector.hexadecimal("message"), vector.hexadecimal("signature"))
    let isValid = try vector.text("valid") == "yes"
    let hash = try vector.text("hash")
    #expect(
      Self.isValid(Signature(rawRepresentation: bytes), message, hash, key) == isValid)
    if try vector.optionalText("private key") != nil {
      let key = try PrivateKey(derRepresentation: vector.hexadecimal("private key"))
      #expect(try Self.signature(message, hash, key).rawRepresentation == bytes)
    }
  }

  /// Source: Project Wycheproof (`wycheproof-rsa.py`).
  @Test(
    "Project Wycheproof's signatures are valid or invalid as expected, and its keys create its signatures",
    arguments: try VectorTable(named: "wycheproof-rsa.txt").records)
  func wycheproof(_ vector: VectorRecord) throws {
    let messages = try vector.texts("message").map { try Hexadecimal.decode($0) }
    let signatures = try vector.texts("signature").map { try Hexadecimal.decode($0) }
    try #require(messages.count == signatures.count && !messages.isEmpty)
    let hash = try vector.text("hash")
    if try vector.optionalText("private key") != nil {
      let key = try PrivateKey(derRepresentation: vector.hexadecimal("private key"))
      for (message, bytes) in zip(messages, signatures) {
        let signature = try Self.signature(message, hash, key)
        #expect(signature.rawRepresentation == bytes)
        #expect(Self.isValid(signature, message, hash, key.publicKey))
      }
      return
    }
    let key = try PublicKey(derRepresentation: vector.hexadecimal("key"))
    for (index, valid) in try vector.texts("valid").enumerated() {
      let isValid = Self.isValid(
        Signature(rawRepresentation: signatures[index]), messages[index], hash, key)
      #expect(isValid == (valid == "yes"), "\(index)")
    }
  }

  /// Source: `rsa-keys.py`, which lets OpenSSL write them.
  @Test(
    "Keys are read in OpenSSL's forms, and written in the same",
    arguments: try VectorTable(named: "rsa-keys.txt").records)
  func keys(_ vector: VectorRecord) throws {
    let key = try PrivateKey(derRepresentation: vector.hexadecimal("pkcs8"))
    #expect(try key.derRepresentation == vector.hexadecimal("pkcs1"))
    #expect(try key.pkcs8DERRepresentation == vector.hexadecimal("pkcs8"))
    #expect(try key.pemRepresentation == vector.text("pkcs1 pem"))
    #expect(try key.pkcs8PEMRepresentation == vector.text("pkcs8 pem"))
    #expect(vector.name.hasPrefix("\(key.keySizeInBits) bits"))
    let public_ = key.publicKey
    #expect(try public_.derRepresentation == vector.hexadecimal("public"))
    #expect(try public_.pemRepresentation == vector.text("public pem"))
    #expect(try public_.pkcs1DERRepresentation == vector.hexadecimal("public pkcs1"))
    let others = try [
      PrivateKey(derRepresentation: vector.hexadecimal("pkcs1")),
      PrivateKey(derRepresentation: vector.hexadecimal("pkcs8 with attributes")),
      PrivateKey(derRepresentation: vector.hexadecimal("pkcs8 without null")),
      PrivateKey(pemRepresentation: vector.text("pkcs8 pem")),
      PrivateKey(pemRepresentation: vector.text("pkcs1 pem")),
      // RFC 7468, 10 and 13, bind the form to the label. OpenSSL reads both under either.
      PrivateKey(pemRepresentation: vector.text("pkcs8 pem with the other label")),
      PrivateKey(pemRepresentation: vector.text("pkcs1 pem with the other label")),
      PrivateKey(pemRepresentation: vector.text("pkcs8 pem in text")),
    ]
    for other in others { #expect(other.derRepresentation == key.derRepresentation) }
    let publicKeys = try [
      PublicKey(derRepresentation: vector.hexadecimal("public")),
      PublicKey(derRepresentation: vector.hexadecimal("public pkcs1")),
      PublicKey(derRepresentation: vector.hexadecimal("public without null")),
      PublicKey(pemRepresentation: vector.text("public pem")),
      PublicKey(pemRepresentation: vector.text("public pkcs1 pem")),
      PublicKey(pemRepresentation: vector.text("public pem with the other label")),
      PublicKey(pemRepresentation: vector.text("public pkcs1 pem with the other label")),
      PublicKey(pemRepresentation: vector.text("public pkcs1 pem in text")),
    ]
    for other in publicKeys { #expect(other == public_) }
    #expect("\(key)" == "RSA.Signing.PrivateKey")
    #expect(Mirror(reflecting: key).children.isEmpty)
  }

  /// RFC 5958, RFC 8017, A.1, and RFC 5280, 4.1: no structure ends with a NULL.
  @Test("A field that no structure has is rejected")
  func surplus() throws {
    let vector = try VectorTable(named: "rsa-keys.txt").records[0]
    for name in ["pkcs8", "pkcs1"] {
      let key = try vector.hexadecimal(name).appendingNull(inside: [0])
      let error = #expect(throws: KeyDecodingError.self) { try PrivateKey(derRepresentation: key) }
      #expect(error?.code == .invalidDER, "\(name)")
    }
    for name in ["public", "public pkcs1"] {
      let key = try vector.hexadecimal(name).appendingNull(inside: [0])
      let error = #expect(throws: KeyDecodingError.self) { try PublicKey(derRepresentation: key) }
      #expect(error?.code == .invalidDER, "\(name)")
    }
  }

  /// Source: `rsa-keys.py` (Python's `pow`). Random numbers never meet a carry through all words.
  @Test(
    "Numbers at the borders have the private power that Python computes, with any blinding",
    arguments: try VectorTable(named: "rsa-keys.txt").records)
  func borders(_ vector: VectorRecord) throws {
    let key = try PrivateKey(derRepresentation: vector.hexadecimal("pkcs8"))
    var generators = [Xorshift64(seed: 1), Xorshift64(seed: 0xFFFF_FFFF_0000_0001)]
    for line in try vector.texts("power") {
      let numbers = try line.split(separator: " ").map { try Hexadecimal.decode(String($0)) }
      for implementation in RSAImplementation.available {
        for index in generators.indices {
          let signature = try key.signature(
            of: numbers[0], implementation: implementation
          ) { generators[index].next() }
          #expect(
            signature.rawRepresentation == numbers[1], "\(implementation), \(line.prefix(40))")
        }
        let isValid = key.publicKey.isValid(
          Signature(rawRepresentation: numbers[1]), numbers[0], implementation: implementation)
        #expect(isValid, "\(implementation), \(line.prefix(40))")
      }
    }
  }

  @Test("Blinding with one, n - 1 or all ones creates the same signature, and zero is rejected")
  func blindings() throws {
    let key = try Self.key()
    let expected = try key.signature(for: "abc".utf8, padding: .insecurePKCS1v1_5)
    let encoded = RSAPadding.encoded(
      SHA256.hash(data: "abc".utf8), RSAPadding.sha256, byteCount: 256)
    let one: [UInt64] = [1] + Array(repeating: 0, count: 31)
    let modulus = Array(key.publicKey.words.prefix(32))
    let ones = [UInt64](repeating: .max, count: 32)
    for implementation in RSAImplementation.available {
      for words in [one, [modulus[0] - 1] + modulus.dropFirst(), ones] {
        var generator = FixedNumbers(words: words)
        let signature = try key.signature(
          of: encoded, implementation: implementation
        ) { generator.next() }
        #expect(signature == expected)
      }
      for words in [[UInt64](repeating: 0, count: 32), modulus] {
        var generator = FixedNumbers(words: words)
        let error = #expect(throws: RSA.SigningError.self) {
          try key.signature(
            of: encoded, implementation: implementation
          ) { generator.next() }
        }
        #expect(error?.code == .faultDetected)
      }
    }
  }

  @Test("A fault in either half of the computation is found before the signature leaves")
  func faults() throws {
    let vector = try VectorTable(named: "rsa-keys.txt").records[0]
    let layout = RSAKeyLayout(half: 16)
    let places = [
      layout.p, layout.q, layout.squareOfRForP, layout.squareOfRForQ, layout.exponentForP,
      layout.exponentForQ, layout.inversionForP, layout.inversionForQ, layout.coefficient,
    ]
    let encoded = Self.encoded(Array("abc".utf8), "SHA256", byteCount: 256)
    for place in places {
      for bit in [1, 63, 1_000] {
        let key = try PrivateKey(derRepresentation: vector.hexadecimal("pkcs8"))
        let byte = place * 8 + bit / 8
        // Safety: the place is in the key's memory, which nothing else reads now.
        let old = unsafe key.memory.start.load(fromByteOffset: byte, as: UInt8.self)
        unsafe key.memory.start.storeBytes(
          of: old ^ 1 << UInt8(bit % 8), toByteOffset: byte, as: UInt8.self)
        for implementation in RSAImplementation.available {
          let error = #expect(throws: RSA.SigningError.self, "place \(place), bit \(bit)") {
            try key.signature(
              of: encoded, implementation: implementation
            ) { .random(in: 0 ... .max) }
          }
          #expect(error?.code == .faultDetected)
        }
      }
    }
  }

  /// Source: `rsa-refusals.py`, which names the standards.
  @Test(
    "Each mistake is rejected with its code",
    arguments: try VectorTable(named: "rsa-refusals.txt").records)
  func refusals(_ vector: VectorRecord) throws {
    let form = try vector.text("form")
    if form == "forgery" || form == "right" {
      let key = try PublicKey(derRepresentation: vector.hexadecimal("key"))
      let signature = try Signature(rawRepresentation: vector.hexadecimal("encoded"))
      let isValid = try key.isValidSignature(
        signature, for: vector.hexadecimal("message"), padding: .insecurePKCS1v1_5)
      #expect(isValid == (form == "right"))
      return
    }
    let error = #expect(throws: KeyDecodingError.self) {
      switch form {
      case "private": _ = try PrivateKey(derRepresentation: vector.hexadecimal("encoded"))
      case "public": _ = try PublicKey(derRepresentation: vector.hexadecimal("encoded"))
      default: _ = try PrivateKey(pemRepresentation: vector.text("encoded"))
      }
    }
    #expect(try error?.code == Self.codes[vector.text("code")])
    #expect(error?.message.isEmpty == false)
  }

  #if HardwareAcceleration && os(Linux)
    @Test("With the trait on, the instructions that this machine has are found, and used first")
    func machine() throws {
      var expected = [RSAImplementation.portable]
      #if CompilerBuiltins && arch(x86_64)
        let needed = [
          "avx512f", "avx512vl", "avx512bw", "avx512dq", "avx512ifma", "bmi1", "bmi2",
        ]
        if try ProcessorDescription.words(of: "flags").isSuperset(of: needed) {
          let isAMD = try ProcessorDescription.words(of: "vendor_id").contains("AuthenticAMD")
          expected = isAMD ? [.wideIFMA, .ifma, .portable] : [.ifma, .portable, .wideIFMA]
        }
      #endif
      #expect(RSAImplementation.available == expected)
      #expect(RSAImplementation.current == expected[0])
    }
  #else
    @Test("With the trait off, the portable implementation is the only one")
    func machine() {
      #expect(RSAImplementation.available == [.portable])
    }
  #endif

  // MARK: - Helpers

  /// The first key of the table, which has 2048 bits.
  static func key() throws -> PrivateKey {
    try PrivateKey(
      derRepresentation: VectorTable(named: "rsa-keys.txt").records[0].hexadecimal("pkcs8"))
  }

  private static let codes: [String: KeyDecodingError.Code] = [
    "invalidDER": .invalidDER, "invalidPEM": .invalidPEM,
    "unsupportedModulus": .unsupportedModulus, "unsupportedExponent": .unsupportedExponent,
    "inconsistentKey": .inconsistentKey,
  ]

  /// All implementations find the same.
  private static func isValid(
    _ signature: Signature, _ message: [UInt8], _ hash: String, _ key: PublicKey
  ) -> Bool {
    let isValid =
      hash == "SHA1"
      ? key.isValidSignature(
        signature, for: SHA1.hash(data: message), padding: .insecurePKCS1v1_5)
      : key.isValidSignature(signature, for: message, padding: .insecurePKCS1v1_5)
    let encoded = encoded(message, hash, byteCount: key.byteCount)
    for implementation in RSAImplementation.available {
      #expect(
        key.isValid(signature, encoded, implementation: implementation) == isValid,
        "\(implementation)")
    }
    return isValid
  }

  /// All implementations create the same.
  private static func signature(
    _ message: [UInt8], _ hash: String, _ key: PrivateKey
  ) throws -> Signature {
    let signature =
      hash == "SHA1"
      ? try key.signature(for: SHA1.hash(data: message), padding: .insecurePKCS1v1_5)
      : try key.signature(for: message, padding: .insecurePKCS1v1_5)
    let encoded = encoded(message, hash, byteCount: key.publicKey.byteCount)
    for implementation in RSAImplementation.available {
      let other = try key.signature(
        of: encoded, implementation: implementation
      ) { .random(in: 0 ... .max) }
      #expect(other == signature, "\(implementation)")
    }
    return signature
  }

  private static func encoded(_ message: [UInt8], _ hash: String, byteCount: Int) -> [UInt8] {
    hash == "SHA1"
      ? RSAPadding.encoded(
        SHA1.hash(data: message), RSAPadding.sha1, byteCount: byteCount)
      : RSAPadding.encoded(SHA256.hash(data: message), RSAPadding.sha256, byteCount: byteCount)
  }
}

extension RSATests {
  @Test("A digest of another hash function is rejected, instead of being hashed again")
  func otherDigests() throws {
    let vector = try #require(
      try VectorTable(named: "cavp-rsa.txt").records.first { vector in
        try vector.optionalText("private key") != nil
      })
    let key = try PrivateKey(derRepresentation: vector.hexadecimal("private key"))
    let uses: any UsesOfDigests = UsesOfDigest(SHA512.hash(data: "sample".utf8))
    let error = #expect(throws: RSA.SigningError.self) { try uses.signature(key) }
    #expect(error?.code == .unsupportedDigest)
    #expect(error?.message.contains("SHA-256") == true)
    let digest = Array(SHA512.hash(data: "sample".utf8))
    let signature = try key.signature(for: digest, padding: .insecurePKCS1v1_5)
    #expect(key.publicKey.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5))
    #expect(!uses.isValid(signature, key.publicKey))
  }

  @Test("Generic code signs and verifies SHA-256 digests")
  func genericDigests() throws {
    let key = try Self.key()
    let message = Array("sample".utf8)
    let sha256 = try key.signature(for: message, padding: .insecurePKCS1v1_5)
    let sha1 = try key.signature(
      for: SHA1.hash(data: message), padding: .insecurePKCS1v1_5)
    let uses: any UsesOfDigests = UsesOfDigest(SHA256.hash(data: message))
    #expect(try uses.signature(key).rawRepresentation == sha256.rawRepresentation)
    #expect(uses.isValid(sha256, key.publicKey))
    #expect(!uses.isValid(sha1, key.publicKey))
    let other: any UsesOfDigests = UsesOfDigest(SHA1.hash(data: message))
    #expect(!other.isValid(sha1, key.publicKey))
    #expect(throws: RSA.SigningError.self) { try other.signature(key) }
  }
}

/// Calls deprecated functions, without a warning where a test calls it.
private protocol UsesOfDigests {
  func signature(_ key: RSA.Signing.PrivateKey) throws(RSA.SigningError)
    -> RSA.Signing.RSASignature
  func isValid(_ signature: RSA.Signing.RSASignature, _ key: RSA.Signing.PublicKey) -> Bool
}

private struct UsesOfDigest<Digest: HashDigest>: UsesOfDigests {
  private let digest: Digest

  init(_ digest: Digest) {
    self.digest = digest
  }

  @available(*, deprecated) func signature(
    _ key: RSA.Signing.PrivateKey
  ) throws(RSA.SigningError) -> RSA.Signing.RSASignature {
    try key.signature(for: digest, padding: .insecurePKCS1v1_5)
  }

  @available(*, deprecated) func isValid(
    _ signature: RSA.Signing.RSASignature, _ key: RSA.Signing.PublicKey
  ) -> Bool {
    key.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5)
  }
}

/// Numbers to draw, chosen by a test.
private struct FixedNumbers: RandomNumberGenerator {
  var words: [UInt64]

  mutating func next() -> UInt64 {
    defer { words.append(words.removeFirst()) }
    return words[0]
  }
}
