// SPDX-License-Identifier: Apache-2.0
// SHA-256 for callers in C and JavaScript; it uses no heap.

import SecureHashing

/// Writes the 32 bytes of the digest of a message to `digest`.
@c(sha256)
public func sha256(
  _ message: UnsafePointer<UInt8>?, _ byteCount: Int, _ digest: UnsafeMutablePointer<UInt8>
) {
  let message = UnsafeRawBufferPointer(start: message, count: byteCount)
  SHA256.hash(bufferPointer: message).withUnsafeBytes { bytes in
    guard let start = bytes.baseAddress else { return }
    UnsafeMutableRawPointer(digest).copyMemory(from: start, byteCount: bytes.count)
  }
}
