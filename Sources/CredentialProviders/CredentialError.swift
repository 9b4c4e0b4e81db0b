// SPDX-License-Identifier: Apache-2.0
// Why there are no credentials: a code for programs, a message for people.

/// Why there are no credentials.
///
/// The message says what is wrong, why it matters and what to do. It never holds a secret access
/// key, a token or the body of an answer; but the end of what a program wrote to its standard error.
public struct CredentialError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public let code: Code

  /// Why there are no credentials, in one sentence.
  public let problem: String

  /// How to fix it.
  public let fix: String

  /// The problem and its fix.
  public var message: String { problem + " " + fix }

  /// The error of a closure that you passed to a provider or its sources. Nil for all other failures. It isn't
  /// part of the message, since it may contain secrets.
  public let underlyingError: (any Error)?

  /// A failure, as a provider of your own reports it.
  ///
  /// - Parameters:
  ///   - code: `notConfigured` lets a chain go on to its next source.
  ///   - problem: what is wrong, without any secret.
  ///   - fix: what to do about it.
  ///   - underlyingError: the cause.
  public init(
    _ code: Code, _ problem: String, fix: String = "", underlyingError: (any Error)? = nil
  ) {
    self.code = code
    self.problem = problem
    self.fix = fix
    self.underlyingError = underlyingError
  }

  /// The code and the message.
  public var description: String { code.name + ": " + message }

  /// Whether two errors have the same code and message.
  public static func == (left: Self, right: Self) -> Bool {
    left.code == right.code && left.message == right.message
  }

  /// Feeds the code and the message to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(message)
  }
}

extension CredentialError {
  /// The error with a different problem, and perhaps a different fix and code. It keeps its cause.
  func with(_ problem: String, fix: String? = nil, code: Code? = nil) -> CredentialError {
    CredentialError(
      code ?? self.code, problem, fix: fix ?? self.fix, underlyingError: underlyingError)
  }

  /// Wraps the error of a user's closure, unless it's a credential error itself. The message doesn't include it,
  /// since a URL in it may contain secrets.
  package init(_ error: any Error, _ code: Code, of closure: String) {
    if let error = error as? CredentialError {
      self = error
    } else if error is CancellationError {
      self.init(.cancelled, "\(closure) was cancelled.", fix: "Call it again in a different task.")
    } else {
      self.init(
        code, "\(closure) failed with \(type(of: error)).",
        fix: "Check underlyingError, which may contain secrets.", underlyingError: error)
    }
  }
}

extension CredentialError {
  /// The kind of failure. More codes may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code, as it is spelled here.
    public let name: String

    /// A code of a provider of your own.
    public init(name: String) { self.name = name }

    /// The name of the code.
    public var description: String { name }

    /// Nothing is set up for this source: no variable, no profile, no address; a chain asks its next
    /// source. Set this one up, or add another to the chain.
    public static let notConfigured = Code(name: "notConfigured")
    /// Something is set, and something that belongs to it is missing or contradicts it. Correct the
    /// setting that the message names.
    public static let invalidConfiguration = Code(name: "invalidConfiguration")
    /// A file cannot be read, or does not have the form that it should have. Correct the line that
    /// the message names, or the permissions of the file.
    public static let invalidFile = Code(name: "invalidFile")
    /// A server cannot be reached. Look at the network, the proxy and the address; asking again
    /// later may help.
    public static let unreachable = Code(name: "unreachable")
    /// A server or a program did not answer in time. Ask again, or give it more time.
    public static let timedOut = Code(name: "timedOut")
    /// A server or a program refused. Read the service's own words in the message: most often a
    /// permission is missing, or a name is wrong.
    public static let accessDenied = Code(name: "accessDenied")
    /// An answer does not have the form that its documentation promises. Look at what answers in
    /// place of the service or program.
    public static let invalidResponse = Code(name: "invalidResponse")
    /// The credentials that were found have expired. Let the source renew them, or correct the
    /// clock.
    public static let expired = Code(name: "expired")
    /// The user has to sign in first, for example with `aws sso login`. Sign in; the message has
    /// the command.
    public static let signInRequired = Code(name: "signInRequired")
    /// The caller was cancelled. Ask again in another task.
    public static let cancelled = Code(name: "cancelled")
  }
}

// Shorthands for throwing: `throw .accessDenied("...", fix: "...")`.
extension CredentialError {
  static func notConfigured(_ problem: String, fix: String) -> Self {
    Self(.notConfigured, problem, fix: fix)
  }
  static func invalidConfiguration(_ problem: String, fix: String) -> Self {
    Self(.invalidConfiguration, problem, fix: fix)
  }
  static func invalidFile(_ problem: String, fix: String) -> Self {
    Self(.invalidFile, problem, fix: fix)
  }
  static func unreachable(_ problem: String, fix: String) -> Self {
    Self(.unreachable, problem, fix: fix)
  }
  static func timedOut(_ problem: String, fix: String) -> Self {
    Self(.timedOut, problem, fix: fix)
  }
  static func accessDenied(_ problem: String, fix: String) -> Self {
    Self(.accessDenied, problem, fix: fix)
  }
  static func invalidResponse(_ problem: String, fix: String) -> Self {
    Self(.invalidResponse, problem, fix: fix)
  }
  static func expired(_ problem: String, fix: String) -> Self {
    Self(.expired, problem, fix: fix)
  }
  static func signInRequired(_ problem: String, fix: String) -> Self {
    Self(.signInRequired, problem, fix: fix)
  }
}
