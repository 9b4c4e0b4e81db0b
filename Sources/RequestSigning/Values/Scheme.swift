// SPDX-License-Identifier: Apache-2.0
// The URL schemes.

extension SigV4 {
  /// The URL scheme of a request, which determines the default port. New schemes may be added.
  public struct Scheme: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: UInt8 {
      case https
      case http
      case wss
      case ws
    }

    private let kind: Kind

    /// Port 443.
    public static var https: Self { Self(kind: .https) }
    /// Port 80.
    public static var http: Self { Self(kind: .http) }
    /// WebSocket over TLS, port 443.
    public static var wss: Self { Self(kind: .wss) }
    /// WebSocket, port 80.
    public static var ws: Self { Self(kind: .ws) }

    /// The name in a URL.
    public var name: String { text.textInUTF8 }

    /// The name in a URL.
    public var description: String { name }

    var text: StaticString {
      switch kind {
      case .https: "https"
      case .http: "http"
      case .wss: "wss"
      case .ws: "ws"
      }
    }

    var defaultPort: Int { self == .https || self == .wss ? 443 : 80 }
  }
}
