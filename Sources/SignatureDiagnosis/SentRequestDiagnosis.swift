// SPDX-License-Identifier: Apache-2.0
// The diagnosis of a sent request without its signer.

public import RequestSigning
internal import SigningSupport

extension SigV4.SentRequest {
  /// Words for messages.
  fileprivate var whole: String { isInURL ? "URL" : "request" }
  fileprivate var place: String { isInURL ? "URL" : "Authorization header" }
}

extension SigV4.ServiceError {
  /// Explains why the server rejected a request, without its signer.
  public func diagnosis(for request: SigV4.SentRequest) -> SigV4.Diagnosis {
    let shown = SigV4.Diagnosis.shownHeaders(self)
    let values = request.missingHeaders.map { (name: $0, value: shown[$0] ?? []) }
    let known = values.filter { !$0.value.isEmpty }
    // If the method is unknown, the received one is used, so that it isn't reported as the cause.
    let signedMethod = request.method == nil ? request.signedMethod(known) : nil
    let method = request.method ?? signedMethod ?? SigV4.Diagnosis.shownMethod(self) ?? "GET"
    let signed = request.signed(known, method: method)
    let finding = SigV4.Diagnosis.finding(
      self, signed, request, signedMethod: signedMethod, notSent: values)
    return SigV4.Diagnosis(self, signed, finding)
  }
}

extension SigV4.Diagnosis {
  /// The method that the server signed.
  fileprivate static func shownMethod(_ answer: SigV4.ServiceError) -> String? {
    answer.canonicalRequest.flatMap { CanonicalRequestComparison.lines($0).first?.textInUTF8 }
      .flatMap { $0.isEmpty ? nil : $0 }
  }

  fileprivate static func finding(
    _ answer: SigV4.ServiceError, _ signed: Signed, _ request: SigV4.SentRequest,
    signedMethod: String?,
    notSent values: [(name: String, value: [UInt8])]
  ) -> Finding {
    if !answer.showsSteps {
      let stated = StatedCause(answer: answer, signed: signed).cause()
      if let stated { return Finding(cause: stated) }
      if request.isIntact(signed) == false && values.isEmpty {
        return Finding(cause: .signatureOfOthers(request))
      }
      if request.method == nil && answer.isAboutSignature {
        return Finding(cause: .methodNotGiven(signed: signedMethod))
      }
      return readWords(answer, signed)
    }
    let name = values.first.map { signed.redaction.name($0.name.utf8) }
    if answer.canonicalRequest != nil, let lost = values.first(where: { $0.value.isEmpty }) {
      return Finding(cause: .headerMissing(signed.redaction.name(lost.name.utf8)))
    }
    if let finding = compare(answer, signed) { return finding }
    if let name { return Finding(cause: .headerNotGiven(name)) }
    let sender = compareSenders(answer, signed)
    let isOfSecret = sender.cause.code == .secretAccessKey
    switch request.isIntact(signed) {
    case nil where isOfSecret: return Finding(cause: .signature(request))
    case false? where isOfSecret: return Finding(cause: .signatureOfOthers(request))
    default: return sender
    }
  }

  /// The headers that the server signed, by their names.
  fileprivate static func shownHeaders(_ answer: SigV4.ServiceError) -> [String: [UInt8]] {
    let lines = CanonicalRequestComparison.lines(answer.canonicalRequest ?? [])
    var headers: [String: [UInt8]] = [:]
    for line in lines.dropFirst(3).prefix(while: { !$0.isEmpty }).reversed() {
      let name = line.prefix { $0 != ASCIIByte.colon }
      headers[name.textInUTF8] = Array(line[name.endIndex...].dropFirst())
    }
    return headers
  }
}

extension SigV4.Diagnosis.Cause {
  static func signature(_ request: SigV4.SentRequest) -> Self {
    let isMethodKnown = request.method != nil
    return Self(
      .signature,
      "the signature in the \(request.place) does not match the request that arrived: the \(request.whole) was "
        + "changed after it was signed, or it was signed "
        + (isMethodKnown ? "" : "for another method or ")
        + "with another secret access key",
      advice: "Compare it with the \(request.whole) that was signed, character by character"
        + (isMethodKnown ? "" : ", and the method that was sent with the one that was signed")
        + "; when it is the same, look at which secret its signer has. With the credentials "
        + "that made it, the cases can be told apart")
  }

  /// A server that only says that the signature is wrong, of a URL whose method is not given.
  static func methodNotGiven(signed method: String?) -> Self {
    guard let method else {
      return Self(
        .unknownCause,
        "the server does not show what it signed, and a presigned URL works with one method only, which "
          + "isn't given here",
        advice:
          "Specify the method that was sent (-X at the command line). If it's the one that was signed, "
          + "check the secret access key that made the URL")
    }
    return Self(
      .unknownCause,
      "the server does not show what it signed. The URL is intact, and was signed for \(method)",
      advice:
        "Send it with the method \(method) and all its signed headers. If that was done, the server has "
        + "another secret access key for this access key ID")
  }

  /// The same where the credentials of the key ID are known.
  static func signatureOfOthers(_ request: SigV4.SentRequest) -> Self {
    Self(
      .signature,
      "the credentials given here make another signature for this \(request.whole): it was changed after it was "
        + "signed, or another secret access key made it",
      advice:
        "When the \(request.whole) was signed with these credentials, it was changed: send it as it was signed. "
        + "If it is unchanged, it was signed with another secret for this access key ID")
  }

  static var secretOrDate: Self {
    Self(
      .signature,
      "both sides sign the same text at the time that the answer shows: x-amz-date was changed on "
        + "its way, or the secret access key is not the one that the server has",
      advice:
        "Compare the time that was sent with the one in the answer; when they are equal, copy key ID "
        + "and secret again, as a pair")
  }

  static func headerNotGiven(_ name: String) -> Self {
    Self(
      .unknownCause, subject: name,
      "everything that can be compared is equal, but the URL was signed with the header "
        + "\(name), whose value is not given here",
      advice: "Give the header as it was sent, so that it is compared too")
  }
}
