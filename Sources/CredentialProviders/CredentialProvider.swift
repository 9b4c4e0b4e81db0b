// SPDX-License-Identifier: Apache-2.0
// What every provider is: somebody who can be asked for credentials.

public import RequestSigning

/// Somebody who can be asked for credentials.
///
/// A provider asks its source each time; `RefreshingCredentialProvider` keeps what it was given and
/// asks again in time.
public protocol CredentialProvider: Sendable {
  /// Credentials that can sign now, and where they come from.
  ///
  /// Throws `notConfigured` when there is nothing here to ask, so that a chain goes on to its next
  /// source; every other code says that the source is there and failed.
  func credentials() async throws(CredentialError) -> ProvidedCredentials
}

/// Somebody who keeps credentials, and can be told that a server takes them no longer.
public protocol InvalidatableCredentialProvider: CredentialProvider {
  /// Says that a server refused these credentials as expired: the next ``credentials()`` asks the
  /// source again. Nothing happens when newer ones are kept already.
  func invalidate(_ provided: ProvidedCredentials) async
}

/// Credentials, and where they come from.
public struct ProvidedCredentials: Sendable, CustomStringConvertible {
  /// Who signs; `identity.expiration` says until when.
  public let credentials: SigV4.Credentials

  /// Where they come from, for people: `environment variables`. Never a secret.
  public let origin: String

  /// Credentials and their origin, which is printed and must not be secret.
  public init(_ credentials: SigV4.Credentials, origin: String) {
    self.credentials = credentials
    self.origin = origin
  }

  /// The access key ID and the origin. Never the secret.
  public var description: String { credentials.description + " from " + origin }
}
