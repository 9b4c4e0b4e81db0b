// SPDX-License-Identifier: Apache-2.0
// What a request or a form says of its signature, and the checks of a key against it.

internal import RequestSigning
internal import SecureHashing

extension SigV4 {
  /// The signature of a request or form that isn't verified yet: who signed, when and for what. Its
  /// parts are ranges of one text, and become strings when somebody asks for them.
  struct Claim: Sendable {
    /// The received request, or the signed fields of a form.
    let message: RequestMessage
    let source: Source
    let algorithm: Verifier.Algorithm
    let credential: ClaimedCredential

    /// The digits of the signature.
    let signature: Range<Int>

    /// Secret, and not verified yet.
    let token: Range<Int>?

    let timestamp: Timestamp

    /// The server's time.
    let checkTime: Timestamp

    /// The rules of the service that the request is for.
    let service: Service

    /// The part of a request that contains the signature.
    enum Source {
      case header
      case query
      case form

      /// The error code for a malformed part.
      var malformed: VerificationError.Code {
        switch self {
        case .header: .malformedAuthorization
        case .query: .malformedQueryAuthorization
        case .form: .malformedForm
        }
      }

      /// The location that a verifier's settings are for.
      var location: SignatureLocation { self == .query ? .query : .header }
    }
  }

  /// The parts of a credential in a text: the access key ID, and the scope. It's split from the
  /// right, since an access key ID may contain slashes.
  struct ClaimedCredential: Sendable {
    let accessKeyID: Range<Int>

    /// `20130524/us-east-1/s3/aws4_request`
    let scopeText: Range<Int>
    let scope: CredentialScope.Parts

    init(
      _ credential: Range<Int>, in text: TextSpan, _ algorithm: Verifier.Algorithm,
      _ source: Claim.Source
    ) throws(VerificationError) {
      let hasRegion = algorithm.scopeHasRegion
      // Empty if there are too few parts.
      let end = SigV4.ClaimedCredential.endOfAccessKeyID(
        credential, in: text, scopePartCount: hasRegion ? 4 : 3)
      accessKeyID = credential.lowerBound..<end
      guard Identity.isAccessKeyID(text.extracting(accessKeyID)),
        let scope = CredentialScope.Parts(
          of: end + 1..<credential.upperBound, in: text, hasRegion: hasRegion,
          algorithm.names),
        !hasRegion || CredentialScope.isName(text.extracting(scope.region)),
        CredentialScope.isName(text.extracting(scope.service))
      else {
        throw VerificationError(
          source.malformed,
          "The credential (\(credential.count) bytes) doesn't consist of an access key ID, day, "
            + (hasRegion ? "region, " : "") + "service and \(algorithm.names.scopeEnd).",
          fix: "Check for a client that omits one.")
      }
      scopeText = end + 1..<credential.upperBound
      self.scope = scope
    }

    /// Returns the position of the slash before the scope, counting from the end.
    private static func endOfAccessKeyID(
      _ credential: Range<Int>, in text: TextSpan, scopePartCount: Int
    ) -> Int {
      var (slashCount, position) = (0, credential.upperBound)
      while slashCount < scopePartCount && position > credential.lowerBound {
        position -= 1
        if text.byte(at: position) == ASCIIByte.slash { slashCount += 1 }
      }
      return position
    }

    /// Checks that the key's day is the day of the signature.
    func checkDay(
      of timestamp: Timestamp, in text: TextSpan, _ source: Claim.Source
    ) throws(VerificationError) {
      if scope.isDay(of: timestamp) { return }
      throw VerificationError(
        .wrongScope,
        "The request is dated \(timestamp.text), but its key is for a different day, "
          + "\(CredentialScope(scope, of: text).day).",
        fix: "Check for a client that caches signing keys past midnight.",
        statement: VerificationError.statement(nil, source))
    }
  }
}

// The parts, when somebody asks for them.
extension SigV4.Claim {
  func text(_ range: Range<Int>) -> String {
    message.memory.bytes.span.extracting(range).string
  }

  var accessKeyID: String { text(credential.accessKeyID) }

  /// The access key ID for messages, or its size if it may be the client's secret.
  var shownAccessKeyID: String { AccessKeyID.shown(accessKeyID) }

  var scope: SigV4.CredentialScope {
    SigV4.CredentialScope(credential.scope, of: message.memory.bytes.span)
  }

  /// Secret, and not verified yet.
  var sessionToken: String? { token.map { text($0) } }
}

// The checks of a key.
extension SigV4.Claim {
  /// Returns the signing key of this claim's credentials.
  func signingKey(
    of credentials: SigV4.Credentials
  ) throws(SigV4.VerificationError) -> SigV4.SigningKey {
    try check(credentials.identity)
    return SigV4.SigningKey(credentials, scope: scope)
  }

  /// Checks that the identity is the claimed one and hasn't expired.
  func check(_ identity: SigV4.Identity) throws(SigV4.VerificationError) {
    if !isOwner(identity.accessKeyID) { throw wrongKey(identity.accessKeyID, scope) }
    if let expiration = identity.expiration, expiration <= checkTime {
      throw SigV4.VerificationError(
        .credentialsExpired,
        "Credentials \(identity.shownAccessKeyID) expired at \(expiration.text) "
          + "(now \(checkTime.text)).",
        fix: "Ask the client to get new ones.")
    }
  }

  /// Checks that the key is for the claimed access key ID and scope.
  func check(_ key: SigV4.SigningKey) throws(SigV4.VerificationError) {
    let text = message.memory.bytes.span
    if key.isKey(of: credential.accessKeyID, credential.scope, in: text) { return }
    throw wrongKey(key.accessKeyID, key.scope)
  }

  private func isOwner(_ id: String) -> Bool {
    let text = message.memory.bytes.span.extracting(credential.accessKeyID)
    return id.hasSameBytes(as: text)
  }

  private func wrongKey(_ id: String, _ keyScope: SigV4.CredentialScope) -> SigV4.VerificationError
  {
    SigV4.VerificationError(
      .wrongKey,
      "The request names \(UTF8Text.quoted(shownAccessKeyID)) for \(scope.text), but the key "
        + "belongs to \(UTF8Text.quoted(AccessKeyID.shown(id))) for \(keyScope.text).",
      fix: "Pass the key for the request's access key ID and scope.")
  }

  /// Compares the session token with the key's, which may be missing, in constant time.
  func checkToken(_ expected: SymmetricKey?) throws(SigV4.VerificationError) {
    if isToken(expected) { return }
    let id = UTF8Text.quoted(shownAccessKeyID)
    throw SigV4.VerificationError(
      .sessionTokenMismatch,
      token == nil
        ? "The request has no session token, but \(id) requires one."
        : "The session token doesn't belong to \(id).",
      fix: "Check for a client that mixes credentials.")
  }

  private func isToken(_ expected: SymmetricKey?) -> Bool {
    guard let token, let expected else { return token == nil && expected == nil }
    let text = message.memory.bytes.span.extracting(token)
    return unsafe expected.withUnsafeBytes {
      unsafe text.isSameSecret(as: $0.bindMemory(to: UInt8.self).span)
    }
  }

  /// Returns the session token that belongs to a key, or nil if it's nil or empty.
  static func token(_ text: String?) -> SymmetricKey? {
    guard let text, !text.utf8.isEmpty else { return nil }
    return SymmetricKey(data: text.utf8)
  }

  /// The error to throw if the access key ID isn't recognized.
  var unknownAccessKey: SigV4.VerificationError {
    SigV4.VerificationError(
      .unknownAccessKey,
      "Access key ID \(UTF8Text.quoted(shownAccessKeyID)) isn't recognized.",
      fix: "Check whether it was deleted or belongs to another installation.",
      elements: [("AWSAccessKeyId", shownAccessKeyID)])
  }
}

extension SigV4.Claim: Equatable {
  /// Whether both have the same signer, token, signature and times.
  static func == (left: Self, right: Self) -> Bool {
    let (text, other) = (left.message.memory.bytes.span, right.message.memory.bytes.span)
    func isSame(_ range: Range<Int>?, _ otherRange: Range<Int>?) -> Bool {
      guard let range, let otherRange else { return range == nil && otherRange == nil }
      // The signature and the token may be secret.
      return text.extracting(range).isSameSecret(as: other.extracting(otherRange))
    }
    return left.source == right.source && left.algorithm == right.algorithm
      && isSame(left.credential.accessKeyID, right.credential.accessKeyID)
      && isSame(left.credential.scopeText, right.credential.scopeText)
      && isSame(left.signature, right.signature) && isSame(left.token, right.token)
      && left.timestamp == right.timestamp && left.checkTime == right.checkTime
      && left.service == right.service
  }
}
