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

    /// How the string to sign becomes a signature.
    public var algorithm: SignatureAlgorithm { storage.algorithm }

    /// A preparer for one identity, region and service.
    ///
    /// Throws `invalidRegion` unless the region consists of ASCII letters, digits, '-', '_' and '.'.
    public init(
      identity: Identity, region: String, service: Service,
      algorithm: SignatureAlgorithm = .hmacSHA256
    ) throws(SigningError) {
      if algorithm.scopeHasRegion || !region.utf8.isEmpty {
        try CredentialScope.checkRegion(region)
      }
      storage = Storage(
        identity: identity, region: region, service: service, algorithm: algorithm)
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
      let unsignedInHeaders: UnsignedHeaders
      let unsignedInURLs: UnsignedHeaders

      init(
        identity: Identity, region: String, service: Service, algorithm: SignatureAlgorithm
      ) {
        self.identity = identity
        self.region = region
        self.service = service
        self.algorithm = algorithm
        texts = ScopeTexts(
          algorithm, accessKeyID: identity.accessKeyID, region: region, service: service.name)
        unsignedInHeaders = service.headersNeverSigned
        unsignedInURLs = service.headersNeverSigned.union(.inPresignedURLs)
      }
    }
  }
}

extension SigV4.Preparer {
  /// SigV4, steps 1 to 3, for a signature in the headers.
  package func writeStringToSign(
    for request: SigV4.Request, at time: SigV4.Timestamp, in buffer: inout SigV4.SigningBuffer
  ) throws(SigV4.SigningError) {
    buffer.removeAll()
    try check(request, at: time)
    let payload = request.storage.payload.declaredInHeaders(storage.service.payloadRule)
    try addHeaders(to: request, at: time, payload, in: &buffer)
    buffer.writeHeaders(request.storage.canonicalHeaders, leavingOut: storage.unsignedInHeaders)
    buffer.writeCanonicalRequest(
      request.storage.method, request.storage.path, storage.service.pathRule,
      request.storage.query, payload.payload)
    buffer.writeStringToSign(storage.texts, at: time)
  }

  /// SigV4, step 6, for a signature in the headers: the Authorization header, and a session token that
  /// is sent without being signed.
  package func writeAuthorization(
    _ signature: SigV4.Signature, for request: SigV4.Request, at time: SigV4.Timestamp,
    in buffer: inout SigV4.SigningBuffer
  ) {
    let texts = storage.texts
    buffer.authorizationBytes.reserve(256 + buffer.signedHeaders.count)
    buffer.authorizationBytes.append(bytes: texts.credentialField)
    time.appendDay(to: &buffer.authorizationBytes)
    buffer.authorizationBytes.append(bytes: texts.signedHeadersField)
    buffer.authorizationBytes.append(bytes: buffer.signedHeaders)
    buffer.authorizationBytes.appendUTF8(", Signature=")
    signature.append(hexadecimalTo: &buffer.authorizationBytes)
    let rule = storage.service.sessionTokenRule
    if !rule.isSigned, let token = storage.identity.sessionTokenBytes,
      request.storage.canonicalHeaders.line(ofSignature: rule.header) == nil
    {
      buffer.unsignedHeader = (rule.header, token)
    }
  }

  /// SigV4, steps 1 to 3, for a signature in the URL. Nil is the lifetime of a service whose URLs do
  /// not say how long they live.
  package func writeStringToSign(
    forURLOf request: SigV4.Request, lifetime: Int?, at time: SigV4.Timestamp,
    in buffer: inout SigV4.SigningBuffer
  ) throws(SigV4.SigningError) {
    buffer.removeAll()
    try check(request, at: time)
    let payload = request.storage.payload.declaredInURL(storage.service.payloadRule)
    try addHeaders(toURLOf: request, at: time, payload, in: &buffer)
    buffer.writeHeaders(request.storage.canonicalHeaders, leavingOut: storage.unsignedInURLs)
    addParameters(lifetime: lifetime, at: time, in: &buffer)
    buffer.writeCanonicalRequest(
      request.storage.method, request.storage.path, storage.service.pathRule,
      request.storage.query, payload.payload)
    buffer.writeStringToSign(storage.texts, at: time)
  }

  /// SigV4, step 6, for a signature in the URL: the URL with the signature, and after it a session token
  /// that is not signed.
  package func writeURL(
    _ signature: SigV4.Signature, for request: SigV4.Request, in buffer: inout SigV4.SigningBuffer
  ) {
    let path = request.path.wire(storage.service.pathRule)
    buffer.urlBytes.reserve(
      256 + request.storage.host.count + path.count + request.query.bytes.count
        + buffer.addedParameters.bytes.count)
    buffer.urlBytes.appendUTF8(request.scheme.text)
    buffer.urlBytes.appendUTF8("://")
    buffer.urlBytes.append(bytes: request.storage.host)
    buffer.targetStart = buffer.urlBytes.count
    buffer.urlBytes.append(bytes: path)
    buffer.urlBytes.append(byte: ASCIIByte.questionMark)
    buffer.urlBytes.append(bytes: request.query.bytes)
    if !request.query.isEmpty { buffer.urlBytes.append(byte: ASCIIByte.ampersand) }
    buffer.urlBytes.append(bytes: buffer.addedParameters.bytes)
    buffer.urlBytes.appendUTF8("X-Amz-Signature=")
    buffer.signatureStart = buffer.urlBytes.count
    signature.append(hexadecimalTo: &buffer.urlBytes)
    let rule = storage.service.sessionTokenRule
    if !rule.isSigned, let token = storage.identity.sessionTokenBytes {
      buffer.urlBytes.append(byte: ASCIIByte.ampersand)
      buffer.urlBytes.appendUTF8(rule.parameter)
      buffer.urlBytes.append(byte: ASCIIByte.equals)
      token.append(percentEncodedTo: &buffer.urlBytes)
    }
  }
}

extension SigV4.Preparer {
  /// The headers that signing adds, in the order of their names.
  private func addHeaders(
    to request: SigV4.Request, at time: SigV4.Timestamp, _ payload: SigV4.Payload.Declaration,
    in buffer: inout SigV4.SigningBuffer
  ) throws(SigV4.SigningError) {
    try buffer.add(
      "x-amz-content-sha256", .payload(payload.payload), to: request, isSent: payload.isHeader)
    try buffer.add("x-amz-date", .time(time), to: request, isSent: true)
    for addition in storage.algorithm.additions {
      try buffer.add(addition.header, .text(addition.value), to: request, isSent: true)
    }
    if let token = storage.identity.sessionTokenBytes {
      let rule = storage.service.sessionTokenRule
      try buffer.add(rule.header, .secret(token), to: request, isSent: rule.isSigned)
    }
  }

  /// The same for a URL, which has the other values in its parameters: headers of the request may not
  /// contradict them.
  private func addHeaders(
    toURLOf request: SigV4.Request, at time: SigV4.Timestamp,
    _ payload: SigV4.Payload.Declaration, in buffer: inout SigV4.SigningBuffer
  ) throws(SigV4.SigningError) {
    try buffer.add(
      "x-amz-content-sha256", .payload(payload.payload), to: request, isSent: payload.isHeader)
    try buffer.add("x-amz-date", .time(time), to: request, isSent: false)
    for addition in storage.algorithm.additions {
      try buffer.add(addition.header, .text(addition.value), to: request, isSent: false)
    }
    if let token = storage.identity.sessionTokenBytes {
      try buffer.add(
        storage.service.sessionTokenRule.header, .secret(token), to: request, isSent: false)
    }
  }

  /// The parameters that presigning adds, in the order of their names. The headers are written already.
  private func addParameters(
    lifetime: Int?, at time: SigV4.Timestamp, in buffer: inout SigV4.SigningBuffer
  ) {
    let texts = storage.texts
    var start = buffer.beginParameter("X-Amz-Algorithm")
    buffer.addedParameters.bytes.append(bytes: texts.algorithmName)
    buffer.endParameter("X-Amz-Algorithm", valueStart: start)

    start = buffer.beginParameter("X-Amz-Credential")
    buffer.addedParameters.bytes.append(bytes: texts.encodedAccessKeyID)
    time.appendDay(to: &buffer.addedParameters.bytes)
    buffer.addedParameters.bytes.append(bytes: texts.encodedScopeEnd)
    buffer.endParameter("X-Amz-Credential", valueStart: start)

    start = buffer.beginParameter("X-Amz-Date")
    time.append(to: &buffer.addedParameters.bytes)
    buffer.endParameter("X-Amz-Date", valueStart: start)

    if let lifetime {
      start = buffer.beginParameter("X-Amz-Expires")
      buffer.addedParameters.bytes.append(decimal: lifetime)
      buffer.endParameter("X-Amz-Expires", valueStart: start)
    }
    for addition in storage.algorithm.additions {
      start = buffer.beginParameter(addition.parameter)
      URIEncoding.append(addition.value.bytesInUTF8, to: &buffer.addedParameters.bytes)
      buffer.endParameter(addition.parameter, valueStart: start)
    }
    let rule = storage.service.sessionTokenRule
    if rule.isSigned, let token = storage.identity.sessionTokenBytes {
      start = buffer.beginParameter(rule.parameter)
      token.append(percentEncodedTo: &buffer.addedParameters.bytes)
      buffer.endParameter(rule.parameter, valueStart: start)
    }
    start = buffer.beginParameter("X-Amz-SignedHeaders")
    URIEncoding.append(buffer.signedHeaders, to: &buffer.addedParameters.bytes)
    buffer.endParameter("X-Amz-SignedHeaders", valueStart: start)
  }
}

extension SigV4.SigningBuffer {
  /// The value of a header that signing adds.
  enum AddedValue {
    case payload(SigV4.Payload)
    case time(SigV4.Timestamp)
    case text(String)
    case secret(SymmetricKey)
  }

  /// Adds a header, unless the request has it already or it is not to be sent. Refuses a request that
  /// has it with another value.
  mutating func add(
    _ name: StaticString, _ value: AddedValue, to request: SigV4.Request, isSent: Bool
  ) throws(SigV4.SigningError) {
    let given = request.storage.canonicalHeaders.line(ofSignature: name)
    if given == nil && !isSent { return }
    let start = addedHeaders.begin(name, ASCIIByte.colon)
    switch value {
    case .payload(let payload): payload.append(to: &addedHeaders.bytes)
    case .time(let time): time.append(to: &addedHeaders.bytes)
    case .text(let text): addedHeaders.bytes.appendUTF8(text)
    case .secret(let token):
      unsafe token.withUnsafeBytes { unsafe addedHeaders.bytes.append(contentsOf: $0) }
    }
    guard let given else {
      return addedHeaders.end(name, valueStart: start, ASCIIByte.newline)
    }
    let givenValue = request.storage.canonicalHeaders.bytes[given.value]
    if !ConstantTime.equal(givenValue, addedHeaders.bytes[start...]) {
      throw conflict(name, value, addedHeaders.bytes[start...])
    }
    addedHeaders.cancel()
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

  /// Begins a parameter that presigning adds; returns where its value begins.
  mutating func beginParameter(_ name: StaticString) -> Int {
    addedParameters.begin(name, ASCIIByte.equals)
  }

  mutating func endParameter(_ name: StaticString, valueStart: Int) {
    addedParameters.end(name, valueStart: valueStart, ASCIIByte.ampersand)
  }
}

extension SymmetricKey {
  /// Appends a session token as the value of a parameter.
  func append(percentEncodedTo text: inout [UInt8]) {
    unsafe withUnsafeBytes { unsafe URIEncoding.append($0, to: &text) }
  }
}
