// SPDX-License-Identifier: Apache-2.0
// SigV4, steps 1 to 3: from a request to its string to sign. Nothing here needs the key.

internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// Makes the string to sign of requests whose key is somewhere else: in an HSM, in another process,
  /// behind a look-up that takes time.
  ///
  ///     let pending = try preparer.prepare(request, at: now)
  ///     let signature = try SigV4.Signature(hexadecimal: await hsm.sign(pending.stringToSign.bytes))
  ///     let signed = pending.signed(with: signature)
  public struct Preparer: Sendable {
    let storage: Storage

    /// Who signs.
    public var identity: Identity { storage.identity }

    /// The region in the credential scope.
    public var region: String { storage.region }

    /// The service and its rules.
    public var service: Service { storage.service }

    /// The algorithm, which decides on the scope and may add headers or parameters.
    package var algorithm: SignatureAlgorithm { storage.algorithm }

    /// A preparer for one identity, region and service.
    ///
    /// Throws `invalidRegion` unless the region consists of ASCII letters, digits, '-', '_' and '.'.
    public init(identity: Identity, region: String, service: Service) throws(SigningError) {
      try CredentialScope.checkRegion(region)
      storage = Storage(
        identity: identity, region: region, service: service, algorithm: .hmacSHA256)
    }

    /// A preparer for an algorithm whose scope has no region.
    package init(identity: Identity, service: Service, algorithm: SignatureAlgorithm) {
      storage = Storage(identity: identity, region: "", service: service, algorithm: algorithm)
    }

    /// The credential scope of a day.
    public func scope(at timestamp: Timestamp) -> CredentialScope {
      CredentialScope(
        dayOf: timestamp, checkedRegion: algorithm.scopeHasRegion ? region : "",
        checkedService: service.name)
    }

    /// What does not depend on the request, which all copies of a preparer share.
    final class Storage: Sendable {
      let identity: Identity
      let region: String
      let service: Service
      let algorithm: SignatureAlgorithm
      let texts: ScopeTexts
      let neverSigned: UnsignedHeaders
      let neverSignedInURLs: UnsignedHeaders

      init(
        identity: Identity, region: String, service: Service, algorithm: SignatureAlgorithm
      ) {
        self.identity = identity
        self.region = region
        self.service = service
        self.algorithm = algorithm
        texts = ScopeTexts(
          algorithm, accessKeyID: identity.accessKeyID, region: region, service: service.name)
        neverSigned = service.headersNeverSigned
        neverSignedInURLs = neverSigned.inURLs
      }
    }
  }
}

extension SigV4.Preparer {
  /// Where a signature stands.
  enum Placement {
    case headers
    /// Nil is the lifetime of a service whose URLs do not say how long they live.
    case url(lifetime: Int?)
  }

  /// What signing adds to a request: headers, or the parameters of a URL. With the first ones the
  /// headers are complete, so that those which are signed are written, too.
  ///
  /// Returns what is signed of the body.
  #if hasFeature(Embedded)  // where stack counts
    @inline(never)
  #endif
  func addFields(
    to request: SigV4.Request, _ placement: Placement, at time: SigV4.Timestamp,
    in buffer: inout SigV4.SigningBuffer
  ) throws(SigV4.SigningError) -> SigV4.Payload {
    try request.checkNotSigned(placement)
    try check(request, at: time)
    let payload = request.storage.payload.declared(placement, storage.service.payloadRule)
    #if !hasFeature(Embedded)  // where size counts
      try check(request, placement, payload.payload)
    #endif
    try addHeaders(to: request, placement, at: time, payload, in: &buffer)
    let headers = request.storage.canonicalHeaders
    switch placement {
    case .headers: buffer.writeHeaders(headers, leavingOut: storage.neverSigned)
    case .url(let lifetime):
      buffer.writeHeaders(headers, leavingOut: storage.neverSignedInURLs)
      addParameters(lifetime: lifetime, at: time, in: &buffer)
    }
    return payload.payload
  }

  /// SigV4, step 1: the canonical request, of what the request has and what was added to it.
  func writeCanonicalRequest(
    of request: SigV4.Request, _ payload: SigV4.Payload, in buffer: inout SigV4.SigningBuffer
  ) {
    buffer.writeCanonicalRequest(
      request.storage.method, request.storage.path, storage.service.pathRule,
      request.storage.query, payload)
  }

  /// SigV4, steps 2 and 3: the string to sign, with the digest of the canonical request.
  #if hasFeature(Embedded)  // where stack counts
    @inline(never)
  #endif
  func writeStringToSign(at time: SigV4.Timestamp, in buffer: inout SigV4.SigningBuffer) {
    let texts = storage.texts
    let digest = SHA256.hash(data: buffer.canonicalRequestBytes)
    let capacity =
      texts.algorithmLine.count + SigV4.Timestamp.byteCount + 1 + SigV4.Timestamp.dayByteCount
      + texts.scopeLineEnd.count + 2 * SHA256.byteCount
    buffer.stringToSignBytes.append(upTo: capacity) { text in
      text.append(bytes: texts.algorithmLine)
      time.append(to: &text)
      text.append(byte: ASCIIByte.newline)
      time.appendDay(to: &text)
      text.append(bytes: texts.scopeLineEnd)
      digest.append(hexadecimalTo: &text)
    }
  }

  /// SigV4, step 6, for a signature in the headers: the Authorization header, and a session token that
  /// is sent without being signed.
  func writeAuthorization(
    _ signature: SigV4.Signature, for request: SigV4.Request, at time: SigV4.Timestamp,
    in buffer: inout SigV4.SigningBuffer
  ) {
    let texts = storage.texts
    let signatureField: StaticString = ", Signature="
    let capacity =
      texts.credentialField.count + SigV4.Timestamp.dayByteCount + texts.signedHeadersField.count
      + buffer.signedHeaders.count + signatureField.utf8CodeUnitCount + signature.hexadecimalCount
    buffer.authorizationBytes.append(upTo: capacity) { text in
      text.append(bytes: texts.credentialField)
      time.appendDay(to: &text)
      text.append(bytes: texts.signedHeadersField)
      text.append(bytes: buffer.signedHeaders)
      text.appendUTF8(signatureField)
      signature.append(hexadecimalTo: &text)
    }
    let rule = storage.service.sessionTokenRule
    if !rule.isSigned, let token = storage.identity.sessionTokenBytes,
      request.storage.canonicalHeaders.line(named: rule.field.header) == nil
    {
      buffer.unsignedHeader = (rule.field.header, token)
    }
  }

  /// SigV4, step 6, for a signature in the URL: the URL with the signature, and after it a session token
  /// that is not signed.
  func writeURL(
    _ signature: SigV4.Signature, for request: SigV4.Request, in buffer: inout SigV4.SigningBuffer
  ) {
    let request = request.storage
    let scheme = request.scheme.text
    let path = request.path.wireRange(storage.service.pathRule)
    let query = request.query.range
    let name = SigV4.SignatureField.signature.parameter
    let target = path.count + query.count + buffer.addedParameters.bytes.count
    let capacity =
      scheme.utf8CodeUnitCount + request.hostRange.count + target + name.utf8CodeUnitCount
      + signature.hexadecimalCount + 6  // the characters between them
    buffer.urlBytes.append(upTo: capacity) { url in
      url.appendUTF8(scheme)
      url.appendUTF8("://")
      url.append(request.hostRange, of: request.canonicalHeaders.bytes)
      buffer.targetStart = url.count
      url.append(path, of: request.path.text)
      url.append(byte: ASCIIByte.questionMark)
      url.append(query, of: request.query.bytes)
      if !query.isEmpty { url.append(byte: ASCIIByte.ampersand) }
      url.append(bytes: buffer.addedParameters.bytes)
      url.appendUTF8(name)
      url.append(byte: ASCIIByte.equals)
      buffer.signatureStart = url.count
      signature.append(hexadecimalTo: &url)
    }
    let rule = storage.service.sessionTokenRule
    if !rule.isSigned, let token = storage.identity.sessionTokenBytes {
      let name = rule.field.parameter
      let capacity = name.utf8CodeUnitCount + 3 * token.byteCount + 2
      buffer.urlBytes.append(upTo: capacity) { url in
        url.append(byte: ASCIIByte.ampersand)
        url.appendUTF8(name)
        url.append(byte: ASCIIByte.equals)
        token.append(percentEncodedTo: &url)
      }
    }
  }
}

extension SigV4.Preparer {
  /// The headers that signing adds, in the order of their names. A URL has most of these values in its
  /// parameters; headers of the request may not contradict them.
  private func addHeaders(
    to request: SigV4.Request, _ placement: Placement, at time: SigV4.Timestamp,
    _ payload: SigV4.Payload.Declaration, in buffer: inout SigV4.SigningBuffer
  ) throws(SigV4.SigningError) {
    var isInHeaders = false
    if case .headers = placement { isInHeaders = true }
    try buffer.addHeader(
      SigV4.SignatureField.contentSHA256.header, .payload(payload.payload), to: request,
      ifAbsent: payload.isHeader)
    try buffer.addHeader(
      SigV4.SignatureField.date.header, .time(time), to: request, ifAbsent: isInHeaders)
    for addition in storage.algorithm.additions {
      try buffer.addHeader(
        addition.field.header, .text(addition.value), to: request, ifAbsent: isInHeaders)
    }
    if let token = storage.identity.sessionTokenBytes {
      let rule = storage.service.sessionTokenRule
      try buffer.addHeader(
        rule.field.header, .secret(token), to: request, ifAbsent: rule.isSigned && isInHeaders)
    }
  }

  /// The parameters that presigning adds, in the order of their names. The headers are written already.
  private func addParameters(
    lifetime: Int?, at time: SigV4.Timestamp, in buffer: inout SigV4.SigningBuffer
  ) {
    let texts = storage.texts
    buffer.addParameter(.algorithm, upTo: texts.algorithmName.count) {
      $0.append(bytes: texts.algorithmName)
    }
    let credentialCount =
      texts.encodedAccessKeyID.count + SigV4.Timestamp.dayByteCount + texts.encodedScopeEnd.count
    buffer.addParameter(.credential, upTo: credentialCount) {
      $0.append(bytes: texts.encodedAccessKeyID)
      time.appendDay(to: &$0)
      $0.append(bytes: texts.encodedScopeEnd)
    }
    buffer.addParameter(.date, upTo: SigV4.Timestamp.byteCount) { time.append(to: &$0) }
    if let lifetime {
      buffer.addParameter(.expires, upTo: 19) { $0.append(decimal: lifetime) }
    }
    for addition in storage.algorithm.additions {
      buffer.addParameter(addition.field, upTo: 3 * addition.value.byteCountInUTF8) { text in
        unsafe addition.value.withBytesInUTF8 { unsafe URIEncoding.append($0, to: &text) }
      }
    }
    let rule = storage.service.sessionTokenRule
    if rule.isSigned, let token = storage.identity.sessionTokenBytes {
      buffer.addParameter(rule.field, upTo: 3 * token.byteCount) {
        token.append(percentEncodedTo: &$0)
      }
    }
    let signedHeaders = buffer.signedHeaders
    buffer.addParameter(.signedHeaders, upTo: 3 * signedHeaders.count) {
      URIEncoding.append(signedHeaders, to: &$0)
    }
  }
}

extension SigV4.SigningBuffer {
  /// The value of a header that signing adds.
  enum AddedValue {
    case payload(SigV4.Payload)
    case time(SigV4.Timestamp)
    case text(String)
    case secret(SymmetricKey)

    var byteCount: Int {
      switch self {
      case .payload(let payload): payload.byteCount
      case .time: SigV4.Timestamp.byteCount
      case .text(let text): text.byteCountInUTF8
      case .secret(let token): token.byteCount
      }
    }

    func append(to text: inout OutputSpan<UInt8>) {
      switch self {
      case .payload(let payload): payload.append(to: &text)
      case .time(let time): time.append(to: &text)
      case .text(let value): text.appendUTF8(value)
      case .secret(let token):
        unsafe token.withUnsafeBytes { unsafe text.append(bytes: $0) }
      }
    }
  }

  /// Adds a header if the request does not have it and `ifAbsent` says so. Refuses a request that has it
  /// with another value.
  mutating func addHeader(
    _ name: StaticString, _ value: AddedValue, to request: SigV4.Request, ifAbsent: Bool
  ) throws(SigV4.SigningError) {
    let given = request.storage.canonicalHeaders.line(named: name)
    if given == nil && !ifAbsent { return }
    addedHeaders.append(name, ASCIIByte.colon, ASCIIByte.newline, upTo: value.byteCount) {
      value.append(to: &$0)
    }
    guard let given, let added = addedHeaders.fields.last else { return }
    let (givenValue, addedValue) = (
      request.storage.canonicalHeaders.bytes[given.value], addedHeaders.bytes[added.value]
    )
    if !ConstantTime.equal(givenValue, addedValue) { throw conflict(name, value, addedValue) }
    addedHeaders.removeLast()
  }

  private func conflict(
    _ name: StaticString, _ value: AddedValue, _ signed: ArraySlice<UInt8>
  ) -> SigV4.SigningError {
    var shown: UTF8Text = "\(quoted: signed)"
    if case .secret = value { shown = "that of the credentials" }
    return SigV4.SigningError(
      .conflictingHeader,
      """
      the request sets the header \(name) to another value than the one that is signed, \(shown), or \
      sets it twice, so the server would refuse it; leave the header out, or give the timestamp, \
      payload or credentials that belong to it
      """)
  }

  /// Adds a parameter, whose value takes `capacity` bytes at most.
  #if !hasFeature(Embedded)  // where size counts
    @inline(__always)
  #endif
  mutating func addParameter(
    _ field: SigV4.SignatureField, upTo capacity: Int, _ value: (inout OutputSpan<UInt8>) -> Void
  ) {
    addedParameters.append(
      field.parameter, ASCIIByte.equals, ASCIIByte.ampersand, upTo: capacity, value)
  }
}

extension SymmetricKey {
  /// Appends a session token as the value of a parameter.
  func append(percentEncodedTo text: inout OutputSpan<UInt8>) {
    unsafe withUnsafeBytes { unsafe URIEncoding.append($0, to: &text) }
  }
}
