// SPDX-License-Identifier: Apache-2.0
// The identity pools of Amazon Cognito: credentials for the users of an app, and for its guests.

internal import RequestSigning

/// Credentials of an identity pool of Amazon Cognito, for a guest or somebody who has signed in.
///
///     let provider = CognitoProvider(
///       pool: try CognitoIdentityPool("us-east-1:01234567-89ab-cdef-0123-456789abcdef"),
///       identities: store, sources: sources)
///
/// The identity ID is kept in a store. When somebody signs in whose guest identity is kept, Cognito
/// makes it theirs. An identity that Cognito no longer knows is replaced by a new one, which is asked
/// for once. Put a `RefreshingCredentialProvider` before it: two callers at the first launch would
/// become two guests.
public struct CognitoProvider: CredentialProvider {
  private let pool: CognitoIdentityPool
  private let visitor: Visitor
  private let roleARN: String?
  private let identities: any CognitoIdentityStore
  private let sources: CredentialSources

  /// Who asks. The closures are called each time, since tokens expire.
  public enum Visitor: Sendable {
    /// Nobody in particular: the pool has to let guests in.
    case guest
    /// Somebody whom identity providers know.
    case logins(@Sendable () async throws(CredentialError) -> [CognitoLogin])
    /// Somebody whom your own server knows, which asks Cognito for identity and token.
    case developer(@Sendable () async throws(CredentialError) -> CognitoDeveloperIdentity)
  }

  /// A provider of a pool's credentials.
  ///
  /// - Parameters:
  ///   - visitor: who asks.
  ///   - roleARN: one of the roles that a token names, when the pool lets the user choose.
  ///   - identities: where the identity ID is kept. One of `developer` is not: the server knows it.
  public init(
    pool: CognitoIdentityPool, visitor: Visitor = .guest, roleARN: String? = nil,
    identities: any CognitoIdentityStore, sources: CredentialSources
  ) {
    self.pool = pool
    self.visitor = visitor
    self.roleARN = roleARN
    self.identities = identities
    self.sources = sources
  }

  /// Credentials, asked for now.
  ///
  /// Throws what the closures and the store throw, `refused`, `expired`, `invalidAnswer`,
  /// `unreachable`, `timedOut`.
  public func credentials() async throws(CredentialError) -> ProvidedCredentials {
    switch visitor {
    case .guest: return try await credentials(logins: [])
    case .logins(let logins): return try await credentials(logins: try await logins())
    case .developer(let identity):
      let identity = try await identity()
      let logins = [CognitoLogin.developer(token: identity.token)]
      let response = try await credentialsAnswer(identity.identityID, logins)
      return try pool.credentials(in: response, logins: logins, at: sources.now())
    }
  }

  /// Forgets the identity that is kept. A guest who comes after it is a new one; somebody who signs
  /// in again gets their own identity back.
  ///
  /// Throws what the store throws.
  public func signOut() async throws(CredentialError) {
    try await identities.keep(nil, inPool: pool.id)
  }
}

extension CognitoProvider {
  private func credentials(
    logins: [CognitoLogin]
  ) async throws(CredentialError) -> ProvidedCredentials {
    if let kept = try await identities.identityID(inPool: pool.id) {
      let response = try await credentialsAnswer(kept, logins)
      // Kept until there is another one: when there is none, a mistake in the pool may be the reason.
      if !Self.isUnknown(response, logins) { return try await finished(response, kept, logins) }
    }
    let answer = try await exchange.response(to: pool.identityRequest(logins: logins))
    let identityID = try pool.identityID(in: answer, logins: logins)
    try await identities.keep(identityID, inPool: pool.id)
    let response = try await credentialsAnswer(identityID, logins)
    return try await finished(response, identityID, logins)
  }

  /// The credentials of an answer; Cognito may have merged the identity with another one, which is
  /// kept then.
  private func finished(
    _ response: HTTPResponse, _ identityID: String, _ logins: [CognitoLogin]
  ) async throws(CredentialError) -> ProvidedCredentials {
    let provided = try pool.credentials(in: response, logins: logins, at: sources.now())
    let answered = try pool.identityID(in: response, logins: logins)
    if answered != identityID { try await identities.keep(answered, inPool: pool.id) }
    return provided
  }

  private func credentialsAnswer(
    _ identityID: String, _ logins: [CognitoLogin]
  ) async throws(CredentialError) -> HTTPResponse {
    try await exchange.response(
      to: pool.credentialsRequest(identityID: identityID, logins: logins, roleARN: roleARN))
  }

  private var exchange: ServiceExchange { ServiceExchange(name: pool.service, sources: sources) }

  /// Whether the identity that was kept is no more: deleted, or a guest that became somebody.
  private static func isUnknown(_ response: HTTPResponse, _ logins: [CognitoLogin]) -> Bool {
    if response.status == 200 { return false }
    switch ServiceRefusal(response).code {
    case "ResourceNotFoundException": return true
    case "NotAuthorizedException": return logins.isEmpty
    default: return false
    }
  }
}
