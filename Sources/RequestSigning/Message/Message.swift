// SPDX-License-Identifier: Apache-2.0
// A request as one text, with the places of its header lines and parameters.

internal import SecureHashing

/// A request in one allocation: the fields, followed by the text.
///
///     fields: header lines by name, then parameters by name
///     text:   GET host:example.com⏎x-amz-acl:private⏎/a%20b?list-type=2
///
/// Signing and verification read requests into this shape, and write the steps of a signature from
/// it.
package struct RequestMessage: Sendable {
  package var memory = TextMemory()
  package var shape = MessageShape()

  package init() {}

  /// Positions in the text are 32-bit numbers, and the steps are several times as long as the text.
  package static var maximumByteCount: Int { 200_000_000 }
}

/// The structure of a request's text.
@usableFromInline package struct MessageShape: Sendable {
  /// The indexes of the fields that are header lines, and of those that are parameters.
  @usableFromInline package var headers = 0..<0
  package var parameters = 0..<0

  /// The index of the next field.
  package var fieldCount = 0

  /// The number of fields that fit before the text.
  @usableFromInline package var fieldCapacity = 0

  /// A bit for each header that's present, and for each that's repeated.
  @usableFromInline package var present: UInt32 = 0
  package var repeated: UInt32 = 0

  package var method = 0..<0

  /// The range of the `Host` header value.
  package var host = 0..<0

  /// The original path, and its strict form: decoded and encoded once.
  package var givenPath = 0..<0
  package var strictPath = 0..<0

  /// Whether every service uses the original path, because a server received it.
  package var isPathAsReceived = false

  /// The parameters as they're sent: in strict form and in order, without '?'.
  package var query = 0..<0

  /// Whether the query is in canonical order, with a '=' in each parameter.
  package var isQueryCanonical = true

  package var scheme = SigV4.Scheme.https

  package init() {}

  /// The start of the text.
  @inlinable @inline(__always)
  package var textStart: Int { fieldCapacity &* MessageField.byteCount }

  @inlinable @inline(__always)
  package func has(_ header: KnownHeader) -> Bool { present & header.bit != 0 }

  /// Returns the first line of a header, found by name.
  @inlinable @inline(__always)
  package func field(of header: KnownHeader, in text: Swift.Span<UInt8>) -> MessageField? {
    if !has(header) { return nil }
    for index in headers where text.field(index).isHeader(header) { return text.field(index) }
    return nil
  }

  /// Removes the contents and retains the memory.
  package mutating func removeAll() {
    let capacity = fieldCapacity
    self = MessageShape()
    fieldCapacity = capacity
  }

  /// Adds a header line.
  @inline(__always)
  package mutating func addHeader(_ field: MessageField, _ text: inout TextOutput) {
    text.set(field, at: fieldCount)
    countHeader(field)
  }

  /// Counts a header line whose field was set.
  @inline(__always)
  package mutating func countHeader(_ field: MessageField) {
    fieldCount &+= 1
    headers = headers.lowerBound..<fieldCount
    repeated |= present & field.bit & ~KnownHeader.other.bit
    present |= field.bit
  }

  /// Removes the header lines, whose fields can be added again in order.
  package mutating func removeHeaders() {
    fieldCount = headers.lowerBound
    headers = fieldCount..<fieldCount
    (present, repeated) = (0, 0)
  }

  /// Adds a parameter.
  @inline(__always)
  package mutating func addParameter(_ field: MessageField, _ text: inout TextOutput) {
    text.set(field, at: fieldCount)
    fieldCount &+= 1
    parameters = parameters.lowerBound..<fieldCount
  }

  /// Removes parameters from the signed query by name.
  package mutating func removeParameters(
    from text: inout TextOutput, where isUnsigned: (TextSpan) -> Bool
  ) {
    var kept = parameters.lowerBound
    for index in parameters {
      let field = text.field(index)
      if isUnsigned(text.span.extracting(field.nameRange)) { continue }
      text.set(field, at: kept)
      kept &+= 1
    }
    parameters = parameters.lowerBound..<kept
    isQueryCanonical = false
  }

  /// Returns whether the method, scheme, host, path and query are equal to those of another text. A
  /// query may contain a signature or a token.
  package func hasSameText(
    _ text: TextSpan, as other: MessageShape, _ otherText: TextSpan
  ) -> Bool {
    let parts = [
      (method, other.method), (host, other.host), (givenPath, other.givenPath),
      (query, other.query),
    ]
    for (part, otherPart) in parts {
      let (left, right) = (text.extracting(part), otherText.extracting(otherPart))
      if !left.isSameSecret(as: right) { return false }
    }
    return scheme == other.scheme
  }

  /// Starts the parameters, after the existing fields.
  @inline(__always)
  package mutating func beginParameters() { parameters = fieldCount..<fieldCount }

  /// Sorts headers by name, and parameters by name and value (SigV4, step 1).
  package mutating func sort(_ text: inout TextOutput) {
    _ = text.sortFields(headers, by: .place)
    if !text.sortFields(parameters, by: .value) { isQueryCanonical = false }
  }
}

// MARK: - Header lines

extension TextOutput {
  /// Turns the bytes written since a position into a header name, in lowercase and followed by ':'.
  /// Returns nil if they aren't a token (RFC 9110, 5.6.2).
  package mutating func endName(from start: Int, _ end: inout Int) -> MessageField? {
    let count = end &- start
    if count == 0 { return nil }
    if !lowercase(start..<end) {
      for position in start..<end where !ASCIIByte.isTokenCharacter(byte(at: position)) {
        return nil
      }
    }
    append(ASCIIByte.colon, &end)
    let key = key(at: start, count)
    let header = KnownHeader.named(span.extracting(start..<start &+ count), key)
    return MessageField(key, start, nameEnd: start &+ count, end: end, header)
  }

  /// Returns the first bytes of a name as a number, the first one highest.
  @inline(__always)
  private func key(at start: Int, _ count: Int) -> UInt64 {
    let word = fullWord(at: start).byteSwapped
    if count >= 8 { return word }
    return count == 0 ? 0 : word & ~0 &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count)
  }

  /// Writes a header line without a value, whose name is in the same memory in lowercase.
  package mutating func writeEmptyHeader(_ name: Range<Int>, _ end: inout Int) -> MessageField {
    let start = end
    append(name, &end)
    append(ASCIIByte.colon, &end)
    append(ASCIIByte.newline, &end)
    let header = KnownHeader(name: span.extracting(name))
    return MessageField(
      key(at: start, name.count), start, nameEnd: start &+ name.count, end: end &- 1, header)
  }

  /// Turns the bytes written after a name into its value, folded and followed by a newline. Returns
  /// the position of the first byte that can't be sent, or nil.
  package mutating func endValue(
    of field: inout MessageField, _ end: inout Int, isUTF8: Bool
  ) -> Int? {
    let start = field.nameEnd &+ 1
    if !isCanonicalValue(start..<end), let position = fold(start..<end, &end, isUTF8: isUTF8) {
      return position
    }
    field.setEnd(end)
    append(ASCIIByte.newline, &end)
    return nil
  }

  /// Trims a value (SigV4, step 1, Trimall): no whitespace at the ends, and one space for each run
  /// inside. Returns the position of the first byte that can't be sent, or nil.
  @inline(never)
  private mutating func fold(_ value: Range<Int>, _ end: inout Int, isUTF8: Bool) -> Int? {
    end = value.lowerBound
    var previous = ASCIIByte.space
    for position in value {
      let given = byte(at: position)
      let byte = given == ASCIIByte.tab ? ASCIIByte.space : given
      if ASCIIByte.isControl(byte) || byte > 0x7F && !isUTF8 { return position }
      if byte == ASCIIByte.space && previous == ASCIIByte.space { continue }
      append(byte, &end)
      previous = byte
    }
    if previous == ASCIIByte.space && end > value.lowerBound { end &-= 1 }
    return nil
  }
}

// MARK: - Parameters

extension MessageShape {
  /// Reads a query. Returns false and changes nothing if it isn't in
  /// strict form, or has more parameters than fit.
  package mutating func readStrictQuery(
    _ query: TextSpan, isChecked: Bool = false, _ text: inout TextOutput,
    _ end: inout Int
  ) -> Bool {
    let start = end
    beginParameters()
    text.append(query, &end)
    if isChecked || text.isStrictQuery(start..<end), findParameters(of: start..<end, &text) {
      self.query = start..<end
      return true
    }
    end = start
    fieldCount = parameters.lowerBound
    isQueryCanonical = true
    return false
  }

  /// Finds the parameters of a query in strict form. Returns false if one is empty, has two '=', or
  /// doesn't fit.
  mutating func findParameters(
    of range: Range<Int>, _ text: inout TextOutput
  ) -> Bool {
    var (start, equals) = (range.lowerBound, -1)
    var position = range.lowerBound
    while position < range.upperBound {
      let sixteen = text.sixteen(at: position)
      if !(sixteen.isEqual(ASCIIByte.ampersand) | sixteen.isEqual(ASCIIByte.equals)).hasAny {
        position &+= 16
        continue
      }
      let word = text.fullWord(at: position)
      var marks =
        EightBytes.each(ASCIIByte.ampersand, in: word) | EightBytes.each(ASCIIByte.equals, in: word)
      while marks != 0 {
        let mark = position &+ marks.trailingZeroBitCount &>> 3
        marks &= marks &- 1
        if mark >= range.upperBound { break }
        if text.byte(at: mark) == ASCIIByte.ampersand {
          if !addParameter(start..<mark, equals, &text) { return false }
          (start, equals) = (mark &+ 1, -1)
        } else if equals >= 0 {
          return false
        } else {
          equals = mark
        }
      }
      position &+= 8
    }
    return addParameter(start..<range.upperBound, equals, &text)
  }

  /// Adds a parameter in strict form, with the position of its '=', if any.
  private mutating func addParameter(
    _ range: Range<Int>, _ equals: Int, _ text: inout TextOutput
  ) -> Bool {
    let nameEnd = equals < 0 ? range.upperBound : equals
    if range.isEmpty || fieldCount == fieldCapacity { return false }
    if equals < 0 { isQueryCanonical = false }
    addParameter(text.parameter(range, nameEnd: nameEnd), &text)
    return true
  }

  /// Reads a query with each part encoded again. Empty parameters are dropped.
  package mutating func readReencodedQuery(
    _ query: TextSpan, plusMeaning plus: UInt8, _ text: inout TextOutput,
    _ end: inout Int
  ) {
    let queryStart = end
    beginParameters()
    isQueryCanonical = false
    var position = 0
    while position < query.count {
      let next = query.position(of: ASCIIByte.ampersand, from: position)
      let parameter = query.extracting(position..<next)
      position = next &+ 1
      if parameter.count == 0 { continue }
      if end > queryStart { text.append(ASCIIByte.ampersand, &end) }
      let equals = parameter.position(of: ASCIIByte.equals)
      let start = end
      let name = parameter.extracting(0..<equals)
      text.writeReencoded(name, as: .component, plusMeaning: plus, &end)
      let nameEnd = end
      precondition(fieldCount < fieldCapacity, "there is memory for each '&' of the query")
      if equals < parameter.count {
        text.append(ASCIIByte.equals, &end)
        let value = parameter.extracting(equals &+ 1..<parameter.count)
        text.writeReencoded(value, as: .component, plusMeaning: plus, &end)
      }
      addParameter(text.parameter(start..<end, nameEnd: nameEnd), &text)
    }
    self.query = queryStart..<end
  }
}

extension TextOutput {
  /// Returns the field of a parameter.
  @inline(__always)
  package func parameter(_ range: Range<Int>, nameEnd: Int) -> MessageField {
    MessageField(
      key(at: range.lowerBound, nameEnd &- range.lowerBound), range.lowerBound, nameEnd: nameEnd,
      end: range.upperBound)
  }
}
