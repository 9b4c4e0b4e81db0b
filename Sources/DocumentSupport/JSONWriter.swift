// SPDX-License-Identifier: Apache-2.0
// A JSON writer (RFC 8259). POST policies use a separate one, since S3 has its own escapes.

internal import RequestSigning

/// A value to write as JSON. ``JSONReader`` parses it.
package indirect enum JSONText: ExpressibleByStringLiteral {
  case string(String)
  /// A number, `true`, `false` or `null`, as written.
  case literal(String)
  case array([JSONText])
  /// Members in the order of output.
  case object([(name: String, value: JSONText)])

  package init(stringLiteral text: String) { self = .string(text) }

  /// Creates a value from a parsed one.
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

  /// The JSON on one line without spaces, for services.
  package var compact: String { text(lineStart: nil) }

  /// The JSON with one member or element per line, for people.
  package var indented: String { text(lineStart: "\n") }

  /// `lineStart` is a newline and this value's indentation, or nil for a single line.
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

/// JSON strings (RFC 8259, 7).
package enum JSONString {
  /// Encodes UTF-8 text as a JSON string with quotation marks.
  ///
  /// Only quotation marks, backslashes and ASCII control characters are escaped, so the result is
  /// one line. Invalid UTF-8 becomes U+FFFD.
  package static func bytes(of text: some Collection<UInt8>) -> [UInt8] {
    var string: [UInt8] = [quotationMark]
    string.reserveCapacity(text.count + 2)
    // RFC 8259, 8.1: exchanged JSON must be UTF-8.
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
