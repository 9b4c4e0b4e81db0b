// SPDX-License-Identifier: Apache-2.0
// Explains the rejection of a request that was already sent, without its signer.

public import RequestSigning

extension SigV4.SentRequest {
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
      "The signature in the \(request.place) doesn't match the received request. The "
        + "\(request.whole) was changed after signing, or signed "
        + (isMethodKnown ? "" : "for a different method or ")
        + "with a different secret access key.",
      fix: "Compare it with the signed \(request.whole), character by character"
        + (isMethodKnown ? "" : ", and the sent method with the signed one")
        + ". If nothing differs, check the signer's secret access key. Pass the credentials that "
        + "signed it to tell these cases apart.")
  }

  /// The server only reports a wrong signature, and the method of the URL wasn't passed.
  static func methodNotGiven(signed method: String?) -> Self {
    guard let method else {
      return Self(
        .unknownCause,
        "The server doesn't show what it signed. A presigned URL works with only one method, which "
          + "wasn't passed.",
        fix:
          "Pass the method that was sent (-X on the command line). If it's the signed method, "
          + "check the secret access key that signed the URL.")
    }
    return Self(
      .unknownCause,
      "The server doesn't show what it signed. The URL is intact and was signed for \(method).",
      fix:
        "Send it with the method \(method) and all its signed headers. If you did, the server has "
        + "a different secret access key for this access key ID.")
  }

  /// The same if the credentials of the access key ID are known.
  static func signatureOfOthers(_ request: SigV4.SentRequest) -> Self {
    Self(
      .signature,
      "These credentials result in a different signature for this \(request.whole). It was changed "
        + "after signing, or signed with a different secret access key.",
      fix:
        "Send the \(request.whole) exactly as it was signed. If it's unchanged, it was signed "
        + "with a different secret access key for this access key ID.")
  }

  static var secretOrDate: Self {
    Self(
      .signature,
      "The requests match at the time in the response. Either x-amz-date changed in transit, or "
        + "the secret access key is wrong.",
      fix:
        "Check the sent time against the time in the response. If they're equal, copy the access "
        + "key ID and secret access key again, as a pair.")
  }

  static func headerNotGiven(_ name: String) -> Self {
    Self(
      .unknownCause, subject: name,
      "Everything that can be compared matches, but the URL was signed with the header \(name), "
        + "whose value wasn't passed.",
      fix: "Pass the header as it was sent, so that it's compared too.")
  }
}
