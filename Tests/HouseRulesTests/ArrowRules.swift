// SPDX-License-Identifier: Apache-2.0
// The arrows: who imports whom, and whether the table of rooms allows it.

enum ArrowRules {
  /// Every import is one that the table of rooms allows, under the conditions that it names.
  static func imports(of file: SourceFile, rooms: [String]) -> [Finding] {
    guard let room = Room.all.first(where: { $0.name == file.roomName }) else { return [] }
    return ImportLine.all(in: file).compactMap { line in
      // Strict memory safety wants @unsafe beside @preconcurrency.
      let allowed = ["@preconcurrency", "@unsafe"]
      if let special = line.prefix.first(where: { $0.hasPrefix("@") && !allowed.contains($0) }) {
        return file.finding(line.line, "import \(line.module) without \(special)")
      }
      guard let permission = room.mayImport.first(where: { $0.module == line.module }) else {
        return file.finding(
          line.line,
          "\(room.name) must not know \(line.module): arrows point down only (see Room.swift); "
            + "hand in what is needed as a value, or move the code to a higher room")
      }
      let isRoom = Room.all.contains { $0.name == line.module }
      if isRoom && !rooms.contains(line.module) {
        return file.finding(line.line, "there is no folder Sources/\(line.module) yet")
      }
      let missing = permission.conditions.filter { !line.isGuarded(by: $0) }
      if missing.isEmpty { return nil }
      return file.finding(
        line.line,
        "write this import between #if \(permission.conditions.joined(separator: " && ")) "
          + "and #endif, so that the file compiles elsewhere too")
    }
  }

  /// Every folder of Sources is in the table of rooms, and holds all Swift files.
  static func folders(_ folders: [String], _ files: [SourceFile]) -> [Finding] {
    let unknown = folders.filter { folder in !Room.all.contains { $0.name == folder } }
    let homeless = files.filter { $0.path.hasPrefix("Sources/") && $0.roomName == nil }
    return unknown.map {
      Finding("Sources/\($0)", 1, "give this module a floor in Room.swift, or another folder")
    } + homeless.map { $0.finding(1, "move this file into the folder of its module") }
  }

  /// The package depends on no other package, and carries no binary.
  static func manifest(_ file: SourceFile) -> [Finding] {
    [".package(", ".binaryTarget(", "Package.Dependency"].flatMap { file.occurrences(of: $0) }.map {
      file.finding($0.line, "the package depends on nothing: write what is needed by hand")
    }
  }
}

/// An `import`, and the `#if` conditions that hold where it stands.
struct ImportLine {
  let module: String
  let line: Int
  let prefix: [String]
  let conditions: [String]

  /// All imports of a file, whatever their access level, attributes and kind.
  static func all(in file: SourceFile) -> [ImportLine] {
    let lines = Dictionary(grouping: file.tokens, by: \.line)
    var imports: [ImportLine] = []
    var conditions: [String] = []
    for line in lines.keys.sorted() {
      let words = lines[line, default: []].map(\.text)
      let rest = words.dropFirst().joined()
      switch words[0] {
      case "#if": conditions.append(rest)
      case "#elseif": conditions[conditions.count - 1] = rest
      case "#else": conditions[conditions.count - 1] = "else"
      case "#endif": conditions.removeLast()
      default: imports += Self.all(in: words, line: line, conditions: conditions)
      }
    }
    return imports
  }

  private static func all(
    in words: [String], line: Int, conditions: [String]
  ) -> [ImportLine] {
    let kinds = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var", "actor"]
    return words.indices.filter { words[$0] == "import" && $0 + 1 < words.count }.map { index in
      let hasKind = kinds.contains(words[index + 1]) && index + 2 < words.count
      let module = words[index + (hasKind ? 2 : 1)]
      return ImportLine(
        module: String(module.filter { $0 != "`" }), line: line,
        prefix: Array(words[..<index]), conditions: conditions)
    }
  }

  /// Whether a condition is asked for, and not its opposite.
  func isGuarded(by condition: String) -> Bool {
    conditions.contains { text in
      !text.contains("||") && text.split(separator: "&").contains { $0 == condition }
    }
  }
}
