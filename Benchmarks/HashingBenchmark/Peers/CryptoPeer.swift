// SPDX-License-Identifier: Apache-2.0
// SHA-2 and HMAC of swift-crypto as C functions: `hashing-benchmark --with-swift-crypto` builds it.

import Crypto
import Foundation

/// Writes the SHA-256 hash of a message.
@_cdecl("peer_sha256")
public func peerSHA256(
  _ message: UnsafeRawPointer?, _ byteCount: Int, _ output: UnsafeMutableRawPointer
) {
  write(SHA256(), message, byteCount, output)
}

/// Writes the SHA-512 hash of a message.
@_cdecl("peer_sha512")
public func peerSHA512(
  _ message: UnsafeRawPointer?, _ byteCount: Int, _ output: UnsafeMutableRawPointer
) {
  write(SHA512(), message, byteCount, output)
}

@inline(__always)
private func write<Function: HashFunction>(
  _ start: Function, _ message: UnsafeRawPointer?, _ byteCount: Int,
  _ output: UnsafeMutableRawPointer
) {
  var hash = start
  hash.update(bufferPointer: UnsafeRawBufferPointer(start: message, count: byteCount))
  hash.finalize().withUnsafeBytes {
    UnsafeMutableRawBufferPointer(start: output, count: $0.count).copyMemory(from: $0)
  }
}

/// A computation that has begun once and is copied for each message.
private final class PreparedKey {
  let start: HMAC<SHA256>

  init(_ key: UnsafeRawBufferPointer) {
    start = HMAC<SHA256>(key: SymmetricKey(data: key))
  }
}

/// Prepares a key, which is never released.
@_cdecl("peer_key")
public func peerKey(_ key: UnsafeRawPointer?, _ byteCount: Int) -> UnsafeMutableRawPointer {
  let key = PreparedKey(UnsafeRawBufferPointer(start: key, count: byteCount))
  return Unmanaged.passRetained(key).toOpaque()
}

/// Writes the HMAC-SHA-256 code of a message.
@_cdecl("peer_hmac_sha256")
public func peerHMACSHA256(
  _ key: UnsafeRawPointer, _ message: UnsafeRawPointer?, _ byteCount: Int,
  _ output: UnsafeMutableRawPointer
) {
  var computation = Unmanaged<PreparedKey>.fromOpaque(key).takeUnretainedValue().start
  computation.update(data: UnsafeRawBufferPointer(start: message, count: byteCount))
  computation.finalize().withUnsafeBytes {
    UnsafeMutableRawBufferPointer(start: output, count: 32).copyMemory(from: $0)
  }
}
