// SPDX-License-Identifier: Apache-2.0
// A small strict reader of JSON, for answers of servers and files of credentials.

extension SigV4 {
  /// Reads JSON (RFC 8259) strictly: nothing that the grammar does not have, no byte order mark, no
  /// lone surrogate, no name twice in one object, no deeper than 64 levels.
  ///
  ///     let answer = try SigV4.JSONReader.value(of: body)
  ///     let message = answer["message"]?.text
  public enum JSONReader {
    /// The value that a whole document is, read in linear time but for the order of names.
    ///
    /// Throws `tooLarge` for more than `byteCount` bytes, `tooDeep`, `invalidSyntax`,
    /// `invalidText` and `duplicateName`.
    public static func value(
      of document: some Collection<UInt8>, atMost byteCount: Int = 1_048_576
    ) throws(DocumentError) -> Value {
      var parser = Parser(
        bytes: try DocumentError.checked(document, atMost: byteCount, "JSON"))
      return try parser.document()
    }
  }
}

extension SigV4.JSONReader {
  /// A value (RFC 8259, 3). It may be secret, and prints its kind only.
  public enum Value: Sendable, CustomStringConvertible {
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
  public struct Member: Sendable, CustomStringConvertible {
    /// The name.
    public let name: String

    /// The value. It may be secret.
    public let value: Value

    /// The name, and the kind of the value.
    public var description: String { name + ": " + value.description }
  }
}

extension SigV4.JSONReader.Value {
  /// The value of a member; nil when there is none, or when this is no object.
  public subscript(name: String) -> Self? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// The text of a string; nil for any other kind of value.
  public var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The kind of the value, and its size.
  public var description: String {
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

#if !hasFeature(Embedded)
  extension SigV4.JSONReader.Value: CustomReflectable {
    /// Nothing: it may be secret.
    public var customMirror: Mirror { SigV4.opaqueMirror(self) }
  }

  extension SigV4.JSONReader.Member: CustomReflectable {
    /// Nothing: the value may be secret.
    public var customMirror: Mirror { SigV4.opaqueMirror(self) }
  }
#endif
