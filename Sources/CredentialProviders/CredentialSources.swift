// SPDX-License-Identifier: Apache-2.0
// The environment of a provider: variables, files, commands, HTTP and a clock, all passed as
// arguments.

public import RequestSigning

/// The variables, files, commands, HTTP client and clock that providers use.
/// RequestSigningFoundation has those of this process (`CredentialSources.process`). Tests pass
/// their own.
///
/// A closure that you don't set returns nil or throws, except `wait`, which doesn't wait, and
/// `random`. Providers report the errors of these closures as
/// ``CredentialError/underlyingError``.
public struct CredentialSources: Sendable {
  /// Returns the current time.
  public var now: @Sendable () -> SigV4.Timestamp

  /// Returns the value of an environment variable, or nil if it isn't set.
  public var variable: @Sendable (_ name: String) -> String? = { _ in nil }

  /// Returns the user's home directory according to the system, or nil if it's unknown. Providers
  /// call it if `HOME` isn't set.
  public var homeFolder: @Sendable () -> String? = { nil }

  /// Returns the contents of a file, or nil if it doesn't exist or is a directory. Throws
  /// `invalidFile` if it can't be read.
  public var file: @Sendable (_ path: String) throws -> [UInt8]? = { _ in nil }

  /// Writes a file atomically, readable only by its owner. Follows a symbolic link. Throws
  /// `invalidFile`.
  public var replaceFile: @Sendable (_ path: String, _ bytes: [UInt8]) throws -> Void = {
    (path, _) in
    throw CredentialError(
      .invalidFile, "Can't write \(path): these sources are read-only.",
      fix: "Use sources that set replaceFile.")
  }

  /// Runs a command without a shell, from its name and arguments, and returns its standard output.
  ///
  /// - Throws: `accessDenied` if the exit code isn't 0, `timedOut` and `cancelled`.
  public var run: @Sendable (_ command: [String]) async throws -> [UInt8] = { (command) in
    throw CredentialError(
      .accessDenied, "Can't run \(command.first ?? "a command"): these sources don't run commands.",
      fix: "Use sources that set run.")
  }

  /// Sends a small HTTP request and returns the response, whatever its status. It must not follow
  /// redirects.
  ///
  /// - Throws: `unreachable`, `timedOut`, `cancelled` and `invalidResponse`.
  public var http: @Sendable (_ request: SigV4.HTTPRequest) async throws -> SigV4.HTTPResponse = {
    (request) in
    throw CredentialError(
      .unreachable, "Can't send \(request): these sources have no HTTP client.",
      fix: "Use sources that set http.")
  }

  /// Returns the current six-digit code of an MFA device, from its serial number or ARN. Providers
  /// call it if a role requires one (`mfa_serial`). It may prompt the user.
  public var mfaCode: @Sendable (_ serialNumber: String) async throws -> String = {
    (serialNumber) in
    throw CredentialError(
      .invalidConfiguration,
      "Can't prompt for the code of MFA device \(serialNumber.shown) (mfa_serial).",
      fix: "Use sources that set mfaCode, or get a session with 'aws configure export-credentials'."
    )
  }

  /// Waits for a duration, and throws `cancelled` if the caller was cancelled. By default, it
  /// doesn't wait.
  public var wait: @Sendable (_ duration: Duration) async throws -> Void = { _ in }

  /// Returns a number from 0 to 1. Delays between attempts are multiplied by it, so that machines
  /// that failed together don't retry together.
  public var random: @Sendable () -> Double = { .random(in: 0...1) }

  /// The result of `random`, clamped to 0 to 1. NaN becomes 0.
  var randomShare: Double {
    let share = random()
    return share > 0 ? min(share, 1) : 0
  }

  /// The maximum size of a response or of a command's output: 1 MiB, more than any source sends.
  package static let maximumByteCount = 1_048_576

  /// Creates sources with only a clock.
  public init(now: @escaping @Sendable () -> SigV4.Timestamp) { self.now = now }
}

// Calls the closures and wraps their errors.
extension CredentialSources {
  func contents(of path: String) throws(CredentialError) -> [UInt8]? {
    do { return try file(path) } catch {
      throw CredentialError(error, .invalidFile, of: "The closure that reads \(path)")
    }
  }

  func write(_ bytes: [UInt8], to path: String) throws(CredentialError) {
    do { try replaceFile(path, bytes) } catch {
      throw CredentialError(error, .invalidFile, of: "The closure that writes \(path)")
    }
  }

  func output(of command: [String]) async throws(CredentialError) -> [UInt8] {
    do { return try await run(command) } catch {
      throw CredentialError(
        error, .accessDenied, of: "The closure that runs \(command.first ?? "")")
    }
  }

  package func response(
    to request: SigV4.HTTPRequest
  ) async throws(CredentialError) -> SigV4.HTTPResponse {
    do {
      return try await http(request).collected(upTo: request.maximumByteCount)
    } catch {
      throw CredentialError(error, .unreachable, of: "The HTTP client, for \(request),")
    }
  }

  func code(of serialNumber: String) async throws(CredentialError) -> String {
    do { return try await mfaCode(serialNumber) } catch {
      throw CredentialError(error, .accessDenied, of: "The closure that returns an MFA code")
    }
  }

  func pause(for duration: Duration) async throws(CredentialError) {
    do { try await wait(duration) } catch {
      throw CredentialError(error, .cancelled, of: "The closure that waits")
    }
  }
}
