// SPDX-License-Identifier: Apache-2.0
// Room 1 compared: line by line in the order of a canonical request.

internal import DocumentSupport
internal import RequestSigning
internal import SigningSupport

extension SigV4.Mismatch {
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
      let same = Swift.zip(ours, theirs).prefix { $0.elementsEqual($1) }.count
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
      // Without six parts the server shows something else, or a part of it.
      if theirs.count < 6 { return nil }
      return HeaderComparison(
        ours: ours[3..<Swift.max(3, ours.count &- 3)], theirs: theirs[3..<(theirs.count &- 3)],
        redaction: redaction
      ).finding()
    }

    private func signedHeaders() -> Finding? {
      if theirs.count < 6 { return nil }
      return lineFinding(ours.count &- 2, theirs.count &- 2) { _, _ in Cause.signedHeaders }
    }

    private func payload() -> Finding? {
      if theirs.count < 6 { return nil }
      return lineFinding(ours.count &- 1, theirs.count &- 1) { ours, theirs in
        Cause.payload(ours: ours, theirs: theirs)
      }
    }

    private func other(_ line: Int) -> Finding {
      Finding(
        cause: .canonicalRequest,
        difference: redaction.difference(
          .canonicalRequest, line: line, line < ours.count ? ours[line] : nil,
          line < theirs.count ? theirs[line] : nil))
    }

    /// What is wrong with a line that both have, unless it is the same.
    private func lineFinding(
      _ line: Int, _ theirLine: Int, _ cause: (ArraySlice<UInt8>, ArraySlice<UInt8>) -> Cause
    ) -> Finding? {
      guard ours.indices.contains(line), theirs.indices.contains(theirLine) else { return nil }
      let (ours, theirs) = (ours[line], theirs[theirLine])
      if ours.elementsEqual(theirs) { return nil }
      return Finding(
        cause: cause(ours, theirs),
        difference: redaction.difference(.canonicalRequest, line: line, ours, theirs))
    }
  }
}

extension SigV4.Mismatch.Cause {
  static func method(ours: String, theirs: String) -> Self {
    Self(
      .method, "the method \(ours) was signed and \(theirs) arrived",
      advice:
        "Sign the method that is sent: a signature for GET is none for HEAD, and clients that "
        + "follow a redirect may change POST into GET")
  }

  static var signedHeaders: Self {
    Self(
      .signedHeaders, "the list of signed headers that arrived is another one than ours",
      advice: "Send the Authorization header, or the URL, exactly as it was made, and look for "
        + "something on the way that signs again")
  }

  static func payload(ours: ArraySlice<UInt8>, theirs: ArraySlice<UInt8>) -> Self {
    let (unsigned, nothing) = (SigV4.Payload.unsignedText, SigV4.Payload.digestOfNothing)
    if ours.elementsEqual(unsigned.description.utf8) {
      return Self(
        .unsignedPayload, "the body was not signed, and the server does not take UNSIGNED-PAYLOAD",
        advice: "Sign the body: give it as .bytes, or its digest as .digest")
    }
    if theirs.elementsEqual(unsigned.description.utf8) {
      return Self(
        .payload, "the body was signed, and the server takes it for unsigned",
        advice: "Send the header x-amz-content-sha256 as it was signed; for a presigned URL of S3 "
          + "leave the body unsigned")
    }
    if theirs.elementsEqual(nothing.description.utf8) {
      return Self(
        .payload, "a body was signed, and none arrived",
        advice: "Look for a client that drops the body when it follows a redirect or tries again "
          + "with a stream that was read before")
    }
    if ours.elementsEqual(nothing.description.utf8) {
      return Self(
        .payload, "no body was signed, and one arrived",
        advice: "Give the body to the request that is signed: as .bytes, .text or .digest")
    }
    return Self(
      .payload, "another body arrived than the one that was signed, or another digest was declared",
      advice: "Sign the very bytes that are sent: after compression, after encoding as JSON, with "
        + "the line ends that they have on the wire")
  }

  static var canonicalRequest: Self {
    Self(
      .canonicalRequest, "the canonical requests differ in a place that has no meaning of its own",
      advice: "Compare the two lines; the server may show a part of its text only")
  }
}
