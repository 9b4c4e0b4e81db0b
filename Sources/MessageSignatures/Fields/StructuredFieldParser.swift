// SPDX-License-Identifier: Apache-2.0
// Parses structured fields strictly (RFC 9651, section 4.2).

internal import SecureHashing

extension StructuredField {
  /// Where a field isn't a structured field, and why.
  struct ParsingError: Error, Equatable {
    let problem: String
    let offset: Int
  }

  /// A value for a name that already has one: the last one counts (RFC 9651), or it's an error
  /// (labels of signatures, RFC 9421, section 4).
  enum RepeatedNames { case replaced, rejected }

  static func parse(_ text: [UInt8], as type: FieldType) throws(ParsingError) -> Value {
    switch type {
    case .item: .item(try item(text))
    case .list:
      .list(try whole(text) { parser throws(ParsingError) in try parser.list() })
    case .dictionary: .dictionary(try dictionary(text))
    }
  }

  static func item(_ text: [UInt8]) throws(ParsingError) -> Item {
    try whole(text) { parser throws(ParsingError) in try parser.item() }
  }

  static func dictionary(
    _ text: [UInt8], repeated: RepeatedNames = .replaced
  ) throws(ParsingError) -> Named<Member> {
    try whole(text) { parser throws(ParsingError) in try parser.dictionary(repeated) }
  }

  private static func whole<Content>(
    _ text: [UInt8], _ read: (inout Parser) throws(ParsingError) -> Content
  ) throws(ParsingError) -> Content {
    var parser = Parser(bytes: text)
    parser.skip { $0 == 0x20 }
    let content = try read(&parser)
    try parser.end()
    return content
  }

  /// Reads from the first byte to the last. `next` is nil at the end.
  struct Parser {
    let bytes: [UInt8]
    var position = 0

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// More members, parameters or items than these are an error, because an untrusted field must
    /// not take long. (The standard requires support for 1,024 members and 256 parameters.)
    static var limit: Int { 1024 }
  }
}

extension StructuredField.Parser {
  typealias ParsingError = StructuredField.ParsingError

  private func error(_ problem: String) -> ParsingError {
    ParsingError(problem: problem, offset: position)
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    if next != UInt8(ascii: character) { return false }
    position += 1
    return true
  }

  mutating func skip(while isSkipped: (UInt8) -> Bool) {
    _ = take(while: isSkipped)
  }

  private mutating func take(while isTaken: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = position
    while let byte = next, isTaken(byte) { position += 1 }
    return bytes[start..<position]
  }

  mutating func end() throws(ParsingError) {
    skip { $0 == 0x20 }
    if next != nil { throw error("text after the value") }
  }

  // MARK: Lists and dictionaries

  mutating func list() throws(ParsingError) -> [StructuredField.Member] {
    var members: [StructuredField.Member] = []
    while try hasMember(after: members.count) { members.append(try member()) }
    return members
  }

  mutating func dictionary(
    _ repeated: StructuredField.RepeatedNames
  ) throws(ParsingError) -> StructuredField.Named<StructuredField.Member> {
    var members = StructuredField.Named<StructuredField.Member>()
    var count = 0
    while try hasMember(after: count) {
      let name = try key()
      let value =
        skip("=")
        ? try member()
        : .item(StructuredField.Item(value: .boolean(true), parameters: try parameters()))
      if members.set(name, value) && repeated == .rejected {
        throw error("a name that appears twice")
      }
      count += 1
    }
    return members
  }

  /// Skips a comma, unless this is the first member. Returns false at the end.
  private mutating func hasMember(after count: Int) throws(ParsingError) -> Bool {
    if count == 0 { return next != nil }
    skip(while: FieldByte.isBlank)
    if next == nil { return false }
    if !skip(",") { throw error("no comma between two members") }
    skip(while: FieldByte.isBlank)
    if next == nil { throw error("a comma at the end") }
    if count >= Self.limit { throw error("too many members") }
    return true
  }

  private mutating func member() throws(ParsingError) -> StructuredField.Member {
    next == UInt8(ascii: "(") ? .innerList(try innerList()) : .item(try item())
  }

  private mutating func innerList() throws(ParsingError) -> StructuredField.InnerList {
    _ = skip("(")
    var items: [StructuredField.Item] = []
    while true {
      skip { $0 == 0x20 }
      if skip(")") { return StructuredField.InnerList(items: items, parameters: try parameters()) }
      if items.count >= Self.limit { throw error("too many items in an inner list") }
      items.append(try item())
      if next != 0x20 && next != UInt8(ascii: ")") { throw error("no space between two items") }
    }
  }

  mutating func item() throws(ParsingError) -> StructuredField.Item {
    StructuredField.Item(value: try bareItem(), parameters: try parameters())
  }

  private mutating func parameters() throws(ParsingError)
    -> StructuredField.Named<
      StructuredField.BareItem
    >
  {
    var parameters = StructuredField.Named<StructuredField.BareItem>()
    while skip(";") {
      skip { $0 == 0x20 }
      let name = try key()
      _ = parameters.set(name, skip("=") ? try bareItem() : .boolean(true))
      if parameters.all.count > Self.limit { throw error("too many parameters") }
    }
    return parameters
  }

  private mutating func key() throws(ParsingError) -> [UInt8] {
    let name = take(while: StructuredField.isKeyCharacter)
    if !StructuredField.isKey(name) { throw error("an invalid name") }
    return Array(name)
  }

  // MARK: Bare items

  private mutating func bareItem() throws(ParsingError) -> StructuredField.BareItem {
    guard let first = next else { throw error("no value") }
    if FieldByte.isLetter(first) || first == UInt8(ascii: "*") {
      return .token(Array(take(while: StructuredField.isTokenCharacter)))
    }
    if FieldByte.isDigit(first) || first == UInt8(ascii: "-") { return try number() }
    position += 1
    switch first {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: ":"): return .bytes(try byteSequence())
    case UInt8(ascii: "%"): return .displayString(try displayString())
    case UInt8(ascii: "?"):
      if skip("1") { return .boolean(true) }
      if skip("0") { return .boolean(false) }
      throw error("a Boolean that isn't ?0 or ?1")
    case UInt8(ascii: "@"):
      guard case .integer(let seconds) = try number() else { throw error("a Date with a fraction") }
      return .date(seconds)
    default: throw error("not a value")
    }
  }

  private mutating func number() throws(ParsingError) -> StructuredField.BareItem {
    let isNegative = skip("-")
    let whole = take(while: FieldByte.isDigit)
    if whole.isEmpty { throw error("a number without digits") }
    if !skip(".") {
      if whole.count > 15 { throw error("an Integer of more than 15 digits") }
      let value = FieldByte.number(whole)
      return .integer(isNegative ? -value : value)
    }
    let fraction = take(while: FieldByte.isDigit)
    if whole.count > 12 { throw error("a Decimal with more than 12 digits before its point") }
    if !(1...3).contains(fraction.count) { throw error("a fraction that isn't 1 to 3 digits") }
    let zeros = repeatElement(UInt8(ascii: "0"), count: 3 - fraction.count)
    let value = FieldByte.number(whole + fraction + zeros)
    return .decimal(thousandths: isNegative ? -value : value)
  }

  private mutating func string() throws(ParsingError) -> [UInt8] {
    var content: [UInt8] = []
    while let byte = next, FieldByte.isPrintable(byte) {
      position += 1
      if byte == UInt8(ascii: "\"") { return content }
      if byte != UInt8(ascii: "\\") {
        content.append(byte)
      } else if skip("\"") {
        content.append(UInt8(ascii: "\""))
      } else if skip("\\") {
        content.append(UInt8(ascii: "\\"))
      } else {
        throw error("a backslash before another character")
      }
    }
    throw error("a String without its end, or with a character that can't be in it")
  }

  /// Padding may be missing, as the standard recommends. Bits that belong to no byte are an error,
  /// as it allows.
  private mutating func byteSequence() throws(ParsingError) -> [UInt8] {
    var content = Array(take { $0 != UInt8(ascii: ":") })
    if !skip(":") { throw error("a Byte Sequence without its end") }
    if content.count % 4 != 0 && content.last != UInt8(ascii: "=") {
      content += repeatElement(UInt8(ascii: "="), count: 4 - content.count % 4)
    }
    guard let bytes = try? Base64.decode(content.asString) else {
      throw error("a Byte Sequence that isn't base64")
    }
    return bytes
  }

  private mutating func displayString() throws(ParsingError) -> [UInt8] {
    if !skip("\"") { throw error("a Display String without a quotation mark") }
    var content: [UInt8] = []
    while let byte = next, FieldByte.isPrintable(byte) {
      position += 1
      if byte == UInt8(ascii: "\"") {
        // Invalid UTF-8 changes when it's decoded.
        if content.isSpelled(content.asString) { return content }
        throw error("a Display String that isn't UTF-8")
      }
      content.append(byte == UInt8(ascii: "%") ? try escapedByte() : byte)
    }
    throw error("a Display String without its end, or with a character that can't be in it")
  }

  private mutating func escapedByte() throws(ParsingError) -> UInt8 {
    let digits = take(upTo: 2)
    guard digits.count == 2, !digits.contains(where: { (0x41...0x5A).contains($0) }),
      let byte = try? Hexadecimal.decode(digits).first
    else { throw error("a percent sign without two lowercase hexadecimal digits") }
    return byte
  }

  private mutating func take(upTo count: Int) -> ArraySlice<UInt8> {
    let taken = bytes[position...].prefix(count)
    position = taken.endIndex
    return taken
  }
}
