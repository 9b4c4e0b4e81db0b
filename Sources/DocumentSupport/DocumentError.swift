// SPDX-License-Identifier: Apache-2.0
// Why bytes of whatever origin are no JSON or XML document that is read here.

internal import SigningSupport

/// Why a document cannot be read. The message tells the place and never shows what stands there,
/// since documents carry credentials.
package struct DocumentError: Swift.Error, Sendable, CustomStringConvertible {
  /// What is wrong.
  package let code: Code

  /// What is wrong, why it matters and what to do, for people.
  package let message: String

  /// The message.
  package var description: String { message }

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension DocumentError {
  /// What is wrong with a document; more codes may come.
  package struct Code: Hashable, Sendable {
    let value: UInt8

    /// There are more bytes than the reader was asked to take.
    package static var tooLarge: Code { Code(value: 1) }
    /// Something is nested deeper than 64 levels.
    package static var tooDeep: Code { Code(value: 2) }
    /// The grammar is broken, or the end is missing.
    package static var invalidSyntax: Code { Code(value: 3) }
    /// A text is no UTF-8, or names a character that does not exist.
    package static var invalidText: Code { Code(value: 4) }
    /// An object has two members of one name.
    package static var duplicateName: Code { Code(value: 5) }
    /// There is a document type, with which XML could grow without end or fetch files.
    package static var documentType: Code { Code(value: 6) }
  }
}

extension DocumentError {
  /// How deep a document may be nested.
  package static var maximumDepth: Int { 64 }

  /// The bytes of a document of one format: not too many, and UTF-8.
  package static func checked(
    _ document: some Collection<UInt8>, atMost limit: Int, _ format: String
  ) throws(Self) -> [UInt8] {
    let limit = Swift.max(0, Swift.min(limit, .max &- 1))
    let bytes = Array(document.prefix(limit &+ 1))
    if bytes.count > limit {
      throw Self(
        .tooLarge,
        "the \(format) document has more than \(limit) bytes, which is all that is read of one; look "
          + "at who sends so much, or allow more")
    }
    if !String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes) {
      throw Self(
        .invalidText,
        "the \(format) document is not UTF-8, so its characters are unknown; look at "
          + "its encoding")
    }
    return bytes
  }

  /// What is wrong at a place of a document.
  package static func syntax(_ what: String, at offset: Int, _ format: String) -> Self {
    Self(
      .invalidSyntax,
      "the \(format) document has \(what) at offset \(offset), so it cannot be trusted in the rest "
        + "either; look at what sent it, and whether it was cut")
  }

  package static func tooDeep(at offset: Int, _ format: String) -> Self {
    Self(
      .tooDeep,
      "the \(format) document is nested deeper than \(maximumDepth) levels at offset \(offset), "
        + "deeper than any that is meant to be read here; look at what sent it")
  }
}
