// SPDX-License-Identifier: Apache-2.0
// Keys in all of their forms, and rejected encodings.

internal import DigitalSignatures
internal import TestSupport
internal import Testing

@Suite("Keys and encodings of P-256")
struct KeyTests {
  typealias PrivateKey = P256.Signing.PrivateKey
  typealias PublicKey = P256.Signing.PublicKey

  /// Source: `p256-keys.py`, which lets OpenSSL write them.
  @Test("Private keys are read in OpenSSL's forms, and written in the same")
  func privateKeys() throws {
    for vector in try VectorTable(named: "p256-keys.txt").records {
      let raw = try vector.hexadecimal("raw")
      let key = try PrivateKey(rawRepresentation: raw)
      #expect(key.rawRepresentation == raw)
      #expect(try key.derRepresentation == vector.hexadecimal("der"))
      #expect(try key.pemRepresentation == vector.text("pem"))
      #expect(try key.publicKey.rawRepresentation == vector.hexadecimal("public-raw"))
      for name in [
        "der", "der-with-attributes", "sec1-der", "sec1-der-without-public-key",
      ] {
        let read = try PrivateKey(derRepresentation: vector.hexadecimal(name))
        #expect(read.rawRepresentation == raw, "\(name)")
      }
      // RFC 7468, 10 and 13, bind the form to the label. OpenSSL reads both under either.
      for name in [
        "pem", "pem-with-attributes", "pem-labeled-sec1", "sec1-pem", "sec1-pem-labeled-pkcs8",
        "sec1-pem-without-public-key", "in-text", "after-parameters", "with-blanks",
      ] {
        let text = try vector.text(name)
        #expect(try PrivateKey(pemRepresentation: text).rawRepresentation == raw, "\(name)")
        let lines = text.split(separator: "\n").joined(separator: "\r\n")
        #expect(try PrivateKey(pemRepresentation: lines).rawRepresentation == raw, "\(name)")
      }
      let x963 = [4] + key.publicKey.rawRepresentation + raw
      #expect(key.x963Representation == x963)
      #expect(try PrivateKey(x963Representation: x963).rawRepresentation == raw)
    }
  }

  @Test("Public keys are read in OpenSSL's forms, and written in the same")
  func publicKeys() throws {
    for vector in try VectorTable(named: "p256-keys.txt").records {
      let raw = try vector.hexadecimal("public-raw")
      let key = try PublicKey(rawRepresentation: raw)
      #expect(try key.derRepresentation == vector.hexadecimal("public-der"))
      #expect(try key.pemRepresentation == vector.text("public-pem"))
      #expect(try key.compressedRepresentation == vector.hexadecimal("public-compressed"))
      #expect(key.x963Representation == [4] + raw)
      #expect(try PublicKey(derRepresentation: vector.hexadecimal("public-der")) == key)
      #expect(try PublicKey(pemRepresentation: vector.text("public-pem")) == key)
      #expect(try PublicKey(pemRepresentation: vector.text("public-compressed-pem")) == key)
      #expect(try PublicKey(pemRepresentation: vector.text("public-after-text")) == key)
      let compressed = try vector.hexadecimal("public-compressed")
      #expect(try PublicKey(compressedRepresentation: compressed) == key)
      #expect(try PublicKey(x963Representation: compressed) == key)
      #expect(try PublicKey(x963Representation: [4] + raw) == key)
    }
  }

  /// RFC 5958 and 5915: no structure ends with a NULL. SEC 1's public key is its last field, at
  /// offset 51 (tag 1), after the version, the number and the curve.
  @Test("A field that no structure has is rejected")
  func surplus() throws {
    let vector = try VectorTable(named: "p256-keys.txt").records[0]
    for (name, offsets) in [("der", [0]), ("sec1-der", [0]), ("sec1-der", [0, 51])] {
      let key = try vector.hexadecimal(name).appendingNull(inside: offsets)
      let error = #expect(throws: KeyDecodingError.self) {
        try PrivateKey(derRepresentation: key)
      }
      #expect(error?.code == .invalidDER, "\(name)")
    }
    let empty = "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----"
    let error = #expect(throws: KeyDecodingError.self) {
      try PrivateKey(pemRepresentation: empty)
    }
    #expect(error?.code == .invalidPEM)
  }

  /// Source: `p256-refusals.py`, which names the standards.
  @Test("Each mistake is rejected with its code")
  func refusals() throws {
    let vectors = try VectorTable(named: "p256-refusals.txt").records
    #expect(vectors.count > 200)
    let good = try #require(vectors.last)
    let key = try PublicKey(rawRepresentation: good.hexadecimal("public-key"))
    let message = try good.hexadecimal("message")
    let signature = try P256.Signing.ECDSASignature(
      rawRepresentation: good.hexadecimal("signature"))
    #expect(key.isValidSignature(signature, for: message))
    for vector in vectors.dropLast() {
      if try vector.text("form") == "numbers" {
        let signature = try P256.Signing.ECDSASignature(
          rawRepresentation: vector.hexadecimal("encoded"))
        #expect(!key.isValidSignature(signature, for: message), "\(vector)")
        let prepared = P256.Signing.PreparedPublicKey(key)
        #expect(!prepared.isValidSignature(signature, for: message), "\(vector)")
      } else {
        let error = #expect(throws: KeyDecodingError.self, "\(vector)") { try read(vector) }
        #expect(try error?.code == code(vector.text("code")), "\(vector)")
      }
    }
  }

  private func read(_ vector: VectorRecord) throws {
    let form = try vector.text("form")
    if form == "private-pem" {
      _ = try PrivateKey(pemRepresentation: vector.text("encoded"))
      return
    }
    let bytes = try vector.hexadecimal("encoded")
    switch form {
    case "signature-der": _ = try P256.Signing.ECDSASignature(derRepresentation: bytes)
    case "signature-raw": _ = try P256.Signing.ECDSASignature(rawRepresentation: bytes)
    case "public-raw": _ = try PublicKey(rawRepresentation: bytes)
    case "public-x963": _ = try PublicKey(x963Representation: bytes)
    case "public-der": _ = try PublicKey(derRepresentation: bytes)
    case "compressed": _ = try PublicKey(compressedRepresentation: bytes)
    case "private-raw": _ = try PrivateKey(rawRepresentation: bytes)
    case "private-x963": _ = try PrivateKey(x963Representation: bytes)
    case "private-der": _ = try PrivateKey(derRepresentation: bytes)
    default: Issue.record("the form \(form) is not known")
    }
  }

  private func code(_ name: String) throws -> KeyDecodingError.Code {
    let codes: [String: KeyDecodingError.Code] = [
      "wrongLength": .wrongLength, "invalidScalar": .invalidScalar, "invalidPoint": .invalidPoint,
      "invalidDER": .invalidDER, "invalidPEM": .invalidPEM,
      "publicKeyMismatch": .publicKeyMismatch,
    ]
    return try #require(codes[name])
  }
}

extension [UInt8] {
  /// A NULL (X.690, 8.8) after the last field of the elements that begin at these offsets, the inner
  /// ones at the end of the outer ones.
  func appendingNull(inside offsets: [Int]) -> [UInt8] {
    var result = self + [5, 0]
    for offset in offsets {
      // X.690, 8.1.3: the length, or 128 plus the number of its bytes.
      let form = Int(self[offset + 1])
      result[offset + 1 + (form > 128 ? form - 128 : 0)] += 2
    }
    return result
  }
}
