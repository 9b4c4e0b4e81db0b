// SPDX-License-Identifier: Apache-2.0
// A small strict reader of JSON, for answers of servers and files of credentials.

internal import SecureHashing
internal import SigningSupport

/// Reads JSON (RFC 8259) strictly: nothing that the grammar does not have, no byte order mark, no
/// lone surrogate, no name twice in one object, no deeper than 64 levels.
///
///     let answer = try JSONReader.value(of: body)
///     let message = answer["message"]?.text
package enum JSONReader {
  /// The value that a whole document is, read in linear time.
  ///
  /// Throws `tooLarge` for more than `byteCount` bytes, `tooDeep`, `invalidSyntax`,
  /// `invalidText` and `duplicateName`.
  package static func value(
    of document: some Collection<UInt8>, atMost byteCount: Int = 1_048_576
  ) throws(DocumentError) -> Value {
    var parser = JSONParser(cursor: try DocumentCursor(document, atMost: byteCount, "JSON"))
    return try parser.document()
  }

  /// A value (RFC 8259, 3). It may be secret, and prints its kind only.
  package enum Value: Sendable, CustomStringConvertible {
    /// The members in their order; no name occurs twice.
    case object([Member])
    /// The elements in their order.
    case array([Value])
    /// A text.
    case string(String)
    /// A number as it is written, such as `-1.5e3`: how exact it has to be is the caller's to say.
    case number(String)
    /// `true` or `false`.
    case boolean(Bool)
    /// `null`
    case null
  }

  /// A name and a value.
  package struct Member: Sendable, CustomStringConvertible {
    /// The name.
    package let name: String

    /// The value. It may be secret.
    package let value: Value

    /// The name, and the kind of the value.
    package var description: String { name + ": " + value.description }
  }
}

extension JSONReader.Value {
  /// The value of a member; nil when there is none, or when this is not an object.
  package subscript(name: String) -> Self? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// The text of a string; nil for any other kind of value.
  package var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The kind of the value, and its size.
  package var description: String {
    switch self {
    case .object(let members): "object of \(members.count) members"
    case .array(let elements): "array of \(elements.count) elements"
    case .string(let text): "string of \(text.utf8.count) bytes"
    case .number: "number"
    case .boolean: "boolean"
    case .null: "null"
    }
  }
}

extension JSONReader.Value: Redacted {}
extension JSONReader.Member: Redacted {}

/// The grammar of JSON, rule by rule.
private struct JSONParser {
  var cursor: DocumentCursor

  /// RFC 8259, 2: one value with whitespace around it.
  mutating func document() throws(DocumentError) -> JSONReader.Value {
    let value = try value(depth: 0)
    if cursor.next != nil { throw cursor.syntax("something after its value") }
    return value
  }

  /// RFC 8259, 3. Whitespace on both sides of it is skipped.
  private mutating func value(depth: Int) throws(DocumentError) -> JSONReader.Value {
    cursor.skipWhitespace()
    let value: JSONReader.Value
    switch cursor.next {
    case 0x7B: value = .object(try members(depth: depth))
    case 0x5B: value = .array(try elements(depth: depth))
    case 0x22: value = .string(try string())
    case let byte? where byte == 0x2D || ASCIIByte.isDigit(byte): value = .number(try number())
    default: value = try literal()
    }
    cursor.skipWhitespace()
    return value
  }

  /// RFC 8259, 4: with two members of one name, every reader may see another object.
  private mutating func members(depth: Int) throws(DocumentError) -> [JSONReader.Member] {
    let start = cursor.position
    try enter(depth)
    var members: [JSONReader.Member] = []
    var names: Set<[UInt8]> = []
    if cursor.skip(0x7D) { return [] }
    repeat {
      cursor.skipWhitespace()
      if cursor.next != 0x22 { throw cursor.syntax("no name of a member") }
      let name = try string()
      cursor.skipWhitespace()
      if !cursor.skip(ASCIIByte.colon) { throw cursor.syntax("no colon after a name") }
      members.append(JSONReader.Member(name: name, value: try value(depth: depth + 1)))
      if !names.insert(Array(name.utf8)).inserted {
        throw DocumentError(
          code: .duplicateName,
          message:
            "the JSON document has two members of one name in the object at offset \(start), "
            + "so readers would not agree on its value; look at what sent it")
      }
    } while cursor.skip(ASCIIByte.comma)
    if !cursor.skip(0x7D) { throw cursor.syntax("neither a comma nor the end of an object") }
    return members
  }

  /// RFC 8259, 5
  private mutating func elements(depth: Int) throws(DocumentError) -> [JSONReader.Value] {
    try enter(depth)
    var elements: [JSONReader.Value] = []
    if cursor.skip(0x5D) { return [] }
    repeat {
      elements.append(try value(depth: depth + 1))
    } while cursor.skip(ASCIIByte.comma)
    if !cursor.skip(0x5D) { throw cursor.syntax("neither a comma nor the end of an array") }
    return elements
  }

  /// Goes into an object or array.
  private mutating func enter(_ depth: Int) throws(DocumentError) {
    try cursor.checkDepth(depth)
    cursor.position += 1
    cursor.skipWhitespace()
  }

  /// RFC 8259, 6
  private mutating func number() throws(DocumentError) -> String {
    let start = cursor.position
    _ = cursor.skip(0x2D)
    if !cursor.skip(0x30) { try digits() }
    if cursor.skip(ASCIIByte.dot) { try digits() }
    if cursor.skip(0x65) || cursor.skip(0x45) {
      if !cursor.skip(ASCIIByte.plus) { _ = cursor.skip(0x2D) }
      try digits()
    }
    return cursor.text(start..<cursor.position)
  }

  /// One digit or more.
  private mutating func digits() throws(DocumentError) {
    if cursor.skip(while: ASCIIByte.isDigit).isEmpty {
      throw cursor.syntax("no digit of a number")
    }
  }

  /// RFC 8259, 7
  private mutating func string() throws(DocumentError) -> String {
    cursor.position += 1
    var text: [UInt8] = []
    while let byte = cursor.next {
      if byte < 0x20 { throw cursor.syntax("a control character in a string") }
      cursor.position += 1
      if byte == 0x22 { return String(decoding: text, as: UTF8.self) }
      if byte == ASCIIByte.backslash {
        text += try escaped().utf8
      } else {
        text.append(byte)
      }
    }
    throw cursor.syntax("no end of a string")
  }

  /// The character of an escape, after its backslash.
  private mutating func escaped() throws(DocumentError) -> Unicode.Scalar {
    if cursor.skip(0x75) { return try escapedUnit() }
    guard let character = cursor.next.flatMap({ Self.escapes[$0] }) else {
      throw cursor.syntax("an unknown escape")
    }
    cursor.position += 1
    return character
  }

  private static let escapes: [UInt8: Unicode.Scalar] = [
    0x22: "\"", 0x5C: "\\", 0x2F: "/", 0x62: "\u{8}", 0x66: "\u{C}", 0x6E: "\n", 0x72: "\r",
    0x74: "\t",
  ]

  /// The character of `\u`, of which two make one above U+FFFF.
  private mutating func escapedUnit() throws(DocumentError) -> Unicode.Scalar {
    let start = cursor.position - 2
    let unit = try codeUnit()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    // RFC 8259, 8.2: what a lone surrogate means cannot be predicted.
    if cursor.skip("\\u") {
      let pair = try String(decoding: [unit, codeUnit()], as: UTF16.self).unicodeScalars
      if pair.count == 1, let scalar = pair.first { return scalar }
    }
    throw DocumentError(
      code: .invalidText,
      message: "the JSON document has half of a surrogate pair at offset \(start), which is not a "
        + "character; look at what cut the text there")
  }

  /// Four hexadecimal digits.
  private mutating func codeUnit() throws(DocumentError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = cursor.next.flatMap(ASCIIByte.hexadecimalValue) else {
        throw cursor.syntax("fewer than four hexadecimal digits")
      }
      unit = unit << 4 | UInt16(digit)
      cursor.position += 1
    }
    return unit
  }

  /// The three words.
  private mutating func literal() throws(DocumentError) -> JSONReader.Value {
    if cursor.skip("true") { return .boolean(true) }
    if cursor.skip("false") { return .boolean(false) }
    if cursor.skip("null") { return .null }
    throw cursor.syntax("no value")
  }
}
