// SPDX-License-Identifier: Apache-2.0
// The values of structured fields (RFC 9651, section 3).

// Names and strings are bytes: they are ASCII, and `==` on strings calls others equal to it.

/// Structured fields of HTTP: items, lists and dictionaries.
enum StructuredField {
  /// The type of a field, without which it can't be parsed.
  enum FieldType { case item, list, dictionary }

  /// A whole field.
  enum Value {
    case item(Item)
    case list([Member])
    case dictionary(Named<Member>)
  }

  /// A member of a list or of a dictionary.
  enum Member: Equatable, Sendable {
    case item(Item)
    case innerList(InnerList)
  }

  struct InnerList: Equatable, Sendable {
    var items: [Item]
    var parameters = Named<BareItem>()
  }

  struct Item: Equatable, Sendable {
    var value: BareItem
    var parameters = Named<BareItem>()
  }

  enum BareItem: Equatable, Sendable {
    case integer(Int64)
    case decimal(thousandths: Int64)
    case string([UInt8])
    case token([UInt8])
    case bytes([UInt8])
    case boolean(Bool)
    /// Seconds since 1970.
    case date(Int64)
    /// UTF-8.
    case displayString([UInt8])
  }

  /// The members of a dictionary, or parameters: values with unique names, in order.
  struct Named<Value: Equatable & Sendable>: Equatable, Sendable {
    private(set) var all: [(name: [UInt8], value: Value)] = []
    /// Where the names are, so that many of them don't take long.
    private var positions: [[UInt8]: Int] = [:]

    subscript(name: [UInt8]) -> Value? { positions[name].map { all[$0].value } }

    subscript(name: String) -> Value? { self[Array(name.utf8)] }

    /// Sets a value. A later one replaces an earlier one of the same name, in its place. Returns
    /// whether it did.
    mutating func set(_ name: [UInt8], _ value: Value) -> Bool {
      guard let index = positions[name] else {
        positions[name] = all.count
        all.append((name, value))
        return false
      }
      all[index].value = value
      return true
    }

    mutating func set(_ name: String, _ value: Value) { _ = set(Array(name.utf8), value) }

    static func == (left: Self, right: Self) -> Bool {
      left.all.elementsEqual(right.all) { $0.name == $1.name && $0.value == $1.value }
    }
  }

  /// The largest magnitude of an Integer or a Date: 15 digits (RFC 9651, section 3.3.1).
  static var largestInteger: Int64 { 999_999_999_999_999 }
}

/// What a byte can be part of.
enum FieldByte {
  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  static func isLowercase(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
  static func isLetter(_ byte: UInt8) -> Bool { isLowercase(byte | 0x20) }
  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// ASCII without control characters, as in a String (RFC 9651, section 3.3.3).
  static func isPrintable(_ byte: UInt8) -> Bool { (0x20...0x7E).contains(byte) }

  /// A character of a method or of a field name (RFC 9110, section 5.6.2).
  static func isTokenCharacter(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }

  /// The number of at most 15 digits.
  static func number(_ digits: some Sequence<UInt8>) -> Int64 {
    digits.reduce(0) { $0 &* 10 &+ Int64($1 &- UInt8(ascii: "0")) }
  }

  static func lowercase(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}

extension Collection<UInt8> {
  /// Returns whether these are the bytes of a string.
  func isSpelled(_ text: String) -> Bool { elementsEqual(text.utf8) }

  /// Returns whether this is the name of the same field: in ASCII, and in any case.
  func isSameField(as name: some Collection<UInt8>) -> Bool {
    lazy.map(FieldByte.lowercase).elementsEqual(name.lazy.map(FieldByte.lowercase))
  }

  /// The bytes as a string.
  var asString: String { String(decoding: self, as: UTF8.self) }
}
