// SPDX-License-Identifier: Apache-2.0
// What to say about a response that doesn't identify the cause: its words, and nothing else.

internal import RequestSigning

extension SigV4.Diagnosis {
  /// A response that shows no step of the signature and states no known cause.
  struct UnknownCause {
    let answer: SigV4.ServiceError
    let signed: Signed

    func cause() -> Cause {
      Cause(.unknownCause, "The server doesn't show what it signed. \(response).", fix: fix)
    }

    private var response: String {
      let redaction = signed.redaction
      let message = Cause.withoutPeriod(redaction.shown(answer.firstLine))
      let code = answer.code.map { redaction.name($0.utf8) }
      if let code { return "It returned \(code)" + (message.isEmpty ? "" : ": \(message)") }
      if !message.isEmpty { return "It returned: \(message)" }
      let body = answer.isEmpty ? "an empty body" : "a body that isn't readable"
      return answer.status.map { "It returned the status \($0) and \(body)" }
        ?? (answer.isEmpty ? "Its response is empty" : "Its response isn't readable")
    }

    /// Advice that the response allows. Unknown words allow none.
    private var fix: String {
      if answer.isAboutSignature { return Cause.signatureFix }
      if answer.code == nil && answer.firstLine.isEmpty {
        return isRejectedHead ? Cause.headFix : Cause.emptyFix
      }
      return answer.deniesWithoutWords ? Cause.permissionsFix : Cause.wordsFix
    }

    private var isRejectedHead: Bool {
      [nil, 400, 401, 403].contains(answer.status)
        && signed.canonicalRequest.starts(with: "HEAD\n".utf8)
    }
  }
}

extension SigV4.Diagnosis.Cause {
  fileprivate static var signatureFix: String {
    "Check the secret access key, the region and the service first."
  }

  fileprivate static var permissionsFix: String {
    "Check the permissions of the credentials, and whether the bucket, object or resource exists. "
      + "Also check for a client that adds headers: some stores return the same error for a "
      + "Content-Type or x-amz-* header that isn't signed."
  }

  fileprivate static var headFix: String {
    "Sign and send it as GET. A response to HEAD has no body, so a wrong secret access key looks "
      + "like a missing permission."
  }

  fileprivate static var emptyFix: String {
    "Check the server's log, and whether a proxy or gateway in front of it responded instead."
  }

  fileprivate static var wordsFix: String {
    "Check what this response means in the server's documentation or log."
  }

  /// Ceph rejects such headers (CVE-2026-54330, ceph/ceph 71192 and 71292) with a code and no
  /// message.
  static func unsignedHeaders(sent names: [String]) -> Self {
    let names = names.joined(separator: ", ")
    return Self(
      .unsignedHeaders, subject: names,
      "The response doesn't say why access is denied. The request was sent with headers that the "
        + "signature doesn't cover: \(names). Some stores reject that with this response, such as "
        + "Ceph since August 2026.",
      fix:
        "Pass these headers to the request before signing, or send it without them. If the error "
        + "remains, check the permissions of the credentials, and whether the bucket, object or "
        + "resource exists.")
  }
}
