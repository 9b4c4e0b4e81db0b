// SPDX-License-Identifier: Apache-2.0
// SHA-256 and HMAC of CryptoKit, on Apple's systems.

#if canImport(CryptoKit)
  internal import CryptoKit
  internal import Foundation

  struct CryptoKitDigest: MessageFunction {
    @inline(__always)
    func compute(_ message: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer) {
      // Safety: a digest is 32 bytes long, like the output.
      let digest = unsafe SHA256.hash(bufferPointer: message)
      unsafe digest.withUnsafeBytes { bytes in
        unsafe UnsafeMutableRawBufferPointer(start: output, count: 32).copyMemory(from: bytes)
      }
    }
  }

  /// HMAC with a computation that has begun once and is copied for each message.
  struct CryptoKitCode: MessageFunction {
    private let start: HMAC<SHA256>

    init(_ key: [UInt8]) {
      start = HMAC<SHA256>(key: SymmetricKey(data: key))
    }

    @inline(__always)
    func compute(_ message: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer) {
      // Safety: a code is 32 bytes long, like the output.
      var computation = start
      unsafe computation.update(data: message)
      unsafe computation.finalize().withUnsafeBytes { bytes in
        unsafe UnsafeMutableRawBufferPointer(start: output, count: 32).copyMemory(from: bytes)
      }
    }
  }
#endif
