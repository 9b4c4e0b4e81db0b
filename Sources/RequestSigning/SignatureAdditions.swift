// SPDX-License-Identifier: Apache-2.0
// The headers or URL parameters that signing adds to a request.

internal import SecureHashing

/// The additions to a request for one signature.
struct SignatureAdditions {
  let placement: SignatureSteps.Placement
  let isPayloadDeclared: Bool
  let time: SigV4.Timestamp

  /// Writes the headers in the order of their names. A URL contains most of these values in its
  /// parameters, and the request's headers must not conflict with them.
  func appendHeaders(
    _ shape: MessageShape, _ text: TextSpan, _ payload: borrowing SigV4.Payload,
    _ signer: SigV4.Preparer.Storage, _ parts: inout SignatureSteps.Parts,
    _ output: inout TextOutput, _ end: inout Int
  ) throws(SigV4.SigningError) {
    let isInHeaders = !placement.isURL
    var line = AddedLine(
      .contentSHA256, signer.service.names, signer.texts.contentSHA256Header, of: signer.texts,
      &output, &end)
    output.append(payload, &end)
    // Also the last line of the canonical request.
    parts.payload = line.valueStart..<end
    try line.finish(ifAbsent: isPayloadDeclared, shape, text, &parts, &output, &end)
    line = AddedLine(
      .date, signer.service.names, signer.texts.dateHeader, of: signer.texts, &output, &end)
    output.append(time, &end)
    try line.finish(ifAbsent: isInHeaders, shape, text, &parts, &output, &end)
    for index in signer.algorithm.additions.indices {
      line = AddedLine(signer.algorithm.additions[index].field, signer.service.names, &output, &end)
      output.append(signer.algorithm.additions[index].value, &end)
      try line.finish(ifAbsent: isInHeaders, shape, text, &parts, &output, &end)
    }
    if let token = signer.identity.sessionTokenBytes {
      line = AddedLine(signer.service.sessionTokenRule.field, signer.service.names, &output, &end)
      output.append(token, &end)
      let isAdded = signer.service.sessionTokenRule.isSigned && isInHeaders
      try line.finish(ifAbsent: isAdded, shape, text, &parts, &output, &end)
    }
  }

  /// Writes the parameters in the order of their names. The signed header names are already
  /// written.
  func appendParameters(
    _ lifetime: Int?, _ signer: SigV4.Preparer.Storage,
    _ parts: inout SignatureSteps.Parts, _ output: inout TextOutput, _ end: inout Int
  ) {
    let start = end
    signer.texts.append(signer.texts.credentialParameter, to: &output, &end)
    output.append(word: time.characters.day, &end)
    signer.texts.append(signer.texts.dateParameter, to: &output, &end)
    output.append(time, &end)
    if let lifetime {
      signer.texts.append(signer.texts.expiresParameter, to: &output, &end)
      output.append(decimal: lifetime, &end)
    }
    for addition in signer.algorithm.additions {
      output.appendParameter(addition.field, signer.service.names, &end)
      output.append(encoding: addition.value, as: .component, &end)
    }
    if signer.service.sessionTokenRule.isSigned, let token = signer.identity.sessionTokenBytes {
      output.appendParameter(signer.service.sessionTokenRule.field, signer.service.names, &end)
      output.append(encoding: token, &end)
    }
    signer.texts.append(signer.texts.namesParameter, to: &output, &end)
    for position in parts.names {
      output.append(encoding: output.byte(at: position), as: .component, &end)
    }
    parts.parameters = start..<end
  }
}

/// A header line being written that signing may add.
private struct AddedLine {
  let field: SignatureField
  let names: SignatureNames
  let start: Int
  let valueStart: Int

  /// Writes a name with its colon, one of the signer's strings.
  @inline(__always)
  init(
    _ field: SignatureField, _ names: SignatureNames, _ name: Range<Int>,
    of texts: borrowing SignatureTexts, _ output: inout TextOutput, _ end: inout Int
  ) {
    (self.field, self.names) = (field, names)
    start = end
    texts.append(name, to: &output, &end)
    valueStart = end
  }

  /// Writes the name.
  init(
    _ field: SignatureField, _ names: SignatureNames, _ output: inout TextOutput, _ end: inout Int
  ) {
    (self.field, self.names) = (field, names)
    start = end
    if names == .aws {
      output.append(field.header, &end)
    } else {
      output.append(names.header(field).bytes, &end)
    }
    output.append(ASCIIByte.colon, &end)
    valueStart = end
  }

  /// Adds the line if the request doesn't have the header and `ifAbsent` is true. Rejects a request
  /// with a different value.
  @inline(__always)
  func finish(
    ifAbsent: Bool, _ shape: MessageShape, _ text: TextSpan,
    _ parts: inout SignatureSteps.Parts, _ output: inout TextOutput, _ end: inout Int
  ) throws(SigV4.SigningError) {
    guard let header = names.knownHeader(field) else { return }
    if shape.has(header) { return try compare(header, shape, text, output, end) }
    if !ifAbsent { return }
    let key = output.fullWord(at: start).byteSwapped
    let line = MessageField(key, start, nameEnd: valueStart &- 1, end: end, header)
    output.set(line, at: parts.addedCount)
    parts.addedCount &+= 1
    output.append(ASCIIByte.newline, &end)
  }

  @inline(never)
  private func compare(
    _ header: KnownHeader, _ shape: MessageShape, _ text: TextSpan, _ output: borrowing TextOutput,
    _ end: Int
  ) throws(SigV4.SigningError) {
    let isRepeated = shape.repeated & header.bit != 0
    guard !isRepeated, let given = shape.field(of: header, in: text),
      text.extracting(given.valueRange).isSameSecret(as: output.span.extracting(valueStart..<end))
    else { throw conflict(output.span.extracting(valueStart..<end)) }
  }

  private func conflict(_ value: TextSpan) -> SigV4.SigningError {
    let isToken = field == .securityToken || field == .s3SessionToken
    let shown: UTF8Text = isToken ? "from the credentials" : "\(quoted: value.array)"
    return SigV4.SigningError(
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

extension TextOutput {
  /// Appends the start of a parameter: `&X-Amz-Security-Token=`.
  mutating func appendParameter(
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

  /// Appends a time: `20130524T000000Z`.
  @inline(__always)
  mutating func append(_ time: SigV4.Timestamp, _ end: inout Int) {
    append(word: time.characters.day, &end)
    append(word: time.characters.time, &end)
  }

  /// Appends the signed payload: 64 hexadecimal digits, or a word.
  mutating func append(_ payload: borrowing SigV4.Payload, _ end: inout Int) {
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

  /// Appends a session token as a parameter value.
  mutating func append(encoding token: SymmetricKey, _ end: inout Int) {
    unsafe token.withUnsafeBytes {
      unsafe append(encoding: $0.bindMemory(to: UInt8.self).span, as: .component, &end)
    }
  }
}
