// SPDX-License-Identifier: Apache-2.0
// A server that follows a test's script byte for byte, or plays a container and an instance.

internal import Foundation

/// near-server.py, which describes its steps.
package enum NearServer {
  /// One process for all tests, since it takes longer to start than a test.
  private static let shared = Result { try PythonServer("SigningTestSupport/near-server.py") }

  package static func port() throws -> UInt16 { try shared.get().ports[0] }

  /// Neither accepts nor rejects connections.
  package static func blackHolePort() throws -> UInt16 { try shared.get().ports[1] }

  /// The URL of a service.
  package static func url(_ path: String) throws -> String {
    "http://127.0.0.1:\(try port())\(path)"
  }

  /// A path where the server performs these steps.
  package static func path(_ steps: [[Any]]) throws -> String {
    let json = try JSONSerialization.data(withJSONObject: steps)
    return "/do/" + json.map { String(format: "%02x", $0) }.joined()
  }
}
