// SPDX-License-Identifier: Apache-2.0
// OpenSSL's libcrypto, opened at run time: nothing is linked, and where it is absent it is absent.

internal import Foundation

/// An open libcrypto. It stays open until the process ends.
@safe
public struct OpenSSLLibrary {
  private let handle: UnsafeMutableRawPointer

  /// What the library says that it is.
  public let version: String

  /// A function that this version of the library does not have.
  public struct MissingFunction: Error, CustomStringConvertible {
    let name: String

    /// What is missing, for people.
    public var description: String { "libcrypto has no function \(name)" }
  }

  /// What is said where no library is found.
  public static let absence =
    "the contenders of OpenSSL are left out: no libcrypto was found (\(names.joined(separator: ", ")))"

  /// Never the bare libcrypto.dylib: macOS stops a process that opens it.
  private static let names = [
    "libcrypto.so.3", "libcrypto.so.1.1", "libcrypto.so", "libcrypto.3.dylib",
    "libcrypto.1.1.dylib", "/opt/homebrew/opt/openssl@3/lib/libcrypto.3.dylib",
    "/usr/local/opt/openssl@3/lib/libcrypto.3.dylib",
  ]

  /// The first library found, or nil.
  public static func find() -> OpenSSLLibrary? {
    for name in names {
      // Safety: the name is a C string during the call.
      if let handle = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) {
        return unsafe OpenSSLLibrary(handle)
      }
    }
    return nil
  }

  private init(_ handle: UnsafeMutableRawPointer) {
    typealias Version = @convention(c) (CInt) -> UnsafePointer<CChar>?
    // Safety: OpenSSL_version(3): type 0 gives a text that is never freed.
    unsafe self.handle = handle
    let function = unsafe dlsym(handle, "OpenSSL_version")
    let version = unsafe function.map { unsafe unsafeBitCast($0, to: Version.self) }
    self.version = unsafe version?(0).map { unsafe String(cString: $0) } ?? "of unknown version"
  }

  /// A function by its name; `Function` is its type in C, as the manual page says it.
  public func function<Function>(
    _ name: String, as type: Function.Type = Function.self
  ) throws(MissingFunction) -> Function {
    // Safety: the callers write down the types of OpenSSL's manual pages.
    guard let address = unsafe dlsym(handle, name) else { throw MissingFunction(name: name) }
    return unsafe unsafeBitCast(address, to: type)
  }
}
