// SPDX-License-Identifier: Apache-2.0
// The page docs/how-to/from-cryptokit.md: its code, and its lists of similarities and differences.

internal import Checksums
internal import DigitalSignatures
internal import Foundation
internal import SecureHashing
internal import SigningTestSupport
internal import TestSupport
internal import Testing

func isAuthentic(_ message: [UInt8], _ code: [UInt8], _ secret: [UInt8]) -> Bool {
  let key = SymmetricKey(data: secret)
  return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: message, using: key)
}

func digest(of file: FileHandle) throws -> SHA256.Digest {
  var hasher = SHA256()
  while let data = try file.read(upToCount: 65_536), !data.isEmpty {
    hasher.update(data: data)
  }
  return hasher.finalize()
}

func digests(of messages: [[UInt8]]) -> [SHA256.Digest] {
  SHA256.hashBatch(messages)
}

func codes(for messages: [[UInt8]], using key: SymmetricKey) -> [HMAC<SHA256>.MAC] {
  let prepared = HMAC<SHA256>.PreparedKey(key)
  return HMAC<SHA256>.authenticationCodeBatch(for: messages, using: prepared)
}

@Suite("How to come from CryptoKit")
struct FromCryptoKitHowToTests {
  static let page = "from-cryptokit.md"

  /// FIPS 180-4, the one-block example; RFC 4231, test case 2.
  let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
  let jefe = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"

  @Test("The code on the page compiles, and returns the published digest and code")
  func code() throws {
    try HowToPage(Self.page).expectCode(in: #filePath, count: 18)
    let message = Array("what do ya want for nothing?".utf8)
    let (code, secret) = (try Hexadecimal.decode(jefe), Array("Jefe".utf8))
    #expect(isAuthentic(message, code, secret))
    #expect(!isAuthentic(message + [0], code, secret))
    #expect(digests(of: [Array("abc".utf8)]).map(\.hexString) == [abc])
    let pipe = ProgramStart.alone { Pipe() }
    try pipe.fileHandleForWriting.write(contentsOf: Data("abc".utf8))
    try pipe.fileHandleForWriting.close()
    #expect(try digest(of: pipe.fileHandleForReading).hexString == abc)
    let batch = codes(for: [message, [], message], using: SymmetricKey(data: secret))
    #expect(batch.map { $0.hexString }[0] == jefe && batch[2] == batch[0] && batch[1] != batch[0])
  }

  /// Every call in the table's last column, with CryptoKit's labels.
  @Test("The calls that the page names as the same compile")
  func same() throws {
    func digest<H: HashFunction>(_ function: H.Type, _ data: [UInt8]) -> [[UInt8]] {
      var hasher = H()
      hasher.update(data: data)
      unsafe data.withUnsafeBytes { unsafe hasher.update(bufferPointer: $0) }
      #expect(H.blockByteCount >= 64)
      return [Array(hasher.finalize()), Array(H.hash(data: data + data))]
    }
    let data: [UInt8] = [1, 2, 3]
    for digests in [
      digest(SHA256.self, data), digest(SHA384.self, data), digest(SHA512.self, data),
      digest(Insecure.MD5.self, data),
    ] { #expect(digests[0] == digests[1]) }

    let key = SymmetricKey(size: .bits256)
    let copy = unsafe key.withUnsafeBytes { unsafe SymmetricKey(data: Array($0)) }
    #expect(copy == key && key.bitCount == 256)
    var hmac = HMAC<SHA256>(key: key)
    hmac.update(data: data)
    let code = HMAC<SHA256>.authenticationCode(for: data, using: key)
    #expect(hmac.finalize() == code)

    let privateKey = P256.Signing.PrivateKey()
    let publicKey: P256.Signing.PublicKey = privateKey.publicKey
    let signature: P256.Signing.ECDSASignature = privateKey.signature(for: data)
    #expect(publicKey.isValidSignature(signature, for: data))
    for copy in try [
      P256.Signing.PrivateKey(rawRepresentation: privateKey.rawRepresentation),
      P256.Signing.PrivateKey(x963Representation: privateKey.x963Representation),
      P256.Signing.PrivateKey(derRepresentation: privateKey.derRepresentation),
      P256.Signing.PrivateKey(pemRepresentation: privateKey.pemRepresentation),
    ] { #expect(copy.publicKey == publicKey) }

    let curveKey = Curve25519.Signing.PrivateKey()
    let curvePublicKey: Curve25519.Signing.PublicKey = curveKey.publicKey
    #expect(curvePublicKey.isValidSignature(curveKey.signature(for: data), for: data))
    let curveCopy = try Curve25519.Signing.PrivateKey(rawRepresentation: curveKey.rawRepresentation)
    #expect(curveCopy.publicKey == curvePublicKey)

    let file = try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8)
    let rows = try HowToPage(Self.page, section: "What's the same").lines
      .filter { $0.hasPrefix("| `") }
    #expect(rows.count == 7)
    for call in rows.flatMap({ $0.matches(of: /`(\w+)\(([\w:]*)\)`/) }) {
      // An initializer is called by the type's name, and a closure follows withUnsafeBytes.
      let isCalled = file.contains("\(call.1)(") || file.contains(".\(call.1) {")
      #expect(call.1 == "init" || isCalled, "\(call.0)")
      for label in call.2.split(separator: ":") where label != "_" {
        #expect(file.contains("\(label): "), "\(call.0)")
      }
    }
  }

  @Test("The page's differences match the library")
  func different() throws {
    #expect(SymmetricKey(size: .bits192).bitCount == 192)
    func count(_ bytes: some Collection<UInt8>) -> Int { bytes.count }
    let digest: SHA256.Digest = SHA256.hash(data: "abc".utf8)
    let bytes = Array("abc".utf8)
    #expect(SHA256.hash(data: bytes.span) == digest && count(digest) == 32)
    #expect(digest.hexString == abc)
    #expect(try SHA256.Digest(hexString: abc) == digest)
    #expect(SHA256.Digest(bytes: Array(digest)) == digest)
    #expect(SHA256.Digest(bytes: Array(digest.dropLast())) == nil)

    let vector = try #require(try VectorTable(named: "p256-keys.txt").records.last)
    let key = try P256.Signing.PrivateKey(pemRepresentation: vector.text("pem"))
    let raw: [UInt8] = key.signature(for: bytes).rawRepresentation
    #expect(raw == key.signature(for: digest).rawRepresentation)
    let error = #expect(throws: KeyDecodingError.self) {
      try P256.Signing.PublicKey(rawRepresentation: [1])
    }
    #expect(error?.problem.isEmpty == false && error?.fix.isEmpty == false)
  }
}
