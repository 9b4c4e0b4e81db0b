// SPDX-License-Identifier: Apache-2.0
// Why each unsafe expression is safe: the reason has to stand above it.

enum SafetyRules {
  /// In each function, the first `unsafe` comes after a comment `// Safety: why`, which stands in
  /// the function or directly above it.
  static func reasons(_ file: SourceFile) -> [Finding] {
    let reasons = file.comments.filter { $0.text.hasPrefix("// Safety: ") }.map(\.line)
    return SwiftFunction.unsafeOnes(in: file).compactMap { function in
      let start = function.firstLine - commentLines(above: function.firstLine, in: file)
      let first = function.unsafeLines[0]
      if reasons.contains(where: { $0 >= start && $0 <= first }) { return nil }
      return file.finding(
        first, "say why this is safe: '// Safety: ...' before the function's first unsafe")
    }
  }

  /// How many lines of comments and attributes stand directly above a line.
  private static func commentLines(above line: Int, in file: SourceFile) -> Int {
    file.lines[..<(line - 1)].reversed().prefix { text in
      let text = text.drop { $0 == " " }
      return text.hasPrefix("//") || text.hasPrefix("@")
    }.count
  }
}

/// A function, an accessor or an initial value: where statements stand.
struct SwiftFunction {
  let firstLine: Int
  /// The lines of its `unsafe` keywords.
  let unsafeLines: [Int]

  /// All functions of a file that contain `unsafe`; local ones belong to the one around them.
  static func unsafeOnes(in file: SourceFile) -> [SwiftFunction] {
    var functions: [SwiftFunction] = []
    var unsafeLines: [Int] = []
    var firstLine: Int?
    var depth = 0
    var functionDepth = 0
    for (index, token) in file.tokens.enumerated() {
      switch token.text {
      case "{":
        depth += 1
        if firstLine == nil, let line = statementsLine(before: index, in: file.tokens) {
          (firstLine, functionDepth, unsafeLines) = (line, depth, [])
        }
      case "}":
        if let line = firstLine, depth == functionDepth {
          if !unsafeLines.isEmpty {
            functions.append(SwiftFunction(firstLine: line, unsafeLines: unsafeLines))
          }
          firstLine = nil
        }
        depth -= 1
      case "unsafe" where !isIsolation(index, in: file.tokens):
        if firstLine == nil {
          functions.append(SwiftFunction(firstLine: token.line, unsafeLines: [token.line]))
        } else {
          unsafeLines.append(token.line)
        }
      default: break
      }
    }
    return functions
  }

  /// The first line of what an opening brace belongs to; nil when that is a type or an extension.
  private static func statementsLine(before brace: Int, in tokens: [SwiftToken]) -> Int? {
    let types = ["struct", "enum", "class", "actor", "protocol", "extension"]
    let others = ["func", "init", "deinit", "subscript", "var", "let"]
    let header = tokens[..<brace].reversed().prefix { $0.text != "{" && $0.text != "}" }
    let keyword = header.first { types.contains($0.text) || others.contains($0.text) }
    if let keyword, types.contains(keyword.text) { return nil }
    return keyword?.line ?? tokens[brace].line
  }

  /// Whether this is the word of `nonisolated(unsafe)`.
  private static func isIsolation(_ index: Int, in tokens: [SwiftToken]) -> Bool {
    index >= 2 && tokens[index - 1].text == "(" && tokens[index - 2].text == "nonisolated"
  }
}
