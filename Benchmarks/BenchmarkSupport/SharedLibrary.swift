// SPDX-License-Identifier: Apache-2.0
// A library of the system, opened at run time: nothing is linked, and where it is absent it is absent.

internal import Foundation

/// An open library. It stays open until the process ends.
@safe
public struct SharedLibrary {
  private let handle: UnsafeMutableRawPointer

  /// The first of several that is found, or nil.
  public init?(_ names: [String]) {
    for name in names {
      // Safety: the name is a C string during the call.
      if let handle = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) {
        unsafe self.handle = handle
        return
      }
    }
    return nil
  }

  /// Returns a function by its name, or nil. `Function` is its C type in the manual.
  public func function<Function>(
    _ name: String, as type: Function.Type = Function.self
  ) -> Function? {
    // Safety: the callers write down the types of the manuals.
    unsafe dlsym(handle, name).map { unsafe unsafeBitCast($0, to: type) }
  }
}
