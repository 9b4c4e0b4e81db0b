// SPDX-License-Identifier: Apache-2.0
// RSA of this package, compared with OpenSSL's: RSA_sign(3) and RSA_verify(3), with keys that
// OpenSSL generates.

internal import BenchmarkSupport
internal import DigitalSignatures
internal import SecureHashing

enum RSATrials {
  /// Signing and verification of a digest with each size of keys.
  static func trials(
    _ library: OpenSSLLibrary, _ digest: SHA256.Digest
  ) throws -> [Trial] {
    try [2_048, 3_072, 4_096].flatMap { size in
      let peer = try OpenSSLRSA(library, size: size)
      let key = try RSA.Signing.PrivateKey(derRepresentation: peer.encoded)
      return try [signing(size, digest, key, peer), verifying(size, digest, key, peer)]
        + pssTrials(library, size, key)
    }
  }

  /// The same with PSS and SHA-512.
  private static func pssTrials(
    _ library: OpenSSLLibrary, _ size: Int, _ key: RSA.Signing.PrivateKey
  ) throws -> [Trial] {
    let digest = SHA512.hash(data: "sample".utf8)
    let bytes = Array(digest)
    let peer = try OpenSSLKey(library, rsa: key.derRepresentation)
    let publicKey = key.publicKey
    let signature = try key.signature(for: digest, padding: .PSS)
    let memory = SignatureMemory()
    let isRight: ([UInt8]) -> [UInt8] = { bytes in
      let signature = RSA.Signing.RSASignature(rawRepresentation: bytes)
      return [publicKey.isValidSignature(signature, for: digest, padding: .PSS) ? 1 : 0]
    }
    let ours = Contender(
      name: "swift-sigv4",
      run: {
        for _ in 0..<$0 {
          memory.bytes = (try? key.signature(for: digest, padding: .PSS))?.rawRepresentation ?? []
        }
      }, output: { isRight(memory.bytes) })
    let theirs = Contender(
      name: "openssl", run: { for _ in 0..<$0 { peer.sign(bytes) } },
      output: { isRight(peer.signature) })
    return [
      Trial(
        operation: "rsa-\(size)-pss-sign", bytes: 64, messages: 1, baseline: "openssl",
        contenders: [ours, theirs], expected: [1], figures: .operations,
        remark: "of a SHA-512 digest, blinded; ours checked before it leaves"),
      EdwardsTrials.trial(
        "rsa-\(size)-pss-verify", bytes: 64, remark: "of a SHA-512 digest, e = 65537",
        { publicKey.isValidSignature(signature, for: digest, padding: .PSS) },
        { peer.verify(signature.rawRepresentation, bytes) }),
    ]
  }

  private static func signing(
    _ size: Int, _ digest: SHA256.Digest, _ key: RSA.Signing.PrivateKey, _ peer: OpenSSLRSA
  ) throws -> Trial {
    let memory = SignatureMemory()
    let expected = try key.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation
    let ours = Contender(
      name: "swift-sigv4",
      run: {
        for _ in 0..<$0 {
          let signature = try? key.signature(for: digest, padding: .insecurePKCS1v1_5)
          memory.bytes = signature?.rawRepresentation ?? []
        }
      }, output: { memory.bytes })
    let theirs = Contender(
      name: "openssl", run: { for _ in 0..<$0 { peer.sign(digest) } }, output: { peer.signature })
    return Trial(
      operation: "rsa-\(size)-sign", bytes: 32, messages: 1, baseline: "openssl",
      contenders: [ours, theirs], expected: expected, figures: .operations,
      remark: "of a digest, blinded; ours checked before it leaves")
  }

  private static func verifying(
    _ size: Int, _ digest: SHA256.Digest, _ key: RSA.Signing.PrivateKey, _ peer: OpenSSLRSA
  ) throws -> Trial {
    let signature = try key.signature(for: digest, padding: .insecurePKCS1v1_5)
    let publicKey = key.publicKey
    let result = SignatureMemory()
    func contender(_ name: String, _ verify: @escaping () -> Bool) -> Contender {
      Contender(
        name: name, run: { for _ in 0..<$0 { result.bytes = [verify() ? 1 : 0] } },
        output: { result.bytes })
    }
    return Trial(
      operation: "rsa-\(size)-verify", bytes: 32, messages: 1, baseline: "openssl",
      contenders: [
        contender("swift-sigv4") {
          publicKey.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5)
        },
        contender("openssl") { peer.verify(signature.rawRepresentation, digest) },
      ], expected: [1], figures: .operations, remark: "of a digest, e = 65537")
  }
}

/// A key in OpenSSL's memory.
@safe
final class OpenSSLRSA {
  typealias Make = @convention(c) () -> OpaquePointer?
  typealias Free = @convention(c) (OpaquePointer?) -> Void
  typealias SetWord = @convention(c) (OpaquePointer?, CUnsignedLong) -> CInt
  typealias Generate =
    @convention(c) (OpaquePointer?, CInt, OpaquePointer?, OpaquePointer?) -> CInt
  typealias Write =
    @convention(c) (OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> CInt
  typealias Sign =
    @convention(c) (
      CInt, UnsafeRawPointer?, CUnsignedInt, UnsafeMutableRawPointer?,
      UnsafeMutablePointer<CUnsignedInt>, OpaquePointer?
    ) -> CInt
  typealias Verify =
    @convention(c) (
      CInt, UnsafeRawPointer?, CUnsignedInt, UnsafeRawPointer?, CUnsignedInt, OpaquePointer?
    ) -> CInt

  private let signDigest: Sign
  private let verifyDigest: Verify
  private let free: Free
  private let key: OpaquePointer?
  private var memory: [UInt8]
  private var count: CUnsignedInt = 0

  /// The key as PKCS #1 has it.
  let encoded: [UInt8]

  /// Makes a key.
  init(_ library: OpenSSLLibrary, size: Int) throws(OpenSSLLibrary.MissingFunction) {
    // Safety: the types match the manual pages.
    unsafe signDigest = try library.function("RSA_sign")
    unsafe verifyDigest = try library.function("RSA_verify")
    unsafe free = try library.function("RSA_free")
    let make: Make = unsafe try library.function("RSA_new")
    let generate: Generate = unsafe try library.function("RSA_generate_key_ex")
    let makeNumber: Make = unsafe try library.function("BN_new")
    let freeNumber: Free = unsafe try library.function("BN_free")
    let setWord: SetWord = unsafe try library.function("BN_set_word")
    let write: Write = unsafe try library.function("i2d_RSAPrivateKey")
    memory = [UInt8](repeating: 0, count: size / 8)
    let key = unsafe make()
    let exponent = unsafe makeNumber()
    _ = unsafe setWord(exponent, 65_537)
    _ = unsafe generate(key, CInt(size), exponent, nil)
    unsafe freeNumber(exponent)
    var bytes = [UInt8](repeating: 0, count: Int(unsafe write(key, nil)))
    unsafe bytes.withUnsafeMutableBufferPointer { bytes in
      var start = bytes.baseAddress
      _ = unsafe write(key, &start)
    }
    encoded = bytes
    unsafe self.key = unsafe key
  }

  deinit {
    // Safety: the key is not used any more.
    unsafe free(key)
  }

  /// The last signature.
  var signature: [UInt8] { Array(memory.prefix(Int(count))) }

  /// NID_sha256 of obj_mac.h.
  private static let sha256: CInt = 672

  func sign(_ digest: SHA256.Digest) {
    // Safety: a signature is as long as the modulus.
    unsafe digest.withUnsafeBytes { digest in
      _ = unsafe signDigest(Self.sha256, digest.baseAddress, 32, &memory, &count, key)
    }
  }

  func verify(_ signature: [UInt8], _ digest: SHA256.Digest) -> Bool {
    // Safety: both are valid during the call.
    unsafe digest.withUnsafeBytes { digest in
      unsafe verifyDigest(
        Self.sha256, digest.baseAddress, 32, signature, CUnsignedInt(signature.count), key) == 1
    }
  }
}
