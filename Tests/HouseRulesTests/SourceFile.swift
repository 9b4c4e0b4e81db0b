// SPDX-License-Identifier: Apache-2.0
// A Swift file as the house rules see it: tokens without comments, and comments without tokens.

/// A Swift file of this repository, or an example of one.
struct SourceFile {
  /// The path from the top of the repository.
  let path: String
  let lines: [Substring]
  let tokens: [SwiftToken]
  let comments: [SwiftComment]

  init(_ path: String, _ text: String) {
    let tokenizer = SwiftTokenizer(text)
    self.path = path
    self.lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    self.tokens = tokenizer.tokens
    self.comments = tokenizer.comments
  }

  /// The folder below Sources that holds the file; nil when there is none.
  var roomName: String? {
    let parts = path.split(separator: "/")
    return parts.count > 2 && parts[0] == "Sources" ? String(parts[1]) : nil
  }

  /// Whether the file has to run anywhere, as DESIGN's core rooms have.
  var isCore: Bool { Room.all.contains { $0.name == roomName && $0.isCore } }

  /// The last part of the path.
  var name: String { String(path.split(separator: "/").last ?? "") }

  func finding(_ line: Int, _ advice: String) -> Finding { Finding(path, line, advice) }

  /// The tokens at which a piece of code occurs, whatever the white space before its first token.
  func occurrences(of code: String) -> [SwiftToken] {
    let pattern = SwiftTokenizer(code).tokens
    return tokens.indices.filter { start in
      start + pattern.count <= tokens.count
        && zip(tokens[start...], pattern).enumerated().allSatisfy { offset, pair in
          pair.0.text == pair.1.text
            && (offset == 0 || pair.1.followsSpace || !pair.0.followsSpace)
        }
    }.map { tokens[$0] }
  }
}
