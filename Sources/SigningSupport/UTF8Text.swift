// SPDX-License-Identifier: Apache-2.0
// Where texts become bytes, and bytes texts: signing itself knows bytes only.

internal import SecureHashing

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

// The names of these members are long, since vendored files share them with their host.

extension String {
  /// The bytes of the text in UTF-8.
  package var bytesInUTF8: [UInt8] {
    // Safety: the bytes are copied before the closure ends.
    unsafe withBytesInUTF8 { unsafe [UInt8]($0) }
  }

  /// The size of the text in UTF-8.
  package var byteCountInUTF8: Int {
    // Safety: the bytes are counted only.
    unsafe withBytesInUTF8 { $0.count }
  }

  /// Whether another text has the same bytes. (In Embedded Swift, `==` of texts links Unicode's tables.)
  package func hasSameBytes(as other: String) -> Bool {
    withUTF8Bytes { text in other.withUTF8Bytes { text.hasSameBytes(as: $0) } }
  }

  /// Calls `body` with the bytes of the text in UTF-8, which stay valid in `body` only. Nothing is
  /// copied, but for texts that Foundation keeps in a form of its own.
  @inlinable @inline(__always)
  package func withBytesInUTF8<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    var result: Result?
    // Safety: The closure has been called once when `visitBytesInUTF8` returns.
    unsafe visitBytesInUTF8 { unsafe result = body($0) }
    return unsafe result.unsafelyUnwrapped
  }
}

extension [UInt8] {
  /// The text that the bytes are in UTF-8.
  package var textInUTF8: String { self[...].textInUTF8 }

  /// Forgets the bytes; the memory stays.
  @inlinable
  package mutating func clear() {
    if !isEmpty { removeAll(keepingCapacity: true) }
  }
}

extension ArraySlice<UInt8> {
  /// The text that the bytes are in UTF-8.
  package var textInUTF8: String {
    // Safety: the bytes are copied before the closure ends.
    unsafe withUnsafeBytes { unsafe $0.textInUTF8 }
  }

  /// Whether the bytes are those of a text.
  @inline(never)
  package func spells(_ other: StaticString) -> Bool {
    span.spells(other)
  }

  /// Whether the bytes are those of a text but for the case of ASCII letters.
  package func spellsIgnoringCase(_ other: StaticString) -> Bool {
    span.spellsIgnoringCase(other)
  }
}

extension StaticString {
  /// The bytes of the text in UTF-8.
  @inlinable package var bytesInUTF8: UnsafeRawBufferPointer {
    // Safety: a static string has so many bytes for ever.
    unsafe UnsafeRawBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
  }

  /// The text. (`description` repairs what is no UTF-8, which takes 10 KB of code.)
  package var textInUTF8: String { unsafe bytesInUTF8.textInUTF8 }
}
