// SPDX-License-Identifier: Apache-2.0
// Writes structured fields (RFC 9651, section 4.1).

internal import SecureHashing

extension StructuredField {
  /// Returns whether a byte can be in a name of a dictionary or a parameter.
  static func isKeyCharacter(_ byte: UInt8) -> Bool {
    FieldByte.isLowercase(byte) || FieldByte.isDigit(byte) || "_-.*".utf8.contains(byte)
  }

  /// Returns whether this is a name of a dictionary or a parameter (RFC 9651, section 3.1.2).
  static func isKey(_ name: some Collection<UInt8>) -> Bool {
    guard let first = name.first, FieldByte.isLowercase(first) || first == UInt8(ascii: "*")
    else { return false }
    return name.allSatisfy(isKeyCharacter)
  }

  /// Returns whether a byte can be in a Token (RFC 9651, section 3.3.4).
  static func isTokenCharacter(_ byte: UInt8) -> Bool {
    FieldByte.isTokenCharacter(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "/")
  }

  static func text(of value: Value) -> [UInt8] {
    switch value {
    case .item(let item): text(of: item)
    case .list(let members): text(of: members)
    case .dictionary(let members): text(of: members)
    }
  }

  static func text(of members: [Member]) -> [UInt8] {
    Array(members.map { text(of: $0) }.joined(separator: ", ".utf8))
  }

  static func text(of members: Named<Member>) -> [UInt8] {
    let texts = members.all.map { name, member in
      if case .item(let item) = member, item.value == .boolean(true) {
        return name + text(of: item.parameters)
      }
      return name + [UInt8(ascii: "=")] + text(of: member)
    }
    return Array(texts.joined(separator: ", ".utf8))
  }

  static func text(of member: Member) -> [UInt8] {
    switch member {
    case .item(let item): text(of: item)
    case .innerList(let list): text(of: list)
    }
  }

  static func text(of list: InnerList) -> [UInt8] {
    let items = list.items.map { text(of: $0) }.joined(separator: " ".utf8)
    return Array("(".utf8) + items + Array(")".utf8) + text(of: list.parameters)
  }

  static func text(of item: Item) -> [UInt8] { text(of: item.value) + text(of: item.parameters) }

  private static func text(of parameters: Named<BareItem>) -> [UInt8] {
    parameters.all.flatMap { name, value in
      let start = Array(";".utf8) + name
      return value == .boolean(true) ? start : start + [UInt8(ascii: "=")] + text(of: value)
    }
  }

  private static func text(of value: BareItem) -> [UInt8] {
    switch value {
    case .integer(let number): Array(String(number).utf8)
    case .date(let seconds): Array("@".utf8) + Array(String(seconds).utf8)
    case .decimal(let thousandths): decimal(thousandths)
    case .token(let token): token
    case .boolean(let isTrue): Array((isTrue ? "?1" : "?0").utf8)
    case .bytes(let bytes): Array((":" + Base64.encode(bytes) + ":").utf8)
    case .string(let content):
      quoted(content) { byte in
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
          ? [UInt8(ascii: "\\"), byte] : [byte]
      }
    case .displayString(let content):
      Array("%".utf8)
        + quoted(content) { byte in
          FieldByte.isPrintable(byte) && byte != UInt8(ascii: "%") && byte != UInt8(ascii: "\"")
            ? [byte] : Array(("%" + Hexadecimal.encode([byte])).utf8)
        }
    }
  }

  private static func quoted(_ content: [UInt8], _ written: (UInt8) -> [UInt8]) -> [UInt8] {
    Array("\"".utf8) + content.flatMap(written) + Array("\"".utf8)
  }

  /// Without zeros at the end, but with at least one digit after the point.
  private static func decimal(_ thousandths: Int64) -> [UInt8] {
    let (whole, fraction) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
    // The first digit only keeps the zeros that follow it.
    var digits = Array(String(fraction + 1000).utf8.dropFirst())
    while digits.count > 1 && digits.last == UInt8(ascii: "0") { digits.removeLast() }
    return Array(((thousandths < 0 ? "-" : "") + String(whole) + ".").utf8) + digits
  }
}
