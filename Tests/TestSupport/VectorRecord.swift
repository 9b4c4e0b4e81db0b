// SPDX-License-Identifier: Apache-2.0
// One record of a vector table, and how its values are read.

/// The named values of one test vector. A name may occur more than once.
public struct VectorRecord: Sendable, CustomStringConvertible {
  let fields: [Field]
  let place: String

  /// The value of the field `name`, or else where the record begins.
  public var name: String { (try? optionalText("name")) ?? place }

  /// The name: a parameterised test prints it.
  public var description: String { name }

  /// The only value of this name as text.
  public func text(_ name: String) throws -> String {
    try Self.text(of: try field(name))
  }

  /// The only value of this name as text, or nil when the record has no such field.
  public func optionalText(_ name: String) throws -> String? {
    try optionalField(name).map(Self.text(of:))
  }

  /// All values of this name as text, in the order of the file; none is no error.
  public func texts(_ name: String) throws -> [String] {
    try fields.filter { $0.name == name }.map(Self.text(of:))
  }

  /// The only value of this name as bytes.
  public func bytes(_ name: String) throws -> [UInt8] {
    try field(name).value
  }

  /// The only value of this name as bytes, or nil when the record has no such field.
  public func optionalBytes(_ name: String) throws -> [UInt8]? {
    try optionalField(name)?.value
  }

  /// The bytes that the only value of this name spells in hexadecimal digits.
  public func hexadecimal(_ name: String) throws -> [UInt8] {
    let field = try field(name)
    guard let bytes = Self.decodeHexadecimal(field.value) else {
      throw VectorTableError("\(field.place): '\(name)' is not hexadecimal")
    }
    return bytes
  }

  /// The decimal number that the only value of this name spells.
  public func integer(_ name: String) throws -> Int {
    let field = try field(name)
    guard let number = Int(try Self.text(of: field)) else {
      throw VectorTableError("\(field.place): '\(name)' is no decimal number")
    }
    return number
  }

  func field(_ name: String) throws -> Field {
    guard let field = try optionalField(name) else {
      throw VectorTableError("\(place): the record has no field '\(name)'")
    }
    return field
  }

  func optionalField(_ name: String) throws -> Field? {
    let found = fields.filter { $0.name == name }
    if found.count > 1 {
      throw VectorTableError("\(place): '\(name)' occurs \(found.count) times, expected once")
    }
    return found.first
  }

  static func text(of field: Field) throws -> String {
    guard let text = String(validating: field.value, as: UTF8.self) else {
      throw VectorTableError("\(field.place): '\(field.name)' is not valid UTF-8; ask for bytes")
    }
    return text
  }

  /// The test support's own decoder: the library's is under test. Nil for anything but digit pairs.
  static func decodeHexadecimal(_ digits: some Collection<UInt8>) -> [UInt8]? {
    let nibbles = digits.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    if nibbles.count != digits.count || nibbles.count % 2 != 0 { return nil }
    return stride(from: 0, to: nibbles.count, by: 2).map {
      UInt8(nibbles[$0] * 16 + nibbles[$0 + 1])
    }
  }
}

extension VectorRecord {
  /// A line `name: value`, its escapes resolved.
  struct Field: Sendable {
    let name: String
    let value: [UInt8]
    let place: String

    init(line: ArraySlice<UInt8>, place: String) throws {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
        throw VectorTableError("\(place): expected 'name: value'")
      }
      var rest = line[(colon + 1)...]
      if rest.first == UInt8(ascii: " ") { rest.removeFirst() }
      self.name = String(decoding: line[..<colon], as: UTF8.self)
      self.value = try Self.unescape(rest, place: place)
      self.place = place
    }

    static func unescape(_ escaped: ArraySlice<UInt8>, place: String) throws -> [UInt8] {
      var bytes: [UInt8] = []
      var rest = escaped
      while let byte = rest.popFirst() {
        if byte != UInt8(ascii: "\\") {
          bytes.append(byte)
          continue
        }
        switch rest.popFirst() {
        case UInt8(ascii: "\\"): bytes.append(UInt8(ascii: "\\"))
        case UInt8(ascii: "n"): bytes.append(UInt8(ascii: "\n"))
        case UInt8(ascii: "r"): bytes.append(UInt8(ascii: "\r"))
        case UInt8(ascii: "t"): bytes.append(UInt8(ascii: "\t"))
        case UInt8(ascii: "x"):
          guard let decoded = decodeHexadecimal(rest.prefix(2)), decoded.count == 1 else {
            throw VectorTableError("\(place): \\x needs two hexadecimal digits")
          }
          bytes += decoded
          rest.removeFirst(2)
        default:
          throw VectorTableError("\(place): an escape is one of \\\\ \\n \\r \\t \\xNN")
        }
      }
      return bytes
    }
  }
}

extension VectorRecord {
  /// The seed of the generator that made the inputs.
  public var seed: UInt64 {
    get throws {
      try hexadecimal("seed").reduce(0) { $0 << 8 | UInt64($1) }
    }
  }
}
