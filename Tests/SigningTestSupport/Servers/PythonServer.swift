// SPDX-License-Identifier: Apache-2.0
// A server of the tests in a separate process: its port, and its log.

package import Foundation
internal import Testing

/// A server script, by its path in `Tests`. It ends with this value.
package final class PythonServer: @unchecked Sendable {
  /// The ports that it prints.
  package let ports: [UInt16]

  package var port: UInt16 { ports.first ?? 0 }
  private let process = Process()
  private let input: Pipe

  package init(_ script: String, _ arguments: String...) throws {
    let file = Repository.tests.appendingPathComponent(script)
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", file.path] + arguments
    let output: Pipe
    (input, output) = try ProgramStart.alone { [process] in
      let (input, output) = (Pipe(), Pipe())
      process.standardInput = input
      process.standardOutput = output
      try process.run()
      return (input, output)
    }
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    ports = line.split { $0.isWhitespace }.compactMap { UInt16($0) }
    try #require(!ports.isEmpty)
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.terminate()
    process.waitUntilExit()
  }

  /// The lines of JSON in a log. The server may be writing another one.
  package static func lines<Line: Decodable>(in log: URL) throws -> [Line] {
    let bytes = try Data(contentsOf: log)
    let end = bytes.lastIndex(of: UInt8(ascii: "\n")) ?? bytes.startIndex
    return try bytes[..<end].split(separator: UInt8(ascii: "\n")).map {
      try JSONDecoder().decode(Line.self, from: $0)
    }
  }
}
