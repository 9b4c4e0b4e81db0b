// SPDX-License-Identifier: Apache-2.0
// This package's SHA-256 and HMAC, called as a user calls them.

internal import SecureHashing

/// The one-shot functions, with the implementation that the library chooses.
struct SwiftDigest: MessageFunction {
  @inline(__always)
  func compute(_ message: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer) {
    // Safety: there are 32 bytes of output.
    let digest = unsafe SHA256.hash(bufferPointer: message)
    unsafe output.storeBytes(of: digest, as: SHA256.Digest.self)
  }

  @inline(__always)
  func computePair(
    _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer,
    into output: UnsafeMutableRawPointer
  ) {
    // Safety: there are 64 bytes of output.
    let digests = unsafe SHA256.hashPair(first, second)
    unsafe output.storeBytes(of: digests.0, as: SHA256.Digest.self)
    unsafe output.storeBytes(of: digests.1, toByteOffset: 32, as: SHA256.Digest.self)
  }
}

/// SHA-256 with a certain implementation.
struct SwiftKernelDigest: MessageFunction {
  let implementation: SHA256.Implementation

  init(_ implementation: SHA256.Implementation) {
    self.implementation = implementation
  }

  @inline(__always)
  func compute(_ message: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer) {
    // Safety: there are 32 bytes of output.
    let digest = unsafe SHA256(implementation: implementation).finalize(appending: message)
    unsafe output.storeBytes(of: digest, as: SHA256.Digest.self)
  }

  @inline(__always)
  func computePair(
    _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer,
    into output: UnsafeMutableRawPointer
  ) {
    // Safety: there are 64 bytes of output.
    let empty = SHA256(implementation: implementation)
    let digests = unsafe SHA256.finalizePair(empty, appending: first, empty, appending: second)
    unsafe output.storeBytes(of: digests.0, as: SHA256.Digest.self)
    unsafe output.storeBytes(of: digests.1, toByteOffset: 32, as: SHA256.Digest.self)
  }
}

/// HMAC-SHA-256 with a key that was prepared once.
struct SwiftCode: MessageFunction {
  typealias Code = HMAC<SHA256>

  let key: Code.PreparedKey

  init(_ key: [UInt8], _ implementation: SHA256.Implementation) {
    self.key = Code.PreparedKey(SymmetricKey(data: key), implementation: implementation)
  }

  @inline(__always)
  func compute(_ message: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer) {
    // Safety: there are 32 bytes of output.
    let code = unsafe Code.authenticationCode(for: message, using: key)
    unsafe output.storeBytes(of: code, as: Code.MAC.self)
  }

  @inline(__always)
  func computePair(
    _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer,
    into output: UnsafeMutableRawPointer
  ) {
    // Safety: there are 64 bytes of output.
    let codes = unsafe Code.authenticationCodePair(for: first, second, using: key)
    unsafe output.storeBytes(of: codes.0, as: Code.MAC.self)
    unsafe output.storeBytes(of: codes.1, toByteOffset: 32, as: Code.MAC.self)
  }
}
