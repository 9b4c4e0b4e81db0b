// SPDX-License-Identifier: Apache-2.0
// OpenSSL's libcrypto, where there is one.

/// An open libcrypto.
public struct OpenSSLLibrary {
  private let library: SharedLibrary

  /// The library's name and version, as it returns them.
  public let version: String

  /// A function that this version of the library does not have.
  public struct MissingFunction: Error, CustomStringConvertible {
    let name: String

    /// The missing function, for people.
    public var description: String { "libcrypto has no function \(name)" }
  }

  /// The note if no library is found.
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
    SharedLibrary(names).map(OpenSSLLibrary.init)
  }

  private init(_ library: SharedLibrary) {
    typealias Version = @convention(c) (CInt) -> UnsafePointer<CChar>?
    self.library = library
    // Safety: OpenSSL_version(3): type 0 returns a string that's never freed.
    let function: Version? = unsafe library.function("OpenSSL_version")
    version = unsafe function?(0).map { unsafe String(cString: $0) } ?? "of unknown version"
  }

  /// Returns a function by its name. `Function` is its C type in the manual page.
  public func function<Function>(
    _ name: String, as type: Function.Type = Function.self
  ) throws(MissingFunction) -> Function {
    if let function = library.function(name, as: type) { return function }
    throw MissingFunction(name: name)
  }
}
