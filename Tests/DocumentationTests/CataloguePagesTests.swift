// SPDX-License-Identifier: Apache-2.0
// Every example in the DocC catalogs is in a file here, where it compiles.

internal import Foundation
internal import SigningTestSupport
internal import Testing

/// The Swift lines in `Sources/MODULE/Documentation.docc` are in `MODULEPagesTests.swift`.
@Suite("DocC catalogs")
struct CataloguePagesTests {
  static let folder = Repository.tests.appendingPathComponent("DocumentationTests/Pages")

  static let modules: [String] = {
    let sources = Repository.root.appendingPathComponent("Sources")
    let names = try? FileManager.default.contentsOfDirectory(atPath: sources.path)
    return (names ?? []).sorted().filter {
      let catalogue = sources.appendingPathComponent($0 + "/Documentation.docc").path
      return FileManager.default.fileExists(atPath: catalogue)
    }
  }()

  @Test("Every library module has a catalog")
  func count() {
    #expect(Self.modules.count == 16)
  }

  @Test("Every line of code on a module's pages fits the column and compiles", arguments: modules)
  func lines(module: String) throws {
    let file = Self.folder.appendingPathComponent(module + "PagesTests.swift")
    let compiled = Set(try HowToPage.lines(of: file).map(HowToPage.trimmed))
    let catalogue = "../../Sources/\(module)/Documentation.docc/"
    let pages = try FileManager.default.contentsOfDirectory(
      atPath: Repository.root.appendingPathComponent("docs/how-to/" + catalogue).path)
    #expect(pages.contains(module + ".md"))
    for name in pages.sorted() {
      let code = try HowToPage(catalogue + name).block("swift").map(HowToPage.trimmed)
      #expect(code.isEmpty || code.contains("import " + module), "\(name)")
      for line in code where !line.isEmpty {
        let isThere = compiled.contains(line) || compiled.contains("internal " + line)
        #expect(isThere, "\(name): \(line)")
      }
      // DocC's column on a screen of 1,280 pixels.
      for line in try HowToPage(catalogue + name).block("swift") where line.count > 76 {
        Issue.record("\(name): \(line)")
      }
    }
  }
}
