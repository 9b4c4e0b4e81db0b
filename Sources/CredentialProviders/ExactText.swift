// SPDX-License-Identifier: Apache-2.0
// Text as programs compare it: by its bytes.

/// A text that equals another one when all bytes do: Swift's strings go by Unicode's equivalence.
struct ExactText: Hashable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: Self, right: Self) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}
