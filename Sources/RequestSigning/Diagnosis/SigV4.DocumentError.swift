// SPDX-License-Identifier: Apache-2.0
// Why bytes of whatever origin are no JSON or XML document that is read here.

extension SigV4 {
  /// Why a document cannot be read. The message tells the place and never shows what stands there,
  /// since documents carry credentials.
  public struct DocumentError: Swift.Error, Sendable, CustomStringConvertible {
    /// What is wrong.
    public let code: Code

    /// What is wrong, why it matters and what to do, for people.
    public let message: String

    /// The message.
    public var description: String { message }

    init(_ code: Code, _ message: String) {
      self.code = code
      self.message = message
    }
  }
}

extension SigV4.DocumentError {
  /// What is wrong with a document; more codes may come.
  public struct Code: Hashable, Sendable {
    let value: UInt8

    /// There are more bytes than the reader was asked to take.
    public static var tooLarge: Code { Code(value: 1) }
    /// Something is nested deeper than 64 levels.
    public static var tooDeep: Code { Code(value: 2) }
    /// The grammar is broken, or the end is missing.
    public static var invalidSyntax: Code { Code(value: 3) }
    /// A text is no UTF-8, or names a character that does not exist.
    public static var invalidText: Code { Code(value: 4) }
    /// An object has two members of one name.
    public static var duplicateName: Code { Code(value: 5) }
    /// There is a document type, with which XML could grow without end or fetch files.
    public static var documentType: Code { Code(value: 6) }
  }
}

extension SigV4.DocumentError {
  /// How deep a document may be nested.
  static var maximumDepth: Int { 64 }

  /// The bytes of a document of one format: not too many, and UTF-8.
  static func checked(
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
        "the \(format) document is no UTF-8, so nobody can say which characters are meant; look at "
          + "its encoding")
    }
    return bytes
  }

  /// What is wrong at a place of a document.
  static func syntax(_ what: String, at offset: Int, _ format: String) -> Self {
    Self(
      .invalidSyntax,
      "the \(format) document has \(what) at offset \(offset), so it cannot be trusted in the rest "
        + "either; look at what sent it, and whether it was cut")
  }

  static func tooDeep(at offset: Int, _ format: String) -> Self {
    Self(
      .tooDeep,
      "the \(format) document is nested deeper than \(maximumDepth) levels at offset \(offset), "
        + "deeper than any that is meant to be read here; look at what sent it")
  }
}
