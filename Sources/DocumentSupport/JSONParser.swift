// SPDX-License-Identifier: Apache-2.0
// The grammar of JSON, rule by rule.

internal import SigningSupport

extension JSONReader {
  /// Passes once over the bytes of a document, which are UTF-8.
  package struct Parser {
    let bytes: [UInt8]
    var position = 0

    init(bytes: [UInt8]) {
      self.bytes = bytes
    }

    /// RFC 8259, 2: one value with whitespace around it.
    mutating func document() throws(DocumentError) -> Value {
      let value = try value(depth: 0)
      if position < bytes.count { throw syntax("something after its value") }
      return value
    }

    /// RFC 8259, 3. Whitespace on both sides of it is skipped.
    private mutating func value(depth: Int) throws(DocumentError) -> Value {
      skipWhitespace()
      let value: Value
      switch next {
      case 0x7B: value = .object(try members(depth: depth))
      case 0x5B: value = .array(try elements(depth: depth))
      case 0x22: value = .string(try string())
      case let byte? where byte == 0x2D || ASCIIByte.isDigit(byte):
        value = .number(try number())
      default: value = try literal()
      }
      skipWhitespace()
      return value
    }

    /// RFC 8259, 4
    private mutating func members(depth: Int) throws(DocumentError) -> [Member] {
      let start = position
      try enter(depth)
      var members: [Member] = []
      skipWhitespace()
      if skip(0x7D) { return [] }
      repeat {
        skipWhitespace()
        if next != 0x22 { throw syntax("no name of a member") }
        let name = try string()
        skipWhitespace()
        if !skip(ASCIIByte.colon) { throw syntax("no colon after a name") }
        members.append(Member(name: name, value: try value(depth: depth &+ 1)))
      } while skip(ASCIIByte.comma)
      if !skip(0x7D) { throw syntax("neither a comma nor the end of an object") }
      try refuseDuplicates(members, start)
      return members
    }

    /// RFC 8259, 5
    private mutating func elements(depth: Int) throws(DocumentError) -> [Value] {
      try enter(depth)
      var elements: [Value] = []
      skipWhitespace()
      if skip(0x5D) { return [] }
      repeat {
        elements.append(try value(depth: depth &+ 1))
      } while skip(ASCIIByte.comma)
      if !skip(0x5D) { throw syntax("neither a comma nor the end of an array") }
      return elements
    }

    /// RFC 8259, 6
    private mutating func number() throws(DocumentError) -> String {
      let start = position
      _ = skip(0x2D)
      if !skip(0x30) { try digits() }
      if skip(ASCIIByte.dot) { try digits() }
      if let exponent = next, exponent | 0x20 == 0x65 {
        position &+= 1
        if !skip(ASCIIByte.plus) { _ = skip(0x2D) }
        try digits()
      }
      return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// RFC 8259, 7
    private mutating func string() throws(DocumentError) -> String {
      position &+= 1
      var text: [UInt8] = []
      while let byte = next {
        if byte < 0x20 { throw syntax("a control character in a string") }
        position &+= 1
        if byte == 0x22 { return String(decoding: text, as: UTF8.self) }
        if byte == 0x5C {
          text.append(contentsOf: try escaped().utf8)
        } else {
          text.append(byte)
        }
      }
      throw syntax("no end of a string")
    }

    /// The character of an escape, after its backslash.
    private mutating func escaped() throws(DocumentError) -> Unicode.Scalar {
      let byte = next
      position &+= 1
      switch byte {
      case 0x22: return "\""
      case 0x5C: return "\\"
      case 0x2F: return "/"
      case 0x62: return "\u{8}"
      case 0x66: return "\u{C}"
      case 0x6E: return "\n"
      case 0x72: return "\r"
      case 0x74: return "\t"
      case 0x75: return try escapedUnit()
      default:
        position &-= 1
        throw syntax("an unknown escape")
      }
    }

    /// The character of `\u`, of which two make one above U+FFFF.
    private mutating func escapedUnit() throws(DocumentError) -> Unicode.Scalar {
      let start = position &- 2
      let unit = try codeUnit()
      if let scalar = Unicode.Scalar(unit) { return scalar }
      // RFC 8259, 8.2: what a lone surrogate means cannot be predicted.
      if unit < 0xDC00, skip(0x5C), skip(0x75) {
        let low = try codeUnit()
        let value = 0x1_0000 &+ (unit & 0x3FF) &<< 10 &+ (low & 0x3FF)
        if low >= 0xDC00, low <= 0xDFFF, let scalar = Unicode.Scalar(value) { return scalar }
      }
      throw DocumentError(
        .invalidText,
        """
        the JSON document has half of a surrogate pair at offset \(start), which is no character; \
        look at what cut the text there
        """)
    }

    private mutating func codeUnit() throws(DocumentError) -> UInt32 {
      var unit: UInt32 = 0
      for _ in 0..<4 {
        guard let byte = next, let digit = ASCIIByte.hexadecimalValue(byte) else {
          throw syntax("fewer than four hexadecimal digits")
        }
        unit = unit &<< 4 | UInt32(digit)
        position &+= 1
      }
      return unit
    }

    /// The three words.
    private mutating func literal() throws(DocumentError) -> Value {
      if skip("true") { return .boolean(true) }
      if skip("false") { return .boolean(false) }
      if skip("null") { return .null }
      throw syntax("no value")
    }
  }
}

extension JSONReader.Parser {
  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skip(_ byte: UInt8) -> Bool {
    if next != byte { return false }
    position &+= 1
    return true
  }

  private mutating func skip(_ word: String) -> Bool {
    if !bytes[position...].starts(with: word.utf8) { return false }
    position &+= word.utf8.count
    return true
  }

  private mutating func skipWhitespace() {
    while let byte = next, ASCIIByte.isWhitespace(byte) || byte == 0x0A || byte == 0x0D {
      position &+= 1
    }
  }

  /// One digit or more.
  private mutating func digits() throws(DocumentError) {
    let start = position
    while let byte = next, ASCIIByte.isDigit(byte) { position &+= 1 }
    if position == start { throw syntax("no digit of a number") }
  }

  /// Goes into an object or array.
  private mutating func enter(_ depth: Int) throws(DocumentError) {
    if depth >= DocumentError.maximumDepth { throw .tooDeep(at: position, "JSON") }
    position &+= 1
  }

  /// RFC 8259, 4: with two members of one name, every reader may see another object.
  private func refuseDuplicates(
    _ members: [JSONReader.Member], _ start: Int
  ) throws(DocumentError) {
    if members.count < 2 { return }
    let names = members.map { Array($0.name.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
    for index in 1..<names.count where names[index] == names[index &- 1] {
      throw DocumentError(
        .duplicateName,
        """
        the JSON document has two members of one name in the object at offset \(start), so readers \
        would not agree on its value; look at what sent it
        """)
    }
  }

  private func syntax(_ what: String) -> DocumentError {
    .syntax(what, at: position, "JSON")
  }
}
