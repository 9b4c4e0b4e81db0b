// SPDX-License-Identifier: Apache-2.0
// The URL schemes.

internal import SigningSupport

extension SigV4 {
  /// The URL scheme of a request, which determines the default port. New schemes may be added.
  public struct Scheme: Hashable, Sendable, CustomStringConvertible {
    /// The scheme in a message.
    let message: MessageScheme

    init(_ message: MessageScheme) {
      self.message = message
    }

    /// Port 443.
    public static var https: Self { Self(.https) }
    /// Port 80.
    public static var http: Self { Self(.http) }
    /// WebSocket over TLS, port 443.
    public static var wss: Self { Self(.wss) }
    /// WebSocket, port 80.
    public static var ws: Self { Self(.ws) }

    /// The name in a URL.
    public var name: String { message.name.textInUTF8 }

    /// The name in a URL.
    public var description: String { name }
  }
}
