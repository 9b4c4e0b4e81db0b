// SPDX-License-Identifier: Apache-2.0
// A text in two parts.

extension String {
  /// What stands before the first such scalar and after it; nil when there is none.
  func split(atFirst separator: Unicode.Scalar) -> (name: String, value: String?) {
    guard let place = unicodeScalars.firstIndex(of: separator) else { return (self, nil) }
    return (String(self[..<place]), String(self[unicodeScalars.index(after: place)...]))
  }
}
