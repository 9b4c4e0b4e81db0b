// SPDX-License-Identifier: Apache-2.0
// The watchman's eyes: what counts as code, as a comment, and as text.

internal import Testing

@Suite struct SwiftTokenizerTests {
  @Test("Words, attributes, directives and punctuation are tokens with their lines")
  func tokens() {
    let tokens = SwiftTokenizer("@frozen struct A {\n  #if x\n  let b_1 = -2").tokens
    #expect(
      tokens.map(\.text) == [
        "@frozen", "struct", "A", "{", "#if", "x", "let", "b_1", "=", "-", "2",
      ])
    #expect(tokens.map(\.line) == [1, 1, 1, 1, 2, 2, 3, 3, 3, 3, 3])
  }

  @Test("The text of a string is no code, but its interpolation is")
  func strings() {
    let code = #"f("try! \(g("a)", h)) try!") + "\"x" + ""  // try!"#
    #expect(
      SwiftTokenizer(code).tokens.map(\.text) == [
        "f", "(", "\"", "g", "(", "\"", ",", "h", ")", ")", "+", "\"", "+", "\"",
      ])
    #expect(SwiftTokenizer(code).comments.map(\.text) == ["// try!"])
  }

  @Test("Strings of several lines and raw strings end where they should")
  func longStrings() {
    let code = "a \"\"\"\n \"quoted\" \\\"\"\" // no comment\n \"\"\" b #\"\" \\( \"# c"
    let tokens = SwiftTokenizer(code).tokens
    #expect(tokens.map(\.text) == ["a", "\"", "b", "\"", "c"])
    #expect(tokens.map(\.line) == [1, 1, 3, 3, 3])
    #expect(SwiftTokenizer(code).comments.isEmpty)
  }

  @Test("Block comments may be nested, and each of their lines is a comment")
  func blockComments() {
    let tokenizer = SwiftTokenizer("a /* one /* two */\nthree */ b\n/* c */ d")
    #expect(tokenizer.tokens.map(\.text) == ["a", "b", "d"])
    #expect(tokenizer.tokens.map(\.line) == [1, 2, 3])
    #expect(tokenizer.comments.map(\.text) == ["/* one /* two */", "three */", "/* c */"])
    #expect(tokenizer.comments.map(\.line) == [1, 2, 3])
  }

  @Test("A piece of code is found whatever stands before it, but not with spaces inside of it")
  func occurrences() {
    let file = SourceFile("Sources/A/B.swift", "try !a\ntry! b\nx\n  .split(separator:\"c\")")
    #expect(file.occurrences(of: "try!").map(\.line) == [2])
    #expect(file.occurrences(of: ".split(separator: \"").map(\.line) == [4])
  }
}
