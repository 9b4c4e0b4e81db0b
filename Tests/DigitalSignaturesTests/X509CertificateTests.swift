// SPDX-License-Identifier: Apache-2.0
// Certificates: what is read of those of the package cryptography, files with several, and private
// keys that belong to them or don't.

internal import DigitalSignatures
internal import SecureHashing
internal import SigningTestSupport
internal import TestSupport
internal import Testing

/// Source: the package cryptography (`certificates.py`).
@Suite("X.509 certificates")
struct X509CertificateTests {
  private static func records(with field: String) throws -> [VectorRecord] {
    try VectorTable(named: "certificates.txt").records.filter {
      try $0.optionalBytes(field) != nil
    }
  }

  @Test("The serial number and the key are those that cryptography reads, or the reason is named")
  func certificates() throws {
    try Self.records(with: "der").forEachCase { (vector: VectorRecord) in
      let bytes = try vector.hexadecimal("der")
      if let refused = try vector.optionalText("refused") {
        let error = #expect(throws: KeyDecodingError.self) { try Self.parts(bytes) }
        #expect(error?.problem.contains(refused) == true, "\(error?.problem ?? "")")
        return
      }
      let (serial, key) = try Self.parts(bytes)
      #expect(try serial == vector.text("serial"))
      #expect(try key == vector.hexadecimal("key"))
      #expect(try X509Certificate(derRepresentation: bytes).derRepresentation == bytes)
    }
  }

  /// A wrong certificate is an error, and never a trap. Where a byte changes, it may also be a
  /// certificate.
  @Test("A certificate without its end, or with a byte more or less, isn't one")
  func changes() throws {
    let table = try VectorTable(named: "certificates.txt")
    for name in ["version 3 with everything", "version 1", "RSA of 2048 bits"] {
      let bytes = try table.record(named: name).hexadecimal("der")
      for index in bytes.indices {
        #expect(throws: KeyDecodingError.self) {
          try Self.parts(Array(bytes[..<index]))
        }
        var (shorter, longer) = (bytes, bytes)
        shorter.remove(at: index)
        longer.insert(0, at: index)
        for changed in [shorter, longer] {
          #expect(throws: KeyDecodingError.self) { try Self.parts(changed) }
        }
        for byte in [0, 0x7F, 0x80, 0x81, 0x82, 0x84, 0xFF, bytes[index] &+ 1] as [UInt8] {
          var changed = bytes
          changed[index] = byte
          _ = try? Self.parts(changed)
        }
      }
    }
  }

  /// 65,536 needs three bytes of length, which no certificate of a request needs.
  @Test("A certificate of 65,536 bytes isn't read")
  func size() throws {
    let small = try VectorTable(named: "certificates.txt").record(named: "version 1")
      .hexadecimal("der")
    let large = [0x30, 0x83, 1, 0, 0] + small + [UInt8](repeating: 0, count: 65_536 - small.count)
    #expect(throws: KeyDecodingError.self) { try Self.parts(large) }
  }

  @Test("A file has the certificates that cryptography wrote, in their order")
  func files() throws {
    try Self.records(with: "file").forEachCase { (vector: VectorRecord) in
      let file = try vector.bytes("file")
      let expected = try vector.texts("certificate").map { try Hexadecimal.decode($0) }
      guard let refused = try vector.optionalText("refused") else {
        #expect(try X509Certificate.all(in: file).map(\.derRepresentation) == expected)
        return
      }
      let error = #expect(throws: KeyDecodingError.self) {
        try X509Certificate.all(in: file)
      }
      #expect(error?.problem.contains(refused) == true)
    }
  }

  @Test("The private key of a certificate signs, and another one is refused without being shown")
  func privateKeys() throws {
    try Self.records(with: "private-key").forEachCase { (vector: VectorRecord) in
      let certificate = try X509Certificate(derRepresentation: vector.hexadecimal("certificate"))
      let file = try vector.bytes("private-key")
      if let refused = try vector.optionalText("refused") {
        let error = #expect(throws: KeyDecodingError.self) {
          try certificate.privateKey(in: file)
        }
        #expect(error?.problem.contains(refused) == true, "\(error?.problem ?? "")")
        return
      }
      let signature = try certificate.privateKey(in: file).signature(for: [1, 2, 3])
      let key = try certificate.publicKey()
      #expect(key.isValidSignature(signature, for: [1, 2, 3]))
      #expect(!key.isValidSignature(signature, for: [1, 2]))
      #expect(!key.isValidSignature(Array(signature.dropLast()), for: [1, 2, 3]))
    }
  }

  /// The serial number, and the key as a SubjectPublicKeyInfo.
  @discardableResult
  private static func parts(
    _ bytes: [UInt8]
  ) throws(KeyDecodingError) -> (String, [UInt8]) {
    let certificate = try X509Certificate(derRepresentation: bytes)
    let serial = try certificate.serialNumber()
    switch try certificate.publicKey() {
    case .rsa(let key): return (serial, key.derRepresentation)
    case .p256(let key): return (serial, key.derRepresentation)
    }
  }
}
