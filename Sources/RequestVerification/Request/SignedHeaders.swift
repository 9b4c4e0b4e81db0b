// SPDX-License-Identifier: Apache-2.0
// The signed headers of a received request, and the unsigned ones that the verifier accepts.

internal import RequestSigning

extension SigV4 {
  /// Decides which headers may be unsigned.
  struct UnsignedHeaderRule {
    let location: SignatureLocation
    let tokenRule: Service.SessionTokenRule
    let names: SignatureNames

    /// Whether a header may be unsigned.
    func permits(
      _ field: MessageField, _ text: TextSpan, _ verifier: borrowing Verifier
    ) -> Bool {
      if field.isHeader(.host) { return false }
      if field.isHeader(.contentType) { return verifier.unsignedContentTypes.allows(location) }
      // Only headers that belong to no family of services may be unsigned without being listed.
      guard let family = field.header.family else { return true }
      return permits(field, of: family, text, verifier)
    }

    /// Whether a header with the prefix of a family of services may be unsigned.
    private func permits(
      _ field: MessageField, of family: SignatureNames, _ text: TextSpan,
      _ verifier: borrowing Verifier
    ) -> Bool {
      // No service of this server reads it. All services read AWS's.
      if family != .aws && !verifier.services.contains(where: { $0.names == family }) {
        return true
      }
      if family == names {
        // The value is the last line of the canonical request: changing it breaks the signature.
        if field.header == names.knownHeader(.contentSHA256) { return location == .query }
        if field.header == names.knownHeader(tokenRule.field) { return !tokenRule.isSigned }
      }
      if field.header != family.otherHeaders { return false }
      let name = text.extracting(field.nameRange).array
      return verifier.unsignedHeaders.contains { ASCIIByte.equalIgnoringCase(name, $0.utf8) }
    }
  }
}

extension SigV4.ReceivedRequest {
  /// Removes the lines of unsigned headers.
  ///
  /// `names` is a string of sorted, unique, lowercase names. HTTP clients omit empty headers, so a
  /// missing header is signed as an empty one, as in Amazon S3.
  ///
  /// - Returns: The names of the missing headers.
  mutating func keepSigned(
    _ names: Range<Int>, allowing rule: SigV4.UnsignedHeaderRule,
    _ verifier: borrowing SigV4.Verifier
  ) throws(SigV4.VerificationError) -> [Range<Int>] {
    let missing = try Self.keepSigned(
      names, allowing: rule, verifier, &message.memory, &message.shape)
    if !missing.isEmpty {
      message.memory.reserve(missing.reduce(end) { $0 + $1.count + 2 })
      Self.addEmptyHeaders(missing, &message.memory, &message.shape, &end)
    }
    return missing
  }

  private static func keepSigned(
    _ names: Range<Int>, allowing rule: SigV4.UnsignedHeaderRule,
    _ verifier: borrowing SigV4.Verifier, _ memory: inout TextMemory, _ shape: inout MessageShape
  ) throws(SigV4.VerificationError) -> [Range<Int>] {
    var selection = SignedHeaderSelection(names, shape.headers, rule)
    var text = memory.bytes.mutableSpan
    try selection.run(&text, verifier)
    if let forgotten = selection.forgotten {
      throw .unsignedHeader(text.span.extracting(forgotten).array)
    }
    shape.removeHeaders()
    for index in selection.kept { shape.addHeader(text.field(index), &text) }
    return selection.missing
  }

  /// Adds empty lines for signed headers that are missing.
  private static func addEmptyHeaders(
    _ names: [Range<Int>], _ memory: inout TextMemory, _ shape: inout MessageShape,
    _ end: inout Int
  ) {
    var text = memory.bytes.mutableSpan
    for name in names { shape.addHeader(text.writeEmptyHeader(name, &end), &text) }
    shape.sort(&text)
  }
}

/// Matches the names of the signed headers with the header lines. Both are sorted.
private struct SignedHeaderSelection: ~Copyable {
  private let names: Range<Int>
  private let lines: Range<Int>
  private let rule: SigV4.UnsignedHeaderRule

  /// The index of the next line.
  private var line: Int

  /// The signed lines, which are moved to the front.
  private(set) var kept: Range<Int>

  /// The names of missing headers. There are only a few, unless the request is an attack.
  private(set) var missing: [Range<Int>] = []

  /// The name of the first header that should be signed but isn't.
  private(set) var forgotten: Range<Int>?

  init(_ names: Range<Int>, _ lines: Range<Int>, _ rule: SigV4.UnsignedHeaderRule) {
    (self.names, self.lines) = (names, lines)
    self.rule = rule
    line = lines.lowerBound
    kept = lines.lowerBound..<lines.lowerBound
  }

  mutating func run(
    _ text: inout TextOutput, _ verifier: borrowing SigV4.Verifier
  ) throws(SigV4.VerificationError) {
    var start = names.lowerBound
    var previous = start..<start
    while start <= names.upperBound {
      let end = text.span.extracting(0..<names.upperBound)
        .position(of: ASCIIByte.semicolon, from: start)
      let name = text.parameter(start..<end, nameEnd: end)
      if !keepLines(named: name, &text) {
        while line < lines.upperBound, text.span.precedes(text.field(line), name, of: text.span) {
          leaveUnsigned(text, verifier)
        }
        if !keepLines(named: name, &text) { try add(missing: name.range, after: previous, text) }
      }
      (previous, start) = (name.range, end + 1)
    }
    while line < lines.upperBound { leaveUnsigned(text, verifier) }
  }

  private mutating func leaveUnsigned(
    _ text: borrowing TextOutput, _ verifier: borrowing SigV4.Verifier
  ) {
    let field = text.field(line)
    if forgotten == nil && !rule.permits(field, text.span, verifier) { forgotten = field.nameRange }
    line += 1
  }

  /// Keeps the next lines if they have this name. Returns whether there are any.
  private mutating func keepLines(named name: MessageField, _ text: inout TextOutput) -> Bool {
    let first = line
    while line < lines.upperBound, text.span.hasSameName(text.field(line), name) {
      text.set(text.field(line), at: kept.upperBound)
      kept = kept.lowerBound..<kept.upperBound + 1
      line += 1
    }
    return line > first
  }

  /// Adds a missing name. It must be a lowercase token that follows the previous name in order.
  private mutating func add(
    missing name: Range<Int>, after previous: Range<Int>, _ text: borrowing TextOutput
  ) throws(SigV4.VerificationError) {
    let (bytes, other) = (text.span.extracting(name).array, text.span.extracting(previous).array)
    let isLowercaseToken =
      !bytes.isEmpty
      && bytes.allSatisfy { ASCIIByte.isTokenCharacter($0) && ASCIIByte.lowercased($0) == $0 }
    // No name precedes an empty one.
    if !isLowercaseToken || !other.lexicographicallyPrecedes(bytes) {
      throw invalid(
        "SignedHeaders must be lowercase, sorted and unique, but \(UTF8Text.quoted(bytes)) follows "
          + "\(UTF8Text.quoted(other)).",
        fix: "Check how the client builds SignedHeaders.")
    }
    missing.append(name)
    if missing.count > SigV4.ReceivedRequest.maximumMissingHeaders {
      throw invalid(
        "SignedHeaders names more than \(SigV4.ReceivedRequest.maximumMissingHeaders) headers that "
          + "the request doesn't have, such as \(UTF8Text.quoted(bytes)).",
        fix: "Check for a proxy that removes headers.")
    }
  }

  private func invalid(_ problem: String, fix: String) -> SigV4.VerificationError {
    let code = SigV4.VerificationError.Code.invalidSignedHeaders
    return SigV4.VerificationError(
      code, problem, fix: fix,
      statement: rule.location == .query ? (.malformedQuery, code.text) : nil)
  }
}
