// SPDX-License-Identifier: Apache-2.0
// SHA-2 of OpenSSL, by its shortest way: what hashes and signatures are compared with.

/// SHA256_Init(3), SHA256_Update(3), SHA256_Final(3), and the same of other names.
@safe
public final class OpenSSLLowLevelDigest {
  @usableFromInline typealias Initialize = @convention(c) (UnsafeMutableRawPointer) -> CInt
  @usableFromInline typealias Update =
    @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer?, Int) -> CInt
  @usableFromInline typealias Finish =
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> CInt

  @usableFromInline let initialize: Initialize
  @usableFromInline let update: Update
  @usableFromInline let finish: Finish
  /// A SHA256_CTX has 112 bytes, a SHA512_CTX 216.
  @usableFromInline let context = ByteBuffer(byteCount: 256)

  /// Keeps the library's functions, or throws the name of one that it does not have.
  public init(
    _ library: OpenSSLLibrary, _ name: String = "SHA256"
  ) throws(OpenSSLLibrary.MissingFunction) {
    // Safety: the types match the manual page.
    unsafe initialize = try library.function("\(name)_Init")
    unsafe update = try library.function("\(name)_Update")
    unsafe finish = try library.function("\(name)_Final")
  }

  /// Writes the digest of a message, 32 bytes for SHA-256. It is compiled into the loops of its callers.
  @inlinable
  @inline(__always)
  public func compute(_ message: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer) {
    // Safety: the context is large enough, and the output has its size.
    _ = unsafe initialize(context.start)
    _ = unsafe update(context.start, message.baseAddress, message.count)
    _ = unsafe finish(output, context.start)
  }
}
