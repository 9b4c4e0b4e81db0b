// SPDX-License-Identifier: Apache-2.0
// A command line split into words by the rules of a POSIX shell, without a shell.

/// Splits a line into words: blanks separate, quotes and backslashes join, and nothing is expanded.
///
/// The rules are those of Python's `shlex.split`, which botocore applies to `credential_process` and
/// to the headers of sections (POSIX, Shell Command Language, 2.2 and 2.3).
struct ShellWords {
  /// The words, or nil when a quote is not closed or nothing follows a backslash.
  static func split(_ line: String) -> [String]? {
    var splitter = ShellWords()
    for scalar in line.unicodeScalars { splitter.read(scalar) }
    return splitter.finish()
  }

  private var words: [String] = []
  private var word = String.UnicodeScalarView()
  private var state = State.between

  private enum State {
    case between
    case inWord
    case inQuotes(Unicode.Scalar)
    case afterBackslash
    /// The next one loses its backslash only if it is a double quote or a backslash (2.2.3).
    case afterBackslashInQuotes
  }

  private mutating func read(_ scalar: Unicode.Scalar) {
    switch state {
    case .between, .inWord:
      switch scalar {
      case " ", "\t", "\r", "\n": endWord()
      case "\\": state = .afterBackslash
      case "'", "\"": state = .inQuotes(scalar)
      default:
        word.append(scalar)
        state = .inWord
      }
    case .inQuotes(scalar): state = .inWord
    case .inQuotes("\""):
      if scalar == "\\" { state = .afterBackslashInQuotes } else { word.append(scalar) }
    case .inQuotes: word.append(scalar)
    case .afterBackslash:
      word.append(scalar)
      state = .inWord
    case .afterBackslashInQuotes:
      if scalar != "\"" && scalar != "\\" { word.append("\\") }
      word.append(scalar)
      state = .inQuotes("\"")
    }
  }

  private mutating func endWord() {
    if case .inWord = state { words.append(String(word)) }
    word = String.UnicodeScalarView()
    state = .between
  }

  private mutating func finish() -> [String]? {
    switch state {
    case .between, .inWord: endWord()
    case .inQuotes, .afterBackslash, .afterBackslashInQuotes: return nil
    }
    return words
  }
}
