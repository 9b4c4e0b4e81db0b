// SPDX-License-Identifier: Apache-2.0
// The words for what servers state: clocks and lifetimes, scope, credentials, bodies.

internal import RequestSigning
internal import SigningSupport

extension SigV4.Diagnosis.Cause {
  static func clock(_ server: SigV4.Timestamp, _ request: SigV4.Timestamp) -> Self {
    let offset = server.unixSeconds - request.unixSeconds
    let (ahead, distance) = offset < 0 ? ("ahead of", -offset) : ("behind", offset)
    // No service allows less than five minutes.
    if distance < 60 {
      return Self(
        .clock,
        "the server says that the time of the request is too far from its clock, \(server.text), but the "
          + "time given here, \(request.text), is not",
        advice:
          "Give the time that was signed; when it is this one, look for a request that waited in a queue "
          + "after it was signed")
    }
    return Self(
      .clock,
      "the time that was signed, \(request.text), is \(distance) seconds \(ahead) the server's "
        + "clock, \(server.text)",
      advice:
        "Set the clock of this machine, or correct the next timestamp by \(offset); look also "
        + "for a request that waited in a queue after it was signed")
  }

  /// A clock that is off, and a server that does not show its own.
  static var unknownClock: Self {
    Self(
      .clock,
      "the clock of this machine differs from the server's by more than the server accepts, and the "
        + "body of its answer does not say by how much",
      advice:
        "Set the clock of this machine, or correct the next timestamp by the offset that the Date "
        + "header of the answer gives; look also for a request that waited in a queue after it was "
        + "signed")
  }

  static func otherTime(ours: SigV4.Timestamp, theirs: SigV4.Timestamp) -> Self {
    Self(
      .date, "the time \(ours.text) was signed, and \(theirs.text) arrived",
      advice:
        "Make sure that the answer belongs to this request and not to an earlier one; if it does, "
        + "look for a client or a proxy that rewrites x-amz-date")
  }

  static func otherLife(
    until end: SigV4.Timestamp, _ theirs: SigV4.Timestamp?, _ server: SigV4.Timestamp
  ) -> Self {
    Self(
      .queryParameterChanged, subject: "X-Amz-Expires",
      "the URL was signed to be valid until \(end.text), and the URL that arrived had ended"
        + (theirs.map { " at \($0.text)" } ?? "") + " by the server's clock, \(server.text)",
      advice:
        "Look for what changes X-Amz-Date or X-Amz-Expires of the URL on its way, and make sure "
        + "that the answer belongs to this URL")
  }

  static func expired(at expiration: SigV4.Timestamp?, _ server: SigV4.Timestamp?) -> Self {
    let clock = server.map { ", and the server's clock says " + $0.text } ?? ""
    return Self(
      .expired,
      expiration.map { "the presigned URL was valid until \($0.text)" + clock }
        ?? "the server says that the presigned URL has expired" + clock,
      advice:
        "Presign a new one, with a longer lifetime if needed (seven days at most); when this one "
        + "was made just now, the clock of the machine that made it is behind")
  }

  /// For EC2 this also comes from temporary credentials that have ended.
  static var requestExpired: Self {
    Self(
      .expired,
      "the server says that the request has expired: it arrived too long after it was signed, or the "
        + "credentials that signed it have expired",
      advice:
        "Sign right before sending, compare the clock of this machine with the Date header of "
        + "the answer, and fetch new credentials when they are temporary")
  }
}

extension SigV4.Diagnosis.Cause {
  static func statedRegion(_ theirs: String?) -> Self {
    guard let theirs else {
      return Self(
        .region, "the server does not accept the region that was signed",
        advice: "Sign for the region of the endpoint; global services such as IAM and CloudFront "
          + "sign for us-east-1")
    }
    return region(theirs)
  }

  static func statedService(_ theirs: String?) -> Self {
    guard let theirs else {
      return Self(
        .service, "the server does not accept the service that was signed",
        advice:
          "Sign with the signing name of the service, which often differs from the one in the "
          + "host")
    }
    return service(theirs)
  }

  static func credentialScope(_ scope: SigV4.CredentialScope) -> Self {
    Self(
      .credentialScope,
      "the server does not accept the day, region or service of the scope \(scope)",
      advice: "Compare region and service with those that the server expects, and the day with the "
        + "first 8 digits of x-amz-date as it arrived")
  }

  static func endpoint(_ endpoint: String?, region: String?) -> Self {
    Self(
      .endpoint, subject: endpoint,
      "the bucket has another endpoint than the one that was asked"
        + (endpoint.map { ": " + $0 } ?? "") + (region.map { ", in the region " + $0 } ?? ""),
      advice: "Sign for that host and the region of the bucket, and send there; following the "
        + "redirect with the same signature fails")
  }

  static func malformedAuthorization(_ message: String) -> Self {
    Self(
      .malformedAuthorization,
      "the server cannot read the authorization that arrived"
        + (message.isEmpty ? "" : ": " + SigV4.Diagnosis.Cause.withoutPeriod(message)),
      advice:
        "Send the Authorization header, or the URL, exactly as it was made: look for a key ID "
        + "with a space or a line end, and for something on the way that signs or encodes again")
  }

  static var multipleSignatures: Self {
    Self(
      .multipleSignatures,
      "two signatures arrived: one in the URL, and one in the Authorization header",
      advice:
        "Send a presigned URL without an Authorization header; clients that follow a redirect "
        + "may carry it along")
  }

  /// A server that refuses before it signs, and does not say which header it is.
  static var signedHeaderLost: Self {
    Self(
      .headerMissing, "a header that was signed did not arrive, or the list of them was changed",
      advice:
        "Send all headers that were signed, the session token among them, with the values that "
        + "were signed, and look for a proxy that removes some")
  }

  static var payloadNotDeclared: Self {
    Self(
      .payloadNotDeclared, subject: "x-amz-content-sha256",
      "the server wants the header x-amz-content-sha256, and it did not arrive",
      advice:
        "Sign with .s3 for S3 and compatible stores, or with the payloadRule .declared, and send the "
        + "header as it was signed")
  }
}

extension SigV4.Diagnosis.Cause {
  static func dateMissing(isURL: Bool) -> Self {
    let field = SignatureField.date
    let name = (isURL ? field.parameter : field.header).description
    return Self(
      isURL ? .queryParameterMissing : .headerMissing, subject: name,
      "the date, \(name), was signed and did not arrive, or the server can't read it",
      advice:
        "Send all headers and parameters as they were signed, and check for a proxy that removes or "
        + "rewrites dates")
  }

  static var virtualHostNeeded: Self {
    Self(
      .endpoint, "the server accepts requests only if the host names the bucket",
      advice:
        "Sign for BUCKET.HOST, the bucket's name in front of the host, and remove it from the path")
  }

  static func unsupportedSignature(hasToken: Bool) -> Self {
    Self(
      hasToken ? .sessionToken : .algorithm,
      "the server doesn't support the version of the signature"
        + (hasToken ? ", or of the session token" : ""),
      advice: (hasToken
        ? "Get temporary credentials from a regional endpoint of STS: tokens of the global endpoint don't "
          + "work with Signature Version 4a. If the credentials have such a token, "
        : "If not sure, ")
        + "use Signature Version 4a for Multi-Region Access Points and global endpoints, and Signature "
        + "Version 4 for everything else")
  }

  static var chunksNotSupported: Self {
    Self(
      .chunksNotSupported,
      "the server doesn't support chunked uploads (aws-chunked), or not with this x-amz-content-sha256",
      advice:
        "Sign the body as a whole, leave it unsigned over TLS, or upload it in parts. Send a checksum "
        + "as a header, not as a trailer")
  }

  static func headerNotSupported(_ name: String?) -> Self {
    Self(
      .headerNotSupported, subject: name,
      "the server doesn't support "
        + (name.map { "the header \($0), or its value" } ?? "a header of the request"),
      advice: "Leave the header out and sign again. Checksum headers are the usual ones, and "
        + "Transfer-Encoding at S3: send the length instead")
  }

  static var otherDeclaration: Self {
    Self(
      .payloadNotDeclared, subject: "x-amz-content-sha256",
      "the server can't use the value of x-amz-content-sha256 that arrived",
      advice:
        "Send x-amz-content-sha256 as it was signed: UNSIGNED-PAYLOAD, or the SHA-256 of the body in 64 "
        + "lowercase hexadecimal digits")
  }

  static var checksumMissing: Self {
    Self(
      .checksumMissing, subject: "Content-MD5",
      "the request needs a checksum of its body, and none arrived",
      advice:
        "Add Content-MD5, or at S3 an x-amz-checksum-* header, to the request before you sign it")
  }
}

extension SigV4.Diagnosis.Cause {
  static var notSigned: Self {
    Self(
      .notSigned, "the server found no signature in the request",
      advice: "Send the signed headers, Authorization among them; look for a proxy or a redirect "
        + "that drops it. API Gateway says this also of a path or method that it does not have")
  }

  static var credentialsExpired: Self {
    Self(
      .credentialsExpired, "the temporary credentials that signed the request have expired",
      advice:
        "Fetch new ones and sign again; a presigned URL expires with the credentials that made "
        + "it, whatever its lifetime says")
  }

  static func sessionToken(isMultiRegion: Bool) -> Self {
    Self(
      .sessionToken, "the session token that arrived is not the one of the credentials",
      advice: "Take key ID, secret and session token together from one set of credentials; look "
        + "for a token that was cut or encoded twice, and for one of another account or partition"
        + (isMultiRegion ? tokensOfGlobalEndpoint : ""))
  }

  /// S3, User Guide, "Using a Multi-Region Access Point with supported API operations".
  private static var tokensOfGlobalEndpoint: String {
    ". SigV4a rejects session tokens of STS's global endpoint, sts.amazonaws.com. Request them from a "
      + "regional endpoint, such as sts.us-east-1.amazonaws.com"
  }

  static func sessionTokenNotGiven(_ accessKeyID: String) -> Self {
    Self(
      .sessionToken,
      "the key ID \(accessKeyID) belongs to temporary credentials, and they were given without their "
        + "session token",
      advice: "Give the session token that came with key ID and secret, AWS_SESSION_TOKEN in the "
        + "environment, and sign again")
  }

  static func credentialsUnknown(
    _ accessKeyID: String, hasToken: Bool, isMultiRegion: Bool
  ) -> Self {
    Self(
      .credentialsUnknown,
      "the server does not know the credentials of the key ID \(accessKeyID)"
        + (hasToken ? ", or their session token did not arrive" : ""),
      advice: "Look for a key that was deleted or that belongs to another store, account or "
        + "partition"
        + (hasToken
          ? ", and send the session token as it was signed"
            + (isMultiRegion ? tokensOfGlobalEndpoint : "")
          : "; temporary credentials need the session token that came with them"))
  }
}

extension SigV4.Diagnosis.Cause {
  /// A body of another digest than the declared one, both of which the server shows.
  static func payload(
    ours: ArraySlice<UInt8>, theirs: ArraySlice<UInt8>, digests: (String, String)
  ) -> Self {
    let cause = payload(ours: ours, theirs: theirs)
    return Self(
      cause.code,
      cause.explanation
        + ": the declared digest is \(digests.0), and that of the body is \(digests.1)",
      advice: cause.advice)
  }

  static var otherBody: Self {
    Self(
      .payload, "the body that arrived is not the one that x-amz-content-sha256 declares",
      advice: bodyAdvice)
  }

  static var otherChecksum: Self {
    Self(
      .payload, "the body that arrived is not the one that its checksum or Content-MD5 declares",
      advice: bodyAdvice)
  }

  private static var bodyAdvice: String {
    "Sign the very bytes that are sent: after compression, after encoding as JSON, with the line "
      + "ends that they have on the wire"
  }

  /// Nothing is wrong with the signature.
  static func accepted(_ evidence: String) -> Self {
    Self(
      .accepted, "the signature was accepted, or is not the cause: " + evidence,
      advice:
        "Look at the request itself: its size and conditions, whether the bucket, key or upload "
        + "exists, and what the policies allow this caller")
  }

  static func busy(_ code: String) -> Self {
    Self(
      .accepted, "the server is busy or fails, whatever the signature is: it says \(code)",
      advice: "Sign the request and send it again after a pause, and make the pauses longer")
  }

  static func withoutPeriod(_ message: String) -> String {
    message.hasSuffix(".") ? String(message.dropLast()) : message
  }
}
