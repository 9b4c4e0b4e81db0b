// SPDX-License-Identifier: Apache-2.0
// The reader of JSON against the grammar of RFC 8259, and against Foundation's.

internal import SigningTestSupport
internal import DocumentSupport
internal import Foundation
internal import RequestSigning
internal import TestSupport
internal import Testing

@Suite("JSON reader")
struct JSONReaderTests {
  /// RFC 8259; the number is that of the section.
  @Test("Every form of the grammar is parsed")
  func accepted() {
    [
      ("2, whitespace", " \t\r\n[ \t\r\n1 \t\r\n, 2 ] \n", "[1,2]"),
      ("2, a text is any value", "\"a\"", "\"a\""),
      ("3, words", "[true,false,null]", "[true,false,null]"),
      ("4, empty object", "{ }", "{}"),
      ("4, members in order", #"{"b":1,"a":{"c":[]}}"#, #"{"b":1,"a":{"c":[]}}"#),
      ("4, names that Unicode calls equal", #"{"é":1,"e\u0301":2}"#, "{\"é\":1,\"e\u{301}\":2}"),
      ("4, empty name", #"{"":1}"#, #"{"":1}"#),
      ("5, empty array", "[ ]", "[]"),
      ("5, nested", "[[],[[1]],{}]", "[[],[[1]],{}]"),
      ("6, numbers", "[0,-0,10,-1.5,1e3,1E+3,1.25e-10]", "[0,-0,10,-1.5,1e3,1E+3,1.25e-10]"),
      ("6, huge", "123456789012345678901234567890e999", "123456789012345678901234567890e999"),
      ("7, escapes", #""\"\\\/\b\f\n\r\t""#, "\"\"\\/\u{8}\u{C}\n\r\t\""),
      ("7, units", #""\u0041\u00e9\u20AC\u0000""#, "\"Aé€\u{0}\""),
      ("7, a pair", #""\uD83D\uDE00 \ud800\udc00""#, "\"\u{1F600} \u{10000}\""),
      ("7, plain", "\"é€\u{1F600}\u{7F}\u{2028}\"", "\"é€\u{1F600}\u{7F}\u{2028}\""),
      ("8.1, a noncharacter", "\"\u{FFFF}\u{FFFD}\"", "\"\u{FFFF}\u{FFFD}\""),
    ].forEachCase { (section: String, text: String, meaning: String) in
      try expect(section, written(JSONReader.value(of: text.utf8)), is: meaning)
    }
  }

  @Test("Anything outside the grammar is rejected")
  func refused() {
    [
      "", " ", "[", "]", "{", "}", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1]]", "[1],", "1 2",
      "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,\"a\":1}", "{a:1}", "{'a':1}", "{1:1}", "{\"a\" 1}",
      "{\"a\":1 \"b\":2}", "[1}", "{\"a\":1]", "tru", "True", "nul", "NaN", "Infinity", "truex",
      "+1", "01", "-", "-01", "1.", ".5", "1.e3", "1e", "1e+", "0x1", "1_000", "--1", "-a",
      "\"a", "\"", "'a'", "\"\\a\"", "\"\\", "\"\\\"", "\"\\u\"", "\"\\u12\"", "\"\\u12g4\"",
      "\"\\U0041\"", "\"a\nb\"", "\"a\tb\"", "\"a\u{0}b\"", "\u{FEFF}1", "/**/1", "1//",
      "\u{A0}1", "[1]\u{0}", "\u{B}1",
    ].forEachCase { (text: String) throws in
      #expect(code { try JSONReader.value(of: text.utf8) } == .invalidSyntax)
    }
  }

  @Test("Half of a surrogate pair is rejected")
  func surrogates() {
    [
      #""\uD800""#, #""\uDC00""#, #""\uD800x""#, #""\uD800\n""#, #""\uD800\u0041""#,
      #""\uDC00\uD800""#, #""\uD800\uD800\uDC00""#,
    ].forEachCase { (text: String) throws in
      #expect(code { try JSONReader.value(of: text.utf8) } == .invalidText)
    }
  }

  /// RFC 3629, 3 and 10.
  @Test("Invalid UTF-8 is rejected, in strings and elsewhere")
  func encoding() {
    ([
      [0xFF], [0x80], [0xC3], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
      [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80],
    ] as [[UInt8]]).forEachCase { (bytes: [UInt8]) throws in
      #expect(code { try JSONReader.value(of: [0x22] + bytes + [0x22]) } == .invalidText)
      #expect(code { try JSONReader.value(of: [0x5B] + bytes + [0x5D]) } == .invalidText)
    }
  }

  @Test("A name that occurs twice in one object is rejected, however it's written")
  func duplicates() throws {
    for text in [#"{"a":1,"a":1}"#, #"{"a":1,"b":2,"\u0061":3}"#, #"[{"":{"a":{},"a":{}}}]"#] {
      #expect(code { try JSONReader.value(of: text.utf8) } == .duplicateName, "\(text)")
    }
    let apart = try JSONReader.value(of: #"{"a":{"a":1},"b":{"a":1}}"#.utf8)
    #expect(apart["a"]?["a"] != nil && apart["b"]?["a"] != nil && apart["c"] == nil)
  }

  @Test("Depth and size are bounded, and hostile documents are rejected in linear time")
  func bounds() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    #expect(throws: Never.self) { try JSONReader.value(of: nested(64)) }
    #expect(code { try JSONReader.value(of: nested(65)) } == .tooDeep)
    #expect(code { try JSONReader.value(of: nested(500_000)) } == .tooDeep)
    let objects = String(repeating: #"{"a":"#, count: 65)
    #expect(code { try JSONReader.value(of: objects.utf8) } == .tooDeep)

    let full = [UInt8](repeating: 0x20, count: 1_048_575) + [0x31]
    #expect(throws: Never.self) { try JSONReader.value(of: full) }
    #expect(code { try JSONReader.value(of: [0x20] + full) } == .tooLarge)
    #expect(code { try JSONReader.value(of: full, atMost: 0) } == .tooLarge)
    #expect(code { try JSONReader.value(of: full, atMost: -1) } == .tooLarge)
    #expect(code { try JSONReader.value(of: full, atMost: .max) } == nil)
    let names = (0..<40_000).map { #""a\#($0)":0"# }.joined(separator: ",")
    guard case .object(let members) = try JSONReader.value(of: "{\(names)}".utf8) else {
      Issue.record("no object")
      return
    }
    #expect(members.count == 40_000 && members[39_999].name == "a39999")
    let quotes = String(repeating: #"\""#, count: 400_000)
    #expect(code { try JSONReader.value(of: ("\"" + quotes).utf8) } == .invalidSyntax)
  }

  @Test("No way to print a value shows its string")
  func hidden() throws {
    let value = try JSONReader.value(of: #"{"SecretAccessKey":"hush-hush","n":[12345]}"#.utf8)
    var dumped = ""
    dump(value, to: &dumped)
    dump(value["SecretAccessKey"], to: &dumped)
    if case .object(let members) = value { dump(members, to: &dumped) }
    for text in [dumped, "\(value)", String(reflecting: value)] {
      #expect(!text.contains("hush-hush") && !text.contains("12345"), "\(text)")
    }
    let error = #expect(throws: DocumentError.self) {
      try JSONReader.value(of: #"{"SecretAccessKey":"hush-hush" x"#.utf8)
    }
    #expect(
      error?.problem.contains("offset 31") == true && error?.problem.contains("hush") == false)
  }

  @Test("Generated documents are read as Foundation reads them")
  func foundation() throws {
    var generator = Xorshift64(seed: 0x6A73_6F6E_0000_0001)
    for _ in 0..<2_000 {
      let value = generated(&generator, depth: 0)
      let options: JSONSerialization.WritingOptions =
        generator.size(upTo: 1) == 0 ? [.fragmentsAllowed] : [.fragmentsAllowed, .prettyPrinted]
      let document = try JSONSerialization.data(withJSONObject: value, options: options)
      let ours = foundationValue(try JSONReader.value(of: document))
      #expect(ours.isEqual(value), "\(document.base64EncodedString())")
    }
  }

  /// Foundation is laxer in places (RFC 8259, 8.1 and 4), never stricter.
  @Test("Documents with some bytes changed are read as Foundation reads them, or are rejected")
  func mutations() throws {
    var generator = Xorshift64(seed: 0x6A73_6F6E_0000_0002)
    let seed = Array(#"{"a":[1,-2.5e3,"x\u00e9\n"],"b":{"c":null,"d":true},"e":""}"#.utf8)
    let bytes = Array("\"\\{}[]:,0-.eEu \n".utf8) + [0x00, 0x80, 0xFF]
    var (read, refused) = (0, 0)
    for _ in 0..<20_000 {
      var document = seed
      for _ in 0...generator.size(upTo: 2) {
        let position = generator.size(upTo: UInt64(document.count - 1))
        let byte = bytes[generator.size(upTo: UInt64(bytes.count - 1))]
        if generator.size(upTo: 1) == 0 {
          document[position] = byte
        } else {
          document.remove(at: position)
        }
      }
      guard let ours = try? JSONReader.value(of: document) else {
        refused += 1
        continue
      }
      read += 1
      let theirs = try? JSONSerialization.jsonObject(
        with: Data(document), options: .fragmentsAllowed)
      let equal = theirs.map { foundationValue(ours).isEqual($0) }
      #expect(equal == true, "\(String(decoding: document, as: UTF8.self))")
    }
    #expect(read > 1_000 && refused > 1_000, "\(read) read, \(refused) refused")
  }

  func code<Result>(_ body: () throws -> Result) -> DocumentError.Code? {
    do {
      _ = try body()
      return nil
    } catch {
      return (error as? DocumentError)?.code
    }
  }

  /// The value in a compact form, its strings unescaped.
  func written(_ value: JSONReader.Value) -> String {
    switch value {
    case .object(let members):
      "{" + members.map { "\"\($0.name)\":" + written($0.value) }.joined(separator: ",") + "}"
    case .array(let elements): "[" + elements.map(written).joined(separator: ",") + "]"
    case .string(let text): "\"" + text + "\""
    case .number(let text): text
    case .boolean(let value): value ? "true" : "false"
    case .null: "null"
    }
  }

  func foundationValue(_ value: JSONReader.Value) -> NSObject {
    switch value {
    case .object(let members):
      NSDictionary(
        objects: members.map { foundationValue($0.value) },
        forKeys: members.map { NSString(string: $0.name) })
    case .array(let elements): NSArray(array: elements.map(foundationValue))
    case .string(let text): NSString(string: text)
    case .number(let text):
      Int(text).map { NSNumber(value: $0) } ?? NSNumber(value: Double(text) ?? .nan)
    case .boolean(let value): NSNumber(value: value)
    case .null: NSNull()
    }
  }

  func generated(_ generator: inout Xorshift64, depth: Int) -> NSObject {
    switch generator.size(upTo: depth < 5 ? 7 : 5) {
    case 0: return NSNull()
    case 1: return NSNumber(value: generator.size(upTo: 1) == 0)
    case 2: return NSNumber(value: generator.size(upTo: 2_000_000) - 1_000_000)
    case 3: return NSNumber(value: Double(generator.size(upTo: 1_000_000)) / 64 - 1000)
    case 4, 5: return NSString(string: text(&generator))
    case 6:
      return NSArray(
        array: (0..<generator.size(upTo: 4)).map { _ in generated(&generator, depth: depth + 1) })
    default:
      let object = NSMutableDictionary()
      for _ in 0..<generator.size(upTo: 4) {
        object[NSString(string: text(&generator))] = generated(&generator, depth: depth + 1)
      }
      return object
    }
  }

  func text(_ generator: inout Xorshift64) -> String {
    let pieces = [
      "a", "B", "\"", "\\", "/", "\n", "\t", "\u{1}", "é", "€", "\u{1F600}", "\u{2028}", "{", "]",
    ]
    return (0..<generator.size(upTo: 6)).map { _ in
      pieces[generator.size(upTo: UInt64(pieces.count - 1))]
    }.joined()
  }
}
