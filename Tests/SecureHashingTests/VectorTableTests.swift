// SPDX-License-Identifier: Apache-2.0
// The tests' own tools: a table that is misread would make every vector test worthless.

internal import TestSupport
internal import Testing

@Suite("Vector tables")
struct VectorTableTests {
  static func table(_ text: String) throws -> VectorTable {
    try VectorTable(bytes: Array(text.utf8), fileName: "example.txt")
  }

  @Test("Records are separated by blank lines, and comments are skipped")
  func records() throws {
    let table = try Self.table("# a\n\n\nname: one\n# b\nx: 1\n\n\nname: two\nx: 2")
    #expect(table.records.map(\.name) == ["one", "two"])
    #expect(try table.records.map { try $0.integer("x") } == [1, 2])
    #expect(try table.record(named: "two").text("x") == "2")
    #expect("\(table.records[1])" == "two")
  }

  @Test("A value may hold colons, spaces and escapes, be empty, and be repeated in order")
  func values() throws {
    let text = #"""
      header: Host: a.example
      header:  two spaces
      empty:
      escapes: \\ \n\r\t\x00\xfF
      digest: 00fF
      """#
    let record = try Self.table(text).records[0]
    #expect(try record.texts("header") == ["Host: a.example", " two spaces"])
    #expect(try record.texts("none") == [])
    #expect(try record.text("empty") == "")
    #expect(try record.optionalText("none") == nil)
    #expect(try record.bytes("escapes") == [0x5C, 0x20, 0x0A, 0x0D, 0x09, 0x00, 0xFF])
    #expect(try record.hexadecimal("digest") == [0x00, 0xFF])
    #expect(try record.hexadecimal("empty") == [])
    #expect(record.name == "example.txt, line 1")
  }

  @Test(
    "A malformed table is rejected",
    arguments: [
      "", "# only a comment\n", "no colon", ": no name",
      #"a: \q"#, #"a: \x0"#, #"a: \x0g"#, #"a: \"#,
    ])
  func malformedTable(_ text: String) {
    #expect(throws: VectorTableError.self) { try Self.table(text) }
  }

  @Test("A value that's missing, repeated or of another kind is rejected, with its place")
  func malformedValue() throws {
    let record = try Self.table("# one\n\na: 0\nb: 1\nb: 2\nc: \\xFF\nd: 0g\n").records[0]
    #expect(throws: VectorTableError.self) { try record.text("b") }
    #expect(throws: VectorTableError.self) { try record.text("c") }
    #expect(throws: VectorTableError.self) { try record.hexadecimal("a") }
    #expect(throws: VectorTableError.self) { try record.hexadecimal("d") }
    #expect(throws: VectorTableError.self) { try record.integer("d") }
    let error = #expect(throws: VectorTableError.self) { try record.text("missing") }
    #expect(error?.description == "example.txt, line 3: the record has no field 'missing'")
  }
}
