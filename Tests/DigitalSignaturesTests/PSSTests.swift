// SPDX-License-Identifier: Apache-2.0
// RSASSA-PSS: signatures of Project Wycheproof and of Python, with wrong encodings, and its keys.

@testable internal import DigitalSignatures
internal import SecureHashing
internal import TestSupport
internal import Testing

@Suite("RSA with PSS")
struct PSSTests {
  typealias PrivateKey = RSA.Signing.PrivateKey
  typealias PublicKey = RSA.Signing.PublicKey
  typealias Signature = RSA.Signing.RSASignature

  /// Source: Project Wycheproof, and Python's integers judged by cryptography (`rsa-pss.py`).
  @Test(
    "Signatures are valid only with the right encoding and salt, and a given salt makes Python's",
    arguments: try VectorTable(named: "rsa-pss.txt").records)
  func signatures(_ vector: VectorRecord) throws {
    let key = try PublicKey(derRepresentation: vector.hexadecimal("key"))
    let messages = try vector.texts("message").map { try Hexadecimal.decode($0) }
    let signatures = try vector.texts("signature").map { try Hexadecimal.decode($0) }
    let (tests, verdicts) = try (vector.texts("test"), vector.texts("valid"))
    try #require(!tests.isEmpty && messages.count == tests.count && verdicts.count == tests.count)
    let isSHA256 = try vector.text("hash") == "sha256"
    for (index, test) in tests.enumerated() {
      let signature = Signature(rawRepresentation: signatures[index])
      let isValid =
        isSHA256
        ? key.isValidSignature(signature, for: messages[index], padding: .PSS)
        : key.isValidSignature(
          signature, for: SHA512.hash(data: messages[index]), padding: .PSS)
      #expect(isValid == (verdicts[index] == "yes"), "\(test)")
    }
    guard try vector.optionalText("private") != nil else { return }
    let privateKey = try PrivateKey(derRepresentation: vector.hexadecimal("private"))
    let salt = try vector.hexadecimal("salt")
    let made =
      try isSHA256
      ? privateKey.pssSignature(SHA256.self, SHA256.hash(data: messages[0]), salt: salt)
      : privateKey.pssSignature(SHA512.self, SHA512.hash(data: messages[0]), salt: salt)
    #expect(made.rawRepresentation == signatures[0])
  }

  @Test("Each signature has another salt, and is valid for its digest and padding only")
  func randomSalts() throws {
    let key = try RSATests.key()
    let digest = SHA512.hash(data: [1, 2, 3])
    let (first, second) = try (
      key.signature(for: digest, padding: .PSS), key.signature(for: digest, padding: .PSS)
    )
    #expect(first != second)
    for signature in [first, second] {
      #expect(key.publicKey.isValidSignature(signature, for: digest, padding: .PSS))
      #expect(!key.publicKey.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5))
      #expect(!key.publicKey.isValidSignature(signature, for: [1, 2, 3], padding: .PSS))
      #expect(
        !key.publicKey.isValidSignature(signature, for: SHA512.hash(data: [1, 2]), padding: .PSS))
    }
    let short = try key.signature(for: [1, 2, 3], padding: .PSS)
    #expect(key.publicKey.isValidSignature(short, for: [1, 2, 3], padding: .PSS))
    #expect(!key.publicKey.isValidSignature(short, for: digest, padding: .PSS))
    #expect(
      !key.publicKey.isValidSignature(short, for: [1, 2, 3], padding: .insecurePKCS1v1_5))
  }

  @Test("With PKCS #1 v1.5, a SHA-512 digest is rejected")
  func otherPadding() throws {
    let key = try RSATests.key()
    let digest = SHA512.hash(data: [1, 2, 3])
    #expect(throws: RSA.SigningError(code: .unsupportedDigest)) {
      try key.signature(for: digest, padding: .insecurePKCS1v1_5)
    }
  }

  @Test("A salt has the digest's size, from as many random words")
  func salts() {
    var next: UInt64 = 0
    let salt = PSSPadding<SHA512>.salt {
      next += 1
      return next << 56 | next
    }
    #expect(next == 8 && salt.count == 64)
    #expect(salt.prefix(9) == [1, 0, 0, 0, 0, 0, 0, 1, 2])
  }

  /// RFC 4055, 1.2 and 3.1, with the identifiers as OpenSSL's `genpkey -algorithm RSA-PSS` writes
  /// them.
  @Test("Keys for PSS are read, unless they're limited to another hash function or salt")
  func keys() throws {
    let key = try RSATests.key()
    let identifier: [UInt8] = [6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 10]
    let parameters = try Hexadecimal.decode(
      "3034a00f300d06096086480165030402030500a11c301a06092a864886f70d010108300d060960864801650304020"
        + "30500a203020140")
    var other = parameters
    other[other.count - 1] = 32
    for (algorithm, isRead) in [
      (identifier, true), (identifier + parameters, true), (identifier + other, false),
      // Without [2], of 5 bytes, the salt has at least 20.
      (identifier + [0x30, 0x2F] + parameters[2...].dropLast(5), true),
      (identifier + [5, 0], false),
    ] {
      let label = DER.value(DER.sequence, algorithm)
      let privateDER = DER.value(
        DER.sequence,
        [DER.integer, 1, 0] + label + DER.value(DER.octetString, key.derRepresentation))
      let publicDER = DER.value(
        DER.sequence,
        label + DER.value(DER.bitString, [0] + key.publicKey.pkcs1DERRepresentation))
      let read = try? PrivateKey(derRepresentation: privateDER)
      #expect(read?.derRepresentation == (isRead ? key.derRepresentation : nil))
      #expect((try? PublicKey(derRepresentation: publicDER)) == (isRead ? key.publicKey : nil))
      // CloudFront and certificates sign with PKCS #1 v1.5, for which these keys aren't.
      let text = PEM.text(of: publicDER, label: "PUBLIC KEY")
      let error = #expect(throws: KeyDecodingError.self) {
        try X509PublicKey(pemRepresentation: text)
      }
      #expect(error?.problem == "This is an RSASSA-PSS public key, not an RSA or P-256 public key.")
    }
  }

  /// Source: RFC 9421, B.1.1, the key `test-key-rsa`, whose primes have 1,088 and 960 bits. These
  /// numbers have the same sizes, and aren't primes.
  @Test("A private key whose primes have different sizes is named")
  func unequalPrimes() throws {
    func number(_ byteCount: Int) -> [UInt8] {
      [0x80] + [UInt8](repeating: 0, count: byteCount - 2) + [1]
    }
    let modulus = [0xC0] + [UInt8](repeating: 0, count: 254) + [1]
    let numbers: [[UInt8]] = [modulus, [1, 0, 1], [1], number(136), number(120), [1], [1], [1]]
    let der = DER.value(
      DER.sequence, [DER.integer, 1, 0] + numbers.flatMap { DER.unsignedInteger($0) })
    let error = #expect(throws: KeyDecodingError.self) { try PrivateKey(derRepresentation: der) }
    #expect(error?.code == .unsupportedPrimes)
    #expect(error?.problem.contains("1088 and 960 bits") == true)
    // A product can have one bit less than its factors.
    let longer = [1] + [UInt8](repeating: 0, count: 135) + [1]
    let others = [modulus, [1, 0, 1], [1], longer, number(120), [1], [1], [1]]
    let second = DER.value(
      DER.sequence, [DER.integer, 1, 0] + others.flatMap { DER.unsignedInteger($0) })
    let other = #expect(throws: KeyDecodingError.self) { try PrivateKey(derRepresentation: second) }
    #expect(other?.problem.contains("1089 and 960 bits") == true)
  }
}
