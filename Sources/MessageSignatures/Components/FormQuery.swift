// SPDX-License-Identifier: Apache-2.0
// The names and values of a query, for `@query-param` (RFC 9421, section 2.2.8).

internal import SecureHashing

/// A query as an HTML form sends it (WHATWG URL, sections 5.1 and 1.3).
enum FormQuery {
  /// The decoded values, by their names as ``encode(_:)`` spells them.
  static func values(_ query: [UInt8]) -> [[UInt8]: [[UInt8]]] {
    var values: [[UInt8]: [[UInt8]]] = [:]
    for pair in query.split(separator: UInt8(ascii: "&")) {
      let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
      values[encode(decode(pair[..<end])), default: []].append(decode(pair[end...].dropFirst()))
    }
    return values
  }

  /// Decodes escapes, and a plus sign as a space. A percent sign without two digits stays. Bytes
  /// that aren't UTF-8 become U+FFFD.
  private static func decode(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let escaped = try? Hexadecimal.decode(rest.prefix(2))
      {
        bytes += escaped
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
      }
    }
    return Array(bytes.asString.utf8)
  }

  /// Encodes all but letters, digits and `*-._`. A space is `%20`.
  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    for byte in bytes {
      if FieldByte.isLetter(byte) || FieldByte.isDigit(byte) || "*-._".utf8.contains(byte) {
        text.append(byte)
      } else {
        text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0x0F)]]
      }
    }
    return text
  }
}
