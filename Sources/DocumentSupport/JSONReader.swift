// SPDX-License-Identifier: Apache-2.0
// A small strict JSON reader, for server responses and credentials files.

internal import SecureHashing
internal import RequestSigning

/// A strict JSON reader (RFC 8259). It rejects grammar extensions, byte order marks, lone
/// surrogates, duplicate names in one object, and more than 64 levels.
///
///     let response = try JSONReader.value(of: body)
///     let message = response["message"]?.text
package enum JSONReader {
  /// Parses a whole document in linear time.
  ///
  /// - Throws: `tooLarge` for more than `byteCount` bytes, `tooDeep`, `invalidSyntax`,
  ///   `invalidText` and `duplicateName`.
  package static func value(
    of document: some Collection<UInt8>, atMost byteCount: Int = 1_048_576
  ) throws(DocumentError) -> Value {
    var parser = JSONParser(cursor: try DocumentCursor(document, atMost: byteCount, "JSON"))
    return try parser.document()
  }

  /// A value (RFC 8259, 3). It may be secret, so it prints only its kind and size.
  package enum Value: Sendable, CustomStringConvertible {
    /// The members in order. Each name occurs once.
    case object([Member])
    /// The elements in order.
    case array([Value])
    /// A string.
    case string(String)
    /// A number as written, such as `-1.5e3`. The caller chooses the precision.
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

    /// The name and the kind of value.
    package var description: String { name + ": " + value.description }
  }
}

extension JSONReader.Value {
  /// The value of a member, or nil if there's no such member or this isn't an object.
  package subscript(name: String) -> Self? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// The string, or nil for any other kind of value.
  package var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The kind of value, and its size.
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

/// A recursive-descent JSON parser.
private struct JSONParser {
  var cursor: DocumentCursor

  /// RFC 8259, 2: one value with optional whitespace around it.
  mutating func document() throws(DocumentError) -> JSONReader.Value {
    let value = try value(depth: 0)
    if cursor.next != nil { throw cursor.syntax("extra data after its value") }
    return value
  }

  /// RFC 8259, 3. Skips whitespace on both sides.
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

  /// RFC 8259, 4: readers may disagree about an object with duplicate names.
  private mutating func members(depth: Int) throws(DocumentError) -> [JSONReader.Member] {
    let start = cursor.position
    try enter(depth)
    var members: [JSONReader.Member] = []
    var names: Set<[UInt8]> = []
    if cursor.skip(0x7D) { return [] }
    repeat {
      cursor.skipWhitespace()
      if cursor.next != 0x22 { throw cursor.syntax("no member name") }
      let name = try string()
      cursor.skipWhitespace()
      if !cursor.skip(ASCIIByte.colon) { throw cursor.syntax("no colon after a name") }
      members.append(JSONReader.Member(name: name, value: try value(depth: depth + 1)))
      if !names.insert(Array(name.utf8)).inserted {
        throw DocumentError(
          code: .duplicateName,
          problem: "The JSON document has a duplicate name in the object at offset \(start).")
      }
    } while cursor.skip(ASCIIByte.comma)
    if !cursor.skip(0x7D) { throw cursor.syntax("neither a comma nor '}'") }
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
    if !cursor.skip(0x5D) { throw cursor.syntax("neither a comma nor ']'") }
    return elements
  }

  /// Enters an object or array.
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

  /// One or more digits.
  private mutating func digits() throws(DocumentError) {
    if cursor.skip(while: ASCIIByte.isDigit).isEmpty {
      throw cursor.syntax("a number with a missing digit")
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
    throw cursor.syntax("an unterminated string")
  }

  /// The escaped character, after the backslash.
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

  /// The character of a `\u` escape, or of two for a character above U+FFFF.
  private mutating func escapedUnit() throws(DocumentError) -> Unicode.Scalar {
    let start = cursor.position - 2
    let unit = try codeUnit()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    // RFC 8259, 8.2: the behavior for a lone surrogate is unpredictable.
    if cursor.skip("\\u") {
      let pair = try String(decoding: [unit, codeUnit()], as: UTF16.self).unicodeScalars
      if pair.count == 1, let scalar = pair.first { return scalar }
    }
    throw DocumentError(
      code: .invalidText,
      problem: "The JSON document has half of a surrogate pair at offset \(start).")
  }

  /// Four hexadecimal digits.
  private mutating func codeUnit() throws(DocumentError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = cursor.next.flatMap(ASCIIByte.hexadecimalValue) else {
        throw cursor.syntax("an escape with fewer than four hexadecimal digits")
      }
      unit = unit << 4 | UInt16(digit)
      cursor.position += 1
    }
    return unit
  }

  /// The literals `true`, `false` and `null`.
  private mutating func literal() throws(DocumentError) -> JSONReader.Value {
    if cursor.skip("true") { return .boolean(true) }
    if cursor.skip("false") { return .boolean(false) }
    if cursor.skip("null") { return .null }
    throw cursor.syntax("no valid value")
  }
}
