// SPDX-License-Identifier: Apache-2.0
// Checks across values that are each valid alone. They run before anything is signed.

internal import SigningSupport

extension SigV4.Preparer {
  /// Rejects requests that can't be signed, and headers and parameters that conflict with the
  /// signed values or with each other.
  func check(
    _ request: SigV4.Request, _ placement: Placement, _ payload: SigV4.Payload,
    at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) {
    let shape = request.message.shape
    let names = storage.rules.names
    let fields = request.message.signatureFields(names)
    if shape.has(.authorization) || fields.hasSignature(inURL: placement.isURL) {
      throw alreadySigned(request, placement)
    }
    if request.pathKind == .key && service.pathRule != .encodedOnce {
      try request.path.check(service.pathRule)
    }
    if storage.identity.hasSecretCharacter {
      try storage.identity.checkNotSecret(host: request.host)
    }
    try checkCredentials(at: timestamp)
    if names != .aws { try checkOtherNames(request, payload) }
    if shape.present & Self.rareHeaders != 0 { try checkHeaders(request, payload) }
    if !placement.isURL { return }
    try checkNotHeader(.date, shape)
    try checkNotHeader(service.sessionTokenRule.field, shape)
    for addition in algorithm.additions { try checkNotHeader(addition.field, shape) }
    if fields.has(.contentSHA256) { try checkDigest(request, payload) }
  }

  /// Headers that must be consistent with other values.
  private static var rareHeaders: UInt32 {
    KnownHeader.amzTrailer.bit | KnownHeader.transferEncoding.bit | googleHeaders
      | KnownHeader.tosSecurityToken.bit | KnownHeader.amzSecurityToken.bit
      | KnownHeader.amzS3SessionToken.bit
  }

  /// `x-goog-*`
  private static var googleHeaders: UInt32 {
    KnownHeader.google.bit | KnownHeader.googDate.bit | KnownHeader.googContentSHA256.bit
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
    if service.names == .aws, shape.present & Self.googleHeaders != 0,
      request.host.bytesInUTF8.suffix(22).spells("storage.googleapis.com")
    {
      throw SigV4.SigningError(
        .conflictingHeader,
        """
        Cloud Storage rejects Google's header \(quoted: request.name(among: Self.googleHeaders)) \
        together with x-amz-* headers (ExcessHeaderValues).
        """,
        fix: "Use the equivalent x-amz-* header, or sign for .googleCloudStorage.")
    }
  }

  /// Rejects what signatures with other names than AWS's don't have: chunks, and for Google headers
  /// of AWS.
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
    if service.names == .google && request.message.shape.present & Self.amazonHeaders != 0 {
      throw SigV4.SigningError(
        .conflictingHeader,
        """
        Cloud Storage rejects the header \(quoted: request.name(among: Self.amazonHeaders)) \
        together with x-goog-* headers (ExcessHeaderValues).
        """,
        fix: "Use the equivalent x-goog-* header, or sign for .s3.")
    }
  }

  /// `x-amz-*`
  private static var amazonHeaders: UInt32 {
    KnownHeader.amz.bit | KnownHeader.amzDate.bit | KnownHeader.amzContentSHA256.bit
      | KnownHeader.amzSecurityToken.bit | KnownHeader.amzS3SessionToken.bit
      | KnownHeader.amzRegionSet.bit | KnownHeader.amzTrailer.bit
      | KnownHeader.amzDecodedContentLength.bit
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
    _ field: SignatureField, _ shape: MessageShape
  ) throws(SigV4.SigningError) {
    guard let header = storage.rules.names.knownHeader(field), shape.has(header) else { return }
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
    _ request: SigV4.Request, _ placement: Placement
  ) -> SigV4.SigningError {
    let name = request.query.parameters.lazy.map { $0.name }.first { name in
      let known = SignatureField(parameter: name.span) ?? service.names.field(parameter: name.span)
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

  /// Rejects a URL without a lifetime if the service requires one.
  func checkNoLifetime() throws(SigV4.SigningError) {
    if case .required = service.lifetimeRule {
      throw SigV4.SigningError(
        .lifetimeRequired,
        "A presigned URL for \(service.name) needs a lifetime.",
        fix: "Pass expiresIn: 1 to 604800 seconds.")
    }
  }

  /// Rejects a lifetime that the service, or the expiration of the credentials, doesn't allow.
  ///
  /// - Returns: The expiration, in Unix time.
  @discardableResult
  func checkLifetime(
    _ seconds: Int, at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> Int64 {
    if case .unsupported = service.lifetimeRule {
      throw SigV4.SigningError(
        .lifetimeNotSupported,
        "\(service.name) doesn't support presigned URLs with a lifetime (X-Amz-Expires).",
        fix: "Presign without expiresIn.")
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
    let end = try timestamp.unixSeconds(after: Int64(seconds))
    if let expiration = storage.identity.expiration, timestamp < expiration,
      expiration.unixSeconds < end
    {
      throw SigV4.SigningError(
        .lifetimeExceedsCredentials,
        """
        The URL would be valid until \(SigV4.Timestamp(checked: end).text), but its credentials \
        \(identity.shownAccessKeyID) expire at \(expiration.text).
        """,
        fix: """
          Use a lifetime of at most \(expiration.unixSeconds &- timestamp.unixSeconds) seconds, or \
          credentials that expire later.
          """)
    }
    return end
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
  /// Returns the value of the first header of a kind.
  fileprivate func value(of header: KnownHeader) -> [UInt8]? {
    let text = message.memory.bytes.span
    return message.shape.field(of: header, in: text).map { bytes($0.valueRange) }
  }

  /// Returns the name of the first header of some kinds.
  fileprivate func name(among kinds: UInt32) -> [UInt8] {
    let text = message.memory.bytes.span
    for index in message.shape.headers where kinds & text.field(index).header.bit != 0 {
      return bytes(text.field(index).nameRange)
    }
    return []
  }
}
