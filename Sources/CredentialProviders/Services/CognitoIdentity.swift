// SPDX-License-Identifier: Apache-2.0
// The users of an Amazon Cognito identity pool, and a store for their identity IDs.

internal import DocumentSupport
internal import SecureHashing
internal import RequestSigning

/// A user's login: the name of an identity provider, and its token. It prints as the name.
///
/// Source: Amazon Cognito Developer Guide, "Identity pools third-party identity providers".
package struct CognitoLogin: Hashable, Sendable, CustomStringConvertible, Redacted {
  /// The name of the identity provider in the pool: `accounts.google.com`.
  package let provider: String

  /// The token. Treat it as a secret.
  package let token: String

  /// Creates a login with an identity provider.
  package init(provider: String, token: String) {
    self.provider = provider
    self.token = token
  }

  /// Returns a login with the token from your server's call to GetOpenIdTokenForDeveloperIdentity.
  package static func developer(token: String) -> CognitoLogin {
    CognitoLogin(provider: "cognito-identity.amazonaws.com", token: token)
  }

  /// The name of the identity provider.
  package var description: String { provider }
}

/// A store for the identity ID of a pool, so that your app doesn't create a guest at each launch.
///
/// An app can use its preferences. The identity ID isn't a secret, but nothing else identifies a
/// guest.
public struct CognitoIdentityStore: Sendable {
  private let read: SentClosure<String, String?>
  private let write: SentClosure<(identityID: String?, poolID: String), Void>

  /// Creates your own store.
  ///
  /// - Parameters:
  ///   - read: Returns the stored identity ID for a pool, or nil.
  ///   - write: Stores the identity ID for a pool, or removes it if it's nil.
  public init(
    read: sending @escaping (_ poolID: String) async throws -> String?,
    write: sending @escaping (_ identityID: String?, _ poolID: String) async throws -> Void
  ) {
    self.read = SentClosure(read)
    self.write = SentClosure { try await write($0.identityID, $0.poolID) }
  }

  /// Returns the stored identity ID for a pool, or nil.
  public func identityID(inPool poolID: String) async throws(CredentialError) -> String? {
    do { return try await read(poolID) } catch {
      throw CredentialError(error, .invalidFile, of: "The closure that reads the identity ID")
    }
  }

  /// Stores the identity ID for a pool, or removes it if it's nil. To sign a user out, call
  /// `signOut()` of the provider, which also drops the cached credentials.
  public func keep(_ identityID: String?, inPool poolID: String) async throws(CredentialError) {
    do { try await write((identityID, poolID)) } catch {
      throw CredentialError(error, .invalidFile, of: "The closure that stores the identity ID")
    }
  }
}

extension CognitoIdentityStore {
  /// Returns a store in memory, for tests and servers, with initial identity IDs by pool ID.
  public static func memory(_ identityIDs: [String: String] = [:]) -> CognitoIdentityStore {
    let kept = Guarded(identityIDs)
    return CognitoIdentityStore(
      read: { (poolID) async throws(CredentialError) in kept.withLock { $0[poolID] } },
      write: { (identityID, poolID) async throws(CredentialError) in
        kept.withLock { $0[poolID] = identityID }
      })
  }

  /// Returns a store in a file, for one pool: `{"poolId":"...","identityId":"..."}`.
  ///
  /// A file that's damaged or for a different pool counts as empty. The next identity overwrites
  /// it.
  public static func file(_ path: String, sources: CredentialSources) -> CognitoIdentityStore {
    CognitoIdentityStore(
      read: { (poolID) async throws(CredentialError) in
        guard let file = try sources.contents(of: path), let kept = try? JSONReader.value(of: file),
          kept["poolId"]?.text == poolID, let identityID = kept["identityId"]?.text,
          CognitoIdentityPool.isID(identityID)
        else { return nil }
        return identityID
      },
      write: { (identityID, poolID) async throws(CredentialError) in
        let kept = JSONText.object(
          identityID.map { [("poolId", .string(poolID)), ("identityId", .string($0))] } ?? [])
        try sources.write(kept.compact.bytesInUTF8, to: path)
      })
  }
}
