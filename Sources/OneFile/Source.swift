// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A Swift file, searched and changed with regular expressions.
struct Source {
  private static let notCode =
    #"//[^\n]*|/\*(?s:.*?)\*/|(#*)""""# + #"(?s:.*?)"""\1|(#+)"(?s:.*?)"\2|"(?:\\.|[^"\\\n])*""#
  private static let attribute = #"@\w+(?:\([^()\n]*\))?"#
  private static let modifier = #"""
    (?:public|package|internal|fileprivate|private|open|final|indirect|static|class|mutating|\#
    override|convenience|required|lazy|weak|nonisolated|unsafe|consuming|borrowing)(?:\(\w+\))?
    """#
  /// Declarations that can be isolated to an actor.
  private static let isolated = #"(?:struct|class|enum|protocol|extension|func|let|var)\b"#
  private static let declaration =
    "^ *(?:(?:\(attribute)|\(modifier)) +)*?(?=\(isolated)(?! +\(isolated)))"

  private(set) var text: String

  init(_ text: String) {
    self.text = text
  }

  func matches(_ pattern: String) throws -> [NSTextCheckingResult] {
    try NSRegularExpression(pattern: pattern).matches(
      in: text, range: NSRange(location: 0, length: text.utf16.count))
  }

  func text(of range: NSRange) -> String {
    (text as NSString).substring(with: range)
  }

  mutating func replace(_ range: NSRange, with replacement: String) {
    text = (text as NSString).replacingCharacters(in: range, with: replacement)
  }

  /// The names of the actors declared in the file.
  func actors() throws -> [String] {
    try matches(#"(?m)^[\w ]*\bactor (\w+)"#).map { text(of: $0.range(at: 1)) }
  }

  /// Replaces `package` with `internal`. In a module without a product, replaces `public` too, and
  /// removes the attributes for inlining into other modules. Adds `nonisolated` to top-level
  /// declarations other than actors and their extensions.
  mutating func setAccess(actors: Set<String>, isProduct: Bool) throws {
    let code = try blanked()
    let words = isProduct ? "package" : "package|public"
    var changes = try code.matches(
      "\\b(?:\(words))(?=(?:\\(set\\))? +(?:(?:\(Self.attribute)|\(Self.modifier)) +)*"
        + "(?:\(Self.isolated)|init\\b|subscript\\b|typealias\\b|actor\\b|import\\b))"
    ).map { (range: $0.range, text: "internal") }
    if !isProduct {
      changes += try code.matches("@(?:usableFromInline|inlinable) *").map {
        (range: $0.range, text: "")
      }
    }
    changes += try code.topDeclarations(but: actors).map {
      (range: NSRange(location: $0, length: 0), text: "nonisolated ")
    }
    let result = NSMutableString(string: text)
    // From the end, so that ranges stay valid. An insertion follows a replacement at the same
    // position.
    for change in changes.sorted(by: {
      ($0.range.location, $0.range.length) > ($1.range.location, $1.range.length)
    }) {
      result.replaceCharacters(in: change.range, with: change.text)
    }
    text = result as String
  }

  /// The source with comments and literals replaced by spaces, so that positions don't change.
  private func blanked() throws -> Source {
    var units = Array(text.utf16)
    for match in try matches(Self.notCode) {
      for index in match.range.lowerBound..<match.range.upperBound where units[index] != 10 {
        units[index] = 32
      }
    }
    return Source(String(decoding: units, as: UTF16.self))
  }

  /// The positions where `nonisolated` belongs: after the attributes and modifiers of each
  /// top-level declaration. Only for source without comments and literals.
  private func topDeclarations(but actors: Set<String>) throws -> [Int] {
    var positions: [Int] = []
    var depth = 0
    var start = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map({
      Source(String($0))
    }) {
      if depth == 0, let match = try line.matches(Self.declaration).first,
        !line.text(of: match.range).contains("nonisolated")
      {
        let rest = Source((line.text as NSString).substring(from: match.range.upperBound))
        let extended = try rest.matches(#"^extension (?:\w+\.)*(\w+)"#).first.map {
          rest.text(of: $0.range(at: 1))
        }
        if !actors.contains(extended ?? "") { positions.append(start + match.range.upperBound) }
      }
      depth += line.text.reduce(0) { $0 + ("{([".contains($1) ? 1 : "})]".contains($1) ? -1 : 0) }
      start += line.text.utf16.count + 1
    }
    return positions
  }
}
