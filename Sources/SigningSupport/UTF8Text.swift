// SPDX-License-Identifier: Apache-2.0
// Texts that are put together as bytes, since strings would take far more code: messages above all.

/// A text as bytes, written as a literal: `"\(quoted: name) has \(count) bytes"`.
package struct UTF8Text: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// The text.
  package var string: String { bytes.textInUTF8 }
}

extension UTF8Text: ExpressibleByStringInterpolation,
  StringInterpolationProtocol
{
  package init(stringLiteral text: StaticString) {
    appendLiteral(text)
  }

  package init(stringInterpolation text: Self) {
    self = text
  }

  package init(literalCapacity: Int, interpolationCount: Int) {}

  #if hasFeature(Embedded)  // where size counts
    @inline(never)
  #endif
  package mutating func append(_ byte: UInt8) { bytes.append(byte) }

  @inline(never)
  package mutating func appendLiteral(_ text: StaticString) {
    // Safety: the bytes of a static string are there for ever.
    unsafe bytes.append(contentsOf: text.bytesInUTF8)
  }

  package mutating func appendInterpolation(_ text: Self) { bytes.append(contentsOf: text.bytes) }

  package mutating func appendInterpolation(_ text: StaticString) { appendLiteral(text) }

  @inline(never)
  package mutating func appendInterpolation(_ text: String) {
    bytes.append(contentsOf: text.bytesInUTF8)
  }

  package mutating func appendInterpolation(_ number: Int) { appendInterpolation(Int64(number)) }

  @inline(never)
  package mutating func appendInterpolation(_ number: Int64) {
    if number < 0 { append(0x2D) }
    appendDigits(number.magnitude)
  }

  package mutating func appendInterpolation(_ text: [UInt8]) { bytes.append(contentsOf: text) }

  /// In decimal.
  private mutating func appendDigits(_ number: UInt64) {
    let rest = number / 10
    if rest > 0 { appendDigits(rest) }
    append(UInt8(truncatingIfNeeded: number &- rest &* 10) &+ 0x30)
  }

  /// A text of the caller's, fit to stand in a message: quoted, one line, at most 80 bytes.
  @inline(never)
  package mutating func appendInterpolation(quoted text: String) {
    appendInterpolation(quoted: text.bytesInUTF8[...])
  }

  /// A piece of the caller's input, fit to stand in a message: quoted, one line, at most 80 bytes.
  package mutating func appendInterpolation(quoted input: [UInt8]) {
    appendInterpolation(quoted: input[...])
  }

  /// A piece of the caller's input, fit to stand in a message: quoted, one line, at most 80 bytes.
  package mutating func appendInterpolation(quoted input: ArraySlice<UInt8>) {
    append(quoted: input, upTo: 80)
  }

  @inline(never)
  fileprivate mutating func append(quoted input: ArraySlice<UInt8>, upTo limit: Int) {
    append(0x22)
    for byte in input.prefix(limit) {
      if byte >= 0x20 && byte < 0x7F && byte != 0x22 && byte != ASCIIByte.backslash {
        append(byte)
      } else {
        appendLiteral("\\x")
        append(ASCIIByte.uppercaseDigit(byte &>> 4))
        append(ASCIIByte.uppercaseDigit(byte & 15))
      }
    }
    append(0x22)
    if input.count > limit { appendInterpolation(" (the first \(limit) bytes)" as Self) }
  }
}

extension UTF8Text {
  /// A piece of the caller's input, fit to stand in a message: quoted, one line, and not longer than a
  /// number of bytes.
  package static func quoted(_ bytes: some Collection<UInt8>, upTo limit: Int = 80) -> String {
    var text = UTF8Text()
    text.append(quoted: Array(bytes)[...], upTo: limit)
    return text.string
  }

  /// A text of the caller's, fit to stand in a message.
  package static func quoted(_ text: String) -> String { quoted(text.bytesInUTF8) }
}
