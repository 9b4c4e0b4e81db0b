// SPDX-License-Identifier: Apache-2.0
// Who claims to have signed, for what and when, and what the key that is found has to have in common
// with the claim.

internal import RequestSigning
internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// Who claims to have signed something, and with which signature.
  struct ClaimedSigner: Equatable, Sendable {
    let credential: ClaimedCredential

    /// Secret.
    let token: SymmetricKey?

    let signature: Signature

    /// The server's clock.
    let claimTime: Timestamp

    var accessKeyID: String { credential.accessKeyID }
    var scope: CredentialScope { credential.scope }

    /// Secret, and not proved.
    var sessionToken: String? { token?.text }

    /// The signing key that credentials of this signer give.
    func signingKey(of credentials: Credentials) throws(VerificationError) -> SigningKey {
      try check(credentials.identity)
      return SigningKey(credentials, scope: scope)
    }

    /// The identity has to be the one that is claimed, and not to have ended.
    func check(_ identity: Identity) throws(VerificationError) {
      try checkOwner(identity.accessKeyID, scope)
      if let expiration = identity.expiration, expiration <= claimTime {
        throw VerificationError(
          .credentialsExpired,
          "Credentials \(identity.accessKeyID) expired at \(expiration.text) "
            + "(now \(claimTime.text)).",
          fix: "Ask the client to get new ones.")
      }
    }

    /// The token has to be the one that belongs to the key, and there only if one does.
    func checkToken(_ expected: SymmetricKey?) throws(VerificationError) {
      // Keys are compared in constant time.
      if token == expected { return }
      throw VerificationError(
        .sessionTokenMismatch,
        token == nil
          ? "The request has no session token, but \(UTF8Text.quoted(accessKeyID)) requires one."
          : "The session token doesn't belong to \(UTF8Text.quoted(accessKeyID)).",
        fix: "Check for a client that mixes credentials.")
    }

    /// The key of another access key ID, or of another scope, proves nothing.
    func checkOwner(
      _ id: String, _ keyScope: CredentialScope
    ) throws(VerificationError) {
      if id.hasSameBytes(as: accessKeyID) && keyScope == scope { return }
      throw VerificationError(
        .wrongKey,
        "The request names \(UTF8Text.quoted(accessKeyID)) for \(scope.text), but the key belongs "
          + "to \(UTF8Text.quoted(id)) for \(keyScope.text).",
        fix: "Pass the key for the request's access key ID and scope.")
    }

    /// What to throw when the access key ID is not known.
    var unknownAccessKey: VerificationError {
      VerificationError(
        .unknownAccessKey,
        "Access key ID \(UTF8Text.quoted(accessKeyID)) isn't recognized.",
        fix: "Check whether it was deleted or belongs to another installation.",
        elements: [("AWSAccessKeyId", accessKeyID)])
    }
  }

  /// The five parts of a credential, four where the scope has no region, split from the right: an
  /// access key ID may hold slashes.
  struct ClaimedCredential: Equatable, Sendable {
    let accessKeyID: String
    let scope: CredentialScope

    init(
      _ text: ArraySlice<UInt8>, hasRegion: Bool = true,
      malformed: @autoclosure () -> VerificationError.Code
    ) throws(VerificationError) {
      // The slash before the scope, counted from the end.
      let scopePartCount = hasRegion ? 4 : 3
      var (slashes, position) = (0, text.endIndex)
      while slashes < scopePartCount && position > text.startIndex {
        position -= 1
        if text[position] == ASCIIByte.slash { slashes += 1 }
      }
      // Empty where there are fewer parts.
      let key = text[..<position]
      guard Identity.isAccessKeyID(key),
        let scope = try? CredentialScope(bytes: text[(position + 1)...], hasRegion: hasRegion)
      else {
        throw VerificationError(
          malformed(),
          "The credential (\(text.count) bytes) doesn't consist of an access key ID, day, "
            + (hasRegion ? "region, " : "") + "service and aws4_request.",
          fix: "Check for a client that omits one.")
      }
      accessKeyID = String(decoding: key, as: UTF8.self)
      self.scope = scope
    }

    /// The key is one of the day on which it was used.
    func checkDay(of timestamp: Timestamp) throws(VerificationError) {
      if scope.isDay(of: timestamp) { return }
      throw VerificationError(
        .wrongScope,
        "The request is dated \(timestamp.text), but its key is for a different day, \(scope.day).",
        fix: "Check for a client that caches signing keys past midnight.")
    }
  }

  /// When a request was signed, and until when it is good.
  struct ClaimedLife {
    let timestamp: Timestamp
    private(set) var expiration: Timestamp?

    init(
      _ fields: borrowing SignatureFields, _ message: borrowing ReceivedMessage,
      _ credential: borrowing ClaimedCredential, _ service: borrowing Service,
      _ verifier: borrowing Verifier, at now: Timestamp
    ) throws(VerificationError) {
      timestamp = try Self.timestamp(fields, message)
      try credential.checkDay(of: timestamp)
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

    /// The date of X-Amz-Date; that of a Date header may be written in one of HTTP's forms too.
    private static func timestamp(
      _ fields: SignatureFields, _ message: borrowing ReceivedMessage
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

    /// RFC 5322, 3.3: some clients write the zone of a Date header as a number.
    private static func inGMT(_ text: String) -> String {
      let isNumber = text.hasSuffix(" +0000") || text.hasSuffix(" -0000")
      return isNumber ? text.dropLast(5) + "GMT" : text
    }

    /// RFC 9110, 5.6.7: asctime() in C writes `Sun Sep  6`, and of runs of spaces one is left.
    private static func unfolded(_ text: String) -> String {
      var bytes = Array(text.utf8)
      let isFolded =
        bytes.count == "Sun Sep 6 12:36:00 2015".utf8.count
        && bytes[7] == ASCIIByte.space && bytes[9] == ASCIIByte.space
      if isFolded { bytes.insert(ASCIIByte.space, at: 8) }
      return String(decoding: bytes, as: UTF8.self)
    }

    /// X-Amz-Expires: 1 to 604,800 seconds in at most six decimal digits, from the date on.
    private static func expiration(
      _ fields: SignatureFields, _ message: borrowing ReceivedMessage, _ timestamp: Timestamp,
      _ verifier: Verifier,
      at now: Timestamp
    ) throws(VerificationError) -> Timestamp {
      let digits = fields.lifetime.map { message[$0] } ?? []
      let longest = verifier.maximumLifetimeInSeconds
      guard let seconds = number(digits, digitCount: 6), seconds >= 1, seconds <= longest,
        let expiration = try? timestamp.advanced(bySeconds: seconds)
      else {
        throw VerificationError(
          .invalidLifetime,
          "X-Amz-Expires must be 1 to \(longest) seconds in decimal digits, not \(shown(digits)).",
          fix: "Ask the client for a shorter lifetime.")
      }
      if expiration < now { throw .expired(expiration, now) }
      return expiration
    }
  }
}
