// SPDX-License-Identifier: Apache-2.0
// SigV4, step 6: the signature is added to the request, as its Authorization header or in its URL.

internal import SecureHashing

extension SigV4.SigningBuffer {
  /// Runs step 6.
  mutating func writeResult(
    _ message: borrowing RequestMessage, _ signature: SigV4.Signature, _ signer: SigV4.Preparer,
    at time: SigV4.Timestamp
  ) {
    reserveResult(message, signature, signer)
    var parts = parts
    let text = message.memory.bytes.span
    var output = memory.bytes.mutableSpan
    let token = signer.unsignedToken
    let start: Int
    switch parts.placement {
    case .headers:
      if let token { output.writeUnsignedHeader(token, signer, message.shape, &parts) }
      start = parts.end
      output.writeAuthorization(signer.texts, at: time, &parts)
      output.writeSignature(signature, &parts)
    case .url:
      start = parts.end
      output.writeURL(message.shape, text, signer, &parts)
      output.writeSignature(signature, &parts)
      if let token { output.writeUnsignedParameter(token, signer, &parts.end) }
      parts.target = parts.target.lowerBound..<parts.end
    }
    parts.result = start..<parts.end
    self.parts = parts
  }

  private mutating func reserveResult(
    _ message: borrowing RequestMessage, _ signature: SigV4.Signature, _ signer: SigV4.Preparer
  ) {
    let tokenByteCount = 3 &* (signer.unsignedToken?.byteCount ?? 0) &+ 64
    memory.reserve(
      parts.end &+ parts.names.count &+ parts.parameters.count &+ message.shape.urlByteCount
        &+ signer.texts.bytes.count &+ signature.hexadecimalCount &+ tokenByteCount &+ 64)
  }
}

extension SigV4.Preparer {
  /// The session token of a service that doesn't sign it, which is added after signing. Secret.
  fileprivate var unsignedToken: SymmetricKey? {
    service.sessionTokenRule.isSigned ? nil : identity.sessionTokenBytes
  }
}

extension MessageShape {
  /// The size of a URL with the path and query of the request.
  var urlByteCount: Int {
    host.count &+ Swift.max(givenPath.count, strictPath.count) &+ query.count &+ 16
  }
}

extension TextOutput {
  /// Writes the `Authorization` header value, up to the signature.
  fileprivate mutating func writeAuthorization(
    _ texts: borrowing SignatureTexts, at time: SigV4.Timestamp,
    _ parts: inout SigV4.SigningBuffer.Parts
  ) {
    texts.append(texts.credential, to: &self, &parts.end)
    append(word: time.characters.day, &parts.end)
    texts.append(texts.signedHeaders, to: &self, &parts.end)
    append(parts.names, &parts.end)
    append(", Signature=" as StaticString, &parts.end)
  }

  /// Writes the URL, up to the signature.
  fileprivate mutating func writeURL(
    _ shape: MessageShape, _ text: TextSpan, _ signer: SigV4.Preparer,
    _ parts: inout SigV4.SigningBuffer.Parts
  ) {
    append(shape.scheme.text, &parts.end)
    append("://" as StaticString, &parts.end)
    append(text.extracting(shape.host), &parts.end)
    let target = parts.end
    append(text.extracting(shape.sentPath(signer.service.pathRule)), &parts.end)
    append(ASCIIByte.questionMark, &parts.end)
    if !shape.query.isEmpty {
      append(text.extracting(shape.query), &parts.end)
      append(ASCIIByte.ampersand, &parts.end)
    }
    append(parts.parameters, &parts.end)
    signer.texts.append(signer.texts.signatureParameter, to: &self, &parts.end)
    parts.target = target..<parts.end
  }

  /// Writes the digits of the signature.
  fileprivate mutating func writeSignature(
    _ signature: SigV4.Signature, _ parts: inout SigV4.SigningBuffer.Parts
  ) {
    let start = parts.end
    signature.write(to: &self, &parts.end)
    parts.signature = start..<parts.end
  }

  /// Writes a session token as a header that's sent unsigned, unless the request has it.
  fileprivate mutating func writeUnsignedHeader(
    _ token: SymmetricKey, _ signer: SigV4.Preparer, _ shape: MessageShape,
    _ parts: inout SigV4.SigningBuffer.Parts
  ) {
    let field = signer.service.sessionTokenRule.field
    let names = signer.service.names
    guard let header = names.knownHeader(field), !shape.has(header) else { return }
    let start = parts.end
    writeHeaderName(field, names, &parts.end)
    let valueStart = parts.end
    append(token, &parts.end)
    parts.addHeader(
      MessageField(0, start, nameEnd: valueStart &- 1, end: parts.end, header), &self)
  }

  /// Writes a session token as the last parameter of a URL.
  fileprivate mutating func writeUnsignedParameter(
    _ token: SymmetricKey, _ signer: SigV4.Preparer, _ end: inout Int
  ) {
    writeParameterName(signer.service.sessionTokenRule.field, signer.service.names, &end)
    writeEncoded(token, &end)
  }
}
