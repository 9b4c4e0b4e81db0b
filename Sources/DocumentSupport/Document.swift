// SPDX-License-Identifier: Apache-2.0
// What the readers of JSON and XML share: a position in the bytes of a document, and their errors.

internal import SigningSupport

/// Why a document cannot be read. The message tells the place and never shows what stands there,
/// since documents carry credentials.
package struct DocumentError: Swift.Error, Hashable, CustomStringConvertible {
  /// What is wrong.
  package let code: Code

  /// What is wrong, why it matters and what to do, for people.
  package let message: String

  /// The message.
  package var description: String { message }

  /// What is wrong with a document; more codes may come.
  package struct Code: Hashable, Sendable {
    package let name: String

    /// There are more bytes than the reader was asked to take.
    package static var tooLarge: Self { Self(name: "tooLarge") }
    /// Something is nested deeper than 64 levels.
    package static var tooDeep: Self { Self(name: "tooDeep") }
    /// The grammar is broken, or the end is missing.
    package static var invalidSyntax: Self { Self(name: "invalidSyntax") }
    /// A text is not UTF-8, or names a character that does not exist.
    package static var invalidText: Self { Self(name: "invalidText") }
    /// An object has two members of one name.
    package static var duplicateName: Self { Self(name: "duplicateName") }
    /// There is a document type, with which XML could grow without end or fetch files.
    package static var documentType: Self { Self(name: "documentType") }
  }
}

/// A position in the bytes of a document, which are UTF-8.
struct DocumentCursor {
  let bytes: [UInt8]
  var position = 0

  /// JSON or XML.
  let format: String

  /// How deep a document may be nested.
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
        message:
          "the \(format) document has more than \(limit) bytes, which is all that is read of "
          + "one; look at what sends so much, or allow more")
    }
    if !String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes) {
      throw DocumentError(
        code: .invalidText,
        message:
          "the \(format) document is not UTF-8, so its characters are not known; look at its "
          + "encoding")
    }
  }

  /// The byte at the position; nil at the end.
  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Whether a byte stood here; the position is after it then.
  mutating func skip(_ byte: UInt8) -> Bool {
    if next != byte { return false }
    position += 1
    return true
  }

  /// Whether these characters stood here; the position is after them then.
  mutating func skip(_ characters: String) -> Bool {
    if !bytes[position...].starts(with: characters.utf8) { return false }
    position += characters.utf8.count
    return true
  }

  /// Skips bytes of a kind, and gives what they were.
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

  /// What is wrong at the position.
  func syntax(_ what: String) -> DocumentError {
    DocumentError(
      code: .invalidSyntax,
      message:
        "the \(format) document has \(what) at offset \(position), so the rest of it cannot be "
        + "trusted either; look at what sent it, and whether it was cut")
  }

  func checkDepth(_ depth: Int) throws(DocumentError) {
    if depth < Self.maximumDepth { return }
    throw DocumentError(
      code: .tooDeep,
      message: "the \(format) document is nested deeper than \(Self.maximumDepth) levels at offset "
        + "\(position), deeper than any that is meant to be read here; look at what sent it")
  }
}
