// SPDX-License-Identifier: Apache-2.0
// The protocol of all sources of credentials, and the simplest source: existing credentials.

public import RequestSigning

/// A source of credentials. Conform to it for your own source, if `.refreshing { ... }` isn't
/// enough.
///
/// It's queried on each call. A `SigV4.CredentialProvider` caches the credentials and refreshes
/// them in time. Pass either to a session.
public protocol CredentialResolver: Sendable {
  /// Returns valid credentials and their source.
  ///
  /// - Throws: `notConfigured` if this source isn't set up, so that a chain tries its next source.
  ///   Any other code means that the source is set up but failed.
  func credentials() async throws(CredentialError) -> ResolvedCredentials

  /// Drops cached credentials that a server rejected as expired, so that the next `credentials()`
  /// fetches new ones. Does nothing if newer ones are cached. Only a source with a cache needs to
  /// implement it.
  func invalidate(_ provided: ResolvedCredentials) async
}

extension CredentialResolver {
  /// Does nothing.
  public func invalidate(_ provided: ResolvedCredentials) async {}
}

/// Credentials and their source.
public struct ResolvedCredentials: Equatable, Sendable, CustomStringConvertible {
  /// The credentials. They're valid until `identity.expiration`.
  public let credentials: SigV4.Credentials

  /// Where they come from, for people: `environment variables`. Never a secret.
  public let source: String

  /// Their account, usually 12 digits, or nil if the source doesn't specify it.
  public let accountID: String?

  /// A warning to log, for people: for example, that the credentials have expired but their source
  /// doesn't respond, or that their session token is missing. Nil if all is well. Never a secret.
  public internal(set) var warning: String?

  /// Creates credentials with a source. The source and the warning are printed, so neither may be
  /// secret.
  public init(
    _ credentials: SigV4.Credentials, source: String, accountID: String? = nil,
    warning: String? = nil
  ) {
    self.credentials = credentials
    self.source = source
    self.accountID = accountID
    self.warning = warning ?? credentials.identity.missingTokenWarning
  }

  /// The access key ID and the source. Never the secret.
  public var description: String { "\(credentials) from \(source)" }
}

extension SigV4.Identity {
  /// A warning if the access key ID is that of temporary credentials, but there's no token (IAM
  /// User Guide, "Understanding unique ID prefixes").
  fileprivate var missingTokenWarning: String? {
    if sessionToken != nil || accessKeyID.utf8.count != 20 || !accessKeyID.hasPrefix("ASIA") {
      return nil
    }
    return "The access key ID \(shownAccessKeyID) is for temporary credentials, but they have no "
      + "session token. AWS will reject them."
  }
}

extension ResolvedCredentials: CredentialResolver {
  /// Returns these credentials. It never throws, even if they have expired. The signer rejects
  /// expired credentials.
  public func credentials() async throws(CredentialError) -> ResolvedCredentials { self }
}

/// Existing credentials are a source.
extension SigV4.Credentials: CredentialResolver {
  /// Returns these credentials. It never throws, even if they have expired. The signer rejects
  /// expired credentials.
  public func credentials() async throws(CredentialError) -> ResolvedCredentials {
    ResolvedCredentials(self, source: "the program")
  }
}
