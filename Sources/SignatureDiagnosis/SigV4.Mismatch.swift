// SPDX-License-Identifier: Apache-2.0
// The doctor: why a server refuses a signature, as far as its answer tells.

internal import DocumentSupport
public import RequestSigning
internal import SigningSupport

extension SigV4 {
  /// Why a server refused a request that was signed here.
  ///
  ///     let mismatch = SigV4.Mismatch(answer: body, to: signed)
  ///     print(mismatch)
  ///
  /// Answers of S3 and of services that follow it (XML), of other services (JSON, escaped or not)
  /// and plain texts are understood. The canonical request and the string to sign in the answer are
  /// compared with ours, byte by byte; where there are none, the answer's words are looked at.
  /// Session tokens, cookies and keys are shown by their size only.
  public struct Mismatch: Sendable, CustomStringConvertible {
    /// What is wrong, and what to do.
    public let cause: Cause

    /// The first line that differs, when the answer shows what the server signed.
    public let difference: Difference?

    /// How far the server's clock is ahead of the time that was signed, when the answer tells.
    public let clockOffset: ClockOffset?

    /// Explains the answer to a request that was signed in its headers.
    public init(answer body: some Collection<UInt8>, to request: SignedRequest) {
      self.init(Answer(body), to: request)
    }

    /// Explains the answer to whoever used a presigned URL.
    public init(answer body: some Collection<UInt8>, to url: PresignedURL) {
      self.init(Answer(body), to: url)
    }

    /// Explains an answer that was read before.
    public init(_ answer: Answer, to request: SignedRequest) {
      self.init(answer, Signed(request))
    }

    /// Explains an answer that was read before.
    public init(_ answer: Answer, to url: PresignedURL) {
      self.init(answer, Signed(url))
    }

    /// The explanation, with the two lines, and what to do.
    public var description: String {
      var text = cause.description
      if let difference { text += "\n" + difference.description }
      return text
    }
  }
}

extension SigV4.Mismatch {
  init(_ answer: Answer, _ signed: Signed) {
    let finding =
      Self.compare(answer, signed)
      ?? (answer.showsRooms ? Self.compareSenders(answer, signed) : Self.readWords(answer, signed))
    cause = finding.cause
    difference = finding.difference
    clockOffset = SigV4.ClockOffset(answer: answer, signedAt: signed.timestamp)
  }

  /// What a comparison found.
  struct Finding {
    let cause: Cause
    var difference: Difference?
  }

  /// What we signed, in the form in which it is compared.
  struct Signed {
    let canonicalRequest: [UInt8]
    let stringToSign: [UInt8]
    let signature: String
    let timestamp: SigV4.Timestamp
    let expiration: SigV4.Timestamp?
    let accessKeyID: String
    let redaction: Redaction

    init(_ request: SigV4.SignedRequest) {
      canonicalRequest = request.canonicalRequest.bytes
      stringToSign = request.stringToSign.bytes
      signature = request.signature.hexadecimal
      timestamp = request.timestamp
      expiration = nil
      accessKeyID = request.preparer.identity.accessKeyID
      redaction = Redaction(request.preparer.identity)
    }

    init(_ url: SigV4.PresignedURL) {
      canonicalRequest = url.canonicalRequest.bytes
      stringToSign = url.stringToSign.bytes
      signature = url.signature.hexadecimal
      timestamp = url.timestamp
      expiration = url.expiration
      accessKeyID = url.preparer.identity.accessKeyID
      redaction = Redaction(url.preparer.identity)
    }
  }

  /// Rooms 1 and 2, in this order; nil when what the answer shows of them equals ours.
  static func compare(_ answer: Answer, _ signed: Signed) -> Finding? {
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

  /// Rooms 3 to 5, when rooms 1 and 2 are equal: who signed, and with what.
  static func compareSenders(_ answer: Answer, _ signed: Signed) -> Finding {
    if let theirs = answer.accessKeyID, !theirs.utf8.elementsEqual(signed.accessKeyID.utf8) {
      return Finding(
        cause: .accessKeyID(ours: signed.accessKeyID, theirs: signed.redaction.name(theirs.utf8)))
    }
    let isOurs =
      answer.signature.map { ASCIIByte.equalIgnoringCase($0.utf8, signed.signature.utf8) } ?? true
    return Finding(cause: isOurs ? .secretAccessKey(signed.accessKeyID) : .otherSecretAccessKey)
  }

  /// An answer without rooms: clock, unsigned headers, or nothing that helps.
  static func readWords(_ answer: Answer, _ signed: Signed) -> Finding {
    if let serverTime = answer.serverTime {
      if let expiration = signed.expiration, expiration <= serverTime {
        return Finding(cause: .expired(at: expiration, serverTime))
      }
      return Finding(cause: .clock(serverTime, answer.requestTime ?? signed.timestamp))
    }
    if answer.errorCode?.utf8.elementsEqual("RequestTimeTooSkewed".utf8) == true {
      return Finding(cause: .unknownClock)
    }
    if answer.says("headers present in the request which were not signed") {
      return Finding(
        cause: .unsignedHeaders(answer.unsignedHeaders.map { signed.redaction.name($0.utf8) }))
    }
    if answer.says("must be a 'SignedHeader'") { return Finding(cause: .hostNotSigned) }
    return Finding(
      cause: .notExplained(
        errorCode: answer.errorCode.map { signed.redaction.name($0.utf8) },
        message: signed.redaction.shown(answer.firstLine)))
  }
}
