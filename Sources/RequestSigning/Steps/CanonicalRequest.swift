// SPDX-License-Identifier: Apache-2.0
// SigV4, step 1: the canonical request of a request and what signing added to it.

extension SigV4.SigningBuffer {
  /// Runs step 1.
  mutating func writeCanonicalRequest(
    _ message: borrowing RequestMessage, _ rule: SigV4.Service.PathRule
  ) {
    var parts = parts
    var output = memory.bytes.mutableSpan
    output.writeCanonicalRequest(message.shape, message.memory.bytes.span, rule, &parts)
    self.parts = parts
  }
}

extension SigV4 {
  /// Steps 1 and 3 of a received request.
  package struct ReceivedSteps {
    package let canonicalRequest: CanonicalRequest
    package let stringToSign: StringToSign

    /// The last line of the canonical request.
    package enum Payload {
      case payload(SigV4.Payload)
      /// The request declares it.
      case text(Range<Int>)
    }

    /// Runs steps 1 to 3 for a request whose headers are all signed.
    package init(
      _ shape: MessageShape, _ text: TextSpan, _ rule: Service.PathRule, _ payload: Payload,
      _ algorithm: StaticString, scope: TextSpan, at time: Timestamp
    ) {
      var (memory, parts) = (TextMemory(), SigningBuffer.Parts())
      let fieldCapacity = shape.headers.count &+ SigningBuffer.maximumAddedCount
      parts.end = fieldCapacity &* MessageField.byteCount
      var lineByteCount = 0
      for index in shape.headers {
        let field = text.field(index)
        lineByteCount &+= field.range.count &+ 2 &* field.nameCount &+ 3
      }
      // The lines with their names, twice.
      let size = shape.canonicalByteCount(lineByteCount: lineByteCount)
      let payloadByteCount =
        switch payload {
        case .payload(let payload): payload.byteCount
        case .text(let range): range.count
        }
      memory.reserve(parts.end &+ size &+ 2 &* payloadByteCount &+ scope.count &+ 192)
      var output = memory.bytes.mutableSpan
      let start = parts.end
      switch payload {
      case .payload(let payload): output.writePayload(payload, &parts.end)
      case .text(let range): output.append(text.extracting(range), &parts.end)
      }
      parts.payload = start..<parts.end
      for index in shape.headers { parts.addLine(text.field(index), &output) }
      output.writeSignedHeaders(of: text, &parts)
      output.writeCanonicalRequest(shape, text, rule, &parts)
      output.writeStringToSign(algorithm, scope: scope, at: time, &parts)
      canonicalRequest = CanonicalRequest(memory, parts)
      stringToSign = StringToSign(memory, parts)
    }
  }
}

extension MessageShape {
  /// The size of all header lines.
  var lineByteCount: Int { Swift.max(givenPath.lowerBound &- method.upperBound, 0) }

  /// Returns an upper bound for the canonical request with header lines of this size: the path at
  /// up to three bytes for one, the query with a '=' for each parameter.
  func canonicalByteCount(lineByteCount: Int) -> Int {
    method.count &+ lineByteCount &+ 3 &* givenPath.count &+ strictPath.count &+ 2 &* query.count
  }

  /// Returns the path in the request line. Services that encode once decode the path and encode it
  /// again, so they need the strict form, unless the request was received in the original form.
  package func sentPath(_ path: SigV4.Service.PathRule) -> Range<Int> {
    path.encodesTwice || isPathAsReceived ? givenPath : strictPath
  }
}

extension TextOutput {
  /// Returns a signed line.
  @inline(__always)
  private func line(_ index: Int) -> MessageField {
    field(SigV4.SigningBuffer.maximumAddedCount &+ index)
  }

  /// Writes SignedHeaders: the names of the signed lines.
  mutating func writeSignedHeaders(
    of text: TextSpan, _ parts: inout SigV4.SigningBuffer.Parts
  ) {
    let start = parts.end
    var previous = MessageField.none
    for index in 0..<parts.lineCount {
      let field = line(index)
      if !field.isAdded && text.hasSameName(field, previous) { continue }
      if parts.end > start { append(ASCIIByte.semicolon, &parts.end) }
      writePart(field.nameRange, of: text, ifAdded: field.isAdded, &parts.end)
      previous = field.isAdded ? .none : field
    }
    parts.names = start..<parts.end
  }

  /// Writes a range of the request, or of the additions.
  @inline(__always)
  private mutating func writePart(
    _ range: Range<Int>, of text: TextSpan, ifAdded isAdded: Bool, _ end: inout Int
  ) {
    if isAdded { append(range, &end) } else { append(text.extracting(range), &end) }
  }

  fileprivate mutating func writeCanonicalRequest(
    _ shape: MessageShape, _ text: TextSpan, _ rule: SigV4.Service.PathRule,
    _ parts: inout SigV4.SigningBuffer.Parts
  ) {
    let start = parts.end
    append(text.extracting(shape.method), &parts.end)
    append(ASCIIByte.newline, &parts.end)
    writeCanonicalURI(
      rule, of: text.extracting(shape.sentPath(rule)), strict: text.extracting(shape.strictPath),
      &parts.end)
    append(ASCIIByte.newline, &parts.end)
    writeCanonicalQuery(shape, text, parts.parameters, &parts.end)
    append(ASCIIByte.newline, &parts.end)
    writeCanonicalHeaders(text, parts.lineCount, &parts.end)
    append(ASCIIByte.newline, &parts.end)
    parts.signedHeaders = parts.end..<parts.end &+ parts.names.count
    append(parts.names, &parts.end)
    append(ASCIIByte.newline, &parts.end)
    append(parts.payload, &parts.end)
    parts.canonicalRequest = start..<parts.end
  }

  /// Writes CanonicalHeaders: one line for each name, with its values joined by commas.
  private mutating func writeCanonicalHeaders(
    _ text: TextSpan, _ count: Int, _ end: inout Int
  ) {
    var previous = MessageField.none
    for index in 0..<count {
      let field = line(index)
      if field.isAdded {
        append(field.line, &end)
        previous = .none
        continue
      }
      if text.hasSameName(field, previous) {
        set(ASCIIByte.comma, at: end &- 1)  // instead of the newline
        append(text.extracting(field.valueLine), &end)
      } else {
        append(text.extracting(field.line), &end)
      }
      previous = field
    }
  }

  /// Writes CanonicalURI for the path as sent and its strict form.
  private mutating func writeCanonicalURI(
    _ rule: SigV4.Service.PathRule, of path: TextSpan, strict: TextSpan, _ end: inout Int
  ) {
    if !rule.encodesTwice && !rule.isNormalized { return append(strict, &end) }
    if !rule.isNormalized || path.isNormalPath() {
      return writePath(path, encodesTwice: rule.encodesTwice, &end)
    }
    let normalized = path.normalizedPath()
    writePath(normalized.span, encodesTwice: rule.encodesTwice, &end)
  }

  private mutating func writePath(_ path: TextSpan, encodesTwice: Bool, _ end: inout Int) {
    if encodesTwice {
      writeEncoded(path, as: .path, &end)
    } else {
      writeReencoded(path, as: .path, plusMeaning: ASCIIByte.plus, &end)
    }
  }

  /// Writes CanonicalQueryString for the request's parameters and the added ones.
  private mutating func writeCanonicalQuery(
    _ shape: MessageShape, _ text: TextSpan, _ added: Range<Int>, _ end: inout Int
  ) {
    if added.isEmpty { return writeParameters(shape, text, &end) }
    if shape.parameters.isEmpty { return append(added, &end) }
    // Most names are in lowercase, so they follow the added ones.
    let isBehind = text.field(shape.parameters.lowerBound).key &>> 56 > UInt64(UInt8(ascii: "X"))
    if !isBehind { return writeMerged(shape, text, added, &end) }
    append(added, &end)
    append(ASCIIByte.ampersand, &end)
    writeParameters(shape, text, &end)
  }

  /// Writes the request's parameters.
  private mutating func writeParameters(
    _ shape: MessageShape, _ text: TextSpan, _ end: inout Int
  ) {
    if shape.isQueryCanonical { return append(text.extracting(shape.query), &end) }
    for index in shape.parameters {
      if index > shape.parameters.lowerBound { append(ASCIIByte.ampersand, &end) }
      writeParameter(text.field(index), of: text, &end)
    }
  }

  /// Writes a parameter with '=', even if it has no value.
  package mutating func writeParameter(
    _ field: MessageField, of text: TextSpan, _ end: inout Int
  ) {
    append(text.extracting(field.range), &end)
    if !field.hasValue { append(ASCIIByte.equals, &end) }
  }

  /// Writes the request's parameters and the added ones, one by one. Rare.
  @inline(never)
  private mutating func writeMerged(
    _ shape: MessageShape, _ text: TextSpan, _ added: Range<Int>, _ end: inout Int
  ) {
    var next = added.lowerBound
    var isFirst = true
    func separate(_ output: inout TextOutput, _ end: inout Int) {
      if !isFirst { output.append(ASCIIByte.ampersand, &end) }
      isFirst = false
    }
    for index in shape.parameters {
      let field = text.field(index)
      while next < added.upperBound {
        let parameter = parameter(from: next, to: added.upperBound)
        if !span.precedes(parameter, field, of: text) { break }
        separate(&self, &end)
        append(parameter.range, &end)
        next = parameter.end &+ 1
      }
      separate(&self, &end)
      writeParameter(field, of: text, &end)
    }
    if next < added.upperBound {
      separate(&self, &end)
      append(next..<added.upperBound, &end)
    }
  }

  /// Returns the added parameter that starts at a position.
  private func parameter(from start: Int, to limit: Int) -> MessageField {
    let text = span.extracting(0..<limit)
    let end = text.position(of: ASCIIByte.ampersand, from: start)
    return parameter(start..<end, nameEnd: text.position(of: ASCIIByte.equals, from: start))
  }
}
