// SPDX-License-Identifier: Apache-2.0
// Why a server refuses a signature, as far as its answer tells.

@_exported public import RequestSigning
internal import SigningSupport

extension SigV4 {
  /// Why a server refused a request that was signed here.
  ///
  ///     let mismatch = SigV4.Mismatch(answer: body, to: signed)
  ///     print(mismatch)
  ///
  /// Answers of S3 and of services that follow it (XML), of other services (JSON, escaped or not)
  /// and plain texts are understood. The canonical request and the string to sign in the answer are
  /// compared with ours, byte by byte; where there are none, its code, words and fields are read.
  /// Tokens, cookies, keys and other credentials are shown by their size only.
  public struct Mismatch: Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, and what to do.
    public let cause: Cause

    /// The first line that differs, when the answer shows what the server signed.
    public let difference: Difference?

    /// How far the server's clock is ahead of the time that was signed, when the clocks are the cause
    /// and the answer tells.
    public let clockOffset: ClockOffset?

    /// Explains the answer to a request that was signed in its headers.
    public init(answer body: some Collection<UInt8>, to request: SignedRequest) {
      self.init(Answer(body), to: request)
    }

    /// Explains the answer to a request that was made with a presigned URL.
    public init(answer body: some Collection<UInt8>, to url: PresignedURL) {
      self.init(Answer(body), to: url)
    }

    /// Explains an answer that was read before.
    public init(_ answer: Answer, to request: SignedRequest) {
      self.init(
        answer,
        Signed(
          canonicalRequest: request.canonicalRequest.bytes,
          stringToSign: request.stringToSign.bytes, scope: request.credentialScope,
          signature: request.signature.hexadecimal, timestamp: request.timestamp, expiration: nil,
          identity: request.preparer.identity))
    }

    /// Explains an answer that was read before.
    public init(_ answer: Answer, to url: PresignedURL) {
      self.init(
        answer,
        Signed(
          canonicalRequest: url.canonicalRequest.bytes, stringToSign: url.stringToSign.bytes,
          scope: url.credentialScope, signature: url.signature.hexadecimal,
          timestamp: url.timestamp, expiration: url.expiration, identity: url.preparer.identity))
    }

    /// Explains an answer to a request that is dated by the answer itself: then a wrong secret cannot be told
    /// from a date that was changed on its way.
    package init(_ answer: Answer, datedByItself request: SignedRequest) {
      let found = Self(answer, to: request)
      let isOfSecret = found.cause.code == .secretAccessKey
      cause = isOfSecret ? .secretOrDate : found.cause
      difference = found.difference
      clockOffset = found.clockOffset
    }

    /// The explanation, with the two lines, and what to do.
    public var description: String {
      cause.description + (difference.map { "\n" + $0.description } ?? "")
    }
  }
}

extension SigV4.Mismatch {
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

  private init(_ answer: Answer, _ signed: Signed) {
    self.init(
      answer, signed,
      Self.compare(answer, signed)
        ?? (answer.showsSteps
          ? Self.compareSenders(answer, signed) : Self.readWords(answer, signed)))
  }

  init(_ answer: Answer, _ signed: Signed, _ finding: Finding) {
    cause = finding.cause
    difference = finding.difference
    clockOffset =
      cause.code == .clock ? SigV4.ClockOffset(answer: answer, signedAt: signed.timestamp) : nil
  }

  /// Canonical request and string to sign; nil when what the answer shows of them equals ours.
  static func compare(_ answer: Answer, _ signed: Signed) -> Finding? {
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
  static func compareSenders(_ answer: Answer, _ signed: Signed) -> Finding {
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
  static func readWords(_ answer: Answer, _ signed: Signed) -> Finding {
    let redaction = signed.redaction
    return Finding(
      cause: StatedCause(answer: answer, signed: signed).cause()
        ?? .notExplained(
          errorCode: answer.errorCode.map { redaction.name($0.utf8) }, status: answer.status,
          message: redaction.shown(answer.firstLine), isAboutSignature: answer.isAboutSignature))
  }
}
