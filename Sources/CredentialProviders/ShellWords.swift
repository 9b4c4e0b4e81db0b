// SPDX-License-Identifier: Apache-2.0
// A command line split into words by the rules of a POSIX shell, without a shell.

/// Splits a line into words: blanks separate, quotes and backslashes join, and nothing is expanded.
///
/// The rules are those of Python's `shlex.split`, which botocore applies to `credential_process` and
/// to the headers of sections (POSIX, Shell Command Language, 2.2 and 2.3).
enum ShellWords {
  /// The words, or nil when a quote is not closed or nothing follows a backslash.
  static func split(_ line: String) -> [String]? {
    var words: [String] = []
    var word = String.UnicodeScalarView()
    var isInWord = false
    var rest = line.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case " ", "\t", "\r", "\n":
        if isInWord { words.append(String(word)) }
        word.removeAll()
        isInWord = false
        continue
      case "\\":
        guard let escaped = rest.popFirst() else { return nil }
        word.append(escaped)
      case "'", "\"":
        guard let text = quoted(until: scalar, in: &rest) else { return nil }
        word.append(contentsOf: text)
      default:
        word.append(scalar)
      }
      isInWord = true
    }
    return isInWord ? words + [String(word)] : words
  }

  private static func quoted(
    until quote: Unicode.Scalar, in rest: inout Substring.UnicodeScalarView
  ) -> String.UnicodeScalarView? {
    var text = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      if scalar == quote { return text }
      guard quote == "\"", scalar == "\\" else {
        text.append(scalar)
        continue
      }
      // A backslash goes before a double quote or a backslash only (2.2.3).
      guard let escaped = rest.popFirst() else { return nil }
      if escaped != "\"" && escaped != "\\" { text.append("\\") }
      text.append(escaped)
    }
    return nil
  }
}
