// SPDX-License-Identifier: Apache-2.0
// The strings to sign compared: algorithm, time, scope, digest; and causes that no comparison finds.

internal import RequestSigning
internal import SigningSupport

extension SigV4.Diagnosis {
  /// Our string to sign and the server's.
  struct StringToSignComparison {
    let redaction: Redaction
    let scope: SigV4.CredentialScope
    let ours: [ArraySlice<UInt8>]
    let theirs: [ArraySlice<UInt8>]
    let isCanonicalRequestShown: Bool

    init(_ signed: Signed, _ theirs: [UInt8], isCanonicalRequestShown: Bool) {
      redaction = signed.redaction
      scope = signed.scope
      ours = CanonicalRequestComparison.lines(signed.stringToSign)
      self.theirs = Self.withDigest(of: ours, CanonicalRequestComparison.lines(theirs))
      self.isCanonicalRequestShown = isCanonicalRequestShown
    }

    /// What differs first; nil when nothing does.
    func finding() -> Finding? {
      let same = zip(ours, theirs).prefix { $0 == $1 }.count
      if same == ours.count && same == theirs.count { return nil }
      // The scope says more than the digest, and more than the time.
      let scopeCause = same == 0 ? nil : scopeCause
      let line = scopeCause == nil ? same : 2
      return Finding(
        cause: scopeCause ?? cause(line),
        difference: redaction.difference(
          "string to sign", line: line, line < ours.count ? ours[line] : nil,
          line < theirs.count ? theirs[line] : nil))
    }

    /// In answers that people made unreadable the digest is something else, which tells nothing: ours
    /// instead.
    private static func withDigest(
      of ours: [ArraySlice<UInt8>], _ theirs: [ArraySlice<UInt8>]
    ) -> [ArraySlice<UInt8>] {
      guard let digest = theirs.last, let ourDigest = ours.last, theirs.count == 4,
        !digest.allSatisfy({ ASCIIByte.hexadecimalValue($0) != nil })
      else { return theirs }
      return theirs.dropLast() + [ourDigest]
    }

    /// SigV4, step 3: four lines.
    private func cause(_ line: Int) -> Cause {
      if theirs.count != 4 { return .stringToSign }
      switch line {
      case 0: return .algorithm(theirs[0], signed: ours[0])
      case 1, 2: return .date
      default: return isCanonicalRequestShown ? .stringToSign : .canonicalRequestNotShown
      }
    }

    /// What differs in the scope, but for its day.
    private var scopeCause: Cause? {
      if theirs.count != 4 { return nil }
      let parts = theirs[2].split(separator: ASCIIByte.slash, omittingEmptySubsequences: false)
      let ours = scope.parts
      if parts.count != ours.count { return .stringToSign }
      let service = parts[ours.count - 2]
      // Without a region there are three parts.
      if ours.count == 4 && !parts[1].elementsEqual(scope.region.utf8) {
        return .region(redaction.name(parts[1]))
      }
      if !service.elementsEqual(scope.service.utf8) { return .service(redaction.name(service)) }
      return parts.last?.spells("aws4_request") == true ? nil : .stringToSign
    }
  }
}

extension SigV4.Diagnosis.Cause {
  /// The server names an algorithm, or none.
  static func algorithm(_ theirs: ArraySlice<UInt8>, signed ours: ArraySlice<UInt8>) -> Self {
    if theirs.spells(SigV4.SignatureAlgorithm.hmacSHA256Name) && ours != theirs {
      return Self(
        .algorithm, "the server wants Signature Version 4, AWS4-HMAC-SHA256",
        advice:
          "Sign for its region, without a set of regions: only multi-region access points and "
          + "global endpoints take Signature Version 4a, each at a host of its own")
    }
    if theirs.spells(SigV4.SignatureAlgorithm.ecdsaP256SHA256Name) && ours != theirs {
      return Self(
        .algorithm, "the server wants Signature Version 4a, AWS4-ECDSA-P256-SHA256",
        advice: "Sign for a region set, such as *: Signer(credentials:regionSet:service:)")
    }
    return Self(
      .algorithm, "the server signs with another algorithm",
      advice: "Look at what the service asks for: multi-region endpoints want SigV4a, all others "
        + "AWS4-HMAC-SHA256")
  }

  static var date: Self {
    Self(
      .date, "the server uses a time or day other than the one that was signed",
      advice: "Make sure that the answer belongs to this request and not to an earlier one; send "
        + "x-amz-date as it was signed, and the day of the scope has to be its first 8 digits")
  }

  static func region(_ theirs: String) -> Self {
    Self(
      .region, subject: theirs, "the server signs for the region \(theirs)",
      advice: "Sign for the region of the endpoint: that of the bucket for S3, auto for Cloudflare "
        + "R2")
  }

  /// Signature Version 4a, for a set of regions.
  static func regionOutsideSet(_ theirs: String?) -> Self {
    Self(
      .region, subject: theirs,
      "the server's region" + (theirs.map { " " + $0 } ?? "")
        + " is not in the set of regions that was signed",
      advice: "Sign for a set that has the region of the server, such as *")
  }

  static func service(_ theirs: String) -> Self {
    Self(
      .service, subject: theirs, "the server signs for the service \(theirs)",
      advice: "Sign with this signing name, which often differs from the one in the host")
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

  static func accessKeyID(ours: String, theirs: String) -> Self {
    Self(
      .accessKeyID, "the server looked up \(theirs), but \(ours) signed the request",
      advice: "Look for something on the way that signs again, or for an answer to another request")
  }

  static var otherSecretAccessKey: Self {
    Self(
      .secretAccessKey,
      "both sides sign the same text, but the signature that arrived is not the one that the secret "
        + "access key given here makes",
      advice:
        "Look at which credentials the sender has: the request was signed with a secret other "
        + "than the one here, or its signature was changed on the way")
  }

  static func secretAccessKey(_ accessKeyID: String) -> Self {
    Self(
      .secretAccessKey,
      "both sides sign the same text, so the secret access key is not the one that the server has "
        + "for \(accessKeyID)",
      advice:
        "Copy key ID and secret again, as a pair: look for a cut character, a line end, a '/' "
        + "or '+' that was encoded, and for a secret of another account or of an earlier rotation. "
        + "Temporary credentials need the session token that came with them, and some servers say the "
        + "same of a key ID that they do not know")
  }

  static func unsignedHeaders(_ names: String?) -> Self {
    Self(
      .unsignedHeaders, subject: names,
      "headers arrived that have to be signed and are not" + (names.map { ": " + $0 } ?? ""),
      advice: "Give every x-amz-* header to the request before it is signed, and look for a client "
        + "or proxy that adds some; with a presigned URL only those that it requires may be sent")
  }

  static var hostNotSigned: Self {
    Self(
      .hostNotSigned, subject: "host", "the list of signed headers that arrived lacks host",
      advice: "Send the Authorization header exactly as it was made: host is always signed here. "
        + "Over HTTP/2 ':authority' has to be that host")
  }

  static func unknownCause(
    errorCode: String?, status: Int?, message: String, isAboutSignature: Bool
  ) -> Self {
    // The sentence ends here in any case.
    let message = withoutPeriod(message)
    let said =
      switch (errorCode, message.isEmpty) {
      case (let code?, false): "it says \(code): \(message)"
      case (let code?, true): "it says \(code)"
      case (nil, false): "it says \(message)"
      case (nil, true):
        status.map { "its status is \($0)" } ?? "it says nothing that can be read"
      }
    return Self(
      .unknownCause, "the server does not show what it signed; " + said,
      advice: isAboutSignature
        ? "Check the secret access key, the region and the service first"
        : "The response doesn't say that the signature is wrong. Check the permissions of the credentials, "
          + "and whether the bucket, object or resource exists")
  }
}
