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

  /// Expects every line of Swift on the page in a file, or in another one of `Tests`, and at least `count` of them.
  package func expectCode(
    in file: String, or other: String? = nil, count: Int,
    importing modules: [String] = ["RequestSigning"]
  ) throws {
    let here = Set(
      try [URL(fileURLWithPath: file), other.map(Repository.tests.appendingPathComponent)]
        .compactMap(\.self).flatMap { try Self.lines(of: $0).map(Self.trimmed) })
    let code = block("swift").map(Self.trimmed)
    let imports = modules.map { "import " + $0 }
    #expect(code.count >= count)
    #expect(code.filter { !$0.isEmpty && !here.contains($0) } == imports)
  }

  /// The lines between the fences of a language.
  package func block(_ language: String) -> [String] {
    var isInside = false
    return lines.filter { line in
      if line.hasPrefix("```") { isInside = line == "```" + language }
      return isInside && !line.hasPrefix("```")
    }
  }

  package static func lines(of file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  package static func trimmed(_ line: String) -> String {
    line.trimmingCharacters(in: .whitespaces)
  }
}
