// SPDX-License-Identifier: Apache-2.0
// Why a command stopped, and the exit codes that say so to scripts.

internal import RequestSigning

/// The exit codes, as docs/reference/command-line.md lists them.
enum ExitCode: Int32 {
  case success = 0
  case failure = 1
  case usage = 2
  case credentials = 3
}

/// Why a command stopped.
struct CommandError: Error {
  let exitCode: ExitCode
  let message: String

  init(_ exitCode: ExitCode, _ message: String) {
    self.exitCode = exitCode
    self.message = message
  }

  /// What the library says, and which exit code it means.
  init(_ error: SigV4.SigningError) {
    let ofCredentials: [SigV4.SigningError.Code] = [
      .invalidAccessKeyID, .invalidSecretAccessKey, .invalidSessionToken, .credentialsExpired,
    ]
    self.init(
      ofCredentials.contains(error.code) ? .credentials : .failure, error.description)
  }

  /// A mistake in the arguments.
  static func usage(_ message: String) -> CommandError {
    CommandError(.usage, message + " ('sigv4 --help' lists the commands and options)")
  }
}

/// Runs what may throw an error of the library, and gives it an exit code.
func signing<Result: ~Copyable>(
  _ body: () throws(SigV4.SigningError) -> Result
) throws(CommandError) -> Result {
  do {
    return try body()
  } catch {
    throw CommandError(error)
  }
}
