// SPDX-License-Identifier: Apache-2.0
// OpenSSL's signatures as its pages recommend them: an EVP_PKEY, with a context that is prepared once.

internal import BenchmarkSupport

/// A private key in OpenSSL's memory: Ed25519, or RSA for PSS with SHA-512.
@safe
final class OpenSSLKey {
  typealias Bytes = UnsafePointer<UInt8>?
  typealias Read =
    @convention(c) (OpaquePointer?, UnsafeMutablePointer<Bytes>, Int) -> OpaquePointer?
  typealias ReadRaw = @convention(c) (CInt, OpaquePointer?, Bytes, Int) -> OpaquePointer?
  typealias Free = @convention(c) (OpaquePointer?) -> Void
  typealias Make = @convention(c) () -> OpaquePointer?
  typealias MakeContext = @convention(c) (OpaquePointer?, OpaquePointer?) -> OpaquePointer?
  typealias Begin = @convention(c) (OpaquePointer?) -> CInt
  typealias BeginDigest =
    @convention(c) (
      OpaquePointer?, OpaquePointer?, OpaquePointer?, OpaquePointer?, OpaquePointer?
    ) -> CInt
  typealias SetNumber = @convention(c) (OpaquePointer?, CInt) -> CInt
  typealias SetDigest = @convention(c) (OpaquePointer?, OpaquePointer?) -> CInt
  typealias Sign =
    @convention(c) (
      OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>, Bytes, Int
    ) -> CInt
  typealias Verify = @convention(c) (OpaquePointer?, Bytes, Int, Bytes, Int) -> CInt

  private let signBytes: Sign
  private let verifyBytes: Verify
  private let readRaw: ReadRaw
  private let free: Free
  private let freeContext: Free
  private let key: OpaquePointer?
  private let signing: OpaquePointer?
  private let verifying: OpaquePointer?
  private var memory = [UInt8](repeating: 0, count: 512)
  private var count = 0

  /// NID_ED25519 of obj_mac.h.
  private static let ed25519: CInt = 1_087
  /// RSA_PKCS1_PSS_PADDING and RSA_PSS_SALTLEN_DIGEST of rsa.h.
  private static let pss: (padding: CInt, salt: CInt) = (6, -1)

  /// Reads an Ed25519 key in PKCS #8, to sign messages.
  init(_ library: OpenSSLLibrary, ed25519 der: [UInt8]) throws(OpenSSLLibrary.MissingFunction) {
    // Safety, below: the types match the manual pages.
    unsafe signBytes = try library.function("EVP_DigestSign")
    unsafe verifyBytes = try library.function("EVP_DigestVerify")
    unsafe readRaw = try library.function("EVP_PKEY_new_raw_private_key")
    unsafe free = try library.function("EVP_PKEY_free")
    unsafe freeContext = try library.function("EVP_MD_CTX_free")
    let make: Make = unsafe try library.function("EVP_MD_CTX_new")
    let beginSigning: BeginDigest = unsafe try library.function("EVP_DigestSignInit")
    let beginVerifying: BeginDigest = unsafe try library.function("EVP_DigestVerifyInit")
    unsafe (key, signing, verifying) = unsafe (try Self.read(library, der), make(), make())
    _ = unsafe beginSigning(signing, nil, nil, nil, key)
    _ = unsafe beginVerifying(verifying, nil, nil, nil, key)
  }

  /// Reads an RSA key in PKCS #1, to sign SHA-512 digests.
  init(_ library: OpenSSLLibrary, rsa der: [UInt8]) throws(OpenSSLLibrary.MissingFunction) {
    unsafe signBytes = try library.function("EVP_PKEY_sign")
    unsafe verifyBytes = try library.function("EVP_PKEY_verify")
    unsafe readRaw = try library.function("EVP_PKEY_new_raw_private_key")
    unsafe free = try library.function("EVP_PKEY_free")
    unsafe freeContext = try library.function("EVP_PKEY_CTX_free")
    let make: MakeContext = unsafe try library.function("EVP_PKEY_CTX_new")
    let beginSigning: Begin = unsafe try library.function("EVP_PKEY_sign_init")
    let beginVerifying: Begin = unsafe try library.function("EVP_PKEY_verify_init")
    let setPadding: SetNumber = unsafe try library.function("EVP_PKEY_CTX_set_rsa_padding")
    let setSalt: SetNumber = unsafe try library.function("EVP_PKEY_CTX_set_rsa_pss_saltlen")
    let setDigest: SetDigest = unsafe try library.function("EVP_PKEY_CTX_set_signature_md")
    let sha512: Make = unsafe try library.function("EVP_sha512")
    unsafe key = unsafe try Self.read(library, der)
    unsafe (signing, verifying) = unsafe (make(key, nil), make(key, nil))
    _ = unsafe (beginSigning(signing), beginVerifying(verifying))
    func choosePSS(_ context: OpaquePointer?) {
      _ = unsafe setPadding(context, Self.pss.padding)
      _ = unsafe setDigest(context, sha512())
      _ = unsafe setSalt(context, Self.pss.salt)
    }
    unsafe choosePSS(signing)
    unsafe choosePSS(verifying)
  }

  private static func read(
    _ library: OpenSSLLibrary, _ der: [UInt8]
  ) throws(OpenSSLLibrary.MissingFunction) -> OpaquePointer? {
    let read: Read = unsafe try library.function("d2i_AutoPrivateKey")
    return unsafe der.withUnsafeBufferPointer { bytes in
      var start = bytes.baseAddress
      return unsafe read(nil, &start, bytes.count)
    }
  }

  deinit {
    // Safety: none of them is used any more.
    unsafe freeContext(signing)
    unsafe freeContext(verifying)
    unsafe free(key)
  }

  /// The last signature.
  var signature: [UInt8] { Array(memory.prefix(count)) }

  /// Signs a message, or with RSA a digest.
  func sign(_ bytes: [UInt8]) {
    count = memory.count
    // Safety: a signature has 512 bytes at most.
    _ = unsafe signBytes(signing, &memory, &count, bytes, bytes.count)
  }

  func verify(_ signature: [UInt8], _ bytes: [UInt8]) -> Bool {
    // Safety: both are valid during the call.
    unsafe verifyBytes(verifying, signature, signature.count, bytes, bytes.count) == 1
  }

  /// Makes an Ed25519 key of a seed, and releases it.
  func makeKey(_ seed: [UInt8]) -> Bool {
    // Safety: the seed is valid during the call.
    let made = unsafe readRaw(Self.ed25519, nil, seed, seed.count)
    unsafe free(made)
    return unsafe made != nil
  }
}
