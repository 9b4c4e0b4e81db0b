// SPDX-License-Identifier: Apache-2.0
// The input of the signing functions: lines, read without Unicode tables.

/// Lines that end with a line feed; the last one may do without. One that is no UTF-8 is read as an
/// empty one: `String(decoding:as:)`, which would repair it, takes 18 KB more.
struct InputLines {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0

  init(_ text: UnsafePointer<UInt8>, _ byteCount: Int) {
    bytes = UnsafeBufferPointer(start: text, count: byteCount)
  }

  var isAtEnd: Bool { position >= bytes.count }

  /// The next line, or an empty one at the end.
  mutating func next() -> String { take(until: UInt8(ascii: "\n")) }

  /// The next line, or nil when it is empty.
  mutating func nextUnlessEmpty() -> String? {
    let isEmpty = isAtEnd || bytes[position] == UInt8(ascii: "\n")
    let line = next()
    return isEmpty ? nil : line
  }

  /// The next line, before and after its first ':'.
  mutating func nextPair() -> (String, String) { (take(until: UInt8(ascii: ":")), next()) }

  private mutating func take(until end: UInt8) -> String {
    let start = min(position, bytes.count)
    position = start
    while position < bytes.count && bytes[position] != end { position += 1 }
    let line = UnsafeBufferPointer(rebasing: bytes[start..<position])
    position += 1
    return String(validating: line, as: UTF8.self) ?? ""
  }
}
