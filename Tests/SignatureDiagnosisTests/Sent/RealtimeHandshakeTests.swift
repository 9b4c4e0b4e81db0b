// SPDX-License-Identifier: Apache-2.0
// AppSync's WebSockets, whose signed request isn't the WebSocket URL.

internal import Foundation
internal import RequestSigning
internal import SignatureDiagnosis
internal import SigningTestSupport
internal import Testing

@Suite("Diagnosis: AppSync's realtime hosts")
struct RealtimeHandshakeTests {
  /// The response in aws-amplify/amplify-js 14001, without its secrets.
  private func answer(_ path: String, host: String) throws -> Data {
    let message =
      "The request signature we calculated does not match the signature you provided. Check your AWS "
      + "Secret Access Key and signing method. Consult the service documentation for details.\n\n"
      + "The Canonical String for this request should have been\n'POST\n\(path)\n\n"
      + "accept:application/json, text/javascript\ncontent-encoding:amz-1.0\n"
      + "content-type:application/json; charset=UTF-8\nhost:\(host)\n"
      + "x-amz-date:20150830T123600Z\n\naccept;content-encoding;content-type;host;x-amz-date\n"
      + Example.digestOfNothing + "'\n"
    return try JSONSerialization.data(withJSONObject: [
      "errors": [["errorType": "BadRequestException", "message": message]]
    ])
  }

  private func explained(_ url: String, _ path: String, host: String) throws -> SigV4.Diagnosis {
    let signed = try Example.signed(SigV4.Request("GET", url: url), .named("appsync"))
    return SigV4.ServiceError(try answer(path, host: host)).diagnosis(for: signed)
  }

  /// Source: AWS AppSync Developer Guide, "Understanding the Event API WebSocket protocol" and "Building a
  /// real-time WebSocket client".
  @Test("For a realtime host, the POST of {} to the HTTP host must be signed")
  func realtimeHosts() throws {
    for (realtime, path, host) in [
      (
        "wss://abc.appsync-realtime-api.eu-west-1.amazonaws.com/event/realtime", "/event",
        "abc.appsync-api.eu-west-1.amazonaws.com"
      ),
      (
        "wss://abc.appsync-realtime-api.eu-west-1.amazonaws.com/graphql", "/graphql/connect",
        "abc.appsync-api.eu-west-1.amazonaws.com"
      ),
      ("wss://api.example.com/graphql/realtime", "/graphql/connect", "api.example.com"),
      ("wss://api.example.com/event/realtime", "/event", "api.example.com"),
    ] {
      let found = try explained(realtime, path, host: host)
      #expect(found.cause.code == .endpoint && found.cause.subject == host, "\(found)")
      #expect(found.cause.fix.contains("POST https://\(host)\(path)"), "\(found)")
      #expect(found.cause.fix.contains("{}"))
    }
  }

  @Test("A request to the HTTP host is compared as any other")
  func httpHosts() throws {
    let found = try explained(
      "https://abc.appsync-api.eu-west-1.amazonaws.com/event", "/event",
      host: "abc.appsync-api.eu-west-1.amazonaws.com")
    #expect(found.cause.code == .method)
    let other = try explained(
      "https://api.example.com/realtime/a", "/event", host: "api.example.com")
    #expect(other.cause.code == .method)
  }
}
