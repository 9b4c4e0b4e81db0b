// SPDX-License-Identifier: Apache-2.0
// The version of this library.

/// The version of this library, as its requests and `sigv4 --version` name it.
package enum LibraryVersion {
  /// The version: `0.1.0`.
  package static var text: String { "0.1.0" }
}
