// SPDX-License-Identifier: Apache-2.0
// The parts of a signature in a received request, from the header or from the query.

internal import DocumentSupport
public import RequestSigning
internal import S3Signing
internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// Where a request carries its signature.
  public enum Mechanism: Sendable {
    /// In the Authorization header.
    case header
    /// In the parameters of a presigned URL.
    case query
  }

  /// What a request says of its signature.
  struct SignatureFields {
    let mechanism: Mechanism
    let credential: [UInt8]
    let signedHeaders: [UInt8]
    let signature: SHA256.Digest

    /// The value of X-Amz-Date, or of Date.
    let date: [UInt8]
    let isDatedByDateHeader: Bool

    /// The value of X-Amz-Expires.
    let lifetime: [UInt8]?

    /// Session tokens by their names, in headers and parameters. Secret.
    let securityTokens: [[UInt8]]
    let s3SessionTokens: [[UInt8]]

    /// Finds the one mechanism that a request uses, and takes it apart.
    init(_ headers: ReceivedHeaders, _ query: Query) throws(VerificationError) {
      let authorization = try headers.value(of: "authorization")
      let parameters = try QueryFields(query)
      switch (authorization, parameters) {
      case (nil, nil):
        throw VerificationError(
          .notSigned,
          """
          the request has neither an Authorization header nor the parameters of a presigned URL; \
          look for a proxy that removes them, or treat the client as unknown
          """)
      case (let authorization?, nil):
        try self.init(AuthorizationFields(authorization), headers)
      case (nil, let parameters?):
        try self.init(parameters, headers)
      default:
        throw VerificationError(
          .mixedMechanisms,
          """
          the request has an Authorization header, and parameters of a presigned URL too; whoever \
          believes one of them may act on the other, so take it for an attack
          """)
      }
    }

    private init(
      _ fields: AuthorizationFields, _ headers: ReceivedHeaders
    ) throws(VerificationError) {
      mechanism = .header
      credential = Array(fields.credential)
      signedHeaders = Array(fields.signedHeaders)
      signature = try Self.signature(fields.signature, .malformedAuthorization)
      let amzDate = try headers.value(of: "x-amz-date")
      let otherDate = amzDate == nil ? try headers.value(of: "date") : nil
      guard let date = amzDate ?? otherDate else {
        throw VerificationError(
          .malformedAuthorization,
          """
          the request has neither an x-amz-date nor a Date header, so nobody knows which day's key \
          signed it; look for a proxy that removes them
          """)
      }
      self.date = Array(date)
      isDatedByDateHeader = amzDate == nil
      lifetime = nil
      securityTokens = try headers.value(of: "x-amz-security-token").map { [Array($0)] } ?? []
      s3SessionTokens = try headers.value(of: "x-amz-s3session-token").map { [Array($0)] } ?? []
    }

    private init(_ fields: QueryFields, _ headers: ReceivedHeaders) throws(VerificationError) {
      mechanism = .query
      credential = try fields.required(.credential)
      signedHeaders = try fields.required(.signedHeaders)
      signature = try Self.signature(fields.required(.signature), .malformedQueryAuthorization)
      date = try fields.required(.date)
      isDatedByDateHeader = false
      lifetime = fields[.expires]
      let securityToken = try headers.value(of: "x-amz-security-token").map { Array($0) }
      let s3SessionToken = try headers.value(of: "x-amz-s3session-token").map { Array($0) }
      securityTokens = [fields[.securityToken], securityToken].compactMap { $0 }
      s3SessionTokens = [fields[.s3SessionToken], s3SessionToken].compactMap { $0 }
      if let other = try headers.value(of: "x-amz-date"), !other.elementsEqual(date) {
        throw VerificationError(
          .malformedQueryAuthorization,
          """
          the header x-amz-date \(shown(other)) contradicts the parameter X-Amz-Date \
          \(shown(date)); look for a client that sets the header on presigned URLs
          """)
      }
    }

    /// 64 lowercase hexadecimal digits.
    static func signature(
      _ digits: some Collection<UInt8>, _ code: VerificationError.Code
    ) throws(VerificationError) -> SHA256.Digest {
      guard let digest = SHA256.Digest(lowercaseDigits: digits) else {
        throw VerificationError(
          code,
          "the signature has \(digits.count) characters and not 64 lowercase hexadecimal digits; look "
            + "for a client that cuts or reformats it")
      }
      return digest
    }
  }
}

extension SigV4.SignatureFields {
  /// The session token that is claimed, once and in the right place. Secret.
  func token(
    _ rule: SigV4.Service.SessionTokenRule, _ policy: SigV4.Verifier.Policy
  ) throws(SigV4.VerificationError) -> SymmetricKey? {
    let isS3SessionToken =
      switch rule {
      case .signedAsS3SessionToken: true
      case .signed, .appendedAfterSigning: false
      }
    let tokens = isS3SessionToken ? s3SessionTokens : securityTokens
    let others = isS3SessionToken ? securityTokens : s3SessionTokens
    let isContradicted = tokens.contains { !ConstantTime.equal($0, tokens.first ?? []) }
    if !others.isEmpty || isContradicted {
      throw SigV4.VerificationError(
        .sessionTokenRefused,
        """
        the request has two session tokens that differ, or one under the name of another service; \
        look for a client that mixes credentials
        """)
    }
    guard let token = tokens.first else { return nil }
    return try policy.accepted(token: token)
  }

  /// The query without the signature, and without a session token that was added after signing.
  func signedPart(
    of query: SigV4.Query, _ rule: SigV4.Service.SessionTokenRule
  ) -> SigV4.Query {
    switch mechanism {
    case .header: return query
    case .query:
      return query.signedPart { parameter in
        let name = query.bytes[parameter.name]
        return name.elementsEqual(SigV4.QueryFields.Name.signature.text.utf8)
          || !rule.isSigned && name.elementsEqual(SigV4.QueryFields.Name.securityToken.text.utf8)
      }
    }
  }
}

extension SHA256.Digest {
  /// The digest that 64 lowercase hexadecimal digits spell.
  init?(lowercaseDigits digits: some Collection<UInt8>) {
    let isLowercase = digits.allSatisfy { ASCIIByte.lowercased($0) == $0 }
    guard digits.count == 64, isLowercase, let bytes = try? Hexadecimal.decode(digits) else {
      return nil
    }
    self.init(bytes: bytes)
  }
}
