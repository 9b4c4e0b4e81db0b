// SPDX-License-Identifier: Apache-2.0
// Runs the built benchmark program as a user's shell does, and stores its output.

internal import Foundation

/// The output and the exit code of a finished program.
struct BenchmarkProcess {
  let output: String
  let errors: String
  let exitCode: Int32

  /// Runs a benchmark program in the directory of the test bundle. With a `path`, it finds only the
  /// programs there.
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

/// Passes a folder that's removed afterward.
func withFolder(_ body: (_ path: String) throws -> Void) throws {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  try body(folder.path)
}
