// SPDX-License-Identifier: Apache-2.0
// Refusals that more than one place needs, or that tell the client more than their code.

nonisolated extension SigV4.VerificationError {
  static func unsupportedAlgorithm(_ name: ArraySlice<UInt8>) -> Self {
    Self(
      .unsupportedAlgorithm,
      "the algorithm \(SigV4.shown(name)) is not AWS4-HMAC-SHA256; look for a client of another "
        + "protocol or version")
  }

  static func unsignedHeader(_ name: ArraySlice<UInt8>) -> Self {
    Self(
      .unsignedHeader,
      "the header \(SigV4.quoted(name)) has to be there and signed, so that nobody adds or changes it on "
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
        ("RequestTime", Array(timestamp.text.utf8)), ("ServerTime", readable(now)),
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
      elements: [("ServerTime", readable(now))])
  }

  static func expired(_ expiration: SigV4.Timestamp, _ now: SigV4.Timestamp) -> Self {
    Self(
      .urlExpired,
      "the URL was good until \(expiration.text), and now it is \(now.text); ask the client to get a "
        + "new one",
      elements: [("Expires", readable(expiration)), ("ServerTime", readable(now))])
  }

  /// `2015-06-04T22:26:16Z`
  static func readable(_ timestamp: SigV4.Timestamp) -> [UInt8] {
    let text = timestamp.textBytes
    var readable: [UInt8] = []
    for (index, byte) in text.enumerated() {
      if index == 4 || index == 6 { readable.append(0x2D) }
      if index == 11 || index == 13 { readable.append(SigV4.ASCII.colon) }
      readable.append(byte)
    }
    return readable
  }
}

nonisolated extension SigV4 {
  /// A piece of a received request, fit to stand in a log: quoted when it is as short as what belongs in
  /// its place, since longer ones may hold a part of a token or a signature.
  static func shown(_ bytes: some Collection<UInt8>) -> String {
    bytes.count <= 32 ? quoted(bytes) : "(\(bytes.count) bytes, not shown)"
  }
}
