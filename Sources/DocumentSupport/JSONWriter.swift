// SPDX-License-Identifier: Apache-2.0
// The writer of JSON (RFC 8259), but for policies, since S3 has escapes of its own.

internal import SigningSupport

/// A value to be written as JSON. ``JSONReader`` reads it.
package indirect enum JSONText: ExpressibleByStringLiteral {
  case string(String)
  /// A number, `true`, `false` or `null`, as it is written.
  case literal(String)
  case array([JSONText])
  /// Members are written in their order.
  case object([(name: String, value: JSONText)])

  package init(stringLiteral text: String) { self = .string(text) }

  /// What was read.
  package init(_ value: JSONReader.Value) {
    switch value {
    case .object(let members): self = .object(members.map { ($0.name, JSONText($0.value)) })
    case .array(let elements): self = .array(elements.map { JSONText($0) })
    case .string(let text): self = .string(text)
    case .number(let digits): self = .literal(digits)
    case .boolean(let value): self = .literal(value ? "true" : "false")
    case .null: self = .literal("null")
    }
  }

  /// One line without spaces, as services take it.
  package var compact: String { text(lineStart: nil) }

  /// One member or element a line, as people read it.
  package var indented: String { text(lineStart: "\n") }

  /// `lineStart` is a line end and the indentation of this value; nil writes a single line.
  private func text(lineStart: String?) -> String {
    let inner = lineStart.map { $0 + "  " }
    let colon = lineStart == nil ? ":" : ": "
    switch self {
    case .string(let text):
      return Self.quoted(text)
    case .literal(let text):
      return text
    case .array(let values):
      return Self.list("[", values.map { $0.text(lineStart: inner) }, "]", lineStart)
    case .object(let members):
      let items = members.map { Self.quoted($0.name) + colon + $0.value.text(lineStart: inner) }
      return Self.list("{", items, "}", lineStart)
    }
  }

  private static func list(
    _ open: String, _ items: [String], _ close: String, _ lineStart: String?
  ) -> String {
    guard let lineStart, !items.isEmpty else {
      return open + items.joined(separator: ",") + close
    }
    let inner = lineStart + "  "
    return open + inner + items.joined(separator: "," + inner) + lineStart + close
  }

  private static func quoted(_ text: String) -> String {
    String(decoding: JSONString.bytes(of: text.utf8), as: UTF8.self)
  }
}

/// Writes strings of JSON (RFC 8259, 7).
package enum JSONString {
  /// The string that means a text given in UTF-8, with its quotation marks.
  ///
  /// Escaped are quotation marks, backslashes and the control characters of ASCII, so that a line
  /// stays one line; all else stands as it is. Bytes that are not UTF-8 become U+FFFD.
  package static func bytes(of text: some Collection<UInt8>) -> [UInt8] {
    var string: [UInt8] = [quotationMark]
    string.reserveCapacity(text.count + 2)
    // RFC 8259, 8.1: what is exchanged has to be UTF-8.
    for byte in String(decoding: text, as: UTF8.self).utf8 { append(byte, to: &string) }
    string.append(quotationMark)
    return string
  }

  private static func append(_ byte: UInt8, to string: inout [UInt8]) {
    switch byte {
    case quotationMark, ASCIIByte.backslash: string += [ASCIIByte.backslash, byte]
    case 0x09: string += #"\t"#.utf8
    case 0x0A: string += #"\n"#.utf8
    case 0x0D: string += #"\r"#.utf8
    case _ where ASCIIByte.isControl(byte):
      string += #"\u00"#.utf8
      string.append(ASCIIByte.uppercaseDigit(byte >> 4))
      string.append(ASCIIByte.lowercased(ASCIIByte.uppercaseDigit(byte & 15)))
    default: string.append(byte)
    }
  }

  private static var quotationMark: UInt8 { 0x22 }
}
