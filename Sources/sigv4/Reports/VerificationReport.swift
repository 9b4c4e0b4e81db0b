// SPDX-License-Identifier: Apache-2.0
// The output of sigv4 verify: the verdict, then details of the request, the problem and its fix.

internal import DocumentSupport
internal import RequestSigning
internal import RequestVerification
internal import SignatureDiagnosis

/// Prints a finding as text or JSON.
struct VerificationReport {
  let finding: VerificationFinding

  init(_ finding: VerificationFinding) {
    self.finding = finding
  }

  /// The verdict and its details as text.
  var page: String {
    guard let refusal = finding.refusal else {
      return Page.section("Valid", lines)
    }
    var page = Page.section(
      "Not valid: \(refusal.code)",
      Page.sentence(refusal.message))
    if !lines.isEmpty {
      let title =
        finding.signedHeaders == nil
        ? "Claimed by the request (not verified)" : "Verified by its signature"
      page += Page.section(title, lines)
    }
    if let canonicalRequest = refusal.canonicalRequest {
      page += Page.section(
        "Canonical request as received", Self.withoutCredentials(canonicalRequest))
    }
    if let advice {
      page += Page.section("What to do", Page.wrapped(advice))
    }
    return page
  }

  /// The finding as a JSON object of strings. Trailers are arrays of pairs.
  var json: JSONText {
    let claim = finding.claim
    let refusal = finding.refusal
    let known = JSONText.texts([
      ("verdict", refusal == nil ? "valid" : "not valid"), ("code", refusal?.code),
      ("message", refusal?.message), ("advice", refusal == nil ? nil : advice),
      ("accessKeyID", claim.map { AccessKeyID.shown($0.accessKeyID) }),
      ("credentialScope", claim?.scope.text),
      ("regionSet", claim?.regionSet),
      ("signatureLocation", claim.map { $0.signatureLocation == .query ? "query" : "header" }),
      ("signedAt", claim?.timestamp.text),
      ("age", claim.map { String(finding.now.unixSeconds - $0.timestamp.unixSeconds) }),
      ("expires", claim?.expiration?.text), ("signedHeaders", finding.signedHeaders),
      ("unsignedHeaders", finding.signedHeaders.map { _ in unsignedHeaders }),
      ("body", finding.body?.kind.rawValue),
      ("bodyBytes", finding.body.map { _ in String(finding.bodyByteCount) }),
      ("canonicalRequest", refusal?.canonicalRequest ?? finding.canonicalRequest),
    ])
    guard case .object(let members) = known, let trailers = finding.body?.trailers else {
      return known
    }
    return .object(members + [("trailers", .headers(trailers))])
  }

  private var unsignedHeaders: String { finding.unsignedHeaders.joined(separator: ";") }

  /// The known details, each with a label.
  private var lines: [String] {
    guard let claim = finding.claim else { return [] }
    let signedAt =
      claim.timestamp.text + ", " + Self.distance(from: finding.now, to: claim.timestamp)
    return Page.rows([
      ("signed by", AccessKeyID.shown(claim.accessKeyID)),
      ("for", claim.scope.text),
      ("in regions", claim.regionSet),
      ("signed in", claim.signatureLocation == .query ? "the URL" : "the Authorization header"),
      ("signed at", signedAt),
      (
        "valid until",
        claim.expiration.map { $0.text + ", " + Self.distance(from: finding.now, to: $0) }
      ),
      ("now", finding.now.text),
      ("signed", finding.signedHeaders),
      (
        "not signed",
        unsignedHeaders.isEmpty ? nil : unsignedHeaders + " (may have changed in transit)"
      ),
      ("body", finding.body.map { sentence($0) }),
    ])
  }

  /// How the body was verified, in words.
  private func sentence(_ body: VerificationFinding.Body) -> String {
    let byteCount = Self.count(finding.bodyByteCount, "byte")
    let decoded = Self.count(body.decodedByteCount, "byte")
    let trailers = Self.sentence(body.trailers ?? [:])
    return switch body.kind {
    case .unsigned: byteCount + ", not signed (any body is valid)"
    case .digest: byteCount + ", matching the signed SHA-256 hash"
    case .signedChunks: "\(decoded) in chunks with valid signatures" + trailers
    case .unsignedChunks: "\(decoded) in unsigned chunks" + trailers
    }
  }

  private static func sentence(_ trailers: SigV4.Headers) -> String {
    trailers.isEmpty
      ? "" : ", trailers: " + trailers.map(\.description).joined(separator: ", ")
  }

  /// Advice for the command line, in addition to the message.
  private var advice: String? {
    switch finding.refusal?.code {
    case "signatureMismatch":
      "Compare this canonical request, line by line, with the client's: 'sigv4 sign --json' prints "
        + "it, and SDKs log it. If they're equal, the client's secret access key differs from "
        + "AWS_SECRET_ACCESS_KEY here."
    case "requestTimeTooSkewed", "urlExpired", "urlNotYetValid":
      "Use --at TIME to verify it at a different time, which shows whether the rest is valid."
    case "wrongKey":
      "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to the credentials of the request."
    case "sessionTokenMismatch":
      "Set AWS_SESSION_TOKEN to the token of this access key, or unset it if the key has no token."
    case "wrongScope":
      "Remove --region and --service to accept the region and service in the request."
    case "bodyMismatch":
      "The body is \(Self.count(finding.bodyByteCount, "byte")) long. Check for a newline that an "
        + "editor added or changed."
    default: nil
    }
  }
}

extension VerificationReport {
  /// The time between now and a timestamp, in its two largest units.
  static func distance(from now: SigV4.Timestamp, to other: SigV4.Timestamp) -> String {
    let seconds = other.unixSeconds - now.unixSeconds
    if seconds == 0 { return "now" }
    let (days, rest) = abs(seconds).quotientAndRemainder(dividingBy: 86_400)
    let units = [
      (days, "day"), (rest / 3_600, "hour"), (rest / 60 % 60, "minute"), (rest % 60, "second"),
    ]
    let words = units.drop { $0.0 == 0 }.prefix(2).filter { $0.0 > 0 }
      .map { count(Int($0.0), $0.1) }.joined(separator: " ")
    return seconds < 0 ? words + " ago" : "in " + words
  }

  static func count(_ count: Int, _ unit: String) -> String {
    "\(count) \(unit)\(count == 1 ? "" : "s")"
  }

  /// The lines of a canonical request, without control characters. Credentials are replaced by
  /// their size.
  static func withoutCredentials(_ canonicalRequest: String) -> [String] {
    canonicalRequest.utf8.split(separator: ASCIIByte.newline, omittingEmptySubsequences: false)
      .map { SigV4.Diagnosis.visible(CredentialNames.hiding(in: Array($0)[...])) }
  }
}
