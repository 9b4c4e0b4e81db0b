// SPDX-License-Identifier: Apache-2.0
// Runs the built benchmark program as a user's shell would, and keeps what it said.

internal import Foundation

/// What a finished program said, and its exit code.
struct BenchmarkProcess {
  let output: String
  let errors: String
  let exitCode: Int32

  /// Runs a benchmark program, which lies beside the bundle of the tests; with a `path` it finds no
  /// other programs than those in it.
  init(_ program: String, _ arguments: [String], path: String? = nil) throws {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      .deletingLastPathComponent().appendingPathComponent(program)
    process.arguments = arguments
    if let path {
      process.environment = ProcessInfo.processInfo.environment.merging(["PATH": path]) { $1 }
    }
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    self.output = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    self.errors = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    exitCode = process.terminationStatus
  }
}

/// Gives a folder that is removed afterwards.
func withFolder(_ body: (_ path: String) throws -> Void) throws {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  try body(folder.path)
}
