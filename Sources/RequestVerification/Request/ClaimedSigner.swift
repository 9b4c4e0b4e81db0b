// SPDX-License-Identifier: Apache-2.0
// The claimed signer of a request, with its scope and time, and the checks of the key against them.

internal import RequestSigning
internal import SecureHashing

extension SigV4 {
  /// The claimed signer and signature of a request or form.
  struct ClaimedSigner: Equatable, Sendable {
    let credential: ClaimedCredential

    /// Secret.
    let token: SymmetricKey?

    let signature: Signature

    /// The server's time.
    let claimTime: Timestamp

    var accessKeyID: String { credential.accessKeyID }

    /// The access key ID for messages, or its size if it may be the client's secret.
    var shownAccessKeyID: String { AccessKeyID.shown(accessKeyID) }

    var scope: CredentialScope { credential.scope }

    /// Secret, and not verified yet.
    var sessionToken: String? { token?.text }

    /// Returns the signing key of this signer's credentials.
    func signingKey(of credentials: Credentials) throws(VerificationError) -> SigningKey {
      try check(credentials.identity)
      return SigningKey(credentials, scope: scope)
    }

    /// Checks that the identity is the claimed one and hasn't expired.
    func check(_ identity: Identity) throws(VerificationError) {
      try checkOwner(identity.accessKeyID, scope)
      if let expiration = identity.expiration, expiration <= claimTime {
        throw VerificationError(
          .credentialsExpired,
          "Credentials \(identity.shownAccessKeyID) expired at \(expiration.text) "
            + "(now \(claimTime.text)).",
          fix: "Ask the client to get new ones.")
      }
    }

    /// Returns the session token that belongs to a key, or nil if it's nil or empty.
    static func token(_ text: String?) -> SymmetricKey? {
      guard let text, !text.utf8.isEmpty else { return nil }
      return SymmetricKey(data: text.utf8)
    }

    /// Checks that the session token is the one that belongs to the key, if any.
    func checkToken(_ expected: SymmetricKey?) throws(VerificationError) {
      // Compares in constant time.
      if token == expected { return }
      let id = UTF8Text.quoted(shownAccessKeyID)
      throw VerificationError(
        .sessionTokenMismatch,
        token == nil
          ? "The request has no session token, but \(id) requires one."
          : "The session token doesn't belong to \(id).",
        fix: "Check for a client that mixes credentials.")
    }

    /// Checks that the key is for the claimed access key ID and scope.
    func checkOwner(
      _ id: String, _ keyScope: CredentialScope
    ) throws(VerificationError) {
      if id.hasSameBytes(as: accessKeyID) && keyScope == scope { return }
      throw VerificationError(
        .wrongKey,
        "The request names \(UTF8Text.quoted(shownAccessKeyID)) for \(scope.text), but the key "
          + "belongs to \(UTF8Text.quoted(AccessKeyID.shown(id))) for \(keyScope.text).",
        fix: "Pass the key for the request's access key ID and scope.")
    }

    /// The error to throw if the access key ID isn't recognized.
    var unknownAccessKey: VerificationError {
      VerificationError(
        .unknownAccessKey,
        "Access key ID \(UTF8Text.quoted(shownAccessKeyID)) isn't recognized.",
        fix: "Check whether it was deleted or belongs to another installation.",
        elements: [("AWSAccessKeyId", shownAccessKeyID)])
    }
  }

  /// The five parts of a credential, or four if the scope has no region. It's split from the right,
  /// since an access key ID may contain slashes.
  struct ClaimedCredential: Equatable, Sendable {
    let accessKeyID: String
    let scope: CredentialScope

    init(
      _ text: ArraySlice<UInt8>, _ algorithm: Verifier.Algorithm,
      malformed: @autoclosure () -> VerificationError.Code
    ) throws(VerificationError) {
      // Find the slash before the scope, counting from the end.
      let hasRegion = algorithm.scopeHasRegion
      let scopePartCount = hasRegion ? 4 : 3
      var (slashes, position) = (0, text.endIndex)
      while slashes < scopePartCount && position > text.startIndex {
        position -= 1
        if text[position] == ASCIIByte.slash { slashes += 1 }
      }
      // Empty if there are too few parts.
      let key = text[..<position]
      guard Identity.isAccessKeyID(key),
        let scope = try? CredentialScope(
          bytes: text[(position + 1)...], hasRegion: hasRegion, names: algorithm.names)
      else {
        throw VerificationError(
          malformed(),
          "The credential (\(text.count) bytes) doesn't consist of an access key ID, day, "
            + (hasRegion ? "region, " : "") + "service and \(algorithm.names.scopeEnd).",
          fix: "Check for a client that omits one.")
      }
      accessKeyID = String(decoding: key, as: UTF8.self)
      self.scope = scope
    }

    /// Checks that the key's day is the day of the signature.
    func checkDay(
      of timestamp: Timestamp, malformed: @autoclosure () -> VerificationError.Code
    ) throws(VerificationError) {
      if scope.isDay(of: timestamp) { return }
      throw VerificationError(
        .wrongScope,
        "The request is dated \(timestamp.text), but its key is for a different day, \(scope.day).",
        fix: "Check for a client that caches signing keys past midnight.",
        statement: VerificationError.statement(nil, malformed()))
    }
  }

  /// The time and expiration of a signature.
  struct ClaimedLife {
    let timestamp: Timestamp
    private(set) var expiration: Timestamp?

    init(
      _ fields: borrowing SignatureFields, _ message: borrowing ReceivedMessage,
      _ credential: borrowing ClaimedCredential, _ service: borrowing Service,
      _ verifier: borrowing Verifier, at now: Timestamp
    ) throws(VerificationError) {
      timestamp = try Self.timestamp(fields, message)
      try credential.checkDay(of: timestamp, malformed: fields.malformed)
      let window = verifier.window(of: service)
      let age = now.unixSeconds - timestamp.unixSeconds
      if age < -window {
        throw fields.lifetime == nil
          ? .skewed(timestamp, now, window) : .notYetValid(timestamp, now)
      }
      if fields.signatureLocation == .query && service.lifetimeRule == .required {
        expiration = try Self.expiration(fields, message, timestamp, verifier, at: now)
      } else if fields.lifetime != nil {
        throw VerificationError(
          .invalidLifetime,
          "URLs for \(service.name) have no lifetime, but this one sets X-Amz-Expires.",
          fix: "Ask the client to presign without X-Amz-Expires.")
      } else if age > window {
        throw .skewed(timestamp, now, window)
      }
    }

    /// Parses X-Amz-Date, or the Date header, which may also use HTTP's date formats.
    private static func timestamp(
      _ fields: borrowing SignatureFields, _ message: borrowing ReceivedMessage
    ) throws(VerificationError) -> Timestamp {
      let date = message[fields.date]
      if let timestamp = try? Timestamp(bytes: date) { return timestamp }
      let text = String(decoding: date.prefix(64), as: UTF8.self)
      if fields.isDatedByDateHeader,
        let timestamp = try? Timestamp(httpDate: unfolded(inGMT(text)))
      {
        return timestamp
      }
      throw VerificationError(
        fields.malformed,
        "The date \(shown(date)) isn't valid.",
        fix: "Ask the client to use the form 20130524T000000Z.")
    }

    /// Replaces a numeric zone, which some clients write in a Date header (RFC 5322, 3.3).
    private static func inGMT(_ text: String) -> String {
      let isNumber = text.hasSuffix(" +0000") || text.hasSuffix(" -0000")
      return isNumber ? text.dropLast(5) + "GMT" : text
    }

    /// Restores the second space of `Sun Sep  6`, asctime()'s format (RFC 9110, 5.6.7), since runs
    /// of spaces have been collapsed.
    private static func unfolded(_ text: String) -> String {
      var bytes = Array(text.utf8)
      let isFolded =
        bytes.count == "Sun Sep 6 12:36:00 2015".utf8.count
        && bytes[7] == ASCIIByte.space && bytes[9] == ASCIIByte.space
      if isFolded { bytes.insert(ASCIIByte.space, at: 8) }
      return String(decoding: bytes, as: UTF8.self)
    }

    /// Parses X-Amz-Expires: 1 to 604,800 seconds after the date, in at most six decimal digits.
    private static func expiration(
      _ fields: borrowing SignatureFields, _ message: borrowing ReceivedMessage,
      _ timestamp: Timestamp, _ verifier: borrowing Verifier, at now: Timestamp
    ) throws(VerificationError) -> Timestamp {
      let digits = fields.lifetime.map { message[$0] } ?? []
      let longest = verifier.maximumLifetimeInSeconds
      guard let seconds = number(digits, digitCount: 6), seconds >= 1, seconds <= longest,
        let expiration = try? timestamp.advanced(bySeconds: seconds)
      else {
        throw VerificationError(
          .invalidLifetime,
          "X-Amz-Expires must be 1 to \(longest) seconds in decimal digits, not \(shown(digits)).",
          fix: "Ask the client to send a lifetime in this range, in decimal digits.")
      }
      if expiration < now { throw .expired(expiration, now) }
      return expiration
    }
  }
}
