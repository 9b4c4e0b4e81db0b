// SPDX-License-Identifier: Apache-2.0
// A small bounded reader of XML, for answers of servers: the texts of its innermost elements.

internal import SecureHashing
internal import SigningSupport

/// Reads the fields of an XML document: the elements that hold text and no other element.
///
///     let answer = try XMLFieldReader(body)
///     let code = answer.text(named: "Code")
///
/// Prefixes of names, attributes, comments and processing instructions are skipped. Nothing is
/// ever fetched or expanded: a document type is refused, and entities are the five of XML 1.0 and
/// numbers of characters.
package struct XMLFieldReader: Sendable, CustomStringConvertible {
  /// The fields in the order of the document; names may repeat.
  package let fields: [Field]

  /// Reads a whole document in linear time.
  ///
  /// Throws `tooLarge` for more than `byteCount` bytes, `tooDeep` below 64 levels,
  /// `invalidSyntax`, `invalidText` and `documentType`.
  package init(
    _ document: some Collection<UInt8>, atMost byteCount: Int = 1_048_576
  ) throws(DocumentError) {
    var parser = Parser(bytes: try DocumentError.checked(document, atMost: byteCount, "XML"))
    fields = try parser.document()
  }

  /// The text of the first field of a name, without prefix; nil when there is none.
  package func text(named name: String) -> String? {
    fields.first { $0.name.utf8.elementsEqual(name.utf8) }?.text
  }

  /// The names of the fields. Never their texts, which may be secret.
  package var description: String {
    var names = ""
    for field in fields { names += names.utf8.isEmpty ? field.name : ", " + field.name }
    return "XMLFieldReader(" + names + ")"
  }
}

extension XMLFieldReader {
  /// An element that holds no other element.
  package struct Field: Sendable, CustomStringConvertible {
    /// The name without its prefix.
    package let name: String

    /// The text, entities and CDATA resolved, whitespace kept. It may be secret.
    package let text: String

    /// The name, and how long the text is.
    package var description: String { name + ": \(text.utf8.count) bytes" }
  }
}

extension XMLFieldReader: Redacted {}
extension XMLFieldReader.Field: Redacted {}
