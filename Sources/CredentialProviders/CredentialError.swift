// SPDX-License-Identifier: Apache-2.0
// The reason a provider has no credentials: a code for programs, a message for people.

/// The reason a provider has no credentials.
///
/// The message never contains a secret access key, a token or a response body. It may contain the
/// end of a command's standard error.
public struct CredentialError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public let code: Code

  /// What went wrong, in one or more sentences.
  public let problem: String

  /// How to fix it.
  public let fix: String

  /// When the provider calls its source again at the earliest. Until then, it throws this error
  /// again. Nil if the next call does.
  public internal(set) var retryTime: SigV4.Timestamp?

  /// The problem, the time of the next attempt if there is one, and the fix.
  public var message: String {
    let retry = retryTime.map { " A call at \($0) or later tries again." } ?? ""
    return problem + retry + " " + fix
  }

  /// The error of a closure that you passed to a provider or its sources. Nil for all other
  /// failures. It isn't part of the message, since it may contain secrets.
  public let underlyingError: (any Error)?

  /// Creates an error. Use it in your own provider.
  ///
  /// - Parameters:
  ///   - code: The kind of failure. After `notConfigured`, a chain tries its next source.
  ///   - problem: What went wrong, without any secret.
  ///   - fix: How to fix it.
  ///   - underlyingError: The cause.
  public init(
    _ code: Code, _ problem: String, fix: String, underlyingError: (any Error)? = nil
  ) {
    self.code = code
    self.problem = problem
    self.fix = fix
    self.underlyingError = underlyingError
  }

  /// The code and the message.
  public var description: String { code.name + ": " + message }

  /// Returns whether two errors have the same code and message.
  public static func == (left: Self, right: Self) -> Bool {
    left.code == right.code && left.message == right.message
  }

  /// Hashes the code and the message.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(message)
  }
}

extension CredentialError {
  /// Returns the error with a different problem, and its fix and code unless you pass new ones. The
  /// cause stays the same.
  func with(_ problem: String, fix: String? = nil, code: Code? = nil) -> CredentialError {
    var error = CredentialError(
      code ?? self.code, problem, fix: fix ?? self.fix, underlyingError: underlyingError)
    error.retryTime = retryTime
    return error
  }

  /// Wraps an error from a caller's closure, unless it's a `CredentialError`. The message shows
  /// only the error's type, since a URL in it may contain secrets.
  package init(_ error: any Error, _ code: Code, of closure: String) {
    if let error = error as? CredentialError {
      self = error
    } else if error is CancellationError && Task.isCancelled {
      self.init(.cancelled, "\(closure) was cancelled.", fix: "Call it again in a different task.")
    } else {
      self.init(
        code, "\(closure) failed with \(type(of: error)).",
        fix: "Check underlyingError, which may contain secrets.", underlyingError: error)
    }
  }
}

extension CredentialError {
  /// The kind of failure. New codes may be added. Include a default in a switch.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code, as it's spelled here.
    public let name: String

    /// Creates a code for your own provider.
    public init(name: String) { self.name = name }

    /// The name of the code.
    public var description: String { name }

    /// This source isn't set up: it has no variable, profile or address. A chain tries its next
    /// source. Set this one up, or add another source to the chain.
    public static let notConfigured = Code(name: "notConfigured")
    /// A setting is invalid, conflicts with another one, or needs another one that's missing.
    /// Correct the setting in the message.
    public static let invalidConfiguration = Code(name: "invalidConfiguration")
    /// A file can't be read or has an invalid format. Correct the line in the message, or the
    /// file's permissions.
    public static let invalidFile = Code(name: "invalidFile")
    /// A server can't be reached. Check the network, the proxy and the address, or try again later.
    public static let unreachable = Code(name: "unreachable")
    /// A server or a command didn't respond in time. Try again, or allow more time.
    public static let timedOut = Code(name: "timedOut")
    /// A server or a command rejected the request. Check the service's own words in the message.
    /// Usually a permission is missing or a name is wrong.
    public static let accessDenied = Code(name: "accessDenied")
    /// A response has an unexpected format. Check the URL or command that sent it.
    public static let invalidResponse = Code(name: "invalidResponse")
    /// The credentials have expired. Let the source refresh them, or correct the clock.
    public static let expired = Code(name: "expired")
    /// The user must sign in first, for example with `aws sso login`. Use the command in the
    /// message.
    public static let signInRequired = Code(name: "signInRequired")
    /// The caller was cancelled. Call it again in a different task.
    public static let cancelled = Code(name: "cancelled")
  }
}
