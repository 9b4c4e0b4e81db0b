// SPDX-License-Identifier: Apache-2.0
// Secrets are printed by accident: in logs, in crash reports, by a debugger. Nothing may be seen.

internal import Foundation
@testable internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("Printing of secrets")
struct SecretPrintingTests {
  /// Bytes of at least 160, which no size and no offset in the types below equals.
  static let keyBytes: [UInt8] = {
    var generator = Xorshift64(seed: 0x5EC2E7)
    return generator.bytes(32).map { 160 | $0 }
  }()
  let key = SymmetricKey(data: keyBytes)

  @Test("A key shows its size and nothing else")
  func symmetricKey() {
    #expect("\(key)" == "SymmetricKey(256 bits)")
    expectSilence(of: key, about: Self.keyBytes)
  }

  @Test("A computation of SHA-256 shows neither its state nor the bytes that wait for a block")
  func hash() {
    var computation = SHA256()
    computation.update(data: Self.keyBytes + Self.keyBytes + Self.keyBytes)
    expectSilence(of: computation, about: Self.keyBytes)
    expectSilence(of: computation, about: Self.stateBytes(of: computation))
  }

  @Test("A computation of HMAC shows neither the key nor its states")
  func hmac() {
    var computation = HMAC<SHA256>(key: key)
    computation.update(data: Self.keyBytes)
    expectSilence(of: computation, about: Self.keyBytes)
    expectSilence(of: computation, about: Self.stateBytes(of: computation.inner))
    expectSilence(of: computation, about: Self.stateBytes(of: computation.outer))
  }

  @Test("A prepared key shows neither the key nor its states")
  func preparedKey() {
    let prepared = HMAC<SHA256>.PreparedKey(key)
    let computation = HMAC<SHA256>(key: prepared)
    #expect("\(prepared)" == "HMAC.PreparedKey")
    expectSilence(of: prepared, about: Self.keyBytes)
    expectSilence(of: prepared, about: Self.stateBytes(of: computation.inner))
    expectSilence(of: prepared, about: Self.stateBytes(of: computation.outer))
  }

  @Test("This search finds bytes in each form that a description can have")
  func search() {
    let secret = Self.keyBytes
    let word = secret.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    let hexadecimal = secret.map { String(format: "%02X", $0) }.joined()
    #expect(shows(secret, in: "\(secret)"))
    #expect(shows(secret, in: texts(of: (0, word))))
    #expect(shows(secret, in: texts(of: Data(secret))))
    #expect(shows(secret, in: "key: " + hexadecimal))
    #expect(shows(secret, in: "key: 0x" + hexadecimal.prefix(8)))
    #expect(shows(secret, in: Data(secret).base64EncodedString()))
    #expect(!shows(secret, in: "a key of 32 bytes at 0x00007f0000000000"))
  }

  func expectSilence(
    of value: some Any, about secret: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let texts = texts(of: value)
    #expect(!texts.isEmpty, sourceLocation: sourceLocation)
    #expect(!shows(secret, in: texts), sourceLocation: sourceLocation)
  }

  /// All descriptions of a value in Swift, alone and inside other values.
  func texts(of value: some Any) -> String {
    var text = "\(value) " + String(describing: value) + " " + String(reflecting: value)
    print(value, [value], Optional(value) as Any, ["value": value], to: &text)
    debugPrint(value, to: &text)
    dump(value, to: &text)
    dump([value], to: &text)
    for child in Mirror(reflecting: value).children { dump(child, to: &text) }
    return text
  }

  /// Whether a text holds any byte or word of a secret as a number, or four bytes as digits.
  func shows(_ secret: [UInt8], in text: String) -> Bool {
    let tokens = Set(text.split { !$0.isLetter && !$0.isNumber }.map { $0.lowercased() })
    let digits = text.lowercased()
    for start in secret.indices {
      for size in [1, 2, 4, 8] where start + size <= secret.count {
        let part = secret[start..<start + size]
        for bytes in [Array(part), part.reversed()] {
          let number = bytes.reduce(0) { $0 << 8 | UInt64($1) }
          let hexadecimal = bytes.map { String(format: "%02x", $0) }.joined()
          if size > 1 || number >= 160, tokens.contains(String(number)) { return true }
          if size >= 4, digits.contains(hexadecimal) { return true }
        }
      }
    }
    return text.contains(Data(secret).base64EncodedString())
  }

  static func stateBytes(of computation: SHA256) -> [UInt8] {
    // Safety: the bytes are copied before the state ends.
    unsafe withUnsafeBytes(of: computation.state) { unsafe Array($0) }
  }
}
