// SPDX-License-Identifier: Apache-2.0
// The parts of a signature in a received request: in the Authorization header, or in the query.

public import RequestSigning
internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// Where a request carries its signature. More places may come.
  public struct Mechanism: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case header
      case query
    }

    private let kind: Kind

    /// In the Authorization header.
    public static let header = Self(kind: .header)
    /// In the parameters of a presigned URL.
    public static let query = Self(kind: .query)

    /// The name of the place: `header` or `query`.
    public var description: String { kind.rawValue }
  }

  /// What a request says of its signature: parts of one text.
  struct SignatureFields {
    let mechanism: Mechanism
    let algorithm: Verifier.Algorithm
    let signature: Signature
    let isDatedByDateHeader: Bool

    private let text: [UInt8]
    private let ranges: SignatureRanges

    /// `AKIDEXAMPLE/20130524/us-east-1/s3/aws4_request`
    var credential: ArraySlice<UInt8> { text[ranges.credential] }

    /// `host;x-amz-date`
    var signedHeaders: ArraySlice<UInt8> { text[ranges.signedHeaders] }

    /// The value of X-Amz-Date, or of Date.
    var date: ArraySlice<UInt8> { text[ranges.date] }

    /// The value of X-Amz-Expires.
    var lifetime: ArraySlice<UInt8>? { ranges.lifetime.map { text[$0] } }

    /// What is said of the body: the value of x-amz-content-sha256, or of the parameter of that name.
    var contentSHA256: ArraySlice<UInt8>? { ranges.contentSHA256.map { text[$0] } }

    /// The code of the refusal when a part cannot be read.
    var malformed: VerificationError.Code {
      mechanism == .header ? .malformedAuthorization : .malformedQueryAuthorization
    }

    /// Finds the one mechanism that a request uses, and takes it apart.
    init(
      _ headers: borrowing ReceivedHeaders, _ query: borrowing Query,
      _ policy: borrowing Verifier.Policy
    ) throws(VerificationError) {
      let authorization = try headers.range(of: "authorization")
      let parameters = try QueryFields(query)
      switch (authorization, parameters) {
      case (nil, nil):
        throw VerificationError(
          .notSigned,
          "the request has neither an Authorization header nor the parameters of a presigned URL; "
            + "look for a proxy that removes them, or treat the client as unknown")
      case (let authorization?, nil):
        try self.init(authorization, headers, policy)
      case (nil, let parameters?):
        try self.init(parameters, headers, policy)
      case (.some, .some):
        throw VerificationError(
          .mixedMechanisms,
          "the request has an Authorization header, and parameters of a presigned URL too; others "
            + "may act on the one that is not verified, so treat it as an attack")
      }
    }

    private init(
      _ authorization: Range<Int>, _ headers: borrowing ReceivedHeaders,
      _ policy: borrowing Verifier.Policy
    ) throws(VerificationError) {
      mechanism = .header
      text = headers.bytes
      let fields = try AuthorizationFields(text, authorization, policy)
      algorithm = fields.algorithm
      signature = try Self.signature(
        text[fields.signature], algorithm, malformed: .malformedAuthorization)
      let amzDate = try headers.range(of: SignatureField.date.header)
      let otherDate = amzDate == nil ? try headers.range(of: "date") : nil
      guard let date = amzDate ?? otherDate else {
        throw VerificationError(
          .malformedAuthorization,
          "the request has neither an x-amz-date nor a Date header, so the day of the key that "
            + "signed it is not known; look for a proxy that removes them")
      }
      isDatedByDateHeader = amzDate == nil
      ranges = SignatureRanges(
        credential: fields.credential, signedHeaders: fields.signedHeaders, date: date,
        regionSet: algorithm.scopeHasRegion
          ? nil : try headers.range(of: SignatureField.regionSet.header),
        contentSHA256: try headers.range(of: SignatureField.contentSHA256.header),
        securityTokens: (nil, try headers.range(of: SignatureField.securityToken.header)),
        s3SessionTokens: (nil, try headers.range(of: SignatureField.s3SessionToken.header)))
    }

    private init(
      _ fields: borrowing QueryFields, _ headers: borrowing ReceivedHeaders,
      _ policy: borrowing Verifier.Policy
    ) throws(VerificationError) {
      mechanism = .query
      algorithm = try fields.algorithm(policy)
      isDatedByDateHeader = false
      var text: [UInt8] = []
      text.reserveCapacity(512)  // mostly enough
      let declared = try headers.append(SignatureField.contentSHA256.header, to: &text)
      ranges = SignatureRanges(
        credential: try fields.append(required: .credential, to: &text),
        signedHeaders: try fields.append(required: .signedHeaders, to: &text),
        date: try fields.append(required: .date, to: &text),
        lifetime: fields.append(.expires, to: &text),
        regionSet: fields.append(.regionSet, to: &text),
        contentSHA256: fields.append(.contentSHA256, to: &text) ?? declared,
        securityTokens: (
          fields.append(.securityToken, to: &text),
          try headers.append(SignatureField.securityToken.header, to: &text)
        ),
        s3SessionTokens: (
          fields.append(.s3SessionToken, to: &text),
          try headers.append(SignatureField.s3SessionToken.header, to: &text)
        ))
      let digits = try fields.append(required: .signature, to: &text)
      signature = try Self.signature(
        text[digits], algorithm, malformed: .malformedQueryAuthorization)
      self.text = text
      try checkHeaders(headers)
    }

    /// Headers may say again what the query says, and nothing else.
    private func checkHeaders(_ headers: borrowing ReceivedHeaders) throws(VerificationError) {
      if let header = try headers.value(of: SignatureField.contentSHA256.header),
        header != contentSHA256
      {
        throw VerificationError(
          .invalidPayloadDeclaration,
          "the header x-amz-content-sha256 contradicts the parameter X-Amz-Content-Sha256, and others "
            + "may believe the one that was not signed; look for a client that sends both")
      }
      if let other = try headers.value(of: SignatureField.date.header),
        !other.elementsEqual(date)
      {
        throw VerificationError(
          .malformedQueryAuthorization,
          "the header x-amz-date \(shown(other)) contradicts the parameter X-Amz-Date "
            + "\(shown(date)); look for a client that sets the header on presigned URLs")
      }
      let regionSet = ranges.regionSet.map { text[$0] }
      if !algorithm.scopeHasRegion,
        let other = try headers.value(of: SignatureField.regionSet.header),
        other != regionSet
      {
        throw VerificationError(
          .malformedQueryAuthorization,
          "the header x-amz-region-set \(shown(other)) contradicts the parameter X-Amz-Region-Set; "
            + "look for a client that sets the header on presigned URLs")
      }
    }

    /// The regions that are signed; nil where the scope has one.
    func regions() throws(VerificationError) -> ClaimedRegions? {
      if algorithm.scopeHasRegion { return nil }
      let field = SignatureField.regionSet
      let name = mechanism == .header ? field.header : field.parameter
      if let range = ranges.regionSet, !range.isEmpty {
        let (limit, byteLimit) = (
          SignatureAlgorithm.maximumRegionCount, SignatureAlgorithm.maximumRegionSetByteCount
        )
        let commaCount = range.count > byteLimit ? 0 : text[range].count { $0 == ASCIIByte.comma }
        if range.count <= byteLimit && commaCount < limit {
          return ClaimedRegions(text: text[range])
        }
        throw VerificationError(
          malformed,
          "\(name) has more than \(byteLimit) bytes or \(limit) regions. Check what the client sends, or "
            + "treat the request as an attack.")
      }
      throw VerificationError(
        malformed,
        "\(name) is missing or empty, so the regions in which the signature of \(algorithm.name) is "
          + "good are not known; look for a proxy that removes it")
    }

    /// The signature that digits spell.
    static func signature(
      _ digits: ArraySlice<UInt8>, _ algorithm: Verifier.Algorithm,
      malformed: @autoclosure () -> VerificationError.Code
    ) throws(VerificationError) -> Signature {
      if let signature = algorithm.signature(digits) { return signature }
      throw VerificationError(
        malformed(),
        "the signature has \(digits.count) characters and not \(algorithm.signatureRule); look for a "
          + "client that cuts or reformats it")
    }

    /// The session token that is claimed, once and in the right place. Secret.
    func token(
      _ rule: Service.SessionTokenRule, _ policy: Verifier.Policy
    ) throws(VerificationError) -> SymmetricKey? {
      let isS3SessionToken = rule == .signedAsS3SessionToken
      let tokens = isS3SessionToken ? ranges.s3SessionTokens : ranges.securityTokens
      let others = isS3SessionToken ? ranges.securityTokens : ranges.s3SessionTokens
      var isContradicted = others.parameter != nil || others.header != nil
      if let parameter = tokens.parameter, let header = tokens.header {
        isContradicted = isContradicted || !ConstantTime.equal(text[parameter], text[header])
      }
      if isContradicted {
        throw VerificationError(
          .sessionTokenRefused,
          "the request has two session tokens that differ, or one under the name of another "
            + "service; look for a client that mixes credentials")
      }
      guard let range = tokens.parameter ?? tokens.header else { return nil }
      return try policy.accepted(token: text[range])
    }

    /// The query without the signature, and without a session token that was added after signing.
    func signedPart(of query: Query, _ rule: Service.SessionTokenRule) -> Query {
      if mechanism == .header { return query }
      return query.signedPart { parameter in
        let name = query.bytes[parameter.name]
        return name.spells(SignatureField.signature.parameter)
          || !rule.isSigned && name.spells(rule.field.parameter)
      }
    }
  }

  /// Where the parts of a signature stand.
  private struct SignatureRanges {
    /// Where the session tokens of one name stand, in the query and in the headers.
    typealias Tokens = (parameter: Range<Int>?, header: Range<Int>?)

    let credential: Range<Int>
    let signedHeaders: Range<Int>
    let date: Range<Int>
    var lifetime: Range<Int>?
    let regionSet: Range<Int>?
    let contentSHA256: Range<Int>?
    let securityTokens: Tokens
    let s3SessionTokens: Tokens
  }

  /// Where the parts of an Authorization header stand:
  /// `AWS4-HMAC-SHA256 Credential=..., SignedHeaders=..., Signature=...`, in any order.
  private struct AuthorizationFields {
    let algorithm: Verifier.Algorithm
    private(set) var credential = 0..<0
    private(set) var signedHeaders = 0..<0
    private(set) var signature = 0..<0

    init(
      _ text: [UInt8], _ range: Range<Int>, _ policy: borrowing Verifier.Policy
    ) throws(VerificationError) {
      let algorithmEnd = text[range].firstPosition(of: ASCIIByte.space)
      algorithm = try Verifier.Algorithm(
        named: text[range.lowerBound..<algorithmEnd], among: policy.algorithms)
      var start = algorithmEnd
      while start < range.upperBound {
        let end = text[start..<range.upperBound].firstPosition(of: ASCIIByte.comma)
        if start < end { try read(text[start..<end]) }
        start = end + 1
      }
      if credential.isEmpty || signedHeaders.isEmpty || signature.isEmpty {
        throw VerificationError(
          .malformedAuthorization,
          "the Authorization header lacks Credential, SignedHeaders or Signature; look for a client "
            + "or a proxy that cuts it")
      }
    }

    /// Reads `Name=text`, with spaces around it.
    private mutating func read(_ part: ArraySlice<UInt8>) throws(VerificationError) {
      var (start, end) = (part.startIndex, part.endIndex)
      while start < end && part[start] == ASCIIByte.space { start += 1 }
      let nameEnd = part[start...].firstPosition(of: ASCIIByte.equals)
      while end > nameEnd + 1 && part[end - 1] == ASCIIByte.space { end -= 1 }
      let name = part[start..<nameEnd]
      let text = min(nameEnd + 1, end)..<end
      if name.spells("Credential") && credential.isEmpty && !text.isEmpty {
        credential = text
      } else if name.spells("SignedHeaders") && signedHeaders.isEmpty && !text.isEmpty {
        signedHeaders = text
      } else if name.spells("Signature") && signature.isEmpty && !text.isEmpty {
        signature = text
      } else {
        throw VerificationError(
          .malformedAuthorization,
          "the Authorization header has a part \(shown(name)) that is unknown, empty or there "
            + "twice; write Credential, SignedHeaders and Signature, each once")
      }
    }
  }

  /// The parameters of a signature in a query, each there at most once and in its own spelling.
  struct QueryFields {
    private let query: Query
    private var ranges: [(field: SignatureField, value: Range<Int>)] = []

    /// Nil when the query has no parameter of a signature.
    init?(_ query: borrowing Query) throws(VerificationError) {
      for parameter in query.sorted {
        let name = query.bytes[parameter.name]
        guard let field = SignatureField(parameter: name) else { continue }
        if ranges.isEmpty { ranges.reserveCapacity(SignatureField.allCases.count) }
        let isThere = ranges.contains { $0.field == field }
        if isThere || !name.spells(field.parameter) {
          throw VerificationError(
            .repeatedField,
            "the parameter \(field.parameter) is there twice, or in another case, and others may read "
              + "the one that is not verified; look for a client that adds it to a presigned URL")
        }
        ranges.append((field, parameter.value))
      }
      if ranges.isEmpty { return nil }
      self.query = copy query
    }

    func algorithm(
      _ policy: borrowing Verifier.Policy
    ) throws(VerificationError) -> Verifier.Algorithm {
      var name: [UInt8] = []
      _ = try append(required: .algorithm, to: &name)
      return try Verifier.Algorithm(named: name[...], among: policy.algorithms)
    }

    /// Appends the value of a parameter, decoded. Returns where it stands, or nil when there is none.
    func append(_ field: SignatureField, to text: inout [UInt8]) -> Range<Int>? {
      guard let range = ranges.first(where: { $0.field == field })?.value else { return nil }
      let start = text.count
      URIEncoding.append(decoding: query.bytes[range], to: &text)
      return start..<text.count
    }

    func append(
      required field: SignatureField, to text: inout [UInt8]
    ) throws(VerificationError) -> Range<Int> {
      if let value = append(field, to: &text), !value.isEmpty { return value }
      throw VerificationError(
        .malformedQueryAuthorization,
        "the query has parameters of a signature, but \(field.parameter) is missing or empty; "
          + "look for a URL that was cut, or unescaped on its way")
    }
  }
}

extension SHA256.Digest {
  /// The digest that 64 lowercase hexadecimal digits spell.
  init?(lowercaseHexadecimal digits: ArraySlice<UInt8>) {
    // Safety: the digits are read only.
    let digest = unsafe digits.withUnsafeBytes { unsafe Self(lowercaseHexadecimal: $0) }
    guard let digest else { return nil }
    self = digest
  }
}
