// SPDX-License-Identifier: Apache-2.0
// The reasons above the unsafe expressions of the sources, and examples without.

internal import Testing

@Suite struct SafetyTests {
  @Test("Every function says why it is safe before its first unsafe expression")
  func reasons() throws {
    let files = try SourceTree.swiftFiles(in: "Sources")
    #expect(files.contains { !SwiftFunction.unsafeOnes(in: $0).isEmpty })
    Finding.report(files.flatMap(SafetyRules.reasons))
  }

  @Test(
    "An unsafe expression without a reason is found",
    arguments: [
      ("func f() { unsafe g() }", 1),
      ("struct A {\n  init() {\n    unsafe g()\n    // Safety: too late.\n  }\n}", 3),
      ("// Safety: another function.\nfunc f() {}\nfunc g() { unsafe h() }", 3),
      ("func f() {\n  // Safety: fine.\n  unsafe g()\n}\nfunc h() {\n  unsafe g()\n}", 6),
      ("/// Safety: documentation is no reason.\nfunc f() { unsafe g() }", 2),
      ("struct A {\n  var a: Int {\n    unsafe g()\n  }\n}", 3),
      ("struct A {\n  let b = 1\n  struct C {\n    deinit { unsafe g() }\n  }\n}", 4),
      ("enum A {\n  static let a = unsafe g()\n}", 2),
      ("class A {\n  class func f() { unsafe g() }\n}", 2),
      ("func f() { let text = \"\\(unsafe g())\" }", 1),
    ])
  func bad(text: String, line: Int) {
    #expect(SafetyRules.reasons(SourceFile("A.swift", text)).map(\.line) == [line])
  }

  @Test(
    "An unsafe expression with its reason is no finding",
    arguments: [
      "func f() {\n  // Safety: below 64.\n  unsafe g()\n  unsafe h()\n}",
      "// Safety: below 64.\n@inlinable\nfunc f() { unsafe g() }",
      "/// What it does.\n// Safety: below 64.\nfunc f() { unsafe g() }",
      "func f() {\n  // Safety: below 64.\n  func g() { unsafe h() }\n  unsafe i { unsafe $0 }\n}",
      "enum A {\n  // Safety: below 64.\n  static let a = unsafe g()\n}",
      "nonisolated(unsafe) var a = 1",
      "// unsafe g()\nlet a = \"unsafe g()\"",
    ])
  func good(text: String) {
    #expect(SafetyRules.reasons(SourceFile("A.swift", text)).map(\.line) == [])
  }
}
