// SPDX-License-Identifier: Apache-2.0
// The URL schemes.

internal import SigningSupport

extension SigV4 {
  /// The URL scheme of a request, which determines the default port.
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

    /// The scheme in a message.
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
