// SPDX-License-Identifier: Apache-2.0
// The canonical requests compared: line by line in their order, headers by their names.

internal import RequestSigning
internal import SigningSupport

extension SigV4.Diagnosis {
  /// Our canonical request and the server's.
  struct CanonicalRequestComparison {
    let redaction: Redaction
    let ours: [ArraySlice<UInt8>]
    let theirs: [ArraySlice<UInt8>]

    init(_ signed: Signed, _ theirs: [UInt8]) {
      redaction = signed.redaction
      ours = Self.lines(signed.canonicalRequest)
      self.theirs = Self.lines(theirs)
    }

    /// What differs first; nil when nothing does.
    func finding() -> Finding? {
      let same = zip(ours, theirs).prefix { $0 == $1 }.count
      if same == ours.count && same == theirs.count { return nil }
      return method() ?? path() ?? query() ?? headers() ?? signedHeaders() ?? payload()
        ?? other(same)
    }

    /// SigV4, step 1: six parts, of which the headers have a line each and an empty one after them.
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
      // Fewer than six parts are a part of a canonical request, or something else.
      if theirs.count < 6 { return nil }
      return HeaderComparison(
        ours: ours[3..<max(3, ours.count - 3)], theirs: theirs[3..<(theirs.count - 3)],
        redaction: redaction
      ).finding()
    }

    private func signedHeaders() -> Finding? {
      if theirs.count < 6 { return nil }
      return lineFinding(ours.count - 2, theirs.count - 2) { _, _ in Cause.signedHeaders }
    }

    private func payload() -> Finding? {
      if theirs.count < 6 { return nil }
      return lineFinding(ours.count - 1, theirs.count - 1) { ours, theirs in
        Cause.payload(ours: ours, theirs: theirs)
      }
    }

    private func other(_ line: Int) -> Finding {
      Finding(
        cause: .canonicalRequest,
        difference: redaction.difference(
          "canonical request", line: line, line < ours.count ? ours[line] : nil,
          line < theirs.count ? theirs[line] : nil))
    }

    /// What is wrong with a line that both have, unless it is the same.
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
  /// The lines of our signed headers and of the server's: slices of the canonical requests, so that
  /// their positions are the numbers of the lines. Ours are sorted, each name there once.
  struct HeaderComparison {
    let ours: ArraySlice<ArraySlice<UInt8>>
    let theirs: ArraySlice<ArraySlice<UInt8>>
    let redaction: Redaction

    /// What differs first; nil when nothing does.
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
      // Of a header that did not arrive, some servers write the name alone.
      if value(theirs[other]).isEmpty { return missing(line, other) }
      let cause = Cause.headerChanged(
        redaction.name(name(ours[line])), ours: value(ours[line]), theirs: value(theirs[other]))
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
      .method, "the method \(ours) was signed and \(theirs) arrived",
      advice:
        "Sign the method that is sent: a signature for GET does not work for HEAD, and clients that "
        + "follow a redirect may change POST into GET")
  }

  static var signedHeaders: Self {
    Self(
      .signedHeaders, "the list of signed headers that arrived differs from ours",
      advice: "Send the Authorization header, or the URL, exactly as it was made, and look for "
        + "something on the way that signs again")
  }

  static func payload(ours: ArraySlice<UInt8>, theirs: ArraySlice<UInt8>) -> Self {
    func isUnsigned(_ line: ArraySlice<UInt8>) -> Bool {
      line.spells(SignedPayload.unsignedText)
    }
    func isNothing(_ line: ArraySlice<UInt8>) -> Bool {
      line.spells(SignedPayload.digestOfNothingText)
    }
    if isUnsigned(ours) { return unsignedPayload }
    if isUnsigned(theirs) {
      return Self(
        .payload, "the body was signed, and the server treats it as unsigned",
        advice: "Send the header x-amz-content-sha256 as it was signed; for a presigned URL of S3 "
          + "leave the body unsigned")
    }
    if isNothing(theirs) {
      return Self(
        .payload, "a body was signed, and none arrived",
        advice: "Look for a client that drops the body when it follows a redirect or tries again "
          + "with a stream that was read before")
    }
    if isNothing(ours) {
      return Self(
        .payload, "no body was signed, and one arrived",
        advice: "Give the body to the request that is signed: as .bytes, .text or .digest")
    }
    return Self(
      .payload,
      "the body that arrived is not the one that was signed, or another digest was declared",
      advice: "Sign the very bytes that are sent: after compression, after encoding as JSON, with "
        + "the line ends that they have on the wire")
  }

  static var unsignedPayload: Self {
    Self(
      .unsignedPayload, "the body was not signed, and the server does not accept UNSIGNED-PAYLOAD",
      advice: "Sign the body: give it as .bytes, or its digest as .digest")
  }

  static var canonicalRequest: Self {
    Self(
      .canonicalRequest, "the canonical requests differ, and it is not known in which part",
      advice: "Compare the two lines; the server may show a part of its text only")
  }
}

extension SigV4.Diagnosis.Cause {
  static func headerMissing(_ name: String) -> Self {
    Self(
      .headerMissing, subject: name, "the header \(name) was signed and did not arrive",
      advice:
        "Send it with the value that was signed, and with a presigned URL all its required headers. "
        + "When it is sent, a proxy removes it: let the proxy keep it, or leave it unsigned with "
        + "unsignedHeaders, which does not work for host, content-type and x-amz-*")
  }

  static func headerAdded(_ name: String) -> Self {
    Self(
      .headerAdded, subject: name, "the server counts the header \(name) as signed, and it is not",
      advice: "Send the Authorization header, or the URL, exactly as it was made, and look for "
        + "something on the way that signs again")
  }

  static var headers: Self {
    Self(
      .headers, "the same signed headers stand in another order",
      advice:
        "The canonical order is that of the lowercase names: one side sorts in another way, so "
        + "report it to the server")
  }

  static func headerChanged(
    _ name: String, ours: ArraySlice<UInt8>, theirs: ArraySlice<UInt8>
  ) -> Self {
    let named = { (other: String) in ASCIIByte.equalIgnoringCase(name.utf8, other.utf8) }
    if named("host") { return host }
    if named("x-amz-date") { return date }
    if named("x-amz-content-sha256") { return payload(ours: ours, theirs: theirs) }
    let advice =
      if named("accept-encoding") {
        "Proxies and content delivery networks rewrite it, often to gzip: leave it unsigned, with "
          + "unsignedHeaders"
      } else if named("content-type") {
        "HTTP clients set it themselves or add a charset or a boundary: give it to the request "
          + "exactly as it will be sent"
      } else {
        "Send the value that was signed; when it is sent so, a proxy rewrites it: let the proxy "
          + "keep it, or leave it unsigned with unsignedHeaders, which does not work for x-amz-*"
      }
    return Self(
      .headerChanged, subject: name, "the header \(name) arrived with another value",
      advice: advice)
  }

  private static var host: Self {
    Self(
      .host, subject: "host", "the server saw another host or port than the one that was signed",
      advice:
        "Sign for the host that the server sees, port included: behind a reverse proxy either "
        + "let it pass the Host header on unchanged, or sign for the internal host")
  }
}
