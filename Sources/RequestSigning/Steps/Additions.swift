// SPDX-License-Identifier: Apache-2.0
// The headers or URL parameters that signing adds to a request before step 1.

internal import SecureHashing

extension SigV4.SigningBuffer {
  /// Writes the added headers, the order of the signed lines, their names, and for a URL the added
  /// parameters.
  ///
  /// - Throws: `conflictingHeader` if a value in the request conflicts with the signed one.
  mutating func writeAdditions(
    to request: SigV4.Request, _ placement: SigV4.SignaturePlacement,
    _ declaration: SigV4.Payload.Declaration, _ signer: SigV4.Preparer, at time: SigV4.Timestamp
  ) throws(SigV4.SigningError) {
    var parts = Parts()
    parts.placement = placement
    parts.end = reserve(request, signer)
    let shape = request.message.shape
    let text = request.message.memory.bytes.span
    var output = memory.bytes.mutableSpan
    let line = output.writeContentSHA256(request, declaration, signer, &parts)
    try output.addLine(line, ifAbsent: declaration.isHeader, shape, text, &parts)
    try output.writeHeaders(shape, text, signer, at: time, &parts)
    shape.mergeLines(text, signer.service, &parts, &output)
    output.writeSignedHeaders(of: text, &parts)
    if case .url(let lifetime) = placement {
      output.writeParameters(lifetime?.seconds, signer, at: time, &parts)
    }
    self.parts = parts
  }

  /// Reserves an upper bound for all steps of a signature and their inputs. Returns the start of
  /// the text.
  private mutating func reserve(_ request: SigV4.Request, _ signer: SigV4.Preparer) -> Int {
    let shape = request.message.shape
    let textStart =
      (shape.headers.count &+ 2 &* Self.maximumAddedCount) &* MessageField.byteCount
    var added =
      signer.texts.bytes.count &+ request.payload.byteCount
      &+ 3 &* (signer.identity.sessionTokenBytes?.byteCount ?? 0)
    if let regionSet = signer.regionSet { added &+= 3 &* regionSet.byteCountInUTF8 &+ 64 }
    let text = request.message.memory.bytes.span
    var nameByteCount = 0
    for index in shape.headers { nameByteCount &+= text.field(index).nameCount &+ 1 }
    // The names as they are (twice) and encoded (three bytes for one) in the parameters, the
    // canonical query and the URL.
    memory.reserve(
      textStart &+ shape.canonicalByteCount(lineByteCount: shape.lineByteCount)
        &+ 11 &* nameByteCount &+ shape.urlByteCount &+ 5 &* added &+ 1_024)
    return textStart
  }
}

/// A header line being written that signing may add.
private struct AddedLine {
  let field: SignatureField
  let names: SignatureNames
  let start: Int
  let valueStart: Int
}

// The lines are in the order of their names. A URL contains most of their values in its
// parameters, and the request's headers must not conflict with them.

extension TextOutput {
  /// Writes the header that declares the payload, whose value is also the last line of the
  /// canonical request.
  @inline(__always)
  fileprivate mutating func writeContentSHA256(
    _ request: SigV4.Request, _ declaration: SigV4.Payload.Declaration, _ signer: SigV4.Preparer,
    _ parts: inout SigV4.SigningBuffer.Parts
  ) -> AddedLine {
    let line = beginLine(
      .contentSHA256, signer, signer.texts.contentSHA256Header, &parts.end)
    if declaration.isUnsigned {
      append(SigV4.Payload.unsignedText, &parts.end)
    } else {
      writePayload(request.payload, &parts.end)
    }
    parts.payload = line.valueStart..<parts.end
    return line
  }

  /// Writes the other headers.
  @inline(__always)
  fileprivate mutating func writeHeaders(
    _ shape: MessageShape, _ text: TextSpan, _ signer: SigV4.Preparer, at time: SigV4.Timestamp,
    _ parts: inout SigV4.SigningBuffer.Parts
  ) throws(SigV4.SigningError) {
    let isInHeaders = !parts.placement.isURL
    var line = beginLine(.date, signer, signer.texts.dateHeader, &parts.end)
    writeTime(time, &parts.end)
    try addLine(line, ifAbsent: isInHeaders, shape, text, &parts)
    if let regionSet = signer.regionSet {
      line = beginLine(.regionSet, signer, &parts.end)
      append(regionSet, &parts.end)
      try addLine(line, ifAbsent: isInHeaders, shape, text, &parts)
    }
    if let token = signer.identity.sessionTokenBytes {
      line = beginLine(signer.service.sessionTokenRule.field, signer, &parts.end)
      append(token, &parts.end)
      let isAdded = signer.service.sessionTokenRule.isSigned && isInHeaders
      try addLine(line, ifAbsent: isAdded, shape, text, &parts)
    }
  }

  /// Writes a name with its colon, one of the signer's strings.
  @inline(__always)
  private mutating func beginLine(
    _ field: SignatureField, _ signer: SigV4.Preparer, _ name: Range<Int>, _ end: inout Int
  ) -> AddedLine {
    let start = end
    signer.texts.append(name, to: &self, &end)
    return AddedLine(field: field, names: signer.service.names, start: start, valueStart: end)
  }

  /// Writes a name with its colon.
  private mutating func beginLine(
    _ field: SignatureField, _ signer: SigV4.Preparer, _ end: inout Int
  ) -> AddedLine {
    let start = end
    let names = signer.service.names
    writeHeaderName(field, names, &end)
    return AddedLine(field: field, names: names, start: start, valueStart: end)
  }

  /// Writes the name of a header of the signature, with its colon.
  mutating func writeHeaderName(
    _ field: SignatureField, _ names: SignatureNames, _ end: inout Int
  ) {
    if names == .aws {
      append(field.header, &end)
    } else {
      append(names.header(field).bytes, &end)
    }
    append(ASCIIByte.colon, &end)
  }

  /// Adds the line if the request doesn't have the header and `ifAbsent` is true. Rejects a request
  /// with a different value.
  fileprivate mutating func addLine(
    _ line: AddedLine, ifAbsent: Bool, _ shape: MessageShape, _ text: TextSpan,
    _ parts: inout SigV4.SigningBuffer.Parts
  ) throws(SigV4.SigningError) {
    guard let header = line.names.knownHeader(line.field) else { return }
    if shape.has(header) {
      let value = span.extracting(line.valueStart..<parts.end)
      return try line.compare(header, shape, text, value)
    }
    if !ifAbsent { return }
    let key = fullWord(at: line.start).byteSwapped
    parts.addHeader(
      MessageField(key, line.start, nameEnd: line.valueStart &- 1, end: parts.end, header), &self)
    append(ASCIIByte.newline, &parts.end)
  }
}

extension AddedLine {
  @inline(never)
  fileprivate func compare(
    _ header: KnownHeader, _ shape: MessageShape, _ text: TextSpan, _ value: TextSpan
  ) throws(SigV4.SigningError) {
    let isRepeated = shape.repeated & header.bit != 0
    if !isRepeated, let given = shape.field(of: header, in: text),
      text.extracting(given.valueRange).isSameSecret(as: value)
    {
      return
    }
    let isToken = field == .securityToken || field == .s3SessionToken
    let shown: UTF8Text = isToken ? "from the credentials" : "\(quoted: value.array)"
    throw SigV4.SigningError(
      .conflictingHeader,
      """
      The header \(names.header(field)) conflicts with the signed value \(shown), or appears more \
      than once.
      """,
      fix: """
        Remove it: signing adds it if needed. To keep it, pass the timestamp, payload or \
        credentials that it belongs to.
        """)
  }
}

extension MessageShape {
  /// Merges the request's signed lines and the added lines, in the order of their names. Here a
  /// header stays unsigned.
  fileprivate func mergeLines(
    _ text: TextSpan, _ service: SigV4.Service, _ parts: inout SigV4.SigningBuffer.Parts,
    _ output: inout TextOutput
  ) {
    var next = 0
    for index in headers {
      let field = text.field(index)
      if service.leavesUnsigned(field, in: text, inURL: parts.placement.isURL) { continue }
      while next < parts.addedCount,
        case let added = output.field(next), output.span.precedes(added, field, of: text)
      {
        parts.addLine(added.asAdded, &output)
        next &+= 1
      }
      parts.addLine(field, &output)
    }
    while next < parts.addedCount {
      parts.addLine(output.field(next).asAdded, &output)
      next &+= 1
    }
  }
}

extension TextOutput {
  /// Writes the added parameters in the order of their names.
  fileprivate mutating func writeParameters(
    _ lifetime: Int?, _ signer: SigV4.Preparer, at time: SigV4.Timestamp,
    _ parts: inout SigV4.SigningBuffer.Parts
  ) {
    let start = parts.end
    signer.texts.append(signer.texts.credentialParameter, to: &self, &parts.end)
    append(word: time.characters.day, &parts.end)
    signer.texts.append(signer.texts.dateParameter, to: &self, &parts.end)
    writeTime(time, &parts.end)
    if let lifetime {
      signer.texts.append(signer.texts.expiresParameter, to: &self, &parts.end)
      append(decimal: lifetime, &parts.end)
    }
    if let regionSet = signer.regionSet {
      writeParameterName(.regionSet, signer.service.names, &parts.end)
      writeEncoded(regionSet, as: .component, &parts.end)
    }
    if signer.service.sessionTokenRule.isSigned, let token = signer.identity.sessionTokenBytes {
      writeParameterName(
        signer.service.sessionTokenRule.field, signer.service.names, &parts.end)
      writeEncoded(token, &parts.end)
    }
    signer.texts.append(signer.texts.namesParameter, to: &self, &parts.end)
    for position in parts.names {
      writeEncoded(byte(at: position), as: .component, &parts.end)
    }
    parts.parameters = start..<parts.end
  }

  /// Writes the start of a parameter: `&X-Amz-Security-Token=`.
  mutating func writeParameterName(
    _ field: SignatureField, _ names: SignatureNames, _ end: inout Int
  ) {
    append(ASCIIByte.ampersand, &end)
    if names == .aws {
      append(field.parameter, &end)
    } else {
      append(names.parameter(field).bytes, &end)
    }
    append(ASCIIByte.equals, &end)
  }

  /// Writes a time: `20130524T000000Z`.
  @inline(__always)
  mutating func writeTime(_ time: SigV4.Timestamp, _ end: inout Int) {
    append(word: time.characters.day, &end)
    append(word: time.characters.time, &end)
  }

  /// Writes the signed payload: 64 hexadecimal digits, or a word.
  mutating func writePayload(_ payload: borrowing SigV4.Payload, _ end: inout Int) {
    switch payload.kind {
    case .digestOfNothing: append(SigV4.Payload.digestOfNothingText, &end)
    case .digest(let digest): append(digest, &end)
    case .unsigned: append(SigV4.Payload.unsignedText, &end)
    case .literal(let word): append(word, &end)
    }
  }

  /// Appends a session token.
  mutating func append(_ token: SymmetricKey, _ end: inout Int) {
    unsafe token.withUnsafeBytes { unsafe append($0.bindMemory(to: UInt8.self).span, &end) }
  }

  /// Writes a session token as a parameter value.
  mutating func writeEncoded(_ token: SymmetricKey, _ end: inout Int) {
    unsafe token.withUnsafeBytes {
      unsafe writeEncoded($0.bindMemory(to: UInt8.self).span, as: .component, &end)
    }
  }
}
