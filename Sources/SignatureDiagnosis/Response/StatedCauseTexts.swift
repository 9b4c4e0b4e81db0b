// SPDX-License-Identifier: Apache-2.0
// The problems and fixes for what servers report: clocks and lifetimes, scope, credentials.

internal import RequestSigning

extension SigV4.Diagnosis.Cause {
  static func clock(_ server: SigV4.Timestamp, _ request: SigV4.Timestamp) -> Self {
    let offset = server.unixSeconds - request.unixSeconds
    let (ahead, distance) = offset < 0 ? ("ahead of", -offset) : ("behind", offset)
    // No service allows less than five minutes.
    if distance < 60 {
      return Self(
        .clock,
        "The server reports that the request time is too far from its clock, \(server.text), but "
          + "the time passed here, \(request.text), isn't.",
        fix:
          "Pass the signed time. If this is the signed time, check whether the request waited in a "
          + "queue after signing.")
    }
    return Self(
      .clock,
      "The signed time, \(request.text), is \(distance) seconds \(ahead) the server's clock, "
        + "\(server.text).",
      fix:
        "Correct this machine's clock, or add \(offset) seconds to the next timestamp. Also check "
        + "whether the request waited in a queue after signing.")
  }

  /// The clocks differ, but the server doesn't show its own.
  static var unknownClock: Self {
    Self(
      .clock,
      "This machine's clock differs from the server's by more than the server allows. The response "
        + "body doesn't show by how much.",
      fix:
        "Correct this machine's clock, or correct the next timestamp by the offset from the "
        + "response's Date header. Also check whether the request waited in a queue after signing.")
  }

  static func otherTime(ours: SigV4.Timestamp, theirs: SigV4.Timestamp) -> Self {
    Self(
      .date, "The time \(ours.text) was signed, but \(theirs.text) arrived.",
      fix:
        "Check that the response belongs to this request, not an earlier one. If it does, check "
        + "for a client or proxy that rewrites x-amz-date.")
  }

  static func otherLife(
    until end: SigV4.Timestamp, _ theirs: SigV4.Timestamp?, _ server: SigV4.Timestamp
  ) -> Self {
    Self(
      .queryParameterChanged, subject: "X-Amz-Expires",
      "The URL was signed to be valid until \(end.text), but the received URL expired"
        + (theirs.map { " at \($0.text)" } ?? "") + " (server time \(server.text)).",
      fix:
        "Check whether X-Amz-Date or X-Amz-Expires changed in transit, and that the response "
        + "belongs to this URL.")
  }

  static func expired(at expiration: SigV4.Timestamp?, _ server: SigV4.Timestamp?) -> Self {
    let clock = (server.map { " (server time \($0.text))" } ?? "") + "."
    return Self(
      .expired,
      expiration.map { "The presigned URL expired at \($0.text)" + clock }
        ?? "The server reports that the presigned URL has expired" + clock,
      fix:
        "Presign a new URL, with a longer lifetime if needed (up to seven days). If this one is "
        + "new, correct the clock of the machine that signed it, which is behind.")
  }

  /// EC2 also reports this for expired temporary credentials.
  static var requestExpired: Self {
    Self(
      .expired,
      "The server reports that the request has expired. It arrived too long after signing, or the "
        + "credentials that signed it have expired.",
      fix:
        "Sign right before sending, and compare this machine's clock with the response's Date "
        + "header. If the credentials are temporary, get new ones.")
  }
}

extension SigV4.Diagnosis.Cause {
  static func statedRegion(_ theirs: String?) -> Self {
    guard let theirs else {
      return Self(
        .region, "The server doesn't accept the signed region.",
        fix:
          "Sign for the endpoint's region. Global services such as IAM and CloudFront use "
          + "us-east-1.")
    }
    return region(theirs)
  }

  static func statedService(_ theirs: String?) -> Self {
    guard let theirs else {
      return Self(
        .service, "The server doesn't accept the signed service name.",
        fix:
          "Sign with the service's signing name, which often differs from the name in the host.")
    }
    return service(theirs)
  }

  static func credentialScope(_ scope: SigV4.CredentialScope) -> Self {
    Self(
      .credentialScope,
      "The server doesn't accept the date, region or service of the scope \(scope).",
      fix:
        "Check the region and service against what the server expects, and the date against the "
        + "first 8 digits of the received x-amz-date.")
  }

  static func endpoint(_ endpoint: String?, region: String?) -> Self {
    Self(
      .endpoint, subject: endpoint,
      "The bucket has a different endpoint" + (endpoint.map { ": \($0)" } ?? "")
        + (region.map { ", in region \($0)." } ?? "."),
      fix:
        "Sign for the bucket's own endpoint and region, and send the request there. Following the "
        + "redirect with the same signature fails.")
  }

  static func malformedAuthorization(_ message: String) -> Self {
    Self(
      .malformedAuthorization,
      "The server can't parse the received authorization"
        + (message.isEmpty ? "." : ": \(withoutPeriod(message))."),
      fix:
        "Send the Authorization header, or the URL, unchanged. Check for a space or newline in the "
        + "access key ID, and for a proxy that re-signs or re-encodes requests.")
  }

  /// Amazon API Gateway shows the received header, or its hash.
  static var notKeyValuePairs: Self {
    Self(
      .malformedAuthorization,
      "The server can't parse the received Authorization header: a part isn't a key=value pair "
        + "(missing equal-sign).",
      fix:
        "Send the Authorization header as signed, beginning with the algorithm. API Gateway also "
        + "returns this error for an unknown path or method.")
  }

  static func lifetimeRejected(_ parameter: String, _ message: String) -> Self {
    Self(
      .malformedAuthorization, subject: parameter,
      "The server doesn't accept the received lifetime: \(withoutPeriod(message)).",
      fix:
        "Presign a URL with a lifetime of 1 to 604,800 seconds (7 days). If this one was signed "
        + "with such a lifetime, send it unchanged: \(parameter) changed in transit.")
  }

  static var multipleSignatures: Self {
    Self(
      .multipleSignatures,
      "The request has two signatures: one in the URL and one in the Authorization header.",
      fix:
        "Send a presigned URL without an Authorization header. Clients that follow a redirect may "
        + "keep the header.")
  }

  /// The server rejects the request before it signs, without naming the header.
  static var signedHeaderLost: Self {
    Self(
      .headerMissing, "A signed header didn't arrive, or the list of signed headers changed.",
      fix:
        "Send all signed headers with their signed values, including the session token, and check "
        + "for a proxy that removes some.")
  }

  static var payloadNotDeclared: Self {
    Self(
      .payloadNotDeclared, subject: "x-amz-content-sha256",
      "The server requires the header x-amz-content-sha256, but it didn't arrive.",
      fix:
        "Sign with .s3 for S3 and compatible stores, or with the payloadRule .declared, and send "
        + "the header as signed.")
  }
}

extension SigV4.Diagnosis.Cause {
  static func dateMissing(isURL: Bool) -> Self {
    let field = SignatureField.date
    let name = (isURL ? field.parameter : field.header).description
    return Self(
      isURL ? .queryParameterMissing : .headerMissing, subject: name,
      "The signed date, \(name), didn't arrive, or the server can't read it.",
      fix:
        "Send all headers and parameters as signed, and check for a proxy that removes or rewrites "
        + "dates.")
  }

  static var virtualHostNeeded: Self {
    Self(
      .endpoint, "The server accepts requests only if the host includes the bucket name.",
      fix:
        "Sign for BUCKET.HOST, with the bucket name in front of the host, and remove it from the "
        + "path."
    )
  }

  static func unsupportedSignature(hasToken: Bool) -> Self {
    let choice =
      "Use SigV4a for Multi-Region Access Points and global endpoints, and SigV4 for everything "
      + "else."
    return Self(
      hasToken ? .sessionToken : .algorithm,
      "The server doesn't support the version of the signature"
        + (hasToken ? ", or of the session token." : "."),
      fix: (hasToken
        ? "Get temporary credentials from a regional STS endpoint, since tokens from the global "
          + "endpoint don't work with SigV4a. If the token is already regional, check the "
          + "algorithm. "
        : "") + choice)
  }

  static var chunksNotSupported: Self {
    Self(
      .chunksNotSupported,
      "The server doesn't support chunked uploads (aws-chunked), or not with this "
        + "x-amz-content-sha256.",
      fix:
        "Sign the whole body, leave it unsigned over TLS, or upload it in parts. Send a checksum "
        + "as a header, not as a trailer.")
  }

  static func headerNotSupported(_ name: String?) -> Self {
    Self(
      .headerNotSupported, subject: name,
      "The server doesn't support "
        + (name.map { "the header \($0), or its value." } ?? "a header of the request."),
      fix:
        "Remove the header and sign again. It's usually a checksum header or, at S3, "
        + "Transfer-Encoding: send the length instead.")
  }

  static var otherDeclaration: Self {
    Self(
      .payloadNotDeclared, subject: "x-amz-content-sha256",
      "The server can't use the received value of x-amz-content-sha256.",
      fix:
        "Send x-amz-content-sha256 as signed: UNSIGNED-PAYLOAD, or the body's SHA-256 as 64 "
        + "lowercase hexadecimal digits.")
  }

  static var checksumMissing: Self {
    Self(
      .checksumMissing, subject: "Content-MD5",
      "The request needs a checksum of its body, but none arrived.",
      fix:
        "Add Content-MD5, or an x-amz-checksum-* header at S3, to the request before you sign it.")
  }
}

extension SigV4.Diagnosis.Cause {
  static var notSigned: Self {
    Self(
      .notSigned, "The server found no signature in the request.",
      fix:
        "Send the signed headers, including Authorization, and check for a proxy or redirect that "
        + "drops it. API Gateway also returns this error for an unknown path or method.")
  }

  static var credentialsExpired: Self {
    Self(
      .credentialsExpired, "The temporary credentials that signed the request have expired.",
      fix:
        "Get new ones and sign again. A presigned URL expires with the credentials that signed it, "
        + "whatever its lifetime.")
  }

  static func sessionToken(isMultiRegion: Bool) -> Self {
    Self(
      .sessionToken, "The received session token doesn't belong to these credentials.",
      fix:
        "Use the access key ID, secret access key and session token from one set of credentials. "
        + "Check for a token that's truncated, encoded twice, or from another account or partition."
        + (isMultiRegion ? tokensOfGlobalEndpoint : ""))
  }

  /// S3, User Guide, "Using a Multi-Region Access Point with supported API operations".
  private static var tokensOfGlobalEndpoint: String {
    " SigV4a rejects session tokens from the global STS endpoint, sts.amazonaws.com. Get them from "
      + "a regional endpoint, such as sts.us-east-1.amazonaws.com."
  }

  static func sessionTokenNotGiven(_ accessKeyID: String) -> Self {
    Self(
      .sessionToken,
      "The access key ID \(accessKeyID) belongs to temporary credentials, but they were passed "
        + "without their session token.",
      fix:
        "Pass the session token that came with the keys (AWS_SESSION_TOKEN in the environment), "
        + "and sign again.")
  }

  static func credentialsUnknown(
    _ accessKeyID: String, hasToken: Bool, isMultiRegion: Bool
  ) -> Self {
    Self(
      .credentialsUnknown,
      "The server doesn't recognize access key ID \(accessKeyID)"
        + (hasToken ? ", or its session token didn't arrive." : "."),
      fix:
        "Check for a key that was deleted, or that belongs to another store, account or partition."
        + (hasToken
          ? " Send the session token as signed." + (isMultiRegion ? tokensOfGlobalEndpoint : "")
          : " Temporary credentials also need their session token."))
  }
}
