// SPDX-License-Identifier: Apache-2.0
// Runs the built benchmark program as a user's shell would, and keeps what it said.

internal import Foundation

/// What a finished program said, and its exit code.
struct BenchmarkProcess {
  let output: String
  let errors: String
  let exitCode: Int32

  /// Runs `hashing-benchmark`, which lies beside the bundle of the tests.
  init(_ arguments: [String]) throws {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      .deletingLastPathComponent().appendingPathComponent("hashing-benchmark")
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    self.output = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    self.errors = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    exitCode = process.terminationStatus
  }
}
