// SPDX-License-Identifier: Apache-2.0
// Shared by the JSON and XML readers: a position in the bytes of a document, and their errors.

internal import RequestSigning

/// The reason a document can't be read. The problem contains the offset or the root element's name,
/// but never any text, since documents may contain credentials.
package struct DocumentError: Swift.Error, Hashable, CustomStringConvertible {
  /// The kind of error.
  package let code: Code

  /// What's wrong, in one sentence.
  package let problem: String

  /// The problem.
  package var description: String { problem }

  /// The kind of error. New codes may be added. Include a default in a switch.
  package struct Code: Hashable, Sendable {
    package let name: String

    /// The document exceeds the reader's size limit.
    package static var tooLarge: Self { Self(name: "tooLarge") }
    /// The document is nested deeper than 64 levels.
    package static var tooDeep: Self { Self(name: "tooDeep") }
    /// The document is malformed or truncated.
    package static var invalidSyntax: Self { Self(name: "invalidSyntax") }
    /// A string isn't valid UTF-8, or refers to a character that doesn't exist.
    package static var invalidText: Self { Self(name: "invalidText") }
    /// An object has two members with the same name.
    package static var duplicateName: Self { Self(name: "duplicateName") }
    /// The document has a document type, which could make XML expand without limit or fetch files.
    package static var documentType: Self { Self(name: "documentType") }
    /// The root element has a different name, so this is a different document.
    package static var unexpectedRoot: Self { Self(name: "unexpectedRoot") }
  }
}

/// A position in the UTF-8 bytes of a document.
struct DocumentCursor {
  let bytes: [UInt8]
  var position = 0

  /// JSON or XML.
  let format: String

  /// The maximum nesting depth.
  static var maximumDepth: Int { 64 }

  init(
    _ document: some Collection<UInt8>, atMost limit: Int, _ format: String
  ) throws(DocumentError) {
    let limit = max(0, min(limit, .max - 1))
    bytes = Array(document.prefix(limit + 1))
    self.format = format
    if bytes.count > limit {
      throw DocumentError(
        code: .tooLarge,
        problem: "The \(format) document is larger than \(limit) bytes.")
    }
    if !String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes) {
      throw DocumentError(
        code: .invalidText,
        problem: "The \(format) document isn't valid UTF-8.")
    }
  }

  /// The byte at the position, or nil at the end.
  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Skips a byte. Returns false if a different byte is here.
  mutating func skip(_ byte: UInt8) -> Bool {
    if next != byte { return false }
    position += 1
    return true
  }

  /// Skips characters. Returns false if different characters are here.
  mutating func skip(_ characters: String) -> Bool {
    if !bytes[position...].starts(with: characters.utf8) { return false }
    position += characters.utf8.count
    return true
  }

  /// Skips bytes of a kind, and returns their range.
  @discardableResult
  mutating func skip(while isSkipped: (UInt8) -> Bool) -> Range<Int> {
    let start = position
    while let byte = next, isSkipped(byte) { position += 1 }
    return start..<position
  }

  mutating func skipWhitespace() { skip(while: Self.isWhitespace) }

  /// RFC 8259, 2; XML 1.0, 2.3
  static func isWhitespace(_ byte: UInt8) -> Bool {
    ASCIIByte.isWhitespace(byte) || byte == 0x0A || byte == 0x0D
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The error for a syntax problem at the position.
  func syntax(_ what: String) -> DocumentError {
    DocumentError(
      code: .invalidSyntax,
      problem: "The \(format) document has \(what) at offset \(position).")
  }

  func checkDepth(_ depth: Int) throws(DocumentError) {
    if depth < Self.maximumDepth { return }
    throw DocumentError(
      code: .tooDeep,
      problem: "The \(format) document is nested deeper than \(Self.maximumDepth) levels at offset "
        + "\(position).")
  }
}
