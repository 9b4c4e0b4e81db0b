// SPDX-License-Identifier: Apache-2.0
// The steps of a signature in AWS's order, concatenated in one allocation.

internal import SecureHashing

/// The steps of one signature, as they were written.
///
/// 1. The canonical request
/// 2. Its hash, which the string to sign contains
/// 3. The string to sign
/// 4. The key, which isn't stored here
/// 5. The signature, computed where the key is
/// 6. The Authorization header or the URL
package struct SignatureSteps: Sendable {
  package private(set) var memory = TextMemory()

  /// The ranges of the steps.
  package private(set) var parts = Parts()

  package init() {}

  /// Removes the signature and retains the memory.
  package mutating func removeAll() { parts = Parts() }

  package struct Parts: Sendable {
    /// The number of headers that signing adds, which are the first fields before the text.
    var addedCount = 0

    /// The number of signed header lines, in order, whose fields follow those.
    var lineCount = 0

    /// The signed header names, the signed payload, and the added parameters of a URL.
    var names = 0..<0
    var payload = 0..<0
    var parameters = 0..<0

    package var canonicalRequest = 0..<0

    /// The signed header names in the canonical request.
    package var signedHeaders = 0..<0
    package fileprivate(set) var stringToSign = 0..<0

    /// The Authorization header or the URL, and the path and query of a URL.
    package fileprivate(set) var result = 0..<0
    package fileprivate(set) var target = 0..<0
    package fileprivate(set) var signature = 0..<0

    /// Adds the next signed line.
    @inline(__always)
    mutating func append(line: MessageField, _ output: inout TextOutput) {
      output.set(line, at: SignatureSteps.maximumAddedCount &+ lineCount)
      lineCount &+= 1
    }
  }

  /// The location of a signature.
  package enum Placement: Sendable {
    case headers
    /// A URL, with a nil lifetime for services whose URLs contain no lifetime.
    case url(lifetime: Int?)

    package var isURL: Bool {
      if case .url = self { true } else { false }
    }
  }

  /// Runs steps 1 to 3.
  ///
  /// - Throws: `conflictingHeader` if a value in the request conflicts with the signed one.
  mutating func write(
    _ message: borrowing RequestMessage, _ placement: Placement,
    _ payload: borrowing SigV4.Payload, isPayloadDeclared: Bool, _ signer: SigV4.Preparer.Storage,
    at time: SigV4.Timestamp
  ) throws(SigV4.SigningError) {
    let fieldCapacity = message.shape.headers.count &+ 2 &* Self.maximumAddedCount
    let textStart = fieldCapacity &* MessageField.byteCount
    memory.reserve(textStart &+ Self.byteCountBound(message, payload, signer))
    var parts = Parts()
    let text = message.memory.bytes.span
    var output = memory.bytes.mutableSpan
    var end = textStart
    let additions = SignatureAdditions(
      placement: placement, isPayloadDeclared: isPayloadDeclared, time: time)
    try additions.appendHeaders(message.shape, text, payload, signer, &parts, &output, &end)
    message.shape.mergeLines(text, placement, signer, &parts, &output)
    output.appendNames(of: text, &parts, &end)
    if case .url(let lifetime) = placement {
      additions.appendParameters(lifetime, signer, &parts, &output, &end)
    }
    output.appendCanonicalRequest(message.shape, text, signer.service.pathRule, &parts, &end)
    let start = end
    signer.texts.append(signer.texts.algorithmLine, to: &output, &end)
    output.appendStringToSign(from: start, at: time, &parts, &end) { output, end in
      output.append(word: time.characters.day, &end)
      signer.texts.append(signer.texts.scopeLine, to: &output, &end)
    }
    self.parts = parts
  }

  /// Runs steps 1 to 3 for a received request, whose headers are all signed.
  package init(
    received shape: MessageShape, _ text: TextSpan, _ path: SigV4.Service.PathRule,
    _ payload: SigV4.Payload, _ algorithm: StaticString, scope: TextSpan, at time: SigV4.Timestamp
  ) {
    let fieldCapacity = shape.headers.count &+ Self.maximumAddedCount
    let textStart = fieldCapacity &* MessageField.byteCount
    var lineByteCount = 0
    for index in shape.headers {
      let field = text.field(index)
      lineByteCount &+= field.range.count &+ 2 &* field.nameCount &+ 3
    }
    // The lines with their names, twice.
    let size = shape.canonicalByteCount(lineByteCount: lineByteCount)
    memory.reserve(textStart &+ size &+ 2 &* payload.byteCount &+ scope.count &+ 192)
    var parts = Parts()
    var output = memory.bytes.mutableSpan
    var end = textStart
    output.append(payload, &end)
    parts.payload = textStart..<end
    for index in shape.headers { parts.append(line: text.field(index), &output) }
    output.appendNames(of: text, &parts, &end)
    output.appendCanonicalRequest(shape, text, path, &parts, &end)
    let start = end
    output.append(algorithm, &end)
    output.append(ASCIIByte.newline, &end)
    output.appendStringToSign(from: start, at: time, &parts, &end) { output, end in
      output.append(scope, &end)
      output.append(ASCIIByte.newline, &end)
    }
    self.parts = parts
  }

  /// Runs step 6: writes the Authorization header or the URL, with a signature in hexadecimal
  /// digits.
  mutating func finish(
    _ message: borrowing RequestMessage, _ placement: Placement, signatureByteCount: Int,
    _ signer: SigV4.Preparer.Storage, at time: SigV4.Timestamp,
    appendSignature: (_ text: inout TextOutput, _ end: inout Int) -> Void
  ) {
    var parts = parts
    let start = parts.stringToSign.upperBound
    let size = parts.names.count &+ parts.parameters.count &+ message.shape.urlByteCount
    let tokenByteCount = 3 &* (signer.identity.sessionTokenBytes?.byteCount ?? 0) &+ 32
    memory.reserve(
      start &+ size &+ signer.texts.bytes.count &+ signatureByteCount &+ tokenByteCount &+ 64)
    let text = message.memory.bytes.span
    var output = memory.bytes.mutableSpan
    var end = start
    switch placement {
    case .headers:
      output.appendAuthorization(signer.texts, parts, at: time, &end)
    case .url:
      parts.target = output.appendURL(message.shape, text, signer, parts, &end)
    }
    let signatureStart = end
    appendSignature(&output, &end)
    parts.signature = signatureStart..<end
    if case .url = placement, !signer.service.sessionTokenRule.isSigned,
      let token = signer.identity.sessionTokenBytes
    {
      output.appendParameter(signer.service.sessionTokenRule.field, signer.service.names, &end)
      output.append(encoding: token, &end)
    }
    parts.result = start..<end
    parts.target = parts.target.lowerBound..<end
    self.parts = parts
  }

  /// The string to sign.
  package var stringToSign: [UInt8] { bytes(parts.stringToSign) }

  /// Calls `body` with the string to sign.
  @inline(__always)
  package func withStringToSign<Result>(_ body: (TextSpan) -> Result) -> Result {
    body(memory.bytes.span.extracting(parts.stringToSign))
  }

  /// The number of headers added by signing.
  package var addedHeaderCount: Int { parts.addedCount }

  /// Returns a header line added by signing.
  package func addedHeader(_ index: Int) -> MessageField { memory.bytes.span.field(index) }

  /// Returns part of the text.
  package func bytes(_ range: Range<Int>) -> [UInt8] { memory.bytes.span.extracting(range).array }

  /// Returns part of the text, which is ASCII.
  package func text(_ range: Range<Int>) -> String {
    unsafe memory.bytes[range].withUnsafeBytes { unsafe $0.textInUTF8 }
  }

  /// The maximum number of headers added by signing.
  static var maximumAddedCount: Int { 8 }

  /// Returns an upper bound for all steps of a signature and their inputs.
  private static func byteCountBound(
    _ message: borrowing RequestMessage, _ payload: borrowing SigV4.Payload,
    _ signer: SigV4.Preparer.Storage
  ) -> Int {
    var added =
      signer.texts.bytes.count &+ payload.byteCount &+ 3
      &* (signer.identity.sessionTokenBytes?.byteCount ?? 0)
    for addition in signer.algorithm.additions {
      added &+= 3 &* addition.value.byteCountInUTF8 &+ 64
    }
    let shape = message.shape
    let text = message.memory.bytes.span
    var nameByteCount = 0
    for index in shape.headers { nameByteCount &+= text.field(index).nameCount &+ 1 }
    // The names as they are (twice) and encoded (three bytes for one) in the parameters, the
    // canonical query and the URL.
    return shape.canonicalByteCount(lineByteCount: shape.lineByteCount) &+ 11 &* nameByteCount
      &+ shape.urlByteCount &+ 5 &* added &+ 1_024
  }
}

extension TextOutput {
  /// Runs steps 2 and 3 after the line of the algorithm, at which the string to sign starts.
  @inline(__always)
  fileprivate mutating func appendStringToSign(
    from start: Int, at time: SigV4.Timestamp, _ parts: inout SignatureSteps.Parts,
    _ end: inout Int, appendScopeLine: (_ output: inout TextOutput, _ end: inout Int) -> Void
  ) {
    append(time, &end)
    append(ASCIIByte.newline, &end)
    appendScopeLine(&self, &end)
    append(digest(of: parts.canonicalRequest), &end)
    parts.stringToSign = start..<end
  }
}
