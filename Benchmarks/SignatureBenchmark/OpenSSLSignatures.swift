// SPDX-License-Identifier: Apache-2.0
// OpenSSL's ECDSA in its fastest form: an EC_KEY with ECDSA_sign(3) and ECDSA_verify(3).

internal import BenchmarkSupport
internal import DigitalSignatures
internal import SecureHashing

/// A key in OpenSSL's memory.
@safe
final class OpenSSLSignatures {
  typealias Read =
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int
    ) -> OpaquePointer?
  typealias Free = @convention(c) (OpaquePointer?) -> Void
  typealias Sign =
    @convention(c) (
      CInt, UnsafeRawPointer?, CInt, UnsafeMutableRawPointer?, UnsafeMutablePointer<CUnsignedInt>,
      OpaquePointer?
    ) -> CInt
  typealias Verify =
    @convention(c) (CInt, UnsafeRawPointer?, CInt, UnsafeRawPointer?, CInt, OpaquePointer?) -> CInt

  private let signDigest: Sign
  private let verifyDigest: Verify
  private let free: Free
  private let key: OpaquePointer?
  private var memory = [UInt8](repeating: 0, count: 128)
  private var count: CUnsignedInt = 0

  /// Reads the key as an ECPrivateKey of RFC 5915.
  init(
    _ library: OpenSSLLibrary, _ key: P256.Signing.PrivateKey
  ) throws(OpenSSLLibrary.MissingFunction) {
    // Safety: the types match the manual pages.
    unsafe signDigest = try library.function("ECDSA_sign")
    unsafe verifyDigest = try library.function("ECDSA_verify")
    unsafe free = try library.function("EC_KEY_free")
    let read: Read = unsafe try library.function("d2i_ECPrivateKey")
    let curve: [UInt8] = [
      0xA0, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07,
    ]
    let encoded =
      [0x30, 0x31, 0x02, 0x01, 0x01, 0x04, 0x20] + key.rawRepresentation + curve
    // Safety: the key is copied before the closure ends.
    unsafe self.key = encoded.withUnsafeBufferPointer { bytes in
      var start = bytes.baseAddress
      return unsafe read(nil, &start, bytes.count)
    }
  }

  deinit {
    // Safety: the key is not used any more.
    unsafe free(key)
  }

  /// The last signature.
  var signature: [UInt8] { Array(memory.prefix(Int(count))) }

  func sign(_ digest: SHA256.Digest) {
    // Safety: a signature has 72 bytes at most.
    unsafe digest.withUnsafeBytes { digest in
      _ = unsafe signDigest(0, digest.baseAddress, 32, &memory, &count, key)
    }
  }

  func verify(_ signature: [UInt8], _ digest: SHA256.Digest) -> Bool {
    // Safety: both are valid during the call.
    unsafe digest.withUnsafeBytes { digest in
      unsafe verifyDigest(
        0, digest.baseAddress, 32, signature, CInt(truncatingIfNeeded: signature.count), key) == 1
    }
  }
}
