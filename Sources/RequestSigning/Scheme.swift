// SPDX-License-Identifier: Apache-2.0
// What a URL begins with.

internal import SigningSupport

extension SigV4 {
  /// The scheme of a request. It decides which port is the default one.
  public enum Scheme: Sendable {
    /// Port 443.
    case https
    /// Port 80.
    case http
    /// WebSocket over TLS, port 443.
    case wss
    /// WebSocket, port 80.
    case ws

    /// The name in a URL.
    public var name: String { message.name.textInUTF8 }

    init(_ scheme: MessageScheme) {
      self =
        switch scheme {
        case .https: .https
        case .http: .http
        case .wss: .wss
        case .ws: .ws
        }
    }

    /// The same for a message.
    var message: MessageScheme {
      switch self {
      case .https: .https
      case .http: .http
      case .wss: .wss
      case .ws: .ws
      }
    }
  }
}
