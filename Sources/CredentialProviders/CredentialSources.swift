// SPDX-License-Identifier: Apache-2.0
// The world as providers see it: variables, files, programs, HTTP and a clock, all handed in.

public import RequestSigning

/// The world as providers see it: RequestSigningFoundation has the real one, a test hands in its own.
///
/// What is not set has nothing, or refuses.
public struct CredentialSources: Sendable {
  /// The time now.
  public var now: @Sendable () -> SigV4.Timestamp

  /// The value of an environment variable; nil when it is not set.
  public var variable: @Sendable (_ name: String) -> String? = { _ in nil }

  /// The bytes of a file; nil when there is none. Throws `invalidFile` when it cannot be read.
  public var file: @Sendable (_ path: String) throws(CredentialError) -> [UInt8]? = { _ in nil }

  /// Writes a file in one step, readable by its owner only. Throws `invalidFile`.
  public var replaceFile:
    @Sendable (_ path: String, _ bytes: [UInt8]) throws(CredentialError) -> Void = {
      (path, _) throws(CredentialError) in
      throw CredentialError(.invalidFile, "nothing here can write \(path)")
    }

  /// Runs a program without a shell, by its name and arguments, and gives what it writes to standard
  /// output. Throws `refused` when it exits with another code than 0, `timedOut`, and `cancelled`.
  public var run: @Sendable (_ command: [String]) async throws(CredentialError) -> [UInt8] = {
    (command) async throws(CredentialError) in
    throw CredentialError(.refused, "nothing here can run \(command.first ?? "a program")")
  }

  /// Who carries HTTP requests.
  public var http: any HTTPExchange = NoHTTPExchange()

  /// Waits for so many seconds; does not wait when not set. Throws `cancelled` when the caller was.
  public var wait: @Sendable (_ seconds: Double) async throws(CredentialError) -> Void = {
    (_) async throws(CredentialError) in
  }

  /// A world that has a clock, and nothing else yet.
  public init(now: @escaping @Sendable () -> SigV4.Timestamp) {
    self.now = now
  }
}
