// SPDX-License-Identifier: Apache-2.0
// Compares a how-to page with the compiled lines of a test file.

package import Foundation
internal import Testing

/// A page of docs/how-to, by its name, or a different one by its path relative to that folder.
package struct HowToPage {
  package let lines: [String]

  package init(_ name: String) throws {
    lines = try Self.lines(of: Repository.root.appendingPathComponent("docs/how-to/" + name))
  }

  /// One section of a page: the lines below this heading, up to the next one of its kind.
  package init(_ name: String, section heading: String) throws {
    let page = try HowToPage(name)
    let start = try #require(page.lines.firstIndex(of: "## " + heading))
    lines = Array(page.lines[(start + 1)...].prefix { !$0.hasPrefix("## ") })
  }

  /// Expects every line of Swift on the page in a file, and at least `count` of them. Imports and whole blocks by their
  /// numbers are skipped, for example of a program that sends: `.ci/check-samples` compiles the page.
  package func expectCode(in file: String, count: Int, skipping skipped: Set<Int> = []) throws {
    let here = Set(try Self.lines(of: URL(fileURLWithPath: file)).map(Self.trimmed))
    let code = blocks("swift").enumerated().filter { !skipped.contains($0.offset) }
      .flatMap(\.element).map(Self.trimmed)
    #expect(code.count >= count)
    #expect(
      code.filter { !$0.isEmpty && !$0.hasPrefix("import ") && !here.contains($0) } == [])
  }

  /// The lines between the fences of a language.
  package func block(_ language: String) -> [String] {
    blocks(language).flatMap(\.self)
  }

  private func blocks(_ language: String) -> [[String]] {
    var blocks: [[String]] = []
    var isInside = false
    for line in lines {
      if line.hasPrefix("```") {
        isInside = line == "```" + language
        if isInside { blocks.append([]) }
      } else if isInside {
        blocks[blocks.count - 1].append(line)
      }
    }
    return blocks
  }

  package static func lines(of file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  package static func trimmed(_ line: String) -> String {
    line.trimmingCharacters(in: .whitespaces)
  }
}
