// SPDX-License-Identifier: Apache-2.0
// The grammar of XML, as far as documents of services need it.

internal import SigningSupport

extension XMLFieldReader {
  /// Passes once over the bytes of a document, which are UTF-8.
  package struct Parser {
    let bytes: [UInt8]
    var position = 0
    var fields: [Field] = []
    var open: [Element] = []
    var text: [UInt8] = []
    var hasRoot = false

    /// An element whose end has not come.
    struct Element {
      let name: Range<Int>
      var hasElements = false
    }

    init(bytes: [UInt8]) {
      self.bytes = bytes
    }

    /// XML 1.0, 2.1: one element, and around it what is skipped.
    mutating func document() throws(DocumentError) -> [Field] {
      _ = skip("\u{FEFF}")
      while let byte = next {
        if byte == 0x3C { try markup() } else { try characters() }
      }
      if !open.isEmpty || !hasRoot { throw syntax("no end of its element") }
      return fields
    }

    /// XML 1.0, 2.4: what begins with '<'.
    private mutating func markup() throws(DocumentError) {
      if skip("<!--") {
        _ = try upTo("-->")
      } else if skip("<?") {
        _ = try upTo("?>")
      } else if skip("<![CDATA[") {
        if open.isEmpty { throw syntax("text outside of its element") }
        let data = try upTo("]]>")
        appendLines(data)
      } else if skip("<!") {
        throw DocumentError(
          .documentType,
          """
          the XML document has a document type at offset \(position &- 2), with which a few bytes \
          could become gigabytes; no service sends one: look at what did
          """)
      } else if skip("</") {
        try endTag()
      } else {
        try startTag()
      }
    }

    /// XML 1.0, 3.1: a start-tag, or the tag of an empty element.
    private mutating func startTag() throws(DocumentError) {
      position &+= 1
      if open.isEmpty && hasRoot { throw syntax("a second element") }
      if open.count >= DocumentError.maximumDepth { throw .tooDeep(at: position, "XML") }
      let name = try name()
      if !open.isEmpty { open[open.count &- 1].hasElements = true }
      open.append(Element(name: name))
      hasRoot = true
      text = []
      try skipAttributes()
      if skip("/>") {
        close()
      } else if !skip(">") {
        throw syntax("no end of a tag")
      }
    }

    private mutating func skipAttributes() throws(DocumentError) {
      while skipWhitespace(), let byte = next, byte != 0x3E, byte != ASCIIByte.slash {
        _ = try name()
        skipWhitespace()
        if !skip("=") { throw syntax("an attribute without a value") }
        skipWhitespace()
        guard let quote = next, quote == 0x22 || quote == 0x27 else {
          throw syntax("an attribute without quotes")
        }
        position &+= 1
        while let byte = next, byte != quote, byte != 0x3C { position &+= 1 }
        if next != quote { throw syntax("no end of an attribute") }
        position &+= 1
      }
    }

    private mutating func endTag() throws(DocumentError) {
      let start = position
      let name = try name()
      skipWhitespace()
      if !skip(">") { throw syntax("no end of a tag") }
      guard let element = open.last, bytes[element.name] == bytes[name] else {
        position = start
        throw syntax("the end of an element that is not open")
      }
      close()
    }

    private mutating func close() {
      guard let element = open.popLast() else { return }
      if !element.hasElements {
        let name = bytes[element.name]
        let local = name.firstIndex(of: ASCIIByte.colon).map { name[($0 &+ 1)...] } ?? name
        fields.append(
          Field(
            name: String(decoding: local, as: UTF8.self),
            text: String(decoding: text, as: UTF8.self)))
      }
      text = []
    }

    /// XML 1.0, 2.4: text up to the next markup.
    private mutating func characters() throws(DocumentError) {
      let start = position
      while let byte = next, byte != 0x3C, byte != ASCIIByte.ampersand {
        if byte < 0x20 && !Self.isWhitespace(byte) { throw syntax("a control character") }
        if open.isEmpty && !Self.isWhitespace(byte) { throw syntax("text outside of its element") }
        position &+= 1
      }
      if !open.isEmpty { appendLines(start..<position) }
      if next == ASCIIByte.ampersand { try reference() }
    }

    /// XML 1.0, 4.1
    private mutating func reference() throws(DocumentError) {
      guard !open.isEmpty,
        let reference = CharacterReference(startOf: bytes[position...])
      else { throw syntax("a '&' that begins no character known to XML 1.0") }
      text.append(contentsOf: reference.scalar.utf8)
      position &+= reference.byteCount
    }

    /// XML 1.0, 2.11: each line ends with a line feed.
    private mutating func appendLines(_ range: Range<Int>) {
      for offset in range {
        let isReturn = bytes[offset] == 0x0D
        let isPair = isReturn && offset &+ 1 < range.upperBound && bytes[offset &+ 1] == 0x0A
        if !isPair { text.append(isReturn ? 0x0A : bytes[offset]) }
      }
    }
  }
}

extension XMLFieldReader.Parser {
  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skip(_ word: String) -> Bool {
    if !bytes[position...].starts(with: word.utf8) { return false }
    position &+= word.utf8.count
    return true
  }

  /// True, so that it can begin a condition.
  @discardableResult
  private mutating func skipWhitespace() -> Bool {
    while let byte = next, Self.isWhitespace(byte) { position &+= 1 }
    return true
  }

  /// Skips up to a word and the word itself; gives what was before it.
  private mutating func upTo(_ word: String) throws(DocumentError) -> Range<Int> {
    let start = position
    while position < bytes.count {
      let end = position
      if skip(word) { return start..<end }
      position &+= 1
    }
    throw syntax("no end of what began before")
  }

  /// XML 1.0, 2.3; bytes above 127 are all taken for letters.
  private mutating func name() throws(DocumentError) -> Range<Int> {
    let start = position
    while let byte = next, Self.isNameCharacter(byte) { position &+= 1 }
    guard start < position, !ASCIIByte.isDigit(bytes[start]), bytes[start] != 0x2D,
      bytes[start] != ASCIIByte.dot
    else { throw syntax("no name") }
    return start..<position
  }

  private static func isNameCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x2D, 0x2E, 0x3A, 0x5F, 0x80...: true  // - . : _
    default: ASCIIByte.isLetter(byte) || ASCIIByte.isDigit(byte)
    }
  }

  private static func isWhitespace(_ byte: UInt8) -> Bool {
    ASCIIByte.isWhitespace(byte) || byte == 0x0A || byte == 0x0D
  }

  private func syntax(_ what: String) -> DocumentError {
    .syntax(what, at: position, "XML")
  }
}
