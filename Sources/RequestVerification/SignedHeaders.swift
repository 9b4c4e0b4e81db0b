// SPDX-License-Identifier: Apache-2.0
// Which headers of a received request are signed, and which of the others a policy allows.

internal import RequestSigning
internal import SigningSupport

extension SigV4 {
  /// Which headers may be there without being signed.
  struct UnsignedHeaderRule {
    let mechanism: Mechanism
    let tokenRule: Service.SessionTokenRule
    let contentTypes: Verifier.Policy.UnsignedContentTypes
    /// Those that the operator's own proxy adds.
    let names: [String]

    init(_ mechanism: Mechanism, _ service: borrowing Service, _ policy: borrowing Verifier.Policy)
    {
      self.mechanism = mechanism
      tokenRule = service.sessionTokenRule
      contentTypes = policy.unsignedContentTypes
      names = policy.unsignedHeaders
    }

    /// Whether a header may stay unsigned, by its name in lowercase.
    func permits(_ name: UnsafeRawBufferPointer) -> Bool {
      // Safety: the name is read only.
      if unsafe !name.starts(with: "x-amz-".utf8) {
        if unsafe Self.isSame(name, "content-type") {
          return contentTypes == .accepted || contentTypes == .acceptedInURLs && mechanism == .query
        }
        return unsafe !Self.isSame(name, "host")
      }
      let field = SignatureField.allCases.first {
        unsafe $0.isHeader && Self.isSame(name, $0.header)
      }
      if let field {
        // The value is the last line of what is signed: another one is another signature.
        if field == .contentSHA256 { return mechanism == .query }
        return field == tokenRule.field && !tokenRule.isSigned
      }
      let describesBody =
        unsafe Self.isSame(name, "x-amz-trailer")
        || Self.isSame(name, "x-amz-decoded-content-length")
      return !describesBody
        && names.contains { unsafe ASCIIByte.equalIgnoringCase(name, $0.utf8) }
    }

    private static func isSame(_ name: UnsafeRawBufferPointer, _ other: StaticString) -> Bool {
      // Safety: both are read only.
      unsafe BytewiseOrder.compare(name, other.bytesInUTF8) == 0
    }
  }
}

extension SigV4.ReceivedHeaders {
  /// Keeps the lines of the signed headers, which are named in one text: sorted, in lowercase, each once.
  ///
  /// HTTP clients drop empty headers, so a name without a header is an empty line, as Amazon S3 has it. Returns
  /// these names.
  mutating func keepSigned(
    _ text: ArraySlice<UInt8>, allowing rule: SigV4.UnsignedHeaderRule
  ) throws(SigV4.VerificationError) -> [String] {
    // The lines are sorted, so all names are lines only if they are sorted too.
    var kept = unsafe text.withUnsafeBytes { unsafe keepLines($0, rule) }
    var missing: [[UInt8]] = []
    if !kept.isComplete {
      missing = try missingNames(in: text)
      var all = fields
      for name in missing { all.append(name, []) }
      canonical = SigV4.CanonicalHeaders(all)
      kept = unsafe text.withUnsafeBytes { unsafe keepLines($0, rule) }
    }
    if let forgotten = kept.forgotten { throw .unsignedHeader(forgotten) }
    return missing.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Keeps the lines whose names follow each other in a text. Returns whether the text has no other names,
  /// and the first header that should be among them.
  private mutating func keepLines(
    _ text: UnsafeRawBufferPointer, _ rule: SigV4.UnsignedHeaderRule
  ) -> (isComplete: Bool, forgotten: [UInt8]?) {
    var next = 0
    var forgotten: [UInt8]?
    // Safety: names are read only.
    unsafe canonical.filter { name in
      let isNext = unsafe Self.isName(name, at: next, of: text)
      if isNext { next += name.count + 1 }
      if unsafe !isNext && forgotten == nil && !rule.permits(name) {
        forgotten = unsafe [UInt8](name)
      }
      return isNext
    }
    return (next == text.count + 1, forgotten)
  }

  /// Whether a name stands at a position of a text, up to a semicolon or the end.
  private static func isName(
    _ name: UnsafeRawBufferPointer, at start: Int, of text: UnsafeRawBufferPointer
  ) -> Bool {
    let end = start + name.count
    if end > text.count { return false }
    // Safety: the range is one of the text.
    let isSame = unsafe BytewiseOrder.compare(text.part(start..<end), name) == 0
    return unsafe isSame && (end == text.count || text[end] == ASCIIByte.semicolon)
  }

  /// The names in a text that no header has: a few, or something else than a client is at work.
  private func missingNames(
    in text: ArraySlice<UInt8>
  ) throws(SigV4.VerificationError) -> [[UInt8]] {
    let lines = SigV4.CanonicalHeaders(fields)
    var missing: [[UInt8]] = []
    var (line, start) = (0, text.startIndex)
    var previous = text[start..<start]
    while start <= text.endIndex {
      let end = text[start...].firstPosition(of: ASCIIByte.semicolon)
      let name = text[start..<end]
      try Self.checkOrder(of: name, after: previous)
      while line < lines.lines.count && precedes(lines.bytes[lines.lines[line].name], name) {
        line += 1
      }
      if line == lines.lines.count || lines.bytes[lines.lines[line].name] != name {
        missing.append(Array(name))
      }
      if missing.count > Self.maximumMissingNames {
        throw SigV4.VerificationError(
          .invalidSignedHeaders,
          "SignedHeaders names more than \(Self.maximumMissingNames) headers that the request doesn't "
            + "have, such as \(UTF8Text.quoted(name)). Check for a proxy that removes headers.")
      }
      (previous, start) = (name, end + 1)
    }
    return missing
  }

  private static var maximumMissingNames: Int { 16 }

  private func precedes(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
    // Safety: the names are read only.
    unsafe left.withUnsafeBytes { left in
      unsafe right.withUnsafeBytes { unsafe BytewiseOrder.precedes(left, $0) }
    }
  }

  /// Names are tokens in lowercase, and each comes after the one before it.
  private static func checkOrder(
    of name: ArraySlice<UInt8>, after previous: ArraySlice<UInt8>
  ) throws(SigV4.VerificationError) {
    let isLowercaseToken =
      !name.isEmpty
      && name.allSatisfy { ASCIIByte.isTokenCharacter($0) && ASCIIByte.lowercased($0) == $0 }
    // Nothing precedes an empty name.
    if isLowercaseToken && previous.lexicographicallyPrecedes(name) { return }
    throw SigV4.VerificationError(
      .invalidSignedHeaders,
      "the names of the signed headers are not lowercase, sorted and each there once: look at "
        + "\(UTF8Text.quoted(name)) after \(UTF8Text.quoted(previous))")
  }

  /// Whether one of the lines has a name, which may be in any case. They are sorted.
  func hasLine(named name: String) -> Bool {
    let name = name.utf8.map(ASCIIByte.lowercased)[...]
    var (start, end) = (0, canonical.lines.count)
    while start < end {
      let middle = (start + end) / 2
      if precedes(canonical.bytes[canonical.lines[middle].name], name) {
        start = middle + 1
      } else {
        end = middle
      }
    }
    return start < canonical.lines.count && canonical.bytes[canonical.lines[start].name] == name
  }
}
