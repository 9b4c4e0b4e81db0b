// SPDX-License-Identifier: Apache-2.0
// A server of these tests in a process of its own: where it listens, and what it wrote down.

internal import Foundation
internal import Testing

/// A server beside this file, which ends with this value.
final class PythonServer: @unchecked Sendable {
  let port: UInt16
  private let process = Process()
  private let input = Pipe()

  init(_ script: String, _ arguments: String...) throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent(script)
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", file.path] + arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    port = try #require(UInt16(line.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.terminate()
    process.waitUntilExit()
  }

  /// The lines of JSON in a log.
  static func lines<Line: Decodable>(in log: URL) throws -> [Line] {
    try Data(contentsOf: log).split(separator: UInt8(ascii: "\n")).map {
      try JSONDecoder().decode(Line.self, from: $0)
    }
  }
}
