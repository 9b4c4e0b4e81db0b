// SPDX-License-Identifier: Apache-2.0
// HMAC against RFC 4231 and Python, with all forms of a key.

@testable internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("HMAC")
struct HMACTests {
  @Test(
    "A test case of RFC 4231 has the published code, which may be truncated",
    arguments: SHA256.Implementation.available, try VectorTable(named: "rfc4231.txt").records)
  func rfc4231(_ implementation: SHA256.Implementation, _ vector: VectorRecord) throws {
    let code = try vector.hexadecimal("code")
    let (message, key) = try (vector.bytes("message"), vector.hexadecimal("key"))
    for (form, bytes) in HMACForms.codes(of: message, under: key, by: implementation) {
      #expect(Array(bytes.prefix(code.count)) == code, "\(form)")
    }
  }

  @Test(
    "Codes with a key of any size match Python's",
    arguments: SHA256.Implementation.available,
    try VectorTable(named: "hmac-key-sizes.txt").records)
  func keySizes(_ implementation: SHA256.Implementation, _ vector: VectorRecord) throws {
    let code = try vector.hexadecimal("code")
    let (message, key) = try (vector.hexadecimal("message"), vector.hexadecimal("key"))
    for (form, bytes) in HMACForms.codes(of: message, under: key, by: implementation) {
      #expect(bytes == code, "\(form)")
    }
  }

  /// Source: Project Wycheproof, `hmac_sha256_test.json` (`wycheproof-hmac-sha256.py`).
  @Test("Project Wycheproof's codes are valid, and the modified ones aren't")
  func wycheproof() throws {
    let vectors = try VectorTable(named: "wycheproof-hmac-sha256.txt").records
    let valid = try vectors.filter { try $0.text("valid") == "yes" }
    #expect(vectors.count == 81 && valid.count == 27)
    for vector in vectors {
      let key = SymmetricKey(data: try vector.hexadecimal("key"))
      let prepared = HMAC<SHA256>.PreparedKey(key)
      let (code, message) = try (vector.hexadecimal("code"), vector.hexadecimal("message"))
      let isValid = try vector.text("valid") == "yes"
      #expect(
        isValid
          == HMAC<SHA256>.isValidAuthenticationCode(
            code, authenticating: message, using: key), "\(vector)")
      #expect(
        isValid
          == HMAC<SHA256>.isValidAuthenticationCode(
            code, authenticating: message, using: prepared), "\(vector)")
      // A truncated code is a wrong one.
      #expect(
        !HMAC<SHA256>.isValidAuthenticationCode(
          code.prefix(16), authenticating: message, using: key), "\(vector)")
    }
  }

  @Test("The self-test that users can run at start passes")
  func selfTest() {
    #expect(HMAC<SHA256>.selfTest())
  }

  @Test(
    "A prepared key serves many messages, and each has the code of the plain key",
    arguments: SHA256.Implementation.available)
  func preparedKeyIsReused(_ implementation: SHA256.Implementation) {
    var generator = Xorshift64(seed: 0x9E9)
    let key = SymmetricKey(data: generator.bytes(40))
    let prepared = HMAC<SHA256>.PreparedKey(key, implementation: implementation)
    let copy = prepared
    for length in 0...130 {
      let message = generator.bytes(length)
      let code = HMAC<SHA256>.authenticationCode(for: message, using: key)
      #expect(HMAC<SHA256>.authenticationCode(for: message, using: prepared) == code)
      #expect(HMAC<SHA256>.authenticationCode(for: message, using: copy) == code)
    }
  }

  @Test("A prepared beginning serves messages that continue it, alone and in pairs")
  func preparedBeginning() {
    var generator = Xorshift64(seed: 0xBE9)
    let key = SymmetricKey(data: generator.bytes(32))
    for length in [0, 1, 63, 64, 65, 128, 200] {
      var beginning = HMAC<SHA256>(key: key)
      let first = generator.bytes(length)
      beginning.update(data: first)
      let prepared = HMAC<SHA256>.PreparedKey(continuing: beginning)
      for (count, otherCount) in [(0, 0), (69, 69), (5, 130)] {
        let (rest, otherRest) = (generator.bytes(count), generator.bytes(otherCount))
        let code = HMAC<SHA256>.authenticationCode(for: first + rest, using: key)
        let otherCode = HMAC<SHA256>.authenticationCode(for: first + otherRest, using: key)
        #expect(HMAC<SHA256>.authenticationCode(for: rest, using: prepared) == code)
        #expect(HMACForms.code(of: rest, by: prepared) == Array(code), "\(length), \(count)")
        let pair = HMAC<SHA256>.authenticationCodePair(for: rest, otherRest, using: prepared)
        #expect(pair.0 == code && pair.1 == otherCode)
      }
    }
  }

  /// `python3 -c 'import hmac; k=hmac.digest(b"Jefe",b"what do ya want for nothing?","sha256");
  /// print(hmac.digest(k,b"next","sha256").hex())'`
  @Test("A code is a key, as in a chain of keys")
  func codeAsKey() {
    let code = HMAC<SHA256>.authenticationCode(
      for: "what do ya want for nothing?".utf8, using: SymmetricKey(data: "Jefe".utf8))
    let next = HMAC<SHA256>(key: code).finalize(appending: "next".utf8)
    #expect(next.hexString == "11280dd92cc105a086b244b6ec0dc12a8b07f897a25d0b386bc3af1a19a2f1c5")
    #expect(HMAC<SHA256>(key: SymmetricKey(data: code)).finalize(appending: "next".utf8) == next)
  }

  @Test("Several tasks can use a prepared key at once")
  func preparedKeyIsShared() async {
    let key = SymmetricKey(data: "key".utf8)
    let prepared = HMAC<SHA256>.PreparedKey(key)
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<50 {
        group.addTask {
          let message = Array("message \(number)".utf8)
          return HMAC<SHA256>.authenticationCode(for: message, using: prepared)
            == HMAC<SHA256>.authenticationCode(for: message, using: key)
        }
      }
      for await isEqual in group { #expect(isEqual) }
    }
  }

  @Test(
    "A copy in mid-stream is a separate computation, and the code can be read at any time",
    arguments: SHA256.Implementation.available)
  func copies(_ implementation: SHA256.Implementation) {
    let key = SymmetricKey(data: "key".utf8)
    var original = HMAC<SHA256>(key: key, implementation: implementation)
    original.update(data: "one".utf8)
    let afterOne = original.finalize()
    var copy = original
    original.update(data: "two".utf8)
    copy.update(data: "three".utf8)
    #expect(afterOne == HMAC<SHA256>.authenticationCode(for: "one".utf8, using: key))
    #expect(original.finalize() == HMAC<SHA256>.authenticationCode(for: "onetwo".utf8, using: key))
    #expect(original.finalize() == HMAC<SHA256>.authenticationCode(for: "onetwo".utf8, using: key))
    #expect(copy.finalize() == HMAC<SHA256>.authenticationCode(for: "onethree".utf8, using: key))
  }

  @Test("A code is valid for its message and key, and for no other")
  func validity() {
    let (message, key) = ("message".utf8, SymmetricKey(data: "key".utf8))
    let prepared = HMAC<SHA256>.PreparedKey(key)
    let code = HMAC<SHA256>.authenticationCode(for: message, using: key)
    #expect(Self.isValid(code, message, key, prepared))
    #expect(Self.isValid(Array(code), message, key, prepared))
    let (otherMessage, otherKey) = ("massage".utf8, SymmetricKey(data: "kez".utf8))
    #expect(!Self.isValid(code, otherMessage, key, prepared))
    #expect(!Self.isValid(code, message, otherKey, HMAC<SHA256>.PreparedKey(otherKey)))
  }

  @Test("A code with one bit flipped is rejected, whichever bit it is")
  func flippedBits() {
    let (message, key) = ("message".utf8, SymmetricKey(data: "key".utf8))
    let prepared = HMAC<SHA256>.PreparedKey(key)
    for bit in 0..<256 {
      var code = Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
      code[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(!Self.isValid(code, message, key, prepared))
    }
  }

  @Test("A code that was truncated or lengthened is rejected")
  func wrongLengths() {
    let (message, key) = ("message".utf8, SymmetricKey(data: "key".utf8))
    let prepared = HMAC<SHA256>.PreparedKey(key)
    let code = Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
    for count in 0..<32 {
      #expect(!Self.isValid(code.prefix(count), message, key, prepared))
      #expect(!Self.isValid(code.suffix(count), message, key, prepared))
    }
    #expect(!Self.isValid(code + [0], message, key, prepared))
    #expect(!Self.isValid([0] + code, message, key, prepared))
    #expect(!Self.isValid(code + code, message, key, prepared))
  }

  /// Both forms of key must agree before their result counts.
  static func isValid(
    _ code: some Collection<UInt8>, _ message: some Collection<UInt8>,
    _ key: SymmetricKey, _ prepared: HMAC<SHA256>.PreparedKey
  ) -> Bool {
    let plain = HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: message, using: key)
    let other = HMAC<SHA256>.isValidAuthenticationCode(
      code, authenticating: message, using: prepared)
    #expect(plain == other)
    return plain
  }
}
