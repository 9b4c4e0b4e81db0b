// SPDX-License-Identifier: Apache-2.0
// Finds the cause from the code, message and fields of a response that doesn't show what the server
// signed.

internal import RequestSigning
internal import SigningSupport

extension SigV4.Diagnosis {
  /// A response that shows no step of the signature, and the signed request.
  ///
  /// Every code and wording comes from a public source that Tests/Vectors/stated-refusals.txt
  /// names.
  struct StatedCause {
    let answer: SigV4.ServiceError
    let signed: Signed

    /// The cause that the server reports, or nil if the response doesn't identify one.
    func cause() -> Cause? {
      answer.cloudFrontCause ?? time() ?? headers() ?? scope() ?? credentials() ?? unsupported()
        ?? body() ?? accepted()
        ?? expiredByNow()
    }
  }
}

// Times.
extension SigV4.Diagnosis.StatedCause {
  typealias Cause = SigV4.Diagnosis.Cause

  private func time() -> Cause? {
    if answer.saysExpired {
      if let end = signed.expiration, let now = answer.serverTime ?? answer.date, now < end {
        return .otherLife(until: end, answer.expires, now)
      }
      return expired(answer.expires ?? signed.expiration)
    }
    if answer.says("invalid credential date") || answer.says("date in credential scope") {
      return .date
    }
    let isAboutTime = answer.serverTime != nil || answer.isAboutClocks
    if isAboutTime, let cause = expiredByNow() { return cause }
    if let arrived = answer.requestTime, arrived != signed.timestamp, arrived != signed.expiration {
      return .otherTime(ours: signed.timestamp, theirs: arrived)
    }
    if let serverTime = answer.serverTime { return .clock(serverTime, signed.timestamp) }
    if answer.isAboutClocks {
      return answer.date.map { .clock($0, signed.timestamp) } ?? .unknownClock
    }
    return nil
  }

  /// Some servers, such as Ceph, return only AccessDenied for an expired URL.
  private func expiredByNow() -> Cause? {
    guard let expiration = signed.expiration, let now = answer.serverTime ?? answer.date,
      expiration <= now,
      answer.code == nil || answer.isCode("AccessDenied")
        || answer.isAboutClocks || answer.serverTime != nil
    else { return nil }
    return .expired(at: expiration, now)
  }

  private func expired(_ expiration: SigV4.Timestamp?) -> Cause {
    let isURL = signed.expiration != nil || answer.expires != nil
    return isURL
      ? .expired(at: expiration, answer.serverTime ?? answer.date) : .requestExpired
  }
}

// Headers and parameters of the signature.
extension SigV4.Diagnosis.StatedCause {
  private func headers() -> Cause? {
    if answer.says("headers present in the request which were not signed") {
      return .unsignedHeaders(answer.unsignedHeaders.map { shown($0) })
    }
    if answer.says("must be a 'signedheader'") { return .hostNotSigned }
    if answer.says("is named as a signedheader, but it does not exist") {
      return answer.quoted(after: "").map { .headerMissing(shown($0)) }
    }
    // This library's verifier returns this.
    if answer.says("signedheaders must name headers of the request") { return .signedHeaderLost }
    if answer.says("only one auth mechanism allowed") { return .multipleSignatures }
    if answer.says("authorization mechanism you have provided is not supported") {
      let names = [
        SignatureNames.aws.algorithm, SigV4.SignatureAlgorithm.ecdsaP256SHA256Name,
      ].map { $0.description }
      let named = names.filter { answer.says($0.lowercased()) }
      return .algorithm(
        Array((named.count == 1 ? named[0] : "").utf8)[...],
        signed: SigV4.Diagnosis.CanonicalRequestComparison.lines(signed.stringToSign)[0])
    }
    if answer.says("missing required header for this request: x-amz-content-sha256") {
      return .payloadNotDeclared
    }
    if answer.says("requires a valid date or x-amz-date header") {
      return .dateMissing(isURL: signed.expiration != nil)
    }
    return nil
  }

  private func shown(_ name: String) -> String { signed.redaction.name(name.utf8) }
}

// The credential scope.
extension SigV4.Diagnosis.StatedCause {
  private func scope() -> Cause? {
    if answer.isCode("SecondLevelDomainForbidden") { return .virtualHostNeeded }
    if answer.says("must be addressed using the specified endpoint")
      || answer.isCode("PermanentRedirect") || answer.isCode("TemporaryRedirect")
    {
      return .endpoint(
        answer.endpoint.map(shown), region: (answer.region ?? answer.bucketRegion).map(shown))
    }
    if answer.says("the region") && answer.says("is wrong") {
      return statedRegion(answer.region ?? answer.quoted(after: "expecting "))
    }
    if answer.says("credential should be scoped to a valid region")
      || answer.isCode("InvalidRegion")
    {
      return statedRegion(answer.region)
    }
    // Cloudflare R2. It lists its regions, of which auto is the one to sign for.
    if answer.isCode("InvalidRegionName") {
      return statedRegion(answer.region ?? (answer.says(", auto") ? "auto" : nil))
    }
    if answer.says("incorrect service") {
      return .statedService(answer.quoted(after: "this endpoint belongs to ").map(shown))
    }
    if answer.says("credential should be scoped to correct service") {
      return .statedService(answer.quoted(after: "correct service").map(shown))
    }
    if answer.says("credential should be scoped to a valid day, region and service") {
      return .credentialScope(signed.scope)
    }
    return regionOfHead() ?? malformedAuthorization()
  }

  /// Responses to HEAD have no body, so S3 names the bucket's region in a header.
  private func regionOfHead() -> Cause? {
    guard let status = answer.status, [301, 307, 400].contains(status), answer.code == nil,
      let region = answer.bucketRegion, !region.utf8.elementsEqual(signed.scope.region.utf8)
    else { return nil }
    return statedRegion(region)
  }

  private func statedRegion(_ region: String?) -> Cause {
    isMultiRegion
      ? .regionOutsideSet(region.map(shown)) : .statedRegion(region.map(shown))
  }

  private func malformedAuthorization() -> Cause? {
    let codes = [
      "AuthorizationHeaderMalformed", "AuthorizationQueryParametersError",
      "AuthorizationParametersError", "IncompleteSignature",
    ]
    // API Gateway returns only a message.
    let isMalformed =
      codes.contains(where: answer.isCode) || answer.says("authorization header requires '")
      || answer.says("not a valid key=value pair (missing equal-sign) in authorization header")
    if !isMalformed { return nil }
    if let region = answer.region { return statedRegion(region) }
    return .malformedAuthorization(signed.redaction.shown(answer.firstLine))
  }
}

// Keys and tokens.
extension SigV4.Diagnosis.StatedCause {
  private func credentials() -> Cause? {
    if answer.says("missing authentication token") || answer.isCode("MissingAuthenticationToken")
      || answer.says("user: anonymous is not authorized")
    {
      return .notSigned
    }
    if answer.isCode("ExpiredToken") || answer.isCode("TokenRefreshRequired")
      || answer.says("token has expired") || answer.says("token included in the request is expired")
    {
      return .credentialsExpired
    }
    if answer.isCode("InvalidToken") || answer.says("the provided token is malformed")
      || answer.says("the security token in the request is invalid")
    {
      return .sessionToken(isMultiRegion: isMultiRegion)
    }
    let codes = [
      "InvalidAccessKeyId", "UnrecognizedClient", "InvalidClientTokenId", "InvalidTokenId",
      "InvalidSecurity", "XAdminUserNotFound",
    ]
    if codes.contains(where: answer.isCode)
      || answer.says("access key id you provided does not exist in our records")
      || answer.says("the security token included in the request is invalid")
      || answer.says("credential access key has length")
    {
      return unknownCredentials()
    }
    return nil
  }

  /// IAM User Guide, "Unique identifiers": access key IDs of temporary credentials begin with ASIA.
  private func unknownCredentials() -> Cause {
    let identity = signed.identity
    if let theirs = answer.accessKeyID, !theirs.utf8.elementsEqual(identity.accessKeyID.utf8) {
      return .accessKeyID(ours: identity.accessKeyID, theirs: shown(theirs))
    }
    if identity.sessionToken == nil && identity.accessKeyID.utf8.starts(with: "ASIA".utf8) {
      return .sessionTokenNotGiven(identity.accessKeyID)
    }
    return .credentialsUnknown(
      identity.accessKeyID, hasToken: identity.sessionToken != nil, isMultiRegion: isMultiRegion)
  }

  /// Whether a region set was signed, so that the scope has no region.
  private var isMultiRegion: Bool { signed.scope.region.isEmpty }
}

// Features that a store doesn't support, whatever the signature.
extension SigV4.Diagnosis.StatedCause {
  private func unsupported() -> Cause? {
    if answer.isCode("UnsupportedSignature") {
      return .unsupportedSignature(hasToken: signed.identity.sessionToken != nil)
    }
    if refusesChunks { return .chunksNotSupported }
    if answer.says("x-amz-content-sha256 must be unsigned-payload") { return .otherDeclaration }
    if answer.says("unsupported header") {
      return .headerNotSupported(answer.quoted(after: "unsupported header").map(shown))
    }
    if !answer.isCode("NotImplemented") { return nil }
    if answer.says("header '") {
      return .headerNotSupported(answer.quoted(after: "header ").map(shown))
    }
    if answer.header != nil || answer.says("a header you provided implies") {
      return .headerNotSupported(answer.header.map(shown))
    }
    return .accepted("the server returned NotImplemented")
  }

  private var refusesChunks: Bool {
    let isRefusal = answer.says("not support") || answer.says("not implemented")
    let names = [
      "aws-chunked", "chunked encoding", "multichunkedencoding", "streaming-", "trailing",
    ]
    if isRefusal && names.contains(where: answer.says) { return true }
    let payload = SigV4.Diagnosis.CanonicalRequestComparison.lines(signed.canonicalRequest).last
    return answer.says("x-amz-content-sha256 must be unsigned-payload")
      && payload?.starts(with: "STREAMING-".utf8) == true
  }
}

// The body, and errors after the signature was accepted.
extension SigV4.Diagnosis.StatedCause {
  private func body() -> Cause? {
    if answer.isCode("XAmzContentSHA256Mismatch") {
      guard let declared = answer.declaredDigest, let computed = answer.computedDigest else {
        return .otherBody
      }
      return .payload(
        ours: Array(declared.utf8)[...], theirs: Array(computed.utf8)[...],
        digests: (shown(declared), shown(computed)))
    }
    if answer.says("'x-amz-content-sha256' header does not match what was computed") {
      return .otherBody
    }
    if answer.says("the payload of this request must be signed") { return .unsignedPayload }
    if answer.isCode("MissingContentMD5")
      || answer.says("missing required header for this request: content-md5")
    {
      return .checksumMissing
    }
    return answer.isCode("BadDigest") ? .otherChecksum : nil
  }

  /// Responses that a server sends only to a caller that it has authenticated.
  private func accepted() -> Cause? {
    if let status = answer.status, (200..<300).contains(status), answer.code == nil {
      return .accepted("the response status is \(status)")
    }
    // Amazon S3, API Reference, "Error responses".
    let codes = [
      "BucketNotEmpty", "BucketAlreadyExists", "BucketAlreadyOwnedByYou", "InvalidBucketName",
      "MissingContentLength", "EntityTooLarge", "EntityTooSmall", "InvalidObjectState",
      "InvalidPart", "InvalidPartOrder", "InvalidRange", "KeyTooLongError", "MalformedXML",
      "MethodNotAllowed", "OperationAborted", "PreconditionFailed",
    ]
    if let code = codes.first(where: answer.isCode) ?? missingThing {
      return .accepted("the server returned \(code)")
    }
    let codesOfLoad = ["SlowDown", "ServiceUnavailable", "InternalError", "ThrottlingException"]
    if let code = codesOfLoad.first(where: answer.isCode) { return .busy(code) }
    if answer.says("is not authorized to perform") {
      return .accepted("the caller is authenticated, but the policies don't allow this")
    }
    return nil
  }

  /// A code such as `NoSuchBucket` or `ResourceNotFoundException`.
  private var missingThing: String? {
    guard let code = answer.code else { return nil }
    let isMissing =
      code.hasPrefix("NoSuch")
      || ["NotFound", "NotFoundError", "NotFoundException"].contains {
        code.hasSuffix($0)
      }
    return isMissing ? shown(code) : nil
  }
}
