// SPDX-License-Identifier: Apache-2.0
// Compares the canonical requests: line by line in order, and headers by name.

internal import RequestSigning

extension SigV4.Diagnosis {
  /// Compares the signed canonical request with the server's.
  struct CanonicalRequestComparison {
    let redaction: Redaction
    let ours: [ArraySlice<UInt8>]
    let theirs: [ArraySlice<UInt8>]
    let isURL: Bool
    let names: SignatureNames

    init(_ signed: Signed, _ theirs: [UInt8]) {
      redaction = signed.redaction
      names = signed.scope.names
      isURL = signed.expiration != nil
      ours = Self.lines(signed.canonicalRequest)
      self.theirs = Self.lines(theirs)
    }

    /// The first difference, or nil.
    func finding() -> Finding? {
      let same = zip(ours, theirs).prefix { $0 == $1 }.count
      if same == ours.count && same == theirs.count { return nil }
      return method() ?? path() ?? query() ?? headers() ?? signedHeaders() ?? payload()
        ?? other(same)
    }

    /// Splits a canonical request into lines (SigV4, step 1). It has six parts. Each header has its
    /// own line, and an empty line follows the headers.
    static func lines(_ canonicalRequest: [UInt8]) -> [ArraySlice<UInt8>] {
      canonicalRequest.split(separator: ASCIIByte.newline, omittingEmptySubsequences: false)
    }

    private func method() -> Finding? {
      lineFinding(0, 0) { ours, theirs in
        Cause.method(ours: redaction.name(ours), theirs: redaction.name(theirs))
      }
    }

    private func path() -> Finding? {
      lineFinding(1, 1) { ours, theirs in
        PathComparison(ours: Array(ours), theirs: Array(theirs), redaction: redaction).cause()
      }
    }

    private func query() -> Finding? {
      lineFinding(2, 2) { ours, theirs in
        QueryComparison(ours: ours, theirs: theirs, redaction: redaction).cause()
      }
    }

    private func headers() -> Finding? {
      // With fewer than six parts it's only part of a canonical request, or something else.
      if theirs.count < 6 { return nil }
      return HeaderComparison(
        ours: ours[3..<max(3, ours.count - 3)], theirs: theirs[3..<(theirs.count - 3)],
        redaction: redaction, names: names
      ).finding()
    }

    private func signedHeaders() -> Finding? {
      if theirs.count < 6 { return nil }
      return lineFinding(ours.count - 2, theirs.count - 2) { _, _ in Cause.signedHeaders }
    }

    private func payload() -> Finding? {
      if theirs.count < 6 { return nil }
      return lineFinding(ours.count - 1, theirs.count - 1) { ours, theirs in
        isURL && !declaresPayload && ours.spells(SigV4.Payload.unsignedText)
          ? .declaredHash : .payload(ours: ours, theirs: theirs)
      }
    }

    /// Whether the payload is in a signed header, too.
    private var declaresPayload: Bool {
      ours.contains { $0.starts(with: names.header(.contentSHA256).bytes + [ASCIIByte.colon]) }
    }

    private func other(_ line: Int) -> Finding {
      Finding(
        cause: .canonicalRequest,
        difference: redaction.difference(
          "canonical request", line: line, line < ours.count ? ours[line] : nil,
          line < theirs.count ? theirs[line] : nil))
    }

    /// The difference in a line that both sides have, or nil if it's the same.
    private func lineFinding(
      _ line: Int, _ theirLine: Int, _ cause: (ArraySlice<UInt8>, ArraySlice<UInt8>) -> Cause
    ) -> Finding? {
      guard ours.indices.contains(line), theirs.indices.contains(theirLine) else { return nil }
      let (ours, theirs) = (ours[line], theirs[theirLine])
      if ours == theirs { return nil }
      return Finding(
        cause: cause(ours, theirs),
        difference: redaction.difference("canonical request", line: line, ours, theirs))
    }
  }
}

extension SigV4.Diagnosis {
  /// Compares the signed header lines with the server's. Both are slices of the canonical requests,
  /// so their indices are line numbers. The signed lines are sorted, and each name occurs once.
  struct HeaderComparison {
    let ours: ArraySlice<ArraySlice<UInt8>>
    let theirs: ArraySlice<ArraySlice<UInt8>>
    let redaction: Redaction
    let names: SignatureNames

    /// The first difference, or nil.
    func finding() -> Finding? {
      var named: [ArraySlice<UInt8>: Int] = [:]
      for line in theirs.indices.reversed() { named[name(theirs[line])] = line }
      var added = Set(theirs.indices)
      for line in ours.indices {
        guard let other = named[name(ours[line])] else { return missing(line, nil) }
        added.remove(other)
        if ours[line] != theirs[other] { return changed(line, other) }
      }
      return added.min().map(self.added) ?? reordered()
    }

    private func missing(_ line: Int, _ other: Int?) -> Finding {
      let name = redaction.name(name(ours[line]))
      return Finding(cause: .headerMissing(name), difference: difference(line, ours: line, other))
    }

    private func added(_ line: Int) -> Finding {
      Finding(
        cause: .headerAdded(redaction.name(name(theirs[line]))),
        difference: difference(line, ours: nil, line))
    }

    private func changed(_ line: Int, _ other: Int) -> Finding {
      // For a header that didn't arrive, some servers write only its name.
      if value(theirs[other]).isEmpty { return missing(line, other) }
      let cause = Cause.headerChanged(
        redaction.name(name(ours[line])), ours: value(ours[line]), theirs: value(theirs[other]),
        names)
      return Finding(cause: cause, difference: difference(line, ours: line, other))
    }

    private func reordered() -> Finding? {
      let pair = zip(ours.indices, theirs.indices).first { ours[$0] != theirs[$1] }
      return pair.map { Finding(cause: .headers, difference: difference($0, ours: $0, $1)) }
    }

    private func difference(_ line: Int, ours ourLine: Int?, _ theirLine: Int?) -> Difference {
      redaction.difference(
        "canonical request", line: line, ourLine.map { ours[$0] }, theirLine.map { theirs[$0] })
    }

    private func name(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
      line.prefix { $0 != ASCIIByte.colon }
    }

    private func value(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
      line[name(line).endIndex...].dropFirst()
    }
  }
}

extension SigV4.Diagnosis.Cause {
  static func method(ours: String, theirs: String) -> Self {
    Self(
      .method, "The method \(ours) was signed, but \(theirs) arrived.",
      fix:
        "Sign the method that you send. A signature for GET doesn't work for HEAD, and clients "
        + "that follow a redirect may change POST into GET.")
  }

  static var signedHeaders: Self {
    Self(
      .signedHeaders, "The server received a different list of signed headers.",
      fix: unchangedAuthorizationFix)
  }

  private static var unchangedAuthorizationFix: String {
    "Send the Authorization header, or the URL, unchanged, and check for a proxy that re-signs "
      + "requests."
  }

  static func payload(ours: ArraySlice<UInt8>, theirs: ArraySlice<UInt8>) -> Self {
    func isUnsigned(_ line: ArraySlice<UInt8>) -> Bool {
      line.spells(SigV4.Payload.unsignedText)
    }
    func isNothing(_ line: ArraySlice<UInt8>) -> Bool {
      line.spells(SigV4.Payload.digestOfNothingText)
    }
    if isUnsigned(ours) { return unsignedPayload }
    if isUnsigned(theirs) {
      return Self(
        .payload, "The body was signed, but the server treats it as unsigned.",
        fix:
          "Send the header x-amz-content-sha256 as signed. For a presigned S3 URL, leave the body "
          + "unsigned.")
    }
    if isNothing(theirs) {
      return Self(
        .payload, "A body was signed, but none arrived.",
        fix:
          "Check for a client that drops the body when it follows a redirect, or that retries "
          + "with a stream it has already read.")
    }
    if isNothing(ours) {
      return Self(
        .payload, "No body was signed, but one arrived.",
        fix: "Pass the body to the request before signing, as .bytes, .text or .digest.")
    }
    return Self(
      .payload,
      "The received body differs from the signed one, or a different hash was declared.",
      fix: bodyFix)
  }

  /// S3 accepts UNSIGNED-PAYLOAD in URLs, unless a header declares something else.
  static var declaredHash: Self {
    Self(
      .payload,
      "The URL's body is unsigned, but the server used a hash, such as that of a header "
        + "x-amz-content-sha256.",
      fix: "Send the URL without that header.")
  }

  static var unsignedPayload: Self {
    Self(
      .unsignedPayload, "The body wasn't signed, and the server doesn't accept UNSIGNED-PAYLOAD.",
      fix: "Sign the body. Pass it as .bytes, or its hash as .digest.")
  }

  static var canonicalRequest: Self {
    Self(
      .canonicalRequest, "The canonical requests differ, but not in a recognized part.",
      fix: "Compare the two lines, and check whether the server shows only part of its request.")
  }
}

extension SigV4.Diagnosis.Cause {
  static func headerMissing(_ name: String) -> Self {
    Self(
      .headerMissing, subject: name,
      "The signed header \(name) is missing from the received request.",
      fix:
        "Send it with the signed value, and send all required headers with a presigned URL. If a "
        + "proxy removes it, configure the proxy to keep it, or leave it unsigned with "
        + "unsignedHeaders (not possible for host, content-type and x-amz-*).")
  }

  static func headerAdded(_ name: String) -> Self {
    Self(
      .headerAdded, subject: name, "The server treats the header \(name) as signed, but it isn't.",
      fix: unchangedAuthorizationFix)
  }

  static var headers: Self {
    Self(
      .headers, "The signed headers are in a different order.",
      fix:
        "Check which side doesn't sort by lowercase name, which is the canonical order, and "
        + "report the bug to the server's operator.")
  }

  static func headerChanged(
    _ name: String, ours: ArraySlice<UInt8>, theirs: ArraySlice<UInt8>, _ names: SignatureNames
  ) -> Self {
    let named = { (other: String) in ASCIIByte.equalIgnoringCase(name.utf8, other.utf8) }
    if named("host") { return host }
    if named(names.header(.date).string) { return date }
    if named(names.header(.contentSHA256).string) { return payload(ours: ours, theirs: theirs) }
    let fix =
      if named("accept-encoding") {
        "Leave it unsigned with unsignedHeaders. Proxies and content delivery networks rewrite it, "
          + "often to gzip."
      } else if named("content-type") {
        "Pass the exact value that will be sent. HTTP clients may set it themselves, or add a "
          + "charset or a boundary."
      } else {
        "Send the signed value. If a proxy rewrites it, configure the proxy to keep it, or leave "
          + "it unsigned with unsignedHeaders (not possible for x-amz-*)."
      }
    return Self(
      .headerChanged, subject: name, "The header \(name) arrived with a different value.", fix: fix)
  }

  private static var host: Self {
    Self(
      .host, subject: "host", "The server received a different host or port from the signed one.",
      fix:
        "Sign for the host that the server sees, including its port. With a reverse proxy, either "
        + "configure it to forward the Host header unchanged, or sign for the internal host.")
  }
}
