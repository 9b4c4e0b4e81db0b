// SPDX-License-Identifier: Apache-2.0
// Words that do not occur in the house: what crashes, what Embedded Swift lacks, what is unfinished.

enum WordRules {
  /// Code that is forbidden as it stands.
  static func forbiddenCode(_ file: SourceFile) -> [Finding] {
    ForbiddenCode.all.filter { $0.applies(to: file) }.flatMap { forbidden in
      file.occurrences(of: forbidden.code).map {
        file.finding($0.line, "no '\(forbidden.code)' here: \(forbidden.advice)")
      }
    }
  }

  /// Existentials in the core: `any` before a type.
  static func existentials(_ file: SourceFile) -> [Finding] {
    if !file.isCore { return [] }
    return file.pairs.filter { word, next in
      word.text == "any" && (next.isWord || next.text == "(") && next.followsSpace
    }.map { word, _ in
      file.finding(word.line, "no 'any' here: Embedded Swift has no existentials, be generic")
    }
  }

  /// `package` as an access level: before another word of a declaration, or as `package(set)`.
  static func packageAccess(_ file: SourceFile) -> [Finding] {
    file.pairs.filter { word, next in
      word.text == "package" && (next.isWord && next.followsSpace || next.text == "(")
    }.map { word, _ in
      file.finding(word.line, "no 'package' access: vendored files have no package; use public")
    }
  }

  /// Notes about work that is still to be done.
  static func unfinished(_ file: SourceFile) -> [Finding] {
    let notes = ["TO" + "DO", "FIX" + "ME", "XX" + "X"]
    return file.comments.filter { comment in
      comment.text.split { !$0.isLetter }.contains { notes.contains(String($0)) }
    }.map { file.finding($0.line, "do it, or describe it in an issue: no notes in the sources") }
  }

  /// Comments that look like code. Documentation may hold examples.
  static func commentedOutCode(_ file: SourceFile) -> [Finding] {
    file.comments.filter { !$0.isDocumentation && looksLikeCode($0.text) }.map {
      file.finding($0.line, "delete code that is commented out: git remembers it")
    }
  }

  private static func looksLikeCode(_ comment: String) -> Bool {
    let withoutStart = comment.drop { "/* ".contains($0) }
    let text = String(withoutStart.reversed().drop { "/* ".contains($0) }.reversed())
    let tokens = SwiftTokenizer(text).tokens
    guard let first = tokens.first, let last = tokens.last else { return false }
    let second = tokens.dropFirst().first
    let isBlock =
      last.text == "{" || tokens.contains { $0.text == "{" } && last.text == "}"
      || ["}", "})", "},"].contains(text)
    let isCall =
      first.isWord && second?.text == "(" && second?.followsSpace == false
      && last.text == ")"
    let isStatement: Bool =
      switch first.text {
      case "let", "var": tokens.contains { $0.text == "=" || $0.text == ":" }
      case "func": tokens.contains { $0.text == "(" }
      case "import": tokens.count == 2
      case "return", "try", "unsafe", "throw": last.text == ")"
      case "public", "private", "internal", "static", "@inlinable": last.text != "."
      default: false
      }
    return isBlock || isCall || isStatement
  }
}

extension SourceFile {
  /// Each token and the one that follows it.
  var pairs: [(SwiftToken, SwiftToken)] { Array(zip(tokens, tokens.dropFirst())) }
}

/// A piece of code that must not occur.
struct ForbiddenCode {
  let code: String
  let onlyInCore: Bool
  let advice: String

  /// The end of the path of the one file that may have it.
  var exception: String?

  func applies(to file: SourceFile) -> Bool {
    if let exception, file.path.hasSuffix(exception) { return false }
    return file.isCore || !onlyInCore
  }

  static func everywhere(_ code: String, _ advice: String) -> ForbiddenCode {
    ForbiddenCode(code: code, onlyInCore: false, advice: advice)
  }

  static func inCore(_ code: String, _ advice: String) -> ForbiddenCode {
    ForbiddenCode(code: code, onlyInCore: true, advice: advice)
  }

  static let all: [ForbiddenCode] = [
    everywhere("try!", "let the caller have the error"),
    everywhere("as!", "say with a type what the value is"),
    everywhere("fatalError", "refuse with an error, or check a precondition"),
    everywhere("@_spi", "make it public, and worth being public"),
    everywhere("AnySequence", "it hangs the compiler in Embedded Swift: be generic"),
    everywhere("InlineArray", "it needs macOS 26: use a tuple"),
    ForbiddenCode(
      code: "Mutex", onlyInCore: false,
      advice: "it needs macOS 15: hand values in and out, or use the one actor",
      // Only where there is no `os`: decision 0005.
      exception: "/SigV4.SigningKeyCache.swift"),
    everywhere("UInt128", "it needs macOS 15: use two UInt64"),
    everywhere("UTF8Span", "it needs macOS 26: use .utf8"),
    inCore("async", "the core does not wait: split the work into two phases"),
    inCore("await", "the core does not wait: split the work into two phases"),
    inCore("actor", "the core holds no state: values in, values out"),
    inCore("weak", "Embedded Swift has no weak references"),
    inCore("\\", "Embedded Swift has no key paths: write a closure"),
    inCore("String(describing:", "Embedded Swift lacks it: write the text"),
    inCore(".lowercased()", "it needs Unicode tables: fold bytes"),
    inCore(".uppercased()", "it needs Unicode tables: fold bytes"),
    inCore(".hasPrefix(", "it needs Unicode tables: compare .utf8"),
    inCore(".hasSuffix(", "it needs Unicode tables: compare .utf8"),
    inCore(".split(separator: \"", "it needs Unicode tables: split .utf8"),
    inCore("[String:", "it needs Unicode tables: use a list of pairs"),
    inCore("Dictionary<String", "it needs Unicode tables: use a list of pairs"),
  ]
}
