// SPDX-License-Identifier: Apache-2.0
// Compares docs/reference/command-line.md with the commands, their operands and their options.

internal import Foundation
internal import SigningTestSupport
import Testing

@testable import sigv4

@Suite("docs/reference/command-line.md")
struct CommandLinePageTests {
  static let path = "../reference/command-line.md"

  /// The cells of each row below the section's headings.
  static func rows(_ heading: String) throws -> [[String]] {
    try rows(HowToPage(path, section: heading).lines)
  }

  private static func rows(_ lines: [String]) -> [[String]] {
    lines.filter { $0.hasPrefix("| ") }.map { line in
      line.replacing("\\|", with: "\u{0}").split(separator: "|").map {
        $0.trimmingCharacters(in: .whitespaces).replacing("\u{0}", with: "|")
      }
    }
  }

  /// The options of code such as `--expires TIME`, with their placeholders.
  private static func options(_ cell: String) -> [(name: String, value: String?)] {
    cell.split(separator: "`").filter { $0.hasPrefix("-") }.flatMap { code in
      code.matches(of: /(--?[A-Za-z][a-z0-9-]*)(?: ('[^']*'|[A-Z][^ ]*))?/).map {
        (String($0.1), $0.2.map(String.init))
      }
    }
  }

  /// The documented options of a command: its own rows and those that it shares with others.
  private static func documented(_ command: String) throws -> [(name: String, value: String?)] {
    let page = try HowToPage(path)
    // A page without a section has no options.
    if !page.lines.contains("## " + command) { return [] }
    let text = try HowToPage(path, section: command).lines.joined(separator: " ")
    var options = try rows(command).flatMap { Self.options($0[0]) }
    if command == "token" {
      // The options of a kind are on the page of all tokens.
      options += try TokenTableTests.rows().flatMap { row in
        Self.options(row[0].filter { $0 != "[" && $0 != "]" }.replacing(" --", with: "` `--"))
      }
      options += text.matches(of: /(?:^| )((?:`--[a-z]+`(?:, | and )?)+) are \[common options\]/)
        .flatMap { Self.options(String($0.1)) }
      if text.contains("with `--json` an object") { options.append(("--json", nil)) }
    }
    let sentence = "accept all of these options"
    let sharing = try #require(
      page.lines.first { $0.contains(sentence) }?.components(separatedBy: sentence).first)
    let common = try Self.rows("Common options").flatMap { Self.options($0[0]) }
    if sharing.contains("`\(command)`") { options += common }
    if text.contains("accepts the options of `sign`") {
      let isExcepted = text.contains("options of `sign` except `--curl`")
      options += try documented("sign").filter { !isExcepted || $0.name != "--curl" }
    }
    return options
  }

  @Test("Each declared option is documented, and each documented option is declared")
  func options() throws {
    for command in CommandDescription.all {
      let documented = try Self.documented(command.name)
      for option in command.options {
        #expect(
          documented.contains { option.names.contains($0.name) },
          "\(command.name) lacks \(option.longName)")
      }
      for (name, value) in documented {
        let option = command.options.first { $0.names.contains(name) }
        #expect(option != nil, "\(command.name) has no \(name)")
        if let value, let declared = option?.valueName {
          #expect(declared == value, "\(command.name) \(name)")
        }
      }
    }
  }

  @Test("The table of commands shows each usage")
  func usage() throws {
    let page = try HowToPage(Self.path).lines
    let table = Self.rows(Array(page.prefix { !$0.hasPrefix("## ") })).map { $0[0] }
    for command in CommandDescription.all {
      #expect(table.contains { $0.contains("`\(command.usage)`") }, "\(command.usage)")
    }
    // The heading and the row of help are no commands.
    #expect(table.count == CommandDescription.all.count + 2)
  }

  @Test("The options with fixed values list all of them")
  func values() throws {
    let hash = try #require(try Self.rows("hash").last)
    let names = hash[1].matches(of: /`([a-z0-9]+)`/).map { String($0.1) }
    #expect(names == HashAlgorithm.all.map(\.name))
  }

  @Test("The members of explain's JSON match its table")
  func members() throws {
    let documented = try Self.rows("explain").flatMap { row in
      row[0].hasPrefix("`-") ? [] : row[0].matches(of: /`([A-Za-z]+)`/).map { String($0.1) }
    }
    let fixture = try CommandFixture()
    let command = try CommandDescription.named("explain")
    // A different prefix is a difference in a line, a different clock has an offset.
    let printed = try [["-X", "DELETE", "s3://films/a"], ["s3://films/a"]].flatMap { arguments in
      let output = try fixture.run(command, ["--json"] + arguments).output
      let json = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
      return try Array(#require(json).keys)
    }
    #expect(Set(printed).isSubset(of: documented), "\(Set(printed).subtracting(documented))")
    #expect(Set(documented).subtracting(printed) == ["clockOffset", "subject"])
  }
}
