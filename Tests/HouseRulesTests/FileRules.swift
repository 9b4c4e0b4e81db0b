// SPDX-License-Identifier: Apache-2.0
// The shape of files: names, size, the two header lines, and what must not be committed.

enum FileRules {
  static let maximumLineCount = 400

  /// No two files have the same name, not even in different letter case.
  static func uniqueNames(_ files: [SourceFile]) -> [Finding] {
    let groups = Dictionary(grouping: files) { $0.name.lowercased() }.values
    return groups.filter { $0.count > 1 }.flatMap { group in
      group.map { file in
        let others = group.filter { $0.path != file.path }.map(\.path).joined(separator: ", ")
        return file.finding(1, "give this file a name of its own: also called so is \(others)")
      }
    }.sorted { $0.path < $1.path }
  }

  /// A file fits into a reader's head.
  static func size(_ file: SourceFile) -> [Finding] {
    let count = file.lines.last == "" ? file.lines.count - 1 : file.lines.count
    if count <= maximumLineCount { return [] }
    return [
      file.finding(
        maximumLineCount + 1,
        "the file has \(count) lines: move a part into a file of its own (at most "
          + "\(maximumLineCount))")
    ]
  }

  /// The licence, and one sentence that says which room this is.
  static func header(_ file: SourceFile) -> [Finding] {
    let license = "// SPDX-License-Identifier: Apache-2.0"
    if file.lines.first.map(String.init) != license {
      return [file.finding(1, "begin with the line '\(license)'")]
    }
    let sentence = file.lines.dropFirst().first ?? ""
    let isSentence =
      sentence.hasPrefix("// ") && sentence.hasSuffix(".") && sentence.contains { $0 == " " }
      && sentence.split(separator: " ").count > 3
    if isSentence { return [] }
    return [file.finding(2, "say in one comment sentence which room this is, with its full stop")]
  }

  static let maximumPictureSize = 65_536

  /// Only text is committed, and small pictures for the documentation.
  static func binary(_ path: String, _ bytes: [UInt8]) -> [Finding] {
    let isPicture = path.hasPrefix("docs/") && bytes.starts(with: [0x89] + Array("PNG\r\n".utf8))
    if isPicture && path.hasSuffix(".png") && bytes.count <= maximumPictureSize { return [] }
    if !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil { return [] }
    return [Finding(path, 1, "no binary files: commit the text or the script that it comes from")]
  }

  /// No path of one machine.
  ///
  /// A path counts where it begins: the path of a URL is none.
  static func machinePaths(_ path: String, _ text: String, homeFolder: String) -> [Finding] {
    let slash = "/"
    var places = ["root", "work"].map { slash + $0 + slash }
    if homeFolder.utf8.count > 1 { places.append(homeFolder + slash) }
    return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap {
      index, line in
      let isFound =
        places.contains { begins($0, in: line) } || line.contains("bash" + "_jobs")
      return isFound
        ? [Finding(path, index + 1, "no path of one machine: write it relative, or as $HOME")] : []
    }
  }

  private static func begins(_ place: String, in line: Substring) -> Bool {
    line.ranges(of: place).contains { range in
      let before = line[..<range.lowerBound]
      guard let last = before.last else { return true }
      return before.hasSuffix("file://")
        || !(last.isLetter || last.isNumber || "/._-~%}".contains(last))
    }
  }
}
