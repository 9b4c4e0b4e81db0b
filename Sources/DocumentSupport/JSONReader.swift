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
  /// The value that a whole document is, read in linear time but for the order of names.
  ///
  /// Throws `tooLarge` for more than `byteCount` bytes, `tooDeep`, `invalidSyntax`,
  /// `invalidText` and `duplicateName`.
  package static func value(
    of document: some Collection<UInt8>, atMost byteCount: Int = 1_048_576
  ) throws(DocumentError) -> Value {
    var parser = Parser(
      bytes: try DocumentError.checked(document, atMost: byteCount, "JSON"))
    return try parser.document()
  }
}

extension JSONReader {
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
  /// The value of a member; nil when there is none, or when this is no object.
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
