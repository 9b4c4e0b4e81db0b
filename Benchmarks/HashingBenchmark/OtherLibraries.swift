// SPDX-License-Identifier: Apache-2.0
// SHA-512 of OpenSSL, XXH64 and XXH3 of libxxhash, and the expected output.

internal import BenchmarkSupport
internal import Foundation

struct OpenSSLSHA512: MessageFunction {
  static var byteCount: Int { 64 }
  let digest: OpenSSLLowLevelDigest

  @inline(__always)
  func compute(_ message: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer) {
    // Safety: there are 64 bytes of output.
    unsafe digest.compute(message, into: output)
  }
}

/// The functions of xxhash.h.
@safe
struct XXHashLibrary {
  typealias Seeded = @convention(c) (UnsafeRawPointer?, Int, UInt64) -> UInt64
  typealias Plain = @convention(c) (UnsafeRawPointer?, Int) -> UInt64
  /// An XXH128_hash_t is two numbers of 64 bits, the lower half first, as an lldiv_t is.
  typealias Wide = @convention(c) (UnsafeRawPointer?, Int) -> lldiv_t

  let xxHash64: Seeded
  let xxHash3: Plain
  let xxHash128: Wide

  init?() {
    guard let library = SharedLibrary(["libxxhash.so.0", "libxxhash.0.dylib"]),
      let seeded: Seeded = unsafe library.function("XXH64"),
      let plain: Plain = unsafe library.function("XXH3_64bits"),
      let wide: Wide = unsafe library.function("XXH3_128bits")
    else { return nil }
    // Safety: the types match xxhash.h.
    unsafe (xxHash64, xxHash3, xxHash128) = unsafe (seeded, plain, wide)
  }
}

struct LibraryXXHash64: MessageFunction {
  static var byteCount: Int { 8 }
  let library: XXHashLibrary

  @inline(__always)
  func compute(_ message: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer) {
    // Safety: there are 8 bytes of output.
    let sum = unsafe library.xxHash64(message.baseAddress, message.count, 0)
    unsafe output.storeBytes(of: sum.bigEndian, as: UInt64.self)
  }
}

struct LibraryXXHash3: MessageFunction {
  static var byteCount: Int { 8 }
  let library: XXHashLibrary

  @inline(__always)
  func compute(_ message: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer) {
    // Safety: there are 8 bytes of output.
    let sum = unsafe library.xxHash3(message.baseAddress, message.count)
    unsafe output.storeBytes(of: sum.bigEndian, as: UInt64.self)
  }
}

struct LibraryXXHash128: MessageFunction {
  static var byteCount: Int { 16 }
  let library: XXHashLibrary

  @inline(__always)
  func compute(_ message: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer) {
    // Safety: there are 16 bytes of output.
    let sum = unsafe library.xxHash128(message.baseAddress, message.count)
    unsafe output.storeBytes(of: sum.rem.bigEndian, as: Int64.self)
    unsafe output.storeBytes(of: sum.quot.bigEndian, toByteOffset: 8, as: Int64.self)
  }
}

/// Of the first messages of `MessagePair`.
enum KnownOutputs {
  /// Computed by Python's hashlib.
  static let sha512 = [
    64:
      "1899fdaafd560b685b655a0b2d129a0c11b3f6ba29e60a21fd4b1432d11f734a"
      + "b765d5cafa1b0a3e3e7b82690880cdeeff21e7a66d88c8da17f0b5da91f8e1f7",
    256:
      "59aea8bd5b3b2cf76a24a4fb598eb57778b617c51d4fd749663126fcb7acd2a4"
      + "27981d1b6f54411d07e9db1b74c8d1bf69a6989ca4d56cfdf887708f9d4f103e",
    1 << 10:
      "4964de8bb6e2447743fd595afbcf4dc8fb707ee8c665d067184ee1518575e8aa"
      + "140218a37877adc057b931b4f70fc6d7e4b486675523b841bdfa8d06755d21d1",
    1 << 14:
      "5a860a92202370a7a072cb4d39d3e0493a318c4ed2f8addbbd732881b3852a31"
      + "866ed6eede28a32a86d85d4100b48133494b2e92283c42b427614cc1b158c2fc",
    1 << 20:
      "649a0c64934370698ff9d6d5b40130c1b6f7fade94f6f29a363aaec752102a34"
      + "b54df0bd9e5cefa2bf0ca6fd68d259a2b556ce7d4cce4272de3d7c4c3aaae145",
  ]

  /// Computed by the package xxhash.
  static let xxHash64 = [
    64: "d14bf0119fd250a1",
    256: "82724638478ca2f6",
    1 << 10: "5757a1a9b845a8fd",
    1 << 14: "d975aa3737f7bab3",
    1 << 20: "7e20e1b99e542a65",
  ]

  /// Computed by the package xxhash.
  static let xxHash3 = [
    64: "ef5426b31747db78",
    256: "cdd3578b9df45e59",
    1 << 10: "5a1893edffa2577c",
    1 << 14: "3fdceb295fafbfb8",
    1 << 20: "7b185274974b1fd6",
  ]

  /// Computed by the package xxhash.
  static let xxHash128 = [
    64: "8f41008ff06356f7731a5a160a9dce1a",
    256: "dfb78b82a959f4f6cdd3578b9df45e59",
    1 << 10: "ea65234127f4dd7b5a1893edffa2577c",
    1 << 14: "3c324ebb4b9a43de3fdceb295fafbfb8",
    1 << 20: "6f9c6cb486a848907b185274974b1fd6",
  ]
}
