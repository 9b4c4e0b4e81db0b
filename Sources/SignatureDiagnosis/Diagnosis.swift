// SPDX-License-Identifier: Apache-2.0
// Explains from a server's response why it rejected a signature.

@_exported public import RequestSigning

extension SigV4 {
  /// The reason a server rejected a signature.
  ///
  ///     let diagnosis = SigV4.ServiceError(body).diagnosis(for: signed)
  ///     print(diagnosis)
  ///
  /// If the response contains the server's canonical request or string to sign, they're compared
  /// with yours, byte by byte. Otherwise the cause comes from the response's code, message
  /// and fields. Tokens, cookies, keys and other credentials are shown by their size only.
  public struct Diagnosis: Hashable, Sendable, CustomStringConvertible {
    /// The cause and how to fix it.
    public let cause: Cause

    /// The first line that differs. Nil if the response doesn't show what the server signed.
    public let difference: Difference?

    /// How far the server's clock is ahead of the signed time, negative if it's behind. Nil unless
    /// the clocks are the cause and the response contains the server's time.
    public let clockOffset: Duration?

    /// The cause, the fix, and the two lines that differ.
    public var description: String {
      cause.description + (difference.map { "\n" + $0.description } ?? "")
    }
  }
}

extension SigV4.ServiceError {
  /// Explains why the server rejected a header-signed request.
  public func diagnosis(for request: SigV4.SignedRequest) -> SigV4.Diagnosis {
    SigV4.Diagnosis(
      self,
      SigV4.Diagnosis.Signed(
        canonicalRequest: request.canonicalRequest.bytes,
        stringToSign: request.stringToSign.bytes, scope: request.credentialScope,
        signature: request.signature.hexString, timestamp: request.timestamp, expiration: nil,
        identity: request.preparer.identity))
  }

  /// Explains why the server rejected a presigned URL.
  public func diagnosis(for url: SigV4.PresignedURL) -> SigV4.Diagnosis {
    SigV4.Diagnosis(
      self,
      SigV4.Diagnosis.Signed(
        canonicalRequest: url.canonicalRequest.bytes, stringToSign: url.stringToSign.bytes,
        scope: url.credentialScope, signature: url.signature.hexString,
        timestamp: url.timestamp, expiration: url.expiration, identity: url.preparer.identity))
  }

  /// Explains the response to a request whose time was read from the response. In that
  /// case, a wrong secret looks the same as a changed date.
  package func diagnosis(datedByItself request: SigV4.SignedRequest) -> SigV4.Diagnosis {
    let found = diagnosis(for: request)
    if found.cause.code != .secretAccessKey { return found }
    return SigV4.Diagnosis(
      cause: .secretOrDate, difference: found.difference, clockOffset: found.clockOffset)
  }

  /// How far the server's clock is ahead of yours, negative if it's behind: the difference between
  /// the server's time in the response and the time of the request in it, or else `signingTime`.
  ///
  /// Add it to the time of the next signature: `now.advanced(by: offset)`. Trust it only over TLS,
  /// since a wrong offset can make a signature valid for longer than it should be. Nil if the
  /// response doesn't show the server's clock, or is about an expired URL, which may have been
  /// signed long ago.
  public func clockOffset(signedAt signingTime: SigV4.Timestamp) -> Duration? {
    guard let serverTime = serverTime ?? (isAboutClocks ? date : nil), !saysExpired else {
      return nil
    }
    return (requestTime ?? signingTime).duration(to: serverTime)
  }
}

extension SigV4.Diagnosis {
  /// The signed values to compare with the server's.
  struct Signed {
    let canonicalRequest: [UInt8]
    let stringToSign: [UInt8]
    let scope: SigV4.CredentialScope
    let signature: String
    let timestamp: SigV4.Timestamp
    let expiration: SigV4.Timestamp?
    let identity: SigV4.Identity

    /// The names of headers that were sent, that stores require to be signed, and that aren't.
    var unsignedHeaders: [String] = []

    var redaction: Redaction { Redaction(identity) }
  }

  /// The result of a comparison.
  struct Finding {
    let cause: Cause
    var difference: Difference?
  }

  init(_ answer: SigV4.ServiceError, _ signed: Signed) {
    self.init(
      answer, signed,
      Self.compare(answer, signed)
        ?? (answer.showsSteps
          ? Self.compareSenders(answer, signed) : Self.readWords(answer, signed)))
  }

  init(_ answer: SigV4.ServiceError, _ signed: Signed, _ finding: Finding) {
    cause = finding.cause
    difference = finding.difference
    clockOffset =
      cause.code == .clock ? answer.clockOffset(signedAt: signed.timestamp) : nil
  }

  /// Compares the canonical request and the string to sign. Returns nil if everything the response
  /// shows matches.
  static func compare(_ answer: SigV4.ServiceError, _ signed: Signed) -> Finding? {
    if let finding = RealtimeHandshake(answer, signed)?.finding() { return finding }
    if let theirs = answer.canonicalRequest,
      let finding = CanonicalRequestComparison(signed, theirs).finding()
    {
      return finding
    }
    return answer.stringToSign.flatMap {
      StringToSignComparison(signed, $0, isCanonicalRequestShown: answer.canonicalRequest != nil)
        .finding()
    }
  }

  /// The cause if both sides sign the same string: a different signer or a different secret.
  static func compareSenders(_ answer: SigV4.ServiceError, _ signed: Signed) -> Finding {
    let ours = signed.identity.shownAccessKeyID
    if let theirs = answer.accessKeyID, theirs != signed.identity.accessKeyID {
      let theirs = signed.redaction.name(AccessKeyID.shown(theirs).utf8)
      return Finding(cause: .accessKeyID(ours: ours, theirs: theirs))
    }
    let isOurs =
      answer.signature.map { ASCIIByte.equalIgnoringCase($0.utf8, signed.signature.utf8) } ?? true
    return Finding(cause: isOurs ? .secretAccessKey(ours) : .otherSecretAccessKey)
  }

  /// The cause from a response that shows no step: the one it reports, or an unknown cause.
  static func readWords(_ answer: SigV4.ServiceError, _ signed: Signed) -> Finding {
    Finding(
      cause: StatedCause(answer: answer, signed: signed).cause()
        ?? UnknownCause(answer: answer, signed: signed).cause())
  }
}
