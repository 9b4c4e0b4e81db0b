// SPDX-License-Identifier: Apache-2.0
// AppSync WebSockets, which need the signature of a different request from the one that opens them.

internal import RequestSigning

extension SigV4.Diagnosis {
  /// A WebSocket handshake that was signed itself, instead of the request that AppSync expects.
  ///
  /// AWS AppSync Developer Guide, "Understanding the Event API WebSocket protocol" and "Building a
  /// real-time WebSocket client": a POST of `{}` to the HTTP host is signed, and its headers are
  /// sent as a subprotocol.
  struct RealtimeHandshake {
    private let path: String
    private let host: String

    /// Nil unless the signed request opens a WebSocket and the server's is a POST.
    init?(_ answer: SigV4.ServiceError, _ signed: Signed) {
      guard let theirs = answer.canonicalRequest else { return nil }
      let (ours, lines) = (
        CanonicalRequestComparison.lines(signed.canonicalRequest),
        CanonicalRequestComparison.lines(theirs)
      )
      guard ours.count > 2, lines.count > 2, lines[0].spells("POST"), !ours[0].spells("POST"),
        let ourHost = Self.host(ours), let host = Self.host(lines)
      else { return nil }
      let realtime: StaticString = "/realtime"
      let isRealtime =
        BytewiseSearch.range(of: ".appsync-realtime-api.", in: ourHost) != nil
        || ours[1].suffix(realtime.utf8CodeUnitCount).spells(realtime)
      if !isRealtime { return nil }
      path = signed.redaction.name(lines[1])
      self.host = signed.redaction.name(host)
    }

    private static func host(_ lines: [ArraySlice<UInt8>]) -> ArraySlice<UInt8>? {
      lines.first { $0.starts(with: "host:".utf8) }?.dropFirst("host:".utf8.count)
    }

    func finding() -> Finding {
      Finding(
        cause: Cause(
          .endpoint, subject: host,
          "AppSync signs a POST to \(host), not the request that opens the WebSocket.",
          fix:
            "Sign POST https://\(host)\(path) with the body {} and the headers accept, "
            + "content-encoding and content-type that the server shows. Send the signed headers "
            + "as the subprotocol header-BASE64URL."))
    }
  }
}
