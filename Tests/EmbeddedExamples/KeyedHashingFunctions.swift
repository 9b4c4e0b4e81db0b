// SPDX-License-Identifier: Apache-2.0
// HMAC-SHA-256 for callers in C and JavaScript; it uses no heap.

import SecureHashing

/// Writes the 32 bytes of the code of a message under a key to `code`.
@c(hmac_sha256)
public func hmacSHA256(
  _ key: UnsafePointer<UInt8>?, _ keyByteCount: Int,
  _ message: UnsafePointer<UInt8>?, _ byteCount: Int, _ code: UnsafeMutablePointer<UInt8>
) {
  var computation = HMAC<SHA256>(
    keyBytes: UnsafeRawBufferPointer(start: key, count: keyByteCount))
  computation.update(bufferPointer: UnsafeRawBufferPointer(start: message, count: byteCount))
  computation.finalize().withUnsafeBytes { bytes in
    guard let start = bytes.baseAddress else { return }
    UnsafeMutableRawPointer(code).copyMemory(from: start, byteCount: bytes.count)
  }
}
