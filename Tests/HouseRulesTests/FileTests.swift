// SPDX-License-Identifier: Apache-2.0
// The shape of this repository's files, and examples of misshapen ones.

internal import Foundation
internal import Testing

@Suite struct FileTests {
  @Test("No two Swift files of Sources, Tests and Benchmarks have the same name")
  func uniqueNames() throws {
    let files = try SourceTree.swiftFiles(in: "Sources", "Tests", "Benchmarks")
    Finding.report(FileRules.uniqueNames(files))
  }

  @Test("No Swift file has more than 400 lines")
  func sizes() throws {
    let files = try SourceTree.swiftFiles(in: "Sources", "Tests", "Benchmarks")
    #expect(files.contains { $0.path.hasPrefix("Tests/") })
    Finding.report(files.flatMap(FileRules.size))
  }

  @Test("Every Swift file begins with its licence and a sentence that says what it is")
  func headers() throws {
    let files = try SourceTree.swiftFiles(in: "Sources", "Tests", "Benchmarks")
    Finding.report(files.flatMap(FileRules.header))
  }

  @Test("Every file is text, and names no path of one machine")
  func contents() throws {
    let files = try SourceTree.allFiles()
    #expect(files.contains { $0.path == "Package.swift" })
    let homeFolder = FileManager.default.homeDirectoryForCurrentUser.path
    for (path, bytes) in files {
      Finding.report(FileRules.binary(path, bytes))
      let text = String(decoding: bytes, as: UTF8.self)
      Finding.report(FileRules.machinePaths(path, text, homeFolder: homeFolder))
    }
  }

  @Test("Two files of one name are found, in whatever case")
  func sameName() {
    let files = ["Sources/A/Same.swift", "Sources/B/C/same.swift", "Sources/A/Other.swift"]
    #expect(
      FileRules.uniqueNames(files.map { SourceFile($0, "") }).map(\.path) == [
        "Sources/A/Same.swift", "Sources/B/C/same.swift",
      ])
  }

  @Test("A file of 401 lines is found, one of 400 is not")
  func tooLong() {
    let line = "let a = 1\n"
    let longest = SourceFile("A.swift", String(repeating: line, count: 400))
    let tooLong = SourceFile("A.swift", String(repeating: line, count: 401))
    #expect(FileRules.size(longest).isEmpty)
    #expect(FileRules.size(tooLong).map(\.line) == [401])
  }

  @Test(
    "A missing or broken header is found",
    arguments: [
      ("", 1),
      ("import A", 1),
      ("\n// SPDX-License-Identifier: Apache-2.0\n// A sentence about this.", 1),
      ("// SPDX-License-Identifier: MIT\n// A sentence about this.", 1),
      ("// SPDX-License-Identifier: Apache-2.0", 2),
      ("// SPDX-License-Identifier: Apache-2.0\n\n// A sentence about this.", 2),
      ("// SPDX-License-Identifier: Apache-2.0\n// No full stop here", 2),
      ("// SPDX-License-Identifier: Apache-2.0\n/// Documentation of a type.", 2),
      ("// SPDX-License-Identifier: Apache-2.0\n// Constants.", 2),
    ])
  func badHeader(text: String, line: Int) {
    #expect(FileRules.header(SourceFile("A.swift", text)).map(\.line) == [line])
  }

  @Test("A file with a zero byte, or that is not UTF-8, is found")
  func binary() {
    #expect(FileRules.binary("a", [0x41, 0x00]).count == 1)
    #expect(FileRules.binary("a", [0x41, 0xFF]).count == 1)
    #expect(FileRules.binary("a", Array("héllo\n".utf8)).isEmpty)
    let picture: [UInt8] = [0x89] + Array("PNG\r\n\u{1A}\n\0".utf8)
    let large = picture + [UInt8](repeating: 0, count: FileRules.maximumPictureSize)
    #expect(FileRules.binary("docs/a.png", picture).isEmpty)
    #expect(FileRules.binary("docs/a.png", large).count == 1)
    #expect(FileRules.binary("docs/a.jpg", picture).count == 1)
    #expect(FileRules.binary("Tests/a.png", picture).count == 1)
    #expect(FileRules.binary("docs/a.png", [0x00]).count == 1)
  }

  @Test("Paths of one machine are found, but not the same words inside of a URL")
  func machinePaths() {
    let text = ["see /@/a", "file:///@/b", "https://example.com/@/", "(/home/ada/x)", "a/@/b"]
    let findings = ["root", "work"].map { name in
      let lines = text.map { $0.split(separator: "@").joined(separator: name) }
      return FileRules.machinePaths(
        "a.md", lines.joined(separator: "\n"), homeFolder: "/home/ada"
      ).map(\.line)
    }
    #expect(findings == [[1, 2, 4], [1, 2, 4]])
    #expect(FileRules.machinePaths("a", "/tmp/bash" + "_jobs.1/x", homeFolder: "").count == 1)
    #expect(FileRules.machinePaths("a", "//", homeFolder: "/").isEmpty)
  }
}
