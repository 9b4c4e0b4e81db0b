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
public protocol CognitoIdentityStore: Sendable {
  /// The identity ID that was kept for a pool; nil when there is none.
  func identityID(inPool poolID: String) async throws(CredentialError) -> String?

  /// Keeps the identity ID for a pool, or forgets it when it is nil.
  func keep(_ identityID: String?, inPool poolID: String) async throws(CredentialError)
}

/// A store that lasts as long as the process: for tests, and for servers.
public actor CognitoMemoryStore {
  private var identityIDs: [String: String]

  /// A store that holds these identity IDs, by the IDs of their pools.
  public init(_ identityIDs: [String: String] = [:]) { self.identityIDs = identityIDs }

  /// The identity ID that was kept for a pool.
  public func identityID(inPool poolID: String) async throws(CredentialError) -> String? {
    identityIDs[poolID]
  }

  /// Keeps the identity ID for a pool, or forgets it when it is nil.
  public func keep(_ identityID: String?, inPool poolID: String) async throws(CredentialError) {
    identityIDs[poolID] = identityID
  }
}

extension CognitoMemoryStore: CognitoIdentityStore {}

/// A store in a file, for one pool: `{"poolId":"...","identityId":"..."}`.
public struct CognitoFileStore: CognitoIdentityStore {
  private let path: String
  private let sources: CredentialSources

  /// A store at a path, read and written by way of the sources.
  public init(path: String, sources: CredentialSources) {
    self.path = path
    self.sources = sources
  }

  /// The identity ID in the file; nil when there is no file, when it is for another pool, or when it
  /// is damaged: it is written anew with the next identity.
  public func identityID(inPool poolID: String) async throws(CredentialError) -> String? {
    guard let file = try sources.file(path), let kept = try? JSONReader.value(of: file),
      kept["poolId"]?.text == poolID, let identityID = kept["identityId"]?.text,
      CognitoIdentityPool.isID(identityID)
    else { return nil }
    return identityID
  }

  /// Writes the identity ID, or an empty object when it is nil.
  public func keep(_ identityID: String?, inPool poolID: String) async throws(CredentialError) {
    let kept = JSONText.object(
      identityID.map { [("poolId", .string(poolID)), ("identityId", .string($0))] } ?? [])
    try sources.replaceFile(path, kept.compact.bytesInUTF8)
  }
}
