// SPDX-License-Identifier: Apache-2.0
// The version of this library.

/// The version of this library, for its requests and `sigv4 --version`.
package enum LibraryVersion {
  /// The version: `0.1.0`.
  package static var text: String { "0.1.0" }
}
