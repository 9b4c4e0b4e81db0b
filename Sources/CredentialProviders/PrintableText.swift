// SPDX-License-Identifier: Apache-2.0
// What servers and variables say, made fit for a message: short, visible, and without a secret.

/// Text of somebody else, made fit for a message.
enum PrintableText {
  /// The text in quotes: its secrets replaced, then at most 200 characters, and none that controls a
  /// terminal.
  static func quoted(_ text: String, hiding secrets: [String] = []) -> String {
    var text = String(text.prefix(4096))
    for secret in secrets where !secret.isEmpty {
      text = text.replacing(secret, with: "(not shown)")
    }
    let scalars = text.unicodeScalars.prefix(200).map { scalar in
      let isHarmless = scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
      return isHarmless && scalar != "'" && !scalar.properties.isBidiControl ? scalar : "?"
    }
    let end = text.unicodeScalars.count > 200 ? "..." : ""
    return "'" + String(String.UnicodeScalarView(scalars)) + end + "'"
  }

  /// Without line ends and spaces at both ends.
  static func trimmed(_ text: String) -> String {
    let isSpace: (Unicode.Scalar) -> Bool = { $0 == " " || ("\t"..."\r").contains($0) }
    let tail = text.unicodeScalars.drop(while: isSpace)
    let end = tail.lastIndex { !isSpace($0) }
    return end.map { String(tail[...$0]) } ?? ""
  }
}
