// SPDX-License-Identifier: Apache-2.0
// Compares the strings to sign: algorithm, time, scope and hash. Also has causes that no comparison
// finds.

internal import RequestSigning

extension SigV4.Diagnosis {
  /// Compares the signed string to sign with the server's.
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

    /// The first difference, or nil.
    func finding() -> Finding? {
      let same = zip(ours, theirs).prefix { $0 == $1 }.count
      if same == ours.count && same == theirs.count { return nil }
      // A difference in the scope is more useful than one in the hash or the time.
      let scopeCause = same == 0 ? nil : scopeCause
      let line = scopeCause == nil ? same : 2
      return Finding(
        cause: scopeCause ?? cause(line),
        difference: redaction.difference(
          "string to sign", line: line, line < ours.count ? ours[line] : nil,
          line < theirs.count ? theirs[line] : nil))
    }

    /// Replaces a redacted hash, which isn't hexadecimal, with the signed one, so that it isn't
    /// reported.
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

    /// The difference in the scope, except in its date.
    private var scopeCause: Cause? {
      if theirs.count != 4 { return nil }
      let parts = theirs[2].split(separator: ASCIIByte.slash, omittingEmptySubsequences: false)
      let ours = scope.parts
      if parts.count != ours.count { return .stringToSign }
      let service = parts[ours.count - 2]
      // A scope without a region has three parts.
      if ours.count == 4 && !parts[1].elementsEqual(scope.region.utf8) {
        return .region(redaction.name(parts[1]))
      }
      if !service.elementsEqual(scope.service.utf8) { return .service(redaction.name(service)) }
      return parts.last?.spells(scope.names.scopeEnd) == true ? nil : .stringToSign
    }
  }
}

extension SigV4.Diagnosis.Cause {
  /// The server may name no algorithm.
  static func algorithm(_ theirs: ArraySlice<UInt8>, signed ours: ArraySlice<UInt8>) -> Self {
    if theirs.spells(SignatureNames.aws.algorithm) && ours != theirs {
      return Self(
        .algorithm, "The server requires SigV4 (AWS4-HMAC-SHA256).",
        fix:
          "Sign for its region instead of a region set. Only Multi-Region Access Points and global "
          + "endpoints accept SigV4a, each at a separate host.")
    }
    if theirs.spells(SigV4.SignatureAlgorithm.ecdsaP256SHA256.name) && ours != theirs {
      return Self(
        .algorithm, "The server requires SigV4a (AWS4-ECDSA-P256-SHA256).",
        fix: "Sign for a region set, such as *. Use Signer(credentials:regionSet:service:).")
    }
    return Self(
      .algorithm, "The server uses a different algorithm.",
      fix:
        "Check which algorithm the service requires. Multi-region endpoints require SigV4a, and "
        + "all others require AWS4-HMAC-SHA256.")
  }

  static var date: Self {
    Self(
      .date, "The server uses a different time or date from the signed one.",
      fix:
        "Check that the response belongs to this request, not an earlier one. Send x-amz-date as "
        + "signed. Its first 8 digits must be the scope's date.")
  }

  static func region(_ theirs: String) -> Self {
    Self(
      .region, subject: theirs, "The server signs for the region \(theirs).",
      fix: "Sign for the endpoint's region: the bucket's region for S3, auto for Cloudflare R2.")
  }

  static func regionOutsideSet(_ theirs: String?) -> Self {
    Self(
      .region, subject: theirs,
      "The server's region" + (theirs.map { " \($0)" } ?? "") + " isn't in the signed region set.",
      fix: "Sign for a region set that includes the server's region, such as *.")
  }

  static func service(_ theirs: String) -> Self {
    Self(
      .service, subject: theirs, "The server signs for the service \(theirs).",
      fix: "Sign with this signing name, which often differs from the name in the host.")
  }

  static var stringToSign: Self {
    Self(
      .stringToSign,
      "The strings to sign differ in a way that the response doesn't explain.",
      fix:
        "Check for non-ASCII characters, and for whitespace that the response doesn't preserve. "
        + "The server may have hashed different bytes from the ones it shows.")
  }

  static var canonicalRequestNotShown: Self {
    Self(
      .canonicalRequest, "The canonical requests differ, but the server doesn't show its own.",
      fix:
        "Get more detail from the server, or compare the method, path, query and signed headers in "
        + "its log with the signed canonical request.")
  }

  static func accessKeyID(ours: String, theirs: String) -> Self {
    Self(
      .accessKeyID, "The server looked up \(theirs), but \(ours) signed the request.",
      fix:
        "Check for a proxy that re-signs requests, and that the response belongs to this request.")
  }

  static var otherSecretAccessKey: Self {
    Self(
      .secretAccessKey,
      "The requests match, but the received signature wasn't created with this secret access key.",
      fix:
        "Check which credentials the sender has. The request was signed with a different secret "
        + "access key, or its signature changed in transit.")
  }

  static func secretAccessKey(_ accessKeyID: String) -> Self {
    Self(
      .secretAccessKey,
      "The requests match, so the secret access key is wrong for \(accessKeyID).",
      fix:
        "Copy the access key ID and secret access key again, as a pair. Check for a missing "
        + "character, a newline, an encoded '/' or '+', and a secret from another account or an "
        + "earlier rotation. Temporary credentials also need their session token. Some servers "
        + "return the same error for an unknown access key ID.")
  }

  static func unsignedHeaders(_ names: String?) -> Self {
    Self(
      .unsignedHeaders, subject: names,
      "Headers arrived unsigned that must be signed" + (names.map { ": \($0)." } ?? "."),
      fix:
        "Pass every x-amz-* header to the request before signing, and check for a client or proxy "
        + "that adds some. With a presigned URL, send all the x-amz-* headers it requires, and no "
        + "others: MinIO also reports a missing one this way.")
  }

  static var hostNotSigned: Self {
    Self(
      .hostNotSigned, subject: "host", "The received list of signed headers doesn't include host.",
      fix:
        "Send the Authorization header unchanged, since this library always signs host. Over "
        + "HTTP/2, ':authority' must be that host.")
  }
}
