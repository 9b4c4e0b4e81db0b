// SPDX-License-Identifier: Apache-2.0
// Room 2 compared: algorithm, time, scope, digest.

internal import DocumentSupport
internal import RequestSigning
internal import SigningSupport

extension SigV4.Mismatch {
  /// Our string to sign and the server's.
  struct StringToSignComparison {
    let redaction: Redaction
    let ours: [ArraySlice<UInt8>]
    let theirs: [ArraySlice<UInt8>]
    let isCanonicalRequestShown: Bool

    init(_ signed: Signed, _ theirs: [UInt8], isCanonicalRequestShown: Bool) {
      redaction = signed.redaction
      ours = CanonicalRequestComparison.lines(signed.stringToSign)
      self.theirs = Self.withDigest(of: ours, CanonicalRequestComparison.lines(theirs))
      self.isCanonicalRequestShown = isCanonicalRequestShown
    }

    /// What differs first; nil when nothing does.
    func finding() -> Finding? {
      let same = Swift.zip(ours, theirs).prefix { $0.elementsEqual($1) }.count
      if same == ours.count && same == theirs.count { return nil }
      // The scope says more than the digest, and than the time when its day is another one too.
      let line = same == 0 || isScopeOtherwiseEqual ? same : 2
      return Finding(
        cause: cause(line),
        difference: redaction.difference(
          .stringToSign, line: line, line < ours.count ? ours[line] : nil,
          line < theirs.count ? theirs[line] : nil))
    }

    /// A digest that is none, as in answers that people made unreadable, tells nothing: ours instead.
    private static func withDigest(
      of ours: [ArraySlice<UInt8>], _ theirs: [ArraySlice<UInt8>]
    ) -> [ArraySlice<UInt8>] {
      guard let digest = theirs.last, let ourDigest = ours.last, theirs.count == 4,
        !digest.allSatisfy({ ASCIIByte.hexadecimalValue($0) != nil })
      else { return theirs }
      return theirs.dropLast() + [ourDigest]
    }

    private var isScopeOtherwiseEqual: Bool {
      guard ours.count == 4, theirs.count == 4 else { return true }
      return Self.scopeParts(ours[2]).dropFirst().elementsEqual(
        Self.scopeParts(theirs[2]).dropFirst()
      ) { $0.elementsEqual($1) }
    }

    private static func scopeParts(_ scope: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
      scope.split(separator: ASCIIByte.slash, omittingEmptySubsequences: false)
    }

    /// SigV4, step 3: four lines.
    private func cause(_ line: Int) -> Cause {
      guard ours.count == 4, theirs.count == 4 else { return .stringToSign }
      switch line {
      case 0: return .algorithm
      case 1: return .date
      case 2: return scopeCause()
      default: return isCanonicalRequestShown ? .stringToSign : .canonicalRequestNotShown
      }
    }

    private func scopeCause() -> Cause {
      let (ours, theirs) = (Self.scopeParts(ours[2]), Self.scopeParts(theirs[2]))
      guard ours.count == 4, theirs.count == 4 else { return .stringToSign }
      if !ours[1].elementsEqual(theirs[1]) { return .region(redaction.name(theirs[1])) }
      if !ours[2].elementsEqual(theirs[2]) { return .service(redaction.name(theirs[2])) }
      return ours[0].elementsEqual(theirs[0]) ? .stringToSign : .date
    }
  }
}

extension SigV4.Mismatch.Cause {
  static var algorithm: Self {
    Self(
      .algorithm, "the server signs with another algorithm",
      advice: "Look at what the service asks for: multi-region endpoints want SigV4a, all others "
        + "AWS4-HMAC-SHA256")
  }

  static var date: Self {
    Self(
      .date, "the server counts with another time or day than the one that was signed",
      advice: "Compare with the answer to this very request and not to an earlier one; send "
        + "x-amz-date as it was signed, and the day of the scope has to be its first 8 digits")
  }

  static func region(_ theirs: String) -> Self {
    Self(
      .region, subject: theirs, "the server signs for the region \(theirs)",
      advice: "Sign for the region of the endpoint: that of the bucket for S3, auto for Cloudflare "
        + "R2")
  }

  static func service(_ theirs: String) -> Self {
    Self(
      .service, subject: theirs, "the server signs for the service \(theirs)",
      advice: "Sign with this signing name: it often is another one than that in the host")
  }

  static var stringToSign: Self {
    Self(
      .stringToSign,
      "the strings to sign differ though the canonical requests that are shown do not",
      advice: "The server hashed other bytes than it shows: look for characters outside of ASCII, "
        + "and for whitespace that its answer does not keep")
  }

  static var canonicalRequestNotShown: Self {
    Self(
      .canonicalRequest, "the canonical requests differ, and the server does not show its own",
      advice:
        "Ask it for more detail, or compare method, path, query and signed headers in its log "
        + "with the canonical request that was signed")
  }
}
