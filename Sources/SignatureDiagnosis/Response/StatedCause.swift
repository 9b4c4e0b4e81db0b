// SPDX-License-Identifier: Apache-2.0
// Finds the cause from the code, message and fields of a response that doesn't show what the server
// signed.

internal import RequestSigning

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
      let first =
        success() ?? answer.cloudFrontCause ?? time() ?? chunks() ?? multiRegionHost()
        ?? StatedWording.cause(of: self)
      if let cause = first ?? scope() ?? credentials() { return cause }
      return unsupported() ?? body() ?? accepted() ?? expiredByNow() ?? unsignedHeaders()
    }
  }
}

// Times.
extension SigV4.Diagnosis.StatedCause {
  typealias Cause = SigV4.Diagnosis.Cause

  private func time() -> Cause? {
    if answer.saysExpired || answer.saysTooOld && isURL {
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
    if answer.isAboutClocks || answer.saysTooOld {
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
    isURL || answer.expires != nil
      ? .expired(at: expiration, answer.serverTime ?? answer.date) : .requestExpired
  }

  private var isURL: Bool { signed.expiration != nil }
}

// Names and values of the response, safe to show.
extension SigV4.Diagnosis.StatedCause {
  func shown(_ name: String) -> String { signed.redaction.name(name.utf8) }

  func quoted(after words: String) -> String? { answer.quoted(after: words).map(shown) }

  private var message: String { signed.redaction.shown(answer.firstLine) }

  /// The names after the last colon of a message, such as `Extra input fields: a, b`.
  var fieldNames: String? {
    let message = answer.firstLine
    let colon = message.lastIndex(of: ASCIIByte.colon) ?? message.endIndex
    let names = message[colon...].dropFirst().drop { $0 == ASCIIByte.space }
    return names.isEmpty ? nil : signed.redaction.name(names)
  }
}

// Headers and parameters of the signature.
extension SigV4.Diagnosis.StatedCause {
  func headerMissing(after words: String) -> Cause {
    quoted(after: words).map { .headerMissing($0) } ?? .signedHeaderLost
  }

  /// Ceph's response to a header that was sent and isn't signed has no message.
  private func unsignedHeaders() -> Cause? {
    if signed.unsignedHeaders.isEmpty || !answer.deniesWithoutWords { return nil }
    return .unsignedHeaders(sent: signed.unsignedHeaders.map(shown))
  }

  var dateMissing: Cause { .dateMissing(isURL: isURL) }

  var lifetimeRejected: Cause {
    .lifetimeRejected(signed.scope.names.parameter(.expires).string, message)
  }

  /// A different algorithm, which the server may name.
  var otherAlgorithm: Cause {
    let names = [
      SignatureNames.aws.algorithm, SigV4.SignatureAlgorithm.ecdsaP256SHA256.name,
    ].map { $0.description }
    let named = names.filter { answer.says($0.lowercased()) }
    return .algorithm(
      Array((named.count == 1 ? named[0] : "").utf8)[...],
      signed: SigV4.Diagnosis.CanonicalRequestComparison.lines(signed.stringToSign)[0])
  }

  var malformed: Cause { .malformedAuthorization(message) }
}

// The credential scope.
extension SigV4.Diagnosis.StatedCause {
  private func scope() -> Cause? {
    // Alibaba Cloud OSS, Huawei Cloud OBS, Tencent Cloud COS (gobackup/gobackup 268), and
    // Volcengine TOS (apache/opendal 6549).
    let codesOfPaths = [
      "SecondLevelDomainForbidden", "VirtualHostDomainRequired", "PathStyleDomainForbidden",
      "InvalidPathAccess",
    ]
    if codesOfPaths.contains(where: answer.isCode) { return .virtualHostNeeded }
    if answer.isCode("PermanentRedirect") || answer.isCode("TemporaryRedirect") {
      return otherEndpoint
    }
    if answer.isCode("InvalidRegion") { return statedRegion(answer.region) }
    // Cloudflare R2. It lists its regions, of which auto is the one to sign for.
    if answer.isCode("InvalidRegionName") {
      return statedRegion(answer.region ?? (answer.says(", auto") ? "auto" : nil))
    }
    if let cause = regionOfHead() { return cause }
    let codes = [
      "AuthorizationHeaderMalformed", "AuthorizationQueryParametersError",
      "AuthorizationParametersError", "IncompleteSignature",
    ]
    if !codes.contains(where: answer.isCode) { return nil }
    return otherRegion ?? malformed
  }

  var otherEndpoint: Cause {
    .endpoint(
      answer.endpoint.map(shown), region: (answer.region ?? answer.bucketRegion).map(shown))
  }

  /// Garage repeats the received scope, and has its own region in a field.
  var otherScope: Cause { otherRegion ?? .credentialScope(signed.scope) }

  /// The region in a field of the response, if a different one was signed.
  private var otherRegion: Cause? {
    guard let region = answer.region, !region.utf8.elementsEqual(signed.scope.region.utf8) else {
      return nil
    }
    return statedRegion(region)
  }

  /// A host that accepts only Signature Version 4a rejects the region of any other signature
  /// (CloudFront KeyValueStore: aws/aws-sdk-js-v3 5576). A region set of '*' includes every region,
  /// so the request that the server received wasn't signed for it.
  private func multiRegionHost() -> Cause? {
    let lines = SigV4.Diagnosis.CanonicalRequestComparison.lines(signed.canonicalRequest)
    let host = lines.first { $0.starts(with: "host:".utf8) }?.dropFirst("host:".utf8.count)
    let isForAll =
      lines.contains { $0.spells("x-amz-region-set:*") }
      || lines.dropFirst(2).first.flatMap {
        BytewiseSearch.range(of: "X-Amz-Region-Set=%2A", in: $0)
      } != nil
    let isAboutRegion = answer.says("credential should be scoped to a valid region")
    guard isMultiRegion ? isForAll && isAboutRegion : isAboutRegion || answer.isAboutSignature,
      let host, SigV4.MultiRegionHost.requiring(host: String(decoding: host, as: UTF8.self)) != nil
    else { return nil }
    return .algorithm(
      Array(SigV4.SignatureAlgorithm.ecdsaP256SHA256.name.description.utf8)[...],
      signed: Array(SignatureNames.aws.algorithm.description.utf8)[...])
  }

  /// Responses to HEAD have no body, so S3 names the bucket's region in a header.
  private func regionOfHead() -> Cause? {
    guard let status = answer.status, [301, 307, 400].contains(status), answer.code == nil,
      let region = answer.bucketRegion, !region.utf8.elementsEqual(signed.scope.region.utf8)
    else { return nil }
    return statedRegion(region)
  }

  func statedRegion(_ region: String?) -> Cause {
    isMultiRegion
      ? .regionOutsideSet(region.map(shown)) : .statedRegion(region.map(shown))
  }

  /// Whether a region set was signed, so that the scope has no region.
  private var isMultiRegion: Bool { signed.scope.region.isEmpty }
}

// Keys and tokens.
extension SigV4.Diagnosis.StatedCause {
  private func credentials() -> Cause? {
    if answer.isCode("MissingAuthenticationToken") { return .notSigned }
    if answer.isCode("ExpiredToken") { return expiredToken }
    if answer.isCode("TokenRefreshRequired") { return .credentialsExpired }
    if answer.isCode("InvalidToken") { return otherToken }
    let codes = [
      "InvalidAccessKeyId", "UnrecognizedClient", "InvalidClientTokenId", "InvalidTokenId",
      "InvalidSecurity", "XAdminUserNotFound",
    ]
    return codes.contains(where: answer.isCode) ? unknownCredentials : nil
  }

  /// Google Cloud Storage returns ExpiredToken for an expired URL, too (floci-io/floci-gcp 33).
  var expiredToken: Cause {
    isURL && signed.identity.sessionToken == nil
      ? expired(signed.expiration) : .credentialsExpired
  }

  var otherToken: Cause { .sessionToken(isMultiRegion: isMultiRegion) }

  /// IAM User Guide, "Unique identifiers": access key IDs of temporary credentials begin with ASIA.
  var unknownCredentials: Cause {
    let identity = signed.identity
    if let theirs = answer.accessKeyID, !theirs.utf8.elementsEqual(identity.accessKeyID.utf8) {
      return .accessKeyID(
        ours: identity.shownAccessKeyID, theirs: shown(AccessKeyID.shown(theirs)))
    }
    if identity.sessionToken == nil && identity.accessKeyID.utf8.starts(with: "ASIA".utf8) {
      return .sessionTokenNotGiven(identity.shownAccessKeyID)
    }
    return .credentialsUnknown(
      identity.shownAccessKeyID, hasToken: identity.sessionToken != nil,
      isMultiRegion: isMultiRegion)
  }
}

// Features that a store doesn't support, whatever the signature.
extension SigV4.Diagnosis.StatedCause {
  private func unsupported() -> Cause? {
    if answer.isCode("UnsupportedSignature") {
      return .unsupportedSignature(hasToken: signed.identity.sessionToken != nil)
    }
    if !answer.isCode("NotImplemented") { return nil }
    if answer.says("header '") { return .headerNotSupported(quoted(after: "header ")) }
    if answer.header != nil || answer.says("a header you provided implies") {
      return .headerNotSupported(answer.header.map(shown))
    }
    return .accepted("the server returned NotImplemented")
  }

  /// Chunked uploads, and values of x-amz-content-sha256, which announces them.
  private func chunks() -> Cause? {
    let isRefusal = answer.says("not support") || answer.says("not implemented")
    let names = [
      "aws-chunked", "chunked encoding", "multichunkedencoding", "streaming-", "trailing",
    ]
    if isRefusal && names.contains(where: answer.says) { return .chunksNotSupported }
    let isAboutValue = [
      "x-amz-content-sha256 must be unsigned-payload",
      "invalid or unsupported x-amz-content-sha256", "invalid content sha256 hash",
      "value of x-amz-content-sha256 header is invalid",
    ].contains(where: answer.says)
    if !isAboutValue { return nil }
    let payload = SigV4.Diagnosis.CanonicalRequestComparison.lines(signed.canonicalRequest).last
    return payload?.starts(with: "STREAMING-".utf8) == true
      ? .chunksNotSupported : .otherDeclaration
  }
}

// The body, and errors after the signature was accepted.
extension SigV4.Diagnosis.StatedCause {
  private func body() -> Cause? {
    if answer.isCode("XAmzContentSHA256Mismatch") { return otherBody }
    if answer.isCode("MissingContentMD5") { return .checksumMissing }
    if answer.isCode("InvalidChunkSizeError") { return .smallChunk }
    return answer.isCode("BadDigest") ? .otherChecksum : nil
  }

  var otherBody: Cause {
    guard let declared = answer.declaredDigest, let computed = answer.computedDigest else {
      return .otherBody
    }
    return .payload(
      ours: Array(declared.utf8)[...], theirs: Array(computed.utf8)[...],
      digests: (shown(declared), shown(computed)))
  }

  var invalidPolicy: Cause { .invalidPolicy(message) }

  private func success() -> Cause? {
    guard let status = answer.status, answer.code == nil else { return nil }
    // RFC 9110, 9.3.2: a response to HEAD has no content, so these have no code.
    let isOfHead = signed.canonicalRequest.starts(with: "HEAD\n".utf8) && answer.isEmpty
    guard (200..<300).contains(status) || isOfHead && [404, 412].contains(status) else {
      return nil
    }
    return .accepted("the response status is \(status)")
  }

  /// Responses that a server sends only to a caller that it has authenticated.
  private func accepted() -> Cause? {
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
    return codesOfLoad.first(where: answer.isCode).map { .busy($0) }
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
