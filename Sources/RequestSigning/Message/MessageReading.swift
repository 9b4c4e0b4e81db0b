// SPDX-License-Identifier: Apache-2.0
// Reads the parts of a request into its shape: method, host, headers, path and query, in this
// order.

extension TextOutput {
  /// Appends a string in UTF-8.
  package mutating func append(_ string: String, _ end: inout Int) {
    string.withUTF8Bytes { append($0, &end) }
  }

  /// Appends a string in UTF-8, percent-encoded.
  package mutating func writeEncoded(
    _ string: String, as part: URIEncoding.Part, _ end: inout Int
  ) {
    string.withUTF8Bytes { writeEncoded($0, as: part, &end) }
  }

  /// Appends bytes. (`Array.span` requires macOS 26 and iOS 26.)
  package mutating func append(_ bytes: [UInt8], _ end: inout Int) {
    unsafe bytes.withUnsafeBufferPointer { append(unsafe $0.span, &end) }
  }
}

extension String {
  /// Calls `body` with the string in UTF-8.
  @inlinable @inline(__always)
  package func withUTF8Bytes<Result, Failure: Swift.Error>(
    _ body: (Swift.Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Safety: the span is used only in the closure.
    let result = unsafe withBytesInUTF8 { bytes in
      Swift.Result<Result, Failure> { () throws(Failure) in
        try body(unsafe bytes.bindMemory(to: UInt8.self).span)
      }
    }
    return try result.get()
  }
}

extension MessageShape {
  /// Reads the method: a token (RFC 9110, 9.1).
  package mutating func readMethod(
    _ method: String, _ text: inout TextOutput, _ end: inout Int
  ) throws(SigV4.SigningError) {
    let start = end
    text.append(method, &end)
    self.method = start..<end
    var isToken = end > start
    for position in start..<end where !ASCIIByte.isTokenCharacter(text.byte(at: position)) {
      isToken = false
    }
    if isToken { return }
    throw SigV4.SigningError(
      .invalidMethod,
      "\(quoted: method) isn't a valid HTTP method.",
      fix: "Use one word, exactly as it's sent, such as GET, PUT, POST, HEAD or DELETE.")
  }

  /// Reads an authority, which becomes the first header line.
  package mutating func readHost(
    _ authority: TextSpan, _ text: inout TextOutput, _ end: inout Int
  ) throws(SigV4.SigningError) {
    let start = end
    text.append("host:" as StaticString, &end)
    try text.writeHost(authority, scheme, &end)
    host = start &+ 5..<end
    let field = MessageField(KnownHeader.key("host"), start, nameEnd: start &+ 4, end: end, .host)
    addHeader(field, &text)
    text.append(ASCIIByte.newline, &end)
  }

  /// Reads a header. A Host header must match the host, and is dropped.
  package mutating func readHeader(
    _ name: String, _ value: String, isUTF8: Bool, _ text: inout TextOutput, _ end: inout Int
  ) throws(SigV4.SigningError) {
    let start = end
    text.append(name, &end)
    guard var field = text.endName(from: start, &end) else { throw SigV4.Header.invalidName(name) }
    let valueStart = end
    text.append(value, &end)
    if let position = text.endValue(of: &field, &end, isUTF8: isUTF8) {
      throw SigV4.Header.invalidValue(
        of: name, text.byte(at: position), at: position &- valueStart)
    }
    if !field.isHeader(.host) { return addHeader(field, &text) }
    try checkHost(field, text)
    end = start
  }

  @inline(never)
  private func checkHost(
    _ field: MessageField, _ text: borrowing TextOutput
  ) throws(SigV4.SigningError) {
    let value = text.span.extracting(field.valueRange)
    var memory = TextMemory()
    memory.reserve(value.count &+ 8)
    var other = memory.bytes.mutableSpan
    var end = 0
    try other.writeHost(value, scheme, &end)
    if other.span.extracting(0..<end).hasSameBytes(as: text.span.extracting(host)) { return }
    throw SigV4.SigningError(
      .conflictingHeader,
      """
      The Host header \(quoted: value.withoutUser) conflicts with the request's host \
      \(quoted: text.span.extracting(host).array), which HTTP clients send.
      """,
      fix: "Remove the header, or pass its host to the request.")
  }
}

extension TextOutput {
  /// Reads a received header. HTTP/2 sends the host as `:authority`, which is signed as `host`.
  package mutating func readHeader(
    received name: TextSpan, _ value: TextSpan, isAuthority: Bool, _ end: inout Int
  ) throws(InvalidHeaderPart) -> MessageField {
    let start = end
    if isAuthority { append("host" as StaticString, &end) } else { append(name, &end) }
    guard var field = endName(from: start, &end) else { throw .name }
    append(value, &end)
    if endValue(of: &field, &end, isUTF8: true) != nil { throw .value }
    return field
  }
}

/// The part of a received header that's invalid.
package enum InvalidHeaderPart: Swift.Error {
  case name
  case value
}

extension MessageShape {
  /// Reads an encoded path. An absent one is "/" (SigV4, step 1).
  package mutating func readPath(
    encoded path: TextSpan, _ text: inout TextOutput, _ end: inout Int
  ) throws(SigV4.SigningError) {
    let start = end
    if path.count == 0 { text.append(ASCIIByte.slash, &end) }
    text.append(path, &end)
    givenPath = start..<end
    strictPath = givenPath
    if text.byte(at: start) != ASCIIByte.slash {
      throw SigV4.Path.relativePath(path.array)
    }
    if text.isStrictPath(givenPath) { return }
    try path.checkPath()
    text.writeReencoded(path, as: .path, plusMeaning: ASCIIByte.plus, &end)
    strictPath = givenPath.upperBound..<end
  }

  /// Reads the path of a received request, with any bytes. A '+' that means a space becomes one.
  package mutating func readPath(
    received path: TextSpan, plusMeaning plus: UInt8, _ text: inout TextOutput,
    _ end: inout Int
  ) {
    let start = end
    text.append(path, &end)
    if plus != ASCIIByte.plus {
      for position in start..<end where text.byte(at: position) == ASCIIByte.plus {
        text.set(plus, at: position)
      }
    }
    isPathAsReceived = true
    givenPath = start..<end
    strictPath = givenPath
    if text.isStrictPath(givenPath) { return }
    text.writeReencoded(path, as: .path, plusMeaning: plus, &end)
    strictPath = givenPath.upperBound..<end
  }

  /// Reads the path of a received request in place, with any bytes. A path in strict form contains
  /// no '+'.
  package mutating func readPath(
    inPlace path: Range<Int>, isStrict: Bool, plusMeaning plus: UInt8, _ text: inout TextOutput,
    _ end: inout Int
  ) {
    isPathAsReceived = true
    (givenPath, strictPath) = (path, path)
    if isStrict { return }
    let copy = unsafe text.span.extracting(path).withUnsafeBytes { unsafe ContiguousArray($0) }
    readPath(received: copy.span, plusMeaning: plus, &text, &end)
  }

  /// Reads the query of a received request, which is in strict form, in place. Returns false if a
  /// parameter is empty or has two '=', so that they must be encoded again.
  package mutating func readStrictQuery(
    inPlace query: Range<Int>, _ text: inout TextOutput
  ) -> Bool {
    self.query = query
    if query.isEmpty { return true }
    beginParameters()
    if findParameters(of: query, &text) { return true }
    fieldCount = parameters.lowerBound
    return false
  }

  /// Reads the query of a received request in place, with any bytes: up to three bytes for one.
  package mutating func readReencodedQuery(
    inPlace query: Range<Int>, plusMeaning plus: UInt8, _ text: inout TextOutput,
    _ end: inout Int
  ) {
    let copy = unsafe text.span.extracting(query).withUnsafeBytes { unsafe ContiguousArray($0) }
    readReencodedQuery(copy.span, plusMeaning: plus, &text, &end)
  }

  /// Reads the query of a received request, with any bytes.
  package mutating func readQuery(
    received query: TextSpan, plusMeaning plus: UInt8, _ text: inout TextOutput,
    _ end: inout Int
  ) {
    self.query = end..<end
    if query.count == 0 || readStrictQuery(query, &text, &end) { return }
    readReencodedQuery(query, plusMeaning: plus, &text, &end)
  }

  /// Reads an encoded query.
  package mutating func readQuery(
    encoded query: TextSpan, plusMeaning plus: UInt8, _ text: inout TextOutput,
    _ end: inout Int
  ) throws(SigV4.SigningError) {
    self.query = end..<end
    if query.count == 0 || readStrictQuery(query, &text, &end) { return }
    try query.checkQuery()
    readReencodedQuery(query, plusMeaning: plus, &text, &end)
  }

  /// Copies a path that was already read.
  package mutating func copyPath(
    _ other: MessageShape, of memory: borrowing TextMemory, _ text: inout TextOutput,
    _ end: inout Int
  ) {
    let source = memory.bytes.span
    let start = end
    text.append(source.extracting(other.givenPath), &end)
    givenPath = start..<end
    text.append(source.extracting(other.strictPath), &end)
    strictPath = givenPath.upperBound..<end
    isPathAsReceived = other.isPathAsReceived
  }

  /// Copies a query that was already read.
  package mutating func copyQuery(
    _ other: MessageShape, of memory: borrowing TextMemory, _ text: inout TextOutput,
    _ end: inout Int
  ) {
    let source = memory.bytes.span
    let distance = end &- other.query.lowerBound
    let start = end
    text.append(source.extracting(other.query), &end)
    query = start..<end
    isQueryCanonical = other.isQueryCanonical
    beginParameters()
    for index in other.parameters {
      addParameter(source.field(index).moved(by: distance), &text)
    }
  }
}

extension TextSpan {
  /// Returns the maximum number of parameters in a query that starts with a '?' at a position.
  package func parameterCount(from questionMark: Int) -> Int {
    if questionMark == count { return 0 }
    var parameterCount = 1
    var position = position(of: ASCIIByte.ampersand, from: questionMark)
    while position < count {
      parameterCount &+= 1
      position = self.position(of: ASCIIByte.ampersand, from: position &+ 1)
    }
    return parameterCount
  }

  /// The position of the first byte that must be percent-encoded in a target, or nil: whitespace,
  /// control characters, and '#' and '\\', where some URL parsers end a path.
  package var positionOfInvalidTargetByte: Int? {
    var position = 0
    while position &+ 16 <= count {
      let bytes = sixteen(at: position)
      let isOther = bytes.isNotPrintable | bytes.isEqual(ASCIIByte.space)
      if (isOther | bytes.isEqual(ASCIIByte.hash) | bytes.isEqual(ASCIIByte.backslash)).hasAny {
        break
      }
      position &+= 16
    }
    while position < count {
      let byte = byte(at: position)
      if byte < 0x21 || byte == 0x7F || byte == ASCIIByte.hash || byte == ASCIIByte.backslash {
        return position
      }
      position &+= 1
    }
    return nil
  }

  /// Rejects characters that aren't allowed in an encoded path (RFC 3986, 3.3), and a '%' without
  /// two digits.
  func checkPath() throws(SigV4.SigningError) {
    if let position = positionOfStrayPercent { throw strayPercent(at: position, in: "path") }
    for position in 0..<count {
      let byte = byte(at: position)
      if ASCIIByte.isPathCharacter(byte) || byte == ASCIIByte.percent { continue }
      throw SigV4.SigningError(
        .invalidPath,
        """
        The encoded path contains an unencoded \(quoted: [byte]) at offset \(position).
        """,
        fix: "Percent-encode it, or pass the host and a .raw path.")
    }
  }

  /// Rejects '#', spaces, control characters and non-ASCII bytes, and a '%' without two digits.
  func checkQuery() throws(SigV4.SigningError) {
    if let position = positionOfStrayPercent { throw strayPercent(at: position, in: "query") }
    for position in 0..<count {
      let byte = byte(at: position)
      if byte > 0x20 && byte < 0x7F && byte != ASCIIByte.hash { continue }
      throw SigV4.SigningError(
        .invalidQuery,
        "The encoded query contains an unencoded \(quoted: [byte]) at offset \(position).",
        fix: "Percent-encode it, or pass the parameters unencoded.")
    }
  }

  private func strayPercent(at position: Int, in part: StaticString) -> SigV4.SigningError {
    let shown = extracting(position..<Swift.min(position &+ 3, count)).array
    return SigV4.SigningError(
      .invalidPercentEncoding,
      """
      The \(part) contains \(quoted: shown) at offset \(position), a '%' without two hexadecimal \
      digits.
      """,
      fix: "Write a percent sign as %25, or pass the \(part) unencoded.")
  }
}

extension TextSpan {
  /// Returns the path without dot segments (RFC 3986, 5.2.4) and empty segments. Encoded dots don't
  /// count. Rare.
  package func normalizedPath() -> ContiguousArray<UInt8> {
    var path: ContiguousArray<UInt8> = []
    var start = 0
    while start < count {
      let end = position(of: ASCIIByte.slash, from: start)
      let segment = extracting(start..<end)
      start = end &+ 1
      if segment.spells("..") {
        while let last = path.popLast(), last != ASCIIByte.slash {}
      } else if segment.count > 0 && !segment.spells(".") {
        path.append(ASCIIByte.slash)
        for position in 0..<segment.count { path.append(segment.byte(at: position)) }
      }
    }
    let endsWithSlash = count > 0 && byte(at: count &- 1) == ASCIIByte.slash
    if path.isEmpty || endsWithSlash { path.append(ASCIIByte.slash) }
    return path
  }

  /// Returns whether a path starts with '/', and no segment is empty or starts with a dot.
  func isNormalPath() -> Bool {
    var previous = ASCIIByte.dot
    for position in 0..<count {
      let byte = byte(at: position)
      if previous == ASCIIByte.slash && (byte == ASCIIByte.slash || byte == ASCIIByte.dot) {
        return false
      }
      previous = byte
    }
    return count > 0 && byte(at: 0) == ASCIIByte.slash
  }

  /// Whether any segment of the path is '.' or '..', encoded or not.
  package var hasDotSegment: Bool {
    var (position, length, isDots) = (0, 0, true)
    while true {
      let isAtEnd = position >= count
      let byte = isAtEnd ? ASCIIByte.slash : plainByte(at: &position, ASCIIByte.plus)
      if byte == ASCIIByte.slash {
        if isDots && (length == 1 || length == 2) { return true }
        (length, isDots) = (0, true)
        if isAtEnd { return false }
      } else {
        isDots = isDots && byte == ASCIIByte.dot
        length &+= 1
      }
    }
  }
}
