// SPDX-License-Identifier: Apache-2.0
// SHA-256 of OpenSSL, by its fastest ways: a context that is used again and again.

internal import BenchmarkSupport

extension OpenSSLLowLevelDigest: MessageFunction {}

/// EVP_DigestInit(3), with the algorithm fetched once.
@safe
final class OpenSSLEnvelopeDigest: MessageFunction {
  typealias Make = @convention(c) () -> OpaquePointer?
  typealias Free = @convention(c) (OpaquePointer?) -> Void
  typealias Initialize =
    @convention(c) (OpaquePointer?, OpaquePointer?, OpaquePointer?) -> CInt
  typealias Update = @convention(c) (OpaquePointer?, UnsafeRawPointer?, Int) -> CInt
  typealias Finish =
    @convention(c) (OpaquePointer?, UnsafeMutableRawPointer, UnsafeMutableRawPointer?) -> CInt

  private let initialize: Initialize
  private let update: Update
  private let finish: Finish
  private let free: Free
  private let context: OpaquePointer?
  private let algorithm: OpaquePointer?

  init(_ library: OpenSSLLibrary) throws(OpenSSLLibrary.MissingFunction) {
    // Safety: the types match the manual page.
    unsafe initialize = try library.function("EVP_DigestInit_ex")
    unsafe update = try library.function("EVP_DigestUpdate")
    unsafe finish = try library.function("EVP_DigestFinal_ex")
    unsafe free = try library.function("EVP_MD_CTX_free")
    let make: Make = unsafe try library.function("EVP_MD_CTX_new")
    unsafe algorithm = try Self.algorithm(library)
    unsafe context = make()
  }

  deinit {
    // Safety: the context is not used any more.
    unsafe free(context)
  }

  /// SHA-256, fetched (since OpenSSL 3) so that each initialisation need not; it is never freed.
  static func algorithm(
    _ library: OpenSSLLibrary
  ) throws(OpenSSLLibrary.MissingFunction) -> OpaquePointer? {
    typealias Fetch =
      @convention(c) (OpaquePointer?, UnsafePointer<CChar>, UnsafePointer<CChar>?) -> OpaquePointer?
    // Safety: the types match the manual pages.
    if let fetch: Fetch = unsafe try? library.function("EVP_MD_fetch") {
      return unsafe fetch(nil, "SHA256", nil)
    }
    let known: Make = unsafe try library.function("EVP_sha256")
    return unsafe known()
  }

  @inline(__always)
  func compute(_ message: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer) {
    // Safety: there are 32 bytes of output.
    _ = unsafe initialize(context, algorithm, nil)
    _ = unsafe update(context, message.baseAddress, message.count)
    _ = unsafe finish(context, output, nil)
  }
}
