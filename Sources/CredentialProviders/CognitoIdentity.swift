// SPDX-License-Identifier: Apache-2.0
// The users of an identity pool of Amazon Cognito, by the tokens that they signed in with.

internal import DocumentSupport
public import SecureHashing
internal import SigningSupport

/// A user's login: an identity provider's name, and the token that it gave. Prints the name only.
///
/// Source: Amazon Cognito Developer Guide, "Identity pools third-party identity providers".
public struct CognitoLogin: Hashable, Sendable, CustomStringConvertible, Redacted {
  /// The name of the identity provider, as the pool knows it: `accounts.google.com`.
  public let provider: String

  /// The token. Secret.
  public let token: String

  /// A login by an identity provider's name: `accounts.google.com`, `appleid.apple.com`,
  /// `graph.facebook.com`, `cognito-idp.us-east-1.amazonaws.com/POOL`, or the name of a provider of
  /// OpenID Connect without `https://`, such as `slack.com`.
  public init(provider: String, token: String) {
    self.provider = provider
    self.token = token
  }

  /// A login with the token that your own server got from GetOpenIdTokenForDeveloperIdentity.
  public static func developer(token: String) -> CognitoLogin {
    CognitoLogin(provider: "cognito-identity.amazonaws.com", token: token)
  }

  /// The name of the identity provider.
  public var description: String { provider }
}

/// An identity, and a token for it, from your own server for a user that it knows.
///
/// Source: Amazon Cognito Developer Guide, "Developer-authenticated identities".
public struct CognitoDeveloperIdentity: Hashable, Sendable, CustomStringConvertible,
  Redacted
{
  /// The identity ID.
  public let identityID: String

  /// The token. Secret.
  public let token: String

  /// An identity and its token, both from GetOpenIdTokenForDeveloperIdentity.
  public init(identityID: String, token: String) {
    self.identityID = identityID
    self.token = token
  }

  /// The identity ID.
  public var description: String { identityID }
}

/// Where the identity ID of a pool is kept, so that a launch does not make a new guest.
///
/// An app can keep it in its preferences. It is not a secret, but the only thing that identifies a guest.
public struct CognitoIdentityStore: Sendable {
  private let read: @Sendable (_ poolID: String) async throws -> String?
  private let write: @Sendable (_ identityID: String?, _ poolID: String) async throws -> Void

  /// A store of your own.
  ///
  /// - Parameters:
  ///   - read: the identity ID that was kept for a pool; nil when there is none.
  ///   - write: keeps the identity ID for a pool, or forgets it when it is nil.
  public init(
    read: @escaping @Sendable (_ poolID: String) async throws -> String?,
    write: @escaping @Sendable (_ identityID: String?, _ poolID: String) async throws -> Void
  ) {
    self.read = read
    self.write = write
  }

  /// The identity ID that was kept for a pool; nil when there is none.
  public func identityID(inPool poolID: String) async throws(CredentialError) -> String? {
    do { return try await read(poolID) } catch {
      throw CredentialError(error, .invalidFile, of: "The closure that reads the identity ID")
    }
  }

  /// Keeps the identity ID for a pool, or forgets it when it is nil.
  public func keep(_ identityID: String?, inPool poolID: String) async throws(CredentialError) {
    do { try await write(identityID, poolID) } catch {
      throw CredentialError(error, .invalidFile, of: "The closure that stores the identity ID")
    }
  }
}

extension CognitoIdentityStore {
  /// A store that lasts as long as the process, for tests and for servers: it begins with these identity
  /// IDs, by the IDs of their pools.
  public static func memory(_ identityIDs: [String: String] = [:]) -> CognitoIdentityStore {
    let kept = Guarded(identityIDs)
    return CognitoIdentityStore(
      read: { (poolID) async throws(CredentialError) in kept.withLock { $0[poolID] } },
      write: { (identityID, poolID) async throws(CredentialError) in
        kept.withLock { $0[poolID] = identityID }
      })
  }

  /// A store in a file, for one pool, read and written by way of the sources:
  /// `{"poolId":"...","identityId":"..."}`.
  ///
  /// A file that is for another pool, or damaged, holds nothing: it is written anew with the next
  /// identity.
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
