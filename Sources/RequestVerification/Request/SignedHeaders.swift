// SPDX-License-Identifier: Apache-2.0
// The signed headers of a received request, and the unsigned ones that the verifier accepts.

internal import RequestSigning

extension SigV4 {
  /// Decides which headers may be unsigned.
  struct UnsignedHeaderRule: ~Copyable {
    let signatureLocation: SignatureLocation
    let tokenRule: Service.SessionTokenRule
    let contentTypes: Acceptance
    let names: SignatureNames
    /// All services of the verifier.
    let services: [Service]
    /// The headers that your own proxy adds.
    let unsignedHeaders: [String]

    init(
      _ signatureLocation: SignatureLocation, _ service: borrowing Service,
      _ verifier: borrowing Verifier
    ) {
      self.signatureLocation = signatureLocation
      tokenRule = service.sessionTokenRule
      contentTypes = verifier.unsignedContentTypes
      names = service.names
      services = verifier.services
      unsignedHeaders = verifier.unsignedHeaders
    }

    /// Whether a header may be unsigned.
    func permits(_ field: MessageField, _ text: TextSpan) -> Bool {
      if field.isHeader(.host) { return false }
      if field.isHeader(.contentType) { return contentTypes.allows(signatureLocation) }
      // Only headers that belong to no family of services may be unsigned without being listed.
      guard let family = field.header.family else { return true }
      return permits(field, of: family, text)
    }

    /// Whether a header with the prefix of a family of services may be unsigned.
    private func permits(
      _ field: MessageField, of family: SignatureNames, _ text: TextSpan
    ) -> Bool {
      // No service of this server reads it. All services read AWS's.
      if family != .aws && !services.contains(where: { $0.names == family }) { return true }
      if family == names {
        // The value is the last line of the canonical request: changing it breaks the signature.
        if field.header == names.knownHeader(.contentSHA256) { return signatureLocation == .query }
        if field.header == names.knownHeader(tokenRule.field) { return !tokenRule.isSigned }
      }
      return field.header == family.otherHeaders && isListed(field, text)
    }

    private func isListed(_ field: MessageField, _ text: TextSpan) -> Bool {
      let name = text.extracting(field.nameRange).array
      return unsignedHeaders.contains { ASCIIByte.equalIgnoringCase(name, $0.utf8) }
    }
  }
}

extension SigV4.ReceivedMessage {
  /// Removes the lines of unsigned headers.
  ///
  /// `names` is a string of sorted, unique, lowercase names. HTTP clients omit empty headers, so a
  /// missing header is signed as an empty one, as in Amazon S3.
  ///
  /// - Returns: The names of the missing headers.
  mutating func keepSigned(
    _ names: Range<Int>, allowing rule: consuming SigV4.UnsignedHeaderRule
  ) throws(SigV4.VerificationError) -> [String] {
    var selection = SignedHeaderSelection(names, shape.headers, rule)
    var shape = shape
    var text = memory.bytes.mutableSpan
    try selection.run(&text)
    if let forgotten = selection.forgotten {
      throw .unsignedHeader(text.span.extracting(forgotten).array)
    }
    shape.removeHeaders()
    for index in selection.kept { shape.addHeader(text.field(index), &text) }
    self.shape = shape
    return addEmptyHeaders(selection.missing)
  }

  /// Adds empty lines for signed headers that are missing.
  private mutating func addEmptyHeaders(_ names: [Range<Int>]) -> [String] {
    if names.isEmpty { return [] }
    memory.reserve(names.reduce(end) { $0 + $1.count + 2 })
    var (shape, position) = (shape, end)
    var text = memory.bytes.mutableSpan
    for name in names {
      shape.addHeader(text.writeEmptyHeader(name, &position), &text)
    }
    shape.sort(&text)
    (self.shape, end) = (shape, position)
    return names.map { self[$0].textInUTF8 }
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

  init(_ names: Range<Int>, _ lines: Range<Int>, _ rule: consuming SigV4.UnsignedHeaderRule) {
    (self.names, self.lines) = (names, lines)
    self.rule = rule
    line = lines.lowerBound
    kept = lines.lowerBound..<lines.lowerBound
  }

  mutating func run(_ text: inout TextOutput) throws(SigV4.VerificationError) {
    var start = names.lowerBound
    var previous = start..<start
    while start <= names.upperBound {
      let end = text.span.extracting(0..<names.upperBound)
        .position(of: ASCIIByte.semicolon, from: start)
      let name = text.parameter(start..<end, nameEnd: end)
      if !keepLines(named: name, &text) {
        while line < lines.upperBound, text.span.precedes(text.field(line), name, of: text.span) {
          leaveUnsigned(text)
        }
        if !keepLines(named: name, &text) { try add(missing: name.range, after: previous, text) }
      }
      (previous, start) = (name.range, end + 1)
    }
    while line < lines.upperBound { leaveUnsigned(text) }
  }

  private mutating func leaveUnsigned(_ text: borrowing TextOutput) {
    let field = text.field(line)
    if forgotten == nil && !rule.permits(field, text.span) { forgotten = field.nameRange }
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
    if missing.count > SigV4.ReceivedMessage.maximumMissingHeaders {
      throw invalid(
        "SignedHeaders names more than \(SigV4.ReceivedMessage.maximumMissingHeaders) headers that "
          + "the request doesn't have, such as \(UTF8Text.quoted(bytes)).",
        fix: "Check for a proxy that removes headers.")
    }
  }

  private func invalid(_ problem: String, fix: String) -> SigV4.VerificationError {
    let code = SigV4.VerificationError.Code.invalidSignedHeaders
    return SigV4.VerificationError(
      code, problem, fix: fix,
      statement: rule.signatureLocation == .query ? (.malformedQuery, code.text) : nil)
  }
}
