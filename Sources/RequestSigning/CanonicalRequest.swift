// SPDX-License-Identifier: Apache-2.0
// SigV4, step 1: the canonical request of a request and the additions of signing. Also step 6.

extension MessageShape {
  /// The size of all header lines.
  var lineByteCount: Int { Swift.max(givenPath.lowerBound &- method.upperBound, 0) }

  /// Returns an upper bound for the canonical request with header lines of this size: the path at
  /// up to three bytes for one, the query with a '=' for each parameter.
  func canonicalByteCount(lineByteCount: Int) -> Int {
    method.count &+ lineByteCount &+ 3 &* givenPath.count &+ strictPath.count &+ 2 &* query.count
  }

  /// The size of a URL with the path and query of the request.
  var urlByteCount: Int {
    host.count &+ Swift.max(givenPath.count, strictPath.count) &+ query.count &+ 16
  }

  /// Merges the request's signed lines and the added lines, in the order of their names.
  func mergeLines(
    _ text: TextSpan, _ placement: SignatureSteps.Placement, _ signer: SigV4.Preparer.Storage,
    _ parts: inout SignatureSteps.Parts, _ output: inout TextOutput
  ) {
    var next = 0
    for index in headers {
      let field = text.field(index)
      if signer.service.leavesUnsigned(field, in: text, inURL: placement.isURL) { continue }
      while next < parts.addedCount,
        case let added = output.field(next), output.span.precedes(added, field, of: text)
      {
        parts.append(line: added.asAdded, &output)
        next &+= 1
      }
      parts.append(line: field, &output)
    }
    while next < parts.addedCount {
      parts.append(line: output.field(next).asAdded, &output)
      next &+= 1
    }
  }
}

extension TextOutput {
  /// Returns a signed line.
  @inline(__always)
  private func line(_ index: Int) -> MessageField {
    field(SignatureSteps.maximumAddedCount &+ index)
  }

  /// Appends the signed header names (SigV4, step 1, SignedHeaders).
  mutating func appendNames(
    of text: TextSpan, _ parts: inout SignatureSteps.Parts, _ end: inout Int
  ) {
    let start = end
    var previous = MessageField.none
    for index in 0..<parts.lineCount {
      let field = line(index)
      if !field.isAdded && text.hasSameName(field, previous) { continue }
      if end > start { append(ASCIIByte.semicolon, &end) }
      append(field.nameRange, of: text, ifAdded: field.isAdded, &end)
      previous = field.isAdded ? .none : field
    }
    parts.names = start..<end
  }

  /// Appends a range of the request, or of the additions.
  @inline(__always)
  private mutating func append(
    _ range: Range<Int>, of text: TextSpan, ifAdded isAdded: Bool, _ end: inout Int
  ) {
    if isAdded { append(range, &end) } else { append(text.extracting(range), &end) }
  }

  /// Runs step 1.
  mutating func appendCanonicalRequest(
    _ shape: MessageShape, _ text: TextSpan, _ path: SigV4.Service.PathRule,
    _ parts: inout SignatureSteps.Parts, _ end: inout Int
  ) {
    let start = end
    append(text.extracting(shape.method), &end)
    append(ASCIIByte.newline, &end)
    append(
      path, of: text.extracting(shape.sentPath(path)), strict: text.extracting(shape.strictPath),
      &end)
    append(ASCIIByte.newline, &end)
    appendCanonicalQuery(shape, text, parts.parameters, &end)
    append(ASCIIByte.newline, &end)
    appendCanonicalHeaders(text, parts.lineCount, &end)
    append(ASCIIByte.newline, &end)
    parts.signedHeaders = end..<end &+ parts.names.count
    append(parts.names, &end)
    append(ASCIIByte.newline, &end)
    append(parts.payload, &end)
    parts.canonicalRequest = start..<end
  }

  /// Appends CanonicalHeaders: one line for each name, with its values joined by commas.
  private mutating func appendCanonicalHeaders(
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

  /// Appends CanonicalURI for the path as sent and its strict form.
  package mutating func append(
    _ rule: SigV4.Service.PathRule, of path: TextSpan, strict: TextSpan, _ end: inout Int
  ) {
    if !rule.encodesTwice && !rule.isNormalized { return append(strict, &end) }
    if !rule.isNormalized || path.isNormalPath() {
      return append(path: path, encodesTwice: rule.encodesTwice, &end)
    }
    let normalized = path.normalizedPath()
    append(path: normalized.span, encodesTwice: rule.encodesTwice, &end)
  }

  private mutating func append(path: TextSpan, encodesTwice: Bool, _ end: inout Int) {
    if encodesTwice {
      append(encoding: path, as: .path, &end)
    } else {
      append(reencoding: path, as: .path, plusMeaning: ASCIIByte.plus, &end)
    }
  }

  /// Appends CanonicalQueryString for the request's parameters and the added ones.
  private mutating func appendCanonicalQuery(
    _ shape: MessageShape, _ text: TextSpan, _ added: Range<Int>, _ end: inout Int
  ) {
    if added.isEmpty { return appendParameters(shape, text, &end) }
    if shape.parameters.isEmpty { return append(added, &end) }
    // Most names are in lowercase, so they follow the added ones.
    let isBehind = text.field(shape.parameters.lowerBound).key &>> 56 > UInt64(UInt8(ascii: "X"))
    if !isBehind { return appendMerged(shape, text, added, &end) }
    append(added, &end)
    append(ASCIIByte.ampersand, &end)
    appendParameters(shape, text, &end)
  }

  /// Appends the request's parameters.
  private mutating func appendParameters(
    _ shape: MessageShape, _ text: TextSpan, _ end: inout Int
  ) {
    if shape.isQueryCanonical { return append(text.extracting(shape.query), &end) }
    for index in shape.parameters {
      if index > shape.parameters.lowerBound { append(ASCIIByte.ampersand, &end) }
      append(parameter: text.field(index), of: text, &end)
    }
  }

  /// Appends a parameter with '=', even if it has no value.
  package mutating func append(
    parameter field: MessageField, of text: TextSpan, _ end: inout Int
  ) {
    append(text.extracting(field.range), &end)
    if !field.hasValue { append(ASCIIByte.equals, &end) }
  }

  /// Appends the request's parameters and the added ones, one by one. Rare.
  @inline(never)
  private mutating func appendMerged(
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
      append(parameter: field, of: text, &end)
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

  /// Appends the `Authorization` header value, up to the signature (step 6).
  mutating func appendAuthorization(
    _ texts: borrowing SignatureTexts, _ parts: SignatureSteps.Parts, at time: SigV4.Timestamp,
    _ end: inout Int
  ) {
    texts.append(texts.credential, to: &self, &end)
    append(word: time.characters.day, &end)
    texts.append(texts.signedHeaders, to: &self, &end)
    append(parts.names, &end)
    append(", Signature=" as StaticString, &end)
  }

  /// Appends the URL, up to the signature (step 6). Returns the range of the path and query.
  mutating func appendURL(
    _ shape: MessageShape, _ text: TextSpan, _ signer: SigV4.Preparer.Storage,
    _ parts: SignatureSteps.Parts, _ end: inout Int
  ) -> Range<Int> {
    append(shape.scheme.text, &end)
    append("://" as StaticString, &end)
    append(text.extracting(shape.host), &end)
    let target = end
    append(text.extracting(shape.sentPath(signer.service.pathRule)), &end)
    append(ASCIIByte.questionMark, &end)
    if !shape.query.isEmpty {
      append(text.extracting(shape.query), &end)
      append(ASCIIByte.ampersand, &end)
    }
    append(parts.parameters, &end)
    signer.texts.append(signer.texts.signatureParameter, to: &self, &end)
    return target..<end
  }
}

extension MessageShape {
  /// Returns the path in the request line. Services that encode once decode the path and encode it
  /// again, so they need the strict form, unless the request was received in the original form.
  package func sentPath(_ path: SigV4.Service.PathRule) -> Range<Int> {
    path.encodesTwice || isPathAsReceived ? givenPath : strictPath
  }
}
