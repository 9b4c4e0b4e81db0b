// SPDX-License-Identifier: Apache-2.0
// A presigned URL as it was sent: what it says that was signed, also by another signer.

public import RequestSigning
internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// A presigned URL as it was sent, to be compared with the server's answer.
  ///
  ///     let sent = try SigV4.SentURL(url: failed)
  ///     print(SigV4.Mismatch(SigV4.Mismatch.Answer(body), to: sent))
  ///
  /// Time, lifetime, region (or the set of regions), service and the names of the signed headers stand in the URL, so nothing
  /// has to be signed again. With the credentials that made it, a changed URL is told from a wrong
  /// secret, too.
  public struct SentURL: Sendable {
    /// When the URL was made, as it says.
    public let timestamp: Timestamp

    /// When it ends; nil when it does not say so.
    public let expiration: Timestamp?

    /// Day, region and service of the key that signed, as it says.
    public let credentialScope: CredentialScope

    /// Signed headers that were not given here.
    public let missingHeaders: [String]

    let identity: Identity
    let signature: String
    let credentials: Credentials?

    /// The method that was given.
    let method: String?

    private let isOfRegionSet: Bool
    private let request: Request
    private let service: Service
    private let payload: Payload
    private let headers: [SignedHeader]

    /// A presigned URL, and how it was sent.
    ///
    /// - Parameters:
    ///   - method: the one that was sent. If it's nil, the credentials find the one that was signed.
    ///   - url: as it was sent.
    ///   - headers: those that were sent with it, apart from Host.
    ///   - payload: the body that was sent; URLs of S3 do not sign it.
    ///   - credentials: those that made the URL, when they are known.
    ///
    /// Throws `invalidURL` when the URL carries no signature, or an incomplete one, and what
    /// `Request`, `Timestamp` and `CredentialScope` throw.
    public init(
      _ method: String? = nil, url: String, headers: Headers = [:], payload: Payload = .empty,
      madeWith credentials: Credentials? = nil
    ) throws(SigningError) {
      let request = try Request(method ?? "GET", url: url, headers: headers)
      let parameters = Parameters(request.query)
      let credential = try parameters.required(.credential)
      isOfRegionSet =
        parameters[.algorithm]?[...].spells(SignatureAlgorithm.ecdsaP256SHA256Name) == true
      let partCount = isOfRegionSet ? 3 : 4
      guard let slash = credential.lastIndex(of: ASCIIByte.slash, count: partCount) else {
        throw Parameters.incomplete(.credential)
      }
      timestamp = try Timestamp(parameters.required(.date).textInUTF8)
      credentialScope = try CredentialScope(
        bytes: credential[(slash + 1)...], hasRegion: !isOfRegionSet)
      service = try Service.named(credentialScope.service)
      identity = try Identity(
        accessKeyID: credential[..<slash].textInUTF8,
        sessionToken: parameters[service.sessionTokenRule.field]?.textInUTF8)
      signature = try parameters.required(.signature).textInUTF8
      let lifetime = parameters[.expires].flatMap { Int64($0.textInUTF8) }
      expiration = lifetime.flatMap { [timestamp] in try? timestamp.advanced(bySeconds: $0) }
      (self.headers, missingHeaders) = Self.signedHeaders(
        try parameters.required(.signedHeaders), of: request)
      self.payload = Self.signedPayload(payload, parameters, request.headers, service)
      self.request = request
      self.credentials = credentials
      self.method = method
    }
  }
}

extension SigV4.SentURL {
  /// The usual method for which the known credentials make the signature of the URL; nil if there is none.
  func signedMethod(_ values: [(name: String, value: [UInt8])]) -> String? {
    ["GET", "PUT", "HEAD", "POST", "DELETE", "PATCH"].first {
      isIntact(signed(values, method: $0)) == true
    }
  }

  /// SigV4, steps 1 and 3, with these values for headers that were not given.
  func signed(
    _ values: [(name: String, value: [UInt8])], method: String
  ) -> SigV4.Mismatch.Signed {
    let message = message(
      method, headers + values.map { SignedHeader(name: Array($0.name.utf8), value: $0.value) })
    let canonicalRequest = SigV4.CanonicalRequest(
      received: message, service.pathRule, payload.kind)
    let stringToSign = SigV4.StringToSign(
      isOfRegionSet
        ? SigV4.SignatureAlgorithm.ecdsaP256SHA256Name : SigV4.SignatureAlgorithm.hmacSHA256Name,
      scope: credentialScope, at: timestamp, digest: canonicalRequest.digest)
    return SigV4.Mismatch.Signed(
      canonicalRequest: canonicalRequest.bytes, stringToSign: stringToSign.bytes,
      scope: credentialScope, signature: signature, timestamp: timestamp, expiration: expiration,
      identity: identity)
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
      // What HTTP does not allow was not sent.
      let field = try? text.append(
        receivedHeader: name.span, value.span, isAuthority: false, &end)
      if let field { shape.append(header: field, &text) }
    }
    shape.append(path: source.shape, of: source.memory, &text, &end)
    shape.append(query: source.shape, of: source.memory, &text, &end)
    shape.sort(&text)
    message.shape = shape
    let rule = service.sessionTokenRule
    message.removeParameters { name in
      name.spells(SignatureField.signature.parameter)
        || !rule.isSigned && name.spells(rule.field.parameter)
    }
    return message
  }

  /// Whether the known credentials make the signature of the URL; nil without those of its key ID,
  /// and for Signature Version 4a.
  func isIntact(_ signed: SigV4.Mismatch.Signed) -> Bool? {
    guard let credentials, !isOfRegionSet,
      credentials.accessKeyID == identity.accessKeyID
    else {
      return nil
    }
    let key = SigV4.SigningKey(credentials, scope: credentialScope)
    let ours = key.signature(of: signed.stringToSign).hexadecimal
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

  /// What the last line of the canonical request says of the body.
  private static func signedPayload(
    _ payload: SigV4.Payload, _ parameters: Parameters, _ headers: SigV4.Headers,
    _ service: SigV4.Service
  ) -> SigV4.Payload {
    let declared =
      headers.values(named: SignatureField.contentSHA256.header.description).first
      ?? parameters[.contentSHA256]?.textInUTF8
    if let declared { return SigV4.Payload(kind: .literal(declared)) }
    switch service.payloadRule {
    case .declaredExceptInURLs, .unsigned: return .unsigned
    default: return payload
    }
  }

  /// The parameters of a query, decoded.
  private struct Parameters {
    let query: SigV4.Query

    init(_ query: SigV4.Query) {
      self.query = query
    }

    subscript(field: SignatureField) -> [UInt8]? {
      query.parameters.first { SignatureField(parameter: $0.name) == field }
        .map { URIEncoding.decode($0.value) }
    }

    func required(_ field: SignatureField) throws(SigV4.SigningError) -> [UInt8] {
      guard let value = self[field], !value.isEmpty else { throw Self.incomplete(field) }
      return value
    }

    static func incomplete(_ field: SignatureField) -> SigV4.SigningError {
      SigV4.SigningError(
        .invalidURL,
        """
        the URL is not a complete presigned one: \(field.parameter) is missing or cut, which makes it useless for \
        the server too; look for a shell that took '&' for its own, or a text that was copied in part
        """)
    }
  }
}

/// A header that the URL names as signed.
private struct SignedHeader {
  let name: [UInt8]
  let value: [UInt8]
}

extension SigV4.SentURL: CustomStringConvertible {
  /// The time and the scope. Neither the signature nor a session token.
  public var description: String { "SentURL(\(timestamp.text), \(credentialScope.text))" }
}

extension SigV4.SentURL: Redacted {}

extension SigV4.Mismatch {
  /// Explains the body of an answer to a presigned URL of which only its text is known.
  public init(answer body: some Collection<UInt8>, to url: SigV4.SentURL) {
    self.init(Answer(body), to: url)
  }

  /// Explains an answer to a presigned URL of which only its text is known.
  public init(_ answer: Answer, to url: SigV4.SentURL) {
    let shown = Self.shownHeaders(answer)
    let values = url.missingHeaders.map { (name: $0, value: shown[$0] ?? []) }
    let known = values.filter { !$0.value.isEmpty }
    // An unknown method counts as the one that arrived, so it is not blamed.
    let signedMethod = url.method == nil ? url.signedMethod(known) : nil
    let method = url.method ?? signedMethod ?? Self.shownMethod(answer) ?? "GET"
    let signed = url.signed(known, method: method)
    let finding = Self.finding(
      answer, signed, url, signedMethod: signedMethod, notSent: values)
    self.init(answer, signed, finding)
  }

  /// The method that the server signed.
  private static func shownMethod(_ answer: Answer) -> String? {
    answer.canonicalRequest.flatMap { CanonicalRequestComparison.lines($0).first?.textInUTF8 }
      .flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func finding(
    _ answer: Answer, _ signed: Signed, _ url: SigV4.SentURL, signedMethod: String?,
    notSent values: [(name: String, value: [UInt8])]
  ) -> Finding {
    if !answer.showsSteps {
      let stated = StatedCause(answer: answer, signed: signed).cause()
      if let stated { return Finding(cause: stated) }
      if url.isIntact(signed) == false && values.isEmpty {
        return Finding(cause: .signatureOfOthers)
      }
      if url.method == nil && answer.isAboutSignature {
        return Finding(cause: .methodNotGiven(signed: signedMethod))
      }
      return readWords(answer, signed)
    }
    let name = values.first.map { signed.redaction.name($0.name.utf8) }
    if answer.canonicalRequest != nil, let lost = values.first(where: { $0.value.isEmpty }) {
      return Finding(cause: .headerMissing(signed.redaction.name(lost.name.utf8)))
    }
    if let finding = compare(answer, signed) { return finding }
    if let name { return Finding(cause: .headerNotGiven(name)) }
    let sender = compareSenders(answer, signed)
    let isOfSecret = sender.cause.code == .secretAccessKey
    switch url.isIntact(signed) {
    case nil where isOfSecret: return Finding(cause: .signature(isMethodKnown: url.method != nil))
    case false? where isOfSecret: return Finding(cause: .signatureOfOthers)
    default: return sender
    }
  }

  /// The headers that the server signed, by their names.
  private static func shownHeaders(_ answer: Answer) -> [String: [UInt8]] {
    let lines = CanonicalRequestComparison.lines(answer.canonicalRequest ?? [])
    var headers: [String: [UInt8]] = [:]
    for line in lines.dropFirst(3).prefix(while: { !$0.isEmpty }).reversed() {
      let name = line.prefix { $0 != ASCIIByte.colon }
      headers[name.textInUTF8] = Array(line[name.endIndex...].dropFirst())
    }
    return headers
  }
}

extension SigV4.Mismatch.Cause {
  static func signature(isMethodKnown: Bool) -> Self {
    Self(
      .signature,
      "the signature in the URL does not match the request that arrived: the URL was changed after it "
        + "was signed, or it was signed "
        + (isMethodKnown ? "" : "for another method or ") + "with another secret access key",
      advice: "Compare it with the URL that was made, character by character"
        + (isMethodKnown ? "" : ", and the method that was sent with the one that was signed")
        + "; when it is the same, look at which secret the maker of the URL has. With the credentials "
        + "that made it, the cases can be told apart")
  }

  /// A server that only says that the signature is wrong, of a URL whose method is not given.
  static func methodNotGiven(signed method: String?) -> Self {
    guard let method else {
      return Self(
        .notExplained,
        "the server does not show what it signed, and a presigned URL works with one method only, which "
          + "isn't given here",
        advice:
          "Specify the method that was sent (-X at the command line). If it's the one that was signed, "
          + "check the secret access key that made the URL")
    }
    return Self(
      .notExplained,
      "the server does not show what it signed. The URL is intact, and was signed for \(method)",
      advice:
        "Send it with the method \(method) and all its signed headers. If that was done, the server has "
        + "another secret access key for this access key ID")
  }

  /// The same where the credentials of the key ID are known.
  static var signatureOfOthers: Self {
    Self(
      .signature,
      "the credentials given here make another signature for this URL: it was changed after it was "
        + "signed, or another secret access key made it",
      advice:
        "When the URL was made with these credentials, it was changed: send it as it was made. "
        + "If it is unchanged, it was signed with another secret for this access key ID")
  }

  static var secretOrDate: Self {
    Self(
      .signature,
      "both sides sign the same text at the time that the answer shows: x-amz-date was changed on "
        + "its way, or the secret access key is not the one that the server has",
      advice:
        "Compare the time that was sent with the one in the answer; when they are equal, copy key ID "
        + "and secret again, as a pair")
  }

  static func headerNotGiven(_ name: String) -> Self {
    Self(
      .notExplained, subject: name,
      "everything that can be compared is equal, but the URL was signed with the header "
        + "\(name), whose value is not given here",
      advice: "Give the header as it was sent, so that it is compared too")
  }
}

extension [UInt8] {
  /// The position of a byte, counted from the end: an access key ID may have such bytes, too.
  fileprivate func lastIndex(of byte: UInt8, count: Int) -> Int? {
    indices.reversed().filter { self[$0] == byte }.dropFirst(count - 1).first
  }
}
