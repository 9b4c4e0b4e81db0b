// SPDX-License-Identifier: Apache-2.0
// The parts of a signature in a received request: in the Authorization header, or in the query.

public import RequestSigning
internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// Where a request carries its signature. More places may come.
  public struct Mechanism: Hashable, Sendable, CustomStringConvertible {
    /// The name of the place: `header` or `query`.
    public let description: String

    /// In the Authorization header.
    public static let header = Self(description: "header")
    /// In the parameters of a presigned URL.
    public static let query = Self(description: "query")
  }

  /// What a request says of its signature. A class, since copies of so many slices cost more than it.
  final class SignatureFields {
    let mechanism: Mechanism
    let credential: ArraySlice<UInt8>
    let signedHeaders: ArraySlice<UInt8>
    let signature: SHA256.Digest

    /// The value of X-Amz-Date, or of Date.
    let date: ArraySlice<UInt8>
    let isDatedByDateHeader: Bool

    /// The value of X-Amz-Expires.
    let lifetime: ArraySlice<UInt8>?

    /// Session tokens by their names, in headers and parameters. Secret.
    let securityTokens: [ArraySlice<UInt8>]
    let s3SessionTokens: [ArraySlice<UInt8>]

    /// What is said of the body: the value of x-amz-content-sha256, or of the parameter of that name.
    let contentSHA256: ArraySlice<UInt8>?

    /// The code of the refusal when a part cannot be read.
    var malformed: VerificationError.Code {
      mechanism == .header ? .malformedAuthorization : .malformedQueryAuthorization
    }

    /// Finds the one mechanism that a request uses, and takes it apart.
    convenience init(_ headers: ReceivedHeaders, _ query: Query) throws(VerificationError) {
      let authorization = try headers.value(of: "authorization")
      let parameters = try QueryFields(query)
      switch (authorization, parameters) {
      case (nil, nil):
        throw VerificationError(
          .notSigned,
          "the request has neither an Authorization header nor the parameters of a presigned URL; "
            + "look for a proxy that removes them, or treat the client as unknown")
      case (let authorization?, nil):
        try self.init(AuthorizationFields(authorization), headers)
      case (nil, let parameters?):
        try self.init(parameters, headers)
      case (.some, .some):
        throw VerificationError(
          .mixedMechanisms,
          "the request has an Authorization header, and parameters of a presigned URL too; others "
            + "may act on the one that is not verified, so take it for an attack")
      }
    }

    private init(
      _ fields: AuthorizationFields, _ headers: ReceivedHeaders
    ) throws(VerificationError) {
      mechanism = .header
      credential = fields.credential
      signedHeaders = fields.signedHeaders
      signature = try Self.signature(fields.signature, .malformedAuthorization)
      let amzDate = try headers.value(of: "x-amz-date")
      let otherDate = amzDate == nil ? try headers.value(of: "date") : nil
      guard let date = amzDate ?? otherDate else {
        throw VerificationError(
          .malformedAuthorization,
          "the request has neither an x-amz-date nor a Date header, so the day of the key that "
            + "signed it is not known; look for a proxy that removes them")
      }
      self.date = date
      isDatedByDateHeader = amzDate == nil
      lifetime = nil
      contentSHA256 = try headers.value(of: "x-amz-content-sha256")
      securityTokens = try headers.value(of: "x-amz-security-token").map { [$0] } ?? []
      s3SessionTokens = try headers.value(of: "x-amz-s3session-token").map { [$0] } ?? []
    }

    private init(_ fields: QueryFields, _ headers: ReceivedHeaders) throws(VerificationError) {
      mechanism = .query
      credential = try fields.required(.credential)
      signedHeaders = try fields.required(.signedHeaders)
      signature = try Self.signature(fields.required(.signature), .malformedQueryAuthorization)
      date = try fields.required(.date)
      isDatedByDateHeader = false
      lifetime = fields[.expires]
      let securityToken = try headers.value(of: "x-amz-security-token")
      let s3SessionToken = try headers.value(of: "x-amz-s3session-token")
      securityTokens = [fields[.securityToken], securityToken].compactMap { $0 }
      s3SessionTokens = [fields[.s3SessionToken], s3SessionToken].compactMap { $0 }
      let header = try headers.value(of: "x-amz-content-sha256")
      contentSHA256 = fields[.contentSHA256] ?? header
      if let header, header != contentSHA256 {
        throw VerificationError(
          .invalidPayloadDeclaration,
          "the header x-amz-content-sha256 contradicts the parameter X-Amz-Content-Sha256, and others "
            + "may believe the one that was not signed; look for a client that sends both")
      }
      if let other = try headers.value(of: "x-amz-date"), !other.elementsEqual(date) {
        throw VerificationError(
          .malformedQueryAuthorization,
          "the header x-amz-date \(shown(other)) contradicts the parameter X-Amz-Date "
            + "\(shown(date)); look for a client that sets the header on presigned URLs")
      }
    }

    /// 64 lowercase hexadecimal digits.
    static func signature(
      _ digits: ArraySlice<UInt8>, _ code: VerificationError.Code
    ) throws(VerificationError) -> SHA256.Digest {
      guard let digest = SHA256.Digest(lowercaseHexadecimal: digits) else {
        throw VerificationError(
          code,
          "the signature has \(digits.count) characters and not 64 lowercase hexadecimal digits; "
            + "look for a client that cuts or reformats it")
      }
      return digest
    }

    /// The session token that is claimed, once and in the right place. Secret.
    func token(
      _ rule: Service.SessionTokenRule, _ policy: Verifier.Policy
    ) throws(VerificationError) -> SymmetricKey? {
      let isS3SessionToken = rule == .signedAsS3SessionToken
      let tokens = isS3SessionToken ? s3SessionTokens : securityTokens
      let others = isS3SessionToken ? securityTokens : s3SessionTokens
      let isContradicted = tokens.contains { !ConstantTime.equal($0, tokens.first ?? []) }
      if !others.isEmpty || isContradicted {
        throw VerificationError(
          .sessionTokenRefused,
          "the request has two session tokens that differ, or one under the name of another "
            + "service; look for a client that mixes credentials")
      }
      guard let token = tokens.first else { return nil }
      return try policy.accepted(token: token)
    }

    /// The query without the signature, and without a session token that was added after signing.
    func signedPart(of query: Query, _ rule: Service.SessionTokenRule) -> Query {
      if mechanism == .header { return query }
      return query.signedPart { parameter in
        let name = query.bytes[parameter.name]
        return name.spells(QueryFields.Name.signature.text)
          || !rule.isSigned && name.spells(QueryFields.Name.securityToken.text)
      }
    }
  }

  /// The parts of an Authorization header:
  /// `AWS4-HMAC-SHA256 Credential=..., SignedHeaders=..., Signature=...`, in any order.
  private struct AuthorizationFields {
    let credential: ArraySlice<UInt8>
    let signedHeaders: ArraySlice<UInt8>
    let signature: ArraySlice<UInt8>

    init(_ value: ArraySlice<UInt8>) throws(VerificationError) {
      let none: ArraySlice<UInt8> = []
      var (credential, signedHeaders, signature) = (none, none, none)
      let algorithm = value[..<value.firstPosition(of: ASCIIByte.space)]
      try checkAlgorithm(algorithm)
      var rest = value[algorithm.endIndex...]
      while !rest.isEmpty {
        let part = rest[..<rest.firstPosition(of: ASCIIByte.comma)]
        rest = rest[part.endIndex...].dropFirst()
        if part.isEmpty { continue }
        let (name, text) = Self.split(part)
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
      if credential.isEmpty || signedHeaders.isEmpty || signature.isEmpty {
        throw VerificationError(
          .malformedAuthorization,
          "the Authorization header lacks Credential, SignedHeaders or Signature; look for a client "
            + "or a proxy that cuts it")
      }
      (self.credential, self.signedHeaders, self.signature) = (credential, signedHeaders, signature)
    }

    /// `Name=text`, without the spaces around it.
    private static func split(
      _ part: ArraySlice<UInt8>
    ) -> (name: ArraySlice<UInt8>, text: ArraySlice<UInt8>) {
      let field = part.drop { $0 == ASCIIByte.space }
      let name = field[..<field.firstPosition(of: ASCIIByte.equals)]
      var text = field[name.endIndex...].dropFirst()
      while text.last == ASCIIByte.space { text.removeLast() }
      return (name, text)
    }
  }

  /// The parameters of a signature in a query, each there at most once and in its own spelling.
  struct QueryFields {
    /// The parameters that belong to a signature.
    enum Name: CaseIterable {
      case algorithm
      case credential
      case date
      case expires
      case signedHeaders
      case signature
      case securityToken
      case s3SessionToken
      case contentSHA256

      var text: StaticString {
        switch self {
        case .algorithm: "X-Amz-Algorithm"
        case .credential: "X-Amz-Credential"
        case .date: "X-Amz-Date"
        case .expires: "X-Amz-Expires"
        case .signedHeaders: "X-Amz-SignedHeaders"
        case .signature: "X-Amz-Signature"
        case .securityToken: "X-Amz-Security-Token"
        case .s3SessionToken: "X-Amz-S3session-Token"
        case .contentSHA256: "X-Amz-Content-Sha256"
        }
      }

      /// The parameter that a text names, in any case.
      init?(_ text: ArraySlice<UInt8>) {
        // Each of them begins so, and none is ever escaped.
        if text.count < 10 || text.count > 21 || text[text.startIndex] | 0x20 != 0x78 { return nil }
        let name = Self.allCases.first {
          $0.text.utf8CodeUnitCount == text.count && text.spellsIgnoringCase($0.text)
        }
        guard let name else { return nil }
        self = name
      }
    }

    private let query: Query
    private var ranges: [(name: Name, value: Range<Int>)] = []

    /// Nil when the query has no parameter of a signature.
    init?(_ query: Query) throws(VerificationError) {
      self.query = query
      for parameter in query.sorted {
        guard let name = Name(query.bytes[parameter.name]) else { continue }
        if ranges.isEmpty { ranges.reserveCapacity(Name.allCases.count) }
        let isThere = ranges.contains { $0.name == name }
        if isThere || !query.bytes[parameter.name].spells(name.text) {
          throw VerificationError(
            .repeatedField,
            "the parameter \(name.text) is there twice, or in another case, and others may read "
              + "the one that is not verified; look for a client that adds it to a presigned URL")
        }
        ranges.append((name, parameter.value))
      }
      if ranges.isEmpty { return nil }
      try checkAlgorithm(required(.algorithm))
    }

    subscript(name: Name) -> ArraySlice<UInt8>? {
      guard let range = ranges.first(where: { $0.name == name })?.value else { return nil }
      let value = query.bytes[range]
      let isPlain = value.firstPosition(of: ASCIIByte.percent) == value.endIndex
      return isPlain ? value : URIEncoding.decode(value)[...]
    }

    func required(_ name: Name) throws(VerificationError) -> ArraySlice<UInt8> {
      guard let value = self[name], !value.isEmpty else {
        throw VerificationError(
          .malformedQueryAuthorization,
          "the query has parameters of a signature, and \(name.text) is not among them or "
            + "empty; look for a URL that was cut, or unescaped on its way")
      }
      return value
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
