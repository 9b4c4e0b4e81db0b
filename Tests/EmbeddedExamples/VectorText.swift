// SPDX-License-Identifier: Apache-2.0
// A reader of the tables of Tests/Vectors for programs without Unicode tables.

/// The named values of one test vector, in the order of the table.
struct Vector {
  fileprivate var fields: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] = []

  /// All values of a name, their escapes resolved.
  func all(_ name: StaticString) -> [[UInt8]] {
    name.withUTF8Buffer { name in
      fields.filter { $0.name.elementsEqual(name) }.map { Self.unescaped($0.value) }
    }
  }

  /// The value of a name, or nil.
  func bytes(_ name: StaticString) -> [UInt8]? { all(name).first }

  /// The value of a name as text; empty when there is none.
  func text(_ name: StaticString) -> String {
    String(decoding: bytes(name) ?? [], as: UTF8.self)
  }

  /// Whether the value of a name is this one.
  func has(_ name: StaticString, _ value: StaticString) -> Bool {
    bytes(name).map { bytes in value.withUTF8Buffer { bytes.elementsEqual($0) } } ?? false
  }

  /// The decimal number of a name; 0 when there is none.
  func number(_ name: StaticString) -> Int {
    (bytes(name) ?? []).reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  private static func unescaped(_ value: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = value
    while let byte = rest.popFirst() {
      if byte != UInt8(ascii: "\\") {
        bytes.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "n"): bytes.append(UInt8(ascii: "\n"))
      case UInt8(ascii: "r"): bytes.append(UInt8(ascii: "\r"))
      case UInt8(ascii: "t"): bytes.append(UInt8(ascii: "\t"))
      case UInt8(ascii: "x"): bytes.append(digit(&rest) << 4 | digit(&rest))
      case let other: bytes.append(other ?? 0)
      }
    }
    return bytes
  }

  private static func digit(_ rest: inout ArraySlice<UInt8>) -> UInt8 {
    let digit = rest.popFirst() ?? 0
    return digit <= UInt8(ascii: "9")
      ? digit - UInt8(ascii: "0") : (digit | 0x20) - UInt8(ascii: "a") + 10
  }
}

extension Vector {
  /// Calls `body` with each vector of a table.
  static func forEach(in table: StaticString, _ body: (Vector) -> Void) {
    let bytes = table.withUTF8Buffer { [UInt8]($0) }
    var vector = Vector()
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if line.first == UInt8(ascii: "#") { continue }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
        if !vector.fields.isEmpty { body(vector) }
        vector = Vector()
        continue
      }
      let value = line[(colon + 1)...]
      vector.fields.append((line[..<colon], value.first == 32 ? value.dropFirst() : value))
    }
    if !vector.fields.isEmpty { body(vector) }
  }
}

/// Counts vectors, and prints the name of each that fails.
struct Tally {
  private var vectors = 0
  private var failures = 0

  mutating func count(_ vector: Vector, _ isRight: Bool) {
    vectors += 1
    if isRight { return }
    failures += 1
    print("wrong: " + vector.text("name"))
  }

  /// Prints the line of a table, and returns how many failed.
  func report(_ table: StaticString) -> Int {
    print("\(table): \(vectors) vectors, \(failures) failures")
    return failures
  }
}
