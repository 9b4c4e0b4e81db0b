// SPDX-License-Identifier: Apache-2.0
// What files, variables and servers say, made fit for a message: short, visible, and without a secret.

extension String {
  /// The text in quotes, for a message, as ``PrintableText/visible(_:)`` shows it.
  var shown: String { "\"" + PrintableText.visible(self) + "\"" }
}

extension StringProtocol {
  /// Where a text begins in this one; nil when it is not there.
  ///
  /// The library for regular expressions has this too; linked, it alone takes 1 MB.
  func firstPlace(of text: some StringProtocol) -> Index? {
    indices.first { self[$0...].starts(with: text) }
  }
}

/// Text of somebody else, made fit for a message.
enum PrintableText {
  /// At most 200 characters of a text, and none that controls a terminal or ends a quotation.
  static func visible(_ text: String) -> String {
    let scalars = text.unicodeScalars.prefix(200).map { scalar in
      let isHarmless = scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
      return isHarmless && scalar != "\"" && !scalar.properties.isBidiControl ? scalar : "?"
    }
    let end = text.unicodeScalars.dropFirst(200).isEmpty ? "" : "..."
    return String(String.UnicodeScalarView(scalars)) + end
  }

  /// The text, its secrets replaced wherever they begin: as they are, or as they stand in a form.
  static func hiding(_ secrets: [String], in text: String) -> String {
    var text = text
    for secret in secrets where !secret.isEmpty {
      text = hiding(secret, in: text)
      text = hiding(FormEncoding.formValue(secret), in: text)
    }
    return text
  }

  /// Replaces a secret also where somebody cut it: from 12 characters on.
  private static func hiding(_ secret: String, in text: String) -> String {
    let start = secret.prefix(12)
    var hidden = ""
    var rest = text[...]
    while let place = rest.firstPlace(of: start) {
      hidden += rest[..<place] + "(not shown)"
      let shown = zip(rest[place...], secret).prefix { $0 == $1 }
      rest = rest[place...].dropFirst(shown.count)
    }
    return hidden + rest
  }

  /// Without line ends and spaces at both ends.
  static func trimmed(_ text: String) -> String {
    let isSpace: (Unicode.Scalar) -> Bool = { $0 == " " || ("\t"..."\r").contains($0) }
    let tail = text.unicodeScalars.drop(while: isSpace)
    let end = tail.lastIndex { !isSpace($0) }
    return end.map { String(tail[...$0]) } ?? ""
  }
}
