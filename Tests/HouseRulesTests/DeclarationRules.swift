// SPDX-License-Identifier: Apache-2.0
// What stands at the top of a file: names that a host shares, and the isolation that it may set.

enum DeclarationRules {
  /// In the core, whatever stands at the top is nonisolated, and with it what is nested inside.
  ///
  /// Then the files also compile in a target with `-default-isolation MainActor`.
  static func isolation(_ file: SourceFile) -> [Finding] {
    if !file.isCore { return [] }
    return TopLevelDeclaration.all(in: file).filter {
      $0.keyword != "typealias" && !$0.modifiers.contains("nonisolated")
    }.map {
      file.finding($0.line, "write nonisolated \($0.keyword) \($0.name)")
    }
  }

  /// In the core, only the names of the budget stand at the top.
  static func names(_ file: SourceFile) -> [Finding] {
    if !file.isCore || file.roomName == "HardwareKernels" { return [] }
    return TopLevelDeclaration.all(in: file).filter {
      $0.keyword != "extension" && !Room.topLevelNames.contains($0.name)
    }.map {
      file.finding(
        $0.line,
        "nest \($0.name) in a type: vendored files share their top-level names with their host")
    }
  }

  /// Nothing at the top is private: one concatenated file has one room for such names.
  static func privateNames(_ file: SourceFile) -> [Finding] {
    TopLevelDeclaration.all(in: file).filter {
      $0.modifiers.contains("private") || $0.modifiers.contains("fileprivate")
    }.map {
      file.finding($0.line, "nest \($0.name) in a type, without private at the top of a file")
    }
  }
}

/// A declaration that stands in no other one.
struct TopLevelDeclaration {
  let keyword: String
  let name: String
  let line: Int
  /// The modifiers and attributes before it on its line.
  let modifiers: [String]

  static let keywords = [
    "struct", "enum", "class", "actor", "protocol", "extension", "func", "var", "let", "typealias",
    "macro",
  ]

  static func all(in file: SourceFile) -> [TopLevelDeclaration] {
    var depth = 0
    var declarations: [TopLevelDeclaration] = []
    for (token, next) in file.pairs {
      if ["{", "(", "["].contains(token.text) { depth += 1 }
      if ["}", ")", "]"].contains(token.text) { depth -= 1 }
      if depth > 0 || !keywords.contains(token.text) { continue }
      let before = file.tokens.filter { $0.line == token.line }.map(\.text)
        .prefix { $0 != token.text }
      if before.contains("import") || before.contains("class") || before.contains(":") { continue }
      declarations.append(
        TopLevelDeclaration(
          keyword: token.text, name: next.text, line: token.line, modifiers: Array(before)))
    }
    return declarations
  }
}
