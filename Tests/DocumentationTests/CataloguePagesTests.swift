// SPDX-License-Identifier: Apache-2.0
// Every example of the DocC catalogues stands in a file here, where it is compiled.

internal import Foundation
@testable internal import SigningTestSupport
internal import Testing

/// The lines of Swift of `Sources/MODULE/Documentation.docc` stand in `MODULEPagesTests.swift`.
@Suite("Catalogues of DocC")
struct CataloguePagesTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  static let modules: [String] = {
    let sources = folder.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources")
    let names = try? FileManager.default.contentsOfDirectory(atPath: sources.path)
    return (names ?? []).sorted().filter {
      let catalogue = sources.appendingPathComponent($0 + "/Documentation.docc").path
      return FileManager.default.fileExists(atPath: catalogue)
    }
  }()

  @Test("There is a catalogue for every library module")
  func count() {
    #expect(Self.modules.count == 13)
  }

  @Test("Every line of code on the pages of a module is compiled", arguments: modules)
  func lines(module: String) throws {
    let file = Self.folder.appendingPathComponent(module + "PagesTests.swift")
    let compiled = Set(try HowToPage.lines(of: file).map(HowToPage.trimmed))
    let catalogue = "../../Sources/\(module)/Documentation.docc/"
    let pages = try FileManager.default.contentsOfDirectory(
      atPath: Self.folder.appendingPathComponent(catalogue).path)
    #expect(pages.contains(module + ".md"))
    for name in pages.sorted() {
      let code = try HowToPage(catalogue + name).block("swift").map(HowToPage.trimmed)
      #expect(code.isEmpty || code.contains("import " + module), "\(name)")
      for line in code where !line.isEmpty {
        let isThere = compiled.contains(line) || compiled.contains("internal " + line)
        #expect(isThere, "\(name): \(line)")
      }
    }
  }
}
