// SPDX-License-Identifier: Apache-2.0
// Checks across values that are each valid alone. They run before anything is signed.

extension SigV4.Preparer {
  /// Rejects requests that can't be signed, and headers and parameters that conflict with the
  /// signed values or with each other.
  func check(
    _ request: SigV4.Request, _ placement: SigV4.SignaturePlacement,
    _ declaration: SigV4.Payload.Declaration, at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) {
    let names = service.names
    let fields = request.message.signatureFields(names)
    if request.message.shape.has(.authorization) || fields.hasSignature(inURL: placement.isURL) {
      throw alreadySigned(request, placement)
    }
    if declaration.isUnsigned, case .literal(let word) = request.payload.kind {
      throw SigV4.SigningError(
        .invalidPayload,
        "Requests to \(service.name) never sign the body, but the payload is \(quoted: word).",
        fix: "Use .unsigned.")
    }
    if request.pathKind == .key && service.pathRule != .encodedOnce {
      try request.path.check(service.pathRule)
    }
    if storage.identity.hasSecretCharacter {
      try storage.identity.checkNotSecret(host: request.host)
    }
    try checkCredentials(at: timestamp)
    if names != .aws { try checkOtherNames(request, request.payload(declaration)) }
    if request.message.shape.present & Self.rareHeaders != 0 {
      try checkHeaders(request, request.payload(declaration))
    }
    if !placement.isURL { return }
    try checkNotHeader(.date, request)
    try checkNotHeader(service.sessionTokenRule.field, request)
    if regionSet != nil { try checkNotHeader(.regionSet, request) }
    if fields.has(.contentSHA256) { try checkDigest(request, request.payload(declaration)) }
  }

  /// Headers that must be consistent with other values.
  private static var rareHeaders: UInt32 {
    KnownHeader.amzTrailer.bit | KnownHeader.transferEncoding.bit
      | KnownHeader.amzSecurityToken.bit | KnownHeader.amzS3SessionToken.bit
      | KnownHeader.renamedHeaders
  }

  private func checkHeaders(
    _ request: SigV4.Request, _ payload: SigV4.Payload
  ) throws(SigV4.SigningError) {
    let shape = request.message.shape
    try checkTokens(shape, request)
    if let trailer = request.value(of: .amzTrailer), !payload.announcesTrailers {
      throw SigV4.SigningError(
        .conflictingHeader,
        """
        The header x-amz-trailer announces the trailer \(quoted: trailer), but the payload has no \
        trailers.
        """,
        fix: "Remove the header, or sign a chunked upload with that trailer.")
    }
    if shape.has(.transferEncoding) && shape.has(.contentLength) {
      throw SigV4.SigningError(
        .conflictingHeader,
        """
        The request has both transfer-encoding and content-length headers, which HTTP forbids: \
        servers differ in which one they use.
        """,
        fix: "Remove transfer-encoding.")
    }
    try checkFamilies(request)
  }

  /// Rejects AWS's headers together with those of a store that rejects the mixture.
  private func checkFamilies(_ request: SigV4.Request) throws(SigV4.SigningError) {
    let text = request.message.memory.bytes.span
    for index in request.message.shape.headers {
      let field = text.field(index)
      guard let family = field.header.family, family != service.names else { continue }
      if family != .aws && service.names != .aws { continue }
      let store = family == .aws ? service.names : family
      guard let domain = store.domainOfExclusiveHeaders,
        family == .aws
          || request.host.bytesInUTF8.suffix(domain.utf8CodeUnitCount).spells(domain)
      else { continue }
      throw SigV4.SigningError(
        .conflictingHeader,
        """
        \(domain) rejects the header \(quoted: request.bytes(field.nameRange)) together with \
        \(service.names.headerPrefix)* headers (ExcessHeaderValues).
        """,
        fix: """
          Use the equivalent \(service.names.headerPrefix)* header, or sign for the other service.
          """)
    }
  }

  /// Rejects what signatures with other names than AWS's don't have: chunks, and for some stores
  /// headers of AWS.
  private func checkOtherNames(
    _ request: SigV4.Request, _ payload: SigV4.Payload
  ) throws(SigV4.SigningError) {
    if case .literal(let word) = payload.kind {
      throw SigV4.SigningError(
        .invalidPayload,
        """
        \(service.names.algorithm) doesn't sign bodies in chunks, but the payload is \
        \(quoted: word).
        """,
        fix: "Sign the body's hash, or use .unsigned.")
    }
    try checkFamilies(request)
  }

  /// Rejects a session token that's empty, repeated, or in the header of other services.
  private func checkTokens(
    _ shape: MessageShape, _ request: SigV4.Request
  ) throws(SigV4.SigningError) {
    let rule = service.sessionTokenRule
    guard let header = service.names.knownHeader(rule.field) else { return }
    if let foreign = service.names.knownHeader(rule.foreignField), shape.has(foreign) {
      throw SigV4.SigningError(
        .conflictingHeader,
        "\(service.name) doesn't accept session tokens in the header \(rule.foreignField.header).",
        fix: "Use \(rule.field.header), or the service that the token is for.")
    }
    let isRepeated = shape.repeated & header.bit != 0
    if isRepeated || request.value(of: header)?.isEmpty == true {
      throw SigV4.SigningError(
        .conflictingHeader,
        "The header \(service.names.header(rule.field)) is empty or appears more than once.",
        fix: "Send it once. If there is no session token, remove it.")
    }
  }

  /// Rejects a header whose value is a parameter in a URL.
  private func checkNotHeader(
    _ field: SignatureField, _ request: SigV4.Request
  ) throws(SigV4.SigningError) {
    guard let header = service.names.knownHeader(field), request.message.shape.has(header)
    else { return }
    throw SigV4.SigningError(
      .conflictingHeader,
      """
      The request sets the header \(service.names.header(field)), but a presigned URL contains \
      this value as a parameter.
      """,
      fix: "Remove the header.")
  }

  /// Rejects a parameter that conflicts with the signed payload.
  private func checkDigest(
    _ request: SigV4.Request, _ payload: SigV4.Payload
  ) throws(SigV4.SigningError) {
    var hasDigest = false
    let names = service.names
    for (name, value) in request.query.parameters {
      if names.field(parameter: name.span) != .contentSHA256 { continue }
      let isRight =
        !hasDigest && names.isParameter(name.span, .contentSHA256)
        && URIEncoding.decode(value) == payload.bytes
      hasDigest = true
      if isRight { continue }
      throw SigV4.SigningError(
        .conflictingHeader,
        """
        The URL parameter \(names.parameter(.contentSHA256))=\(quoted: value) conflicts with the \
        signed payload, has a name in a different case, or appears twice.
        """,
        fix: "Remove the parameter, or pass the payload that it names.")
    }
  }

  private func alreadySigned(
    _ request: SigV4.Request, _ placement: SigV4.SignaturePlacement
  ) -> SigV4.SigningError {
    let name = request.query.parameters.lazy.map { $0.name }.first { name in
      let known =
        SignatureNames.aws.field(parameter: name.span)
        ?? service.names.field(parameter: name.span)
      guard let field = known else { return false }
      return field != .contentSHA256 || !placement.isURL
    }
    var place: UTF8Text = "an Authorization header"
    if let name { place = "the query parameter \(quoted: name)" }
    return SigV4.SigningError(
      .alreadySigned,
      "The request already has \(place), which belongs to a signature.",
      fix: "Remove it, or sign the original request.")
  }

  package func checkCredentials(at timestamp: SigV4.Timestamp) throws(SigV4.SigningError) {
    if let expiration = storage.identity.expiration, expiration <= timestamp {
      throw SigV4.SigningError(
        .credentialsExpired,
        """
        The credentials \(identity.shownAccessKeyID) expired at \(expiration.textBytes) (signing \
        time \(timestamp.textBytes)).
        """,
        fix: "Get new credentials, or correct the clock.")
    }
  }

  /// Returns the lifetime of a URL, or nil if it has none. Rejects one that the service, or the
  /// expiration of the credentials, doesn't allow.
  func lifetime(
    _ duration: Duration?, at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> SigV4.URLLifetime? {
    guard let seconds = duration?.wholeSeconds else {
      if case .unsupported = service.lifetimeRule { return nil }
      throw SigV4.SigningError(
        .lifetimeRequired,
        "A presigned URL for \(service.name) needs a lifetime.",
        fix: "Pass expiresIn: 1 to 604800 seconds.")
    }
    if case .unsupported = service.lifetimeRule {
      throw SigV4.SigningError(
        .lifetimeNotSupported,
        "\(service.name) doesn't support presigned URLs with a lifetime (X-Amz-Expires).",
        fix: "Pass expiresIn: nil.")
    }
    if seconds < 1 || seconds > 604_800 {
      throw SigV4.SigningError(
        .invalidLifetime,
        """
        The lifetime of a presigned URL must be 1 to 604800 seconds (7 days), not \(seconds) \
        seconds.
        """,
        fix: "Use a lifetime in this range.")
    }
    let end = SigV4.Timestamp(checked: try timestamp.unixSeconds(after: Int64(seconds)))
    if let expiration = storage.identity.expiration, timestamp < expiration,
      expiration < end
    {
      throw SigV4.SigningError(
        .lifetimeExceedsCredentials,
        """
        The URL would be valid until \(end.text), but its credentials \
        \(identity.shownAccessKeyID) expire at \(expiration.text).
        """,
        fix: """
          Use a lifetime of at most \(expiration.unixSeconds &- timestamp.unixSeconds) seconds, or \
          credentials that expire later.
          """)
    }
    return SigV4.URLLifetime(seconds: seconds, until: end)
  }
}

extension SigV4.Payload {
  /// Whether trailers follow the body. The payload literals of S3's chunked uploads with trailers
  /// end in "-TRAILER".
  fileprivate var announcesTrailers: Bool {
    guard case .literal(let value) = kind else { return false }
    return value.bytesInUTF8.suffix(8).spells("-TRAILER")
  }
}

extension SigV4.Request {
  /// The payload as it's signed.
  func payload(_ declaration: SigV4.Payload.Declaration) -> SigV4.Payload {
    declaration.isUnsigned ? .unsigned : payload
  }

  /// Returns the value of the first header of a kind.
  fileprivate func value(of header: KnownHeader) -> [UInt8]? {
    let text = message.memory.bytes.span
    return message.shape.field(of: header, in: text).map { bytes($0.valueRange) }
  }
}
