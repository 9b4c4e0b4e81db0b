// SPDX-License-Identifier: Apache-2.0
// HMAC-SHA-256 of OpenSSL, by its fastest ways: the key is set once, and the context used again.

internal import BenchmarkSupport

/// HMAC(3): HMAC_Init_ex without a key begins again with the last one.
@safe
final class OpenSSLContextCode: MessageFunction {
  typealias Make = @convention(c) () -> OpaquePointer?
  typealias Free = @convention(c) (OpaquePointer?) -> Void
  typealias Initialize =
    @convention(c) (
      OpaquePointer?, UnsafeRawPointer?, CInt, OpaquePointer?, OpaquePointer?
    ) -> CInt
  typealias Update = @convention(c) (OpaquePointer?, UnsafeRawPointer?, Int) -> CInt
  typealias Finish =
    @convention(c) (OpaquePointer?, UnsafeMutableRawPointer, UnsafeMutableRawPointer?) -> CInt

  private let initialize: Initialize
  private let update: Update
  private let finish: Finish
  private let free: Free
  private let context: OpaquePointer?

  init(_ library: OpenSSLLibrary, key: [UInt8]) throws(OpenSSLLibrary.MissingFunction) {
    // Safety: the types match the manual page, and the context copies the key.
    unsafe initialize = try library.function("HMAC_Init_ex")
    unsafe update = try library.function("HMAC_Update")
    unsafe finish = try library.function("HMAC_Final")
    unsafe free = try library.function("HMAC_CTX_free")
    let make: Make = unsafe try library.function("HMAC_CTX_new")
    let algorithm = unsafe try OpenSSLEnvelopeDigest.algorithm(library)
    unsafe context = make()
    _ = unsafe initialize(context, key, CInt(key.count), algorithm, nil)
  }

  deinit {
    // Safety: the context is not used any more.
    unsafe free(context)
  }

  @inline(__always)
  func compute(_ message: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer) {
    // Safety: there are 32 bytes of output.
    _ = unsafe initialize(context, nil, 0, nil, nil)
    _ = unsafe update(context, message.baseAddress, message.count)
    _ = unsafe finish(context, output, nil)
  }
}

/// EVP_MAC(3), since OpenSSL 3: EVP_MAC_init without a key begins again with the last one.
@safe
final class OpenSSLEnvelopeCode: MessageFunction {
  typealias Fetch =
    @convention(c) (OpaquePointer?, UnsafePointer<CChar>, UnsafePointer<CChar>?) -> OpaquePointer?
  typealias Make = @convention(c) (OpaquePointer?) -> OpaquePointer?
  typealias Free = @convention(c) (OpaquePointer?) -> Void
  typealias Initialize =
    @convention(c) (OpaquePointer?, UnsafeRawPointer?, Int, UnsafeRawPointer?) -> CInt
  typealias Update = @convention(c) (OpaquePointer?, UnsafeRawPointer?, Int) -> CInt
  typealias Finish =
    @convention(c) (
      OpaquePointer?, UnsafeMutableRawPointer, UnsafeMutablePointer<Int>?, Int
    ) -> CInt

  private let initialize: Initialize
  private let update: Update
  private let finish: Finish
  private let free: Free
  private let context: OpaquePointer?

  init(_ library: OpenSSLLibrary, key: [UInt8]) throws(OpenSSLLibrary.MissingFunction) {
    // Safety: the types match the manual page, and the context copies the key and the parameters.
    unsafe initialize = try library.function("EVP_MAC_init")
    unsafe update = try library.function("EVP_MAC_update")
    unsafe finish = try library.function("EVP_MAC_final")
    unsafe free = try library.function("EVP_MAC_CTX_free")
    let fetch: Fetch = unsafe try library.function("EVP_MAC_fetch")
    let make: Make = unsafe try library.function("EVP_MAC_CTX_new")
    let (name, digest) = (ByteBuffer("digest\0".utf8), ByteBuffer("SHA256\0".utf8))
    let parameters = unsafe [
      Parameter(name: name.start, type: Parameter.text, value: digest.start, valueByteCount: 6),
      Parameter(),
    ]
    unsafe context = make(fetch(nil, "HMAC", nil))
    unsafe parameters.withUnsafeBytes { parameters in
      _ = unsafe initialize(context, key, key.count, parameters.baseAddress)
    }
    withExtendedLifetime((name, digest)) {}
  }

  deinit {
    // Safety: the context is not used any more.
    unsafe free(context)
  }

  @inline(__always)
  func compute(_ message: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer) {
    // Safety: there are 32 bytes of output.
    _ = unsafe initialize(context, nil, 0, nil)
    _ = unsafe update(context, message.baseAddress, message.count)
    _ = unsafe finish(context, output, nil, 32)
  }

  /// OSSL_PARAM(3): a named value. One without a name ends the list.
  @unsafe
  struct Parameter {
    /// OSSL_PARAM_UTF8_STRING.
    static var text: CUnsignedInt { 4 }

    var name: UnsafeMutableRawPointer?
    var type: CUnsignedInt = 0
    var value: UnsafeMutableRawPointer?
    var valueByteCount = 0
    var returnedByteCount = 0
  }
}
