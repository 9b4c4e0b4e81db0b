// SPDX-License-Identifier: Apache-2.0
// Several providers, asked one after another.

/// Several providers, asked in their order until one has credentials.
///
/// One that has nothing to ask (`notConfigured`) is passed over; one that is there and fails ends
/// the search, so that nobody signs as somebody else because a file is broken.
public struct CredentialProviderChain: CredentialProvider {
  private let providers: [any CredentialProvider]

  /// A chain of these providers, first to last.
  public init(_ providers: [any CredentialProvider]) {
    self.providers = providers
  }

  /// The credentials of the first provider that has any.
  ///
  /// Throws `notConfigured` with what every provider said, or the error of the one that failed, and
  /// what those before it said.
  public func credentials() async throws(CredentialError) -> ProvidedCredentials {
    var passed: [String] = []
    for provider in providers {
      do throws(CredentialError) {
        return try await provider.credentials()
      } catch {
        if error.code == .cancelled { throw error }
        let line = "\(type(of: provider)): \(error.message)"
        if error.code != .notConfigured { throw Self.failure(error.code, line, after: passed) }
        passed.append(line)
      }
    }
    throw CredentialError(
      .notConfigured,
      "no credentials were found, so nothing can be signed; set up one of these sources. "
        + (passed.isEmpty ? "The chain is empty." : "Asked: " + Self.list(passed)))
  }

  private static func failure(
    _ code: CredentialError.Code, _ line: String, after passed: [String]
  ) -> CredentialError {
    let before = passed.isEmpty ? "" : ". Asked before, and without credentials: " + list(passed)
    return CredentialError(code, line + before)
  }

  private static func list(_ lines: [String]) -> String {
    lines.enumerated().map { "(\($0 + 1)) \($1)" }.joined(separator: "; ")
  }
}
