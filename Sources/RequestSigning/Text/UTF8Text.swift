// SPDX-License-Identifier: Apache-2.0
// Conversions between strings and bytes. Signing itself uses only bytes.

internal import SecureHashing

/// A string as bytes, written as a literal: `"\(quoted: name) has \(count) bytes"`.
package struct UTF8Text: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// The string.
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
    unsafe bytes.append(contentsOf: text.bytesInUTF8)
  }

  /// Creates a text from a string and the rest of another one.
  init(_ beginning: StaticString, then text: StaticString, from start: Int) {
    appendLiteral(beginning)
    // Safety: slicing checks the range.
    unsafe bytes.append(
      contentsOf: UnsafeRawBufferPointer(rebasing: text.bytesInUTF8[start...]))
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

  /// Appends decimal digits.
  private mutating func appendDigits(_ number: UInt64) {
    let rest = number / 10
    if rest > 0 { appendDigits(rest) }
    append(UInt8(truncatingIfNeeded: number &- rest &* 10) &+ 0x30)
  }

  /// Appends a caller's string for use in a message: quoted, on one line, at most 80 bytes.
  @inline(never)
  package mutating func appendInterpolation(quoted text: String) {
    appendInterpolation(quoted: text.bytesInUTF8[...])
  }

  /// Appends a caller's input for use in a message: quoted, on one line, at most 80 bytes.
  package mutating func appendInterpolation(quoted input: [UInt8]) {
    appendInterpolation(quoted: input[...])
  }

  /// Appends a caller's input for use in a message: quoted, on one line, at most 80 bytes.
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
  /// Returns a caller's input for use in a message: quoted, on one line, at most `limit` bytes.
  package static func quoted(_ bytes: some Collection<UInt8>, upTo limit: Int = 80) -> String {
    var text = UTF8Text()
    text.append(quoted: Array(bytes)[...], upTo: limit)
    return text.string
  }

  /// Returns a caller's string for use in a message.
  package static func quoted(_ text: String) -> String { quoted(text.bytesInUTF8) }
}

// These members have long names because vendored files share them with their host.

extension String {
  /// The bytes of the string in UTF-8.
  package var bytesInUTF8: [UInt8] {
    unsafe withBytesInUTF8 { unsafe [UInt8]($0) }
  }

  /// The size of the string in UTF-8.
  package var byteCountInUTF8: Int {
    unsafe withBytesInUTF8 { $0.count }
  }

  /// Returns whether another string has the same bytes. (In Embedded Swift, `==` on strings links
  /// Unicode tables.)
  package func hasSameBytes(as other: String) -> Bool {
    other.withUTF8Bytes { hasSameBytes(as: $0) }
  }

  /// Returns whether a text has the same bytes.
  package func hasSameBytes(as text: TextSpan) -> Bool {
    withUTF8Bytes { $0.hasSameBytes(as: text) }
  }

  /// Calls `body` with the string's UTF-8 bytes, which are valid only in `body`. Nothing is copied,
  /// except for strings that Foundation stores in another form.
  @inlinable @inline(__always)
  package func withBytesInUTF8<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    var result: Result?
    // Safety: `visitBytesInUTF8` has called the closure once when it returns.
    unsafe visitBytesInUTF8 { unsafe result = body($0) }
    return unsafe result.unsafelyUnwrapped
  }
}

extension [UInt8] {
  /// The bytes as a UTF-8 string.
  package var textInUTF8: String { self[...].textInUTF8 }

  /// Removes the bytes and retains the memory.
  @inlinable
  package mutating func clear() {
    if !isEmpty { removeAll(keepingCapacity: true) }
  }
}

extension ArraySlice<UInt8> {
  /// The bytes as a UTF-8 string.
  package var textInUTF8: String {
    unsafe withUnsafeBytes { unsafe $0.textInUTF8 }
  }

  /// Returns whether the bytes spell a string.
  @inline(never)
  package func spells(_ other: StaticString) -> Bool {
    span.spells(other)
  }

  /// Returns whether the bytes spell a string, ignoring the case of ASCII letters.
  package func spellsIgnoringCase(_ other: StaticString) -> Bool {
    span.spellsIgnoringCase(other)
  }
}

extension StaticString {
  /// The bytes of the string in UTF-8.
  @inlinable package var bytesInUTF8: UnsafeRawBufferPointer {
    // Safety: the bytes of a static string are valid forever.
    unsafe UnsafeRawBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
  }

  /// The string. (`description` repairs invalid UTF-8, which adds 10 KB of code.)
  package var textInUTF8: String { unsafe bytesInUTF8.textInUTF8 }
}
