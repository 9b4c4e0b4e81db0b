// SPDX-License-Identifier: Apache-2.0
// Keys as people pass them: what is read, and what the message says about the rest.

@testable internal import DigitalSignatures
internal import SigningTestSupport
internal import TestSupport
internal import Testing

/// Source: OpenSSL and the package cryptography (`key-texts.py`).
@Suite("Keys as people pass them")
struct KeyTextTests {
  typealias RSAKey = RSA.Signing.PrivateKey
  typealias P256Key = P256.Signing.PrivateKey

  private static func records(with field: String) throws -> [VectorRecord] {
    try VectorTable(named: "key-texts.txt").records.filter { try $0.optionalBytes(field) != nil }
  }

  @Test("What OpenSSL or cryptography reads is read, as the same key")
  func read() throws {
    let records = try Self.records(with: "read")
    #expect(records.count > 40)
    records.forEachCase { (vector: VectorRecord) in
      let (text, expected) = try (vector.text("text"), vector.hexadecimal("key"))
      let isRSA = vector.name.contains("RSA")
      if try vector.text("needed") == "public" {
        let key = try X509PublicKey(pemRepresentation: text)
        #expect(Self.encoding(of: key) == expected)
        if isRSA {
          let key = try RSA.Signing.PublicKey(pemRepresentation: text)
          #expect(key.derRepresentation == expected)
        } else {
          let key = try P256.Signing.PublicKey(pemRepresentation: text)
          #expect(key.derRepresentation == expected)
        }
      } else {
        #expect(
          try Self.encoding(of: X509PrivateKey(pemRepresentation: text).publicKey) == expected)
        if isRSA {
          let key = try RSAKey(pemRepresentation: text)
          #expect(key.publicKey.derRepresentation == expected)
        } else {
          let key = try P256Key(pemRepresentation: text)
          #expect(key.publicKey.derRepresentation == expected)
        }
      }
    }
  }

  @Test("The message says what a text or a file is instead of the key, and shows none of it")
  func refused() throws {
    let certificates = try Self.certificates()
    try Self.records(with: "words").forEachCase { (vector: VectorRecord) in
      let bytes = try vector.bytes("text")
      let needed = try vector.text("needed")
      if let text = String(validating: bytes, as: UTF8.self) {
        for read in Self.readers(of: needed) {
          try Self.expectRefusal(vector) { try read(text) }
        }
      }
      if needed == "private" {
        for certificate in certificates {
          try Self.expectRefusal(vector) {
            _ = try certificate.privateKey(in: bytes)
          }
        }
      } else if needed == "certificate" {
        try Self.expectRefusal(vector) {
          _ = try X509Certificate.all(in: bytes)
        }
      }
    }
  }

  @Test("PEM where DER is expected, and DER in a string, are named")
  func exchangedForms() throws {
    for vector in try VectorTable(named: "p256-keys.txt").records {
      let pem = try Array(vector.text("pem").utf8)
      let error = #expect(throws: KeyDecodingError.self) { try P256Key(derRepresentation: pem) }
      #expect(error?.problem == "This is PEM, not DER." && error?.code == .invalidDER)
    }
    let vector = try VectorTable(named: "rsa-keys.txt").records[0]
    let pem = try Array(vector.text("pkcs1 pem").utf8)
    let error = #expect(throws: KeyDecodingError.self) { try RSAKey(derRepresentation: pem) }
    #expect(error?.problem == "This is PEM, not DER." && error?.code == .invalidDER)
    let text = try String(decoding: vector.hexadecimal("pkcs8"), as: UTF8.self)
    let second = #expect(throws: KeyDecodingError.self) { try RSAKey(pemRepresentation: text) }
    #expect(second?.problem.contains("binary data in a string") == true)
  }

  /// SEC 1, 2.3.4: 4 begins 65 bytes, and 2 or 3 begin 33. RFC 8032, 5.1.5: a seed has 32 bytes.
  @Test("The message about a wrong length says which length the first byte has, or what is in it")
  func lengths() {
    for (bytes, words) in [
      ([4] + [UInt8](repeating: 1, count: 32), "begins with 4 must be 65 bytes long, not 33"),
      ([3] + [UInt8](repeating: 1, count: 64), "begins with 3 must be 33 bytes long, not 65"),
    ] {
      let error = #expect(throws: KeyDecodingError.self) {
        try P256.Signing.PublicKey(x963Representation: bytes)
      }
      #expect(error?.code == .wrongLength && error?.problem.contains(words) == true)
    }
    let error = #expect(throws: KeyDecodingError.self) {
      try Curve25519.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 1, count: 64))
    }
    #expect(error?.code == .wrongLength && error?.fix.contains("first 32 bytes") == true)
  }

  @Test("Blocks and their lines share the memory of the text, which is wiped")
  func sharedMemory() throws {
    let text = Array(" -----BEGIN KEY----- \n MIIE \t\nMIIF \n -----END KEY----- \n".utf8)
    let blocks = try #require(PEM.blocks(in: text))
    let lines = blocks.flatMap(\.lines) + [PEM.trimmed(text[...])]
    #expect(lines.count == 3)
    let memory = Self.addresses(of: text[...])
    for line in lines {
      let addresses = Self.addresses(of: line)
      #expect(memory.lowerBound <= addresses.lowerBound)
      #expect(addresses.upperBound <= memory.upperBound)
    }
  }

  // MARK: - Helpers

  private static func addresses(of bytes: ArraySlice<UInt8>) -> Range<UInt> {
    unsafe bytes.withUnsafeBytes {
      let start = UInt(bitPattern: $0.baseAddress)
      return start..<start + UInt($0.count)
    }
  }

  /// All initializers that read this kind of key.
  private static func readers(of needed: String) -> [(String) throws -> Void] {
    let rsa = { (text: String) in _ = try RSAKey(pemRepresentation: text) }
    let p256 = { (text: String) in _ = try P256Key(pemRepresentation: text) }
    let either = { (text: String) in _ = try X509PrivateKey(pemRepresentation: text) }
    switch needed {
    case "private": return [rsa, p256, either]
    case "RSA private": return [rsa, either]
    case "RSA only": return [rsa]
    case "P-256 private": return [p256, either]
    case "P-256 only": return [p256]
    case "Ed25519 private":
      return [{ _ = try Curve25519.Signing.PrivateKey(pemRepresentation: $0) }]
    case "Ed25519 public":
      return [{ _ = try Curve25519.Signing.PublicKey(pemRepresentation: $0) }]
    case "public": return [{ _ = try X509PublicKey(pemRepresentation: $0) }]
    default: return []
    }
  }

  /// An RSA and a P-256 certificate.
  private static func certificates() throws -> [X509Certificate] {
    try ["RSA of 2048 bits", "P-256"].map { name in
      try X509Certificate(
        derRepresentation: VectorTable(named: "certificates.txt").record(named: name)
          .hexadecimal("der"))
    }
  }

  private static func expectRefusal(
    _ vector: VectorRecord, _ read: () throws -> Void
  ) throws {
    let (problem, fix) = refusal(of: read)
    #expect(try problem.contains(vector.text("words")), "\(vector): \(problem)")
    #expect(try fix.contains(vector.text("fix")), "\(vector): \(fix)")
    // No message has ten characters of the base64 in a row.
    let text = try String(decoding: vector.bytes("text"), as: UTF8.self)
    let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "+" && $0 != "/" }
    for word in words where word.count > 20 {
      let message = problem + fix
      #expect(!message.contains(word.prefix(10)) && !message.contains(word.suffix(10)), "\(vector)")
    }
  }

  private static func refusal(of read: () throws -> Void) -> (problem: String, fix: String) {
    do { try read() } catch let error as KeyDecodingError {
      return (error.problem, error.fix)
    } catch {
      return ("\(error)", "")
    }
    return ("accepted", "")
  }

  private static func encoding(of key: X509PublicKey) -> [UInt8] {
    switch key {
    case .rsa(let key): key.derRepresentation
    case .p256(let key): key.derRepresentation
    }
  }
}
