// SPDX-License-Identifier: Apache-2.0
// Why a benchmark stopped, with its exit code for scripts.

/// Why a benchmark stopped.
public struct BenchmarkError: Error, CustomStringConvertible {
  let message: String
  let exitCode: Int32

  /// Something failed: exit code 1.
  public static func failure(_ message: String) -> BenchmarkError {
    BenchmarkError(message: message, exitCode: 1)
  }

  /// A mistake in the arguments: exit code 2.
  static func usage(_ message: String) -> BenchmarkError {
    BenchmarkError(message: message + " (--help lists the options)", exitCode: 2)
  }

  /// The problem, for people.
  public var description: String { message }
}
