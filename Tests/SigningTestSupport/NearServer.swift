// SPDX-License-Identifier: Apache-2.0
// A server that does byte for byte what a test says, and plays a container and an instance.

internal import Foundation

/// near-server.py, which says what it does.
enum NearServer {
  /// One process for all tests, since it takes longer to start than a test.
  private static let shared = Result { try PythonServer("near-server.py") }

  static func port() throws -> UInt16 { try shared.get().ports[0] }

  /// Takes no connections, and refuses none.
  static func blackHolePort() throws -> UInt16 { try shared.get().ports[1] }

  /// The URL of a service.
  static func url(_ path: String) throws -> String { "http://127.0.0.1:\(try port())\(path)" }

  /// A path at which the server takes these steps.
  static func path(_ steps: [[Any]]) throws -> String {
    let json = try JSONSerialization.data(withJSONObject: steps)
    return "/do/" + json.map { String(format: "%02x", $0) }.joined()
  }
}
