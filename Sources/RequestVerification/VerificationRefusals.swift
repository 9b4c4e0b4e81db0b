// SPDX-License-Identifier: Apache-2.0
// Refusals that more than one place needs, or that tell the client more than their code.

internal import DocumentSupport
internal import RequestSigning
internal import S3Signing
internal import SigningSupport

extension SigV4.VerificationError {
  static func unsupportedAlgorithm(_ name: ArraySlice<UInt8>) -> Self {
    Self(
      .unsupportedAlgorithm,
      "the algorithm \(SigV4.shown(name)) is not AWS4-HMAC-SHA256; look for a client of another "
        + "protocol or version")
  }

  static func unsignedHeader(_ name: ArraySlice<UInt8>) -> Self {
    Self(
      .unsignedHeader,
      "the header \(UTF8Text.quoted(name)) has to be there and signed, so that nobody adds or changes it on "
        + "the way, and is not among the signed ones; look for a proxy that adds it",
      elements: [("HeadersNotSigned", Array(name))])
  }

  static var unsignedPayload: Self {
    Self(
      .unsignedPayload,
      "the signature does not cover the body, and the policy or a connection without TLS forbids that; "
        + "accept it behind TLS, or ask the client to sign the payload")
  }

  static var bodyMismatch: Self {
    Self(
      .bodyMismatch,
      "the body has another SHA-256 digest than the one that was signed; look for a proxy that changes "
        + "bodies, or take it for an attack")
  }

  /// More than the window lies between the request and the server's clock.
  static func skewed(
    _ timestamp: SigV4.Timestamp, _ now: SigV4.Timestamp, _ window: Int64
  ) -> Self {
    let isEarly = timestamp < now
    // Of a window that is longer than time itself only the beginning is told.
    let edge = try? now.advanced(bySeconds: isEarly ? 0 &- window : window)
    let state = isEarly ? "expired" : "not yet current"
    let order = isEarly ? "now earlier than" : "still later than"
    let sign = isEarly ? "-" : "+"
    let milliseconds = window.multipliedReportingOverflow(by: 1_000).partialValue
    return Self(
      .requestTimeTooSkewed,
      "the request is dated \(timestamp.text), now it is \(now.text), and \(window) seconds are "
        + "accepted; look at the clocks of both machines, or take it for a replay",
      elements: [
        ("RequestTime", Array(timestamp.text.utf8)), ("ServerTime", now.extendedTextBytes),
        ("MaxAllowedSkewMilliseconds", Array("\(milliseconds)".utf8)),
      ],
      sentence: "Signature \(state): \(timestamp.text) is \(order) \((edge ?? now).text) "
        + "(\(now.text) \(sign) \(window / 60) min.)")
  }

  static func notYetValid(_ timestamp: SigV4.Timestamp, _ now: SigV4.Timestamp) -> Self {
    Self(
      .urlNotYetValid,
      "the URL is dated \(timestamp.text), and now it is \(now.text); look at the clocks of both "
        + "machines",
      elements: [("ServerTime", now.extendedTextBytes)])
  }

  static func expired(_ expiration: SigV4.Timestamp, _ now: SigV4.Timestamp) -> Self {
    Self(
      .urlExpired,
      "the URL was good until \(expiration.text), and now it is \(now.text); ask the client to get a "
        + "new one",
      elements: [("Expires", expiration.extendedTextBytes), ("ServerTime", now.extendedTextBytes)])
  }

  static var formTooLarge: Self {
    Self(
      .formTooLarge,
      "the fields of the form have more than \(SigV4.ReceivedForm.byteLimit) bytes before the file, "
        + "which no honest page needs; take it for an attack, or look for a file in a field that is not "
        + "called file")
  }

  /// What is wrong with a policy: "the policy of the form ...".
  static func malformedPolicy(_ problem: String) -> Self {
    Self(
      .malformedPolicy,
      "the policy of the form \(problem), and what cannot be read allows nothing; look at what makes the "
        + "policies")
  }

  static func policyExpired(_ expiration: SigV4.Timestamp, _ now: SigV4.Timestamp) -> Self {
    Self(
      .policyExpired,
      "the form was good until \(expiration.text), and now it is \(now.text); ask the client to load "
        + "its page again")
  }

  /// A field of the form that breaks its policy. Its value is not shown: it may be secret.
  static func policyConditionFailed(_ field: String, _ problem: String) -> Self {
    Self(
      .policyConditionFailed,
      "the field \(UTF8Text.quoted(field)) \(problem), so nobody allowed this upload; look for a page that "
        + "changes or adds fields after signing")
  }
}

extension SigV4 {
  /// A piece of a received request, fit to stand in a log: quoted when it is as short as what belongs in
  /// its place, since longer ones may hold a part of a token or a signature.
  static func shown(_ bytes: some Collection<UInt8>) -> String {
    bytes.count <= 32 ? UTF8Text.quoted(bytes) : "(\(bytes.count) bytes, not shown)"
  }
}
