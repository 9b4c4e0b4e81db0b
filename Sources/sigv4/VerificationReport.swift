// SPDX-License-Identifier: Apache-2.0
// What sigv4 verify prints: the verdict first, then who, when and what, or why not and what to do.

internal import DocumentSupport
internal import RequestSigning
internal import RequestVerification
internal import SigningSupport

/// A finding for people, and for programs.
struct VerificationReport {
  let finding: VerificationFinding

  init(_ finding: VerificationFinding) {
    self.finding = finding
  }

  /// The verdict, and below it what a person needs to know.
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
        ? "What the request claims, not proved" : "What its signature proves"
      page += Page.section(title, lines)
    }
    if let canonicalRequest = refusal.canonicalRequest {
      page += Page.section(
        "Our canonical request", Self.withoutCredentials(canonicalRequest))
    }
    if let advice {
      page += Page.section("What to do", Page.wrapped(advice))
    }
    return page
  }

  /// One object of texts; lists of pairs for trailers.
  var json: JSONText {
    let claim = finding.claim
    let refusal = finding.refusal
    let known = JSONText.texts([
      ("verdict", refusal == nil ? "valid" : "not valid"), ("code", refusal?.code),
      ("message", refusal?.message), ("advice", refusal == nil ? nil : advice),
      ("accessKeyID", claim?.accessKeyID), ("credentialScope", claim?.scope.text),
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

  /// What is known, each with its name before it.
  private var lines: [String] {
    guard let claim = finding.claim else { return [] }
    let signedAt =
      claim.timestamp.text + ", " + Self.distance(from: finding.now, to: claim.timestamp)
    let rows: [(name: String, value: String?)] = [
      ("signed by", claim.accessKeyID),
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
        unsignedHeaders.isEmpty ? nil : unsignedHeaders + " (may have been changed on the way)"
      ),
      ("body", finding.body.map { sentence($0) }),
    ]
    return rows.compactMap { name, value in
      value.map { name + String(repeating: " ", count: 13 - name.count) + $0 }
    }
  }

  /// What was checked of the body.
  private func sentence(_ body: VerificationFinding.Body) -> String {
    let byteCount = Self.count(finding.bodyByteCount, "byte")
    let decoded = Self.count(body.decodedByteCount, "byte")
    let trailers = Self.sentence(body.trailers ?? [:])
    return switch body.kind {
    case .unsigned: "not signed, so any body is valid; this one is " + byteCount
    case .digest: byteCount + ", with the SHA-256 digest that was signed"
    case .signedChunks: "\(decoded) in chunks; the signature of each is right" + trailers
    case .unsignedChunks: "\(decoded) in chunks that are not signed" + trailers
    }
  }

  private static func sentence(_ trailers: SigV4.Headers) -> String {
    trailers.isEmpty
      ? "" : "; trailers: " + trailers.map(\.description).joined(separator: ", ")
  }

  /// What to do beyond what the message says.
  private var advice: String? {
    switch finding.refusal?.code {
    case "signatureMismatch":
      "Compare our canonical request, line by line, with the one of the client: 'sigv4 sign --json' "
        + "prints it, and SDKs log it. If both are equal, the client's secret is not the one in "
        + "AWS_SECRET_ACCESS_KEY here."
    case "requestTimeTooSkewed", "urlExpired", "urlNotYetValid":
      "With --at TIME it is verified as of another time; this shows whether the rest is right."
    case "wrongKey":
      "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to those of the request."
    case "sessionTokenMismatch":
      "Set AWS_SESSION_TOKEN to the token that belongs to the key, or unset it if the key has none."
    case "wrongScope":
      "Leave out --region and --service to accept those that the request names."
    case "bodyMismatch":
      "The body that was read is \(Self.count(finding.bodyByteCount, "byte")). Look for a line end "
        + "that an editor or a copy has added or changed."
    default: nil
    }
  }
}

extension VerificationReport {
  /// How far a moment is from now, in its two largest units.
  static func distance(from now: SigV4.Timestamp, to other: SigV4.Timestamp) -> String {
    let seconds = other.unixSeconds - now.unixSeconds
    if seconds == 0 { return "this second" }
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

  /// The lines of a canonical request, in which credentials are told by their size only.
  static func withoutCredentials(_ canonicalRequest: String) -> [String] {
    canonicalRequest.utf8.split(separator: ASCIIByte.newline, omittingEmptySubsequences: false)
      .map { String(decoding: CredentialNames.hiding(in: Array($0)[...]), as: UTF8.self) }
  }
}
