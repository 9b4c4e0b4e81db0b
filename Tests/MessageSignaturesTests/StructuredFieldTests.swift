// SPDX-License-Identifier: Apache-2.0
// Structured fields: the tests of their working group.

@testable internal import MessageSignatures
internal import TestSupport
internal import Testing

@Suite("Structured fields")
struct StructuredFieldTests {
  /// Source: httpwg/structured-field-tests (`structured-fields.txt`).
  @Test("All 1,580 fields of the working group's tests are parsed and written again, or rejected")
  func workingGroup() throws {
    let vectors = try VectorTable(named: "structured-fields.txt").records
    var (written, rejected, optional) = (0, 0, 0)
    for vector in vectors {
      let raw = try vector.texts("raw").joined(separator: ", ")
      let result = try again(raw, vector.text("type"))
      switch try vector.optionalText("fails") {
      case "always":
        #expect(result == nil, "\(vector)")
        rejected += 1
      case "maybe" where result == nil: optional += 1
      default:
        #expect(try result == vector.text("canonical"), "\(vector)")
        written += 1
      }
    }
    #expect((vectors.count, written, rejected, optional) == (1580, 715, 864, 1))
  }

  private func again(_ text: String, _ type: String) throws -> String? {
    let types: [String: StructuredField.FieldType] = [
      "item": .item, "list": .list, "dictionary": .dictionary,
    ]
    let type = try #require(types[type])
    return (try? StructuredField.parse(Array(text.utf8), as: type)).map {
      StructuredField.text(of: $0).asString
    }
  }

  /// Source: RFC 9651, sections 3.1, 3.1.1 and 3.1.2: 1,024 members and 256 others must be
  /// supported.
  @Test("A field has at most 1,024 members, parameters, or items of an inner list")
  func limits() throws {
    for (count, isParsed) in [(1024, true), (1025, false)] {
      let numbers = (0..<count).map(String.init)
      for text in [
        numbers.joined(separator: ","), "(" + numbers.joined(separator: " ") + ")",
        "a" + numbers.map { ";b" + $0 }.joined(),
      ] {
        #expect((try again(text, "list") != nil) == isParsed)
      }
    }
  }

  @Test("A name that appears twice is replaced in its place, or rejected where labels are read")
  func repeatedNames() throws {
    let text = Array("a=1, b=2, a=3".utf8)
    #expect(StructuredField.text(of: try StructuredField.dictionary(text)).asString == "a=3, b=2")
    #expect(throws: StructuredField.ParsingError.self) {
      try StructuredField.dictionary(text, repeated: .rejected)
    }
  }
}
