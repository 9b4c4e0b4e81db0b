// SPDX-License-Identifier: Apache-2.0
// Text as programs compare it: by its bytes, and shown without what could deceive a reader.

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

extension String {
  /// The text in quotes, for a message: its first 80 characters, and none that controls a terminal.
  var shown: String {
    let scalars = unicodeScalars.prefix(80)
    let visible = scalars.map { scalar in
      let isHarmless = scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
      return isHarmless && scalar != "\"" && !scalar.properties.isBidiControl ? scalar : "?"
    }
    return "\"" + String(String.UnicodeScalarView(visible)) + "\""
  }
}
