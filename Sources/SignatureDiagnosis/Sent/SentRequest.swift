// SPDX-License-Identifier: Apache-2.0
// A signed request that was already sent, to be explained without its signer.

public import RequestSigning
internal import SecureHashing

extension SigV4 {
  /// A signed request that was already sent, to compare with the server's response.
  ///
  ///     let sent = try SigV4.SentRequest(url: failed)
  ///     print(SigV4.ServiceError(body).diagnosis(for: sent))
  ///
  /// Use it if only the presigned URL, or the request with its Authorization header, is left. Both
  /// contain the time, scope and names of the signed headers, so nothing is signed again. With the
  /// credentials that signed it, the diagnosis can tell a changed request from a wrong secret.
  /// Signatures in the names of Google Cloud Storage or TOS aren't supported.
  public struct SentRequest: Sendable {
    /// The time of the signature.
    public let timestamp: Timestamp

    /// When the presigned URL expires. Nil for a signature in the headers.
    public let expiration: Timestamp?

    /// The date, region and service of the signature.
    public let credentialScope: CredentialScope

    /// The names of signed headers that weren't passed to the initializer.
    public let missingHeaders: [String]

    let identity: Identity
    let signature: String
    let credentials: Credentials?

    /// The sent method, if it's known.
    let method: String?

    /// Whether the signature is in the URL.
    let isInURL: Bool

    private let isOfRegionSet: Bool
    private let request: Request
    private let service: Service
    private let payload: Payload
    private let headers: [SignedHeader]

    /// The names of headers that were sent, that stores require to be signed, and that aren't.
    private let unsignedHeaders: [String]

    /// Parses the signature of a request.
    ///
    /// - Parameters:
    ///   - method: the HTTP method that was sent. If you don't know it, pass nil and the
    ///     credentials: they can identify the signed method.
    ///   - url: the URL that was sent.
    ///   - headers: the headers that were sent, except Host.
    ///   - payload: the body that was sent. URLs of S3 don't sign it.
    ///   - credentials: the credentials that signed the request, if you know them.
    ///
    /// - Throws: `invalidURL` or `invalidSignature` if there's no complete signature, or it has
    ///   another store's names, and the errors of `Request`, `Timestamp` and `CredentialScope`.
    public init(
      _ method: String? = nil, url: String, headers: Headers = [:], payload: Payload = .empty,
      madeWith credentials: Credentials? = nil
    ) throws(SigningError) {
      let request = try Request(method ?? "GET", url: url, headers: headers)
      let fields = SentFields(of: request)
      try fields.checkNames()
      let credential = try fields.required(.credential)
      isInURL = fields.isInURL
      isOfRegionSet =
        fields[.algorithm]?[...].spells(SignatureAlgorithm.ecdsaP256SHA256.name) == true
      let partCount = isOfRegionSet ? 3 : 4
      guard let slash = credential.lastIndex(of: ASCIIByte.slash, count: partCount) else {
        throw fields.incomplete(.credential)
      }
      timestamp = try Timestamp(fields.required(.date).textInUTF8)
      credentialScope = try CredentialScope(
        bytes: credential[(slash + 1)...], hasRegion: !isOfRegionSet)
      service = try Service.named(credentialScope.service)
      identity = try Identity(
        accessKeyID: credential[..<slash].textInUTF8,
        sessionToken: fields[service.sessionTokenRule.field]?.textInUTF8)
      signature = try fields.required(.signature).textInUTF8
      let lifetime = fields[.expires].flatMap { Int64($0.textInUTF8) }
      expiration = lifetime.flatMap { [timestamp] in try? timestamp.advanced(bySeconds: $0) }
      let names = try fields.required(.signedHeaders)
      (self.headers, missingHeaders) = Self.signedHeaders(names, of: request)
      unsignedHeaders = Self.unsignedHeaders(names, of: request, service)
      self.payload = Self.signedPayload(payload, fields, service)
      self.request = request
      self.credentials = credentials
      self.method = method
    }
  }
}

extension SigV4.SentRequest {
  /// The common HTTP method that results in the signature of the request, or nil.
  func signedMethod(_ values: [(name: String, value: [UInt8])]) -> String? {
    ["GET", "PUT", "HEAD", "POST", "DELETE", "PATCH"].first {
      isIntact(signed(values, method: $0)) == true
    }
  }

  /// The canonical request and string to sign (SigV4, steps 1 and 3), with these values for the
  /// missing headers.
  func signed(
    _ values: [(name: String, value: [UInt8])], method: String
  ) -> SigV4.Diagnosis.Signed {
    let message = message(
      method, headers + values.map { SignedHeader(name: Array($0.name.utf8), value: $0.value) })
    let steps = SigV4.ReceivedSteps(
      message.shape, message.memory.bytes.span, service.pathRule, .payload(payload),
      isOfRegionSet
        ? SigV4.SignatureAlgorithm.ecdsaP256SHA256.name : SignatureNames.aws.algorithm,
      scope: ContiguousArray(credentialScope.text.utf8).span, at: timestamp)
    return SigV4.Diagnosis.Signed(
      canonicalRequest: steps.canonicalRequest.bytes, stringToSign: steps.stringToSign.bytes,
      scope: credentialScope, signature: signature, timestamp: timestamp, expiration: expiration,
      identity: identity, unsignedHeaders: unsignedHeaders)
  }

  /// The request with these headers, and without the signature.
  private func message(_ method: String, _ headers: [SignedHeader]) -> RequestMessage {
    var message = RequestMessage()
    let source = request.message
    var shape = MessageShape()
    shape.fieldCapacity = headers.count + source.shape.parameters.count
    let byteCount = headers.reduce(method.utf8.count) { $0 + $1.name.count + $1.value.count + 2 }
    message.memory.reserve(shape.textStart + byteCount + source.memory.bytes.count)
    var text = message.memory.bytes.mutableSpan
    var end = shape.textStart
    text.append(method, &end)
    shape.method = shape.textStart..<end
    for header in headers {
      let (name, value) = (header.name[...], header.value[...])
      // Fields that HTTP doesn't allow weren't sent.
      let field = try? text.readHeader(
        received: name.span, value.span, isAuthority: false, &end)
      if let field { shape.addHeader(field, &text) }
    }
    shape.copyPath(source.shape, of: source.memory, &text, &end)
    shape.copyQuery(source.shape, of: source.memory, &text, &end)
    shape.sort(&text)
    let rule = service.sessionTokenRule
    shape.removeParameters(from: &text) { name in
      name.spells(SignatureField.signature.parameter)
        || !rule.isSigned && name.spells(rule.field.parameter)
    }
    message.shape = shape
    return message
  }

  /// Whether the known credentials result in the signature of the request. Nil if they have a
  /// different access key ID, and for SigV4a.
  func isIntact(_ signed: SigV4.Diagnosis.Signed) -> Bool? {
    guard let credentials, !isOfRegionSet,
      credentials.accessKeyID == identity.accessKeyID
    else {
      return nil
    }
    let key = SigV4.SigningKey(credentials, scope: credentialScope)
    let ours = key.signature(of: signed.stringToSign).hexString
    return ASCIIByte.equalIgnoringCase(ours.utf8, signature.utf8)
  }

  private static func signedHeaders(
    _ names: [UInt8], of request: SigV4.Request
  ) -> ([SignedHeader], missing: [String]) {
    var fields: [SignedHeader] = []
    var missing: [String] = []
    for name in names.split(separator: ASCIIByte.semicolon) {
      let values =
        name.spells("host")
        ? [request.host] : request.headers.values(named: name.textInUTF8)
      fields += values.map { SignedHeader(name: Array(name), value: Array($0.utf8)) }
      if values.isEmpty { missing.append(name.textInUTF8) }
    }
    return (fields, missing)
  }

  /// Amazon S3 requires signatures of x-amz-*, and some stores of Content-Type.
  private static func unsignedHeaders(
    _ names: [UInt8], of request: SigV4.Request, _ service: SigV4.Service
  ) -> [String] {
    let signed = names.split(separator: ASCIIByte.semicolon)
    let rule = service.sessionTokenRule
    var found: [String] = []
    for header in request.headers {
      let name = header.name.lowercased()
      let isAdded = !rule.isSigned && Array(name.utf8)[...].spells(rule.field.header)
      let needsSignature = name == "content-type" || name.hasPrefix("x-amz-")
      if needsSignature && !isAdded && !found.contains(name)
        && !signed.contains(where: { $0.elementsEqual(name.utf8) })
      {
        found.append(name)
      }
    }
    return found
  }

  /// The payload in the last line of the canonical request.
  private static func signedPayload(
    _ payload: SigV4.Payload, _ fields: SentFields, _ service: SigV4.Service
  ) -> SigV4.Payload {
    if let declared = fields[.contentSHA256] {
      return SigV4.Payload(kind: .literal(declared.textInUTF8))
    }
    let isUnsigned =
      service.payloadRule == .unsigned
      || fields.isInURL && service.payloadRule == .declaredExceptInURLs
    return isUnsigned ? .unsigned : payload
  }
}

/// The parts of a signature, from a presigned URL's query or from the headers.
private struct SentFields {
  let isInURL: Bool
  private let query: SigV4.Query
  private let headers: SigV4.Headers

  /// The algorithm, `Credential=...`, `SignedHeaders=...` and `Signature=...`.
  private let authorization: [ArraySlice<UInt8>]

  init(of request: SigV4.Request) {
    query = request.query
    headers = request.headers
    let value = headers.values(named: "Authorization").first
    isInURL =
      value == nil
      || query.parameters.contains {
        SignatureNames.aws.field(parameter: $0.name.span) == .signature
      }
    authorization = (value?.bytesInUTF8 ?? []).split {
      [ASCIIByte.space, ASCIIByte.comma].contains($0)
    }
  }

  /// The decoded value. A header may declare the payload of a presigned URL.
  subscript(field: SignatureField) -> [UInt8]? {
    let header = headers.values(named: field.header.description).first?.bytesInUTF8
    if isInURL {
      let value = query.parameters.first {
        SignatureNames.aws.field(parameter: $0.name.span) == field
      }
      .map { URIEncoding.decode($0.value) }
      return field == .contentSHA256 ? header ?? value : value
    }
    switch field {
    case .algorithm: return authorization.first.map { Array($0) }
    case .credential: return part("Credential=")
    case .signedHeaders: return part("SignedHeaders=")
    case .signature: return part("Signature=")
    case .date: return header ?? date
    default: return header
    }
  }

  private func part(_ name: String) -> [UInt8]? {
    authorization.first { $0.starts(with: name.utf8) }.map { Array($0.dropFirst(name.utf8.count)) }
  }

  /// The Date header in the format of x-amz-date.
  private var date: [UInt8]? {
    headers.values(named: "Date").first.map { date in
      ((try? SigV4.Timestamp(httpDate: date).text) ?? date).bytesInUTF8
    }
  }

  /// Throws for a signature in a store's own names. Only AWS's are read.
  func checkNames() throws(SigV4.SigningError) {
    for names in SignatureNames.allCases where names != .aws && isSigned(names) {
      throw SigV4.SigningError(
        isInURL ? .invalidURL : .invalidSignature,
        """
        The request is signed with \(names.algorithm) and \(names.parameterPrefix)* names, but \
        only AWS's names can be read from a sent request.
        """, fix: "Pass the signed request itself, or sign with AWS's names.")
    }
  }

  private func isSigned(_ names: SignatureNames) -> Bool {
    if !isInURL { return authorization.first?.spells(names.algorithm) == true }
    return self[.credential] == nil
      && query.parameters.contains { names.field(parameter: $0.name.span) != nil }
  }

  func required(_ field: SignatureField) throws(SigV4.SigningError) -> [UInt8] {
    guard let value = self[field], !value.isEmpty else { throw incomplete(field) }
    return value
  }

  func incomplete(_ field: SignatureField) -> SigV4.SigningError {
    if isInURL {
      return SigV4.SigningError(
        .invalidURL,
        """
        The request has no Authorization header, and its URL isn't a complete presigned URL: \
        \(field.parameter) is missing or truncated.
        """, fix: "Check for a shell that interpreted '&', or a partly copied URL.")
    }
    return SigV4.SigningError(
      .invalidSignature,
      """
      The Authorization header has no complete signature: the part for \(field.parameter) is \
      missing.
      """, fix: "Pass the signed request.")
  }
}

/// A signed header.
private struct SignedHeader {
  let name: [UInt8]
  let value: [UInt8]
}

extension SigV4.SentRequest: CustomStringConvertible {
  /// The time and the scope, without the signature and the session token.
  public var description: String { "SentRequest(\(timestamp.text), \(credentialScope.text))" }
}

extension SigV4.SentRequest: Redacted {}

extension [UInt8] {
  /// The position of a byte, counting from the end, since an access key ID may also contain it.
  fileprivate func lastIndex(of byte: UInt8, count: Int) -> Int? {
    indices.reversed().filter { self[$0] == byte }.dropFirst(count - 1).first
  }
}
