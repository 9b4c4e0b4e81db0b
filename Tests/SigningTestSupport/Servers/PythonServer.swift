// SPDX-License-Identifier: Apache-2.0
// A server of the tests in a separate process: its port, and its log.

package import Foundation
internal import Testing

/// A server script, by its path in `Tests`. It ends with this value.
package final class PythonServer: Sendable {
  /// The ports that it prints.
  package let ports: [UInt16]

  package var port: UInt16 { ports.first ?? 0 }
  private let program: RunningProgram

  package init(_ script: String, _ arguments: String...) throws {
    Self.avoidProxy
    let file = Repository.tests.appendingPathComponent(script)
    program = try RunningProgram(["python3", file.path] + arguments)
    let line = String(decoding: program.outputs[0].availableData, as: UTF8.self)
    ports = line.split { $0.isWhitespace }.compactMap { UInt16($0) }
    try #require(!ports.isEmpty)
  }

  deinit { program.end(by: SIGTERM) }

  /// libcurl sends requests for this machine to the environment's proxy, too, unless it's told.
  private static let avoidProxy: Void = {
    let environment = ProcessInfo.processInfo.environment
    let proxies = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    if proxies.contains(where: { environment[$0] != nil }) {
      unsafe setenv("no_proxy", "127.0.0.1,localhost", 1)
    }
  }()

  /// The lines of JSON in a log. The server may be writing another one.
  package static func lines<Line: Decodable>(in log: URL) throws -> [Line] {
    let bytes = try Data(contentsOf: log)
    let end = bytes.lastIndex(of: UInt8(ascii: "\n")) ?? bytes.startIndex
    return try bytes[..<end].split(separator: UInt8(ascii: "\n")).map {
      try JSONDecoder().decode(Line.self, from: $0)
    }
  }
}
