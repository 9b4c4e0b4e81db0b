// SPDX-License-Identifier: Apache-2.0
// Who signed, for what and when: the claims that have to fit each other, the policy and the clock.

internal import DocumentSupport
internal import RequestSigning
internal import S3Signing
internal import SigningSupport

extension SigV4 {
  /// The five parts of a credential, split from the right: an access key ID may hold slashes.
  struct ClaimedCredential {
    let accessKeyID: String
    let scope: CredentialScope

    init(_ text: [UInt8], malformed: VerificationError.Code) throws(VerificationError) {
      let parts = text.split(separator: ASCIIByte.slash, omittingEmptySubsequences: false)
      let scopeCount = parts.suffix(4).reduce(3) { $0 &+ $1.count }
      let scopeText = String(decoding: text.suffix(scopeCount), as: UTF8.self)
      let key = String(decoding: text.dropLast(scopeCount &+ 1), as: UTF8.self)
      guard parts.count >= 5, let scope = try? CredentialScope(scopeText),
        (try? Identity.checkAccessKeyID(key)) != nil
      else {
        throw VerificationError(
          malformed,
          "the credential (\(text.count) bytes) does not consist of an access key ID, day, "
            + "region, service and aws4_request; look for a client that leaves one out")
      }
      accessKeyID = key
      self.scope = scope
    }

    /// The key is one of the day on which it was used.
    func checkDay(of timestamp: Timestamp) throws(VerificationError) {
      if !timestamp.day.utf8.elementsEqual(scope.day.utf8) {
        throw VerificationError(
          .wrongScope,
          """
          the request is dated \(timestamp.text) and its key is one of another day, \(scope.day); \
          look for a client that keeps signing keys over midnight
          """)
      }
    }
  }

  /// When a request was signed, and until when it is good.
  struct ClaimedLife {
    let timestamp: Timestamp
    private(set) var expiration: Timestamp?

    init(
      _ fields: SignatureFields, _ credential: ClaimedCredential, _ service: Service,
      _ policy: Verifier.Policy, at now: Timestamp
    ) throws(VerificationError) {
      timestamp = try Self.timestamp(fields)
      try credential.checkDay(of: timestamp)
      let window = policy.window(of: service)
      if timestamp.unixSeconds &- now.unixSeconds > window {
        throw fields.lifetime == nil
          ? .skewed(timestamp, now, window) : .notYetValid(timestamp, now)
      }
      switch (fields.mechanism, service.lifetimeRule) {
      case (.query, .required):
        expiration = try Self.expiration(fields, timestamp, policy, at: now)
      case (.query, .unsupported) where fields.lifetime != nil:
        throw VerificationError(
          .invalidLifetime,
          """
          URLs of \(service.name) do not say how long they live, and this one does in \
          X-Amz-Expires; presign without it
          """)
      case (.header, _), (.query, .unsupported):
        if now.unixSeconds &- timestamp.unixSeconds > window {
          throw .skewed(timestamp, now, window)
        }
      }
    }

    /// The date of X-Amz-Date; that of a Date header may be written in one of HTTP's forms too.
    private static func timestamp(_ fields: SignatureFields) throws(VerificationError) -> Timestamp
    {
      let text = String(decoding: fields.date.prefix(64), as: UTF8.self)
      if let timestamp = try? Timestamp(text) { return timestamp }
      if fields.isDatedByDateHeader, let timestamp = try? Timestamp(httpDate: inGMT(text)) {
        return timestamp
      }
      throw VerificationError(
        fields.malformed,
        "the date \(shown(fields.date)) is none that can be signed; look for a client that writes it "
          + "otherwise than 20130524T000000Z")
    }

    /// RFC 5322, 3.3: some clients write the zone of a Date header as a number.
    private static func inGMT(_ text: String) -> String {
      let bytes = Array(text.utf8)
      let zone = bytes.suffix(6)
      guard zone.elementsEqual(" +0000".utf8) || zone.elementsEqual(" -0000".utf8) else {
        return text
      }
      return String(decoding: bytes.dropLast(5), as: UTF8.self) + "GMT"
    }

    /// X-Amz-Expires: 1 to 604,800 seconds in decimal digits, from the date on.
    private static func expiration(
      _ fields: SignatureFields, _ timestamp: Timestamp, _ policy: Verifier.Policy,
      at now: Timestamp
    ) throws(VerificationError) -> Timestamp {
      let digits = fields.lifetime ?? []
      let isNumber = !digits.isEmpty && digits.count <= 6 && digits.allSatisfy(ASCIIByte.isDigit)
      let seconds = isNumber ? digits.reduce(0) { $0 &* 10 &+ Int64($1 &- 0x30) } : 0
      let longest = Int64(Swift.min(policy.longestLifetime, 604_800))
      guard seconds >= 1, seconds <= longest,
        let expiration = try? timestamp.advanced(bySeconds: seconds)
      else {
        throw VerificationError(
          .invalidLifetime,
          """
          X-Amz-Expires is \(shown(digits)), and this server takes 1 to \(longest) seconds in \
          decimal digits; ask the client for a shorter life
          """)
      }
      if expiration < now { throw .expired(expiration, now) }
      return expiration
    }
  }
}

extension SigV4.SignatureFields {
  /// What the answer to a part that cannot be read is called.
  var malformed: SigV4.VerificationError.Code {
    switch mechanism {
    case .header: .malformedAuthorization
    case .query: .malformedQueryAuthorization
    }
  }
}
