// SPDX-License-Identifier: Apache-2.0
// What every provider does, and the simplest ones: credentials that are there already.

public import RequestSigning

/// A source of credentials.
///
/// A provider asks its source each time; `RefreshingCredentialProvider` keeps the answer and asks again
/// in time.
public protocol CredentialProvider: Sendable {
  /// Credentials that can sign now, and where they come from.
  ///
  /// Throws `notConfigured` when nothing is set up for this source, so that a chain goes on to its
  /// next one; every other code says that the source is set up and failed.
  func credentials() async throws(CredentialError) -> ResolvedCredentials

  /// Drops cached credentials that a server rejected as expired, so that the next `credentials()` fetches new
  /// ones. Does nothing if newer ones are cached. Only a provider with a cache needs to implement it.
  func invalidate(_ provided: ResolvedCredentials) async
}

extension CredentialProvider {
  /// Does nothing.
  public func invalidate(_ provided: ResolvedCredentials) async {}
}

/// Credentials, and where they come from.
public struct ResolvedCredentials: Equatable, Sendable, CustomStringConvertible {
  /// The keys that sign; `identity.expiration` says until when.
  public let credentials: SigV4.Credentials

  /// Where they come from, for people: `environment variables`. Never a secret.
  public let origin: String

  /// The account that they belong to, as the source tells it, where it does: 12 digits as a rule.
  public let accountID: String?

  /// What to log when they are used, for people: that they are used on although they have ended, since
  /// their source does not answer. Nil where all is well. Never a secret.
  public internal(set) var warning: String?

  /// Credentials and their origin. Origin and warning are printed, so neither may be secret.
  public init(
    _ credentials: SigV4.Credentials, origin: String, accountID: String? = nil,
    warning: String? = nil
  ) {
    self.credentials = credentials
    self.origin = origin
    self.accountID = accountID
    self.warning = warning
  }

  /// The access key ID and the origin. Never the secret.
  public var description: String { "\(credentials) from \(origin)" }
}

extension ResolvedCredentials: CredentialProvider {
  /// These credentials; never throws, even when they have expired: the signer refuses them.
  public func credentials() async throws(CredentialError) -> ResolvedCredentials { self }
}

/// Credentials that are known are a provider themselves.
extension SigV4.Credentials: CredentialProvider {
  /// These credentials; never throws, even when they have expired: the signer refuses them.
  public func credentials() async throws(CredentialError) -> ResolvedCredentials {
    ResolvedCredentials(self, origin: "the program")
  }
}
