// SPDX-License-Identifier: Apache-2.0
// What the signing functions are given: a text of lines, read without Unicode tables.

/// Lines that end with a line feed; the last one may do without.
struct InputLines {
  private var rest: UnsafeBufferPointer<UInt8>.SubSequence

  init(_ text: UnsafePointer<UInt8>, _ byteCount: Int) {
    rest = UnsafeBufferPointer(start: text, count: byteCount)[...]
  }

  var isAtEnd: Bool { rest.isEmpty }

  /// The next line; empty behind the last one.
  mutating func next() -> String { take(until: UInt8(ascii: "\n")) }

  /// The next line, up to the first ':' and behind it.
  mutating func nextPair() -> (String, String) { (take(until: UInt8(ascii: ":")), next()) }

  private mutating func take(until end: UInt8) -> String {
    var index = rest.startIndex
    while index < rest.endIndex && rest[index] != end { index += 1 }
    let text = String(decoding: rest[..<index], as: UTF8.self)
    rest = rest[min(index + 1, rest.endIndex)...]
    return text
  }
}
