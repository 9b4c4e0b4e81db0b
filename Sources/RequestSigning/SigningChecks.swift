// SPDX-License-Identifier: Apache-2.0
// Checks across values, each of which is valid alone. They run before anything is signed.

internal import SigningSupport

extension SigV4.Preparer {
  func check(
    _ request: SigV4.Request, at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) {
    try request.storage.path.check(storage.service.pathRule)
    try checkCredentials(at: timestamp)
  }

  /// Refuses headers and parameters that contradict what is signed, or each other. Embedded Swift leaves
  /// it to the server, since size counts there.
  func check(
    _ request: SigV4.Request, _ placement: Placement, _ payload: SigV4.Payload
  ) throws(SigV4.SigningError) {
    try checkTokens(request)
    let headers = request.storage.canonicalHeaders
    if let trailer = headers.line(named: "x-amz-trailer"), !payload.announcesTrailers {
      throw SigV4.SigningError(
        .conflictingHeader,
        """
        the request announces the trailer \(quoted: headers.bytes[trailer.value]) in the header \
        x-amz-trailer, and its payload has none, so the server would wait for it; leave the header out, \
        or sign a chunked upload with that trailer
        """)
    }
    if headers.line(named: "transfer-encoding") != nil,
      headers.line(named: "content-length") != nil
    {
      throw SigV4.SigningError(
        .conflictingHeader,
        """
        the request has the headers transfer-encoding and content-length, which HTTP forbids beside \
        each other, since readers differ in which one they go by; leave transfer-encoding out
        """)
    }
    if request.storage.host.endsWith("storage.googleapis.com"),
      let other = headers.lines.first(where: { headers.bytes[$0.name].beginsWith("x-goog-") })
    {
      throw SigV4.SigningError(
        .conflictingHeader,
        """
        the request has the header \(quoted: headers.bytes[other.name]) of Google's own protocol, and \
        Cloud Storage refuses it beside x-amz-* (ExcessHeaderValues); use the x-amz-* header of the same \
        meaning
        """)
    }
    if case .url = placement { try checkURL(request, payload) }
  }

  /// Refuses a session token in the header of other services, an empty one, and one that is given twice.
  private func checkTokens(_ request: SigV4.Request) throws(SigV4.SigningError) {
    let rule = storage.service.sessionTokenRule
    let headers = request.storage.canonicalHeaders
    if headers.line(named: rule.foreignField.header) != nil {
      throw SigV4.SigningError(
        .conflictingHeader,
        """
        The header \(rule.foreignField.header) isn't the one for session tokens of \
        \(storage.service.name). Use \(rule.field.header), or the service that the token is for.
        """)
    }
    let name = rule.field.header
    guard let token = headers.line(named: name) else { return }
    if token.value.isEmpty || request.headers.values(named: name.description).count > 1 {
      throw SigV4.SigningError(
        .conflictingHeader,
        """
        The request has the header \(name) more than once, or empty. Leave it out if there is no session \
        token.
        """)
    }
  }

  /// Refuses what a URL already has in its parameters, or what contradicts it.
  private func checkURL(
    _ request: SigV4.Request, _ payload: SigV4.Payload
  ) throws(SigV4.SigningError) {
    try checkNotHeader(.date, request)
    try checkNotHeader(storage.service.sessionTokenRule.field, request)
    for addition in storage.algorithm.additions { try checkNotHeader(addition.field, request) }
    let query = request.storage.query
    var hasDigest = false
    for parameter in query.sorted where query.signatureField(parameter) == .contentSHA256 {
      let isRight =
        !hasDigest && query.isSpelled(parameter, .contentSHA256)
        && payload.isSpelled(by: URIEncoding.decode(query.bytes[parameter.value]))
      hasDigest = true
      if isRight { continue }
      throw SigV4.SigningError(
        .conflictingHeader,
        """
        the parameter X-Amz-Content-Sha256 of the URL says \(quoted: query.bytes[parameter.value]), and \
        something else is signed of the body, or it is spelled in another case or there twice, so the \
        server would refuse it; leave the parameter out, or give the request the payload that it names
        """)
    }
  }

  /// Refuses a header whose value a URL has in a parameter.
  private func checkNotHeader(
    _ field: SigV4.SignatureField, _ request: SigV4.Request
  ) throws(SigV4.SigningError) {
    if request.storage.canonicalHeaders.line(named: field.header) == nil { return }
    throw SigV4.SigningError(
      .conflictingHeader,
      """
      the request sets the header \(field.header), which a presigned URL has as a parameter, so its \
      holder would have to send both; leave the header out
      """)
  }

  package func checkCredentials(at timestamp: SigV4.Timestamp) throws(SigV4.SigningError) {
    if let expiration = storage.identity.expiration, expiration <= timestamp {
      throw SigV4.SigningError(
        .credentialsExpired,
        """
        the credentials \(identity.accessKeyID) expired at \(expiration.textBytes), and the request is \
        to be signed at \(timestamp.textBytes); get new credentials, or correct the clock
        """)
    }
  }

  /// Refuses a URL that does not say how long it lives, where it has to.
  func checkNoLifetime() throws(SigV4.SigningError) {
    if case .required = service.lifetimeRule {
      throw SigV4.SigningError(
        .lifetimeRequired,
        """
        a presigned URL of \(service.name) needs a lifetime; presign it with validFor: 1 to 604800 \
        seconds
        """)
    }
  }

  /// Refuses a lifetime that the service, or the end of the credentials, does not allow.
  ///
  /// Returns when it ends, in Unix time.
  @discardableResult
  func checkLifetime(
    _ seconds: Int, at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> Int64 {
    if case .unsupported = service.lifetimeRule {
      throw SigV4.SigningError(
        .lifetimeNotSupported,
        """
        \(service.name) refuses a presigned URL that has a lifetime (X-Amz-Expires); \
        presign without validFor
        """)
    }
    if seconds < 1 || seconds > 604_800 {
      throw SigV4.SigningError(
        .invalidLifetime,
        """
        a presigned URL cannot be valid for \(seconds) seconds; ask for 1 to 604800, which is \
        seven days
        """)
    }
    let end = try timestamp.unixSeconds(after: Int64(seconds))
    if let expiration = storage.identity.expiration, timestamp < expiration,
      expiration.unixSeconds < end
    {
      throw SigV4.SigningError(
        .outlivesCredentials,
        """
        the URL would be valid until \(SigV4.Timestamp(checked: end).text), but the credentials \
        \(identity.accessKeyID) expire at \(expiration.text) and the URL ends with them; ask for \
        \(expiration.unixSeconds &- timestamp.unixSeconds) seconds at most, or use credentials \
        that live longer
        """)
    }
    return end
  }
}

extension SigV4.Request {
  /// Refuses a request that carries a signature, which a second one would only contradict. A URL that is
  /// about to be signed may say what its body is.
  func checkNotSigned(
    _ placement: SigV4.Preparer.Placement
  ) throws(SigV4.SigningError) {
    var isURL = false
    if case .url = placement { isURL = true }
    let reserved = storage.query.sorted.first { parameter in
      guard let field = storage.query.signatureField(parameter) else { return false }
      return field != .contentSHA256 || !isURL
    }
    let header = storage.canonicalHeaders.line(named: "authorization")
    if reserved == nil && header == nil { return }
    var place: UTF8Text = "an Authorization header"
    if let reserved { place = "the query parameter \(quoted: storage.query.bytes[reserved.name])" }
    throw SigV4.SigningError(
      .alreadySigned,
      """
      the request carries \(place) already, and services refuse what is signed twice; sign the \
      request as it was before, without it
      """)
  }
}

extension ArraySlice<UInt8> {
  fileprivate func beginsWith(_ beginning: StaticString) -> Bool {
    prefix(beginning.utf8CodeUnitCount).spells(beginning)
  }

  fileprivate func endsWith(_ end: StaticString) -> Bool {
    suffix(end.utf8CodeUnitCount).spells(end)
  }
}

extension SigV4.Payload {
  /// Whether trailers follow the body: S3's forms of chunked uploads that have them end so.
  fileprivate var announcesTrailers: Bool {
    guard case .literal(let value) = kind else { return false }
    let end: StaticString = "-TRAILER"
    return value.bytesInUTF8.suffix(end.utf8CodeUnitCount).spells(end)
  }

  /// Whether a text is what is signed of the body.
  fileprivate func isSpelled(by text: [UInt8]) -> Bool {
    var bytes: [UInt8] = []
    bytes.append(upTo: byteCount) { append(to: &$0) }
    return bytes == text
  }
}

extension SigV4.Query {
  /// The part of a signature that a parameter names, in any case.
  fileprivate func signatureField(_ parameter: SigV4.FieldRange) -> SigV4.SignatureField? {
    SigV4.SignatureField(parameter: bytes[parameter.name])
  }

  /// Whether a parameter has the name of a part of a signature as it is written.
  fileprivate func isSpelled(
    _ parameter: SigV4.FieldRange, _ field: SigV4.SignatureField
  ) -> Bool {
    bytes[parameter.name].spells(field.parameter)
  }
}
