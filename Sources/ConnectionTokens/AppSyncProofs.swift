// SPDX-License-Identifier: Apache-2.0
// The handshake and the messages of AppSync's WebSockets, for GraphQL and for Events.

internal import DocumentSupport
public import RequestSigning
internal import SecureHashing

extension SigV4.IdentityProof {
  /// A kind of AWS AppSync API, with a WebSocket.
  public struct AppSyncAPI: Hashable, Sendable {
    fileprivate let path: String
    fileprivate let connectPath: String

    /// An Event API. Its WebSocket is `wss://HOST/event/realtime`, and its subprotocol
    /// `aws-appsync-event-ws`.
    public static let events = Self(path: "/event", connectPath: "/event")
    /// A GraphQL API. Its WebSocket is `wss://HOST/graphql`, and its subprotocol `graphql-ws`.
    public static let graphQL = Self(path: "/graphql", connectPath: "/graphql/connect")
  }

  /// Creates the subprotocol that opens a WebSocket of AWS AppSync.
  ///
  /// Open the WebSocket with two subprotocols: the API's (``AppSyncAPI``) and ``text``. ``fields``
  /// are the signed headers in it. AWS accepts it for five minutes, and only to open WebSockets of
  /// this API.
  ///
  /// - Parameters:
  ///   - api: The kind of API.
  ///   - host: The API's HTTP host, `ID.appsync-api.REGION.amazonaws.com` or your own domain, not
  ///     the host of the WebSocket.
  ///   - region: The API's region.
  ///   - credentials: The caller's credentials.
  ///   - timestamp: The current time.
  /// - Throws: `invalidHost`, `invalidRegion` or `credentialsExpired`.
  ///
  /// Source: AWS AppSync, "Understanding the Event API WebSocket protocol" and "Building a
  /// real-time WebSocket client".
  public static func appSyncConnection(
    to api: AppSyncAPI, host: String, region: String, credentials: SigV4.Credentials,
    at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> Self {
    try appSync(api.connectPath, Array("{}".utf8), host, region, credentials, timestamp) {
      headers in
      "header-" + Base64.encode(headers.utf8, as: .urlSafeUnpadded)
    }
  }

  /// Creates the authorization of a message on an open WebSocket of AWS AppSync.
  ///
  /// Use ``text`` as the message's `authorization`, which is a JSON object with ``fields``. AWS
  /// accepts it for five minutes, and only for this body.
  ///
  /// - Parameters:
  ///   - body: What the message does, as JSON. For Events, it's `{"channel":"/default/a"}` to
  ///     subscribe, with `"events":[...]` to publish. For GraphQL, it's the string in `data`, with
  ///     `query` and `variables`.
  ///   - api: The kind of API.
  ///   - host: The API's HTTP host, as in ``appSyncConnection(to:host:region:credentials:at:)``.
  ///   - region: The API's region.
  ///   - credentials: The caller's credentials.
  ///   - timestamp: The current time.
  /// - Throws: `invalidPayload` unless the body begins like a JSON object, `invalidHost`,
  ///   `invalidRegion` or `credentialsExpired`.
  public static func appSyncMessage(
    _ body: String, to api: AppSyncAPI, host: String, region: String,
    credentials: SigV4.Credentials, at timestamp: SigV4.Timestamp
  ) throws(SigV4.SigningError) -> Self {
    let first = body.utf8.first { !ASCIIByte.isControl($0) && $0 != ASCIIByte.space }
    if first != 0x7B {
      throw SigV4.SigningError(
        .invalidPayload,
        "The body of an AppSync message (\(body.utf8.count) bytes, not shown) isn't a JSON object.",
        fix: "Pass what the message does, such as {\"channel\":\"/default/a\"}.")
    }
    return try appSync(api.path, Array(body.utf8), host, region, credentials, timestamp) { $0 }
  }

  private static func appSync(
    _ path: String, _ body: [UInt8], _ host: String, _ region: String,
    _ credentials: SigV4.Credentials, _ timestamp: SigV4.Timestamp, text: (String) -> String
  ) throws(SigV4.SigningError) -> Self {
    try SigV4.Connection.checkHost(host)
    if BytewiseSearch.range(of: ".appsync-realtime-api.", in: host.bytesInUTF8[...]) != nil {
      throw SigV4.SigningError(
        .invalidHost,
        "\(quoted: host) is the host of the WebSocket, but AppSync signs its HTTP host.",
        fix: "Use the host with appsync-api instead of appsync-realtime-api.")
    }
    let connection = try SigV4.Connection("appsync", region: region, credentials, at: timestamp)
    let signed = try connection.signed(
      SigV4.Request(
        "POST", host: host, path: .raw(path),
        headers: [
          "accept": "application/json, text/javascript", "content-encoding": "amz-1.0",
          "content-type": "application/json; charset=UTF-8",
        ], payload: .bytes(body)))
    let fields = [("host", signed.host)] + signed.headers.map { ($0.name, $0.value) }
    // IAM, User Guide, "Signature elements": AWS accepts most requests for five minutes.
    return Self(
      text(JSONText.object(fields.map { ($0.0, .string($0.1)) }).compact), fields,
      of: signed,
      until: try connection.end(after: 300))
  }
}
