// SPDX-License-Identifier: Apache-2.0
// SHA-2 and HMAC of CryptoSwift as C functions: `hashing-benchmark --with-cryptoswift` builds it.

import CryptoSwift

/// CryptoSwift takes arrays, so the message is copied into one.
private func array(_ bytes: UnsafeRawPointer?, _ byteCount: Int) -> [UInt8] {
  Array(UnsafeRawBufferPointer(start: bytes, count: byteCount))
}

/// Writes the SHA-256 hash of a message.
@_cdecl("peer_sha256")
public func peerSHA256(
  _ message: UnsafeRawPointer?, _ byteCount: Int, _ output: UnsafeMutableRawPointer
) {
  UnsafeMutableRawBufferPointer(start: output, count: 32)
    .copyBytes(from: Digest.sha256(array(message, byteCount)))
}

/// Writes the SHA-512 hash of a message.
@_cdecl("peer_sha512")
public func peerSHA512(
  _ message: UnsafeRawPointer?, _ byteCount: Int, _ output: UnsafeMutableRawPointer
) {
  UnsafeMutableRawBufferPointer(start: output, count: 64)
    .copyBytes(from: Digest.sha512(array(message, byteCount)))
}

private final class PreparedKey {
  let code: HMAC

  init(_ key: [UInt8]) {
    code = HMAC(key: key, variant: .sha2(.sha256))
  }
}

/// Prepares a key, which is never released.
@_cdecl("peer_key")
public func peerKey(_ key: UnsafeRawPointer?, _ byteCount: Int) -> UnsafeMutableRawPointer {
  Unmanaged.passRetained(PreparedKey(array(key, byteCount))).toOpaque()
}

/// Writes the HMAC-SHA-256 code of a message.
@_cdecl("peer_hmac_sha256")
public func peerHMACSHA256(
  _ key: UnsafeRawPointer, _ message: UnsafeRawPointer?, _ byteCount: Int,
  _ output: UnsafeMutableRawPointer
) {
  let code = Unmanaged<PreparedKey>.fromOpaque(key).takeUnretainedValue().code
  guard let bytes = try? code.authenticate(array(message, byteCount)) else { return }
  UnsafeMutableRawBufferPointer(start: output, count: 32).copyBytes(from: bytes)
}
