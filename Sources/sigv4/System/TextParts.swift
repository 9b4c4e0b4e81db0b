// SPDX-License-Identifier: Apache-2.0
// Splits a string in two.

extension String {
  /// Splits the string at the first `separator`. The value is nil if there's no separator.
  func split(atFirst separator: Unicode.Scalar) -> (name: String, value: String?) {
    guard let place = unicodeScalars.firstIndex(of: separator) else { return (self, nil) }
    return (String(self[..<place]), String(self[unicodeScalars.index(after: place)...]))
  }
}
