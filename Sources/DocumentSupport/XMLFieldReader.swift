// SPDX-License-Identifier: Apache-2.0
// A small bounded XML reader, for the text of the innermost elements in server responses.

internal import SecureHashing
internal import RequestSigning

/// The fields of an XML document: the elements that contain no other element.
///
///     let session = try XMLFieldReader(body, root: ["CreateSessionResult"])
///     let token = session.text(named: "SessionToken")
///
/// You must name the root element that you expect. HTML pages and errors may be well-formed XML,
/// too, and would otherwise look like documents without the expected fields.
///
/// It skips name prefixes, attributes, comments and processing instructions. It never fetches or
/// expands anything: it rejects document types, and supports only the five entities of XML 1.0 and
/// character references.
package struct XMLFieldReader: Sendable, CustomStringConvertible {
  /// The fields in document order. Names may repeat.
  package let fields: [Field]

  /// An element that contains no other element.
  package struct Field: Sendable, CustomStringConvertible {
    /// The name without its prefix.
    package let name: String

    /// The text with resolved entities and CDATA, including whitespace. It may be secret.
    package let text: String

    /// The name of the parent element without its prefix, or an empty string for the root.
    package let parent: String

    /// The position of the parent element in the document. Fields with the same parent share it.
    package let parentNumber: Int

    /// The name and the size of the text.
    package var description: String { name + ": \(text.utf8.count) bytes" }
  }

  /// Parses a whole document in linear time. Its root element must have one of these names, with or
  /// without a prefix, in any namespace.
  ///
  /// - Throws: `tooLarge` for more than `byteCount` bytes, `tooDeep` for more than 64 levels,
  ///   `invalidSyntax`, `invalidText`, `documentType` and `unexpectedRoot`.
  package init(
    _ document: some Collection<UInt8>, root names: [String], atMost byteCount: Int = 1_048_576
  ) throws(DocumentError) {
    fields = try XMLParser.fields(
      of: try DocumentCursor(document, atMost: byteCount, "XML"), root: names)
  }

  /// Parses a document whose root element may have any name. Use it only to read why a request
  /// failed, since each service has its own error documents.
  package init(ofAnyRoot document: some Collection<UInt8>) throws(DocumentError) {
    fields = try XMLParser.fields(
      of: try DocumentCursor(document, atMost: 1_048_576, "XML"), root: nil)
  }

  /// Returns the text of the first field with this name, without prefix, or nil.
  package func text(named name: String) -> String? {
    fields.first { $0.name.utf8.elementsEqual(name.utf8) }?.text
  }

  /// The names of the fields, without their text, which may be secret.
  package var description: String {
    "XMLFieldReader(" + fields.map { $0.name }.joined(separator: ", ") + ")"
  }
}

extension XMLFieldReader: Redacted {}
extension XMLFieldReader.Field: Redacted {}

/// An XML parser for the subset that services use.
private struct XMLParser {
  var cursor: DocumentCursor
  var fields: [XMLFieldReader.Field] = []
  var open: [Element] = []
  var text: [UInt8] = []
  var hasRoot = false

  /// The allowed names of the root element, or nil for any.
  let rootNames: [String]?

  /// An element without its end tag yet.
  struct Element {
    let name: Range<Int>

    /// The name without its prefix, which the fields in this element share.
    let localName: String

    let number: Int
    var hasElements = false
  }

  /// The number of start tags so far.
  private var elementCount = 0

  private init(_ cursor: DocumentCursor, root names: [String]?) {
    self.cursor = cursor
    rootNames = names
  }

  static func fields(
    of cursor: DocumentCursor, root names: [String]?
  ) throws(DocumentError) -> [XMLFieldReader.Field] {
    var parser = XMLParser(cursor, root: names)
    try parser.document()
    return parser.fields
  }

  /// XML 1.0, 2.1: one element, with skipped markup around it.
  private mutating func document() throws(DocumentError) {
    _ = cursor.skip("\u{FEFF}")
    while let byte = cursor.next {
      if byte == 0x3C { try markup() } else { try characters() }
    }
    if !open.isEmpty || !hasRoot { throw cursor.syntax("no end of its root element") }
  }

  /// XML 1.0, 2.4: markup that begins with '<'.
  private mutating func markup() throws(DocumentError) {
    if cursor.skip("<!--") {
      _ = try upTo("-->")
    } else if cursor.skip("<?") {
      _ = try upTo("?>")
    } else if cursor.skip("<![CDATA[") {
      if open.isEmpty { throw cursor.syntax("text outside its root element") }
      appendLines(try upTo("]]>"))
    } else if cursor.skip("<!") {
      throw DocumentError(
        code: .documentType,
        problem: "The XML document has a document type at offset \(cursor.position - 2), which can "
          + "expand without limit.")
    } else if cursor.skip("</") {
      try endTag()
    } else {
      try startTag()
    }
  }

  /// XML 1.0, 3.1: a start tag or an empty-element tag.
  private mutating func startTag() throws(DocumentError) {
    cursor.position += 1
    if open.isEmpty && hasRoot { throw cursor.syntax("a second root element") }
    try cursor.checkDepth(open.count)
    let name = try name()
    if !open.isEmpty { open[open.count - 1].hasElements = true }
    let localName = localName(name)
    if !hasRoot { try checkRoot(localName) }
    hasRoot = true
    open.append(Element(name: name, localName: localName, number: elementCount))
    elementCount += 1
    text = []
    try skipAttributes()
    if cursor.skip("/>") {
      close()
    } else if !cursor.skip(">") {
      throw cursor.syntax("an unterminated tag")
    }
  }

  private func checkRoot(_ name: String) throws(DocumentError) {
    guard let rootNames, !rootNames.contains(where: { $0.utf8.elementsEqual(name.utf8) })
    else { return }
    throw DocumentError(
      code: .unexpectedRoot,
      problem: "The root element of the XML document is \(UTF8Text.quoted(name.utf8, upTo: 40)) "
        + "instead of \(rootNames.joined(separator: " or ")).")
  }

  private mutating func skipAttributes() throws(DocumentError) {
    cursor.skipWhitespace()
    while let byte = cursor.next, byte != 0x3E, byte != ASCIIByte.slash {
      _ = try name()
      cursor.skipWhitespace()
      if !cursor.skip("=") { throw cursor.syntax("an attribute without a value") }
      cursor.skipWhitespace()
      guard let quote = cursor.next, quote == 0x22 || quote == 0x27 else {
        throw cursor.syntax("an attribute without quotes")
      }
      cursor.position += 1
      cursor.skip { $0 != quote && $0 != 0x3C }
      if !cursor.skip(quote) { throw cursor.syntax("an unterminated attribute") }
      cursor.skipWhitespace()
    }
  }

  private mutating func endTag() throws(DocumentError) {
    let start = cursor.position
    let name = try name()
    cursor.skipWhitespace()
    if !cursor.skip(">") { throw cursor.syntax("an unterminated tag") }
    guard let element = open.last, cursor.bytes[element.name] == cursor.bytes[name] else {
      cursor.position = start
      throw cursor.syntax("an end tag that doesn't match a start tag")
    }
    close()
  }

  private mutating func close() {
    if let element = open.popLast(), !element.hasElements {
      fields.append(
        XMLFieldReader.Field(
          name: element.localName, text: String(decoding: text, as: UTF8.self),
          parent: open.last?.localName ?? "", parentNumber: open.last?.number ?? -1))
    }
    text = []
  }

  /// A name without its prefix.
  private func localName(_ range: Range<Int>) -> String {
    let name = cursor.bytes[range]
    let local = name.firstIndex(of: ASCIIByte.colon).map { name[($0 + 1)...] } ?? name
    return String(decoding: local, as: UTF8.self)
  }

  /// XML 1.0, 2.4: text up to the next markup.
  private mutating func characters() throws(DocumentError) {
    let start = cursor.position
    while let byte = cursor.next, byte != 0x3C, byte != ASCIIByte.ampersand {
      if !DocumentCursor.isWhitespace(byte) {
        if byte < 0x20 { throw cursor.syntax("a control character") }
        if open.isEmpty { throw cursor.syntax("text outside its root element") }
      }
      cursor.position += 1
    }
    if !open.isEmpty { appendLines(start..<cursor.position) }
    if cursor.next == ASCIIByte.ampersand { try reference() }
  }

  /// XML 1.0, 4.1
  private mutating func reference() throws(DocumentError) {
    guard !open.isEmpty,
      let reference = CharacterReference(startOf: cursor.bytes[cursor.position...])
    else { throw cursor.syntax("a '&' that doesn't begin an XML 1.0 character reference") }
    text += reference.scalar.utf8
    cursor.position += reference.byteCount
  }

  /// XML 1.0, 2.11: newlines become line feeds.
  private mutating func appendLines(_ range: Range<Int>) {
    for offset in range {
      let isReturn = cursor.bytes[offset] == 0x0D
      let isPair = isReturn && offset + 1 < range.upperBound && cursor.bytes[offset + 1] == 0x0A
      if !isPair { text.append(isReturn ? 0x0A : cursor.bytes[offset]) }
    }
  }

  /// Skips to the end of a delimiter, and returns the range before it.
  private mutating func upTo(_ word: String) throws(DocumentError) -> Range<Int> {
    let start = cursor.position
    while cursor.next != nil {
      let end = cursor.position
      if cursor.skip(word) { return start..<end }
      cursor.position += 1
    }
    throw cursor.syntax("unterminated markup")
  }

  /// XML 1.0, 2.3. All bytes above 127 count as letters.
  private mutating func name() throws(DocumentError) -> Range<Int> {
    let first = cursor.next
    let name = cursor.skip { byte in
      switch byte {
      case 0x2D, 0x2E, 0x3A, 0x5F, 0x80...: true  // - . : _
      default: ASCIIByte.isLetter(byte) || ASCIIByte.isDigit(byte)
      }
    }
    guard let first, !name.isEmpty, !ASCIIByte.isDigit(first), first != 0x2D,
      first != ASCIIByte.dot
    else { throw cursor.syntax("no name") }
    return name
  }
}
