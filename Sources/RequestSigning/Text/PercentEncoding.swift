// SPDX-License-Identifier: Apache-2.0
// The only percent-encoder: strict, on bytes, with uppercase digits.

extension TextOutput {
  /// Appends plain bytes in encoded form, one to three bytes for each.
  package mutating func writeEncoded(
    _ plain: TextSpan, as part: URIEncoding.Part, _ end: inout Int
  ) {
    let count = plain.count
    var position = 0
    while position < count {
      let word = plain.word(at: position)
      let run = EightBytes.run(EightBytes.unreserved(word, slash: part.keepsSlash))
      set(word: word, at: end)
      position &+= run
      end &+= run
      if run == 8 || position == count { continue }
      repeat {
        writeEncoded(plain.byte(at: position), as: part, &end)
        position &+= 1
      } while position < count && !part.keeps(plain.byte(at: position))
    }
  }

  /// Appends a byte, or three bytes if it must be escaped.
  @inline(__always)
  package mutating func writeEncoded(_ byte: UInt8, as part: URIEncoding.Part, _ end: inout Int) {
    if part.keeps(byte) { return append(byte, &end) }
    let digits = (ASCIIByte.uppercaseDigit(byte &>> 4), ASCIIByte.uppercaseDigit(byte & 15))
    set(
      word: UInt64(ASCIIByte.percent) | UInt64(digits.0) &<< 8 | UInt64(digits.1) &<< 16, at: end)
    end &+= 3
  }

  /// Appends the strict form of bytes in any encoding, one to three bytes for each. A '%' without
  /// two hexadecimal digits is a percent sign. In a path, an encoded '/' becomes a plain one.
  package mutating func writeReencoded(
    _ text: TextSpan, as part: URIEncoding.Part, plusMeaning plus: UInt8, _ end: inout Int
  ) {
    var position = 0
    while position < text.count {
      writeEncoded(text.plainByte(at: &position, plus), as: part, &end)
    }
  }

  /// Appends the decoded bytes of a range of the same memory, which is in strict form. Returns the
  /// range of the result, which is the original range if nothing is escaped.
  package mutating func decode(_ range: Range<Int>, _ end: inout Int) -> Range<Int> {
    if span.extracting(range).position(of: ASCIIByte.percent) == range.count { return range }
    let start = end
    var position = range.lowerBound
    while position < range.upperBound {
      append(span.extracting(0..<range.upperBound).plainByte(at: &position, ASCIIByte.plus), &end)
    }
    return start..<end
  }
}

extension TextSpan {
  /// Returns the plain byte at a position of encoded text, and advances the position.
  @inline(__always)
  func plainByte(at position: inout Int, _ plus: UInt8) -> UInt8 {
    let byte = byte(at: position)
    position &+= 1
    if byte == ASCIIByte.plus { return plus }
    guard byte == ASCIIByte.percent, let escaped = escapedByte(at: position) else { return byte }
    position &+= 2
    return escaped
  }

  /// Returns the byte encoded by two hexadecimal digits at a position, or nil if they aren't there.
  func escapedByte(at position: Int) -> UInt8? {
    guard count &- position >= 2, let high = ASCIIByte.hexadecimalValue(byte(at: position)),
      let low = ASCIIByte.hexadecimalValue(byte(at: position &+ 1))
    else { return nil }
    return high &<< 4 | low
  }

  /// The position of the first '%' without two hexadecimal digits after it, or nil.
  package var positionOfStrayPercent: Int? {
    var position = position(of: ASCIIByte.percent)
    while position < count {
      if escapedByte(at: position &+ 1) == nil { return position }
      position = self.position(of: ASCIIByte.percent, from: position &+ 3)
    }
    return nil
  }
}

// The written bytes are checked in place. The memory's margin follows them, so sixteen bytes can
// always be read.

extension TextOutput {
  /// Appends letters after the text, which don't change the result of a check.
  @inline(__always)
  private mutating func padText(at end: Int) {
    set(word: EightBytes.letters, at: end)
    set(word: EightBytes.letters, at: end &+ 8)
    set(word: EightBytes.letters, at: end &+ 16)
  }

  /// Returns whether a path is in strict form: unreserved characters, '/', and uppercase escapes of
  /// all others.
  package mutating func isStrictPath(_ text: Range<Int>) -> Bool {
    isStrict(text, as: .path, isQuery: false)
  }

  /// Returns whether all parameters of a query are in strict form.
  package mutating func isStrictQuery(_ text: Range<Int>) -> Bool {
    isStrict(text, as: .component, isQuery: true)
  }

  /// Returns whether a path that other text follows is in strict form.
  package mutating func isStrictPath(withinText path: Range<Int>) -> Bool {
    let following = words(at: path.upperBound)
    defer { set(following, at: path.upperBound) }
    return isStrictPath(path)
  }

  /// Returns whether all parameters of a query that other text follows are in strict form.
  package mutating func isStrictQuery(withinText query: Range<Int>) -> Bool {
    let following = words(at: query.upperBound)
    defer { set(following, at: query.upperBound) }
    return isStrictQuery(query)
  }

  /// The bytes that `padText` overwrites.
  private func words(at position: Int) -> (UInt64, UInt64, UInt64) {
    (fullWord(at: position), fullWord(at: position &+ 8), fullWord(at: position &+ 16))
  }

  private mutating func set(_ words: (UInt64, UInt64, UInt64), at position: Int) {
    set(word: words.0, at: position)
    set(word: words.1, at: position &+ 8)
    set(word: words.2, at: position &+ 16)
  }

  @inline(__always)
  private mutating func isStrict(
    _ text: Range<Int>, as part: URIEncoding.Part, isQuery: Bool
  ) -> Bool {
    padText(at: text.upperBound)
    var position = text.lowerBound
    while position < text.upperBound {
      let bytes = sixteen(at: position)
      var good = bytes.isLetter | bytes.isEqual(0x5F) | bytes.isEqual(0x7E)
      let dashToNine = bytes.within(0x2D, 0x39)
      good = good | (part.keepsSlash ? dashToNine : dashToNine & bytes.isNot(ASCIIByte.slash))
      if isQuery {
        good = good | bytes.isEqual(ASCIIByte.ampersand) | bytes.isEqual(ASCIIByte.equals)
      }
      if (~good | bytes.isNotASCII).hasAny {
        let escapes = strictEscapes(at: position, bytes, as: part)
        if (~(good | escapes) | bytes.isNotASCII).hasAny { return false }
      }
      position &+= 16
    }
    return true
  }

  /// Returns the starts of strict escapes: `%00` to `%1F`, `%20` to `%2C`, `%2F` except in a path,
  /// `%3A` to `%3F`, `%40`, `%5B` to `%5E`, `%60`, `%7B` to `%7D`, `%7F`, and `%80` to `%FF`. For
  /// rare ones among these, the result is false.
  @inline(__always)
  private func strictEscapes(
    at position: Int, _ bytes: SixteenBytes, as part: URIEncoding.Part
  ) -> SixteenBytes {
    let (high, low) = (sixteen(at: position &+ 1), sixteen(at: position &+ 2))
    let isUppercaseLetter = low.within(0x41, 0x46)
    var isOfTwo = low.isDigit | low.within(0x41, 0x43)
    if !part.keepsSlash { isOfTwo = isOfTwo | low.isEqual(0x46) }
    let isOther = high.within(0x41, 0x46) | high.within(0x38, 0x39) | high.within(0x30, 0x31)
    let isEscape =
      high.isEqual(0x32) & isOfTwo | high.isEqual(0x33) & isUppercaseLetter
      | isOther & (low.isDigit | isUppercaseLetter)
    return bytes.isEqual(ASCIIByte.percent) & isEscape & ~(high.isNotASCII | low.isNotASCII)
  }

  /// Lowercases a name. Returns whether it contains only letters, digits and '-'.
  package mutating func lowercase(_ text: Range<Int>) -> Bool {
    padText(at: text.upperBound)
    var bad = SixteenBytes(repeating: 0)
    var position = text.lowerBound
    while position < text.upperBound {
      let bytes = sixteen(at: position).lowercased
      bad =
        bad | bytes.isNotASCII | ~(bytes.isLowercaseLetter | bytes.isDigit | bytes.isEqual(0x2D))
      set(bytes, at: position)
      position &+= 16
    }
    return !bad.hasAny
  }

  /// Returns whether a header value is already in canonical form: printable ASCII, with single
  /// spaces inside and none at the ends. May return false for a canonical value.
  package mutating func isCanonicalValue(_ text: Range<Int>) -> Bool {
    if text.isEmpty { return true }
    padText(at: text.upperBound)
    var bad = SixteenBytes(repeating: 0)
    var position = text.lowerBound
    while position < text.upperBound {
      let (bytes, next) = (sixteen(at: position), sixteen(at: position &+ 1))
      bad = bad | bytes.isNotPrintable | ~bytes.isNot(ASCIIByte.space, norIn: next)
      position &+= 16
    }
    let hasSpace =
      byte(at: text.lowerBound) == ASCIIByte.space
      || byte(at: text.upperBound &- 1) == ASCIIByte.space
    return !bad.hasAny && !hasSpace
  }

  /// Returns whether a host can be sent unchanged: lowercase, with no empty label before a dot. May
  /// return false for such a host.
  package mutating func isPlainHost(_ text: Range<Int>) -> Bool {
    if text.isEmpty || byte(at: text.lowerBound) == ASCIIByte.dot { return false }
    padText(at: text.upperBound)
    var bad = SixteenBytes(repeating: 0)
    var position = text.lowerBound
    while position < text.upperBound {
      let (bytes, next) = (sixteen(at: position), sixteen(at: position &+ 1))
      let isGood =
        bytes.isLowercaseLetter | bytes.within(0x2D, 0x39) & bytes.isNot(ASCIIByte.slash)
      bad = bad | bytes.isNotASCII | ~isGood | ~bytes.isNot(ASCIIByte.dot, norIn: next)
      position &+= 16
    }
    return !bad.hasAny
  }
}
