// SPDX-License-Identifier: Apache-2.0
// The words of the sources, and examples of each forbidden one.

internal import Testing

@Suite struct WordTests {
  @Test("No source contains a forbidden piece of code")
  func forbiddenCode() throws {
    Finding.report(try SourceTree.swiftFiles(in: "Sources").flatMap(WordRules.forbiddenCode))
  }

  @Test("No core room has an existential")
  func existentials() throws {
    Finding.report(try SourceTree.swiftFiles(in: "Sources").flatMap(WordRules.existentials))
  }

  @Test("Nothing has package access")
  func packageAccess() throws {
    Finding.report(try SourceTree.swiftFiles(in: "Sources").flatMap(WordRules.packageAccess))
  }

  @Test("No source is unfinished")
  func unfinished() throws {
    let files = try SourceTree.swiftFiles(in: "Sources", "Tests", "Benchmarks")
    Finding.report(files.flatMap(WordRules.unfinished))
  }

  @Test("No code is commented out")
  func commentedOutCode() throws {
    let files = try SourceTree.swiftFiles(in: "Sources", "Tests", "Benchmarks")
    Finding.report(files.flatMap(WordRules.commentedOutCode))
  }

  @Test("Each forbidden piece of code is found where it is forbidden", arguments: 0..<22)
  func badCode(index: Int) throws {
    #expect(ForbiddenCode.all.count == 22)
    let forbidden = ForbiddenCode.all[index]
    let text = "// The word \(forbidden.code)\nx " + forbidden.code
    let core = WordRules.forbiddenCode(SourceFile("Sources/RequestSigning/A.swift", text))
    #expect(core.map(\.line) == [2])
    let command = WordRules.forbiddenCode(SourceFile("Sources/sigv4/A.swift", text))
    #expect(command.map(\.line) == (forbidden.onlyInCore ? [] : [2]))
  }

  @Test("What only resembles forbidden code is no finding")
  func goodCode() {
    let text = #"""
      let text = "try! fatalError() \n[String: Int]"
      let is = try !isEmpty
      let folded = bytes.map(ASCII.lowercased)
      let parts = bytes.split(separator: ASCII.slash)
      let asynchronous = "\(name).lowercased"
      """#
    let file = SourceFile("Sources/RequestSigning/A.swift", text)
    #expect(WordRules.forbiddenCode(file).map(\.line) == [])
  }

  @Test("Existentials are found")
  func badExistentials() {
    let text = "let a: any Error\nlet b: any (P & Q)\nlet any = 1\nf(any: x)\n// any word"
    let core = SourceFile("Sources/SecureHashing/A.swift", text)
    #expect(WordRules.existentials(core).map(\.line) == [1, 2])
    #expect(WordRules.existentials(SourceFile("Sources/sigv4/A.swift", text)).isEmpty)
  }

  @Test("Package access is found")
  func badPackageAccess() {
    let text = "package struct A {}\npackage(set) var b\nlet package = 1\npackage import B"
    #expect(WordRules.packageAccess(SourceFile("A.swift", text)).map(\.line) == [1, 2, 4])
  }

  @Test("Notes about unfinished work are found in comments")
  func badNotes() {
    let notes = ["// TO" + "DO: x", "/// Fast. FIX" + "ME", "f() // XX" + "X", "// Methods"]
    let file = SourceFile("A.swift", notes.joined(separator: "\n"))
    #expect(WordRules.unfinished(file).map(\.line) == [1, 2, 3])
  }

  @Test(
    "Code that is commented out is found",
    arguments: [
      "// let a = 1", "// var b: Int", "// return f(x)", "// f(x)", "// if a {", "// }", "// })",
      "// func f() -> Int", "// import Foundation", "// public struct A", "/* try f(x) */",
      "// bytes.forEach { print($0) }",
    ])
  func badComment(text: String) {
    #expect(WordRules.commentedOutCode(SourceFile("A.swift", text)).count == 1)
  }

  @Test(
    "A sentence is no code that is commented out",
    arguments: [
      "// FIPS 180-4, 6.2.2, step 3", "// Safety: index < 16, and a block has 16 words (64 bytes).",
      "// return early", "// K0 xor ipad", "// MARK: - Helpers", "/// let a = 1",
      "// (4.2) and (4.3); the next round finds this a ^ b again as its b ^ c.",
      "// S = k^-1 (e + r d) mod n", "// let the caller decide", "// public: everyone knows it.",
    ])
  func goodComment(text: String) {
    #expect(WordRules.commentedOutCode(SourceFile("A.swift", text)).map(\.advice) == [])
  }
}
