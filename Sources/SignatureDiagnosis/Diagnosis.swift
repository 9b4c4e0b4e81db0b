// SPDX-License-Identifier: Apache-2.0
// Why a server refuses a signature, as far as its answer tells.

@_exported public import RequestSigning
internal import SigningSupport

extension SigV4 {
  /// Why a server rejected a signature.
  ///
  ///     let diagnosis = SigV4.ServiceError(body).diagnosis(for: signed)
  ///     print(diagnosis)
  ///
  /// If the response contains the server's canonical request or string to sign, they're compared with
  /// yours, byte by byte. Otherwise the code, message and fields of the response tell the cause.
  /// Tokens, cookies, keys and other credentials are shown by their size only.
  public struct Diagnosis: Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, and what to do.
    public let cause: Cause

    /// The first line that differs. Nil if the response doesn't show what the server signed.
    public let difference: Difference?

    /// How far the server's clock is ahead of the signed time, negative if it's behind. Nil unless the
    /// clocks are the cause and the response contains the server's time.
    public let clockOffset: Duration?

    /// The cause, the two lines that differ, and what to do.
    public var description: String {
      cause.description + (difference.map { "\n" + $0.description } ?? "")
    }
  }
}

extension SigV4.ServiceError {
  /// Explains why the server rejected a request that was signed in its headers.
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

  /// Explains the response to a request whose time was read from the response. A wrong secret can't be told
  /// from a changed date then.
  package func diagnosis(datedByItself request: SigV4.SignedRequest) -> SigV4.Diagnosis {
    let found = diagnosis(for: request)
    if found.cause.code != .secretAccessKey { return found }
    return SigV4.Diagnosis(
      cause: .secretOrDate, difference: found.difference, clockOffset: found.clockOffset)
  }

  /// How far the server's clock is ahead of yours, negative if it's behind: the difference between the server's
  /// time in the response and the time of the request in it, or else `signingTime`.
  ///
  /// Add it to the time of the next signature: `now.advanced(by: offset)`. Trust it over TLS only, since
  /// a wrong offset can make a signature valid for longer than it should be. Nil if the response doesn't show the
  /// server's clock, or is about an expired URL, which may have been signed long ago.
  public func clockOffset(signedAt signingTime: SigV4.Timestamp) -> Duration? {
    guard let serverTime = serverTime ?? (isAboutClocks ? date : nil), !saysExpired else {
      return nil
    }
    return (requestTime ?? signingTime).duration(to: serverTime)
  }
}

extension SigV4.Diagnosis {
  /// What we signed.
  struct Signed {
    let canonicalRequest: [UInt8]
    let stringToSign: [UInt8]
    let scope: SigV4.CredentialScope
    let signature: String
    let timestamp: SigV4.Timestamp
    let expiration: SigV4.Timestamp?
    let identity: SigV4.Identity

    var redaction: Redaction { Redaction(identity) }
  }

  /// What a comparison found.
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

  /// Canonical request and string to sign; nil when what the answer shows of them equals ours.
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

  /// When both sides sign the same text: who signed, and with what.
  static func compareSenders(_ answer: SigV4.ServiceError, _ signed: Signed) -> Finding {
    let ours = signed.identity.accessKeyID
    if let theirs = answer.accessKeyID, theirs != ours {
      return Finding(
        cause: .accessKeyID(ours: ours, theirs: signed.redaction.name(theirs.utf8)))
    }
    let isOurs =
      answer.signature.map { ASCIIByte.equalIgnoringCase($0.utf8, signed.signature.utf8) } ?? true
    return Finding(cause: isOurs ? .secretAccessKey(ours) : .otherSecretAccessKey)
  }

  /// An answer that shows no step: what it states, or that it states nothing that helps.
  static func readWords(_ answer: SigV4.ServiceError, _ signed: Signed) -> Finding {
    let redaction = signed.redaction
    return Finding(
      cause: StatedCause(answer: answer, signed: signed).cause()
        ?? .unknownCause(
          errorCode: answer.code.map { redaction.name($0.utf8) }, status: answer.status,
          message: redaction.shown(answer.firstLine), isAboutSignature: answer.isAboutSignature))
  }
}
